//! RON as text: the one way in which projects, models and styles are laid out and read.

use ron::extensions::Extensions;
use ron::ser::PrettyConfig;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The text makes no sense at one place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {what}")]
pub struct RonError {
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1.
    pub column: usize,
    /// What is wrong there, in words.
    pub what: String,
}

/// Any value, spread over lines down to this depth, so that a person can read and compare it. Numbers have as many
/// digits as they need to come back the same.
pub(super) fn pretty(value: &impl Serialize, depth: usize) -> Result<String, ron::Error> {
    let config = PrettyConfig::new()
        .depth_limit(depth)
        .new_line("\n")
        .indentor("  ");
    let mut text = options().to_string_pretty(value, config)?;
    text.push('\n');
    Ok(text)
}

/// Reads a value; errors name line and column. Nesting is bounded, and memory follows the length of the text.
pub(super) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, RonError> {
    options().from_bytes(bytes).map_err(|error| RonError {
        line: error.span.start.line,
        column: error.span.start.col,
        what: error.code.to_string(),
    })
}

/// `Some(x)` is written as `x`: shorter, and easier to read in the file.
fn options() -> ron::Options {
    ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME)
}
