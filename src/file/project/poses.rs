//! The pose library in a file of its own, so that it can be carried from one project to another; versioned.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::mirror::{Skeletons, skeleton_from};
use super::posed::{pose_from, pose_to};
use super::v1;
use crate::document::{KeptPose, PoseId};
use crate::file::open::bytes_of;
use crate::file::ron_text::{parse, pretty};
use crate::motion::Axis;

/// The version that this program writes.
const VERSION: u64 = 1;

#[derive(Debug, Deserialize)]
#[serde(rename = "Poses")]
struct Header {
    #[serde(default)]
    version: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct Poses {
    version: u64,
    /// In the order in which they were made.
    #[serde(default)]
    poses: Vec<Kept>,
    /// All skeletons of the poses, each once.
    #[serde(default)]
    skeletons: Vec<v1::Skeleton>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    id: u64,
    name: String,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    tags: BTreeSet<String>,
    skeleton: usize,
    /// Up axis: `Y`, `-Z`.
    up: String,
    pose: v1::Pose,
}

pub(super) fn write(poses: &[(PoseId, Arc<KeptPose>)]) -> Result<String, ron::Error> {
    let mut skeletons = Skeletons::default();
    let kept = |(id, kept): &(PoseId, Arc<KeptPose>)| Kept {
        id: id.0,
        name: kept.name.clone(),
        tags: kept.tags.clone(),
        skeleton: skeletons.index(&kept.skeleton),
        up: kept.up.to_string(),
        pose: pose_to(&kept.pose),
    };
    let poses = poses.iter().map(kept).collect();
    pretty(
        &Poses {
            version: VERSION,
            poses,
            skeletons: skeletons.list,
        },
        2,
    )
}

/// Poses, and in words what was left out.
type Read = (Vec<(PoseId, KeptPose)>, Vec<String>);

/// The poses of a file.
pub(super) fn read(path: &Path) -> Result<Read, String> {
    let bytes = bytes_of(path).map_err(|e| e.to_string())?;
    let Header { version } = parse(&bytes).map_err(|e| e.to_string())?;
    if version > VERSION {
        return Err(format!(
            "it was saved by a newer Kinfolk (format {version}; this one knows up to {VERSION})"
        ));
    }
    let mirror: Poses = parse(&bytes).map_err(|e| e.to_string())?;
    let skeletons = mirror.skeletons.iter();
    let skeletons: Vec<_> = skeletons.map(|s| skeleton_from(s).map(Arc::new)).collect();
    let (mut poses, mut left_out) = (Vec::new(), Vec::new());
    for kept in mirror.poses {
        let pose = match skeletons.get(kept.skeleton) {
            Some(Ok(skeleton)) => one_from(&kept, Arc::clone(skeleton)),
            Some(Err(why)) => Err(format!("its skeleton is broken: {why}")),
            None => Err(format!("there is no skeleton {}", kept.skeleton)),
        };
        match pose {
            Ok(pose) => poses.push((PoseId(kept.id), pose)),
            Err(why) => left_out.push(format!("pose \"{}\" is left out: {why}", kept.name)),
        }
    }
    Ok((poses, left_out))
}

fn one_from(kept: &Kept, skeleton: Arc<crate::motion::Skeleton>) -> Result<KeptPose, String> {
    let up = kept.up.parse::<Axis>().map_err(|e| e.to_string())?;
    let pose = KeptPose {
        name: kept.name.clone(),
        tags: kept.tags.clone(),
        skeleton,
        up,
        pose: pose_from(&kept.pose)?,
    };
    match pose.flaw() {
        Some(why) => Err(why.to_owned()),
        None => Ok(pose),
    }
}
