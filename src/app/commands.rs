//! Actions of the menus, keys and palette: who does them.
//!
//! A workspace takes what is about it; the rest is the shell's. What concerns two of them is decided here.

use crate::app::App;
use crate::app::library;
use crate::app::shell::actions::{Action, ActionState, ActionStates};
use crate::app::timeline::edits;
use crate::app::variation::network::ui::Frame;

impl App {
    /// Which actions make sense now, for everything that draws buttons and menus.
    pub(in crate::app) fn update_actions(&mut self) {
        let states = ActionStates::new(|action| ActionState {
            is_enabled: self.is_enabled(action),
            is_on: self.pose.is_on(action).or_else(|| self.shell.is_on(action)),
        });
        self.shell.actions = states;
    }

    fn is_enabled(&self, action: Action) -> bool {
        if self.frames_network(action).is_some() {
            return true;
        }
        if action == Action::Delete && self.sequence.has_selected(&self.shell) {
            return true;
        }
        let of_pose = self.pose.is_enabled(&self.shell, action);
        let taken = of_pose.or_else(|| library::actions::is_enabled(&self.shell, action));
        taken.unwrap_or_else(|| self.shell.is_enabled(action))
    }

    /// Does an action, if that makes sense now.
    pub(in crate::app) fn run(&mut self, action: Action) {
        if !self.is_enabled(action) {
            return;
        }
        if matches!(action, Action::Undo | Action::Save | Action::SaveAs) {
            // What is in the hand is the step that is meant.
            self.pose.finish_grab(&mut self.shell);
        }
        if let Some(frame) = self.frames_network(action) {
            self.variation.network.framing = Some(frame);
            return;
        }
        if action == Action::Delete && self.sequence.delete_selected(&self.shell) {
            return;
        }
        if action == Action::Delete && edits::delete_picked(&mut self.shell, &mut self.timeline) {
            return;
        }
        let is_taken =
            self.pose.run(&mut self.shell, action) || self.library.run(&mut self.shell, action);
        if !is_taken {
            self.shell.run(action);
        }
    }

    /// With the pointer over the network of a model, it is what is brought into view.
    fn frames_network(&self, action: Action) -> Option<Frame> {
        let frame = match action {
            Action::FrameSelection => Frame::Selection,
            Action::FrameAll => Frame::All,
            _ => return None,
        };
        self.variation.network.is_under_pointer.then_some(frame)
    }
}
