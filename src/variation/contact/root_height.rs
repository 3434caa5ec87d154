//! The body settles on the legs that stand.
//!
//! A variant's height is drawn beside its legs, as its path is ([`super::root_follow`]), and does not quite agree with them. Held to
//! the floor, legs that are too long bend their knees, and legs that are too short pull the body down, which bends the other
//! knee: variants stood with bent knees. So the body is raised and lowered first, smoothly, to where its legs stand as they were
//! drawn.
//!
//! A body that hardly goes up and down in the takes has no height in the model at all. Its legs bend a little all the time
//! nevertheless, and under a body that stays they could not, and would be stiller than anyone who stands. There the body goes
//! along with every frame.

use std::ops::Range;
use std::sync::Arc;

use crate::motion::chart::DofKind;
use crate::motion::contacts::at_frame::AtFrame;
use crate::motion::limb::HoldPosition;
use crate::motion::{ChartError, Clip, Contact, DofChart, WorldPose, foot_slide};
use crate::numerics::smoothing::{Ends, smoothed};
use crate::variation::error::LearnError;

/// A foot begins to carry the body, and ceases to, within this time.
const COME_SECS: f64 = 0.1;
/// A body that has a height of its own follows its legs over this time.
const SMOOTH_SECS: f64 = 0.05;

/// The clip with its whole body raised and lowered so that what stands hardly rises or sinks.
pub(in crate::variation) fn body_settles(
    clip: Clip,
    chart: &DofChart,
    contacts: &[Contact],
) -> Result<Clip, LearnError> {
    let has_height = chart.dofs().iter().any(|dof| dof.kind == DofKind::Height);
    let smooth_secs = if has_height { SMOOTH_SECS } else { 0.0 };
    let lifts = smoothed(
        &lifts(&clip, contacts),
        smooth_secs / clip.frame_secs(),
        Ends::Hold,
    );
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
            HoldPosition::Point(place) => up.along(place),
            HoldPosition::Path(way) => way.first().map_or(0.0, |place| up.along(place)),
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

/// How long a contact has lasted at one of its frames, and will last: smoothly up to 1 within so many frames. Before the first
/// frame and after the last the body stood as well.
fn settled_at(contact: &Range<usize>, frame: usize, n_frames: usize, ease: f64) -> f64 {
    let since = if contact.start == 0 {
        f64::INFINITY
    } else {
        (frame - contact.start) as f64 + 0.5
    };
    let until = if contact.end >= n_frames {
        f64::INFINITY
    } else {
        (contact.end - frame) as f64 - 0.5
    };
    let u = (since.min(until) / ease).clamp(0.0, 1.0);
    u * u * (3.0 - 2.0 * u)
}
