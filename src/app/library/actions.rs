//! What menus do with the table, sets and cuts of the library.

use crate::app::library::state::LibraryWorkspace;
use crate::app::shell::Shell;
use crate::app::shell::actions::Action;
use crate::app::shell::context::UiContext;
use crate::app::shell::messages::Severity;
use crate::app::shell::pane::Pane;
use crate::app::shell::words::{counted, free_set_name};
use crate::document::Command;

/// Whether an action makes sense now; none if it is not about the library.
pub(in crate::app) fn is_enabled(cx: &UiContext, action: Action) -> Option<bool> {
    let has_selection = !cx.session.selection.is_empty();
    Some(match action {
        Action::SelectAll => cx.document().n_clips() > 0,
        Action::CopyRange => has_selection && cx.session.range_secs.is_some(),
        Action::Split => cx.active_clip().is_some(),
        Action::NewSet => has_selection,
        _ => return None,
    })
}

impl LibraryWorkspace {
    /// Does an action; whether it is about the library.
    pub(in crate::app) fn run(&mut self, shell: &mut Shell, action: Action) -> bool {
        match action {
            Action::SelectAll => self.select_all(shell),
            Action::CopyRange => self.copy_range(shell),
            Action::Split => Self::split_at_playhead(shell),
            Action::NewSet => self.new_set(shell),
            _ => return false,
        }
        true
    }

    /// What the table shows: a search narrows what is meant by all.
    fn select_all(&mut self, cx: &mut UiContext) {
        self.update_listing(cx);
        cx.session.select(self.listing.rows().to_vec());
    }

    fn new_set(&mut self, shell: &mut Shell) {
        let clips: Vec<_> = shell
            .selected_clips()
            .into_iter()
            .map(|(id, _)| id)
            .collect();
        let wish = shell
            .active_clip()
            .map_or("set", |clip| clip.info.name.as_str());
        let name = free_set_name(shell.document(), wish);
        let words = format!("set {name} made of {}", counted(clips.len(), "clip"));
        if shell.edit(Command::AddSet { name, clips }).is_some() {
            self.sets.open = shell.document().sets().last().map(|set| set.id);
            shell.say(Severity::Done, words);
            shell.show_pane(Pane::Sets);
        }
    }
}
