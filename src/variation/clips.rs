//! Models of clips: from bodies to numbers and back.
//!
//! Takes are brought to one frame rate (at most 60 a second, as in the paper), turned into standardised curves by a
//! [`DofChart`] and handed to the [`Model`]. On the way back the speeds of the body over the ground are multiplied by the
//! sampled pace: who steps quicker gets further.

use std::sync::Arc;

use super::by_hand::{self, HeldSpan};
use super::calm::Sampler;
use super::error::LearnError;
use super::examples::{Examples, Take};
use super::footing::{self, Footing, Held};
use super::model::Model;
use super::settings::{LearnSettings, SampleSettings};
use super::standing;
use crate::jobs::Ticket;
use crate::motion::chart::{RootState, Start};
use crate::motion::metrics::{MOST_FPS, common_fps};
use crate::motion::{ChartSettings, Clip, ClipInfo, Curves, DofChart, Pose, edit};

/// More frames than these, four and a half hours at 60 a second, are not made in one clip: each takes some kilobytes on the way.
pub const MOST_FRAMES: usize = 1_000_000;

/// A model of clips on one skeleton.
#[derive(Debug, Clone, PartialEq)]
pub struct ClipModel {
    chart: DofChart,
    model: Arc<Model>,
    footing: Footing,
}

/// How long a variant is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Length {
    /// One run through the motion, or one round.
    #[default]
    Once,
    /// So many frames; only motions without an end go on for so long.
    Frames(usize),
}

/// A variant with what is known about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Variant {
    /// The motion.
    pub clip: Clip,
    /// Mean log-likelihood of a value under the model; not for streams, which leave any first two frames behind.
    pub log_likelihood: Option<f64>,
    /// What became of the holds of feet and hands, if there were any.
    pub held: Option<Held>,
}

impl ClipModel {
    /// Learns from two or more clips on one skeleton.
    pub fn learn(
        clips: &[&Clip],
        settings: &LearnSettings,
        ticket: &Ticket,
    ) -> Result<Self, LearnError> {
        if clips.is_empty() {
            return Err(LearnError::NoTakes);
        }
        let even = at_one_rate(clips, common_fps(clips.iter().copied(), MOST_FPS))?;
        let even: Vec<&Clip> = even.iter().collect();
        let chart = DofChart::learn(&even, &ChartSettings::default())?;
        let takes = takes(&chart, &even)?;
        let examples = Examples::new(
            chart.n_dofs(),
            even[0].frame_secs(),
            &takes,
            settings.course,
        )?;
        let footing = Footing::learn(&even);
        let model = Model::learn(examples, settings, ticket)?;
        let made = Self::from_parts(chart, model, footing)?;
        let steady_secs = standing::fit(&made, ticket)?;
        Ok(made.with_steadiness(steady_secs))
    }

    /// A model as it was, after checking that its parts fit together.
    pub fn from_parts(chart: DofChart, model: Model, footing: Footing) -> Result<Self, LearnError> {
        if chart.n_dofs() != model.examples().n_dofs() {
            return Err(LearnError::Width {
                take: "chart".to_owned(),
                expected: model.examples().n_dofs(),
                found: chart.n_dofs(),
            });
        }
        footing.check(model.examples(), chart.skeleton())?;
        Ok(Self {
            chart,
            model: Arc::new(model),
            footing,
        })
    }

    /// The same model, those who stand averaged over so much time.
    pub(super) fn with_steadiness(&self, steady_secs: f64) -> Self {
        let mut model = self.clone();
        model.footing.steady_secs = steady_secs;
        model
    }

    /// The coordinates.
    pub fn chart(&self) -> &DofChart {
        &self.chart
    }

    /// What is sampled.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// When feet and hands stand in the takes.
    pub fn footing(&self) -> &Footing {
        &self.footing
    }

    /// Frames per second of what it makes.
    pub fn fps(&self) -> f64 {
        1.0 / self.model.examples().frame_secs()
    }

