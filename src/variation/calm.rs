//! Calm: smooth takes get variants as smooth as they are.
//!
//! Neighbours come and go from frame to frame, and every exchange is a small jolt. In captured motion that is less than the
//! liveliness of the capture; but keyed or filtered takes are smoother than that, and their variants would tremble
//! beside them. There every frame is averaged with the ones around it, by a bell as wide as calibration
//! asks for ([`super::Manner::calms`]); takes with the jerk of captures ask for none. A stream stays a stream: it runs a
//! few frames ahead of what it shows.

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
    /// Of a frame and the ones to either side of it, further and further; together they add up to 1.
    bell: Vec<f64>,
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
    row: Vec<f64>,
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
            bell: bell(model.manner().calm(settings.amount)),
            frames: VecDeque::new(),
            n_behind: 0,
            row: Vec::new(),
            n_shown: 0,
        })
    }

    /// The next frame, in the units of the model's takes.
    pub fn next_row(&mut self) -> &[f64] {
        let reach = self.bell.len() - 1;
        if self.n_shown > 0 {
            self.n_behind += 1;
        }
        while self.frames.len() <= self.n_behind + reach {
            let row = self.source.next_row().to_vec();
            self.frames.push_back(Frame {
                row,
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
        let now = &self.frames[self.n_behind].row;
        self.row.clear();
        self.row.extend(now.iter().map(|x| self.bell[0] * x));
        for (away, &weight) in self.bell.iter().enumerate().skip(1) {
            let after = &self.frames[self.n_behind + away].row;
            // Before the first frame the motion is its own mirror image, so that it starts where it did.
            let before = match self.n_behind.checked_sub(away) {
                Some(at) => &self.frames[at].row,
                None => &self.mirrored(away),
            };
            let both = after.iter().zip(before);
            for (sum, (after, before)) in self.row.iter_mut().zip(both) {
                *sum += weight * (after + before);
            }
        }
    }

    /// The frame so far before that of now, when that is before the first.
    fn mirrored(&self, away: usize) -> Vec<f64> {
        let first = &self.frames[0].row;
        let other = &self.frames[away - self.n_behind].row;
        first.iter().zip(other).map(|(f, o)| 2.0 * f - o).collect()
    }
}

/// Rows of a table averaged in the same way, as far as all of their neighbours are known.
pub(super) fn averaged(rows: &[f64], n: usize, calm: f64) -> Vec<f64> {
    let bell = bell(calm);
    let reach = bell.len() - 1;
    let mut averaged = Vec::with_capacity(rows.len());
    for around in rows.windows((2 * reach + 1) * n).step_by(n) {
        let at = |row: usize, dof: usize| around[row * n + dof];
        averaged.extend((0..n).map(|dof| {
            let beside = |away: usize| at(reach - away, dof) + at(reach + away, dof);
            let sides: f64 = (1..=reach).map(|away| bell[away] * beside(away)).sum();
            bell[0] * at(reach, dof) + sides
        }));
    }
    averaged
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
        let table: Vec<f64> = (0..20)
            .flat_map(|i| [f64::from(i), f64::from(i % 2)])
            .collect();
        let calm = averaged(&table, 2, 1.0);
        assert_eq!(calm.len(), 2 * 14, "three rows less at both ends");
        for (row, pair) in calm.chunks_exact(2).enumerate() {
            assert!((pair[0] - (row + 3) as f64).abs() < 1e-12, "{pair:?}");
            assert!((pair[1] - 0.5).abs() < 0.05, "{pair:?}");
        }
    }
}
