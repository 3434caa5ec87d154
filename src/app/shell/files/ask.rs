//! Asks the system for files, off the window's thread.

use std::path::PathBuf;

use crate::app::shell::Shell;
use crate::app::shell::context::{Delivery, UiContext};
use crate::app::shell::files::pick::Pick;
use crate::app::shell::work::Shown;

impl UiContext {
    /// Asks the system; what was picked goes to `take`.
    pub fn pick(
        &mut self,
        what: Pick,
        take: impl FnOnce(&mut Shell, Vec<PathBuf>) + Send + 'static,
    ) {
        self.start("file dialog", Shown::Quietly, move |_| {
            let picked = what.ask_system();
            let delivery: Delivery = Box::new(move |shell: &mut Shell| match picked {
                Some(paths) => take(shell, paths),
                None => shell.dialog_gave_nothing(),
            });
            Ok(delivery)
        });
    }
}
