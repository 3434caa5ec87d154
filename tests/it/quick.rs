//! Models for tests that are about what is done with a model: learned within a moment.

use kinfolk::demo::{self, Action};
use kinfolk::jobs::Ticket;
use kinfolk::motion::edit::resample;
use kinfolk::variation::{ClipModel, Course, LearnSettings};

/// One parent for all at most, and the first structure that is found.
pub(crate) fn settings(course: Option<Course>) -> LearnSettings {
    LearnSettings {
        most_shared: 1,
        most_own: 0,
        restarts: 0,
        course,
        ..LearnSettings::default()
    }
}

/// Three clips of the demo at 30 frames a second, learned.
pub(crate) fn three(action: Action, course: Course) -> ClipModel {
    let made = (0..3).map(|i| demo::make(action, 1, i).clip);
    let clips: Vec<_> = made.map(|clip| resample(&clip, 30.0).unwrap()).collect();
    let clips: Vec<_> = clips.iter().collect();
    ClipModel::learn(&clips, &settings(Some(course)), &Ticket::default()).unwrap()
}
