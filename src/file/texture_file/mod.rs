//! Motion textures on disk: one RON file with a version, which needs no other file.
//!
//! Kept are the clips as they were prepared, their labels, the sections with the numbers of their systems, which takes
//! pass each other, the transitions, and names given by hand. The systems themselves follow from these and are fitted
//! again on opening, which takes less time than reading them would: they are as large as all motions.
//!
//! Everything is checked on the way in, because a file may be broken, newer, or made to do harm. Memory follows the
//! length of the file. Left out: tags, notes and history of the clips, and folders of this machine.

mod bytes;
mod error;
mod mirror;
mod packed;
mod v1;
mod v2;

use std::path::Path;

use super::kind::Header;
use super::{FileKind, ron_text};
use crate::texture::TextureParts;

pub use error::{MOST_EM_ROUNDS, TextureFileError, VERSION};

/// Reads a texture file; [`crate::texture::Texture::from_parts`] makes the texture.
pub fn read(path: &Path) -> Result<TextureParts, TextureFileError> {
    parse(&super::open::bytes_of(path)?)
}

/// Reads the parts of a texture, or says at which place they make no sense. Memory follows the length of the text.
pub fn parse(bytes: &[u8]) -> Result<TextureParts, TextureFileError> {
    let header = Header::of(bytes)?;
    if let Some(other) = header.other_than(FileKind::Texture) {
        return Err(TextureFileError::Other(other));
    }
    match header.version()? {
        1 => mirror::from_v1(ron_text::parse(bytes)?),
        VERSION => mirror::from(ron_text::parse(bytes)?),
        found => Err(TextureFileError::Version { found }),
    }
}

/// The parts of a texture as text, one line for each skeleton, clip, section and name.
pub fn write(parts: &TextureParts) -> Result<String, TextureFileError> {
    Ok(ron_text::pretty(&mirror::to(parts), 2)?)
}
