//! Calm: smooth takes get variants as smooth as they are.
//!
//! Neighbours come and go from frame to frame, and every exchange is a small jolt. In captured motion that is less than the
//! liveliness of the capture; but keyed or filtered takes are smoother than that, and their variants would tremble
//! beside them. There every value is averaged with the ones around it, by a bell as wide as calibration
//! asks for ([`super::Manner::calms`]); joints with the jerk of captures ask for none. Where takes are in step it is the way off
//! their mean that is averaged: the mean is smooth, and averaging would take its peaks away. A stream stays a stream: it
//! runs a few frames ahead of what it shows.

use std::collections::VecDeque;
use std::sync::Arc;

use super::error::LearnError;
use super::model::Model;
use super::sample::{Unrolled, fix};
use super::settings::SampleSettings;

/// The bell ends after so many standard deviations.
const REACH: f64 = 2.5;

/// Makes one variant, a frame at a time.
#[derive(Debug, Clone)]
pub struct Sampler {
    source: Unrolled,
    settings: SampleSettings,
    /// Of a frame and the ones to either side of it, further and further, by degree of freedom; together they add up to 1.
    bells: Vec<Vec<f64>>,
    /// The frame of now and those within reach: `ahead.len() - 1` later ones at the back.
    frames: VecDeque<Frame>,
    /// How many of these lie before the frame of now.
    n_behind: usize,
    row: Vec<f64>,
    /// Frames shown so far.
    n_shown: usize,
}

/// What is known of a frame when it is made.
#[derive(Debug, Clone)]
struct Frame {
    /// What is averaged.
    off: Vec<f64>,
    /// What is not.
    means: Vec<f64>,
    expected: Vec<f64>,
    progress: f64,
    pace: f64,
    is_over: bool,
}

impl Sampler {
    pub(super) fn new(
        model: &Arc<Model>,
        settings: &SampleSettings,
        variant: u64,
    ) -> Result<Self, LearnError> {
        Ok(Self {
            source: Unrolled::new(model, settings, variant)?,
            settings: settings.clone(),
            bells: bells(&model.manner().calm(settings.amount)),
            frames: VecDeque::new(),
            n_behind: 0,
            row: Vec::new(),
            n_shown: 0,
        })
    }

    /// The next frame, in the units of the model's takes.
    pub fn next_row(&mut self) -> &[f64] {
        let reach = self.bells.len() - 1;
        if self.n_shown > 0 {
            self.n_behind += 1;
        }
        while self.frames.len() <= self.n_behind + reach {
            let mut off = self.source.next_row().to_vec();
            let means = self.source.means().to_vec();
            for (off, mean) in off.iter_mut().zip(&means) {
                *off -= mean;
            }
            self.frames.push_back(Frame {
                off,
                means,
                expected: self.source.expected().to_vec(),
                progress: self.source.progress(),
                pace: self.source.pace(),
                is_over: self.source.is_over(),
            });
        }
        if self.n_behind > reach {
            self.frames.pop_front();
            self.n_behind -= 1;
        }
        self.average();
        fix(&self.settings, self.n_shown, &mut self.row);
        self.n_shown += 1;
        &self.row
    }

    /// What the network expected in the last frame, before anything varied: near to this constraints are met.
    pub fn expected(&self) -> &[f64] {
        &self.frames[self.n_behind].expected
    }

    /// How far along the motion is, 0 to 1; beyond 1 for further rounds of a cycle. 0 if that is not known.
    pub fn progress(&self) -> f64 {
        self.frames[self.n_behind].progress
    }

    /// By how much the last frame moved on against the usual pace there.
    pub fn pace(&self) -> f64 {
        self.frames[self.n_behind].pace
    }

    /// Whether one run through the motion, or one round, is complete.
    pub fn is_over(&self) -> bool {
        self.frames[self.n_behind].is_over
    }

    fn average(&mut self) {
        let now = &self.frames[self.n_behind].off;
        self.row.clear();
        let shares = now.iter().zip(&self.bells[0]);
        self.row.extend(shares.map(|(x, share)| share * x));
        for (away, shares) in self.bells.iter().enumerate().skip(1) {
            let after = &self.frames[self.n_behind + away].off;
            // Before the first frame the motion is its own mirror image, so that it starts where it did.
            let before = match self.n_behind.checked_sub(away) {
                Some(at) => &self.frames[at].off,
                None => &self.mirrored(away),
            };
            let both = after.iter().zip(before).zip(shares);
            for (sum, ((after, before), share)) in self.row.iter_mut().zip(both) {
                *sum += share * (after + before);
            }
        }
        for (sum, mean) in self.row.iter_mut().zip(&self.frames[self.n_behind].means) {
            *sum += mean;
        }
    }

    /// The frame so far before that of now, when that is before the first.
    fn mirrored(&self, away: usize) -> Vec<f64> {
        let first = &self.frames[0].off;
        let other = &self.frames[away - self.n_behind].off;
        first.iter().zip(other).map(|(f, o)| 2.0 * f - o).collect()
    }
}

