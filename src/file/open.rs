//! One door for motion files of every kind.

use std::fs;
use std::path::Path;

use super::asf_amc::{AmcSettings, find_asf, read_amc, read_asf};
use super::{ReadError, bvh};
use crate::motion::Clip;
use crate::motion::body::guess_up;
use crate::motion::edit::describe_guesses;

/// Endings of the files that [`read_clip`] takes, in lower case.
pub const MOTION_ENDINGS: [&str; 2] = ["bvh", "amc"];

/// Reads a motion file, by its ending.
///
/// The clip knows its file, is called like it, and carries notes on what the file does not say and had to be guessed
/// (which way is up, for instance).
pub fn read_clip(path: &Path) -> Result<Clip, ReadError> {
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    let mut clip = match ending.to_ascii_lowercase().as_str() {
        "bvh" => bvh::read(&bytes_of(path)?, &bvh::ReadSettings::default())?,
        "amc" => read_amc_with_skeleton(path)?,
        _ if path.is_dir() => return Err(ReadError::NotAFile("a folder without motion files")),
        // A name without an ending that is nowhere is a mistyped one.
        _ => {
            fs::metadata(path)?;
            return Err(ReadError::UnknownFormat);
        }
    };
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    clip.info.name = stem.into_owned();
    clip.info.file = Some(path.to_owned());
    clip.info.up = guess_up(&clip).axis;
    let guesses = describe_guesses(&clip);
    clip.info.notes.extend(guesses);
    Ok(clip)
}

fn read_amc_with_skeleton(path: &Path) -> Result<Clip, ReadError> {
    let bytes = bytes_of(path)?;
    let file = find_asf(path)?;
    let asf = bytes_of(&file).and_then(|bytes| read_asf(&bytes));
    let asf = asf.map_err(|error| ReadError::InAsf {
        file,
        error: Box::new(error),
    })?;
    read_amc(&asf, &bytes, &AmcSettings::default())
}

/// The whole file. Devices and pipes are refused: they may never end.
pub(super) fn bytes_of(path: &Path) -> Result<Vec<u8>, ReadError> {
    let kind = fs::metadata(path)?.file_type();
    if kind.is_dir() {
        return Err(ReadError::NotAFile("a folder"));
    }
    if !kind.is_file() {
        return Err(ReadError::NotAFile("a device or pipe"));
    }
    Ok(fs::read(path)?)
}
