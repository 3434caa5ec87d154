//! From looked-at takes to clips on one skeleton.

use std::sync::Arc;

use ufbx::{Anim, AnimStack, Scene};

use super::bones::Tree;
use super::sample::{Budget, Samples, Times, samples, times};
use super::{FbxError, bind};
use crate::motion::{
    Channels, Clip, ClipInfo, Joint, Motion, Note, NoteKind, Quat, RotationOrder, Skeleton, Vec3,
};

/// Joints that leave their place on the parent by less than this share of the skeleton's size do not move against it:
/// exporters write single precision.
const STILL_SHARE: f64 = 2e-5;

/// A take: what it is called, and what it looks like.
struct Take<'a> {
    name: &'a str,
    times: Times,
    samples: Samples,
}

/// One clip for each take of one skeleton, all on the same bones; at least one.
pub(super) fn clips(
    scene: &Scene,
    tree: &Tree<'_>,
    budget: &mut Budget,
) -> Result<Vec<Clip>, FbxError> {
    let mut takes = Vec::new();
    let mut refused = None;
    let mut notes = Vec::new();
    for (stack, times) in ranges(scene, tree, budget)? {
        match times {
            Ok(times) => takes.push(Take {
                name: &stack.element.name,
                samples: samples(&stack.anim, tree, &times),
                times,
            }),
            Err(error) => {
                notes.push(Note::new(NoteKind::Noticed, format!("left out: {error}")));
                refused = Some(error);
            }
        }
    }
    if takes.is_empty() {
        if let Some(error) = refused {
            return Err(error);
        }
        takes.push(still(&scene.anim, tree));
        let text = "no animation; the only frame is the pose of the file";
        notes.push(Note::new(NoteKind::Noticed, text));
    }
    let body = Bones::of(scene, tree, &takes)?;
    let mut clips = Vec::new();
    for take in &takes {
        let mut clip = body.clip(take)?;
        clip.info.notes.clone_from(&notes);
        clips.push(clip);
    }
    Ok(clips)
}

/// What the clips of [`clips`] are called, in its order.
pub(super) fn names(
    scene: &Scene,
    tree: &Tree<'_>,
    budget: &mut Budget,
) -> Result<Vec<String>, FbxError> {
    let ranges = ranges(scene, tree, budget)?;
    let good = ranges.iter().filter(|(_, times)| times.is_ok());
    Ok(good
        .map(|(stack, _)| stack.element.name.to_string())
        .collect())
}

type Range<'a> = (&'a AnimStack, Result<Times, FbxError>);

/// The takes that move this skeleton. Empty ones (exporters leave them behind) count only where there are no others.
fn ranges<'a>(
    scene: &'a Scene,
    tree: &Tree<'_>,
    budget: &mut Budget,
) -> Result<Vec<Range<'a>>, FbxError> {
    let fps = scene.settings.frames_per_second;
    if !(fps.is_finite() && (0.1..=10_000.0).contains(&fps)) {
        return Err(FbxError::Rate(fps));
    }
    let mut found: Vec<Range<'a>> = Vec::new();
    for stack in &scene.anim_stacks {
        found.push((stack, times(stack, tree, fps, budget)));
    }
    let is_moving = |(_, times): &Range<'_>| times.as_ref().map_or(true, |t| t.n_frames > 1);
    if found.iter().any(is_moving) {
        found.retain(is_moving);
    } else {
        found.truncate(1);
    }
    Ok(found)
}

fn still<'a>(anim: &Anim, tree: &Tree<'_>) -> Take<'a> {
    let times = Times {
        begin_secs: 0.0,
        fps: 30.0,
        n_frames: 1,
    };
    Take {
        name: "",
        samples: samples(anim, tree, &times),
        times,
    }
}

/// The skeleton of some takes, and how the file's axes turn into its own.
struct Bones {
    skeleton: Arc<Skeleton>,
    /// World from joint in the bind pose.
    bind: Vec<Quat>,
}

impl Bones {
    fn of(scene: &Scene, tree: &Tree<'_>, takes: &[Take<'_>]) -> Result<Self, FbxError> {
        let bind = bind::rotations(scene, tree);
        let n = tree.joints.len();
        let first = Self::places(tree, &takes[0].samples, 0);
        let size: f64 = first.iter().skip(1).map(Vec3::norm).fold(0.0, f64::max);
        let mut is_moving = vec![false; n];
        for take in takes {
            for frame in 0..take.times.n_frames {
                let places = Self::places(tree, &take.samples, frame);
                for j in 1..n {
                    is_moving[j] |= (places[j] - first[j]).norm() > STILL_SHARE * size;
                }
            }
        }
        let joints = tree.joints.iter().enumerate().map(|(j, joint)| Joint {
            name: joint.node.element.name.to_string(),
            parent: joint.parent,
            offset: joint.parent.map_or(first[j], |p| bind[p] * first[j]),
            channels: if j == 0 || is_moving[j] {
                Channels::position_and_rotation(RotationOrder::ZXY)
            } else {
                Channels::rotation(RotationOrder::ZXY)
            },
        });
        Ok(Self {
            skeleton: Arc::new(Skeleton::new(joints.collect(), Vec::new())?),
            bind,
        })
    }

    /// Where each joint is in the file's axes of its parent; the root in the world.
    fn places(tree: &Tree<'_>, samples: &Samples, frame: usize) -> Vec<Vec3> {
        let n = tree.joints.len();
        let positions = &samples.positions[frame * n..][..n];
        let rotations = &samples.rotations[frame * n..][..n];
        let joints = tree.joints.iter().enumerate();
        joints
            .map(|(j, joint)| match joint.parent {
                Some(p) => rotations[p].inverse() * (positions[j] - positions[p]),
                None => positions[j],
            })
            .collect()
    }

    fn clip(&self, take: &Take<'_>) -> Result<Clip, FbxError> {
        let (skeleton, bind) = (&self.skeleton, &self.bind);
        let n = skeleton.n_joints();
        let n_frames = take.times.n_frames;
        let mut motion = Motion::with_capacity(skeleton, 1.0 / take.times.fps, n_frames);
        let mut turned: Vec<Quat> = Vec::with_capacity(n);
        for frame in 0..n_frames {
            let positions = &take.samples.positions[frame * n..][..n];
            let rotations = &take.samples.rotations[frame * n..][..n];
            // How far each joint is turned from the bind pose.
            turned.clear();
            turned.extend(rotations.iter().zip(bind).map(|(r, b)| r * b.inverse()));
            for (j, joint) in skeleton.joints().iter().enumerate() {
                let above = joint.parent.map_or_else(Quat::identity, |p| turned[p]);
                let local = above.inverse() * turned[j];
                motion
                    .rotations
                    .push(Quat::new_normalize(local.into_inner()));
                if skeleton.translation_slot(j).is_some() {
                    let origin = joint.parent.map_or_else(Vec3::zeros, |p| positions[p]);
                    motion
                        .translations
                        .push(above.inverse() * (positions[j] - origin));
                }
            }
        }
        Clip::new(ClipInfo::named(take.name), Arc::clone(skeleton), motion).map_err(|error| {
            FbxError::Clip {
                take: take.name.to_owned(),
                error,
            }
        })
    }
}
