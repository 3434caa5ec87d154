//! What became of imported files.

use std::path::PathBuf;
use std::sync::Arc;

use crate::motion::{Clip, Note, NoteKind, Stroke};

/// What became of one file.
#[derive(Debug, Clone)]
pub struct FileReport {
    /// The file's path as it was given or found.
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

/// What was in a file.
#[derive(Debug, Clone)]
pub enum Imported {
    /// Motions: one, or each take of a file that holds several. At least one.
    Clips(Vec<Arc<Clip>>),
    /// A stroke, and what was noticed about it.
    Stroke(Arc<Stroke>, Vec<Note>),
}

impl Imported {
    /// What should be known about it.
    pub fn notes(&self) -> Vec<Note> {
        match self {
            Self::Clips(clips) => notes_of(clips),
            Self::Stroke(_, notes) => notes.clone(),
        }
    }

    /// Whether it was mended while it was read.
    pub fn is_mended(&self) -> bool {
        let mut notes = self.notes().into_iter();
        notes.any(|note| note.kind == NoteKind::Repaired)
    }
}

/// How many takes a file has, then what is to be known of all of them, each thing once.
fn notes_of(takes: &[Arc<Clip>]) -> Vec<Note> {
    let mut notes = Vec::new();
    if takes.len() > 1 {
        let names: Vec<&str> = takes.iter().map(|take| take.info.name.as_str()).collect();
        let words = format!("{} takes: {}", takes.len(), names.join(", "));
        notes.push(Note::new(NoteKind::Noticed, words));
    }
    for note in takes.iter().flat_map(|take| &take.info.notes) {
        if !notes.contains(note) {
            notes.push(note.clone());
        }
    }
    notes
}
