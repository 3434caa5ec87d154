//! The skeleton that clips are brought onto: that of a clip of the project, or of a file.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError};

use super::choice::{Slot, Target, TargetChoice};
use crate::app::shell::Shell;
use crate::app::shell::context::{Delivery, UiContext};
use crate::app::shell::work::Shown;
use crate::file::read_clip;

/// The job, as messages name it.
const READ: &str = "read skeleton";

impl TargetChoice {
    /// A choice that begins with this target.
    pub fn of(target: Target) -> Self {
        Self {
            target: Some(target),
            ..Self::default()
        }
    }

    /// Whether a file is wanted and not there yet.
    pub fn is_open(&self) -> bool {
        self.wants_file
    }

    /// Reads a file in the background.
    pub(in crate::app::shell::retarget) fn read(&mut self, cx: &mut UiContext) {
        self.refused = None;
        let path = PathBuf::from(self.path.trim());
        read(cx, path, Arc::clone(&self.arriving));
    }

    /// A way to give it a file that is picked elsewhere.
    pub(in crate::app::shell::retarget) fn taker(
        &self,
    ) -> impl FnOnce(&mut Shell, PathBuf) + Send + 'static {
        let arriving = Arc::clone(&self.arriving);
        move |shell, path| read(shell, path, arriving)
    }

    /// What was read meanwhile.
    pub(in crate::app::shell::retarget) fn take_arrived(&mut self) {
        let mut slot = self.arriving.lock().unwrap_or_else(PoisonError::into_inner);
        match slot.take() {
            Some(Ok(target)) => {
                self.target = Some(target);
                self.wants_file = false;
                self.refused = None;
            }
            Some(Err(why)) => self.refused = Some(why),
            None => {}
        }
    }
}

fn read(cx: &mut UiContext, path: PathBuf, slot: Slot) {
    cx.start_apart(READ, Shown::Quietly, move |_| {
        let name = path.file_name().unwrap_or(path.as_os_str());
        let name = name.to_string_lossy().into_owned();
        let read = read_clip(&path).map(|clip| Target {
            name,
            clip: Arc::new(clip),
        });
        let read = read.map_err(|error| format!("{}: {error}", path.display()));
        let delivery: Delivery = Box::new(move |_| {
            *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(read);
        });
        Ok(delivery)
    });
}
