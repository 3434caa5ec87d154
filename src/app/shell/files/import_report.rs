//! What became of imported files.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::shell::files::import::Imported;
use crate::motion::{Clip, Stroke};

/// What became of one file.
#[derive(Debug, Clone)]
pub struct FileReport {
    /// Where it is.
    pub path: PathBuf,
    /// What was in it, or why nothing could be read.
    pub result: Result<Imported, String>,
}

/// What became of all of them.
#[derive(Debug, Clone, Default)]
pub struct ImportReport {
    /// What came of each file, in the order of reading.
    pub files: Vec<FileReport>,
}

impl ImportReport {
    /// How many could not be read.
    pub fn n_failed(&self) -> usize {
        self.files.iter().filter(|f| f.result.is_err()).count()
    }

    /// How many were mended while they were read.
    pub fn n_mended(&self) -> usize {
        let read = self.files.iter().filter_map(|f| f.result.as_ref().ok());
        read.filter(|imported| imported.is_mended()).count()
    }

    pub(super) fn split(&self) -> (Vec<Arc<Clip>>, Vec<Arc<Stroke>>) {
        let (mut clips, mut strokes) = (Vec::new(), Vec::new());
        for imported in self.files.iter().filter_map(|f| f.result.as_ref().ok()) {
            match imported {
                Imported::Clips(takes) => clips.extend(takes.iter().map(Arc::clone)),
                Imported::Stroke(stroke, _) => strokes.push(Arc::clone(stroke)),
            }
        }
        (clips, strokes)
    }
}