    /// The same model of other clips: one is enough, since structure and spread are known (section 8). Variants have the
    /// bones of the first of these clips, who may be another person.
    pub fn for_clips(&self, clips: &[&Clip]) -> Result<Self, LearnError> {
        let even = at_one_rate(clips, self.fps())?;
        let even: Vec<&Clip> = even.iter().collect();
        let chart = match even.first() {
            Some(first) => self.chart.on_body_of(first)?,
            None => return Err(LearnError::NoTakes),
        };
        let takes = takes(&chart, &even)?;
        let examples = self.model.examples();
        let examples = Examples::new(
            chart.n_dofs(),
            examples.frame_secs(),
            &takes,
            Some(examples.course()),
        )?;
        let footing = Footing {
            steady_secs: self.footing.steady_secs,
            ..Footing::learn(&even)
        };
        Self::from_parts(chart, self.model.for_takes(examples)?, footing)
    }

    /// The same model with other edges, calibrated anew.
    pub fn with_structure(&self, structure: super::Structure) -> Result<Self, LearnError> {
        let model = Model::from_parts(
            self.model.examples().clone(),
            structure,
            self.model.settings().clone(),
            None,
        )?;
        Self::from_parts(self.chart.clone(), model, self.footing.clone())
    }

    /// A clip in the units of the model, at its frame rate.
    pub fn take(&self, clip: &Clip) -> Result<Take, LearnError> {
        let even = at_one_rate(&[clip], self.fps())?;
        Ok(takes(&self.chart, &[&even[0]])?.remove(0))
    }

    /// One variant. The same settings and number give the same motion, on any machine and number of threads.
    pub fn vary(
        &self,
        settings: &SampleSettings,
        variant: u64,
        length: Length,
        hold: footing::Hold,
    ) -> Result<Variant, LearnError> {
        self.vary_and(settings, variant, length, |drawn, info| {
            footing::hold(self, drawn, info, hold)
        })
    }

    /// The same variant, its feet and hands held during these spans and no others.
    pub fn vary_by_hand(
        &self,
        settings: &SampleSettings,
        variant: u64,
        length: Length,
        spans: &[HeldSpan],
    ) -> Result<Variant, LearnError> {
        self.vary_and(settings, variant, length, |drawn, info| {
            by_hand::hold(self, drawn, info, spans)
        })
    }

    fn vary_and(
        &self,
        settings: &SampleSettings,
        variant: u64,
        length: Length,
        hold: impl FnOnce(&Drawn, ClipInfo) -> Result<(Clip, Option<Held>), LearnError>,
    ) -> Result<Variant, LearnError> {
        let drawn = self.draw(settings, variant, length)?;
        let name = format!("variant {variant}");
        let mut info = ClipInfo::named(name);
        info.history.push(format!(
            "made from {} takes with seed {} and amount {}",
            self.model.examples().n_takes(),
            settings.seed,
            settings.amount
        ));
        let log_likelihood = match length {
            Length::Once => Some(
                self.model
                    .likelihood_of(&drawn.rows, Some(&drawn.progress))?
                    .mean(),
            ),
            Length::Frames(_) => None,
        };
        let (clip, held) = hold(&drawn, info)?;
        Ok(Variant {
            clip,
            log_likelihood,
            held,
        })
    }

    /// The motion that all takes have in common (sigma = 0).
    pub fn mean_motion(&self) -> Result<Clip, LearnError> {
        let settings = SampleSettings {
            amount: 0.0,
            ..SampleSettings::default()
        };
        let drawn = self.draw(&settings, 0, Length::Once)?;
        self.clip_of(&drawn, &drawn.rows, ClipInfo::named("mean motion"))
    }

    /// A stream of poses that goes on for as long as it is asked.
    pub fn stream(&self, settings: &SampleSettings, variant: u64) -> Result<Stream, LearnError> {
        Ok(Stream {
            sampler: self.model.sampler(settings, variant)?,
            root: RootState::begin(&Start::origin(), self.model.examples().frame_secs()),
            chart: self.chart.clone(),
            row: Vec::new(),
        })
    }

