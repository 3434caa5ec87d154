//! The takes that a model learns from: standardised curves, and how far along each of their frames is.

use std::ops::Range;

use super::anatomy::Anatomy;
use super::progress::{MotionType, Progress};
use crate::variation::error::LearnError;

/// Fewer frames cannot tell a change of velocity.
pub const FEWEST_FRAMES: usize = 4;

/// One take as numbers: standardised curves, frame after frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Take {
    /// What it is called.
    pub name: String,
    /// Frame by frame, as many numbers as there are degrees of freedom.
    pub values: Vec<f64>,
}

/// All takes of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Examples {
    /// How many numbers a frame has.
    pub(in crate::variation) n_dofs: usize,
    /// Time from one frame to the next, in all takes.
    pub(in crate::variation) frame_secs: f64,
    pub(in crate::variation) names: Vec<String>,
    /// The rows of each take.
    pub(in crate::variation) takes: Vec<Range<usize>>,
    /// The numbers of all takes, row by row.
    pub(in crate::variation) values: Vec<f64>,
    /// How far along each row is.
    pub(in crate::variation) progress: Progress,
    anatomy: Anatomy,
}

impl Examples {
    /// Checks that all takes have whole frames of finite numbers, at least [`FEWEST_FRAMES`] of them.
    pub fn new(
        n_dofs: usize,
        frame_secs: f64,
        takes: &[Take],
        motion_type: Option<MotionType>,
    ) -> Result<Self, LearnError> {
        if takes.is_empty() {
            return Err(LearnError::NoTakes);
        }
        if n_dofs == 0 {
            return Err(LearnError::NothingMoves);
        }
        if !(frame_secs > 0.0 && frame_secs.is_finite()) {
            return Err(LearnError::FrameTime(frame_secs));
        }
        let mut rows = Vec::with_capacity(takes.len());
        let mut values = Vec::new();
        for take in takes {
            let n_frames = take.values.len() / n_dofs;
            if n_frames < FEWEST_FRAMES || n_frames * n_dofs != take.values.len() {
                return Err(LearnError::TooShort {
                    take: take.name.clone(),
                    found: n_frames,
                    needed: FEWEST_FRAMES,
                });
            }
            if let Some(at) = take.values.iter().position(|x| !x.is_finite()) {
                return Err(LearnError::NotFinite {
                    take: take.name.clone(),
                    frame: at / n_dofs,
                });
            }
            let start = values.len() / n_dofs;
            rows.push(start..start + n_frames);
            values.extend_from_slice(&take.values);
        }
        let mut made = Self {
            n_dofs,
            frame_secs,
            names: takes.iter().map(|t| t.name.clone()).collect(),
            takes: rows,
            values,
            progress: Progress::none(),
            anatomy: Anatomy::plain(n_dofs),
        };
        made.progress = Progress::learn(&made, motion_type)?;
        Ok(made)
    }

    /// Takes whose progress is known: where each frame of each take is, and the mean time of a run.
    pub fn with_progress(
        n_dofs: usize,
        frame_secs: f64,
        takes: &[Take],
        motion_type: MotionType,
        secs: f64,
        progress: &[Vec<f64>],
    ) -> Result<Self, LearnError> {
        let mut made = Self::new(n_dofs, frame_secs, takes, Some(MotionType::Unaligned))?;
        made.progress = Progress::known(motion_type, secs, &made.takes, progress)?;
        Ok(made)
    }

    /// The same takes of a body that is known.
    pub fn on_body(self, anatomy: Anatomy) -> Result<Self, LearnError> {
        if anatomy.limbs.len() != self.n_dofs {
            return Err(LearnError::Width {
                take: "body".to_owned(),
                expected: self.n_dofs,
                found: anatomy.limbs.len(),
            });
        }
        Ok(Self { anatomy, ..self })
    }

    /// Where degrees of freedom sit on the body.
    pub fn anatomy(&self) -> &Anatomy {
        &self.anatomy
    }

    /// The mean time of one run through or round.
    pub fn run_secs(&self) -> f64 {
        self.progress.secs
    }

    /// Progress of every frame of a take; empty if it is not known.
    pub fn take_progress(&self, take: usize) -> &[f64] {
        self.progress
            .at
            .get(self.takes[take].clone())
            .unwrap_or(&[])
    }

    /// How many numbers a frame has.
    pub fn n_dofs(&self) -> usize {
        self.n_dofs
    }

    /// How many takes there are.
    pub fn n_takes(&self) -> usize {
        self.takes.len()
    }

    /// Frames of all takes together.
    pub fn n_frames(&self) -> usize {
        self.values.len() / self.n_dofs
    }

    /// Time from one frame to the next.
    pub fn frame_secs(&self) -> f64 {
        self.frame_secs
    }

    /// What a take is called.
    pub fn name(&self, take: usize) -> &str {
        &self.names[take]
    }

    /// Frames of one take.
    pub fn take_frames(&self, take: usize) -> usize {
        self.takes[take].len()
    }

    /// How the motion runs.
    pub fn motion_type(&self) -> MotionType {
        self.progress.motion_type
    }

    /// One take's numbers, frame after frame.
    pub fn take(&self, take: usize) -> &[f64] {
        let rows = &self.takes[take];
        &self.values[rows.start * self.n_dofs..rows.end * self.n_dofs]
    }

    /// One row of all.
    pub(in crate::variation) fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.n_dofs..][..self.n_dofs]
    }

    /// Every n-th frame of every take, if that leaves enough of them.
    pub(in crate::variation) fn every(&self, stride: usize) -> Self {
        let shortest = self.takes.iter().map(Range::len).min().unwrap_or(0);
        let stride = stride.min((shortest - 1) / (FEWEST_FRAMES - 1)).max(1);
        let mut takes = Vec::with_capacity(self.takes.len());
        let mut kept = Vec::new();
        for rows in &self.takes {
            let start = kept.len();
            kept.extend(rows.clone().step_by(stride));
            takes.push(start..kept.len());
        }
        Self {
            n_dofs: self.n_dofs,
            frame_secs: self.frame_secs * stride as f64,
            names: self.names.clone(),
            values: kept
                .iter()
                .flat_map(|&row| self.row(row))
                .copied()
                .collect(),
            progress: self.progress.at_rows(&kept),
            anatomy: self.anatomy.clone(),
            takes,
        }
    }

    /// The same takes without some of them.
    pub fn only(&self, takes: &[usize]) -> Self {
        let mut rows = Vec::with_capacity(takes.len());
        let mut values = Vec::new();
        let kept: Vec<usize> = takes.iter().flat_map(|&t| self.takes[t].clone()).collect();
        for &take in takes {
            let start = values.len() / self.n_dofs;
            values.extend_from_slice(self.take(take));
            rows.push(start..start + self.take_frames(take));
        }
        Self {
            n_dofs: self.n_dofs,
            frame_secs: self.frame_secs,
            names: takes.iter().map(|&t| self.names[t].clone()).collect(),
            progress: self.progress.at_rows(&kept),
            anatomy: self.anatomy.clone(),
            takes: rows,
            values,
        }
    }
}
