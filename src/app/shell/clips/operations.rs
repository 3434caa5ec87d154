//! Simple operations on the selected clips: each is one undoable step.

use std::sync::Arc;

use crate::app::shell::Shell;
use crate::app::shell::jobs::{Delivery, Shown, Worked};
use crate::app::shell::messages::Severity;
use crate::app::shell::words::counted;
use crate::document::{ClipId, Command};
use crate::jobs::Ticket;
use crate::motion::Clip;
use crate::motion::edit::{self, InPlace};
use crate::motion::foot_slide::{self, FootSlideSettings};

/// What is done to each clip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Operation {
    /// Swaps left and right.
    Mirror,
    /// Takes off the T-pose that a converter put before the motion.
    DropTPose,
    /// Mends joints that jump for a frame.
    MendGlitches,
    /// Puts the floor at height zero.
    SetFloor,
    /// Takes out the travel over the floor.
    InPlace,
    /// Holds feet still while they stand.
    PlantFeet,
    /// Gives the clip another rate.
    Resample {
        /// Frames per second.
        fps: f64,
    },
    /// Keeps one stretch.
    Trim {
        /// Start and end.
        range_secs: (f64, f64),
    },
}

impl Operation {
    /// For "Undo mirror 3 clips".
    pub const fn verb(self) -> &'static str {
        match self {
            Self::Mirror => "mirror",
            Self::DropTPose => "drop T-pose of",
            Self::MendGlitches => "remove spikes of",
            Self::SetFloor => "set floor of",
            Self::InPlace => "set in place",
            Self::PlantFeet => "lock feet of",
            Self::Resample { .. } => "resample",
            Self::Trim { .. } => "trim",
        }
    }

    fn apply(self, clip: &Clip) -> anyhow::Result<Clip> {
        Ok(match self {
            Self::Mirror => edit::mirror(clip)?,
            Self::DropTPose => edit::drop_tpose(clip)?,
            Self::MendGlitches => edit::mend_glitches(clip, &edit::find_glitches(clip))?,
            Self::SetFloor => edit::set_floor(clip, edit::find_floor(clip).height)?,
            Self::InPlace => edit::root_in_place(clip, InPlace::Travel)?.0,
            Self::PlantFeet => foot_slide::remove(clip, &FootSlideSettings::default())?.clip,
            Self::Resample { fps } => edit::resample(clip, fps)?,
            Self::Trim { range_secs } => edit::trim(clip, frames_in(clip, range_secs))?,
        })
    }
}

/// The frames from the one nearest to the start up to the one nearest to the end, at least one.
pub fn frames_in(clip: &Clip, (from_secs, to_secs): (f64, f64)) -> std::ops::Range<usize> {
    let n_frames = clip.n_frames();
    // Casts of numbers out of range stop at the ends, which is what is wanted.
    let from = ((from_secs * clip.fps()).round() as usize).min(n_frames - 1);
    let to = ((to_secs * clip.fps()).round() as usize).min(n_frames);
    from..to.max(from + 1)
}

struct Edited {
    changed: Vec<(ClipId, Arc<Clip>, Arc<Clip>)>,
    n_same: usize,
    failed: Vec<String>,
}

impl Shell {
    /// Does something to all selected clips, as a job and one step.
    pub fn operate(&mut self, operation: Operation) {
        let clips = self.selected_clips();
        if clips.is_empty() {
            return;
        }
        let name = format!("{} {}", operation.verb(), counted(clips.len(), "clip"));
        self.start(name, Shown::InBar, move |ticket| {
            work(&clips, operation, ticket)
        });
    }

    fn take_edited(&mut self, operation: Operation, edited: Edited) {
        let mut n_moved_on = 0;
        let mut clips = Vec::new();
        for (id, before, after) in edited.changed {
            match self.document().clip(id) {
                Some(now) if Arc::ptr_eq(now, &before) => clips.push((id, after)),
                _ => n_moved_on += 1,
            }
        }
        let n_changed = clips.len();
        let what = operation.verb().to_owned();
        if n_changed > 0 {
            self.edit(Command::ReplaceClips { what, clips });
        }
        let mut words = vec![format!(
            "{}: {} changed",
            operation.verb(),
            counted(n_changed, "clip")
        )];
        if edited.n_same > 0 {
            words.push(format!("{} needed no change", edited.n_same));
        }
        if n_moved_on > 0 {
            words.push(format!(
                "{n_moved_on} left alone because they changed meanwhile"
            ));
        }
        self.say(Severity::Done, words.join(", "));
        for failure in edited.failed {
            self.say(Severity::Error, failure);
        }
    }
}

fn work(clips: &[(ClipId, Arc<Clip>)], operation: Operation, ticket: &Ticket) -> Worked {
    let results = ticket.each(clips, |(_, clip)| operation.apply(clip))?;
    let mut edited = Edited {
        changed: Vec::new(),
        n_same: 0,
        failed: Vec::new(),
    };
    for ((id, before), result) in clips.iter().zip(results) {
        match result {
            Ok(after) if after.same_motion(before) && after.info == before.info => {
                edited.n_same += 1;
            }
            Ok(after) => edited
                .changed
                .push((*id, Arc::clone(before), Arc::new(after))),
            Err(error) => {
                let name = &before.info.name;
                edited
                    .failed
                    .push(format!("{} {name}: {error}", operation.verb()));
            }
        }
    }
    let delivery: Delivery = Box::new(move |shell| shell.take_edited(operation, edited));
    Ok(delivery)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::{Action, make};

    #[test]
    fn a_stretch_of_seconds_is_a_stretch_of_frames() {
        let clip = make(Action::ALL[0], 1, 0).clip;
        let (n, fps) = (clip.n_frames(), clip.fps());
        assert_eq!(frames_in(&clip, (0.0, clip.seconds())), 0..n);
        assert_eq!(frames_in(&clip, (2.0 / fps, 7.0 / fps)), 2..7);
        assert_eq!(frames_in(&clip, (5.0 / fps, 5.0 / fps)), 5..6);
        assert_eq!(frames_in(&clip, (-1.0, f64::INFINITY)), 0..n);
        assert_eq!(frames_in(&clip, (1e300, 0.0)), n - 1..n);
    }
}
