//! Tables and pictures that panels make, written in the background.

use std::path::PathBuf;
use std::sync::Arc;

use super::contents::Contents;
use crate::app::shell::Shell;
use crate::app::shell::context::{Delivery, UiContext};
use crate::app::shell::dialogs::Dialog;
use crate::app::shell::dialogs::dialog::FileBox;
use crate::app::shell::messages::Severity;
use crate::app::shell::work::Shown;
use crate::file::WriteError;
use crate::file::atomic::{self, Overwrite};

impl UiContext {
    /// Opens the box that asks where a table or picture goes.
    pub fn ask_where_to_write(&mut self, name: &str, contents: Contents) {
        self.dialog = Some(Dialog::File(FileBox::new(self, name, contents)));
    }

    /// Writes a file. If it is there and may not be replaced, the animator is asked.
    pub(in crate::app) fn write_file(
        &mut self,
        path: PathBuf,
        contents: Arc<Contents>,
        overwrite: Overwrite,
    ) {
        self.start("write a file", Shown::Quietly, move |_| {
            let written = atomic::write(&path, &contents.bytes()?, overwrite);
            let delivery: Delivery = match written {
                Ok(()) => Box::new(move |shell: &mut Shell| {
                    shell.say(Severity::Done, format!("written to {}", path.display()));
                }),
                Err(WriteError::Exists) => Box::new(move |shell: &mut Shell| {
                    let mut dialog = FileBox::at(&path, contents);
                    dialog.is_there = true;
                    shell.dialog = Some(Dialog::File(dialog));
                }),
                Err(error) => return Err(error.into()),
            };
            Ok(delivery)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_come_back_pixel_by_pixel() {
        let colours = [egui::Color32::RED, egui::Color32::from_rgb(1, 2, 3)];
        let picture = egui::ColorImage::new([2, 1], colours.to_vec());
        let bytes = Contents::Picture(Arc::new(picture)).bytes().unwrap();
        let back = image::load_from_memory(&bytes).unwrap().to_rgb8();
        assert_eq!(back.dimensions(), (2, 1));
        assert_eq!(back.get_pixel(1, 0).0, [1, 2, 3]);
    }
}
