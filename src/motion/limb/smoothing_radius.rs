//! How far a correction may be smoothed over time, frame by frame.
//!
//! Where the radius is zero a correction is left exactly as it is. Elsewhere it becomes a weighted mean over the frames
//! around, so kinks, jumps and single frames that stand out of it are evened out.

use super::RelaxReason;
use crate::motion::Vec3;
use crate::numerics::smoothing::triweight;

/// A radius doubles each time it is not enough, starting here. A sixtieth of a second is what a marker's jitter lasts.
const FIRST_SECS: f64 = 1.0 / 60.0;
/// No capture needs more frames than this, but a file can claim any frame rate, and time goes with the radius.
const MOST_FRAMES: f64 = 250.0;

/// The radius of smoothing at each frame of a limb.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SmoothingRadius {
    /// In frames; changes slowly from one to the next, or smoothing would make new kinks.
    radii: Vec<f64>,
    /// Why each frame is smoothed; the last reason counts.
    reasons: Vec<Option<RelaxReason>>,
    first: f64,
    most: f64,
}

impl SmoothingRadius {
    /// Nothing is smoothed yet, and never over more than `most_secs` to each side.
    pub(super) fn none(n_frames: usize, fps: f64, most_secs: f64) -> Self {
        Self {
            radii: vec![0.0; n_frames],
            reasons: vec![None; n_frames],
            first: (FIRST_SECS * fps).clamp(1.0, MOST_FRAMES),
            most: (most_secs * fps).clamp(1.0, MOST_FRAMES),
        }
    }

    /// Doubles the radius at some frames, and brings those around along.
    pub(super) fn widen(&mut self, moments: impl Iterator<Item = (usize, RelaxReason)>) {
        let before = self.radii.clone();
        for (frame, why) in moments {
            let radius = (2.0 * before[frame]).max(self.first).min(self.most);
            // Twice as wide as the mean that it allows, so the mean at its rim sees little of the change.
            let reach = (2.0 * radius).ceil() as usize;
            for at in frame.saturating_sub(reach)..(frame + reach + 1).min(before.len()) {
                let u = at.abs_diff(frame) as f64 / (reach as f64 + 1.0);
                self.radii[at] = self.radii[at].max(radius * (1.0 - u * u).powi(2));
                self.reasons[at] = Some(why);
            }
        }
    }

    /// Why a frame may deviate from its hold, if it may.
    pub(super) fn why(&self, frame: usize) -> Option<RelaxReason> {
        self.reasons[frame]
    }

    /// The curve, smoothed where it may be. Before the first and after the last frame it is taken to hold still.
    pub(super) fn smoothed(&self, curve: &[Vec3]) -> Vec<Vec3> {
        let last = curve.len().saturating_sub(1);
        let at = |frame: usize| {
            let radius = self.radii[frame];
            if radius <= 0.0 {
                return curve[frame];
            }
            let (mut sum, mut weights) = (curve[frame], 1.0);
            for i in 1..=radius.ceil() as usize {
                let u = i as f64 / (radius + 1.0);
                let weight = triweight(u);
                sum += (curve[frame.saturating_sub(i)] + curve[(frame + i).min(last)]) * weight;
                weights += 2.0 * weight;
            }
            sum / weights
        };
        (0..curve.len()).map(at).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kink() -> Vec<Vec3> {
        let height = |f: usize| f64::from(u32::try_from(f.max(60) - 60).unwrap()) * 0.1;
        (0..120).map(|f| Vec3::y() * height(f)).collect()
    }

    fn worst_jerk(curve: &[Vec3]) -> f64 {
        let third = |w: &[Vec3]| (w[3] - w[2] * 3.0 + w[1] * 3.0 - w[0]).norm();
        curve.windows(4).map(third).fold(0.0, f64::max)
    }

    #[test]
    fn a_kink_gets_rounder_with_every_widening_and_the_rest_stays() {
        let curve = kink();
        let mut radii = SmoothingRadius::none(120, 120.0, 0.1);
        assert_eq!(radii.smoothed(&curve), curve, "nothing asked");
        let mut last = worst_jerk(&curve);
        for _ in 0..3 {
            radii.widen(std::iter::once((60, RelaxReason::Jerk)));
            let smooth = radii.smoothed(&curve);
            let jerk = worst_jerk(&smooth);
            assert!(jerk < 0.5 * last, "{jerk} after {last}");
            last = jerk;
            for frame in (0..120).filter(|f| radii.why(*f).is_none()) {
                assert_eq!(
                    smooth[frame], curve[frame],
                    "frame {frame} was not asked for"
                );
            }
        }
        assert!(
            radii.why(35).is_none() && radii.why(60) == Some(RelaxReason::Jerk),
            "only around the kink"
        );
    }

    #[test]
    fn the_radius_stops_growing_and_clips_may_be_short() {
        let mut radii = SmoothingRadius::none(2, 30.0, 0.25);
        for _ in 0..100 {
            radii.widen([0, 1].into_iter().map(|f| (f, RelaxReason::KneeStep)));
        }
        let smooth = radii.smoothed(&[Vec3::zeros(), Vec3::x()]);
        assert!(
            smooth.iter().all(|v| (0.0..=1.0).contains(&v.x)),
            "a mean of both: {smooth:?}"
        );
    }
}
