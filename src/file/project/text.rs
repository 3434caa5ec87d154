//! `project.ron` as text: which version it is, and the way from older ones.

use super::{OpenError, VERSION, v0, v1};
use crate::file::FileKind;
use crate::file::kind::Header;
use crate::file::ron_text::{parse, pretty};

/// Reads any version that was ever written.
pub(super) fn read(bytes: &[u8]) -> Result<v1::Project, OpenError> {
    let header = Header::of(bytes)?;
    if let Some(other) = header.other_than(FileKind::Project) {
        return Err(OpenError::Other(other));
    }
    // Version 0 did not say so.
    match header.version.unwrap_or(0) {
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
