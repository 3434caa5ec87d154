//! How well a loop that begins at a frame can close, for the curve under the ruler; found out in the background.

use std::sync::Arc;

use crate::motion::Clip;
use crate::motion::cycles::Cycles;

/// The cycles of a clip, or why there are none, in words.
pub type Match = Result<Cycles, String>;

/// The clips that were looked at last.
#[derive(Debug, Default)]
pub struct MatchCurves {
    /// Curves that were found, the oldest first.
    pub(super) known: Vec<(Arc<Clip>, Arc<Match>)>,
    pub(super) is_looking: bool,
}

impl MatchCurves {
    pub(super) const MOST: usize = 32;

    /// What is known of this clip.
    pub fn of(&self, clip: &Clip) -> Option<&Arc<Match>> {
        let is_it = |(seen, _): &&(Arc<Clip>, _)| {
            crate::app::shell::clips::analysis::is_one_motion(seen, clip)
        };
        self.known.iter().find(is_it).map(|(_, curve)| curve)
    }
}
