//! What clips are called: by a table, or by their names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::cli::consistent_clips::leave_out;
use crate::file::bytes_of;
use crate::file::texture_csv::{self, LabelRow};
use crate::motion::Clip;

/// Where labels come from.
pub(super) enum Labels {
    /// `walk_01` is a `walk`.
    ByName,
    /// As a table says, by file and start.
    Table(Table),
}

pub(super) struct Table {
    path: PathBuf,
    by_file: BTreeMap<PathBuf, String>,
}

impl Labels {
    /// Reads a table. Rows that name no file or have no label are told and passed over.
    pub(super) fn read(path: Option<&Path>, all_used: &mut bool) -> anyhow::Result<Self> {
        let Some(path) = path else {
            return Ok(Self::ByName);
        };
        let bytes = bytes_of(path);
        let rows = bytes
            .map_err(anyhow::Error::from)
            .and_then(|bytes| Ok(texture_csv::labels(&bytes)?));
        let rows = rows.with_context(|| path.display().to_string())?;
        let mut table = Table {
            path: path.to_owned(),
            by_file: BTreeMap::new(),
        };
        for row in rows {
            let added = row.map_err(|e| e.to_string()).and_then(|r| table.add(r));
            if let Err(why) = added {
                tell!("error: {}: {why}", path.display());
                *all_used = false;
            }
        }
        Ok(Self::Table(table))
    }

    /// What a clip is called, if it is called anything.
    pub(super) fn of(&self, clip: &Clip) -> Option<String> {
        match self {
            Self::ByName => Some(base_name(&clip.info.name).to_owned()),
            Self::Table(table) => {
                let file = clip.info.file.as_deref()?.canonicalize().ok()?;
                table.by_file.get(&file).cloned()
            }
        }
    }

    /// The clips that are called something; the others are named and left out.
    pub(super) fn labelled(&self, mut clips: Vec<Clip>, all_used: &mut bool) -> Vec<Clip> {
        if let Self::Table(table) = self {
            clips.retain(|clip| {
                let is_labelled = self.of(clip).is_some();
                if !is_labelled {
                    let words = format!("it has no label in {}", table.path.display());
                    leave_out(clip, &words);
                    *all_used = false;
                }
                is_labelled
            });
        }
        clips
    }
}

impl Table {
    fn add(&mut self, row: LabelRow) -> Result<(), String> {
        let LabelRow { line, file, label } = row;
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let found = folder.join(&file).canonicalize();
        let found = found.map_err(|_gone| format!("line {line}: there is no file \"{file}\""))?;
        match self.by_file.get(&found) {
            Some(known) if *known != label => Err(format!(
                "line {line}: \"{file}\" is called \"{known}\" already, here \"{label}\""
            )),
            _ => {
                self.by_file.insert(found, label);
                Ok(())
            }
        }
    }
}

/// A name without the numbers behind it, each after a `_`: `kick_l_24_1` is a `kick_l`. A name of numbers only keeps
/// the first.
fn base_name(name: &str) -> &str {
    let shorter = name.rsplit_once('_').filter(|(base, number)| {
        let is_number = !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit());
        is_number && !base.is_empty()
    });
    shorter.map_or(name, |(base, _)| base_name(base))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_are_called_by_what_stands_before_their_number() {
        for (name, label) in [
            ("walk_01", "walk"),
            ("walk_turn_12", "walk_turn"),
            ("kick_l_143_24_1", "kick_l"),
            ("16_12", "16"),
            ("16_12_3", "16"),
            ("walk", "walk"),
            ("walk2", "walk2"),
            ("walk_", "walk_"),
            ("_12", "_12"),
            ("12", "12"),
        ] {
            assert_eq!(base_name(name), label);
        }
    }
}
