//! One take is enough: a long one is many, and a short one gets a structure that is known.
//!
//! The paper needs takes that differ, but "given a learned structure, our model can synthesize new variants from just one example"
//! (section 8). A take that repeats itself, such as a walk across the room, is cut into its repeats, which are takes. A take that does
//! not has the plain model ([`super::network`]): the spread and memory that are usual between takes, and no edges.

use crate::motion::cycles::{CutStart, CycleSettings, find_cycles};
use crate::motion::repeats::{RepeatQuery, RepeatSettings};
use crate::motion::{Clip, edit};

/// With fewer repeats than these nothing can be left out.
const FEWEST_REPEATS: usize = 3;
/// More of them are no better, and take longer.
const MOST_REPEATS: usize = 12;
/// A stretch repeats itself if it goes on like it began by this score of [`find_cycles`].
const LEAST_SCORE: f64 = 0.8;

/// What became of one take.
#[derive(Debug, Clone, PartialEq)]
pub enum OneTake {
    /// It was cut into repeats: so many, of this mean length.
    Repeats {
        /// How many repeats it has.
        count: usize,
        /// The mean length of the repeats.
        secs: f64,
    },
    /// It does not repeat itself often enough, and has the plain model.
    Plain,
}

impl OneTake {
    /// The finding for a take that was cut into these repeats.
    pub fn of_repeats(cuts: &[Clip]) -> Self {
        Self::Repeats {
            count: cuts.len(),
            secs: cuts.iter().map(Clip::seconds).sum::<f64>() / cuts.len().max(1) as f64,
        }
    }
}

impl std::fmt::Display for OneTake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Repeats { count, secs } => write!(
                f,
                "one take that repeats itself: cut into {count} repeats of {secs:.2} s and learned from these"
            ),
            Self::Plain => f.write_str(
                "one take that does not repeat itself three times: it varies by half as much as takes usually do, \
                 each joint by itself; learned from more takes of the motion it varies as they do",
            ),
        }
    }
}

/// The clips themselves; or, if there is but one that repeats itself, its repeats. With a word on that.
pub fn one_or_more(clips: Vec<Clip>) -> (Vec<Clip>, Option<OneTake>) {
    let [only] = clips.as_slice() else {
        return (clips, None);
    };
    match repeats_of(only) {
        Some(cuts) => {
            let how = OneTake::of_repeats(&cuts);
            (cuts, Some(how))
        }
        None => (clips, Some(OneTake::Plain)),
    }
}

/// The repeats of a take that repeats itself, in their order; none for others.
pub fn repeats_of(clip: &Clip) -> Option<Vec<Clip>> {
    // Takes that begin alike are compared best; where feet do not tell, anywhere will do.
    let starts = [CutStart::LeftFootAhead, CutStart::Anywhere];
    starts
        .into_iter()
        .find_map(|start| repeats_from(clip, start))
}

fn repeats_from(clip: &Clip, start: CutStart) -> Option<Vec<Clip>> {
    let settings = CycleSettings {
        start,
        ..CycleSettings::default()
    };
    let cycles = find_cycles(clip, &settings).ok()?;
    let best = cycles
        .cuts
        .iter()
        .max_by(|a, b| a.score.total_cmp(&b.score))?;
    if best.score < LEAST_SCORE {
        return None;
    }
    let marked = RepeatQuery::new(clip, best.frames.clone(), &RepeatSettings::default()).ok()?;
    // The nearest first: those are kept if there are many.
    let mut found = marked.search(clip).ok()?;
    found.truncate(MOST_REPEATS);
    found.sort_by_key(|one| one.frames.start);
    let cuts: Vec<Clip> = found
        .iter()
        .enumerate()
        .filter_map(|(at, one)| {
            let mut cut = edit::trim(clip, one.frames.clone()).ok()?;
            cut.info.name = format!("{} {}", clip.info.name, at + 1);
            Some(cut)
        })
        .collect();
    (cuts.len() >= FEWEST_REPEATS).then_some(cuts)
}