    pub(super) fn draw(
        &self,
        settings: &SampleSettings,
        variant: u64,
        length: Length,
    ) -> Result<Drawn, LearnError> {
        let mut sampler = self.model.sampler(settings, variant)?;
        let most = match length {
            Length::Once => MOST_FRAMES,
            Length::Frames(n) => self.check_length(n)?,
        };
        let mut drawn = Drawn::default();
        loop {
            drawn.rows.extend_from_slice(sampler.next_row());
            drawn.expected.extend_from_slice(sampler.expected());
            drawn.progress.push(sampler.progress());
            drawn.pace.push(sampler.pace());
            let is_over = length == Length::Once && sampler.is_over();
            if is_over || drawn.progress.len() >= most {
                return Ok(drawn);
            }
        }
    }

    fn check_length(&self, n: usize) -> Result<usize, LearnError> {
        let has_end = self.model.examples().course() == super::Course::Through;
        if has_end {
            return Err(LearnError::HasAnEnd);
        }
        if !(1..=MOST_FRAMES).contains(&n) {
            return Err(LearnError::Setting {
                field: "frames",
                expected: "1 to a million",
                found: n as f64,
            });
        }
        Ok(n)
    }

    /// Rows in the model's units as a clip.
    pub(super) fn clip_of(
        &self,
        drawn: &Drawn,
        rows: &[f64],
        info: ClipInfo,
    ) -> Result<Clip, LearnError> {
        let n = self.chart.n_dofs();
        let mut values = rows.to_vec();
        for (row, &pace) in values.chunks_exact_mut(n).zip(&drawn.pace) {
            to_body(&self.chart, row, pace);
        }
        let size = (rows.len() / n, n);
        let frame_secs = self.model.examples().frame_secs();
        let curves = Curves::new(Start::origin(), frame_secs, size, values)?;
        Ok(self.chart.clip(&curves, info)?)
    }
}

/// Rows of a variant and what went with them.
#[derive(Debug, Clone, Default)]
pub(super) struct Drawn {
    pub(super) rows: Vec<f64>,
    pub(super) expected: Vec<f64>,
    pub(super) progress: Vec<f64>,
    pub(super) pace: Vec<f64>,
}

/// A row in the body's units, its speeds over the ground by the pace.
fn to_body(chart: &DofChart, row: &mut [f64], pace: f64) {
    chart.destandardise(row);
    for (value, dof) in row.iter_mut().zip(chart.dofs()) {
        if dof.kind.is_rate() {
            *value *= pace;
        }
    }
}

/// Poses without end.
#[derive(Debug, Clone)]
pub struct Stream {
    sampler: Sampler,
    root: RootState,
    chart: DofChart,
    row: Vec<f64>,
}

impl Stream {
    /// The next pose.
    pub fn next_pose(&mut self) -> Result<Pose, LearnError> {
        let row = self.sampler.next_row();
        self.row.clear();
        self.row.extend_from_slice(row);
        to_body(&self.chart, &mut self.row, self.sampler.pace());
        Ok(self.chart.pose_at(&self.row, &mut self.root)?)
    }
}

/// All clips at this rate.
fn at_one_rate(clips: &[&Clip], fps: f64) -> Result<Vec<Clip>, LearnError> {
    clips
        .iter()
        .map(|clip| Ok(edit::resample(clip, fps)?))
        .collect()
}

/// Clips as standardised curves.
pub(super) fn takes(chart: &DofChart, clips: &[&Clip]) -> Result<Vec<Take>, LearnError> {
    clips
        .iter()
        .map(|clip| {
            let mut curves = chart.curves(clip)?;
            chart.standardise(curves.values_mut());
            Ok(Take {
                name: clip.info.name.clone(),
                values: curves.values().to_vec(),
            })
        })
        .collect()
}
