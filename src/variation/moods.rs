//! The moods of a variant: smooth random curves that say how it differs today.

use super::model::{Manner, Model};
use super::noise::SmoothNoise;
use super::settings::SampleSettings;
use crate::numerics::random::Stream;

/// The mood of the pace lasts for about so many runs through the motion, or rounds: whoever is quick stays quick.
const PACE_RUNS: f64 = 4.0;
/// Names the random numbers of common moods.
const COMMON: u64 = 1;

/// All of standard deviation 1.
#[derive(Debug, Clone)]
pub(super) struct Moods {
    pub(super) stream: Stream,
    /// For what all nodes have in common; apart, so that models that know nothing of it go on as they did.
    common_stream: Stream,
    /// By take and node.
    each: SmoothNoise,
    /// By take, in which all nodes agree.
    all: SmoothNoise,
    /// By take, for whose detail is taken.
    lead: SmoothNoise,
    /// For the pace: changes slowly, because whoever is quick today stays quick for a while.
    pace: SmoothNoise,
}

impl Moods {
    pub(super) fn new(model: &Model, settings: &SampleSettings, variant: u64) -> Self {
        let examples = model.examples();
        let mut stream = Stream::named(settings.seed, &[variant]);
        let mut common_stream = Stream::named(settings.seed, &[variant, COMMON]);
        let knot_frames = model.settings().mood_secs / examples.frame_secs;
        let n_takes = examples.n_takes();
        let pace_frames = PACE_RUNS * examples.n_frames() as f64 / n_takes as f64;
        Self {
            lead: SmoothNoise::new(n_takes, knot_frames, &mut stream),
            pace: SmoothNoise::new(model.timing().n_moods(), pace_frames, &mut stream),
            each: SmoothNoise::new(n_takes * examples.n_dofs, knot_frames, &mut stream),
            all: SmoothNoise::new(n_takes, knot_frames, &mut common_stream),
            stream,
            common_stream,
        }
    }

    /// One frame on.
    pub(super) fn advance(&mut self) {
        self.each.advance(&mut self.stream);
        self.all.advance(&mut self.common_stream);
        self.lead.advance(&mut self.stream);
        self.pace.advance(&mut self.stream);
    }

    /// The moods of all nodes towards a take, of which this share of the variance is common to all of them.
    pub(super) fn towards(
        &self,
        take: usize,
        n_nodes: usize,
        together: f64,
    ) -> impl Iterator<Item = f64> {
        let (own, common) = ((1.0 - together).sqrt(), together.sqrt());
        let all = common * f64::from(self.all.values[take]);
        let each = &self.each.values[take * n_nodes..][..n_nodes];
        each.iter().map(move |&mood| own * f64::from(mood) + all)
    }

    /// For the pace, see [`super::timing::Timing::mixed`].
    pub(super) fn of_pace(&self) -> &[f32] {
        &self.pace.values
    }

    /// How much of each take's detail is taken. Squares add up to 1: details of takes have nothing to do with each other, so
    /// that what is mixed is as lively as each of them.
    pub(super) fn leads(&self) -> Vec<f64> {
        let leads: Vec<f64> = self
            .lead
            .values
            .iter()
            .map(|&m| (0.4 * f64::from(m)).exp())
            .collect();
        let norm = leads.iter().map(|lead| lead * lead).sum::<f64>().sqrt();
        leads.iter().map(|lead| lead / norm).collect()
    }
}

/// What is random about a frame, and how strongly.
#[derive(Debug, Clone, Copy)]
pub(super) struct Today<'a> {
    pub(super) moods: &'a Moods,
    pub(super) manner: &'a Manner,
    pub(super) settings: &'a SampleSettings,
}

impl<'a> Today<'a> {
    pub(super) fn new(moods: &'a Moods, manner: &'a Manner, settings: &'a SampleSettings) -> Self {
        Self {
            moods,
            manner,
            settings,
        }
    }
}
