//! Where the body is and where it faces: aligning takes, and taking their travel out and putting it back.
//!
//! Clips are moved by the joint that carries the body: see [`crate::motion::carrier`].

use std::sync::Arc;

use super::error::{EditError, check_finite};
use super::remade;
use crate::motion::heading::turn;
use crate::motion::root_mover::{WorldMove, moved, mover_joint, planar};
use crate::motion::{Axis, Clip, Contact, HeadingFrame, RootTrack, Vec3};

/// Where the body shall be, and which way it shall face, at one moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    /// The moment, counted from 0.
    pub frame: usize,
    /// The body comes to stand over this place; its height stays. `None` leaves it where it is.
    pub place: Option<Vec3>,
    /// Radians about up; zero faces [`crate::motion::heading::forward`]. `None` leaves the body facing as it does.
    pub heading_rad: Option<f64>,
}

impl Placement {
    /// Over the origin and facing forward at this frame.
    pub fn at_origin(frame: usize) -> Self {
        Self {
            frame,
            place: Some(Vec3::zeros()),
            heading_rad: Some(0.0),
        }
    }
}

/// Moves the whole motion over the floor and turns it about up, so that at one frame the body is where it shall be.
pub fn align(clip: &Clip, placement: &Placement) -> Result<Clip, EditError> {
    align_in(clip, &HeadingFrame::learn(&[clip]), placement)
}

/// The same, with headings read as for other clips that belong to this one.
pub(super) fn align_in(
    clip: &Clip,
    heading: &HeadingFrame,
    placement: &Placement,
) -> Result<Clip, EditError> {
    let (frame, n_frames) = (placement.frame, clip.n_frames());
    if frame >= n_frames {
        return Err(EditError::Frame { frame, n_frames });
    }
    check_finite("the heading", placement.heading_rad.unwrap_or(0.0))?;
    let track = heading.track(clip);
    let here = track.positions[frame];
    let angle = placement
        .heading_rad
        .map_or(0.0, |to| to - track.headings[frame]);
    let shift = placement
        .place
        .map_or_else(Vec3::zeros, |to| planar(&(to - here), heading.up));
    let by = WorldMove::about(&here, turn(heading.up, angle)).then_shifted(&shift);
    let done = match (placement.place, placement.heading_rad) {
        (Some(_), Some(_)) => format!("placed and turned by its frame {frame}"),
        (Some(_), None) => format!("placed by its frame {frame}"),
        (None, Some(_)) => format!("turned by its frame {frame}"),
        (None, None) => return Ok(clip.clone()),
    };
    let motion = moved(clip, mover_joint(clip), |_| by);
    let contacts = clip.contacts().to_vec();
    remade(clip, Arc::clone(clip.skeleton()), motion, contacts, done)
}

/// The travel that was taken out of a clip: for each frame how to bring the body back onto its way.
#[derive(Debug, Clone, PartialEq)]
pub struct RootPath {
    /// The joint that travels. Remembered, because a root that stays in place may look like one that never moves.
    joint: usize,
    moves: Vec<WorldMove>,
    /// What stood still only while the body travelled.
    contacts: Vec<Contact>,
}

impl RootPath {
    /// As many as its clip had.
    pub fn n_frames(&self) -> usize {
        self.moves.len()
    }

    /// How far the body has come at a frame, along the floor, from where it stood at the first.
    pub fn travel(&self, frame: usize) -> Option<Vec3> {
        let first = self.moves.first()?;
        self.moves.get(frame).map(|m| m.shift - first.shift)
    }
}

/// What is taken out of a motion that shall stay in place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InPlace {
    /// Travel along the floor; the body still turns.
    #[default]
    Travel,
    /// Travel and turns: the body faces all the time as in the first frame.
    TravelAndHeading,
}

/// Keeps the body over the spot where it starts; [`with_root_path`] puts the way back in.
///
/// A foot that stood on the floor slides under a body that stays, so its contacts go with the path.
pub fn root_in_place(clip: &Clip, what: InPlace) -> Result<(Clip, RootPath), EditError> {
    let heading = HeadingFrame::learn(&[clip]);
    let track = heading.track(clip);
    let moves: Vec<WorldMove> = (0..clip.n_frames())
        .map(|f| removed(&track, heading.up, what, f))
        .collect();
    let is_still = |c: &Contact| {
        let mut frames = c.frames.clone();
        frames.all(|f| moves[f] == moves[c.frames.start])
    };
    let (kept, contacts): (Vec<_>, Vec<_>) = clip.contacts().iter().cloned().partition(is_still);
    let joint = mover_joint(clip);
    let motion = moved(clip, joint, |frame| moves[frame].inverse());
    let done = match what {
        InPlace::Travel => "travel taken out",
        InPlace::TravelAndHeading => "travel and turns taken out",
    };
    let placed = remade(clip, Arc::clone(clip.skeleton()), motion, kept, done)?;
    let path = RootPath {
        joint,
        moves,
        contacts,
    };
    Ok((placed, path))
}

/// The way from the start to one frame.
fn removed(track: &RootTrack, up: Axis, what: InPlace, frame: usize) -> WorldMove {
    let start = &track.positions[0];
    let travel = planar(&(track.positions[frame] - start), up);
    let angle = match what {
        InPlace::Travel => 0.0,
        InPlace::TravelAndHeading => track.headings[frame] - track.headings[0],
    };
    WorldMove::about(start, turn(up, angle)).then_shifted(&travel)
}

/// Sends the body along a way that was taken out of a clip of the same length.
pub fn with_root_path(clip: &Clip, path: &RootPath) -> Result<Clip, EditError> {
    let skeleton = clip.skeleton();
    if path.n_frames() != clip.n_frames() {
        return Err(EditError::PathLength {
            path: path.n_frames(),
            n_frames: clip.n_frames(),
        });
    }
    let n_joints = skeleton.n_joints();
    let joint = path.joint;
    if joint >= n_joints || skeleton.translation_slot(joint).is_none() {
        return Err(EditError::Joint { joint, n_joints });
    }
    let motion = moved(clip, joint, |frame| path.moves[frame]);
    let mut contacts = clip.contacts().to_vec();
    contacts.extend_from_slice(&path.contacts);
    remade(
        clip,
        Arc::clone(skeleton),
        motion,
        contacts,
        "travel put back",
    )
}
