//! The system's own file dialogs, asked off the window's thread.
//!
//! Without a desktop portal the dialog answers like Cancel at once, so every place that asks has a box for a path too.

use std::path::PathBuf;

use crate::app::shell::jobs::{Delivery, Shown};
use crate::app::shell::studio::Studio;

/// What is to be picked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pick {
    /// Motion files.
    Files,
    /// One folder.
    Folder,
    /// A photo.
    Picture,
}

impl Studio {
    /// Asks the system; what was picked goes to `take`.
    pub fn pick(
        &mut self,
        what: Pick,
        take: impl FnOnce(&mut Self, Vec<PathBuf>) + Send + 'static,
    ) {
        self.start("file dialog", Shown::Quietly, move |_| {
            let dialog = rfd::FileDialog::new();
            let picked = match what {
                Pick::Files => dialog
                    .add_filter(
                        "Motions and strokes",
                        &["bvh", "BVH", "amc", "AMC", "csv", "CSV"],
                    )
                    .pick_files(),
                Pick::Picture => dialog
                    .add_filter("Pictures", &["png", "PNG", "jpg", "JPG", "jpeg", "JPEG"])
                    .pick_file()
                    .map(|file| vec![file]),
                Pick::Folder => dialog.pick_folder().map(|folder| vec![folder]),
            };
            let delivery: Delivery = Box::new(move |studio: &mut Self| match picked {
                Some(paths) => take(studio, paths),
                None => studio.dialog_gave_nothing(),
            });
            Ok(delivery)
        });
    }
}
