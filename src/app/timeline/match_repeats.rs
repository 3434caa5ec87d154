//! Finds out, in the background, where a clip is like the marked range.

use std::sync::Arc;

use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::Unseen;
use crate::app::shell::work::Shown;
use crate::app::timeline::match_curve::MatchCurves;
use crate::app::timeline::state::TimelineState;
use crate::motion::cycles::{CycleSettings, find_cycles};

impl TimelineState {
    /// Looks for cycles in the active clip, if the curve is shown and not known yet.
    pub fn look_for_cycles(&mut self, cx: &mut UiContext) {
        if !cx.preferences.shows_match_curve || self.match_curves.is_looking {
            return;
        }
        let Some(clip) = cx.active_clip().map(Arc::clone) else {
            return;
        };
        if self.match_curves.of(&clip).is_some() {
            return;
        }
        let looked_at = Arc::clone(&clip);
        self.match_curves.is_looking = self.inbox.look(
            cx,
            "look for cycles",
            Shown::Quietly,
            move |_| {
                let found = find_cycles(&looked_at, &CycleSettings::default());
                Ok(found.map_err(|error| error.to_string()))
            },
            move |timeline, _, seen| {
                timeline.match_curves.is_looking = false;
                let curve = match seen {
                    Ok(curve) => curve,
                    // Remembered like any other answer, so that it is not looked at again and again.
                    Err(Unseen::Cancelled | Unseen::Crashed) => {
                        Err("looking for cycles failed, please report this".to_owned())
                    }
                };
                let known = &mut timeline.match_curves.known;
                if known.len() == MatchCurves::MOST {
                    known.remove(0);
                }
                known.push((clip, Arc::new(curve)));
            },
        );
    }
}
