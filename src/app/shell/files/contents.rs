//! What is written to a single file.

use std::sync::Arc;

/// What is written to one file.
#[derive(Debug, Clone, PartialEq)]
pub enum Contents {
    /// A table, as it is.
    Text(String),
    /// A page for a browser, as it is.
    Page(String),
    /// A picture, which becomes a PNG.
    Picture(Arc<egui::ColorImage>),
}

impl Contents {
    pub(super) fn bytes(&self) -> anyhow::Result<Vec<u8>> {
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
