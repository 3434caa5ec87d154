//! What the timeline remembers, and what it asks for that belongs to a workspace.

use crate::app::shell::Shell;
use crate::app::shell::jobs::Inbox;
use crate::app::shell::requests::Requests;
use crate::app::timeline::drag::TimelineDrag;
use crate::app::timeline::layout::Spot;
use crate::app::timeline::match_curve::MatchCurves;
use crate::motion::Contact;

/// What the timeline wants done to what a workspace shows on it.
#[derive(Debug)]
pub enum Request {
    /// Feet and hands of the motion that is looked at are held exactly then.
    HoldDuring(Vec<Contact>),
}

/// What the timeline remembers.
#[derive(Debug, Default)]
pub struct TimelineState {
    /// What is being dragged.
    pub drag: Option<TimelineDrag>,
    /// Where time is drawn, from the left end to the right.
    pub track: (f32, f32),
    /// Where the menu was opened.
    pub(in crate::app::timeline) menu_spot: Option<Spot>,
    /// How well loops of clips can close.
    pub match_curves: MatchCurves,
    pub(in crate::app::timeline) inbox: Inbox<Self>,
    /// What panels want done.
    pub requests: Requests<Request>,
}

impl TimelineState {
    /// Takes what jobs have brought.
    pub(in crate::app) fn take_deliveries(&mut self, shell: &mut Shell) {
        while let Some(delivery) = self.inbox.next(shell) {
            delivery(self, shell);
        }
    }
}
