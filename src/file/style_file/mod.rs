//! Styles on disk: one RON file with a version, checked whole when it is read.
//!
//! Numbers are written with as many digits as they need to come back the same, so that a style that is saved and opened
//! solves to the same bytes. What follows from other things (inverses, features of the kept poses) is not written.

mod error;
mod mirror;
mod v1;

use std::path::Path;

use serde::Deserialize;

use super::ron_text;
use crate::style::Style;

pub use error::{StyleFileError, VERSION};

/// The only thing that is read before it is known what the rest means.
#[derive(Debug, Deserialize)]
#[serde(rename = "Style")]
struct Header {
    version: u64,
    /// Models of motion have this and styles do not.
    #[serde(default)]
    of: Option<serde::de::IgnoredAny>,
    /// Transition graphs have this.
    #[serde(default)]
    rig: Option<serde::de::IgnoredAny>,
    /// Motion textures have this.
    #[serde(default)]
    sections: Option<serde::de::IgnoredAny>,
}

/// Reads a style file.
pub fn read(path: &Path) -> Result<Style, StyleFileError> {
    parse(&super::open::bytes_of(path)?)
}

/// Reads a style; errors name line and column. Memory follows the length of the text.
pub fn parse(bytes: &[u8]) -> Result<Style, StyleFileError> {
    let Header {
        version,
        of,
        rig,
        sections,
    } = ron_text::parse(bytes)?;
    if of.is_some() {
        return Err(StyleFileError::Variation);
    }
    if rig.is_some() {
        return Err(StyleFileError::Graph);
    }
    if sections.is_some() {
        return Err(StyleFileError::Texture);
    }
    if version != VERSION {
        return Err(StyleFileError::Version { found: version });
    }
    let style: v1::Style = ron_text::parse(bytes)?;
    mirror::style_from(&style)
}

/// A style as text, one line for each joint and pose.
pub fn write(style: &Style) -> Result<String, StyleFileError> {
    Ok(ron_text::pretty(&mirror::style_to(style), 2)?)
}
