//! How live play of a texture is steered.

/// Where to go from a moment on.
#[derive(Debug, Clone, PartialEq)]
pub struct Steer {
    /// The moment from which on it holds.
    pub secs: f64,
    /// Radians about up; 0 is forward.
    pub heading_rad: f64,
    /// Units of the clips a second; none leaves it to the action.
    pub speed: Option<f64>,
    /// A name of the command set; none leaves it as it is.
    pub action: Option<String>,
}
