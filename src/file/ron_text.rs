//! RON as text: the one way in which projects, models and styles are laid out and read.

use ron::extensions::Extensions;
use ron::ser::PrettyConfig;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::shown::shown;

/// The text makes no sense at one place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {what}")]
pub struct RonError {
    /// The line of the file, counted from 1.
    pub line: usize,
    /// The column in its line, counted from 1.
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

/// What is wrong, in words that need neither the library nor our types to be understood.
fn words(error: &ron::Error) -> String {
    use ron::Error as E;
    let expected = |what: &str| format!("expected {what}");
    match error {
        // From our own checks of values.
        E::Message(words) => words.clone(),
        E::Eof => "the file ends too early".to_owned(),
        E::ExpectedFloat => expected("a number"),
        E::ExpectedInteger => expected("a whole number"),
        E::IntegerOutOfBounds => "this number is too large or too small here".to_owned(),
        E::InvalidIntegerDigit { digit, .. } => format!("{digit:?} is no digit"),
        E::FloatUnderscore | E::UnderscoreAtBeginning => "\"_\" stands in a number".to_owned(),
        E::ExpectedBoolean => expected("true or false"),
        E::ExpectedString | E::ExpectedStringEnd => expected("a text in quotes"),
        E::InvalidEscape(_) => "nothing that can stand after \"\\\"".to_owned(),
        E::ExpectedArray | E::ExpectedArrayEnd => expected("a list in brackets"),
        E::ExpectedMap | E::ExpectedMapEnd => expected("a table in braces"),
        E::ExpectedMapColon => expected("a colon"),
        E::ExpectedComma => expected("a comma"),
        E::ExpectedStructLike
        | E::ExpectedNamedStructLike(_)
        | E::ExpectedDifferentStructName { .. }
        | E::ExpectedStructName(_)
        | E::ExpectedUnit => expected("\"(\""),
        E::ExpectedStructLikeEnd | E::ExpectedOptionEnd => expected("\")\""),
        E::ExpectedOption => expected("a value, or None"),
        E::ExpectedIdentifier | E::InvalidIdentifier(_) | E::SuggestRawIdentifier(_) => {
            expected("a name")
        }
        E::UnexpectedChar(c) => format!("{c:?} makes no sense here"),
        E::UnclosedBlockComment | E::UnclosedLineComment => "a comment has no end".to_owned(),
        E::Utf8Error(_) => "this is no text".to_owned(),
        E::ExceededRecursionLimit => "too many parentheses within each other".to_owned(),
        E::TrailingCharacters => "something follows after the end".to_owned(),
        E::MissingStructField { field, .. } => format!("\"{field}\" is missing"),
        E::NoSuchStructField { found, .. } => {
            format!("there is no \"{}\" here", shown(found.as_bytes()))
        }
        E::DuplicateStructField { field, .. } => format!("\"{field}\" is there twice"),
        E::NoSuchEnumVariant {
            expected: known,
            found,
            ..
        } => {
            let found = shown(found.as_bytes());
            expected(&format!("{}, found \"{found}\"", known.join(" or ")))
        }
        E::InvalidValueForType {
            expected: wanted,
            found,
        } => expected(&format!(
            "{}, found {}",
            wanted_words(wanted),
            found_words(found)
        )),
        E::ExpectedDifferentLength {
            expected: wanted,
            found,
        } => expected(&format!("{}, found {found}", wanted_words(wanted))),
        // Those of other ways to write RON, which are not used here.
        _ => "this makes no sense here".to_owned(),
    }
}

/// What a value should have been, where a type of ours says what it is for the compiler.
fn wanted_words(wanted: &str) -> String {
    // A tuple or a row of numbers says how many.
    let count = wanted
        .split(|c: char| !c.is_ascii_digit())
        .rfind(|digits| !digits.is_empty());
    let is = |beginnings: &[&str]| beginnings.iter().any(|b| wanted.starts_with(b));
    match (wanted, count) {
        ("f32" | "f64", _) => "a number".to_owned(),
        ("u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" | "isize", _) => {
            "a whole number".to_owned()
        }
        ("a string" | "string", _) => "a text in quotes".to_owned(),
        ("a boolean", _) => "true or false".to_owned(),
        ("a sequence", _) => "a list".to_owned(),
        ("a map", _) => "a table".to_owned(),
        ("option", _) => "a value, or None".to_owned(),
        (_, Some(n)) if is(&["a tuple", "an array", "tuple", "struct"]) => format!("{n} values"),
        _ if is(&[
            "struct", "tuple", "enum", "variant", "field", "newtype", "unit",
        ]) =>
        {
            "something else".to_owned()
        }
        _ => wanted.to_owned(),
    }
}

/// What stands there instead.
fn found_words(found: &str) -> String {
    // The library's words end where the value begins.
    let (kind, value) = found.split_once(['`', '"']).unwrap_or((found, ""));
    match kind.trim_end() {
        "the string" => format!("\"{}\"", shown(value.trim_end_matches('"').as_bytes())),
        "the boolean"
        | "the unsigned integer"
        | "the signed integer"
        | "the floating point number"
        | "the UTF-8 character" => shown(value.trim_end_matches('`').as_bytes()),
        "a sequence" => "a list".to_owned(),
        "a map" => "a table".to_owned(),
        _ => "something else".to_owned(),
    }
}

/// `Some(x)` is written as `x`: shorter, and easier to read in the file.
fn options() -> ron::Options {
    ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only what is wrong is looked at")]
    struct Outer {
        number: f64,
        #[serde(default)]
        count: u8,
        #[serde(default)]
        word: String,
        #[serde(default)]
        place: [f64; 3],
        #[serde(default)]
        pair: (f64, f64),
        #[serde(default)]
        list: Vec<usize>,
        #[serde(default)]
        table: BTreeMap<String, f64>,
        #[serde(default)]
        is_on: bool,
        #[serde(default)]
        kind: Option<Variant>,
        #[serde(default)]
        inner: Option<Inner>,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only what is wrong is looked at")]
    struct Inner {
        depth: f64,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only what is wrong is looked at")]
    enum Variant {
        Plain,
        With(f64),
        Named { size: f64 },
    }

    #[test]
    fn errors_name_places_and_what_is_wrong_but_no_type_of_ours() {
        let texts = [
            ("", "\"(\""),
            ("HIERARCHY\nROOT Hips", "\"(\""),
            ("t,x,y\n0,1,2", "\"(\""),
            ("[1, 2]", "\"(\""),
            ("()", "\"number\" is missing"),
            ("(number: 1", ""),
            ("(number: \"x\")", "a number"),
            ("(number: [1])", "a number"),
            ("(number: 1, number: 2)", "twice"),
            ("(number: 1, count: 300)", "too large"),
            ("(number: 1, count: -1)", "number"),
            ("(number: 1, count: 0x)", ""),
            ("(number: 1, word: 5)", "a text in quotes"),
            ("(number: 1, word: \"open)", "a text in quotes"),
            ("(number: 1, word: \"\\q\")", "\"\\\""),
            ("(number: 1, place: (1, 2))", "3 values"),
            ("(number: 1, place: (1, 2, 3, 4))", "\")\""),
            ("(number: 1, pair: (1))", "2 values"),
            ("(number: 1, pair: 5)", "\"(\""),
            ("(number: 1, list: 5)", "a list"),
            ("(number: 1, list: [1.5])", ""),
            ("(number: 1, table: [1])", "a table"),
            ("(number: 1, is_on: 3)", "true or false"),
            (
                "(number: 1, kind: Other)",
                "Plain or With or Named, found \"Other\"",
            ),
            ("(number: 1, kind: With)", "\"(\""),
            ("(number: 1, kind: Named(size: \"x\"))", "a number"),
            ("(number: 1, inner: 5)", "\"(\""),
            ("(number: 1, inner: (depth: a))", "a number"),
            ("(number: 1) more", "follows after the end"),
            ("(number: 1 count: 2)", "a comma"),
            ("(number 1)", "a colon"),
            ("(number: 1, /* never closed", "no end"),
        ];
        for (text, what) in texts {
            let error = parse::<Outer>(text.as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with("line "), "{text}: {error}");
            assert!(error.contains(what), "{text}: {error}");
            for ours in [
                "Outer", "Inner", "Variant", "struct", "enum", "RON", "f64", "u8", "usize",
            ] {
                assert!(!error.contains(ours), "{text}: {error}");
            }
        }
        let deep = format!("(number: 1, inner: {}", "(".repeat(100_000));
        parse::<Outer>(deep.as_bytes()).unwrap_err();
    }
}
