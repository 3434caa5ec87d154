//! FBX, the format that most motion libraries and game rigs come in, read through `ufbx`.
//!
//! The bones of a file become a skeleton and every animation stack (take) becomes a clip: layers are blended, curves
//! are evaluated at the rate of the scene, pivots and pre-rotations are carried out, lengths become centimetres and Y
//! becomes up. Names stay as they are.
//!
//! FBX joints have axes of their own at rest; a [`Skeleton`](crate::motion::Skeleton) has none. Every joint is said
//! anew in axes that are the world's own in the bind pose, so the rest pose of the clip is the bind pose, which is
//! what other programs bind a character to, and joints stay where they are in every frame.
//!
//! Left out: meshes, skins, blend shapes, cameras and lights; constraints and characterisations (their results are in
//! the clip only where the exporter has baked them); scale of joints, beyond where it puts their children. A tree of a
//! few bones beside the skeleton (targets of inverse kinematics, props) is left out and named in a note.

mod bind;
mod bones;
mod error;
mod notes;
mod sample;
mod scene;
mod take;

pub use error::FbxError;

use crate::motion::Clip;

/// Reads every take of every skeleton in a file; at least one.
///
/// The first take of the first skeleton comes first. Memory and time follow the size of the file: a time range or a
/// compressed block that claims far more is refused.
pub fn read(bytes: &[u8]) -> Result<Vec<Clip>, FbxError> {
    let scene = scene::load(bytes)?;
    let mut clips = Vec::new();
    let found = bones::find(&scene)?;
    let mut budget = sample::Budget::for_file(bytes.len());
    for tree in &found.trees {
        clips.extend(take::clips(&scene, tree, &mut budget)?);
    }
    let dropped = notes::dropped(&scene, &found);
    for clip in &mut clips {
        clip.info.notes.splice(0..0, dropped.iter().cloned());
    }
    Ok(clips)
}

/// What the clips of [`read`] are called, in its order.
pub fn take_names(bytes: &[u8]) -> Result<Vec<String>, FbxError> {
    let scene = scene::load(bytes)?;
    let found = bones::find(&scene)?;
    let mut budget = sample::Budget::for_file(bytes.len());
    let mut names = Vec::new();
    for tree in &found.trees {
        names.extend(take::names(&scene, tree, &mut budget)?);
    }
    Ok(names)
}
