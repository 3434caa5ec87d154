//! What can be done to entries of the strip.

use crate::motion::Site;
use crate::sequence::EntryId;

/// What is done to entries of the strip.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    /// Removes these entries from the sequence.
    Remove(Vec<EntryId>),
    /// Puts copies behind them.
    Duplicate(Vec<EntryId>),
    /// Moves them before the entry that is at a place now.
    Move(Vec<EntryId>, usize),
    /// Plays one so often.
    Repeat(EntryId, usize),
    /// Plays the whole of it again.
    Untrim(EntryId),
    /// Lets a clip reach for a point, as takes of the same action do.
    Reach(EntryId),
    /// Lets another part of the body reach.
    ReachWith(EntryId, Site),
    /// Plays the first take again, as it was captured.
    AsCaptured(EntryId),
    /// Lets the last action go over into the first, or not.
    Loop(bool),
}
