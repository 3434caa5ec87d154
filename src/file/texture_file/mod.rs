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

use serde::Deserialize;

use super::ron_text;
use crate::texture::TextureParts;

pub use error::{MOST_EM_ROUNDS, TextureFileError, VERSION};

/// The only thing that is read before it is known what the rest means.
#[derive(Debug, Deserialize)]
#[serde(rename = "Texture")]
struct Header {
    version: u64,
    /// Variation models have this.
    #[serde(default)]
    of: Option<serde::de::IgnoredAny>,
    /// Styles have this.
    #[serde(default)]
    features: Option<serde::de::IgnoredAny>,
    /// Transition graphs have this.
    #[serde(default)]
    rig: Option<serde::de::IgnoredAny>,
}

impl Header {
    /// What the file is, if it is something else.
    fn other(&self) -> Option<&'static str> {
        if self.of.is_some() {
            Some("a variation model")
        } else if self.features.is_some() {
            Some("a style, a model of poses")
        } else {
            self.rig.is_some().then_some("a transition graph")
        }
    }
}

/// Reads a texture file; [`crate::texture::Texture::from_parts`] makes the texture.
pub fn read(path: &Path) -> Result<TextureParts, TextureFileError> {
    parse(&super::open::bytes_of(path)?)
}

/// Reads the parts of a texture, or says at which place they make no sense. Memory follows the length of the text.
pub fn parse(bytes: &[u8]) -> Result<TextureParts, TextureFileError> {
    if let Some(other) = foreign(bytes) {
        return Err(TextureFileError::NoTexture(other));
    }
    let header: Header = ron_text::parse(bytes)?;
    if let Some(other) = header.other() {
        return Err(TextureFileError::Other(other));
    }
    match header.version {
        1 => mirror::from_v1(ron_text::parse(bytes)?),
        VERSION => mirror::from(ron_text::parse(bytes)?),
        found => Err(TextureFileError::Version { found }),
    }
}

/// What a file is whose beginning shows that nobody wrote it as a texture: a parser would only name its own grammar.
fn foreign(bytes: &[u8]) -> Option<&'static str> {
    let bytes = bytes
        .strip_prefix(b"\xEF\xBB\xBF")
        .unwrap_or(bytes)
        .trim_ascii_start();
    let begins = |with: &[u8]| {
        let head = bytes.get(..with.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(with))
    };
    // As RON may begin: the value, its name, a comment, an extension.
    if [&b"("[..], b"Texture", b"//", b"/*", b"#!["]
        .iter()
        .any(|b| begins(b))
    {
        return None;
    }
    Some(if bytes.is_empty() {
        "an empty file"
    } else if begins(b"HIERARCHY") {
        "a motion (BVH)"
    } else if begins(b"Kaydara FBX") || begins(b"; FBX") {
        "a motion (FBX)"
    } else if begins(b":version") || begins(b"#!OML") {
        "a skeleton or motion (ASF/AMC)"
    } else if std::str::from_utf8(bytes).is_err() {
        "a file that is no text"
    } else {
        "some other text"
    })
}

/// The parts of a texture as text, one line for each skeleton, clip, section and name.
pub fn write(parts: &TextureParts) -> Result<String, TextureFileError> {
    Ok(ron_text::pretty(&mirror::to(parts), 2)?)
}
