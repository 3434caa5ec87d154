//! The strip: actions in their order, with the transitions between them.

mod edits;
mod evaluation;
mod export;
mod export_ui;
mod layout;
mod paint;
mod rounds;
mod toolbar_ui;
mod touch;
pub mod ui;

use std::sync::Arc;

use crate::document::Sequence;
use crate::sequence::EntryId;

pub use edits::Edit;
pub(in crate::app::sequence) use edits::called;
pub use evaluation::Evaluated;
use evaluation::{Prepared, Wanted};
pub use export::Export;
use rounds::Rounds;
pub(in crate::app::sequence) use touch::carried_ui;

/// What the strip remembers.
#[derive(Debug, Default)]
pub struct StripView {
    /// Whether standing feet are locked in what is exported.
    pub locks_feet: bool,
    /// The entries that are selected, in no order.
    pub selected: Vec<EntryId>,
    /// The motion as it was made last.
    pub(in crate::app::sequence) shown: Option<Arc<Evaluated>>,
    /// A value that is being dragged; it becomes a step when it is let go.
    pub(in crate::app::sequence) draft: Option<Draft>,
    /// What was evaluated last, or is being evaluated.
    done_for: Option<Wanted>,
    is_evaluating: bool,
    /// The steps that were made, kept for the next evaluation.
    evaluation: crate::sequence::Evaluation,
    prepared: Prepared,
    rounds: Rounds,
    /// A name of the sequence, half typed.
    renaming: Option<String>,
    /// An edge or a block in the hand.
    hold: Option<layout::Hold>,
}

impl StripView {
    /// The motion as it was made last; it may lag behind an edit for a moment.
    pub fn shown(&self) -> Option<&Evaluated> {
        self.shown.as_deref()
    }
}

/// A sequence as it would become.
#[derive(Debug, Clone)]
pub struct Draft {
    /// For the menu.
    pub what: String,
    /// What it would become.
    pub sequence: Arc<Sequence>,
}
