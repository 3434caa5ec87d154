//! A quick look at a set of clips, worked out in the background.

pub(in crate::app) mod look_ui;
pub mod ui;

use std::sync::Arc;

use crate::app::shell::jobs::{Delivery, Shown, Worked};
use crate::app::shell::studio::Studio;
use crate::document::ClipId;
use crate::motion::edit::{self, Placement};
use crate::motion::likeness::{Likeness, likeness};
use crate::motion::{Clip, HeadingFrame};

/// Larger sets are looked at by their first clips only.
pub const MOST_LOOKED_AT: usize = 120;
const LOOK: &str = "compare the clips of a set";

/// What a look at some clips found.
#[derive(Debug)]
pub struct Look {
    /// In the order of the matrix.
    pub clips: Vec<(ClipId, Arc<Clip>)>,
    /// The numbers, or why there are none.
    pub found: Result<Found, String>,
}

/// Numbers and clips.
#[derive(Debug)]
pub struct Found {
    /// Distances, and who is odd.
    pub likeness: Likeness,
    /// The clips in step, all starting on one spot; the odd ones first.
    pub in_step: Vec<Arc<Clip>>,
}

impl Look {
    /// Looks at clips; takes its time.
    pub(in crate::app) fn at(clips: Vec<(ClipId, Arc<Clip>)>) -> Self {
        let refs: Vec<&Clip> = clips.iter().map(|(_, clip)| &**clip).collect();
        let found = found(&refs).map_err(|error| format!("{error:#}"));
        Self { clips, found }
    }

    /// Whether it is a look at just these.
    pub(in crate::app) fn is_of(&self, clips: &[(ClipId, Arc<Clip>)]) -> bool {
        let mut pairs = self.clips.iter().zip(clips);
        self.clips.len() == clips.len() && pairs.all(|(a, b)| a.0 == b.0 && Arc::ptr_eq(&a.1, &b.1))
    }
}

impl Studio {
    /// What a look at the open set found, once it is known.
    pub fn look_at_set(&mut self) -> Option<&Arc<Look>> {
        let set = self.document().set(self.library.sets.open?)?;
        let ids = set.clips.iter().take(MOST_LOOKED_AT);
        let clip = |id: &ClipId| Some((*id, Arc::clone(self.document().clip(*id)?)));
        let clips: Vec<(ClipId, Arc<Clip>)> = ids.filter_map(clip).collect();
        let known = self.library.sets.look.as_ref();
        if known.is_some_and(|look| look.is_of(&clips)) {
            return self.library.sets.look.as_ref();
        }
        if !self.work.is_running(LOOK) {
            self.start(LOOK, Shown::Quietly, move |_| look(clips));
        }
        None
    }
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "all work ends so; what cannot be compared is told in the panel"
)]
fn look(clips: Vec<(ClipId, Arc<Clip>)>) -> Worked {
    let look = Arc::new(Look::at(clips));
    let delivery: Delivery = Box::new(move |studio| studio.library.sets.look = Some(look));
    Ok(delivery)
}

fn found(clips: &[&Clip]) -> anyhow::Result<Found> {
    let likeness = likeness(clips)?;
    let warped = likeness.aligned.warped(clips)?;
    let heading = HeadingFrame::learn(clips);
    let first = clips.first().map(|clip| heading.track(clip));
    let place = first.as_ref().and_then(|t| t.positions.first().copied());
    let start = Placement {
        place,
        ..Placement::at_origin(0)
    };
    let mut order = likeness.odd.clone();
    order.extend((0..clips.len()).filter(|i| !likeness.odd.contains(i)));
    let in_step = order
        .into_iter()
        .take(Studio::MOST_SHOWN)
        .map(|i| Ok(Arc::new(edit::align(&warped[i], &start)?)))
        .collect::<anyhow::Result<Vec<Arc<Clip>>>>()?;
    Ok(Found { likeness, in_step })
}
