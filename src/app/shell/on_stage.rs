//! What is on stage.

use std::sync::Arc;

use crate::app::shell::context::UiContext;
use crate::app::shell::stage::StageId;
use crate::motion::Clip;

impl UiContext {
    /// The clip of the document that is shown as it is.
    pub fn clip_on_stage(&self, id: StageId) -> Option<&Arc<Clip>> {
        self.document().clip(id.clip()?)
    }
}
