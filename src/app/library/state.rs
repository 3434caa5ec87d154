//! What the library workspace remembers, and what its panels may ask for.

use crate::app::library::cleaning::view::CleanView;
use crate::app::library::clips::listing::{Listing, Sort};
use crate::app::library::cutting::view::CutView;
use crate::app::library::sets::view::SetsView;
use crate::app::library::strokes::view::StrokesView;
use crate::app::shell::Shell;
use crate::app::shell::jobs::Inbox;
use crate::app::shell::requests::Requests;
use crate::document::{ClipId, SetId};

/// What the library workspace remembers.
#[derive(Debug, Default)]
pub struct LibraryWorkspace {
    /// The rows of the table.
    pub listing: Listing,
    /// None shows the clips in the order of the library.
    pub sort: Option<Sort>,
    /// Only the clips of this set.
    pub set: Option<SetId>,
    /// Whether arrow keys belong to the table.
    pub has_keys: bool,
    /// Where the arrow keys are.
    pub cursor: Option<ClipId>,
    /// A row that should come into view.
    pub scroll_to: Option<usize>,
    /// The panel for cutting.
    pub cut: CutView,
    /// The panel for cleaning.
    pub clean: CleanView,
    /// The panel of sets.
    pub sets: SetsView,
    /// The pad for strokes.
    pub strokes: StrokesView,
    pub(in crate::app::library) inbox: Inbox<Self>,
    /// What panels want done.
    pub requests: Requests<Request>,
}

/// What a panel of the library wants done that needs the document.
#[derive(Debug)]
pub enum Request {
    /// Puts the strokes that were made into the project.
    KeepStrokes,
}

impl LibraryWorkspace {
    /// Does what was asked for, and takes what jobs have brought.
    pub(in crate::app) fn answer_all(&mut self, shell: &mut Shell) {
        while let Some(delivery) = self.inbox.next(shell) {
            delivery(self, shell);
        }
        for request in self.requests.take() {
            match request {
                Request::KeepStrokes => self.keep_strokes(shell),
            }
        }
    }
}
