//! What is chosen in the tool for retargeting, and what was found out about it.

use std::sync::Arc;

use crate::app::shell::retarget::bring::Bringer;
use crate::app::shell::retarget::choice::{Target, TargetChoice};
use crate::app::shell::retarget::skeletons::Kind;
use crate::document::ClipId;
use crate::motion::{Clip, Skeleton};
use crate::retarget::{Pairing, RetargetSettings, Slide, Unmapped};

/// More before and after at once would be a crowd.
pub const MOST_PREVIEWED: usize = 6;

/// What the animator chose.
#[derive(Debug)]
pub struct RetargetTool {
    /// Clips of the library.
    pub clips: Vec<ClipId>,
    /// The skeleton that clips are brought onto.
    pub choice: TargetChoice,
    /// How motions are brought over.
    pub settings: RetargetSettings,
    /// New clips beside the old ones, instead of in their place.
    pub keeps_originals: bool,
    /// Whether the 3D view shows before and after.
    pub shows_preview: bool,
    /// What was found out last.
    pub(super) findings: Option<Arc<Findings>>,
}

/// What was asked for: the findings hold for nothing else.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    pub(super) clips: Vec<(ClipId, Arc<Clip>)>,
    pub(super) bringer: Bringer,
}

impl Asked {
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let mut pairs = self.clips.iter().zip(&other.clips);
        self.clips.len() == other.clips.len()
            && pairs.all(|(a, b)| a.0 == b.0 && Arc::ptr_eq(&a.1, &b.1))
            && Arc::ptr_eq(&self.bringer.target.clip, &other.bringer.target.clip)
            && self.bringer.settings == other.bringer.settings
            && self.bringer.maps.revision() == other.bringer.maps.revision()
    }
}

/// What became of one skeleton of the clips.
#[derive(Debug, Clone)]
pub struct PairFinding {
    /// The clips that are on this skeleton.
    pub kind: Kind,
    /// The program whose names it has.
    pub names: Option<&'static str>,
    /// Which joint moves which, or why it cannot be brought over.
    pub matched: Result<Matched, String>,
}

/// Two skeletons that were matched.
#[derive(Debug, Clone)]
pub struct Matched {
    /// Which joint goes with which, and in which poses they were compared.
    pub pairing: Pairing,
    /// What that leaves out.
    pub unmapped: Unmapped,
    /// Whether it was set by hand.
    pub is_by_hand: bool,
}

/// A clip before and after.
#[derive(Debug, Clone)]
pub struct Shift {
    /// The clip as it is on its own skeleton.
    pub before: Arc<Clip>,
    /// As it would become.
    pub after: Arc<Clip>,
    /// How much its feet slide.
    pub slide: Slide,
}

/// What was found out.
#[derive(Debug)]
pub struct Findings {
    pub(super) asked: Asked,
    /// One for each skeleton that is not the target's.
    pub pairs: Vec<PairFinding>,
    /// How many clips are on the target's skeleton already.
    pub n_there: usize,
    /// Some clips before and after.
    pub shifts: Vec<Shift>,
}

impl Findings {
    /// The target that the findings are about.
    pub fn target(&self) -> &Target {
        &self.asked.bringer.target
    }

    /// The skeleton of the target.
    pub fn target_skeleton(&self) -> &Skeleton {
        self.target().clip.skeleton()
    }
}
