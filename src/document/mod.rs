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

pub use command::Command;
pub use content::{Document, DocumentParts};
pub use error::{CheckError, EditError};
pub use graphs::{GraphId, GraphRecipe};
pub use history::{Applied, DEPTH, History};
pub use keys::{HandlePath, HandlePathKey, Keying, PoseKey, StyleRange};
pub use library::ClipId;
pub use models::{Learned, Model, ModelId};
pub use paths::{DrawnPath, PathId};
pub use picture::{Lens, Picture, PictureFile, PictureKind, Seen};
pub use poses::{KeptPose, PoseId};
pub use posing::{Pin, PinMode, Posed, PosedId};
pub use sequences::{ActionSource, Sequence, SequenceId, TargetAction};
pub use sets::{ClipSet, SetId};
pub use strokes::StrokeId;
pub use studies::{RatingStudy, Stimuli, StudyId};
