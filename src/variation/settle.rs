//! The body settles on the legs that stand.
//!
//! A variant's height is drawn beside its legs, as its path is ([`super::follow`]), and does not quite agree with them. Held to
//! the floor, legs that are too long bend their knees, and legs that are too short pull the body down, which bends the other
//! knee: variants stood with bent knees. So the body is raised and lowered first, smoothly, to where its legs stand as they were
//! drawn.
//!
//! A body that hardly goes up and down in the takes has no height in the model at all. Its legs bend a little all the time
//! nevertheless, and under a body that stays they could not, and would be stiller than anyone who stands. There the body goes
//! along with every frame.

use std::sync::Arc;

use super::calm::averaged_to_ends;
use super::error::LearnError;
use super::standing::settled_at;
use crate::motion::chart::DofKind;
use crate::motion::contacts::at_frame::AtFrame;
use crate::motion::limb::Place;
use crate::motion::{ChartError, Clip, Contact, DofChart, WorldPose, foot_slide};

/// A foot begins to carry the body, and ceases to, within this time.
const COME_SECS: f64 = 0.1;
/// A body that has a height of its own follows its legs over this time.
const SMOOTH_SECS: f64 = 0.05;

/// The clip with its whole body raised and lowered so that what stands hardly rises or sinks.
pub(super) fn body_settles(
    clip: Clip,
    chart: &DofChart,
    contacts: &[Contact],
) -> Result<Clip, LearnError> {
    let has_height = chart.dofs().iter().any(|dof| dof.kind == DofKind::Height);
    let smooth_secs = if has_height { SMOOTH_SECS } else { 0.0 };
    let lifts = averaged_to_ends(&lifts(&clip, contacts), smooth_secs / clip.frame_secs());
    let up = clip.info.up.vector();
    let (info, skeleton) = (clip.info.clone(), Arc::clone(clip.skeleton()));
    let n = skeleton.translating().len();
    let mut motion = clip.into_motion();
    // The skeleton's root, which always moves, carries everything.
    for (root, lift) in motion.translations.iter_mut().step_by(n).zip(lifts) {
        *root += up * lift;
    }
    Ok(Clip::new(info, skeleton, motion).map_err(ChartError::from)?)
}

/// By frame, how far the body has to be raised for its feet to be as high as where they rest.
fn lifts(clip: &Clip, contacts: &[Contact]) -> Vec<f64> {
    let up = clip.info.up;
    let rests: Vec<f64> = foot_slide::holds(clip, contacts)
        .iter()
        .map(|hold| match &hold.at {
            Place::Point(place) => up.along(place),
            Place::Path(way) => way.first().map_or(0.0, |place| up.along(place)),
        })
        .collect();
    let come = COME_SECS / clip.frame_secs();
    let down = AtFrame::of(contacts, clip.n_frames());
    let mut world = WorldPose::of(clip.skeleton(), clip.frame(0));
    let frames = clip.frames().enumerate();
    frames
        .map(|(frame, pose)| {
            world.update(clip.skeleton(), pose);
            let (mut sum, mut all) = (0.0, 0.0);
            for &contact in down.get(frame) {
                let Contact { joint, frames } = &contacts[contact];
                let share = settled_at(frames, frame, clip.n_frames(), come);
                sum += share * (rests[contact] - up.along(&world.positions[*joint]));
                all += share;
            }
            sum / f64::max(all, 1.0)
        })
        .collect()
}
