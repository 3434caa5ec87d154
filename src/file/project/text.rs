//! `project.ron` as text: which version it is, and the way from older ones.

use serde::Deserialize;

use super::{OpenError, VERSION, v0, v1};
use crate::file::ron_text::{parse, pretty};

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
        1 => Ok(parse(bytes)?),
        found => Err(OpenError::Newer { found }),
    }
}

/// The newest version, with one line for each clip and set, so that a person can read and compare it.
pub(super) fn write(project: &v1::Project) -> Result<String, ron::Error> {
    debug_assert_eq!(project.version, VERSION, "only the newest is written");
    pretty(project, 2)
}
