//! Any sets of clips beside each other: inputs, variants, baselines, sequences, other tools' output, and real clips held back.
//!
//! Every [`Measure`] has a name, a sentence and a unit. Those of a clip have a [`Reading`] for each clip, with the frame to look at; a
//! set's value is their mean. Those of a set have one value. All are measured against the inputs; the inputs
//! themselves against each other. What real clips have, inputs and those held back, is the range that others are seen in.
//!
//! Poses, jerk, feet and correlations are measured by [`crate::motion::metrics`], clones by [`super::clones`]; here are those that need more: [`single`] of the single-motion
//! generators, the power spectrum (`npss`), when feet come down (`gait`), and how new and how varied windows of a second are (`clip`).

mod catalogue;
mod clip;
mod compare;
mod gait;
mod npss;
mod range;
pub mod single;

pub use catalogue::{Measure, Scope};
pub use compare::compare;
pub use range::Range;

use super::clones::CloneError;
use crate::jobs::Cancelled;
use crate::motion::Clip;
use crate::motion::chart::ChartError;
use crate::motion::edit::EditError;
use crate::motion::features::FeatureError;
use crate::motion::metrics::{MetricError, UNSEEN_SLIDE};

/// Clips that belong together.
#[derive(Debug, Clone)]
pub struct ClipSet<'a> {
    /// What tables call it.
    pub name: String,
    /// The clips of the set, at least one.
    pub clips: Vec<&'a Clip>,
}

/// A value, and where to look.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading {
    /// In the measure's unit.
    pub value: f64,
    /// The frame of the clip where it is worst, if it is about frames.
    pub frame: Option<usize>,
    /// The joint that has most of it, if it is about joints.
    pub joint: Option<usize>,
}

/// One clip of a set.
#[derive(Debug, Clone, PartialEq)]
pub struct ClipReadings {
    /// The name of the clip.
    pub name: String,
    /// By [`Measure::index`]; none where it cannot be had.
    readings: Vec<Option<Reading>>,
}

impl ClipReadings {
    /// What was measured of the clip, if it has that measure.
    pub fn get(&self, measure: Measure) -> Option<Reading> {
        self.readings[measure.index()]
    }
}

/// What a set is to the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// What all is measured against; each input against the others.
    Inputs,
    /// Real clips that were held back.
    Real,
    /// What is asked about.
    Asked,
}

/// What was measured of one set.
#[derive(Debug, Clone, PartialEq)]
pub struct SetReadings {
    /// The name of the set.
    pub name: String,
    /// What it is to the comparison.
    pub role: Role,
    /// One value for each measure, by [`Measure::index`].
    values: Vec<Option<f64>>,
    /// What was measured of each clip.
    pub clips: Vec<ClipReadings>,
}

impl SetReadings {
    /// What was measured of the set.
    pub fn get(&self, measure: Measure) -> Option<f64> {
        self.values[measure.index()]
    }

    /// The clip that is furthest from what real clips have, and its reading.
    pub fn worst(&self, measure: Measure, real: Option<Range>) -> Option<(usize, Reading)> {
        let middle = real.map_or(0.0, |range| 0.5 * (range.low + range.high));
        let off = |reading: &Reading| (reading.value - middle).abs();
        let clips = self.clips.iter().enumerate();
        clips
            .filter_map(|(at, clip)| Some((at, clip.get(measure)?)))
            .max_by(|a, b| off(&a.1).total_cmp(&off(&b.1)))
    }
}

/// All sets beside each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Inputs first, then real clips if there are any, then those asked about.
    pub sets: Vec<SetReadings>,
    /// The range of real clips for each measure, by [`Measure::index`].
    ranges: Vec<Option<Range>>,
    /// Body height of the inputs in units of their files.
    pub height: f64,
}

impl Comparison {
    /// What real clips have.
    pub fn range(&self, measure: Measure) -> Option<Range> {
        self.ranges[measure.index()]
    }

    /// Whether a set's value is among what real clips have, or better where that is possible; none if either is unknown.
    /// Real clips whose feet stand perfectly still, as made and locked ones do, are no reason to mark what nobody sees.
    pub fn is_usual(&self, set: &SetReadings, measure: Measure) -> Option<bool> {
        let (range, value) = (self.range(measure)?, set.get(measure)?);
        let is_good = measure.low_is_good() && value < range.low
            || measure.high_is_good() && value > range.high
            || measure == Measure::FootSlide && value <= UNSEEN_SLIDE;
        Some(is_good || range.contains(value))
    }

    /// Measures that some set has.
    pub fn measures(&self) -> impl Iterator<Item = Measure> + '_ {
        let has = |m: &Measure| self.sets.iter().any(|set| set.get(*m).is_some());
        Measure::ALL.into_iter().filter(has)
    }
}

/// Sets cannot be compared.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MeasureError {
    /// A number cannot be had.
    #[error(transparent)]
    Metric(#[from] MetricError),
    /// Bodies cannot be compared.
    #[error(transparent)]
    Features(#[from] FeatureError),
    /// Clips have no common degrees of freedom.
    #[error(transparent)]
    Chart(#[from] ChartError),
    /// A clip cannot be brought to a common rate.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// Clones cannot be looked for.
    #[error(transparent)]
    Clones(#[from] CloneError),
    /// A set is empty.
    #[error("the set \"{0}\" has no clips")]
    Empty(String),
    /// The work was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
