//! Features of poses for styles, independent of position, heading and the conventions of a file's axes.
//!
//! Features of Grochow et al. 2004, section 4, with two departures that real clips asked for:
//!
//! - **Joints** are rotation vectors from the joint's mean rotation, v = log(mean^T R), turned into the joint's own
//!   principal axes. A knee has one degree of freedom, but in a BVH file not along one axis; in principal axes it is
//!   one feature, and the two others are still.
//! - **Up in the root's frame** (the paper's "vertical orientation") is R^T up, also in principal axes. Turning the
//!   body about the vertical or moving it leaves all features as they are.
//! - **Still coordinates** (standard deviation under 0.005 rad) are no features: a scale w for something that never
//!   moves has no bound. A solver holds them where they always are with a spring instead ([`HELD_DEVIATION_RAD`]).
//! - **Joints that flip** from frame to frame were never captured (the fingers and thumbs of many files). They are no
//!   features either, and their spring is as loose as they are: the random rotations of a thumb carry no information
//!   about a throw.
//!
//! Every coordinate is measured from its mean over the poses that the map was learned from, so that still ones are
//! held at zero. Several styles can share one map, learned from all of their clips; only then can they be blended.
//! Joints above the one that carries the body (a game engine's `root` over `pelvis`) have no coordinates: they never
//! move. Left out: translations of joints other than the root, which stay at their mean, and velocities (a latent
//! model may be learned on features and their rates together, see [`super::gplvm`]; a still pose then needs only the
//! first half).

mod chain;
mod learn;
mod measure;

use std::sync::Arc;

pub use learn::STILL_DEVIATION_RAD;
pub use measure::Measured;

use super::StyleError;
use crate::motion::joint_chart::JointChart;
use crate::motion::{HeadingFrame, Pose, Quat, Skeleton, Vec3};

/// How far a coordinate that was still in all training poses may stray: one standard deviation of its spring.
pub const HELD_DEVIATION_RAD: f64 = 0.02;

/// What the three coordinates of a joint are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// The rotation vector from the joint's mean rotation.
    Turn,
    /// Up as the body's root sees it. One joint has this block.
    Up,
    /// No coordinates: the joint is above the body's root and never moves.
    Fixed,
}

/// The three coordinates of one joint: `axes^T (raw - centre)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// Whether they are a rotation vector, the up direction, or unused.
    pub kind: BlockKind,
    /// Mean rotation and principal axes, the widest first. For a fixed joint and the body's root the rotation is only
    /// where a decoded pose starts from.
    pub chart: JointChart,
    /// Mean of the raw vector: of the rotation vector, or of up.
    pub centre: Vec3,
    /// Which of the three are features.
    pub is_live: [bool; 3],
    /// Smallest value of each coordinate in the training poses.
    pub low: Vec3,
    /// Largest value of each coordinate in the training poses.
    pub high: Vec3,
}

/// All that a map knows, for saving and opening.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureParts {
    /// The joint that carries the body, which way is up, and how the body is usually held.
    pub heading: HeadingFrame,
    /// One block per joint, in the skeleton's order.
    pub blocks: Vec<Block>,
    /// Mean translations, one per entry of [`Skeleton::translating`]; the root stands over the origin.
    pub translations: Vec<Vec3>,
}

/// Turns poses of one skeleton into features and back.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureMap {
    parts: FeatureParts,
    skeleton: Arc<Skeleton>,
    /// From the root to the body's root, both included.
    chain: Vec<usize>,
    /// For each joint the places of its coordinates among the features.
    feature_of: Vec<[Option<usize>; 3]>,
    n_features: usize,
}

