//! Left becomes right.
//!
//! The motion is reflected across the body's lateral axis in the world: the x axis for most rigs, so someone who faces
//! forward and walks to the left walks to the right, and someone who faces left faces right. The body starts over the
//! spot where it started. Joints, bones and contacts change sides with their partners (see [`Body::mirror`]); a joint
//! of the middle is reflected in itself, so every joint lands exactly where a mirror would show its partner. What
//! hangs on one side only (a sword in the right hand) stays on its side as it is held. Mirrored twice, a clip is as it
//! was (unless names pair joints that hang on unrelated parents: those stay as they are, and the rig may read
//! differently).

use std::sync::Arc;

use super::{EditError, noted, remade};
use crate::motion::heading::{body_root, left};
use crate::motion::root_mover::{WorldMove, moved, mover_joint, planar};
use crate::motion::{
    Body, Clip, Contact, Dim, EndSite, Motion, NoteKind, Quat, Skeleton, Vec3, WorldPose, body,
};

/// The motion as a mirror shows it.
pub fn mirror(clip: &Clip) -> Result<Clip, EditError> {
    let skeleton = clip.skeleton();
    let body = Body::of(skeleton);
    let plan = MirrorPlan::of(
        skeleton,
        &body,
        clip.info.up.dim,
        left(clip.info.up).iamax(),
    );
    let height = body::height(clip);
    let reflected = plan.skeleton(skeleton)?;
    let asymmetry = largest_move(skeleton, &reflected);
    // A skeleton that is its own reflection stays the very same value, so that clips still share it.
    let reflected = if asymmetry <= 1e-12 * height {
        Arc::clone(skeleton)
    } else {
        Arc::new(reflected)
    };
    let motion = plan.motion(clip, &reflected);
    let contacts = clip.contacts().iter().map(|c| Contact {
        joint: plan.sources[c.joint].unwrap_or(c.joint),
        frames: c.frames.clone(),
    });
    let flipped = remade(clip, reflected, motion, contacts.collect(), "mirrored")?;
    let mut result = back_to_start(clip, &flipped)?;
    if plan.n_pairs == 0 {
        let text = "no left and right joints were found; the motion was mirrored as a whole";
        result = noted(result, NoteKind::Noticed, text);
    }
    if asymmetry > 0.02 * height {
        let text = format!(
            "the skeleton is not symmetric at rest (bones differ by up to {asymmetry:.3}); the mirrored clip has the mirrored skeleton"
        );
        result = noted(result, NoteKind::Noticed, text);
    }
    Ok(result)
}

/// For each joint the one whose reflection it takes in [`mirror`]; `None` stays as it is on its parent.
pub fn mirror_sources(skeleton: &Skeleton) -> Vec<Option<usize>> {
    let body = Body::of(skeleton);
    MirrorPlan::of(skeleton, &body, body.lateral, 0).sources
}

/// Which joint is the reflection of which.
struct MirrorPlan {
    /// The coordinate that changes sign in every joint's own space.
    lateral: Dim,
    /// The coordinate that changes sign in the world; never the up axis.
    world: Dim,
    /// For each joint the one whose reflection it takes; `None` stays as it is on its parent.
    sources: Vec<Option<usize>>,
    n_pairs: usize,
}

impl MirrorPlan {
    fn of(skeleton: &Skeleton, body: &Body, up: Dim, across: usize) -> Self {
        let mut sources: Vec<Option<usize>> = body.mirror.iter().map(|&m| Some(m)).collect();
        let fits = |sources: &[Option<usize>], joint: usize| {
            let Some(partner) = sources[joint] else {
                return true;
            };
            let parent = |j: usize| skeleton.joints()[j].parent;
            match (parent(joint), parent(partner)) {
                (None, None) => true,
                (Some(a), Some(b)) => sources[a] == Some(b) && sources[partner] == Some(joint),
                _ => false,
            }
        };
        // Names may pair joints whose parents are no pair; such joints, and all below them, are left alone. Parents come
        // before children, so when a pair is met for the first time, both its parents have been.
        for joint in 0..sources.len() {
            let Some(partner) = sources[joint] else {
                continue;
            };
            if !fits(&sources, joint) || !fits(&sources, partner) {
                sources[joint] = None;
                sources[partner] = None;
            }
        }
        let pairs = sources.iter().enumerate();
        let n_pairs = pairs.filter(|(j, s)| s.is_some_and(|s| s != *j)).count() / 2;
        Self {
            lateral: body.lateral,
            world: if body.lateral == up {
                Dim::ALL[across]
            } else {
                body.lateral
            },
            sources,
            n_pairs,
        }
    }

