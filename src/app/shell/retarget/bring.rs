//! Clips brought onto a target as a job: one undoable step.

use crate::app::shell::retarget::choice::Target;
use crate::app::shell::retarget::maps::BoneMaps;
use crate::document::ClipId;
use crate::motion::Clip;
use crate::retarget::{RetargetError, RetargetSettings, Retargeted, Slide};

/// Brings clips onto one skeleton, each by the map of its pair.
#[derive(Debug, Clone)]
pub struct Bringer {
    /// The skeleton that clips are brought onto.
    pub target: Target,
    /// How motions are brought over.
    pub settings: RetargetSettings,
    /// What was set by hand.
    pub maps: BoneMaps,
}

impl Bringer {
    /// One clip; one that is on this skeleton already stays as it is.
    pub fn bring(&self, clip: &Clip) -> Result<Retargeted, RetargetError> {
        let target = &self.target.clip;
        let is_there = **clip.skeleton() == **target.skeleton()
            && clip.info.up == target.info.up
            && self.settings == RetargetSettings::default();
        if is_there {
            return Ok(Retargeted {
                clip: clip.clone(),
                scale: 1.0,
                root_moved: 0.0,
                slide: Slide::default(),
            });
        }
        let pairing = self.maps.pairing(clip, target)?;
        pairing.bring(clip, &pairing.target(target)?, &self.settings)
    }
}

/// What is to be brought, and what becomes of the clips.
#[derive(Debug, Clone)]
pub struct Order {
    /// Clips of the library.
    pub clips: Vec<ClipId>,
    /// Onto what, and how.
    pub bringer: Bringer,
    /// New clips beside the old ones, instead of in their place.
    pub keeps_originals: bool,
}
