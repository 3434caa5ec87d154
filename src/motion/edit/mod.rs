//! What an animator does to a take before and after the models see it: cut, join, resample, mirror, place, mend.
//!
//! Every operation leaves its clip alone and gives a new one, with the same name, tags and file, one more sentence in
//! its history, its contacts carried along, and a note where the result may surprise. All work with any up axis, any
//! rig, roots that stand still, bones without length and clips of one frame. Nothing here guesses silently: what is
//! guessed (units, floor, a T-pose at the start) is asked for by name, and [`describe_guesses`] puts it into words.

mod cut;
mod error;
mod flips;
mod floor;
mod glitch;
mod guesses;
mod mirror;
mod place;
mod resample;
mod rest;
mod tpose;
mod units;

use std::sync::Arc;

pub use cut::{Join, concatenate, split, trim};
pub use error::{EditError, MAX_GROWN_ROTATIONS};
pub use flips::find_flips;
pub use floor::{FloorGuess, find_floor, set_floor};
pub use glitch::{Glitch, find_glitches, mend_glitches};
pub use guesses::describe_guesses;
pub use mirror::{mirror, mirror_sources};
pub use place::{InPlace, Placement, RootPath, align, root_in_place, with_root_path};
pub use resample::resample;
pub use rest::{NotARestPose, RestPose, prepend_tpose, rest_as};
pub use tpose::{drop_tpose, leading_tpose_frames};
pub use units::{Unit, UnitGuess, declare_up, guess_unit, scale, set_up};

use super::{Clip, Contact, Motion, Note, NoteKind, Skeleton};

/// The clip with another motion: what every operation ends with.
fn remade(
    clip: &Clip,
    skeleton: Arc<Skeleton>,
    motion: Motion,
    contacts: Vec<Contact>,
    what_was_done: impl Into<String>,
) -> Result<Clip, EditError> {
    let mut info = clip.info.clone();
    info.history.push(what_was_done.into());
    Ok(Clip::new(info, skeleton, motion)?.with_contacts(contacts)?)
}

/// The clip with one more note.
fn noted(mut clip: Clip, kind: NoteKind, text: impl Into<String>) -> Clip {
    clip.info.notes.push(Note::new(kind, text));
    clip
}
