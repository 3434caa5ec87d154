//! Feet of a body whose poses were changed stand as the captured ones do.

use std::sync::Arc;

use kinfolk::demo::{self, Action};
use kinfolk::motion::contacts::{self, ContactParts, ContactSettings};
use kinfolk::motion::limb::LimbSettings;
use kinfolk::motion::stance::{Steps, keep_stance};
use kinfolk::motion::{Body, Clip, HeadingFrame, Quat, Vec3, WorldPose};

/// A walk with the contacts of its feet.
fn walk() -> Clip {
    let clip = demo::make(Action::Walk, 3, 0).clip;
    let settings = ContactSettings {
        parts: ContactParts::Feet,
        ..ContactSettings::default()
    };
    let found = contacts::detect(&clip, &settings).unwrap();
    clip.with_contacts(found.contacts).unwrap()
}

/// The same with hips that sway by some degrees more.
fn swaying(clip: &Clip) -> Clip {
    let body = Body::of(clip.skeleton());
    let n_joints = clip.skeleton().n_joints();
    let mut motion = clip.motion().clone();
    for (frame, pose) in motion.rotations.chunks_exact_mut(n_joints).enumerate() {
        let angle = 0.12 * (frame as f64 / clip.fps() * 3.0).sin();
        for leg in &body.legs {
            pose[leg.upper] *= Quat::from_scaled_axis(Vec3::x() * angle);
        }
    }
    let changed = Clip::new(clip.info.clone(), Arc::clone(clip.skeleton()), motion).unwrap();
    changed.with_contacts(clip.contacts().to_vec()).unwrap()
}

/// Mean way of contact joints along the floor from frame to frame.
fn slide(clip: &Clip) -> f64 {
    let up = clip.info.up;
    let worlds: Vec<WorldPose> = clip
        .frames()
        .map(|pose| WorldPose::of(clip.skeleton(), pose))
        .collect();
    let (mut sum, mut n) = (0.0, 0.0);
    for contact in clip.contacts() {
        for frame in contact.frames.clone().skip(1) {
            let way =
                worlds[frame].positions[contact.joint] - worlds[frame - 1].positions[contact.joint];
            sum += (way - up.vector() * up.along(&way)).norm();
            n += 1.0;
        }
    }
    sum / n
}

#[test]
fn feet_of_a_changed_walk_stand_and_step_elsewhere() {
    let captured = walk();
    let changed = swaying(&captured);
    let heading = HeadingFrame::learn(&[&captured]);
    let mut steps = Steps::new();
    let kept = keep_stance(
        &changed,
        &captured,
        0,
        &heading,
        &LimbSettings::default(),
        &mut steps,
    )
    .unwrap();
    let [real, before, after] = [&captured, &changed, &kept].map(slide);
    assert!(before > 3.0 * real, "swaying slides: {before} of {real}");
    assert!(after < 1.1 * real + 1e-6, "held: {after} of {real}");
    let most = steps.values().map(Vec3::norm).fold(0.0, f64::max);
    assert!(most > 0.0, "steps are taken elsewhere: {steps:?}");
}
