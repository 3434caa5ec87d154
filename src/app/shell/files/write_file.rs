//! Tables and pictures that panels make, written in the background.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::dialogs::Dialog;
use crate::app::shell::dialogs::file::FileBox;
use crate::app::shell::jobs::{Delivery, Shown};
use crate::app::shell::messages::Severity;
use crate::file::WriteError;
use crate::file::atomic::{self, Overwrite};

/// What is written.
#[derive(Debug, Clone, PartialEq)]
pub enum Contents {
    /// A table, as it is.
    Text(String),
    /// A page for a browser, as it is.
    Page(String),
    /// As a PNG.
    Picture(Arc<egui::ColorImage>),
}

impl Contents {
    fn bytes(&self) -> anyhow::Result<Vec<u8>> {
        match self {
            Self::Text(text) | Self::Page(text) => Ok(text.clone().into_bytes()),
            Self::Picture(picture) => png(picture),
        }
    }
}

fn png(picture: &egui::ColorImage) -> anyhow::Result<Vec<u8>> {
    let [width, height] = picture.size.map(|side| side as u32);
    let pixels = picture.pixels.iter();
    let bytes: Vec<u8> = pixels.flat_map(|c| [c.r(), c.g(), c.b()]).collect();
    let image = image::RgbImage::from_raw(width, height, bytes);
    let image = image.ok_or_else(|| anyhow::anyhow!("the picture is not whole"))?;
    let mut out = std::io::Cursor::new(Vec::new());
    image.write_to(&mut out, image::ImageFormat::Png)?;
    Ok(out.into_inner())
}

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
