//! The pose library: poses that are kept for later, with names and tags.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::edit::line;
use super::{CheckError, Document, EditError};
use crate::motion::{Axis, Pose, Skeleton};

/// Names a kept pose for as long as the project lives. Never used again for another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PoseId(pub u64);

impl std::fmt::Display for PoseId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A pose of the library. Immutable behind an `Arc`: every change makes a new one.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptPose {
    /// One line of text; several poses may have the same.
    pub name: String,
    /// Each one line of text.
    pub tags: BTreeSet<String>,
    /// The bones it was made on.
    pub skeleton: Arc<Skeleton>,
    /// Which way is up.
    pub up: Axis,
    /// The pose.
    pub pose: Pose,
}

impl KeptPose {
    /// What is wrong with it by itself, if anything is: only a file or a bug makes such a one.
    pub fn flaw(&self) -> Option<&'static str> {
        let (pose, skeleton) = (&self.pose, &*self.skeleton);
        let are_places = pose.translations.iter().flat_map(|t| t.iter());
        let are_turns = pose.rotations.iter().map(|q| q.coords.norm());
        if pose.rotations.len() != skeleton.n_joints()
            || pose.translations.len() != skeleton.translating().len()
        {
            Some("it has other joints than its skeleton")
        } else if !(are_places.into_iter().all(|x| x.is_finite())
            && are_turns.into_iter().all(|norm| (norm - 1.0).abs() < 1e-6))
        {
            Some("it is not made of finite places and turns")
        } else {
            None
        }
    }
}

/// All kept poses in the order in which they were made, so also by number.
pub(super) type Poses = Arc<Vec<(PoseId, Arc<KeptPose>)>>;

impl Document {
    /// The pose library in the order in which it grew.
    pub fn poses(&self) -> &[(PoseId, Arc<KeptPose>)] {
        &self.poses
    }

    /// One kept pose, if it is still there.
    pub fn pose(&self, id: PoseId) -> Option<&Arc<KeptPose>> {
        let at = self.poses.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(&self.poses[at].1)
    }

    pub(super) fn add_pose(&mut self, pose: Arc<KeptPose>) -> Result<(), EditError> {
        let pose = sound(pose)?;
        let id = PoseId(self.new_number()?);
        Arc::make_mut(&mut self.poses).push((id, pose));
        Ok(())
    }

    pub(super) fn change_pose(&mut self, id: PoseId, pose: Arc<KeptPose>) -> Result<(), EditError> {
        let pose = sound(pose)?;
        let at = self.poses.binary_search_by_key(&id, |(id, _)| *id);
        let at = at.map_err(|_place| EditError::NoSuchPose(id))?;
        Arc::make_mut(&mut self.poses)[at].1 = pose;
        Ok(())
    }

    pub(super) fn remove_poses(&mut self, gone: &[PoseId]) -> Result<(), EditError> {
        if let Some(id) = gone.iter().find(|id| self.pose(**id).is_none()) {
            return Err(EditError::NoSuchPose(*id));
        }
        Arc::make_mut(&mut self.poses).retain(|(id, _)| !gone.contains(id));
        Ok(())
    }

    pub(super) fn check_poses(&self) -> Result<(), CheckError> {
        if let Some(pair) = self.poses.windows(2).find(|pair| pair[0].0 >= pair[1].0) {
            return Err(CheckError::PoseTwice(pair[1].0));
        }
        let flawed = self.poses.iter().find_map(|(id, pose)| {
            let why = pose.flaw()?;
            Some(CheckError::Pose { id: *id, why })
        });
        flawed.map_or(Ok(()), Err)
    }
}

/// With a name and tags that are lines of text, or why it cannot be kept.
fn sound(mut pose: Arc<KeptPose>) -> Result<Arc<KeptPose>, EditError> {
    if let Some(why) = pose.flaw() {
        return Err(EditError::Pose(why));
    }
    let name = line("the name of a pose", pose.name.clone())?;
    let tags = pose.tags.iter().cloned();
    let tags: Result<BTreeSet<String>, EditError> = tags.map(|tag| line("a tag", tag)).collect();
    let tags = tags?;
    if name != pose.name || tags != pose.tags {
        let changed = Arc::make_mut(&mut pose);
        changed.name = name;
        changed.tags = tags;
    }
    Ok(pose)
}
