//! Transition graphs as recipes: which clips, and how. The graph itself is built from them when it is needed.

use std::sync::Arc;

use super::ClipId;
use super::ids::GraphId;
use crate::transition::GraphSettings;

/// What a transition graph is built from.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphRecipe {
    /// One line of text.
    pub name: String,
    /// Its clips, each once. Those that are not in the library any more, or not yet again, do not count.
    pub clips: Vec<ClipId>,
    /// How it is built.
    pub settings: GraphSettings,
}

impl GraphRecipe {
    /// More clips than any library has are a mistake.
    const MOST_CLIPS: usize = 100_000;

    /// What is wrong with it, if anything is.
    pub fn flaw(&self) -> Option<&'static str> {
        let settings = &self.settings;
        let over_zero = |x: f64| x > 0.0 && x.is_finite();
        let mut clips = self.clips.clone();
        clips.sort_unstable();
        if self.clips.len() > Self::MOST_CLIPS {
            Some("it has more clips than any library")
        } else if clips.windows(2).any(|two| two[0] == two[1]) {
            Some("it names a clip twice")
        } else if !over_zero(settings.threshold.unwrap_or(1.0))
            || !over_zero(settings.cost_limit)
            || !(1..=100).contains(&settings.n_paths)
        {
            Some("its threshold, number of paths or cost limit is not over zero")
        } else if !metric_numbers(settings).all(|x| x.is_finite() && x >= 0.0) {
            Some("a weight of its metric is not a number from 0")
        } else {
            None
        }
    }
}

fn metric_numbers(settings: &GraphSettings) -> impl Iterator<Item = f64> + '_ {
    let weights = settings.metric.weights.iter().map(|(_, weight)| *weight);
    weights.chain([settings.metric.velocity_secs])
}

/// All graphs in the order in which they were made, so also by number.
pub(super) type Graphs = Arc<Vec<(GraphId, Arc<GraphRecipe>)>>;
