//! The system's own file dialogs, asked off the window's thread.
//!
//! Without a desktop portal the dialog answers like Cancel at once, so every place that asks has a box for a path too.

use std::path::PathBuf;

use crate::file::MOTION_ENDINGS;

/// What is to be picked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pick {
    /// Motion files and strokes, any number.
    Files,
    /// One file with a skeleton.
    Skeleton,
    /// One folder, with everything in it.
    Folder,
    /// A photograph or drawing of a pose.
    Picture,
    /// A table in CSV.
    Tables,
}

impl Pick {
    /// Asks, and waits for the answer; never in the window's own thread.
    pub(in crate::app) fn ask_system(self) -> Option<Vec<PathBuf>> {
        let dialog = rfd::FileDialog::new();
        match self {
            Self::Files => dialog
                .add_filter("Motions and strokes", &motion_endings(&["csv"]))
                .pick_files(),
            Self::Skeleton => dialog
                .add_filter("Skeletons and motions", &motion_endings(&[]))
                .pick_file()
                .map(|file| vec![file]),
            Self::Picture => dialog
                .add_filter("Pictures", &["png", "PNG", "jpg", "JPG", "jpeg", "JPEG"])
                .pick_file()
                .map(|file| vec![file]),
            Self::Tables => dialog
                .add_filter("Tables", &["csv", "CSV"])
                .pick_file()
                .map(|file| vec![file]),
            Self::Folder => dialog.pick_folder().map(|folder| vec![folder]),
        }
    }
}

/// What motion files end with, and these, in small and in capital letters: some dialogs tell them apart.
fn motion_endings(more: &[&str]) -> Vec<String> {
    let endings = MOTION_ENDINGS.iter().chain(more);
    endings
        .flat_map(|ending| [(*ending).to_owned(), ending.to_ascii_uppercase()])
        .collect()
}
