//! The pose library: poses that are kept for later, with names and tags.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::ids::PoseId;
use crate::motion::{Axis, Pose, Skeleton};

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
    /// Rotations of all joints, and the place of the root.
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
