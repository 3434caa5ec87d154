//! Foot lock within limits: holds are relaxed where meeting them would make a knee pop or the body jerk.
//!
//! A hold that is met exactly passes on errors of the capture: when the whole body drops by centimetres for one frame,
//! a locked foot turns that into a jump of the knee; when a foot is released while it moves, or the positions of heel
//! and toe do not agree, the correction has a kink. All of these are discontinuities *of the correction*, so one
//! remedy fits: measure the solved clip against the given one, smooth the corrections around the frames that exceed a
//! limit, over a time that doubles while they still do, and solve again. The foot slides a little in those frames, as
//! it was captured; everything else stays locked.
//!
//! Shortening holds or lengthening fades were tried: each helps at the ends of holds only, and the worst pop was in the
//! middle of one.
//!
//! If smoothing is not enough, all corrections are made weaker, in the end to nothing: the given clip keeps the limits.

use super::limits::{Limits, SourceMotion};
use super::smoothing_radius::SmoothingRadius;
use super::{
    Constrained, Hold, LimbError, LimbProblem, LimbSettings, RelaxedHold, SolvedMotion, limb_of,
};
use crate::motion::{Body, Clip};

/// Rounds of smoothing. Its time doubles six times from the first to the most, and smoothing one frame can move the
/// violation to the next.
const SMOOTHING_ROUNDS: usize = 12;
/// Then the strength of all corrections, round by round.
const WEAKER: [f64; 3] = [0.5, 0.25, 0.0];
/// Corrections are smoothed over at most this time to each side. That is a whole step of a walk, so what is left
/// of a correction is hardly more than a constant distance.
const MOST_SECS: f64 = 1.0;

/// A clip that keeps to its limits.
#[derive(Debug, Clone, PartialEq)]
pub struct ConstrainedWithinLimits {
    /// The clip, with the frames at which it does not meet its holds.
    pub constrained: Constrained,
    /// Which holds were relaxed, at which frames and why; by hold.
    pub relaxed_holds: Vec<RelaxedHold>,
    /// How much of all corrections was kept: 1, unless smoothing them was not enough.
    pub strength: f64,
}

/// Meets every hold as far as the limits allow. Meant for [`super::LimbMethod::WholeCurve`]: the paper's method pops by
/// its nature, so limits would leave little of its corrections.
pub fn constrain_within_limits(
    clip: &Clip,
    holds: &[Hold],
    settings: &LimbSettings,
    limits: &Limits,
) -> Result<ConstrainedWithinLimits, LimbError> {
    constrain_within_limits_on(clip, &Body::of(clip.skeleton()), holds, settings, limits)
}

/// [`constrain_within_limits`] for a body whose limbs were found in another way than by [`Body::of`].
pub fn constrain_within_limits_on(
    clip: &Clip,
    body: &Body,
    holds: &[Hold],
    settings: &LimbSettings,
    limits: &Limits,
) -> Result<ConstrainedWithinLimits, LimbError> {
    limits.check()?;
    let work = LimbProblem::new(clip, body, holds, settings)?;
    let relaxed = relaxed(&work, limits);
    Ok(ConstrainedWithinLimits {
        relaxed_holds: relaxed_holds(&work, &relaxed.radii),
        constrained: work.finish(relaxed.solved)?,
        strength: relaxed.strength,
    })
}

/// Poses that keep limits, and what that took.
pub(super) struct Relaxed {
    pub(super) solved: SolvedMotion,
    /// One for each plan.
    radii: Vec<SmoothingRadius>,
    strength: f64,
}

/// Solves, and smooths corrections around what exceeds a limit, until nothing does.
pub(super) fn relaxed(work: &LimbProblem<'_>, limits: &Limits) -> Relaxed {
    let clip = work.clip;
    let given = SourceMotion::of(clip, work.body, &work.plans, *limits);
    let firm = SmoothingRadius::none(clip.n_frames(), clip.fps(), MOST_SECS);
    let mut radii = vec![firm; work.plans.len()];
    let mut plans = work.plans.clone();
    let mut strength = 1.0;
    let mut weaker = WEAKER.iter();
    let mut round = 0;
    let solved = loop {
        let solved = work.solve(&plans);
        let violations = given.violations(&solved);
        if violations.is_empty() {
            break solved;
        }
        if round < SMOOTHING_ROUNDS {
            for (idx, radii) in radii.iter_mut().enumerate() {
                let own = violations
                    .iter()
                    .filter(|b| b.plan.is_none_or(|p| p == idx));
                radii.widen(own.map(|b| (b.frame, b.why)));
            }
        } else if let Some(next) = weaker.next() {
            strength = *next;
        } else {
            break solved;
        }
        round += 1;
        let both = work.plans.iter().zip(&radii);
        plans = both
            .map(|(plan, radii)| plan.smoothed(radii, strength))
            .collect();
    };
    Relaxed {
        solved,
        radii,
        strength,
    }
}

/// The stretches of holds at which their limb gives way, one for each reason.
fn relaxed_holds(work: &LimbProblem<'_>, radii: &[SmoothingRadius]) -> Vec<RelaxedHold> {
    let skeleton = work.clip.skeleton();
    let mut all = Vec::new();
    for (idx, hold) in work.holds.iter().enumerate() {
        let limb = limb_of(skeleton, work.body, hold.site);
        let plan = work
            .plans
            .iter()
            .position(|p| limb.is_some_and(|l| l.end == p.limb.end));
        let Some(radii) = plan.map(|p| &radii[p]) else {
            continue;
        };
        let mut frame = hold.frames.start;
        while frame < hold.frames.end {
            let why = radii.why(frame);
            let ahead = frame..hold.frames.end;
            let end = frame + ahead.take_while(|f| radii.why(*f) == why).count();
            all.extend(why.map(|why| RelaxedHold {
                hold: idx,
                frames: frame..end,
                why,
            }));
            frame = end;
        }
    }
    all
}
