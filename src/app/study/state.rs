//! What the study workspace remembers, and what its panels may ask for.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::app::shell::Shell;
use crate::app::shell::jobs::Inbox;
use crate::app::shell::offers::Offer;
use crate::app::shell::requests::Requests;
use crate::app::study::clones::ClonesView;
use crate::app::study::crowd::CrowdView;
use crate::app::study::measure::MeasureView;
use crate::app::study::rating::RatingView;
use crate::app::study::sets::SetsView;
use crate::document::{ClipId, StudyId};
use crate::motion::Clip;
use crate::study::session::Key;

/// A motion that is no clip of the library, looked at in the 3D view until other clips are selected.
#[derive(Debug, Clone)]
pub(in crate::app::study) struct LookedAt {
    pub(in crate::app::study) clip: Arc<Clip>,
    pub(in crate::app::study) selection: BTreeSet<ClipId>,
}

/// What the workspace remembers; gone when another project is opened.
#[derive(Debug, Default)]
pub struct StudyWorkspace {
    /// Which sets are chosen, for all panels of the workspace.
    pub sets: SetsView,
    /// Numbers of the sets.
    pub measure: MeasureView,
    /// Motion that comes again.
    pub clones: ClonesView,
    /// The preview of a crowd that plays variants.
    pub crowd: CrowdView,
    /// Rating sessions, and what raters said.
    pub rating: RatingView,
    /// Motions that other workspaces have made, brought up to date while this one is shown.
    pub offers: Vec<Offer>,
    pub(in crate::app::study) looked_at: Option<LookedAt>,
    pub(in crate::app::study) inbox: Inbox<Self>,
    /// What panels want done.
    pub requests: Requests<Request>,
}

/// What a panel of the workspace wants done that changes the document.
#[derive(Debug)]
pub enum Request {
    /// A key of the rating session that runs.
    Press(Key),
    /// Removes what one rater answered to a study.
    ForgetRater(StudyId, String),
}

impl StudyWorkspace {
    /// Does what was asked for, and takes what jobs have brought.
    pub(in crate::app) fn answer_all(&mut self, shell: &mut Shell) {
        while let Some(delivery) = self.inbox.next(shell) {
            delivery(self, shell);
        }
        for request in self.requests.take() {
            match request {
                Request::Press(key) => self.press(shell, key),
                Request::ForgetRater(id, rater) => Self::forget_rater(shell, id, &rater),
            }
        }
    }
}
