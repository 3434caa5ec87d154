//! Both sides of a bone map.

use std::sync::Arc;

use crate::app::shell::retarget::choice::Target;
use crate::app::shell::retarget::figure::{Figure, Look};
use crate::motion::{Clip, Skeleton};
use crate::retarget::{Character, Pairing, ReferencePose, RetargetError, SeenIn};

/// One side of the dialog.
#[derive(Debug, Clone)]
pub struct MapSide {
    /// The clip or the file.
    pub name: String,
    /// A clip on the skeleton.
    pub clip: Arc<Clip>,
    /// The body in the pose that rotations are measured from.
    pub figure: Figure,
    /// The program whose names it has.
    pub names: Option<&'static str>,
    /// The pose that is found by itself.
    pub seen_in: SeenIn,
    /// The joint that was clicked.
    pub chosen: Option<usize>,
}

impl MapSide {
    pub(super) fn of(target: Target, pose: &ReferencePose) -> Result<Self, RetargetError> {
        let character = Character::of(&target.clip, pose.clone())?;
        let labels = character.labels();
        Ok(Self {
            figure: Figure::of(&character),
            names: labels.preset,
            seen_in: labels.seen_in,
            name: target.name,
            clip: target.clip,
            chosen: None,
        })
    }

    /// The skeleton of this side.
    pub fn skeleton(&self) -> &Skeleton {
        self.clip.skeleton()
    }

    /// What a joint is called.
    pub fn joint(&self, joint: usize) -> &str {
        self.skeleton()
            .joints()
            .get(joint)
            .map_or("?", |joint| joint.name.as_str())
    }
}

/// What the dialog of a bone map remembers.
#[derive(Debug, Clone)]
pub struct MapBox {
    /// Where motions come from.
    pub source: MapSide,
    /// What they are brought onto.
    pub target: MapSide,
    /// As it is set now.
    pub pairing: Pairing,
    /// As it is found by itself.
    pub(super) found: Pairing,
    /// How both figures are looked at.
    pub look: Look,
}
