//! Models for tests that are about what is done with a model: learned within a moment.

use kinfolk::demo::{self, Action};
use kinfolk::jobs::Ticket;
use kinfolk::motion::edit::resample;
use kinfolk::variation::{ClipModel, LearnSettings, MotionType};

/// As usual, for a motion whose type is known.
pub(crate) fn settings(motion_type: Option<MotionType>) -> LearnSettings {
    LearnSettings {
        motion_type,
        ..LearnSettings::default()
    }
}

/// Three clips of the demo at 30 frames a second, learned.
pub(crate) fn three(action: Action, motion_type: MotionType) -> ClipModel {
    let made = (0..3).map(|i| demo::make(action, 1, i).clip);
    let clips: Vec<_> = made.map(|clip| resample(&clip, 30.0).unwrap()).collect();
    let clips: Vec<_> = clips.iter().collect();
    ClipModel::learn(&clips, &settings(Some(motion_type)), &Ticket::default()).unwrap()
}
