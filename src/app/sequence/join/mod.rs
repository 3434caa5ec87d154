//! One transition: how it was made, what else was tried, and what the animator chose about it.

pub mod ui;

use crate::sequence::EntryId;

/// What the join editor remembers.
#[derive(Debug, Default)]
pub struct JoinView {
    /// The transition that is looked at, by the entry and the repetition that it leads to.
    pub chosen: Option<(EntryId, usize)>,
}
