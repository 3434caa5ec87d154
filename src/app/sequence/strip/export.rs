//! The sequence as files: one motion, or its parts, and a table of its joins.

use std::sync::Arc;

use super::pieces::Export;
use crate::app::sequence::state::SequenceWorkspace;
use crate::app::sequence::strip::Evaluated;
use crate::app::shell::Shell;
use crate::app::shell::dialogs::Dialog;
use crate::app::shell::dialogs::dialog::ExportBox;
use crate::app::shell::messages::Severity;
use crate::app::shell::work::Shown;
use crate::jobs::{Cancelled, Ticket};
use crate::motion::Clip;
use crate::motion::foot_slide::{self, FootSlideSettings};

impl SequenceWorkspace {
    /// Asks where to write the motion, or its parts; feet are locked before, if that is wanted.
    pub(in crate::app::sequence) fn export(&mut self, shell: &mut Shell, what: Export) {
        let Some(shown) = self.strip.shown.clone() else {
            return;
        };
        let Some(clip) = shown.clip.clone() else {
            return;
        };
        if !self.strip.locks_feet {
            ask_where(shell, &shown, &clip, what);
            return;
        }
        let work = move |_: &Ticket| {
            let locked = foot_slide::remove(&clip, &FootSlideSettings::default());
            Ok::<_, Cancelled>(locked.map(|locked| Arc::new(locked.clip)))
        };
        let answer = move |_: &mut Self, shell: &mut Shell, locked| match locked {
            Ok(Ok(clip)) => ask_where(shell, &shown, &clip, what),
            Ok(Err(why)) => shell.say(Severity::Error, format!("foot lock: {why}")),
            Err(_) => shell.say(Severity::Warning, "foot lock: nothing was exported"),
        };
        self.inbox
            .look(shell, "lock feet", Shown::InBar, work, answer);
    }
}

fn ask_where(shell: &mut Shell, shown: &Evaluated, clip: &Arc<Clip>, what: Export) {
    let name = shown.sequence.name.clone();
    let files = match what {
        Export::Whole => {
            let mut files = ExportBox::of_clips(shell, name, vec![Arc::clone(clip)]);
            files.name_by_clip();
            files
        }
        Export::Parts => ExportBox::of_clips(shell, name, shown.parts_of(clip)),
    };
    shell.dialog = Some(Dialog::Export(files));
}
