//! Transition graphs as recipes: which clips, and how. The graph itself is built from them when it is needed.

use std::sync::Arc;

use super::edit::line;
use super::{CheckError, ClipId, Document, EditError};
use crate::transition::GraphSettings;

/// Names a graph for as long as the project lives. Never used again for another graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GraphId(pub u64);

impl std::fmt::Display for GraphId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

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

impl Document {
    /// All graphs in the order in which they were made.
    pub fn graphs(&self) -> &[(GraphId, Arc<GraphRecipe>)] {
        &self.graphs
    }

    /// One graph, if it is still there.
    pub fn graph(&self, id: GraphId) -> Option<&Arc<GraphRecipe>> {
        let at = self.graphs.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(&self.graphs[at].1)
    }

    pub(super) fn add_graph(&mut self, graph: Arc<GraphRecipe>) -> Result<(), EditError> {
        let graph = sound(graph)?;
        let id = GraphId(self.new_number()?);
        Arc::make_mut(&mut self.graphs).push((id, graph));
        Ok(())
    }

    pub(super) fn change_graph(
        &mut self,
        id: GraphId,
        graph: Arc<GraphRecipe>,
    ) -> Result<(), EditError> {
        let graph = sound(graph)?;
        let at = self.place_of_graph(id)?;
        Arc::make_mut(&mut self.graphs)[at].1 = graph;
        Ok(())
    }

    pub(super) fn remove_graph(&mut self, id: GraphId) -> Result<(), EditError> {
        let at = self.place_of_graph(id)?;
        Arc::make_mut(&mut self.graphs).remove(at);
        Ok(())
    }

    fn place_of_graph(&self, id: GraphId) -> Result<usize, EditError> {
        let at = self.graphs.binary_search_by_key(&id, |(id, _)| *id);
        at.map_err(|_place| EditError::NoSuchGraph(id))
    }

    pub(super) fn check_graphs(&self) -> Result<(), CheckError> {
        if let Some(pair) = self.graphs.windows(2).find(|pair| pair[0].0 >= pair[1].0) {
            return Err(CheckError::GraphTwice(pair[1].0));
        }
        let flawed = self.graphs.iter().find_map(|(id, graph)| {
            let why = graph.flaw()?;
            Some(CheckError::Graph { id: *id, why })
        });
        flawed.map_or(Ok(()), Err)
    }
}

fn sound(graph: Arc<GraphRecipe>) -> Result<Arc<GraphRecipe>, EditError> {
    if let Some(why) = graph.flaw() {
        return Err(EditError::Graph(why));
    }
    let name = line("the name of a graph", graph.name.clone())?;
    Ok(if name == graph.name {
        graph
    } else {
        Arc::new(GraphRecipe {
            name,
            ..GraphRecipe::clone(&graph)
        })
    })
}
