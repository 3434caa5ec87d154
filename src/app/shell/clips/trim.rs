//! A clip cut short on the timeline: one step.

use std::ops::Range;
use std::sync::Arc;

use crate::app::shell::Shell;
use crate::app::shell::context::{Delivery, UiContext};
use crate::app::shell::messages::Severity;
use crate::app::shell::work::Shown;
use crate::document::{ClipId, Command};
use crate::motion::edit;

impl UiContext {
    /// Playhead and range move along with the motion under them.
    fn shift_playhead(&mut self, secs: f64) {
        let length = self.length_secs();
        let moved = |at: f64| (at + secs).clamp(0.0, length);
        self.session.playhead_secs = moved(self.session.playhead_secs);
        let range = self.session.range_secs.map(|(a, b)| (moved(a), moved(b)));
        self.session.range_secs = range.filter(|(from, to)| to > from);
        self.session.span = None;
    }
}

impl Shell {
    /// Keeps only these frames of a clip. What is seen at the playhead stays at the playhead.
    pub fn trim_clip(&mut self, id: ClipId, frames: Range<usize>) {
        let Some(clip) = self.document().clip(id).map(Arc::clone) else {
            return;
        };
        if frames == (0..clip.n_frames()) {
            return;
        }
        let name = format!("trim {}", clip.info.name);
        self.start(name, Shown::Quietly, move |_| {
            let trimmed = Arc::new(edit::trim(&clip, frames.clone())?);
            let delivery: Delivery = Box::new(move |shell: &mut Self| {
                let is_same = shell
                    .document()
                    .clip(id)
                    .is_some_and(|now| Arc::ptr_eq(now, &clip));
                if !is_same {
                    let name = &clip.info.name;
                    let words = format!("{name} changed meanwhile and was not trimmed");
                    shell.say(Severity::Warning, words);
                    return;
                }
                let cut_secs = frames.start as f64 / clip.fps();
                let command = Command::ReplaceClips {
                    what: "trim".to_owned(),
                    clips: vec![(id, trimmed)],
                };
                if shell.edit(command).is_some() && shell.session.active == Some(id) {
                    shell.shift_playhead(-cut_secs);
                }
            });
            Ok(delivery)
        });
    }
}
