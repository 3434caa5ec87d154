//! Bone maps on disk: one RON file for a pair of skeletons, which a person can read and correct.
//!
//! Joints stand by name, so a map goes on fitting when a rig gets new joints elsewhere; of several joints of one name
//! the second is `NAME#2`. The names of both skeletons are kept beside the links, so that among several maps the one
//! for a pair is found without asking ([`for_pair`]). Poses that show the bodies upright stand there only if they were
//! set by hand; otherwise they are found again.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::kind::Header;
use super::{FileKind, ReadError, RonError, ron_text};
use crate::motion::{Quat, Skeleton};
use crate::retarget::{BoneMap, Link, MapError, Pairing, ReferencePose};

const VERSION: u64 = 1;

/// Why a bone map cannot be read or used.
#[derive(Debug, thiserror::Error)]
pub enum MapFileError {
    /// The operating system refused.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// No RON, or not laid out as a bone map.
    #[error("not a bone map: {0}")]
    Syntax(#[from] RonError),
    /// It is something else.
    #[error("this is {0}; joints are paired by a bone map, as `kinfolk map` writes it")]
    Other(FileKind),
    /// Written by a later Kinfolk.
    #[error("a bone map of version {0}; this Kinfolk reads version {VERSION}")]
    Version(u64),
    /// A link names a joint that its skeleton does not have.
    #[error("the {side} skeleton has no joint \"{joint}\"")]
    NoJoint {
        /// Which of the two skeletons: "source" or "target".
        side: &'static str,
        /// The name that was looked for.
        joint: String,
    },
    /// A pose has not one turn for each joint, or no turns at all.
    #[error(
        "the pose of the {side} skeleton is none: expected {expected} turns, found {found} good ones"
    )]
    Pose {
        /// Which of the two skeletons: "source" or "target".
        side: &'static str,
        /// Joints of the skeleton.
        expected: usize,
        /// Unit quaternions in the file.
        found: usize,
    },
    /// The links contradict each other.
    #[error(transparent)]
    Map(#[from] MapError),
    /// The values cannot be written as text.
    #[error("cannot be written: {0}")]
    Write(#[from] ron::Error),
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename = "BoneMap")]
struct File {
    version: u64,
    /// All joints, in order.
    source: Vec<String>,
    target: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source_pose: Option<PoseRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    target_pose: Option<PoseRecord>,
    links: Vec<LinkRecord>,
}

/// A pose that was set by hand.
#[derive(Debug, Clone, Serialize, Deserialize)]
enum PoseRecord {
    /// The rest pose, in which all rotations are zero.
    Rest,
    /// The number of a frame of the clip that is brought over.
    Frame(usize),
    /// For each joint, in order: w, x, y, z.
    Turns(Vec<(f64, f64, f64, f64)>),
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename = "Link")]
struct LinkRecord {
    to: String,
    from: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    toward: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    share: Option<f64>,
}

/// A bone map that was read, not yet fitted to skeletons.
#[derive(Debug, Clone)]
pub struct MapFile(File);

/// A map as text.
pub fn write(
    pairing: &Pairing,
    source: &Skeleton,
    target: &Skeleton,
) -> Result<String, MapFileError> {
    let (source, target) = (keys(source), keys(target));
    let links = pairing.map.links().iter().map(|link| LinkRecord {
        to: target[link.to].clone(),
        from: source[link.from].clone(),
        toward: (link.share > 0.0).then(|| source[link.toward].clone()),
        share: (link.share > 0.0).then_some(link.share),
    });
    let links = links.collect();
    let file = File {
        version: VERSION,
        source,
        target,
        source_pose: pose_record(&pairing.source_pose),
        target_pose: pose_record(&pairing.target_pose),
        links,
    };
    Ok(ron_text::pretty(&file, 2)?)
}

/// Reads a bone map from a file.
pub fn read(path: &Path) -> Result<MapFile, MapFileError> {
    parse(&super::open::bytes_of(path)?)
}

/// Reads a map from text. Memory follows its length.
pub fn parse(bytes: &[u8]) -> Result<MapFile, MapFileError> {
    let header = Header::of(bytes)?;
    if let Some(other) = header.other_than(FileKind::BoneMap) {
        return Err(MapFileError::Other(other));
    }
    let version = header.version()?;
    if version != VERSION {
        return Err(MapFileError::Version(version));
    }
    Ok(MapFile(ron_text::parse(bytes)?))
}

