//! Keeps what was recorded in live play.

use std::sync::Arc;

use crate::app::sequence::live::Actions;
use crate::app::sequence::live::record::Recording;
use crate::app::sequence::state::SequenceWorkspace;
use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::messages::Severity;
use crate::app::shell::words::free_name;
use crate::document::{ClipId, Command, Sequence, SequenceId};

impl SequenceWorkspace {
    /// Begins to record, or ends it: what was done waits to be kept.
    pub fn toggle_recording(&mut self) {
        if let Some(playing) = &mut self.live.playing {
            if playing.recording.is_some() {
                self.live.recorded = playing.end_recording();
            } else {
                playing.begin_recording();
            }
        }
    }

    /// Puts what was recorded into the project as a sequence. It is on the strip then, and seen: live play ends.
    pub(in crate::app::sequence) fn keep_as_sequence(&mut self, shell: &mut Shell) {
        let Some(actions) = self.live.recorded.as_ref().and_then(Recording::actions) else {
            return;
        };
        let graph = match &self.live.recorded {
            Some(Recording {
                actions: Actions::Graph(built, _),
                ..
            }) => Some(built.recipe),
            _ => None,
        };
        let graph = graph.filter(|id| shell.document().graph(*id).is_some());
        let name = free_name("Live", |name| {
            let mut all = shell.document().sequences().iter();
            all.any(|(_, sequence)| sequence.name == name)
        });
        let id = SequenceId(shell.document().next_number());
        let sequence = Arc::new(Sequence {
            name: name.clone(),
            graph,
            actions,
        });
        if shell.edit(Command::AddSequence(sequence)).is_some() {
            self.show_sequence(shell, id);
            self.stop_live(shell);
            self.live.recorded = None;
            shell.say(Severity::Info, format!("{name} is on the strip"));
        }
    }

    /// Puts what was recorded into the library, as it was seen.
    pub(in crate::app::sequence) fn keep_recording_as_clip(&mut self, shell: &mut Shell) {
        let name = free_name("live", |name| {
            let mut all = shell.document().clips();
            all.any(|(_, clip)| clip.info.name == name)
        });
        let clip = self.live.recorded.as_ref().and_then(|r| r.clip(&name));
        let Some(clip) = clip else {
            return;
        };
        let added: Option<Vec<ClipId>> = shell.edit(Command::AddClips(vec![Arc::new(clip)]));
        if added.is_some() {
            self.live.recorded = None;
            shell.say(Severity::Info, format!("{name} is in the library"));
        }
    }

    /// Makes a path of the route that was steered, with the actions along it.
    pub(in crate::app::sequence) fn keep_as_path(&mut self, shell: &mut Shell) {
        let name = Self::free_path_name(shell);
        let path = self.live.recorded.as_ref().and_then(|recorded| {
            let Actions::Texture(id, texture) = &recorded.actions else {
                return None;
            };
            shell.document().model(*id)?;
            recorded.path(texture, *id, &name)
        });
        let Some(path) = path else {
            shell.say(
                Severity::Warning,
                "what was recorded is too short for a path",
            );
            return;
        };
        if self.add_path(shell, path) {
            self.live.recorded = None;
        }
    }

    pub(in crate::app::sequence) fn free_path_name(cx: &UiContext) -> String {
        free_name("Path", |name| {
            let mut all = cx.document().paths().iter();
            all.any(|(_, path)| path.name == name)
        })
    }
}
