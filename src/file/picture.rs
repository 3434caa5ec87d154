//! Pictures to pose over: PNG and JPEG, looked at before they are decoded, so that a small file cannot claim much
//! memory.

use std::io::Cursor;
use std::path::Path;

use image::{ImageDecoder as _, ImageFormat, ImageReader, Limits, RgbaImage};

use super::ReadError;
use super::open::bytes_of;
use crate::document::{PictureFile, PictureKind};

/// Why a picture could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The operating system refused.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// More bytes than a photo has.
    #[error("the file has {megabytes} MB; pictures of up to {MOST_MEGABYTES} MB can be loaded")]
    TooLarge {
        /// Size of the file.
        megabytes: u64,
    },
    /// Neither of the two kinds.
    #[error("this is neither a PNG nor a JPEG picture")]
    OtherKind,
    /// More pixels than a photo has.
    #[error(
        "a picture of {width} x {height} pixels is too large; up to {MOST_MEGAPIXELS} million pixels can be loaded"
    )]
    TooManyPixels {
        /// From left to right.
        width: u32,
        /// From top to bottom.
        height: u32,
    },
    /// The file is broken.
    #[error("the picture is broken: {0}")]
    Broken(String),
}

const MOST_MEGABYTES: u64 = 64;
const MOST_MEGAPIXELS: u64 = 64;

/// Reads a picture's file. Its pixels are not decoded, but its size is looked at.
pub fn read(path: &Path) -> Result<PictureFile, PictureError> {
    let length = std::fs::metadata(path).map_err(ReadError::from)?.len();
    if length > MOST_MEGABYTES << 20 {
        let megabytes = length >> 20;
        return Err(PictureError::TooLarge { megabytes });
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let name: String = name.chars().filter(|c| !c.is_control()).collect();
    let name = if name.trim().is_empty() {
        "picture".to_owned()
    } else {
        name
    };
    of_bytes(name, bytes_of(path)?)
}

/// A picture from the bytes of its file.
pub fn of_bytes(name: String, bytes: Vec<u8>) -> Result<PictureFile, PictureError> {
    let kind = match image::guess_format(&bytes) {
        Ok(ImageFormat::Png) => PictureKind::Png,
        Ok(ImageFormat::Jpeg) => PictureKind::Jpeg,
        _ => return Err(PictureError::OtherKind),
    };
    let (width, height) = decoder(kind, &bytes)?.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    if pixels > MOST_MEGAPIXELS * 1_000_000 {
        return Err(PictureError::TooManyPixels { width, height });
    }
    if pixels == 0 {
        return Err(PictureError::Broken("it has no pixels".to_owned()));
    }
    Ok(PictureFile {
        name,
        kind,
        bytes,
        width,
        height,
    })
}

/// The pixels, upright, made smaller where a side has more than `longest` of them.
pub fn pixels(file: &PictureFile, longest: u32) -> Result<RgbaImage, PictureError> {
    let decoder = decoder(file.kind, &file.bytes)?;
    let image = image::DynamicImage::from_decoder(decoder).map_err(broken)?;
    let image = if image.width().max(image.height()) > longest {
        image.thumbnail(longest, longest)
    } else {
        image
    };
    Ok(image.into_rgba8())
}

fn decoder(
    kind: PictureKind,
    bytes: &[u8],
) -> Result<impl image::ImageDecoder + use<'_>, PictureError> {
    let format = match kind {
        PictureKind::Png => ImageFormat::Png,
        PictureKind::Jpeg => ImageFormat::Jpeg,
    };
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    // Sixteen bits for each of four colours is the most that a pixel takes.
    limits.max_alloc = Some(MOST_MEGAPIXELS * 1_000_000 * 8);
    reader.limits(limits);
    reader.into_decoder().map_err(broken)
}

#[expect(clippy::needless_pass_by_value, reason = "as map_err gives it")]
fn broken(error: image::ImageError) -> PictureError {
    PictureError::Broken(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        let image = RgbaImage::from_fn(width, height, |x, y| {
            image::Rgba([x as u8, y as u8, 7, 255])
        });
        image
            .write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png)
            .unwrap();
        bytes
    }

    #[test]
    fn a_picture_comes_back_and_is_made_smaller() {
        let file = of_bytes("a".to_owned(), png(40, 20)).unwrap();
        assert_eq!((file.width, file.height), (40, 20));
        assert_eq!(pixels(&file, 100).unwrap().dimensions(), (40, 20));
        assert_eq!(pixels(&file, 10).unwrap().dimensions(), (10, 5));
    }

    #[test]
    fn hostile_files_are_refused_in_words() {
        let good = png(40, 20);
        // A header that claims many pixels, with a checksum that fits.
        let mut huge = good.clone();
        huge[16..20].copy_from_slice(&60_000_u32.to_be_bytes());
        huge[20..24].copy_from_slice(&60_000_u32.to_be_bytes());
        let crc = crc(&huge[12..29]);
        huge[29..33].copy_from_slice(&crc.to_be_bytes());
        let found = of_bytes("a".to_owned(), huge).unwrap_err().to_string();
        assert!(found.contains("60000 x 60000"), "{found}");
        for bytes in [Vec::new(), b"BM....".to_vec(), vec![0; 100]] {
            let found = of_bytes("a".to_owned(), bytes).unwrap_err();
            assert!(matches!(found, PictureError::OtherKind), "{found}");
        }
        // Cut off anywhere, it is refused at once or when it is decoded.
        for end in (8..good.len()).step_by(7) {
            let cut = of_bytes("a".to_owned(), good[..end].to_vec());
            let cut = cut.and_then(|file| pixels(&file, 100));
            assert!(cut.is_err() || end + 12 > good.len(), "cut at {end}");
        }
    }

    fn crc(bytes: &[u8]) -> u32 {
        let mut crc = !0_u32;
        for byte in bytes {
            crc ^= u32::from(*byte);
            for _ in 0..8 {
                crc = (crc >> 1) ^ (0xedb8_8320 * (crc & 1));
            }
        }
        !crc
    }
}