impl MapFile {
    /// Whether it was made for skeletons with just these joints.
    pub fn is_for(&self, source: &Skeleton, target: &Skeleton) -> bool {
        self.0.source == keys(source) && self.0.target == keys(target)
    }

    /// The map for these skeletons; every joint that a link names must be there.
    pub fn fit(&self, source: &Skeleton, target: &Skeleton) -> Result<Pairing, MapFileError> {
        let (sources, targets) = (keys(source), keys(target));
        let find = |side: &'static str, keys: &[String], joint: &String| {
            let at = keys.iter().position(|key| key == joint);
            at.ok_or_else(|| MapFileError::NoJoint {
                side,
                joint: joint.clone(),
            })
        };
        let mut links = Vec::with_capacity(self.0.links.len());
        for link in &self.0.links {
            let from = find("source", &sources, &link.from)?;
            links.push(Link {
                to: find("target", &targets, &link.to)?,
                from,
                toward: match &link.toward {
                    Some(toward) => find("source", &sources, toward)?,
                    None => from,
                },
                share: link.share.unwrap_or(0.0),
            });
        }
        Ok(Pairing {
            map: BoneMap::new(links, sources.len(), targets.len())?,
            source_pose: pose("source", self.0.source_pose.as_ref(), sources.len())?,
            target_pose: pose("target", self.0.target_pose.as_ref(), targets.len())?,
        })
    }
}

fn pose_record(pose: &ReferencePose) -> Option<PoseRecord> {
    match pose {
        ReferencePose::Found => None,
        ReferencePose::Rest => Some(PoseRecord::Rest),
        ReferencePose::Frame(frame) => Some(PoseRecord::Frame(*frame)),
        ReferencePose::Turns(turns) => {
            let turns = turns.iter().map(|turn| (turn.w, turn.i, turn.j, turn.k));
            Some(PoseRecord::Turns(turns.collect()))
        }
    }
}

fn pose(
    side: &'static str,
    record: Option<&PoseRecord>,
    n_joints: usize,
) -> Result<ReferencePose, MapFileError> {
    Ok(match record {
        None => ReferencePose::Found,
        Some(PoseRecord::Rest) => ReferencePose::Rest,
        Some(PoseRecord::Frame(frame)) => ReferencePose::Frame(*frame),
        Some(PoseRecord::Turns(numbers)) => {
            let turn = |&(w, x, y, z): &(f64, f64, f64, f64)| {
                let turn = Quat::try_new(nalgebra::Quaternion::new(w, x, y, z), 1e-6)?;
                turn.coords.iter().all(|x| x.is_finite()).then_some(turn)
            };
            let turns: Vec<Quat> = numbers.iter().filter_map(turn).collect();
            if turns.len() != n_joints || numbers.len() != n_joints {
                return Err(MapFileError::Pose {
                    side,
                    expected: n_joints,
                    found: turns.len(),
                });
            }
            ReferencePose::Turns(turns.into())
        }
    })
}

/// The first map in a folder, by file name, that was made for these skeletons.
pub fn for_pair(
    folder: &Path,
    source: &Skeleton,
    target: &Skeleton,
) -> Result<Option<Pairing>, MapFileError> {
    let maps = all_in(folder)?.into_iter();
    let mut own = maps.filter(|map| map.is_for(source, target));
    own.next().map(|map| map.fit(source, target)).transpose()
}

/// All maps in a folder, by file name. Files that are no maps are passed over.
pub fn all_in(folder: &Path) -> Result<Vec<MapFile>, MapFileError> {
    let entries = std::fs::read_dir(folder).map_err(ReadError::from)?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            path.extension()
                .is_some_and(|e| e.eq_ignore_ascii_case("ron"))
        })
        .collect();
    files.sort();
    Ok(files.iter().filter_map(|path| read(path).ok()).collect())
}

/// A file name for the map of a pair: the same pair gives the same name, others, as good as always, another.
pub fn file_name(source: &Skeleton, target: &Skeleton) -> String {
    // FNV-1a, which is the same in every version; the names in the file decide whose map it is.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for key in keys(source)
        .iter()
        .chain(&[String::new()])
        .chain(&keys(target))
    {
        for byte in key.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    format!("{hash:016x}.ron")
}

/// A name for each joint that no other joint has.
fn keys(skeleton: &Skeleton) -> Vec<String> {
    let mut seen: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    let joints = skeleton.joints().iter();
    joints
        .map(|joint| {
            let nth = seen.entry(&joint.name).or_default();
            *nth += 1;
            match *nth {
                1 => joint.name.clone(),
                n => format!("{}#{n}", joint.name),
            }
        })
        .collect()
}
