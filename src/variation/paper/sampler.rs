//! Unrolling the networks of the paper (section 6), frame after frame.

use std::sync::Arc;

use super::PaperModel;
use super::kernel::{Moment, Scratch, regress};
use crate::numerics::random::Stream;
use crate::variation::error::LearnError;
use crate::variation::settings::SampleSettings;
use crate::variation::takes::{Examples, MotionType};

/// A motion with an end is cut off here at the latest, in mean lengths of the takes.
const LONGEST: f64 = 4.0;
/// Progress grows by so much of its mean at least, and at most.
const PACE: (f64, f64) = (0.5, 2.0);
/// Standard deviation of the pace, which the paper does not have; it wanders with this memory from frame to frame.
const PACE_SPREAD: f64 = 0.08;
const PACE_MEMORY: f64 = 0.95;

/// Makes one variant, a frame at a time.
#[derive(Debug, Clone)]
pub(in crate::variation) struct PaperSampler {
    model: Arc<PaperModel>,
    examples: Arc<Examples>,
    settings: SampleSettings,
    stream: Stream,
    before: Vec<f64>,
    now: Vec<f64>,
    progress: f64,
    pace: f64,
    n_made: usize,
    scratch: Scratch,
}

impl PaperSampler {
    pub(in crate::variation) fn new(
        model: &Arc<PaperModel>,
        examples: &Arc<Examples>,
        settings: &SampleSettings,
        variant: u64,
    ) -> Result<Self, LearnError> {
        settings.check(examples.n_dofs())?;
        let mut stream = Stream::named(settings.seed, &[0x9A9E, variant]);
        let start = model.prior.draw(settings, &mut stream);
        let mut made = Self {
            model: Arc::clone(model),
            examples: Arc::clone(examples),
            settings: settings.clone(),
            stream,
            before: start.before,
            now: start.now,
            progress: start.progress,
            pace: 0.0,
            n_made: 0,
            scratch: Scratch::default(),
        };
        fix(&made.settings, 0, &mut made.before);
        fix(&made.settings, 1, &mut made.now);
        Ok(made)
    }

    /// The next frame, in the units of the model's takes.
    pub(in crate::variation) fn next_row(&mut self) -> &[f64] {
        self.n_made += 1;
        match self.n_made {
            1 => &self.before,
            2 => &self.now,
            _ => {
                self.advance();
                &self.now
            }
        }
    }

    /// How far along the motion is; 0 if that is not known.
    pub(in crate::variation) fn progress(&self) -> f64 {
        self.progress
    }

    /// Whether one run through the motion, or one round, is complete.
    pub(in crate::variation) fn is_over(&self) -> bool {
        let mean_frames = self.examples.n_frames() as f64 / self.examples.n_takes() as f64;
        match self.examples.motion_type() {
            MotionType::Unaligned => self.n_made as f64 >= mean_frames,
            MotionType::OneShot | MotionType::Cyclic => {
                self.progress + 0.5 * self.model.step >= self.model.end
                    || self.n_made as f64 >= LONGEST * mean_frames
            }
        }
    }

    fn advance(&mut self) {
        let model = Arc::clone(&self.model);
        let phase = self
            .examples
            .progress
            .features(self.progress, model.settings.phase_secs);
        let moment = Moment {
            before: &self.before,
            now: &self.now,
            phase,
        };
        model.network.look(moment, None, &mut self.scratch);
        let pull = model.settings.pull(self.examples.frame_secs());
        for node in 0..self.now.len() {
            let told = regress(&model.network.instances, &self.scratch, node);
            let x = self.now[node];
            let noise = self.settings.amount_of(node) * told.variance.sqrt();
            // Eq. (6): the mean change and its spread; the pull is ours.
            self.before[node] =
                x + told.change + noise * self.stream.normal() + pull * (told.now - x);
        }
        std::mem::swap(&mut self.before, &mut self.now);
        let fresh = PACE_SPREAD * (1.0 - PACE_MEMORY * PACE_MEMORY).sqrt();
        self.pace = PACE_MEMORY * self.pace + fresh * self.stream.normal();
        let pace = (self.settings.amount * self.pace).exp();
        self.progress += model.step * pace.clamp(PACE.0, PACE.1);
        let frame = self.n_made - 1;
        fix(&self.settings, frame, &mut self.now);
    }
}

/// Puts what is given in its place.
fn fix(settings: &SampleSettings, frame: usize, row: &mut [f64]) {
    for track in &settings.fixed {
        if let Some(value) = track.values.get(frame).or(track.values.last()) {
            row[track.dof] = *value;
        }
    }
}
