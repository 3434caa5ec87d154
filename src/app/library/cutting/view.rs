//! What the panel for cutting remembers.

use std::ops::Range;
use std::sync::Arc;

use crate::app::library::cutting::{ProposalKind, Proposals, RepeatPattern};
use crate::document::SetId;
use crate::motion::Clip;

/// Where repeats are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Where {
    /// All clips of the project are searched.
    #[default]
    Everywhere,
    /// In the selected clips.
    Selected,
    /// In the clips of a set.
    Set(SetId),
}

/// A made preview, and of what.
pub type ShownProposal = (Arc<Clip>, Range<usize>, ProposalKind, Vec<Arc<Clip>>);

/// What the panel remembers.
#[derive(Debug, Default)]
pub struct CutView {
    /// What was found last.
    pub proposals: Option<Proposals>,
    /// The stretch that repeats are to be like.
    pub pattern: Option<RepeatPattern>,
    /// The preview that was made last.
    pub shown: Option<ShownProposal>,
    pub(super) is_left_foot: bool,
    pub(super) is_seamless: bool,
    pub(super) makes_set: bool,
    pub(super) set_name: String,
    pub(super) loops_range: bool,
    pub(super) place: Where,
}
