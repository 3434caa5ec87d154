//! Kinfolk turns a handful of motion-capture clips into a whole family of motions.
//!
//! One line per room; `ARCHITECTURE.md` says which room may name which, and `tests/it/rooms.rs` holds that table.

pub mod app; // the window; alone knows egui and wgpu
pub mod cli; // one file per subcommand
pub mod demo; // motions made from recipes, with known variation
pub mod document; // Document, Command, History: what is saved and undone
pub mod file; // bytes into values and back: BVH, ASF/AMC, glTF, CSV, projects
pub mod jobs; // background work with progress and cancel
pub mod motion; // Skeleton, Pose, Clip, kinematics, charts, operations on clips
pub mod numerics; // mathematics that the rooms above share
pub mod retarget; // motions brought from one skeleton onto another
pub mod sequence; // actions in an order, as they are edited
pub mod study; // measures of sets of clips, clones, rating sessions and their analysis
pub mod style; // which poses are natural, learned from clips
pub mod texture; // actions as linear dynamical systems, paths to follow
pub mod transition; // from any pose to any action
pub mod variation; // a family of motions from a few clips

use std::sync::LazyLock;

/// The version, and where packages are made also the commit and its date: the same source, the same words.
pub fn version() -> &'static str {
    static WORDS: LazyLock<String> = LazyLock::new(|| {
        let version = env!("CARGO_PKG_VERSION");
        match option_env!("KINFOLK_STAMP") {
            Some(stamp) if !stamp.is_empty() => format!("{version} ({stamp})"),
            _ => version.to_owned(),
        }
    });
    &WORDS
}
