//! A scene as the graphics card wants it: plain numbers, relative to what the camera looks at.
//!
//! Clips may lie kilometres from the origin in millimetres; taking the camera's target off in double precision first
//! keeps every pixel in place. Buffers are kept from one picture to the next.

mod bodies;
mod body_instance;
mod gizmo;
mod globals;
mod instances;
mod stroke_instance;
mod strokes;

use super::scene::Scene;
use super::size::Size;

pub(super) use crate::app::render::frame::body_instance::{Batch, BodyInstance};
pub(super) use crate::app::render::frame::stroke_instance::{MarkInstance, StrokeInstance};
pub(super) use globals::Globals;
pub use instances::Frame;

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