impl FeatureMap {
    /// A map as it was, after checking that its parts fit the skeleton.
    pub fn from_parts(skeleton: Arc<Skeleton>, parts: FeatureParts) -> Result<Self, StyleError> {
        check_parts(&skeleton, &parts)?;
        let mut n_features = 0;
        let feature_of = parts
            .blocks
            .iter()
            .map(|block| {
                block.is_live.map(|live| {
                    live.then(|| {
                        n_features += 1;
                        n_features - 1
                    })
                })
            })
            .collect();
        Ok(Self {
            chain: chain::from_root(&skeleton, parts.heading.root),
            skeleton,
            parts,
            feature_of,
            n_features,
        })
    }

    /// All parts of the map, for saving.
    pub fn parts(&self) -> &FeatureParts {
        &self.parts
    }

    /// The bones of the first clip that it was learned from.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// How many features a pose has.
    pub fn n_features(&self) -> usize {
        self.n_features
    }

    /// The coordinates of each joint, by joint.
    pub fn blocks(&self) -> &[Block] {
        &self.parts.blocks
    }

    /// For one joint the place of each of its coordinates among the features; still ones have none.
    pub fn feature_of(&self, joint: usize) -> [Option<usize>; 3] {
        self.feature_of[joint]
    }

    /// The joint that carries the body: the one with [`BlockKind::Up`].
    pub fn root(&self) -> usize {
        self.parts.heading.root
    }

    /// A name for each feature: `LeftLeg.1` for the widest axis of that joint, `Hips.up.1`.
    pub fn names(&self) -> Vec<String> {
        let mut names = Vec::with_capacity(self.n_features);
        for (joint, block) in self.skeleton.joints().iter().zip(self.blocks()) {
            let up = if block.kind == BlockKind::Up {
                ".up"
            } else {
                ""
            };
            let live = (0..3).filter(|&axis| block.is_live[axis]);
            names.extend(live.map(|axis| format!("{}{up}.{}", joint.name, axis + 1)));
        }
        names
    }

    /// The pose in the middle of all training poses: every coordinate at zero, standing over the origin, heading zero.
    pub fn mean_pose(&self) -> Pose {
        self.decode(&vec![0.0; self.n_features])
    }
}

fn check_parts(skeleton: &Skeleton, parts: &FeatureParts) -> Result<(), StyleError> {
    let n_joints = skeleton.n_joints();
    let root = parts.heading.root;
    if root >= n_joints {
        return Err(StyleError::parts("the body's root is not a joint"));
    }
    if parts.blocks.len() != n_joints {
        return Err(StyleError::parts("there must be axes for every joint"));
    }
    if parts.translations.len() != skeleton.translating().len() {
        return Err(StyleError::parts("translations do not fit the skeleton"));
    }
    let is_finite = |v: &Vec3| v.iter().all(|x| x.is_finite());
    if !parts.translations.iter().all(is_finite) || !is_rotation(&parts.heading.upright) {
        return Err(StyleError::parts("the mean pose is not finite"));
    }
    for (joint, block) in parts.blocks.iter().enumerate() {
        let name = &skeleton.joints()[joint].name;
        let is_above = joint != root && skeleton.ancestors(root).any(|a| a == joint);
        let wanted = match joint {
            _ if joint == root => BlockKind::Up,
            _ if is_above => BlockKind::Fixed,
            _ => BlockKind::Turn,
        };
        if block.kind != wanted || (is_above && block.is_live != [false; 3]) {
            let why = format!("joint \"{name}\" has coordinates of another kind");
            return Err(StyleError::parts(why));
        }
        let are_finite = [block.centre, block.low, block.high].iter().all(is_finite);
        if !block.chart.is_valid() || !are_finite {
            let why = format!("the axes of joint \"{name}\" are no axes");
            return Err(StyleError::parts(why));
        }
        if (0..3).any(|axis| block.low[axis] > block.high[axis]) {
            let why = format!("the limits of joint \"{name}\" are crossed");
            return Err(StyleError::parts(why));
        }
    }
    Ok(())
}

fn is_rotation(q: &Quat) -> bool {
    (q.coords.norm() - 1.0).abs() < 1e-6
}
