//! What the strip remembers.

use std::sync::Arc;

use crate::app::sequence::strip::evaluation::{Evaluated, Prepared, Wanted};
use crate::app::sequence::strip::layout::Hold;
use crate::app::sequence::strip::rounds::Rounds;
use crate::document::Sequence;
use crate::sequence::EntryId;

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
    pub(super) done_for: Option<Wanted>,
    pub(super) is_evaluating: bool,
    /// The steps that were made, kept for the next evaluation.
    pub(super) evaluation: crate::sequence::Evaluation,
    pub(super) prepared: Prepared,
    pub(super) rounds: Rounds,
    /// A name of the sequence, half typed.
    pub(super) renaming: Option<String>,
    /// An edge or a block in the hand.
    pub(super) hold: Option<Hold>,
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
    /// What the undo menu will call it.
    pub what: String,
    /// What it would become.
    pub sequence: Arc<Sequence>,
}
