//! What is saved and undone: the document, the commands that change it, and their history.
//!
//! The animator's work is one value, [`Document`]: clips, sets of clips, strokes, models, posed characters, transition
//! graphs, sequences and rating studies, with a name and notes. It changes only through a [`Command`], all or nothing,
//! and [`History`] keeps the states before, each with the name of its step. Clips are immutable and shared, so a state
//! costs the change and not the library.
//!
//! Left out: selection, playhead, camera and other things of the moment, which belong to the window; and files, which
//! belong to `file::project`.

mod command;
mod content;
mod edit;
mod error;
mod graphs;
mod history;
mod ids;
mod keys;
mod library;
mod models;
mod paths;
mod picture;
mod poses;
mod posing;
mod sequences;
mod sets;
mod strokes;
mod studies;
mod text;

pub use crate::document::ids::{
    ClipId, GraphId, ModelId, PathId, PoseId, PosedId, SequenceId, SetId, StrokeId, StudyId,
};
pub use command::Command;
pub use content::{Document, DocumentParts};
pub use error::{CheckError, EditError};
pub use graphs::GraphRecipe;
pub use history::{Applied, DEPTH, History};
pub use keys::{HandlePath, HandlePathKey, Keying, PoseKey, StyleRange};
pub use models::{Learned, Model};
pub use paths::DrawnPath;
pub use picture::{PhotoCamera, Picture, PictureFile, PictureKind, SeenSite};
pub use poses::KeptPose;
pub use posing::{Pin, PinMode, Posed};
pub use sequences::{ActionSource, Sequence, TargetAction};
pub use sets::ClipSet;
pub use studies::{RatingStudy, Stimuli};
