//! Projects on disk: a folder that opens years later, and that no crash leaves half written.
//!
//! ```text
//! name.kinfolk/
//!   project.ron      everything that is no motion: names, tags, order, sets, strokes, posed characters and their keyframes, graphs, sequences, contacts, skeletons; versioned
//!   clips/*.bvh      one motion per file; any program can open them
//!   models/*.ron     one learned model per file
//!   poses/*.ron      the pose library
//!   pictures/*       photos that characters are posed over
//!   .lock            held by the program that has the project open
//!   .opened-by.ron   user and host that have it open
//!   .unfinished      only during a save: the files that a crash would leave behind
//! ```
//!
//! **Nothing is lost.** BVH has no place for contacts, tags, notes, history, the up axis, the order of joints or names
//! with blanks; all that is in `project.ron`, with every skeleton once. The motions are written with twelve decimals,
//! so that rotations come back within 1e-13 and places within 1e-12. A motion that has not changed keeps its file,
//! byte for byte, however often the project is saved: nothing drifts.
//!
//! **Never half.** A save writes new motions and models under names that were not in use, then puts the new
//! `project.ron` in the place of the old one, which is the moment it counts, and only then removes files that are no
//! longer named. Files that the project never named are left alone: an animator may keep their own in the folder.
//!
//! **Opens what can be opened.** A motion that is missing or broken is named, with the reason; the rest opens. What
//! `project.ron` knows about that clip is kept through later saves, so that it is whole again when its file is back.
//!
//! Left out: other programs' changes to `project.ron` while it is open here.

mod autosave;
mod clip_file;
mod disk;
mod error;
mod file_names;
mod folder;
mod kept;
mod keyed;
mod lock;
mod mirror;
mod open;
mod opened;
mod owner;
mod paths;
mod posed;
mod poses;
mod recent;
mod save;
mod sequences;
mod studies;
mod text;
mod v0;
mod v1;

pub use crate::file::project::lock::LockError;
pub use crate::file::project::opened::{Access, Opened, ProjectFolder, Saved};
pub use crate::file::project::owner::Owner;
pub use autosave::{Autosave, Recovery, find_recovery};
pub use disk::{Disk, RealDisk};
pub use error::{OpenError, Problem, SaveError};
pub use lock::Lock;
pub(super) use mirror::{Skeletons, skeleton_from, skeleton_to};
pub use recent::{Recent, RecentProject};
pub(super) use v1::Skeleton;

/// The file that makes a folder a project.
pub const PROJECT_FILE: &str = "project.ron";
/// What a save in progress may leave behind.
const UNFINISHED_FILE: &str = ".unfinished";
/// The version that this program writes.
pub const VERSION: u64 = 1;
