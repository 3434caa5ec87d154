//! How far apart two poses are, with the way they move: the distance of Lee et al. 2002 on any skeleton.
//!
//! ```text
//! D^2 = sum_j w_j |log(q_j^-1 q'_j)|^2 + (h - h')^2
//!     + nu^2 ( sum_j w_j |omega_j - omega'_j|^2 + |v - v'|^2 + (r - r')^2 )
//! ```
//!
//! Rotations q are those of pelvis (its heading taken off), spine, hips, knees, shoulders and elbows, in radians; h is
//! the height of the pelvis and v its velocity in the heading frame, in metres of a body of 1.75 m; r is how fast the
//! body turns. Where the body stands and which way it faces do not count. Chains that act as one joint (three spine
//! joints, clavicle and shoulder) count as one rotation, or rigs with more of them would weigh more.
//!
//! Lee's distance is a product of geodesic distances and a Euclidean one, so D is a metric: the triangle inequality
//! holds, and searches may prune by it. Weights follow Lee (1 for these joints, 0 for the rest) and can be changed by
//! name. nu = 0.1 s as measured in the pilot of the transition graph: less ignores the direction of motion, more makes
//! poses of fast and slow takes strangers.

mod groups;
mod rows;
pub mod sketch;

use std::sync::Arc;

use super::heading::turn;
use super::{Body, Clip, HeadingFrame, Quat, RootTrack, Skeleton, Vec3, body, heading};

pub use groups::Group;
pub use rows::PoseRows;

/// The height that lengths are scaled to, so that a metre of height and a radian of a joint weigh alike on any rig.
pub(super) const BODY_METRES: f64 = 1.75;

/// Weights of joints and velocities in the distance of poses.
#[derive(Debug, Clone, PartialEq)]
pub struct PoseMetricSettings {
    /// nu, in seconds: how much velocities count against poses.
    pub velocity_secs: f64,
    /// Joints by name with the weight they shall have instead; 0 leaves one out.
    pub weights: Vec<(String, f64)>,
}

impl Default for PoseMetricSettings {
    fn default() -> Self {
        Self {
            velocity_secs: 0.1,
            weights: Vec::new(),
        }
    }
}

/// Poses cannot be compared.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PoseMetricError {
    /// The list of clips is empty.
    #[error("at least one clip is needed")]
    NoClips,
    /// The clips are on skeletons of other joints.
    #[error(
        "clip \"{clip}\" is on another skeleton than \"{first}\"; `kinfolk retarget` brings it there"
    )]
    Skeleton {
        /// Name of the first clip.
        first: String,
        /// Name of the one that differs.
        clip: String,
    },
    /// A weight names no joint.
    #[error("there is no joint \"{0}\" on the skeleton")]
    NoJoint(String),
    /// A number cannot be meant.
    #[error("{what} must be a number of at least 0, found {found}")]
    Number {
        /// The setting or the joint whose weight it is.
        what: String,
        /// The value that was given.
        found: f64,
    },
    /// All weights are zero.
    #[error("no joint has a weight, so all poses would be the same")]
    NothingCounts,
}

/// How poses of one skeleton are compared.
#[derive(Debug, Clone, PartialEq)]
pub struct PoseMetric {
    /// How position and heading are read.
    pub heading: HeadingFrame,
    /// What counts; the pelvis, if it does, is the chain that begins with [`HeadingFrame::root`].
    pub groups: Vec<Group>,
    /// Metres of a body of 1.75 m in one unit of the clips.
    pub metres: f64,
    /// The weight nu of velocities against positions, in seconds.
    pub velocity_secs: f64,
    skeleton: Arc<Skeleton>,
}

impl PoseMetric {
    /// Finds what counts on the skeleton of these clips.
    pub fn learn(clips: &[&Clip], settings: &PoseMetricSettings) -> Result<Self, PoseMetricError> {
        let first = *clips.first().ok_or(PoseMetricError::NoClips)?;
        for clip in clips {
            if !clip.skeleton().same_structure(first.skeleton()) || clip.info.up != first.info.up {
                return Err(PoseMetricError::Skeleton {
                    first: first.info.name.clone(),
                    clip: clip.info.name.clone(),
                });
            }
        }
        let heading = HeadingFrame::learn(clips);
        Self::new(
            heading,
            Arc::clone(first.skeleton()),
            BODY_METRES / body::height(first),
            settings,
        )
    }

    /// From its parts, as a file keeps them.
    pub fn new(
        heading: HeadingFrame,
        skeleton: Arc<Skeleton>,
        metres: f64,
        settings: &PoseMetricSettings,
    ) -> Result<Self, PoseMetricError> {
        let number = |what: &str, found: f64| {
            if found.is_finite() && found >= 0.0 {
                Ok(found)
            } else {
                Err(PoseMetricError::Number {
                    what: what.to_owned(),
                    found,
                })
            }
        };
        let velocity_secs = number("the weight of velocities", settings.velocity_secs)?;
        let metres = number("the scale", metres)?;
        let mut groups = groups::of(&skeleton, &Body::of(&skeleton), heading.root);
        for (name, weight) in &settings.weights {
            let weight = number(&format!("the weight of \"{name}\""), *weight)?;
            let joint = skeleton
                .find(name)
                .ok_or_else(|| PoseMetricError::NoJoint(name.clone()))?;
            groups::set_weight(&mut groups, joint, weight, name);
        }
        if groups.is_empty() {
            return Err(PoseMetricError::NothingCounts);
        }
        Ok(Self {
            heading,
            groups,
            metres,
            velocity_secs,
            skeleton,
        })
    }

    /// The skeleton whose poses are compared.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// Whether a clip's poses can be compared.
    pub fn fits(&self, clip: &Clip) -> bool {
        self.skeleton.same_structure(clip.skeleton()) && self.heading.up == clip.info.up
    }

    /// What is compared of one frame.
    pub(crate) fn place(&self, local: &[Quat], track: &RootTrack, frame: usize) -> MetricPose {
        self.place_at(
            local,
            track.positions[frame],
            &track.rotations[frame],
            track.headings[frame],
        )
    }

    /// What is compared of a pose whose body root is at a place in the world.
    pub(crate) fn place_at(
        &self,
        local: &[Quat],
        position: Vec3,
        world_from_root: &Quat,
        heading_rad: f64,
    ) -> MetricPose {
        let up = self.heading.up;
        let tilt = turn(up, -heading_rad) * world_from_root;
        let rotations = self.groups.iter().map(|group| {
            if group.is_root {
                tilt
            } else {
                group.rotation(local)
            }
        });
        MetricPose {
            rotations: rotations.collect(),
            position: position * self.metres,
            heading_rad,
        }
    }
}

/// One frame as the metric sees it.
#[derive(Debug, Clone)]
pub(crate) struct MetricPose {
    /// One for each group.
    pub(crate) rotations: Vec<Quat>,
    /// Of the body root, in metres.
    pub(crate) position: Vec3,
    pub(crate) heading_rad: f64,
}

impl MetricPose {
    /// Left, up and forward of a way in the world, as seen from this heading.
    fn in_heading(&self, metric: &PoseMetric, way: &Vec3) -> [f64; 3] {
        let up = metric.heading.up;
        let seen = turn(up, -self.heading_rad) * way;
        [
            heading::left(up).dot(&seen),
            up.along(&seen),
            heading::forward(up).dot(&seen),
        ]
    }
}
