//! What was settled for a pair of skeletons: once found or set by hand, it holds for every clip on them.

use super::character::Character;
use super::error::RetargetError;
use super::map::BoneMap;
use super::reference::ReferencePose;
use super::settings::RetargetSettings;
use super::{Retargeted, retarget};
use crate::motion::Clip;

/// Which joint moves which, and the poses in which both bodies stand.
#[derive(Debug, Clone, PartialEq)]
pub struct Pairing {
    /// From the joints of the source to those of the target.
    pub map: BoneMap,
    /// The pose that shows the source upright.
    pub source_pose: ReferencePose,
    /// The same of the target.
    pub target_pose: ReferencePose,
}

impl Pairing {
    /// Everything found by itself.
    pub fn found(source: &Clip, target: &Clip) -> Result<Self, RetargetError> {
        let source = Character::of(source, ReferencePose::Found)?;
        let target = Character::of(target, ReferencePose::Found).map_err(RetargetError::Target)?;
        Ok(Self::between(&source, &target))
    }

    /// The map that is found between two bodies, in the poses that they were looked at.
    pub fn between(source: &Character, target: &Character) -> Self {
        Self {
            map: BoneMap::between(source, target),
            source_pose: source.pose().clone(),
            target_pose: target.pose().clone(),
        }
    }

    /// The target in its pose; a clip on its skeleton is enough.
    pub fn target(&self, clip: &Clip) -> Result<Character, RetargetError> {
        Character::of(clip, self.target_pose.clone()).map_err(RetargetError::Target)
    }

    /// Brings a clip of the source's skeleton onto the target, which has to be in its pose ([`Self::target`]).
    pub fn bring(
        &self,
        clip: &Clip,
        target: &Character,
        settings: &RetargetSettings,
    ) -> Result<Retargeted, RetargetError> {
        let source = Character::of(clip, self.source_pose.clone())?;
        retarget(clip, &source, target, &self.map, settings)
    }
}
