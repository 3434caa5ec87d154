//! Examples found by searching takes for what is like a marked range.

use std::ops::Range;

use super::ParametricError;
use crate::jobs::{Cancelled, Ticket};
use crate::motion::Clip;
use crate::motion::edit::trim;
use crate::motion::features::FeatureError;
use crate::motion::repeats::{RepeatError, RepeatInTake, RepeatQuery, RepeatSettings, search_all};

/// Clips like a marked range.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundExamples {
    /// Cut out of their takes, the nearest first; named after take and frames.
    pub clips: Vec<Clip>,
    /// Where each was found.
    pub places: Vec<RepeatInTake>,
    /// Takes that were left out because their bodies cannot be compared, by index.
    pub skipped: Vec<(usize, FeatureError)>,
}

/// Searches takes for repeats of some frames of a clip and cuts them out, ready for
/// [`ParametricAction::learn`](super::ParametricAction::learn).
pub fn examples_from_repeats(
    query: &Clip,
    frames: Range<usize>,
    takes: &[&Clip],
    settings: &RepeatSettings,
    ticket: &Ticket,
) -> Result<FoundExamples, ParametricError> {
    let marked = RepeatQuery::new(query, frames, settings)?;
    let all = search_all(&marked, takes, &mut |done| ticket.step(done).is_ok());
    let all = all.map_err(|why| match why {
        RepeatError::Stopped => Cancelled.into(),
        other => ParametricError::from(other),
    })?;
    let clips = all.found.iter().map(|found| {
        let (take, frames) = (takes[found.take], &found.found.frames);
        let mut clip = trim(take, frames.clone())?;
        clip.info.name = format!("{} {}..{}", take.info.name, frames.start, frames.end);
        Ok(clip)
    });
    Ok(FoundExamples {
        clips: clips.collect::<Result<_, ParametricError>>()?,
        places: all.found,
        skipped: all.skipped,
    })
}

/// Whether the names of two takes differ in their last number only: `punch_left_13_1` and `punch_left_13_2`.
pub fn is_same_action(a: &str, b: &str) -> bool {
    fn stem(name: &str) -> &str {
        let without = name.trim_end_matches(|c: char| c.is_ascii_digit());
        without.trim_end_matches(['_', '-', ' ', '.'])
    }
    stem(a) == stem(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_of_one_action_differ_in_their_last_number() {
        assert!(
            is_same_action("punch_left_144_13_1", "punch_left_144_13_4"),
            "takes"
        );
        assert!(is_same_action("jump", "jump_02"), "with and without");
        assert!(
            !is_same_action("punch_left_144_13_1", "punch_left_144_14_1"),
            "another"
        );
        assert!(!is_same_action("walk_1", "walk_left_1"), "another");
    }
}
