//! What was drawn of a variant, before it is a clip.

/// Frames of a variant in the coordinates of its model.
#[derive(Debug, Clone, Default)]
pub(super) struct Drawn {
    /// All degrees of freedom, frame by frame, in the units of the model.
    pub(super) rows: Vec<f64>,
    /// How far the motion has come, frame by frame.
    pub(super) progress: Vec<f64>,
}
