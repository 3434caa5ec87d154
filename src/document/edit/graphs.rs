//! What commands do to graphs.

use std::sync::Arc;

use crate::document::graphs::GraphRecipe;
use crate::document::ids::GraphId;
use crate::document::text::line;
use crate::document::{CheckError, Document, EditError};

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

    pub(in crate::document) fn add_graph(
        &mut self,
        graph: Arc<GraphRecipe>,
    ) -> Result<(), EditError> {
        let graph = sound(graph)?;
        let id = GraphId(self.new_number()?);
        Arc::make_mut(&mut self.graphs).push((id, graph));
        Ok(())
    }

    pub(in crate::document) fn change_graph(
        &mut self,
        id: GraphId,
        graph: Arc<GraphRecipe>,
    ) -> Result<(), EditError> {
        let graph = sound(graph)?;
        let at = self.place_of_graph(id)?;
        Arc::make_mut(&mut self.graphs)[at].1 = graph;
        Ok(())
    }

    pub(in crate::document) fn remove_graph(&mut self, id: GraphId) -> Result<(), EditError> {
        let at = self.place_of_graph(id)?;
        Arc::make_mut(&mut self.graphs).remove(at);
        Ok(())
    }

    fn place_of_graph(&self, id: GraphId) -> Result<usize, EditError> {
        let at = self.graphs.binary_search_by_key(&id, |(id, _)| *id);
        at.map_err(|_place| EditError::NoSuchGraph(id))
    }

    pub(in crate::document) fn check_graphs(&self) -> Result<(), CheckError> {
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
