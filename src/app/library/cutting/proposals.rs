//! Pieces that a clip could be cut into.

use std::ops::Range;
use std::sync::Arc;

use crate::document::ClipId;
use crate::motion::Clip;

/// What a list of proposals holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ProposalKind {
    /// Stretches that can be played again and again.
    #[default]
    Cycles,
    /// Stretches like a marked one.
    Repeats,
}

/// A stretch that could be cut out.
#[derive(Debug, Clone)]
pub struct Proposal {
    /// The take as it was when the stretch was found.
    pub take: Arc<Clip>,
    /// The clip of the library that the proposal is cut from.
    pub id: ClipId,
    /// Frames of the take.
    pub frames: Range<usize>,
    /// Cycles: how well it closes, 1 is exactly. Repeats: mean distance in body heights.
    pub value: f64,
    /// Whether it is to be kept.
    pub is_ticked: bool,
}

/// Everything that was found, the best first.
#[derive(Debug, Clone, Default)]
pub struct Proposals {
    /// What was looked for.
    pub kind: ProposalKind,
    /// The proposed ranges, best first.
    pub list: Vec<Proposal>,
    /// Takes in which nothing could be looked for, with the reason.
    pub skipped: Vec<String>,
}

impl Proposals {
    /// How many are to be kept.
    pub fn n_ticked(&self) -> usize {
        self.list.iter().filter(|p| p.is_ticked).count()
    }
}

/// A stretch that others are to be like.
#[derive(Debug, Clone)]
pub struct RepeatPattern {
    /// The take that the pattern was marked in.
    pub take: Arc<Clip>,
    /// The frames of it, the end not included.
    pub frames: Range<usize>,
}

/// How ticked proposals become clips.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Keeping {
    /// Each end is made to lead into its beginning.
    pub is_seamless: bool,
    /// Also put in a new set of this name.
    pub set: Option<String>,
}
