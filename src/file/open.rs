//! One door for motion files of every kind.

use std::fs;
use std::path::Path;

use super::asf_amc::{AmcSettings, find_asf, read_amc, read_asf};
use super::{FileKind, ReadError, bvh, fbx};
use crate::motion::body::guess_up;
use crate::motion::edit::describe_guesses;
use crate::motion::{Clip, Note, NoteKind};

/// Endings of the files that [`read_clip`] takes, in lower case.
pub const MOTION_ENDINGS: [&str; 3] = ["bvh", "amc", "fbx"];

/// What the takes of a file are called, in the order of [`read_clips`], without looking at their frames. Only FBX
/// files hold takes; of others, none are found.
pub fn take_names(path: &Path) -> Result<Vec<String>, ReadError> {
    if ending(path) != "fbx" {
        return Ok(Vec::new());
    }
    Ok(fbx::take_names(&bytes_of(path)?)?)
}

/// Reads a motion file, by its ending. Of several takes the first one is read, and a note names the others.
///
/// The clip knows its file, is called like it, and carries notes on what the file does not say and had to be guessed
/// (which way is up, for instance).
pub fn read_clip(path: &Path) -> Result<Clip, ReadError> {
    let mut clips = read_clips(path)?;
    let others: Vec<String> = clips[1..].iter().map(|c| c.info.name.clone()).collect();
    let mut clip = clips.swap_remove(0);
    if !others.is_empty() {
        let text = format!("other takes in this file: {}", others.join(", "));
        clip.info.notes.push(Note::new(NoteKind::Noticed, text));
    }
    Ok(clip)
}

/// Reads all takes of a motion file; at least one. Where there are several, each is called after the file and the take.
pub fn read_clips(path: &Path) -> Result<Vec<Clip>, ReadError> {
    let mut clips = match ending(path).as_str() {
        "bvh" => {
            let bytes = bytes_of(path)?;
            let read = bvh::read(&bytes, &bvh::ReadSettings::default());
            vec![read.map_err(|why| otherwise(why, &bytes, FileKind::Bvh))?]
        }
        "amc" => vec![read_amc_with_skeleton(path)?],
        "fbx" => {
            let bytes = bytes_of(path)?;
            fbx::read(&bytes).map_err(|why| otherwise(why.into(), &bytes, FileKind::Fbx))?
        }
        _ if path.is_dir() => return Err(ReadError::NotAFile("a folder without motion files")),
        // A name without an ending that is nowhere is a mistyped one.
        _ => {
            let length = fs::metadata(path)?.len();
            let found = (length <= MOST_LOOKED_AT).then(|| FileKind::of(&bytes_of(path).ok()?));
            return Err(match found.flatten() {
                Some(found) => ReadError::NoMotion { found },
                None => ReadError::UnknownFormat,
            });
        }
    };
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let is_one = clips.len() == 1;
    for clip in &mut clips {
        clip.info.name = if is_one {
            stem.clone().into_owned()
        } else {
            format!("{stem} {}", clip.info.name)
        };
        clip.info.file = Some(path.to_owned());
        // FBX says which way is up and how long its units are.
        if ending(path) != "fbx" {
            clip.info.up = guess_up(clip).axis;
            let guesses = describe_guesses(clip);
            clip.info.notes.extend(guesses);
        }
    }
    Ok(clips)
}

/// Why a file cannot be read: because it is something else, if that shows.
fn otherwise(why: ReadError, bytes: &[u8], wanted: FileKind) -> ReadError {
    match FileKind::of(bytes) {
        Some(found) if found != wanted => ReadError::OtherKind { found },
        _ => why,
    }
}

/// To say what a file without a known ending is, no more than this is read.
const MOST_LOOKED_AT: u64 = 100_000_000;

fn ending(path: &Path) -> String {
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    ending.to_ascii_lowercase()
}

fn read_amc_with_skeleton(path: &Path) -> Result<Clip, ReadError> {
    let bytes = bytes_of(path)?;
    if let Some(found) = FileKind::of(&bytes).filter(|found| *found != FileKind::Amc) {
        return Err(ReadError::OtherKind { found });
    }
    let file = find_asf(path)?;
    let asf = bytes_of(&file).and_then(|bytes| {
        let read = read_asf(&bytes);
        read.map_err(|why| otherwise(why, &bytes, FileKind::Asf))
    });
    let asf = asf.map_err(|error| ReadError::InAsf {
        file,
        error: Box::new(error),
    })?;
    read_amc(&asf, &bytes, &AmcSettings::default())
}

/// The whole file. Devices and pipes are refused: they may never end.
pub fn bytes_of(path: &Path) -> Result<Vec<u8>, ReadError> {
    let kind = fs::metadata(path)?.file_type();
    if kind.is_dir() {
        return Err(ReadError::NotAFile("a folder"));
    }
    if !kind.is_file() {
        return Err(ReadError::NotAFile("a device or pipe"));
    }
    Ok(fs::read(path)?)
}
