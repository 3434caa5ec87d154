//! Holds that give way rather than make a body pop.
//!
//! A hold that is met to the letter passes on whatever the capture did wrong: when the whole body drops by centimetres
//! for one frame, a foot that stays turns that into a jump of the knee; when a foot is let go on the run, or the heel's
//! place and the toe's do not agree, the correction has a kink. All of these are sharp places *of the correction*, so
//! one remedy fits: measure the solved clip against the given one, smooth the corrections around the moments that
//! break a limit, over a time that doubles while they still do, and solve again. The foot slides a little for those
//! frames, with what the capture did there; everything else stays held.
//!
//! Shortening holds or lengthening fades were the other ways: each helps at the ends of holds only, and the worst pop
//! seen was in the middle of one.
//!
//! If smoothing is not enough, all corrections are made weaker, in the end to nothing: the given clip keeps the limits.

use super::limits::{Given, Limits};
use super::soften::Softness;
use super::{Constrained, Hold, LimbError, LimbSettings, Softened, Solved, Work, limb_of};
use crate::motion::{Body, Clip};

/// Rounds of smoothing. Its time doubles six times from the first to the most, and mending one moment can move the
/// trouble to the next.
const SOFT_ROUNDS: usize = 12;
/// Then the strength of all corrections, round by round.
const WEAKER: [f64; 3] = [0.5, 0.25, 0.0];
/// Corrections are smoothed over at most this time to each side. That is a whole step of a walk, so what is left
/// of a correction is hardly more than a constant distance.
const MOST_SECS: f64 = 1.0;

/// A clip that keeps to its limits.
#[derive(Debug, Clone, PartialEq)]
pub struct Gentle {
    /// The clip, with the frames at which it does not meet its holds.
    pub constrained: Constrained,
    /// Which holds had to give way, where and why; by hold.
    pub softened: Vec<Softened>,
    /// How much of all corrections was kept: 1, unless smoothing them was not enough.
    pub strength: f64,
}

/// Meets every hold as far as the limits allow. Meant for [`super::Method::WholeCurve`]: the paper's way pops by its
/// nature, so limits would leave little of what it does.
pub fn constrain_gently(
    clip: &Clip,
    holds: &[Hold],
    settings: &LimbSettings,
    limits: &Limits,
) -> Result<Gentle, LimbError> {
    constrain_gently_on(clip, &Body::of(clip.skeleton()), holds, settings, limits)
}

/// [`constrain_gently`] for a body whose limbs were found some other way than by [`Body::of`].
pub fn constrain_gently_on(
    clip: &Clip,
    body: &Body,
    holds: &[Hold],
    settings: &LimbSettings,
    limits: &Limits,
) -> Result<Gentle, LimbError> {
    limits.check()?;
    let work = Work::new(clip, body, holds, settings)?;
    let eased = eased(&work, limits);
    Ok(Gentle {
        softened: softened(&work, &eased.soft),
        constrained: work.finish(eased.solved)?,
        strength: eased.strength,
    })
}

/// Poses that keep limits, and what that took.
pub(super) struct Eased {
    pub(super) solved: Solved,
    /// One for each plan.
    soft: Vec<Softness>,
    strength: f64,
}

/// Solves, and eases corrections around what breaks a limit, until nothing does.
pub(super) fn eased(work: &Work<'_>, limits: &Limits) -> Eased {
    let clip = work.clip;
    let given = Given::of(clip, work.body, &work.plans, *limits);
    let firm = Softness::none(clip.n_frames(), clip.fps(), MOST_SECS);
    let mut soft = vec![firm; work.plans.len()];
    let mut plans = work.plans.clone();
    let mut strength = 1.0;
    let mut weaker = WEAKER.iter();
    let mut round = 0;
    let solved = loop {
        let solved = work.solve(&plans);
        let breaches = given.breaches(&solved);
        if breaches.is_empty() {
            break solved;
        }
        if round < SOFT_ROUNDS {
            for (idx, soft) in soft.iter_mut().enumerate() {
                let own = breaches.iter().filter(|b| b.plan.is_none_or(|p| p == idx));
                soft.widen(own.map(|b| (b.frame, b.why)));
            }
        } else if let Some(next) = weaker.next() {
            strength = *next;
        } else {
            break solved;
        }
        round += 1;
        let both = work.plans.iter().zip(&soft);
        plans = both
            .map(|(plan, soft)| plan.eased(soft, strength))
            .collect();
    };
    Eased {
        solved,
        soft,
        strength,
    }
}

/// The stretches of holds at which their limb gives way, one for each reason.
fn softened(work: &Work<'_>, soft: &[Softness]) -> Vec<Softened> {
    let skeleton = work.clip.skeleton();
    let mut all = Vec::new();
    for (idx, hold) in work.holds.iter().enumerate() {
        let limb = limb_of(skeleton, work.body, hold.site);
        let plan = work
            .plans
            .iter()
            .position(|p| limb.is_some_and(|l| l.end == p.limb.end));
        let Some(soft) = plan.map(|p| &soft[p]) else {
            continue;
        };
        let mut frame = hold.frames.start;
        while frame < hold.frames.end {
            let why = soft.why(frame);
            let ahead = frame..hold.frames.end;
            let end = frame + ahead.take_while(|f| soft.why(*f) == why).count();
            all.extend(why.map(|why| Softened {
                hold: idx,
                frames: frame..end,
                why,
            }));
            frame = end;
        }
    }
    all
}
