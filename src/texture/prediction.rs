//! How well a system tells what another take does next: Eqs. (6) and (7) of Gao and Hong 2007.
//!
//! The paper measures a system on the frames it was fitted to. Around a section of a clip that error is zero by
//! construction, and says nothing; here it is measured on the other takes that pass: from their first two states
//! the system predicts the rest of the way, and the distance is that of the joints' quaternions.

use std::ops::Range;

use nalgebra::DVector;

use super::corpus::Corpus;
use super::passes::{Pass, Window};
use super::system::{Deviation, System};
use crate::motion::Pose;
use crate::motion::chart::{DofKind, RootState, Start};

/// Measures states against frames of the corpus in degrees.
#[derive(Debug)]
pub(super) struct Judge<'a> {
    corpus: &'a Corpus,
    joints: Vec<usize>,
    made: Pose,
    real: Pose,
    changed: Vec<f64>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(corpus: &'a Corpus) -> Self {
        let dofs = corpus.chart.dofs();
        let of = |&d: &usize| matches!(dofs[d].kind, DofKind::Turn { .. }).then_some(dofs[d].joint);
        let mut joints: Vec<usize> = corpus.latent.dofs().iter().filter_map(of).collect();
        joints.sort_unstable();
        joints.dedup();
        let pose = Pose::rest(corpus.chart.skeleton());
        Self {
            corpus,
            joints,
            made: pose.clone(),
            real: pose,
            changed: Vec::new(),
        }
    }

    /// Root mean square over the joints of the angle between a frame and the same with its state changed, in degrees:
    /// Eq. (7) as a mean.
    pub(super) fn error_deg(&mut self, clip: usize, frame: usize, change: &DVector<f64>) -> f64 {
        let corpus = self.corpus;
        let row = corpus.clips[clip].curves.row(frame);
        self.changed.clear();
        self.changed.extend_from_slice(row);
        corpus.latent.add(&corpus.chart, change, &mut self.changed);
        let changed = std::mem::take(&mut self.changed);
        let error = self.rows_deg(&changed, row);
        self.changed = changed;
        error
    }

    /// Eq. (7) as a root mean square over the joints, in degrees, of two rows of degrees of freedom.
    pub(super) fn rows_deg(&mut self, made: &[f64], real: &[f64]) -> f64 {
        let chart = &self.corpus.chart;
        let mut state = RootState::begin(&Start::origin(), 1.0 / self.corpus.fps());
        let is_pose = chart.pose_into(real, &mut state, &mut self.real).is_ok()
            && chart.pose_into(made, &mut state, &mut self.made).is_ok();
        if !is_pose {
            return f64::INFINITY;
        }
        let (made, real) = (&self.made.rotations, &self.real.rotations);
        let angles = self
            .joints
            .iter()
            .map(|&j| made[j].angle_to(&real[j]).powi(2));
        (angles.sum::<f64>() / self.joints.len().max(1) as f64)
            .sqrt()
            .to_degrees()
    }

    /// Eq. (6) as a mean over the frames: a system predicts a pass over some frames of the window from the two states
    /// at their beginning. None if fewer than three frames are left.
    pub(super) fn pass_error_deg(
        &mut self,
        system: &System,
        window: &Window,
        pass: &Pass,
        frames: Range<usize>,
    ) -> Option<f64> {
        let difference = window.difference(self.corpus, pass);
        let frames = frames.start..frames.end.min(difference.ncols());
        if frames.len() < 3 {
            return None;
        }
        let mut deviation = Deviation {
            before: difference.column(frames.start).into_owned(),
            last: difference.column(frames.start + 1).into_owned(),
        };
        let mut sum = 0.0;
        for at in frames.start + 2..frames.end {
            system.advance(&mut deviation);
            let change = &deviation.last - difference.column(at);
            let last = self.corpus.clips[pass.clip].curves.n_frames() - 1;
            let frame = (pass.moments[at].round() as usize).min(last);
            sum += self.error_deg(pass.clip, frame, &change);
        }
        Some(sum / (frames.len() - 2) as f64)
    }
}
