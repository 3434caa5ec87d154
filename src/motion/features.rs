//! What a pose looks like, apart from where the body stands, which way it faces and how tall it is.
//!
//! Searching, aligning and comparing all ask the same thing: how far apart are two poses to the eye? Joint angles do
//! not say (a degree at the hip moves the whole leg), so a pose is described by where its telling parts are: knees,
//! ankles, toes, elbows, wrists, head and chest, seen from the ground below the body root, turned to face forward,
//! in body heights. Bodies of any size, scale and up axis then compare, and `f32` rows keep hours of takes in memory.
//!
//! Heights count from zero of the up axis: put the floor there first. Travel and turning are left out on purpose.

use rayon::prelude::*;

use super::{Body, Clip, HeadingFrame, Limb, Quat, RootTrack, Skeleton, Vec3, body, heading};
use crate::numerics::rows::Rows;

/// A skeleton without known limbs is described by at most so many of its joints.
const MAX_UNNAMED_PARTS: usize = 12;

/// One of the telling parts of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeaturePart {
    /// `left knee`; bodies compare if these agree.
    pub label: String,
    /// Where it is on this skeleton.
    pub joint: usize,
}

/// How poses of one skeleton are described.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureSpace {
    /// How position and heading are read.
    pub heading: HeadingFrame,
    /// In a fixed order, at least one.
    pub parts: Vec<FeaturePart>,
    like: std::sync::Arc<Skeleton>,
}

/// Poses cannot be described together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FeatureError {
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
    /// Two bodies have different telling parts, so their poses have no common measure.
    #[error("the body of \"{clip}\" has other parts ({found}) than wanted ({wanted})")]
    Parts {
        /// Name of the clip.
        clip: String,
        /// The parts that its body has.
        found: String,
        /// The parts asked for.
        wanted: String,
    },
}

/// A clip as rows of numbers, one per frame: left, up and forward of each part, in body heights.
#[derive(Debug, Clone, PartialEq)]
pub struct Features {
    /// The frame rate of the clips, in frames per second.
    pub fps: f64,
    /// One row per frame.
    pub rows: Rows,
}

impl Features {
    /// Root mean square distance of the parts between two rows, in body heights.
    pub fn distance(&self, row: usize, other: &Self, other_row: usize) -> f64 {
        f64::from(self.rows.distance(row, &other.rows, other_row))
    }
}

impl FeatureSpace {
    /// Learns from clips on one skeleton which joints are compared, and how the body is usually held.
    pub fn learn(clips: &[&Clip]) -> Result<Self, FeatureError> {
        let first = *clips.first().ok_or(FeatureError::NoClips)?;
        for clip in clips {
            if !clip.skeleton().same_structure(first.skeleton()) || clip.info.up != first.info.up {
                return Err(FeatureError::Skeleton {
                    first: first.info.name.clone(),
                    clip: clip.info.name.clone(),
                });
            }
        }
        Ok(Self {
            heading: HeadingFrame::learn(clips),
            parts: telling_parts(first.skeleton()),
            like: std::sync::Arc::clone(first.skeleton()),
        })
    }

    /// The same description for another clip: this one if the skeleton agrees, else one learned from the clip, if its
    /// body has the same parts.
    pub fn fitted_to(&self, clip: &Clip) -> Result<Self, FeatureError> {
        if self.fits(clip) {
            return Ok(self.clone());
        }
        let own = Self::learn(&[clip])?;
        if own.labels() == self.labels() {
            Ok(own)
        } else {
            Err(FeatureError::Parts {
                clip: clip.info.name.clone(),
                found: own.labels().join(", "),
                wanted: self.labels().join(", "),
            })
        }
    }

    /// Whether the clip is on the skeleton this was learned from, bone lengths aside.
    pub fn fits(&self, clip: &Clip) -> bool {
        self.like.same_structure(clip.skeleton()) && self.heading.up == clip.info.up
    }

    fn labels(&self) -> Vec<&str> {
        self.parts.iter().map(|p| p.label.as_str()).collect()
    }

    /// The features of every frame of a clip.
    pub fn features(&self, clip: &Clip) -> Result<Features, FeatureError> {
        self.features_every(clip, 1)
    }

