//! The examples aligned in time, and the moment of effect: when the fist or foot is furthest from where it rests.
//!
//! Time warping of whole bodies brings the strokes of punches and kicks together within a few frames. That is not
//! enough: blended a few frames apart, strokes do not reach as far as any of them. So each example's own furthest
//! moment is put at exactly the same phase, by a smooth correction of its warp.
//!
//! Furthest from rest was chosen by looking at captured punches and kicks of two people: speed has its minimum there
//! within two frames of 1/60 s. Extension of the limb alone will not do, as a leg is straight before a kick, too. The
//! body's own travel is taken off, so that an action may end elsewhere.

use super::cubic::Cubic;
use crate::motion::alignment::Aligned;
use crate::motion::{Clip, HeadingFrame, Site, Vec3, WorldPose};
use crate::numerics::smoothing::running_mean;

/// More phases than these make no motion of a body smoother.
const MAX_PHASES: usize = 600;
/// Fewer would cut corners of short clips.
const MIN_PHASES: usize = 24;
/// Warps are averaged over this share of the phase to both sides, twice. Time warping changes its pace from frame to
/// frame, and what is blended at another pace than its own jerks: over eight sets of punches and kicks the jerk of
/// blends over that of the examples falls from 0.92 to 0.82 in the middle. Moments of effect are set apart from this.
const SMOOTH: f64 = 0.06;
/// An example's furthest moment is looked for within this share of the phase about that of all.
const WINDOW: f64 = 0.12;

/// For each example its moments, in frames, on the common phase.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct AlignedExamples {
    /// Example by example, one for each phase; never turning back.
    pub(super) moments: Vec<Vec<f64>>,
    /// The phase of effect.
    pub(super) effect: usize,
}

impl AlignedExamples {
    pub(super) fn n_phases(&self) -> usize {
        self.moments[0].len()
    }

    /// Finds the moment of effect, or takes the one given as a share of the phase.
    pub(super) fn new(
        examples: &[&Clip],
        frame: &HeadingFrame,
        site: Site,
        aligned: &Aligned,
        given: Option<f64>,
    ) -> Self {
        let longest = examples.iter().map(|c| c.n_frames()).max().unwrap_or(0);
        let n = longest.clamp(MIN_PHASES, MAX_PHASES);
        let half = (SMOOTH * n as f64).round() as usize;
        let moments: Vec<Vec<f64>> = aligned
            .warps
            .iter()
            .map(|warp| running_mean(&running_mean(&respaced(warp, n), half), half))
            .collect();
        let last = (n - 1) as f64;
        if let Some(share) = given {
            let effect = (share * last).round() as usize;
            return Self { moments, effect };
        }
        let reaches: Vec<Vec<f64>> = examples
            .iter()
            .zip(&moments)
            .map(|(clip, moments)| {
                let reach = reach(clip, frame, site);
                let read = |m: &f64| Cubic::at(*m, reach.len()).number(|f| reach[f]);
                moments.iter().map(read).collect()
            })
            .collect();
        let together: Vec<f64> = (0..n)
            .map(|phase| reaches.iter().map(|r| r[phase]).sum())
            .collect();
        let effect = furthest(&together, 0, n);
        let window = (WINDOW * last).ceil() as usize;
        let corrected = moments.iter().zip(&reaches).map(|(moments, reach)| {
            let from = effect.saturating_sub(window);
            let own = furthest(reach, from, (effect + window + 1).min(n));
            moved(moments, effect, own)
        });
        Self {
            moments: corrected.collect(),
            effect,
        }
    }
}

/// How far the site is from where it was at first, at every frame, the travel of the body taken off.
fn reach(clip: &Clip, frame: &HeadingFrame, site: Site) -> Vec<f64> {
    let skeleton = clip.skeleton();
    let up = frame.up.vector();
    let mut world = WorldPose::of(skeleton, clip.frame(0));
    let places: Vec<Vec3> = clip
        .frames()
        .map(|pose| {
            world.update(skeleton, pose);
            let root = world.positions[frame.root];
            world.site(skeleton, site) - (root - up * up.dot(&root))
        })
        .collect();
    places.iter().map(|p| (p - places[0]).norm()).collect()
}

/// Where a curve is highest; the first of equals.
fn furthest(curve: &[f64], from: usize, to: usize) -> usize {
    let mut best = from;
    for at in from..to {
        if curve[at] > curve[best] {
            best = at;
        }
    }
    best
}

/// A warp on another number of phases.
fn respaced(warp: &[f64], n: usize) -> Vec<f64> {
    let step = (warp.len() - 1) as f64 / (n - 1) as f64;
    let mut before = 0.0;
    let end = warp.last().copied().unwrap_or(0.0);
    (0..n)
        .map(|phase| {
            let moment = Cubic::at(phase as f64 * step, warp.len()).number(|i| warp[i]);
            // Curves may swing a little where a warp bends; time must not run back.
            before = moment.clamp(before, end);
            before
        })
        .collect()
}

/// The warp with what is now at phase `own` put at phase `effect`; the ends stay.
fn moved(moments: &[f64], effect: usize, own: usize) -> Vec<f64> {
    let n = moments.len();
    let (effect, last) = (effect as f64, (n - 1) as f64);
    // Steeper, and the smooth correction would turn time back: 1.5 is its largest slope.
    let room = effect.min(last - effect) / 1.6;
    let shift = (own as f64 - effect).clamp(-room, room);
    (0..n)
        .map(|phase| {
            let phase = phase as f64;
            let share = if phase < effect {
                phase / effect
            } else if last > effect {
                (last - phase) / (last - effect)
            } else {
                1.0
            };
            let eased = share * share * (3.0 - 2.0 * share);
            let at = (phase + shift * eased).clamp(0.0, last);
            let (before, part) = (at as usize, at.fract());
            let after = (before + 1).min(n - 1);
            moments[before] + (moments[after] - moments[before]) * part
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moved_warp_keeps_its_ends_and_never_turns_back() {
        let even: Vec<f64> = (0..101).map(f64::from).collect();
        for (effect, own) in [(50, 56), (50, 41), (30, 30), (10, 22), (0, 5), (100, 93)] {
            let warp = moved(&even, effect, own);
            assert_eq!((warp[0], warp[100]), (0.0, 100.0), "{effect} {own}");
            assert!(warp.windows(2).all(|w| w[1] >= w[0]), "{effect} {own}");
            if (30..=70).contains(&effect) {
                assert_eq!(warp[effect], own as f64);
            }
        }
    }

    #[test]
    fn a_respaced_warp_is_the_same_curve() {
        let warp = [0.0, 2.0, 2.0, 2.0, 7.0, 8.0];
        let more = respaced(&warp, 51);
        assert_eq!((more[0], more[50]), (0.0, 8.0));
        assert!(more.windows(2).all(|w| w[1] >= w[0]), "{more:?}");
        assert_eq!(more[40], 7.0);
    }
}
