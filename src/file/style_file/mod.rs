//! Styles on disk: one RON file with a version, checked whole when it is read.
//!
//! Numbers are written with as many digits as they need to come back the same, so that a style that is saved and opened
//! solves to the same bytes. What follows from other things (inverses, features of the kept poses) is not written.

mod error;
mod mirror;
mod v1;

use std::path::Path;

use super::kind::Header;
use super::{FileKind, ron_text};
use crate::style::Style;

pub use error::{StyleFileError, VERSION};

/// Reads a style file.
pub fn read(path: &Path) -> Result<Style, StyleFileError> {
    parse(&super::open::bytes_of(path)?)
}

/// Reads a style; errors name line and column. Memory follows the length of the text.
pub fn parse(bytes: &[u8]) -> Result<Style, StyleFileError> {
    let header = Header::of(bytes)?;
    if let Some(other) = header.other_than(FileKind::Style) {
        return Err(StyleFileError::Other(other));
    }
    let version = header.version()?;
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
