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
        what: words(&error.code),
    })
}

/// What is wrong, in our words where the library's are about itself.
fn words(error: &ron::Error) -> String {
    use ron::Error as E;
    match error {
        E::Message(words) => words.clone(),
        E::Eof => "the file ends too early".to_owned(),
        E::ExpectedFloat | E::ExpectedInteger => "expected a number".to_owned(),
        E::ExpectedBoolean => "expected true or false".to_owned(),
        E::ExpectedString | E::ExpectedStringEnd => "expected a text in quotes".to_owned(),
        E::ExpectedArray | E::ExpectedArrayEnd => "expected a list in brackets".to_owned(),
        E::ExpectedComma => "expected a comma".to_owned(),
        E::TrailingCharacters => "something follows after the end".to_owned(),
        E::MissingStructField { field, .. } => format!("\"{field}\" is missing"),
        E::NoSuchStructField { found, .. } => format!("there is no \"{found}\" here"),
        E::DuplicateStructField { field, .. } => format!("\"{field}\" is there twice"),
        other => other.to_string(),
    }
}

/// `Some(x)` is written as `x`: shorter, and easier to read in the file.
fn options() -> ron::Options {
    ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME)
}
