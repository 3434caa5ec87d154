//! A quick look at a set of clips, worked out in the background.

pub(in crate::app) mod look_ui;
pub mod ui;
pub mod view;

use std::sync::Arc;

use crate::app::library::state::LibraryWorkspace;
use crate::app::shell::clips::similarity::{ClipComparison, MOST_LOOKED_AT};
use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::{DeliveryTo, Worked};
use crate::app::shell::work::Shown;
use crate::document::ClipId;
use crate::motion::Clip;

const LOOK: &str = "compare the clips of a set";

impl LibraryWorkspace {
    /// The clips of the open set that are looked at.
    pub fn set_clips(&self, cx: &UiContext) -> Vec<(ClipId, Arc<Clip>)> {
        let set = self.sets.open.and_then(|id| cx.document().set(id));
        let ids = set.into_iter().flat_map(|set| &set.clips);
        let clip = |id: &ClipId| Some((*id, Arc::clone(cx.document().clip(*id)?)));
        ids.filter_map(clip).take(MOST_LOOKED_AT).collect()
    }

    /// What a look at the open set found, once it is known.
    pub fn look_at_set(&mut self, cx: &mut UiContext) -> Option<&Arc<ClipComparison>> {
        let clips = self.set_clips(cx);
        let known = self.sets.look.as_ref();
        if known.is_some_and(|look| look.is_of(&clips)) {
            return self.sets.look.as_ref();
        }
        if !cx.work.is_running(LOOK) {
            self.inbox
                .start(cx, LOOK, Shown::Quietly, move |_| look(clips));
        }
        None
    }
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "all work ends so; what cannot be compared is told in the panel"
)]
fn look(clips: Vec<(ClipId, Arc<Clip>)>) -> Worked<DeliveryTo<LibraryWorkspace>> {
    let look = Arc::new(ClipComparison::at(clips));
    let delivery: DeliveryTo<LibraryWorkspace> =
        Box::new(move |library, _| library.sets.look = Some(look));
    Ok(delivery)
}
