//! What the panel of takes remembers.

use std::sync::Arc;

use crate::app::shell::clips::similarity::ClipComparison;
use crate::document::ClipId;
use crate::variation::LearnSettings;

/// What the panel remembers.
#[derive(Debug, Default)]
pub struct TakesView {
    /// In the order in which they were chosen.
    pub chosen: Vec<ClipId>,
    /// The curve that is drawn.
    pub curve: Option<usize>,
    /// What a look at them found.
    pub look: Option<Arc<ClipComparison>>,
    /// How a model is learned.
    pub settings: LearnSettings,
    /// Whether the 3D view shows the takes in step.
    pub shows_in_step: bool,
    /// What spoke against learning from them, the last time that was asked for.
    pub concerns: Vec<String>,
    /// What it will be called; empty for a name of the program's choice.
    pub name: String,
}
