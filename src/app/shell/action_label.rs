//! What an action is called in a menu just now.

use crate::app::shell::actions::{Action, Entry};
use crate::app::shell::context::UiContext;

impl Entry {
    /// In the menu, with the name of the step for undo and redo.
    pub fn label(&self, cx: &UiContext) -> String {
        let step = match self.action {
            Action::Undo => cx.undo_label(),
            Action::Redo => cx.redo_label(),
            _ => None,
        };
        match step {
            Some(step) => format!("{} {step}", self.text),
            None => self.text.to_owned(),
        }
    }
}
