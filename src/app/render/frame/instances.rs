//! What a frame is drawn from.

use std::sync::Arc;

use crate::app::render::frame::body_instance::{Batch, BodyInstance, JointRows};
use crate::app::render::frame::globals::Globals;
use crate::app::render::frame::stroke_instance::{MarkInstance, StrokeInstance};
use crate::app::render::mannequin::Mannequin;

/// What one picture needs, ready to be sent.
#[derive(Debug, Default)]
pub struct Frame {
    pub(in crate::app::render) globals: Globals,
    /// Every mannequin of the scene, each once however many characters wear it.
    pub(in crate::app::render) meshes: Vec<Arc<Mannequin>>,
    pub(in crate::app::render) joints: Vec<JointRows>,
    pub(in crate::app::render) bodies: Vec<BodyInstance>,
    /// Solid characters, those of one mannequin together.
    pub(in crate::app::render) solid: Vec<Batch>,
    /// Translucent ones, the farthest first.
    pub(in crate::app::render) ghosts: Vec<Batch>,
    pub(in crate::app::render) marks: Vec<MarkInstance>,
    /// Trails, which hide behind bodies.
    pub(in crate::app::render) strokes: Vec<StrokeInstance>,
    /// Handles and the cross of axes, which do not.
    pub(in crate::app::render) overlay: Vec<StrokeInstance>,
}
