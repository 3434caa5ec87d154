//! Files that appear whole or not at all.
//!
//! The bytes go to a temporary file in the same folder, reach the disk, and only then take the wanted name. A full
//! disk, a pulled plug or a cancelled job leaves the folder as it was; what a killed program leaves is swept up by the
//! next one that writes there ([`super::parts`]). What this leaves out: the folder's own entry is not forced to disk,
//! so that after a power cut the old file may still be there, whole.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::WriteError;
use super::parts::Part;

/// What to do when the file is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overwrite {
    /// Leave it as it is and return an error.
    Never,
    /// Put the new one in its place.
    Replace,
}

/// Whether a file could go there, to be asked before long work whose result it is.
pub fn check(path: &Path, overwrite: Overwrite) -> Result<(), WriteError> {
    if path.is_dir() {
        return Err(refused(io::ErrorKind::IsADirectory, "this is a folder"));
    }
    if path.file_name().is_none() {
        return Err(refused(
            io::ErrorKind::InvalidInput,
            "this names no file in a folder",
        ));
    }
    if overwrite == Overwrite::Never && fs::symlink_metadata(path).is_ok() {
        return Err(WriteError::Exists);
    }
    Ok(())
}

/// Whether files can go into this folder, or into the nearest one above that is there.
///
/// Found out with an empty temporary file, since what permissions, links and mounts come to is best known to the system
/// itself. Nothing is left behind.
pub fn check_folder(folder: &Path) -> Result<(), WriteError> {
    let mut nearest = folder;
    loop {
        // The folder above a bare name is the current one.
        let there = if nearest == Path::new("") {
            Path::new(".")
        } else {
            nearest
        };
        match fs::metadata(there) {
            Ok(found) if !found.is_dir() => {
                let reason = format!("{} is no folder", there.display());
                return Err(refused(io::ErrorKind::NotADirectory, &reason));
            }
            Ok(_) => {
                Part::create_in(there).map_err(|e| io::Error::from(e.kind()))?;
                return Ok(());
            }
            Err(error) => nearest = nearest.parent().ok_or(error)?,
        }
    }
}

/// Writes a whole file; its folder is made if it is missing.
///
/// A link is followed, so that the file it leads to is replaced and not the link. A replaced file keeps its
/// permissions; a new one gets what the user's mask allows.
pub fn write(path: &Path, bytes: &[u8], overwrite: Overwrite) -> Result<(), WriteError> {
    write_by(path, overwrite, |file| Ok(file.write_all(bytes)?))
}

/// Writes a file that comes piece by piece, as [`write()`] does; an error of whoever writes leaves no file.
pub fn write_by<E: From<WriteError>>(
    path: &Path,
    overwrite: Overwrite,
    write: impl FnOnce(&mut dyn io::Write) -> Result<(), E>,
) -> Result<(), E> {
    let (target, temporary) = begin(path, overwrite)?;
    let mut buffered = io::BufWriter::new(temporary.as_file());
    write(&mut buffered)?;
    buffered.flush().map_err(WriteError::from)?;
    drop(buffered);
    Ok(finish(&target, temporary, overwrite)?)
}

/// The file that is meant, and a temporary one beside it.
fn begin(path: &Path, overwrite: Overwrite) -> Result<(PathBuf, Part), WriteError> {
    check(path, overwrite)?;
    let there = fs::symlink_metadata(path).ok();
    // A link that leads nowhere is replaced itself.
    let target = match &there {
        Some(found) if found.is_symlink() => fs::canonicalize(path).unwrap_or(path.to_owned()),
        _ => path.to_owned(),
    };
    let folder = folder_of(&target);
    fs::create_dir_all(&folder)?;
    // The name of the temporary file, which these errors would tell, means nothing to the user.
    let temporary = Part::create_in(&folder).map_err(|e| io::Error::from(e.kind()))?;
    Ok((target, temporary))
}

/// Gives a temporary file the wanted name.
fn finish(target: &Path, temporary: Part, overwrite: Overwrite) -> Result<(), WriteError> {
    if let Ok(old) = fs::metadata(target) {
        temporary.as_file().set_permissions(old.permissions())?;
    }
    temporary.as_file().sync_all()?;
    let named = match overwrite {
        Overwrite::Replace => temporary.persist(target),
        Overwrite::Never => temporary.persist_noclobber(target),
    };
    match named {
        Ok(()) => Ok(()),
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Err(WriteError::Exists),
        Err(e) => Err(e.into()),
    }
}

/// Puts a whole file in the place of whatever has this name, even of a link, which is not followed: for folders whose
/// files may come from a stranger. The folder must be there.
pub(super) fn replace_entry(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = Part::create_in(&folder_of(path)).map_err(|e| io::Error::from(e.kind()))?;
    temporary.as_file().write_all(bytes)?;
    if let Ok(old) = fs::symlink_metadata(path)
        && old.is_file()
    {
        temporary.as_file().set_permissions(old.permissions())?;
    }
    temporary.as_file().sync_all()?;
    temporary.persist(path)
}

fn refused(kind: io::ErrorKind, reason: &str) -> WriteError {
    WriteError::Io(io::Error::new(kind, reason))
}

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}
