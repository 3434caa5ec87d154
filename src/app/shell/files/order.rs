//! What is to be written where.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::shell::retarget::bring::Bringer;
use crate::file::atomic::Overwrite;
use crate::file::export::Format;
use crate::file::preset::Preset;
use crate::motion::{Clip, Stroke};

/// The format in the dialog's words.
pub const fn format_words(format: Format) -> &'static str {
    match format {
        Format::Bvh => "BVH",
        Format::Gltf => "glTF, text",
        Format::Glb => "glTF, binary",
        Format::Csv => "CSV of joint positions",
    }
}

/// What becomes a file.
#[derive(Debug, Clone)]
pub enum Piece {
    /// A motion as it is in the library.
    Clip(Arc<Clip>),
    /// A line drawn by hand; always `t,x,y`.
    Stroke(Arc<Stroke>),
}

impl Piece {
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Clip(clip) => &clip.info.name,
            Self::Stroke(stroke) => stroke.name(),
        }
    }
}

/// What to write where.
#[derive(Debug, Clone)]
pub struct Export {
    /// With the file names they get, without folder.
    pub files: Vec<(String, Piece)>,
    /// Whose habits to follow; none leaves the clips as they are.
    pub preset: Option<Preset>,
    /// What kind of file.
    pub format: Format,
    /// Frames a second of the files; none leaves the rate of the clip.
    pub fps: Option<f64>,
    /// The skeleton that clips are brought onto before they are written, if another.
    pub onto: Option<Bringer>,
    /// Whether travel along the floor is taken out.
    pub is_in_place: bool,
    /// Also a list of the files.
    pub has_manifest: bool,
    /// Made if it is missing.
    pub folder: PathBuf,
    /// Whether files may be replaced.
    pub overwrite: Overwrite,
    /// What a workspace tells of the files in the list.
    pub columns: Option<Columns>,
}

/// Columns of the list of files beside those of every list.
#[derive(Debug, Clone)]
pub struct Columns {
    /// Each with a comma before it.
    pub names: &'static str,
    /// For each file, in order.
    pub cells: Vec<String>,
}

impl Export {
    /// The names of all clips and strokes that are written.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|f| f.0.as_str())
    }
}
