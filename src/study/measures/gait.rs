//! When the feet come down against each other.
//!
//! The lag of a step is the time from one foot's touch-down to the other's as a share of the cycle, from a touch-down to the next one
//! of the same foot, or of the clip's length where there is only one: half a cycle in an even walk, nothing in a jump with both feet. Real walks scatter by some
//! percent; noise and cheap blending scatter more, and loops of one cycle do not scatter at all.

use std::f64::consts::TAU;

use crate::motion::contacts::{self, ContactParts, ContactSettings};
use crate::motion::{Body, Clip};

/// A step of one clip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Lag {
    /// Share of the cycle, 0 to 1.
    pub(super) share: f64,
    /// Frame at which the second foot comes down.
    pub(super) frame: usize,
}

/// The lags of all steps of a clip: from touch-downs of its first leg to the next one of its second leg.
pub(super) fn lags(clip: &Clip) -> Vec<Lag> {
    let settings = ContactSettings {
        parts: ContactParts::Feet,
        ..ContactSettings::default()
    };
    let body = Body::of(clip.skeleton());
    let [first, second] = body.legs.as_slice() else {
        return Vec::new();
    };
    let Ok(found) = contacts::detect(clip, &settings) else {
        return Vec::new();
    };
    let touch_downs = |joints: [Option<usize>; 2]| {
        let own = found
            .contacts
            .iter()
            .filter(|c| joints.contains(&Some(c.joint)));
        let mut spans: Vec<_> = own.map(|c| c.frames.clone()).collect();
        spans.sort_by_key(|span| span.start);
        let mut downs: Vec<usize> = Vec::new();
        let mut end = 0;
        for span in spans {
            // A foot that stands when the clip begins did not come down in it, and heel and toe are one foot.
            if span.start > end {
                downs.push(span.start);
            }
            end = end.max(span.end);
        }
        downs
    };
    let first = touch_downs([Some(first.end), first.toe]);
    let second = touch_downs([Some(second.end), second.toe]);
    let steps = first.iter().enumerate().filter_map(|(at, &from)| {
        let cycle = first
            .get(at + 1)
            .map_or(clip.n_frames(), |next| next - from);
        // In a single cycle the second foot may have come down before the first.
        let after = second.iter().copied().find(|&to| to >= from);
        let to = after.or_else(|| second.first().map(|&to| to + clip.n_frames()))?;
        Some(Lag {
            share: ((to - from) as f64 / cycle as f64).rem_euclid(1.0),
            frame: to % clip.n_frames(),
        })
    });
    steps.collect()
}

/// Mean direction of shares on a circle, and how long the mean is: 1 if all agree.
pub(super) fn circular_mean(shares: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let (mut sin, mut cos, mut n) = (0.0, 0.0, 0.0);
    for share in shares {
        let (s, c) = (TAU * share).sin_cos();
        (sin, cos, n) = (sin + s, cos + c, n + 1.0);
    }
    (n > 0.0).then(|| {
        let share = (f64::atan2(sin, cos) / TAU).rem_euclid(1.0);
        (share, f64::hypot(sin, cos) / n)
    })
}

/// Circular standard deviation of shares (Mardia), in cycles; none for fewer than two.
pub(super) fn spread(shares: &[f64]) -> Option<f64> {
    let (_, length) = circular_mean(shares.iter().copied()).filter(|_| shares.len() > 1)?;
    Some((-2.0 * length.clamp(1e-9, 1.0).ln()).max(0.0).sqrt() / TAU)
}
