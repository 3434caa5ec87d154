//! Starts a stream of variants and keeps it going.

use std::sync::Arc;

use crate::app::shell::context::UiContext;
use crate::app::shell::messages::Severity;
use crate::app::variation::state::VariationWorkspace;
use crate::app::variation::variants::live::{Live, clip_of};
use crate::app::variation::variants::recipe::can_go_on;

impl VariationWorkspace {
    /// Starts a stream of the chosen model, in place of the one that runs.
    pub fn start_live(&mut self, cx: &mut UiContext) {
        let Some((id, model)) = self.chosen_model(cx).filter(|(_, model)| can_go_on(model)) else {
            return;
        };
        match Live::begin((id, &model), &self.recipe, cx.now_secs) {
            Ok(live) => {
                self.live = Some(live);
                cx.session.is_following = true;
                cx.session.framing = Some(crate::app::shell::session::Framing::Selection);
            }
            Err(error) => cx.say(Severity::Error, error.to_string()),
        }
    }

    /// Stops it; its last minute becomes one more variant, which can be kept.
    pub fn stop_live(&mut self, cx: &mut UiContext) {
        let Some(live) = self.live.take() else {
            return;
        };
        cx.session.is_following = false;
        let as_read = (live.fps, live.up);
        if let Some(mut clip) = clip_of(&live.poses, &live.skeleton, as_read, "stream") {
            clip.info.tags.insert("variant".to_owned());
            let batch = self.batches.entry(live.id).or_default();
            batch.add(live.recipe, live.model, Arc::new(clip));
        }
        cx.session.framing = Some(crate::app::shell::session::Framing::All);
    }

    /// Lets the stream go on; whether there is one.
    pub(in crate::app::variation) fn turn_live(&mut self, cx: &mut UiContext) -> bool {
        let Some(live) = self.live.as_mut() else {
            return false;
        };
        let advanced = live.advance(cx.now_secs);
        if let Err(error) = advanced {
            cx.say(Severity::Error, error.to_string());
            self.stop_live(cx);
        }
        self.live.is_some()
    }
}