    /// Bones and channels change sides; names and hierarchy stay.
    fn skeleton(&self, skeleton: &Skeleton) -> Result<Skeleton, EditError> {
        let mut joints = skeleton.joints().to_vec();
        let mut ends = Vec::with_capacity(skeleton.ends().len());
        for (j, source) in self.sources.iter().enumerate() {
            let of = |joint: usize| &skeleton.ends()[skeleton.ends_of(joint)];
            let Some(source) = *source else {
                ends.extend_from_slice(of(j));
                continue;
            };
            ends.extend(of(source).iter().map(|end| EndSite {
                joint: j,
                offset: flipped(&end.offset, self.lateral),
            }));
            joints[j].channels = skeleton.joints()[source].channels;
            // The root's offset is a place in the world, and the start stays where it is.
            if j > 0 {
                joints[j].offset = flipped(&skeleton.joints()[source].offset, self.lateral);
            }
        }
        Ok(Skeleton::new(joints, ends)?)
    }

    fn motion(&self, clip: &Clip, reflected: &Skeleton) -> Motion {
        let skeleton = clip.skeleton();
        let mut motion = Motion::with_capacity(reflected, clip.frame_secs(), clip.n_frames());
        for pose in clip.frames() {
            for (j, source) in self.sources.iter().enumerate() {
                let q = &pose.rotations[source.unwrap_or(j)];
                let turned = match source {
                    None => *q,
                    Some(_) if j == 0 => self.root_rotation(q),
                    Some(_) => flipped_rotation(q, self.lateral),
                };
                motion.rotations.push(turned);
            }
            for &j in reflected.translating() {
                let source = self.sources[j];
                // A joint that takes its partner's channels moves as its partner does.
                let from = source.unwrap_or(j);
                let t = skeleton
                    .translation_slot(from)
                    .map_or(skeleton.joints()[from].offset, |s| pose.translations[s]);
                motion.translations.push(match source {
                    None => t,
                    Some(_) if j == 0 => flipped(&t, self.world),
                    Some(_) => flipped(&t, self.lateral),
                });
            }
        }
        motion
    }

    /// Reflected in the world on one side and in the body on the other, which need not be the same axis.
    fn root_rotation(&self, q: &Quat) -> Quat {
        let same = flipped_rotation(q, self.lateral);
        if self.world == self.lateral {
            return same;
        }
        // World reflection times body reflection: half a turn about the axis across both.
        let mut axis = Vec3::zeros();
        axis[3 - self.world.index() - self.lateral.index()] = 1.0;
        Quat::new_unchecked(nalgebra::Quaternion::from_parts(0.0, axis)) * same
    }
}

fn flipped(v: &Vec3, dim: Dim) -> Vec3 {
    let mut v = *v;
    v[dim.index()] = -v[dim.index()];
    v
}

/// The rotation that a mirror shows: the axis is a pseudo-vector, so its other two coordinates change sign.
fn flipped_rotation(q: &Quat, dim: Dim) -> Quat {
    let axis = -flipped(&q.imag(), dim);
    Quat::new_unchecked(nalgebra::Quaternion::from_parts(q.w, axis))
}

fn largest_move(a: &Skeleton, b: &Skeleton) -> f64 {
    let joints = a.joints().iter().zip(b.joints());
    let bones = joints.map(|(a, b)| (a.offset - b.offset).norm());
    let ends = a.ends().iter().zip(b.ends());
    let tips = ends.map(|(a, b)| (a.offset - b.offset).norm());
    bones.chain(tips).fold(0.0, f64::max)
}

/// Puts the reflected body back over the place where the original starts.
fn back_to_start(original: &Clip, flipped: &Clip) -> Result<Clip, EditError> {
    let start = |clip: &Clip| {
        let root = body_root(&[clip]);
        let world = WorldPose::of(clip.skeleton(), clip.frame(0));
        world.positions[root]
    };
    let shift = planar(&(start(original) - start(flipped)), original.info.up);
    let by = WorldMove {
        turn: Quat::identity(),
        shift,
    };
    let motion = moved(flipped, mover_joint(flipped), |_| by);
    let skeleton = Arc::clone(flipped.skeleton());
    let info = flipped.info.clone();
    let contacts = flipped.contacts().to_vec();
    Ok(Clip::new(info, skeleton, motion)?.with_contacts(contacts)?)
}