/// A curve averaged in the same way, as far as all of its neighbours are known.
pub(super) fn averaged(curve: &[f64], calm: f64) -> Vec<f64> {
    let bell = bell(calm);
    let reach = bell.len() - 1;
    let around = curve.windows(2 * reach + 1);
    around
        .map(|around| {
            let beside = |away: usize| around[reach - away] + around[reach + away];
            let sides: f64 = (1..=reach).map(|away| bell[away] * beside(away)).sum();
            bell[0] * around[reach] + sides
        })
        .collect()
}

/// A curve averaged in the same way from end to end: near its ends over fewer frames, to both sides equally far, so that
/// nothing is dragged along.
pub(super) fn averaged_to_ends(curve: &[f64], calm: f64) -> Vec<f64> {
    let bell = bell(calm);
    let last = curve.len().saturating_sub(1);
    (0..curve.len())
        .map(|at| {
            let side = (bell.len() - 1).min(at).min(last - at);
            let beside = |away: usize| curve[at - away] + curve[at + away];
            let sum: f64 = (1..=side).map(|away| bell[away] * beside(away)).sum();
            let all = bell[0] + 2.0 * bell[1..=side].iter().sum::<f64>();
            (bell[0] * curve[at] + sum) / all
        })
        .collect()
}

/// Bells of these deviations beside each other: by distance, then by degree of freedom.
fn bells(deviations_frames: &[f64]) -> Vec<Vec<f64>> {
    let each: Vec<Vec<f64>> = deviations_frames.iter().map(|&d| bell(d)).collect();
    let reach = each.iter().map(Vec::len).max().unwrap_or(1);
    let share = |bell: &Vec<f64>, away: usize| bell.get(away).copied().unwrap_or(0.0);
    (0..reach)
        .map(|away| each.iter().map(|bell| share(bell, away)).collect())
        .collect()
}

/// One half of a normal distribution with this deviation in frames, from the middle on; all of it adds up to 1.
fn bell(deviation_frames: f64) -> Vec<f64> {
    let reach = (REACH * deviation_frames).ceil() as usize;
    let height = |away: usize| (-0.5 * (away as f64 / deviation_frames).powi(2)).exp();
    let mut half: Vec<f64> = (1..=reach).map(height).collect();
    half.insert(0, 1.0);
    let all = 2.0 * half.iter().sum::<f64>() - 1.0;
    for weight in &mut half {
        *weight /= all;
    }
    half
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bell_adds_up_to_one_and_none_is_a_single_frame() {
        assert_eq!(bell(0.0), [1.0], "nothing to average");
        let half = bell(1.4);
        assert_eq!(half.len(), 5, "reaches 3.5 frames, so four");
        let all = half[0] + 2.0 * half[1..].iter().sum::<f64>();
        assert!((all - 1.0).abs() < 1e-12, "adds up to {all}");
        assert!(half.is_sorted_by(|a, b| a > b), "falls: {half:?}");
    }

    #[test]
    fn straight_lines_stay_and_zigzags_are_calmed() {
        let line: Vec<f64> = (0..20).map(f64::from).collect();
        let calm = averaged(&line, 1.0);
        assert_eq!(calm.len(), 14, "three less at both ends");
        for (at, value) in calm.iter().enumerate() {
            assert!((value - (at + 3) as f64).abs() < 1e-12, "{value} at {at}");
        }
        let zigzag: Vec<f64> = (0..20).map(|i| f64::from(i % 2)).collect();
        let calm = averaged(&zigzag, 1.0);
        assert!(calm.iter().all(|x| (x - 0.5).abs() < 0.05), "{calm:?}");
    }

    #[test]
    fn averaging_to_the_ends_keeps_them_where_they_are() {
        let line: Vec<f64> = (0..20).map(f64::from).collect();
        let calm = averaged_to_ends(&line, 2.0);
        let off = line.iter().zip(&calm).map(|(a, b)| (a - b).abs());
        assert!(off.fold(0.0, f64::max) < 1e-12, "{calm:?}");
        let zigzag: Vec<f64> = (0..20).map(|i| f64::from(i % 2)).collect();
        let calm = averaged_to_ends(&zigzag, 2.0);
        assert_eq!(calm[0], 0.0, "its own place");
        assert!((calm[10] - 0.5).abs() < 0.01, "{}", calm[10]);
        assert!(averaged_to_ends(&[], 2.0).is_empty());
    }

    #[test]
    fn bells_of_several_widths_stand_beside_each_other() {
        let both = bells(&[0.0, 1.4]);
        assert_eq!(both.len(), 5, "as far as the widest reaches");
        assert_eq!(both[0][0], 1.0, "nothing to average");
        assert!(both[1..].iter().all(|shares| shares[0] == 0.0));
        assert_eq!(both.iter().map(|s| s[1]).collect::<Vec<_>>(), bell(1.4));
    }
}
