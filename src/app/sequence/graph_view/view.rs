//! What the picture of the graph remembers.

use std::sync::Arc;

use crate::app::sequence::graph_view::layout::{Drawing, GraphDrawings};
use crate::app::sequence::graph_view::mesh::SheetMesh;
use crate::app::shell::ui::lens::Lens;
use crate::numerics::cheapest_paths::NodePath;
use crate::texture::Texture;
use crate::transition::TransitionGraph;

/// The level at which a graph is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GraphLevel {
    /// Clusters of poses, with edges where frames lead from one to the other.
    #[default]
    Clusters,
    /// Clips, with how likely one follows another in random play.
    Actions,
    /// Systems of the texture.
    Texture,
}

/// What the panel remembers.
#[derive(Default)]
pub struct GraphView {
    /// The level at which the graph is drawn.
    pub level: GraphLevel,
    /// The node that was clicked, and the one that was clicked with shift.
    pub picked: (Option<usize>, Option<usize>),
    /// The candidate path that is lit.
    pub lit: usize,
    /// The system whose frames are looked at.
    pub opened: Option<usize>,
    pub(super) lens: Option<Lens>,
    pub(super) graph: Option<(Arc<TransitionGraph>, Arc<GraphDrawings>)>,
    pub(super) texture: Option<(Arc<Texture>, Arc<Drawing>)>,
    pub(super) is_laying_out: bool,
    pub(super) paths: Option<(usize, usize, Vec<NodePath>)>,
    pub(super) mesh: SheetMesh,
}

impl std::fmt::Debug for GraphView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GraphView")
            .field("level", &self.level)
            .field("picked", &self.picked)
            .finish_non_exhaustive()
    }
}

impl GraphView {
    /// Another picture: nothing of the last one is picked in it.
    pub fn show(&mut self, level: GraphLevel) {
        if self.level != level {
            self.level = level;
            self.picked = (None, None);
            self.lens = None;
            self.paths = None;
            self.opened = None;
        }
    }
}
