//! What the panel of measures remembers, and what was measured.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::app::study::sets::Member;
use crate::motion::Clip;
use crate::study::baselines::BaselineSet;
use crate::study::measures::{ClipSet, Comparison, Measure, Reading};
use crate::variation::ClipModel;

/// What the panel remembers.
#[derive(Debug)]
pub struct MeasureView {
    /// What is made from the inputs and measured beside the judged sets.
    pub baselines: BTreeSet<BaselineSet>,
    /// Names the random numbers of what is made.
    pub seed: u64,
    /// The model that likelihoods are measured with.
    pub model: Option<Arc<ClipModel>>,
    /// The result of the last measuring.
    pub found: Option<Arc<Measured>>,
    /// The measure that is plotted.
    pub plotted: Measure,
}

impl Default for MeasureView {
    fn default() -> Self {
        Self {
            baselines: BTreeSet::new(),
            seed: 1,
            model: None,
            found: None,
            plotted: Measure::NearestPose,
        }
    }
}

/// The motions behind one line of the comparison.
#[derive(Debug, Clone)]
pub struct MeasuredSet {
    /// As the comparison calls it.
    pub name: String,
    /// In the order of its readings.
    pub members: Vec<Member>,
}

impl MeasuredSet {
    pub(super) fn as_clip_set(&self) -> ClipSet<'_> {
        ClipSet {
            name: self.name.clone(),
            clips: refs(&self.members),
        }
    }
}

/// A comparison with the motions that it is about.
#[derive(Debug)]
pub struct Measured {
    /// All measures of all sets.
    pub comparison: Comparison,
    /// In the order of the comparison's sets.
    pub sets: Vec<MeasuredSet>,
}

impl Measured {
    /// The motion of a set that is furthest from what real clips have, and its reading.
    pub fn worst(&self, set: usize, measure: Measure) -> Option<(&Member, Reading)> {
        let readings = self.comparison.sets.get(set)?;
        let (at, reading) = readings.worst(measure, self.comparison.range(measure))?;
        Some((self.sets.get(set)?.members.get(at)?, reading))
    }

    /// The sets with their motions, as reports want them.
    pub(in crate::app::study) fn clip_sets(&self) -> Vec<ClipSet<'_>> {
        self.sets.iter().map(MeasuredSet::as_clip_set).collect()
    }
}

pub(in crate::app::study) fn refs(members: &[Member]) -> Vec<&Clip> {
    members.iter().map(|member| &*member.clip).collect()
}
