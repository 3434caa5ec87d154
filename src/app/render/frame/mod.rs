//! A scene as the graphics card wants it: plain numbers, relative to what the camera looks at.
//!
//! Clips may lie kilometres from the origin in millimetres; taking the camera's target off in double precision first
//! keeps every pixel in place. Buffers are kept from one picture to the next.

mod bodies;
mod gizmo;
mod globals;
mod strokes;

use std::sync::Arc;

pub(super) use bodies::{Batch, BodyInstance, JointRows};
pub(super) use globals::Globals;
pub(super) use strokes::{MarkInstance, StrokeInstance};

use super::mannequin::Mannequin;
use super::scene::{Scene, Size};

/// What one picture needs, ready to be sent.
#[derive(Debug, Default)]
pub struct Frame {
    pub(super) globals: Globals,
    /// Each mannequin once.
    pub(super) meshes: Vec<Arc<Mannequin>>,
    pub(super) joints: Vec<JointRows>,
    pub(super) bodies: Vec<BodyInstance>,
    /// Solid characters, those of one mannequin together.
    pub(super) solid: Vec<Batch>,
    /// Translucent ones, the farthest first.
    pub(super) ghosts: Vec<Batch>,
    pub(super) marks: Vec<MarkInstance>,
    /// Trails, which hide behind bodies.
    pub(super) strokes: Vec<StrokeInstance>,
    /// Handles and the cross of axes, which do not.
    pub(super) overlay: Vec<StrokeInstance>,
}

impl Frame {
    /// Fills the buffers for this scene.
    pub fn build(&mut self, scene: &Scene, size: Size) {
        self.globals = Globals::of(scene, size);
        bodies::build(self, scene);
        strokes::build(self, scene, size);
    }

    /// How many numbers would go to the graphics card; a measure for benches.
    pub fn n_bytes(&self) -> usize {
        size_of_val(self.joints.as_slice())
            + size_of_val(self.bodies.as_slice())
            + size_of_val(self.strokes.as_slice())
            + size_of_val(self.overlay.as_slice())
            + size_of_val(self.marks.as_slice())
    }
}
