//! Styles on disk: one RON file with a version, checked whole when it is read.
//!
//! Numbers are written with as many digits as they need to come back the same, so that a style that is saved and opened
//! solves to the same bytes. What follows from other things (inverses, features of the kept poses) is not written.

mod mirror;
mod v1;

use std::path::Path;

use ron::extensions::Extensions;
use ron::ser::PrettyConfig;
use serde::Deserialize;

use super::ReadError;
use crate::style::{Style, StyleError};

/// The version that is written.
pub const VERSION: u64 = 1;

/// Why a style could not be opened or written.
#[derive(Debug, thiserror::Error)]
pub enum StyleFileError {
    /// The operating system refused.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The text makes no sense at one place.
    #[error("line {line}, column {column}: {what}")]
    Syntax {
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
        /// What is wrong there.
        what: String,
    },
    /// A later program wrote it, or it is no style.
    #[error(
        "the style was saved in format {found}; this Kinfolk knows format {VERSION}, please update to open it"
    )]
    Version {
        /// The version in the file.
        found: u64,
    },
    /// Well-formed, but no skeleton.
    #[error("the skeleton: {0}")]
    Skeleton(String),
    /// Well-formed, but no style.
    #[error(transparent)]
    Style(#[from] StyleError),
    /// The values cannot be written as text.
    #[error("cannot be written: {0}")]
    Write(#[from] ron::Error),
}

/// The only thing that is read before it is known what the rest means.
#[derive(Debug, Deserialize)]
#[serde(rename = "Style")]
struct Header {
    version: u64,
}

/// Reads a style file.
pub fn read(path: &Path) -> Result<Style, StyleFileError> {
    parse(&super::open::bytes_of(path)?)
}

/// Reads a style, or says at which place it makes no sense. Memory follows the length of the text.
pub fn parse(bytes: &[u8]) -> Result<Style, StyleFileError> {
    let syntax = |error: ron::error::SpannedError| StyleFileError::Syntax {
        line: error.span.start.line,
        column: error.span.start.col,
        what: error.code.to_string(),
    };
    let Header { version } = options().from_bytes(bytes).map_err(syntax)?;
    if version != VERSION {
        return Err(StyleFileError::Version { found: version });
    }
    let style: v1::Style = options().from_bytes(bytes).map_err(syntax)?;
    mirror::style_from(&style)
}

/// A style as text, one line for each joint and pose.
pub fn write(style: &Style) -> Result<String, StyleFileError> {
    let config = PrettyConfig::new()
        .depth_limit(2)
        .new_line("\n")
        .indentor("  ");
    let mut text = options().to_string_pretty(&mirror::style_to(style), config)?;
    text.push('\n');
    Ok(text)
}

/// `Some(x)` is written as `x`: shorter, and plainer for who looks into the file.
fn options() -> ron::Options {
    ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME)
}
