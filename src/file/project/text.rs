//! `project.ron` as text: which version it is, and the way from older ones.

use ron::extensions::Extensions;
use ron::ser::PrettyConfig;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{OpenError, VERSION, v0, v1};

/// The only thing that every version has, or lacks: then it is version 0.
#[derive(Debug, Deserialize)]
#[serde(rename = "Project")]
struct Header {
    #[serde(default)]
    version: u64,
}

/// Reads any version that was ever written.
pub(super) fn read(bytes: &[u8]) -> Result<v1::Project, OpenError> {
    let Header { version } = parse(bytes)?;
    match version {
        0 => Ok(parse::<v0::Project>(bytes)?.migrated()),
        1 => parse(bytes),
        found => Err(OpenError::Newer { found }),
    }
}

/// The newest version, with one line for each clip and set, so that a person can read and compare it.
pub(super) fn write(project: &v1::Project) -> Result<String, ron::Error> {
    debug_assert_eq!(project.version, VERSION, "only the newest is written");
    pretty(project, 2)
}

/// Any value, spread over lines down to this depth.
pub(super) fn pretty(value: &impl Serialize, depth: usize) -> Result<String, ron::Error> {
    let config = PrettyConfig::new()
        .depth_limit(depth)
        .new_line("\n")
        .indentor("  ");
    let mut text = options().to_string_pretty(value, config)?;
    text.push('\n');
    Ok(text)
}

/// Reads a value, or says at which place it makes no sense. Nesting is bounded, and memory follows the length of the text.
pub(super) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, OpenError> {
    options()
        .from_bytes(bytes)
        .map_err(|error| OpenError::Syntax {
            line: error.span.start.line,
            column: error.span.start.col,
            what: error.code.to_string(),
        })
}

/// `Some(x)` is written as `x`: shorter, and plainer for who looks into the file.
fn options() -> ron::Options {
    ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME)
}