    /// Describes the clip at another rate. Frames are picked where the times agree and blended elsewhere.
    pub fn features_at(&self, clip: &Clip, fps: f64) -> Result<Features, FeatureError> {
        let step = clip.fps() / fps;
        let stride = step.round();
        if stride >= 1.0 && (step - stride).abs() < 1e-3 * stride / clip.n_frames() as f64 {
            return self.features_every(clip, stride as usize);
        }
        let all = self.features_every(clip, 1)?;
        let n = ((clip.n_frames() - 1) as f64 / step + 1e-9) as usize + 1;
        let moments: Vec<f64> = (0..n).map(|i| i as f64 * step).collect();
        Ok(Features {
            fps,
            rows: all.rows.at(&moments),
        })
    }

    /// Describes every `stride`-th frame, beginning with the first.
    pub fn features_every(&self, clip: &Clip, stride: usize) -> Result<Features, FeatureError> {
        /// Shorter clips are not worth sharing out.
        const SHARE: usize = 512;
        if !self.fits(clip) {
            return Err(FeatureError::Skeleton {
                first: "the one searched for".to_owned(),
                clip: clip.info.name.clone(),
            });
        }
        let stride = stride.max(1);
        let n = clip.n_frames().div_ceil(stride);
        let chain = PartKinematics::to(clip.skeleton(), &self.parts);
        let track = self.heading.track(clip);
        let view = HeadingView::of(&self.heading, clip);
        let n_dims = 3 * self.parts.len();
        let mut values = vec![0.0_f32; n * n_dims];
        let describe = |(share, chunk): (usize, &mut [f32])| {
            let mut places = chain.room();
            for (i, row) in chunk.chunks_exact_mut(n_dims).enumerate() {
                let frame = (share * SHARE + i) * stride;
                chain.carry_out(clip, frame, &mut places);
                view.describe(&track, frame, chain.tips(&places), row);
            }
        };
        if n > SHARE {
            values
                .par_chunks_mut(SHARE * n_dims)
                .enumerate()
                .for_each(describe);
        } else {
            describe((0, &mut values));
        }
        Ok(Features {
            fps: clip.fps() / stride as f64,
            rows: Rows::new(n_dims, values),
        })
    }
}

/// Knees, ankles, toes, elbows, wrists, head and chest, as far as the skeleton has them; else some of its joints.
fn telling_parts(skeleton: &Skeleton) -> Vec<FeaturePart> {
    let body = Body::of(skeleton);
    let mut parts = Vec::new();
    let mut add = |label: String, joint| parts.push(FeaturePart { label, joint });
    let side = |limb: &Limb| match limb.side {
        super::Side::Left => "left",
        super::Side::Right => "right",
        super::Side::Middle => "middle",
    };
    for leg in &body.legs {
        add(format!("{} knee", side(leg)), leg.middle);
        add(format!("{} ankle", side(leg)), leg.end);
        // Without a toe joint the ankle counts twice, so that rigs with and without compare.
        add(format!("{} toe", side(leg)), leg.toe.unwrap_or(leg.end));
    }
    for arm in &body.arms {
        add(format!("{} elbow", side(arm)), arm.middle);
        add(format!("{} wrist", side(arm)), arm.end);
    }
    if let Some(head) = body.head {
        add("head".to_owned(), head);
    }
    if let [left, right] = body.arms.as_slice() {
        let chest = skeleton
            .ancestors(left.upper)
            .find(|a| skeleton.ancestors(right.upper).any(|b| b == *a));
        add("chest".to_owned(), chest.unwrap_or(0));
    }
    if parts.len() < 4 {
        parts = some_joints(skeleton);
    }
    parts
}

