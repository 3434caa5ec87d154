//! Finds out, in the background, what is to be known about models.

use std::sync::Arc;

use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::Unseen;
use crate::app::shell::work::Shown;
use crate::app::variation::models::known::{Finding, Known, KnownModels};
use crate::app::variation::state::VariationWorkspace;
use crate::jobs::Cancelled;
use crate::variation::ClipModel;

impl VariationWorkspace {
    /// What is known about a model; if nothing yet, it is found out.
    pub fn known_of(&mut self, cx: &mut UiContext, model: &Arc<ClipModel>) -> Option<Arc<Finding>> {
        let found = self.known.of(model);
        if found.is_some() || self.known.is_looking {
            return found;
        }
        let (looked_at, answered) = (Arc::clone(model), Arc::clone(model));
        self.known.is_looking = self.inbox.look(
            cx,
            "look at a model",
            Shown::Quietly,
            move |_| -> Result<Finding, Cancelled> {
                Ok(Known::of(&looked_at).map_err(|error| error.to_string()))
            },
            move |variation, _, seen| {
                let known = &mut variation.known;
                known.is_looking = false;
                let finding = seen.unwrap_or_else(|why| {
                    Err(match why {
                        Unseen::Cancelled => "looking at it was cancelled".to_owned(),
                        Unseen::Crashed => "looking at it failed, please report this".to_owned(),
                    })
                });
                if known.known.len() == KnownModels::MOST {
                    known.known.remove(0);
                }
                known.known.push((answered, Arc::new(finding)));
            },
        );
        None
    }
}
