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

use super::sway::Stance;
use crate::motion::chart::DofKind;
use crate::motion::contacts::at_frame::AtFrame;
use crate::motion::limb::limb_of;
use crate::motion::{
    Axis, Body, ChartError, Clip, Contact, DofChart, Limb, Vec3, WorldPose, foot_slide,
};
use crate::numerics::smoothing::{Ends, smoothed};
use crate::variation::error::LearnError;

/// A foot begins to carry the body, and ceases to, within this time.
const COME_SECS: f64 = 0.1;
/// A body that has a height of its own follows its legs over this time.
const SMOOTH_SECS: f64 = 0.05;
/// A foot that is about to come or go carries the body by at least this share.
const STANDING: f64 = 0.05;

/// The clip with its whole body raised and lowered so that what stands hardly rises or sinks.
pub(in crate::variation) fn body_settles(
    clip: Clip,
    chart: &DofChart,
    stance: &Stance,
) -> Result<Clip, LearnError> {
    let has_height = chart.dofs().iter().any(|dof| dof.kind == DofKind::Height);
    let smooth_secs = if has_height { SMOOTH_SECS } else { 0.0 };
    let lifts = smoothed(
        &filled(&lifts(&clip, stance)),
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

/// Where nothing stands, on the way from what was to what comes: straight, so that who leaps still falls freely.
fn filled(lifts: &[Option<f64>]) -> Vec<f64> {
    let known: Vec<(usize, f64)> = lifts
        .iter()
        .enumerate()
        .filter_map(|(frame, lift)| lift.map(|l| (frame, l)))
        .collect();
    (0..lifts.len())
        .map(|frame| {
            let next = known.partition_point(|(at, _)| *at < frame);
            match (next.checked_sub(1).map(|i| known[i]), known.get(next)) {
                (Some((from, a)), Some(&(to, b))) => {
                    a + (b - a) * (frame - from) as f64 / (to - from) as f64
                }
                (Some((_, only)), None) | (None, Some(&(_, only))) => only,
                (None, None) => 0.0,
            }
        })
        .collect()
}

/// By frame, how far the body has to be raised for its legs to be as long as they were drawn; none where nothing stands.
fn lifts(clip: &Clip, stance: &Stance) -> Vec<Option<f64>> {
    let up = clip.info.up;
    let holds = foot_slide::holds_moving(clip, &stance.contacts, &stance.sways);
    let body = Body::of(clip.skeleton());
    let legs: Vec<Option<&Limb>> = holds
        .iter()
        .map(|hold| limb_of(clip.skeleton(), &body, hold.site))
        .collect();
    let come = COME_SECS / clip.frame_secs();
    let down = AtFrame::of(&stance.contacts, clip.n_frames());
    let mut world = WorldPose::of(clip.skeleton(), clip.frame(0));
    let frames = clip.frames().enumerate();
    frames
        .map(|(frame, pose)| {
            world.update(clip.skeleton(), pose);
            let (mut sum, mut all) = (0.0, 0.0);
            for &contact in down.get(frame) {
                let Contact { joint, frames } = &stance.contacts[contact];
                let share = settled_at(frames, frame, clip.n_frames(), come).max(STANDING);
                let place = world.positions[*joint];
                let rest = holds[contact].at_frame(frame).unwrap_or(place);
                let leg = legs[contact].map(|l| [l.upper, l.end].map(|j| world.positions[j]));
                sum += share * lift(up, leg, rest - place);
                all += share;
            }
            (all > 0.0).then(|| sum / all)
        })
        .collect()
}

/// By how much a leg from hip to ankle has to be raised so that it is as long as it was drawn when its foot is moved. Less, and
/// the knee would bend; more, and it could not reach.
fn lift(up: Axis, leg: Option<[Vec3; 2]>, moved: Vec3) -> f64 {
    let level = up.along(&moved);
    let Some([hip, ankle]) = leg else {
        return level;
    };
    let (drawn, needed) = (ankle - hip, ankle + moved - hip);
    let below = up.along(&needed);
    let aside = (needed - up.vector() * below).norm_squared();
    let room = drawn.norm_squared() - aside;
    // A leg that lies rather than stands cannot raise a body.
    if room > 0.25 * drawn.norm_squared() && below < 0.0 {
        below + room.sqrt()
    } else {
        level
    }
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
