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
use super::plan::LimbPlan;
use super::soften::Softness;
use super::{Constrained, Hold, LimbError, LimbSettings, Softened, Why, Work, limb_of};
use crate::motion::{Body, Clip};

/// Rounds of smoothing: enough to double its time six times, twice over.
const SOFT_ROUNDS: usize = 12;
/// Then the strength of all corrections, round by round.
const WEAKER: [f64; 3] = [0.5, 0.25, 0.0];
/// Corrections are smoothed over at most this time to each side: a step's worth.
const MOST_SECS: f64 = 0.25;

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

/// Meets every hold as far as the limits allow. The limits are for [`super::Method::WholeCurve`]; the paper's way pops by its
/// nature and would not be left anything to do.
pub fn constrain_gently(
    clip: &Clip,
    holds: &[Hold],
    settings: &LimbSettings,
    limits: &Limits,
) -> Result<Gentle, LimbError> {
    limits.check()?;
    let work = Work::new(clip, holds, settings)?;
    let given = Given::of(clip, &work.plans, *limits);
    let mut soft: Vec<Soft> = work.plans.iter().map(|_| Soft::none(clip)).collect();
    let mut plans = work.plans.clone();
    let mut strength = 1.0;
    let mut weaker = WEAKER.iter();
    let mut round = 0;
    let solved = loop {
        let solved = work.solve(&plans);
        let breaches = given.breaches(&solved.motion);
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
        plans = eased(&work.plans, &soft, strength);
    };
    Ok(Gentle {
        softened: softened(clip, holds, &work.plans, &soft),
        constrained: work.finish(solved)?,
        strength,
    })
}

/// How one limb gives way.
struct Soft {
    softness: Softness,
    /// What it was for, frame by frame; the last reason stays.
    why: Vec<Option<Why>>,
}

impl Soft {
    fn none(clip: &Clip) -> Self {
        Self {
            softness: Softness::none(clip.n_frames(), clip.fps(), MOST_SECS),
            why: vec![None; clip.n_frames()],
        }
    }

    fn widen(&mut self, moments: impl Iterator<Item = (usize, Why)>) {
        let mut frames = Vec::new();
        for (frame, why) in moments {
            self.why[frame] = Some(why);
            frames.push(frame);
        }
        frames.sort_unstable();
        frames.dedup();
        self.softness.widen(&frames);
    }

    /// The reason nearest to a soft frame.
    fn why_near(&self, frame: usize) -> Option<Why> {
        let after = self.why[frame..].iter().position(Option::is_some);
        let before = self.why[..frame].iter().rev().position(Option::is_some);
        let before_is_nearer = before.is_some_and(|b| after.is_none_or(|a| b + 1 < a));
        let at = if before_is_nearer {
            before.map(|b| frame - 1 - b)
        } else {
            after.map(|a| frame + a)
        };
        at.and_then(|at| self.why[at])
    }
}

fn eased(plans: &[LimbPlan], soft: &[Soft], strength: f64) -> Vec<LimbPlan> {
    let eased = plans.iter().zip(soft);
    eased
        .map(|(plan, soft)| plan.eased(&soft.softness, strength))
        .collect()
}

/// The stretches of holds at which their limb is soft.
fn softened(clip: &Clip, holds: &[Hold], plans: &[LimbPlan], soft: &[Soft]) -> Vec<Softened> {
    let skeleton = clip.skeleton();
    let body = Body::of(skeleton);
    let mut all = Vec::new();
    for (idx, hold) in holds.iter().enumerate() {
        let limb = limb_of(skeleton, &body, hold.site);
        let plan = plans
            .iter()
            .position(|p| limb.is_some_and(|l| l.end == p.limb.end));
        let Some(soft) = plan.map(|p| &soft[p]) else {
            continue;
        };
        let mut frame = hold.frames.start;
        while frame < hold.frames.end {
            let n_soft = (frame..hold.frames.end)
                .take_while(|f| soft.softness.is_soft(*f))
                .count();
            if let Some(why) = (n_soft > 0).then(|| soft.why_near(frame)).flatten() {
                all.push(Softened {
                    hold: idx,
                    frames: frame..frame + n_soft,
                    why,
                });
            }
            frame += n_soft + 1;
        }
    }
    all
}
