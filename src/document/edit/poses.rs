//! What commands do to the pose library.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::document::ids::PoseId;
use crate::document::poses::KeptPose;
use crate::document::text::line;
use crate::document::{CheckError, Document, EditError};

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

    pub(in crate::document) fn add_pose(&mut self, pose: Arc<KeptPose>) -> Result<(), EditError> {
        let pose = sound(pose)?;
        let id = PoseId(self.new_number()?);
        Arc::make_mut(&mut self.poses).push((id, pose));
        Ok(())
    }

    pub(in crate::document) fn change_pose(
        &mut self,
        id: PoseId,
        pose: Arc<KeptPose>,
    ) -> Result<(), EditError> {
        let pose = sound(pose)?;
        let at = self.poses.binary_search_by_key(&id, |(id, _)| *id);
        let at = at.map_err(|_place| EditError::NoSuchPose(id))?;
        Arc::make_mut(&mut self.poses)[at].1 = pose;
        Ok(())
    }

    pub(in crate::document) fn remove_poses(&mut self, gone: &[PoseId]) -> Result<(), EditError> {
        if let Some(id) = gone.iter().find(|id| self.pose(**id).is_none()) {
            return Err(EditError::NoSuchPose(*id));
        }
        Arc::make_mut(&mut self.poses).retain(|(id, _)| !gone.contains(id));
        Ok(())
    }

    pub(in crate::document) fn check_poses(&self) -> Result<(), CheckError> {
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
