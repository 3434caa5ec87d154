//! The crowd preview: up to five hundred characters on the floor, each on its spot, playing a set of motions.
//!
//! Motions are brought into place once, in the background; a frame then costs one pose for each character. All
//! characters of a skeleton share one body, so the graphics card draws them at once. The crowd has a clock of its own:
//! where the playhead goes round, the crowd goes on.

mod scene;
pub(in crate::app) mod ui;
mod view;
pub(in crate::app) mod view_ui;
mod walkers;

use std::sync::Arc;

use crate::app::shell::context::{Timebase, UiContext};
use crate::app::shell::jobs::DeliveryTo;
use crate::app::shell::preferences::Workspace;
use crate::app::shell::session::{Framing, Subject};
use crate::app::shell::work::Shown;
use crate::app::study::state::StudyWorkspace;
use crate::study::crowd::FEWEST;
use crate::study::measures::Role;
use walkers::Order;

pub use view::CrowdView;
pub use walkers::{Crowd, CrowdClip, Walker};

/// The job, as the status bar names it.
pub const GATHER: &str = "gather a crowd";

/// How long the timeline is while a crowd plays; the crowd itself goes on.
const ROUND: Timebase = Timebase {
    subject: Subject::Own("crowd", 0),
    secs: 20.0,
    fps: 30.0,
};

impl StudyWorkspace {
    /// Gathers a crowd in the background and shows it.
    pub fn gather_crowd(&mut self, cx: &mut UiContext) {
        let document = cx.document();
        let view = &self.crowd;
        let chosen = self.sets.sets.iter().filter(|set| match &view.set {
            Some(name) => set.name == *name,
            None => set.role == Role::Asked,
        });
        let varied = chosen.flat_map(|set| set.members(document)).collect();
        let cycled = if view.has_cycles {
            self.sets.members_of(document, Role::Inputs)
        } else {
            Vec::new()
        };
        let order = Order {
            varied,
            cycled,
            count: view.count.max(FEWEST),
            seed: view.seed,
        };
        self.inbox.start(cx, GATHER, Shown::InBar, move |ticket| {
            let crowd = Crowd::gather(order, ticket)?;
            let delivery: DeliveryTo<Self> = Box::new(move |study, shell| {
                study.crowd.crowd = Some(Arc::new(crowd));
                study.crowd.picked = None;
                study.crowd.is_shown = true;
                study.looked_at = None;
                shell.session.range_secs = None;
                shell.session.span = None;
                shell.session.is_playing = true;
                shell.session.camera = None;
                shell.session.framing = Some(Framing::All);
            });
            Ok(delivery)
        });
    }

    /// Whether the 3D view shows the crowd.
    pub(in crate::app) fn shows_crowd(&self, cx: &UiContext) -> bool {
        cx.preferences.workspace == Workspace::Study
            && self.crowd.is_shown
            && self.crowd.crowd.is_some()
    }

    /// While a crowd is shown the playhead goes round by itself.
    pub(in crate::app) fn timebase(&self, cx: &UiContext) -> Option<Timebase> {
        self.shows_crowd(cx).then_some(ROUND)
    }

    /// Once per frame: the crowd goes on by as much as the playhead went.
    pub(in crate::app::study) fn turn_crowd(&mut self, cx: &UiContext) {
        let (was, now) = (self.crowd.playhead_secs, cx.session.playhead_secs);
        self.crowd.playhead_secs = now;
        if !self.shows_crowd(cx) {
            return;
        }
        let gone = now - was;
        // Where it went round, the crowd does not.
        let is_round = cx.session.is_playing && gone < 0.0;
        self.crowd.secs += if is_round { gone + ROUND.secs } else { gone };
    }
}