/// Joints spread evenly over the list, the root aside unless it is alone.
fn some_joints(skeleton: &Skeleton) -> Vec<FeaturePart> {
    let apart: Vec<usize> = (1..skeleton.n_joints())
        .filter(|&j| {
            skeleton.joints()[j].offset.norm() > 0.0 || skeleton.translation_slot(j).is_some()
        })
        .collect();
    let n = apart.len().min(MAX_UNNAMED_PARTS);
    let spread = (0..n).map(|i| apart[(i + 1) * apart.len() / n - 1]);
    let chosen: Vec<usize> = if n == 0 { vec![0] } else { spread.collect() };
    chosen
        .into_iter()
        .map(|joint| FeaturePart {
            label: skeleton.joints()[joint].name.clone(),
            joint,
        })
        .collect()
}

/// Forward kinematics of only those joints that lead to the parts: a third less work than the whole body.
struct PartKinematics {
    bones: Vec<PartBone>,
    tips: Vec<usize>,
}

struct PartBone {
    joint: usize,
    parent: Option<usize>,
    offset: Vec3,
    slot: Option<usize>,
    has_children: bool,
}

impl PartKinematics {
    fn to(skeleton: &Skeleton, parts: &[FeaturePart]) -> Self {
        let mut is_needed = vec![false; skeleton.n_joints()];
        for part in parts {
            for joint in skeleton.ancestors(part.joint) {
                is_needed[joint] = true;
            }
        }
        let mut place_of = vec![0; skeleton.n_joints()];
        let mut bones: Vec<PartBone> = Vec::new();
        for joint in (0..skeleton.n_joints()).filter(|&j| is_needed[j]) {
            place_of[joint] = bones.len();
            let parent = skeleton.joints()[joint].parent.map(|p| place_of[p]);
            if let Some(parent) = parent {
                bones[parent].has_children = true;
            }
            bones.push(PartBone {
                joint,
                parent,
                offset: skeleton.joints()[joint].offset,
                slot: skeleton.translation_slot(joint),
                has_children: false,
            });
        }
        let tips = parts.iter().map(|p| place_of[p.joint]).collect();
        Self { bones, tips }
    }

    fn room(&self) -> Vec<(Vec3, Quat)> {
        vec![(Vec3::zeros(), Quat::identity()); self.bones.len()]
    }

    fn carry_out(&self, clip: &Clip, frame: usize, places: &mut [(Vec3, Quat)]) {
        let pose = clip.frame(frame);
        for (at, bone) in self.bones.iter().enumerate() {
            let local = match bone.slot {
                Some(slot) => &pose.translations[slot],
                None => &bone.offset,
            };
            let turn = &pose.rotations[bone.joint];
            places[at] = match bone.parent {
                None => (*local, *turn),
                Some(parent) => {
                    let (position, rotation) = places[parent];
                    let place = position + rotation * local;
                    let turned = if bone.has_children {
                        rotation * turn
                    } else {
                        rotation
                    };
                    (place, turned)
                }
            };
        }
    }

    fn tips<'a>(&'a self, places: &'a [(Vec3, Quat)]) -> impl Iterator<Item = &'a Vec3> + 'a {
        self.tips.iter().map(|&tip| &places[tip].0)
    }
}

/// The axes that a pose is seen along.
struct HeadingView {
    up: Vec3,
    forward: Vec3,
    left: Vec3,
    per_unit: f64,
}

impl HeadingView {
    fn of(frame: &HeadingFrame, clip: &Clip) -> Self {
        Self {
            up: frame.up.vector(),
            forward: heading::forward(frame.up),
            left: heading::left(frame.up),
            per_unit: 1.0 / body::height(clip),
        }
    }

    fn describe<'a>(
        &self,
        track: &RootTrack,
        frame: usize,
        tips: impl Iterator<Item = &'a Vec3>,
        row: &mut [f32],
    ) {
        let (sin, cos) = track.headings[frame].sin_cos();
        let forward = (self.forward * cos + self.left * sin) * self.per_unit;
        let left = (self.left * cos - self.forward * sin) * self.per_unit;
        let up = self.up * self.per_unit;
        let root = track.positions[frame];
        let ground = root - self.up * self.up.dot(&root);
        for (tip, out) in tips.zip(row.chunks_exact_mut(3)) {
            let seen = tip - ground;
            out[0] = left.dot(&seen) as f32;
            out[1] = up.dot(&seen) as f32;
            out[2] = forward.dot(&seen) as f32;
        }
    }
}
