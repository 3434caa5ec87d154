//! What a frame is drawn from.

use std::sync::Arc;

use crate::app::render::frame::body_instance::{Batch, BodyInstance, JointRows};
use crate::app::render::frame::globals::Globals;
use crate::app::render::frame::stroke_instance::{MarkInstance, StrokeInstance};
use crate::app::render::mannequin::Mannequin;

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
