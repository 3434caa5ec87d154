//! One pose of one character on another, whatever bones it has.

use std::sync::Arc;

use crate::app::shell::retarget::maps::BoneMaps;
use crate::motion::{Axis, Clip, ClipInfo, Motion, Pose, Skeleton};
use crate::retarget::RetargetSettings;

/// A pose with its bones and its world.
#[derive(Debug, Clone, Copy)]
pub struct PoseOn<'a> {
    /// The skeleton whose reference pose it is.
    pub skeleton: &'a Arc<Skeleton>,
    /// Which way is up.
    pub up: Axis,
    /// The pose that rotations are measured from.
    pub pose: &'a Pose,
}

impl PoseOn<'_> {
    fn clip(&self) -> anyhow::Result<Clip> {
        let mut motion = Motion::with_capacity(self.skeleton, 1.0, 1);
        motion.push(self.pose.as_ref());
        let mut info = ClipInfo::named("pose");
        info.up = self.up;
        Ok(Clip::new(info, Arc::clone(self.skeleton), motion)?)
    }
}

/// The pose as another character would have it: the map that was set by hand counts, feet are brought to their scaled
/// places.
pub fn pose_onto(maps: &BoneMaps, from: PoseOn<'_>, to: PoseOn<'_>) -> anyhow::Result<Pose> {
    let (source, target) = (from.clip()?, to.clip()?);
    let pairing = maps.pairing(&source, &target)?;
    let settings = RetargetSettings::default();
    let made = pairing.bring(&source, &pairing.target(&target)?, &settings)?;
    Ok(made.clip.frame(0).to_pose())
}
