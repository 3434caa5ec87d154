//! What the path tools remember, and the walk that was made.

use std::sync::Arc;

use crate::app::render::Mannequin;
use crate::app::sequence::path::solve::Walked;
use crate::document::{DrawnPath, PathId};
use crate::motion::path::Vec2;
use crate::texture::Texture;

/// What the left button does in the 3D view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PathTool {
    /// Takes hold of points.
    #[default]
    Edit,
    /// Draws a new path by hand.
    Draw,
    /// Puts down points one by one.
    Points,
}

/// What the panel remembers.
#[derive(Debug, Default)]
pub struct PathView {
    /// The path that is seen; none is the last there is.
    pub chosen: Option<PathId>,
    /// What the left button does.
    pub tool: PathTool,
    /// A line that is being drawn, or points that are no path yet.
    pub stroke: Vec<Vec2>,
    /// The point that was clicked.
    pub selected: Option<usize>,
    /// The chosen path while a point of it is dragged.
    pub draft: Option<Arc<DrawnPath>>,
    /// Whether more points are put behind the last one of the chosen path.
    pub is_adding: bool,
    /// A new name, being typed.
    pub rename: Option<String>,
    /// Whether the panel was drawn since the last turn.
    pub(in crate::app::sequence) is_seen: bool,
    /// Whether it was in the frame before.
    pub(super) is_open: bool,
    pub(super) walked: Option<Arc<Walked>>,
    pub(super) walking: Option<Wanted>,
    pub(super) failed: Option<(Wanted, String)>,
    pub(super) body: Option<(Arc<Texture>, Arc<Body>)>,
    pub(super) is_making_body: bool,
}

/// The body that walks the path.
#[derive(Debug)]
pub(in crate::app::sequence) struct Body {
    pub(in crate::app::sequence) mannequin: Arc<Mannequin>,
    /// In units of the clips.
    pub(in crate::app::sequence) floor: f64,
}

/// A path that is to be walked by a texture.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    pub(super) path: Arc<DrawnPath>,
    pub(super) texture: Arc<Texture>,
}

impl Wanted {
    pub(super) fn is(&self, path: &Arc<DrawnPath>, texture: &Arc<Texture>) -> bool {
        Arc::ptr_eq(&self.texture, texture)
            && (Arc::ptr_eq(&self.path, path) || is_same_walk(&self.path, path))
    }
}

/// Another name is no other walk.
pub(super) fn is_same_walk(a: &DrawnPath, b: &DrawnPath) -> bool {
    let nameless = |path: &DrawnPath| DrawnPath {
        name: String::new(),
        ..path.clone()
    };
    nameless(a) == nameless(b)
}
