//! Version 1 of `project.ron`, word by word. Never change what a field means: make a version 2 and a way there.
//!
//! Fields that a file lacks are empty; fields that it has in excess are passed over, so that a note which somebody added
//! by hand does no harm.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Project {
    pub(super) version: u64,
    #[serde(default)]
    pub(super) name: String,
    #[serde(default)]
    pub(super) notes: String,
    /// Larger than every number that was ever used for a clip or set.
    #[serde(default)]
    pub(super) next_number: u64,
    #[serde(default)]
    pub(super) sets: Vec<Set>,
    /// In library order.
    #[serde(default)]
    pub(super) clips: Vec<Clip>,
    /// Each once, however many clips move it.
    #[serde(default)]
    pub(super) skeletons: Vec<Skeleton>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Set {
    pub(super) id: u64,
    pub(super) name: String,
    #[serde(default)]
    pub(super) clips: Vec<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Clip {
    pub(super) id: u64,
    pub(super) name: String,
    /// Name of the file in `clips/`.
    pub(super) file: String,
    /// Which of the skeletons; without one, the file's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) skeleton: Option<usize>,
    /// What the file should hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) frames: Option<usize>,
    /// Exactly; the file may round it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) frame_secs: Option<f64>,
    /// `Y`, `-Z`.
    pub(super) up: String,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) tags: BTreeSet<String>,
    /// Where it was imported from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) source: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) history: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) notes: Vec<Note>,
    /// Joint, first frame, one past the last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) contacts: Vec<(usize, usize, usize)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum NoteKind {
    Repaired,
    Guessed,
    Noticed,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Note {
    pub(super) kind: NoteKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) line: Option<usize>,
    pub(super) text: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::file) struct Skeleton {
    /// Parents first.
    pub(super) joints: Vec<Joint>,
    /// Joint and offset.
    #[serde(default)]
    pub(super) ends: Vec<(usize, [f64; 3])>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Joint {
    pub(super) name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) parent: Option<usize>,
    pub(super) offset: [f64; 3],
    /// Two letters each: `Px` for Xposition, `Rz` for Zrotation.
    #[serde(default)]
    pub(super) channels: String,
}
