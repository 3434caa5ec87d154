//! What the panel for cleaning remembers.

use std::sync::Arc;

use crate::app::library::cleaning::{Findings, Recipe, Rinsed};
use crate::motion::Clip;

/// What the panel remembers.
#[derive(Debug)]
pub struct CleanView {
    /// The steps to take.
    pub recipe: Recipe,
    /// Whether the 3D view shows the result instead of the clips as they are.
    pub shows_result: bool,
    /// What was found in the clip that was looked at last.
    pub findings: Option<(Arc<Clip>, Arc<Findings>)>,
    /// The result that was worked out last.
    pub rinsed: Option<Rinsed>,
}

impl Default for CleanView {
    fn default() -> Self {
        Self {
            recipe: Recipe::default(),
            shows_result: true,
            findings: None,
            rinsed: None,
        }
    }
}
