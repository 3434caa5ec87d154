//! Operations on clips that no exporter would write: nothing may panic, and promises hold wherever numbers are sane.

use std::sync::Arc;

use kinfolk::motion::edit::{
    EditError, InPlace, Join, Placement, RestPose, align, concatenate, describe_guesses,
    drop_tpose, find_floor, find_glitches, mend_glitches, mirror, prepend_tpose, resample, rest_as,
    root_in_place, set_floor, set_up, with_root_path,
};
use kinfolk::motion::{
    Axis, Body, Channel, Channels, Clip, ClipInfo, Dim, EndSite, Joint, Motion, Pose, Quat,
    RotationOrder, Skeleton, Vec3,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::edit::{apart, places};

/// Any tree of joints with any names, bones, channels and rotations, some of them absurd.
fn any_clip() -> impl Strategy<Value = Clip> {
    const NAMES: [&str; 12] = [
        "Hips",
        "LeftFoot",
        "RightFoot",
        "LeftLeg",
        "RightLeg",
        "LeftHand",
        "RightHand",
        "Head",
        "lfoot",
        "x",
        "",
        "Left",
    ];
    let length = prop_oneof![2 => -9.0..9.0, 1 => Just(0.0)];
    let size = prop_oneof![4 => Just(1.0), 1 => Just(1e10), 1 => Just(1e14)];
    let joint = (
        0..NAMES.len(),
        0..99_usize,
        [length.clone(), length.clone(), length],
        0..5_u8,
    );
    let joints = prop::collection::vec(joint, 1..14);
    let turns = prop::collection::vec([-4.0..4.0, -4.0..4.0, -4.0..4.0], 1..30);
    (joints, turns, 1..9_usize, 0..6_usize, 0..2_usize, size).prop_map(
        |(list, turns, n_frames, up, still, size)| {
            let x = Channel::Rotation(Dim::X);
            let kinds = [
                Channels::NONE,
                Channels::rotation(RotationOrder::ZXY),
                Channels::position_and_rotation(RotationOrder::XYZ),
                Channels::new(&[x]).unwrap(),
                Channels::new(&[Channel::Position(Dim::Z), x]).unwrap(),
            ];
            let joints: Vec<Joint> = list
                .iter()
                .enumerate()
                .map(|(j, (name, parent, offset, kind))| Joint {
                    name: NAMES[*name].to_owned(),
                    parent: (j > 0).then(|| parent % j),
                    offset: Vec3::from(*offset) * if j == list.len() / 2 { size } else { 1.0 },
                    channels: kinds[usize::from(*kind)],
                })
                .collect();
            let n_joints = joints.len();
            let ends = vec![EndSite {
                joint: n_joints - 1,
                offset: Vec3::y(),
            }];
            let skeleton = Arc::new(Skeleton::new(joints, ends).unwrap());
            let mut motion = Motion::with_capacity(&skeleton, 0.02, n_frames);
            for frame in 0..n_frames {
                let mut pose = Pose::rest(&skeleton);
                for (j, q) in pose.rotations.iter_mut().enumerate().skip(still) {
                    *q = Quat::from_scaled_axis(Vec3::from(turns[(j + 3 * frame) % turns.len()]));
                }
                motion.push(pose.as_ref());
            }
            let mut info = ClipInfo::named("any");
            info.up = Axis::all()[up];
            Clip::new(info, skeleton, motion).unwrap()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    /// Every operation ends with a clip or an error in words; what it promises holds wherever numbers are sane.
    #[test]
    fn no_clip_makes_an_operation_panic(clip in any_clip()) {
        let is_sane = places(&clip).iter().flatten().all(|v| v.norm() < 1e6);
        let ends_well = |result: Result<Clip, EditError>| match result {
            Ok(_) | Err(EditError::NoLimbs) => true,
            Err(error) => !is_sane && !error.to_string().is_empty(),
        };
        let here = places(&clip);
        // Names may pair joints on unrelated parents; once mirrored, such a rig may look different to whom reads it.
        let body = Body::of(clip.skeleton());
        let parent = |j: usize| clip.skeleton().joints()[j].parent;
        let fits = |j: usize| body.mirror[j] == j || parent(j).map(|p| body.mirror[p]) == parent(body.mirror[j]);
        let is_paired_well = (0..body.mirror.len()).all(fits);
        if let Ok(mirrored) = mirror(&clip) {
            let again = mirror(&mirrored);
            let is_same = |again: &Clip| apart(&places(again), &here) < 1e-9;
            prop_assert!(!is_sane || !is_paired_well || is_same(&again.unwrap()), "mirrored twice");
        }
        for rest in [RestPose::T, RestPose::First] {
            let rebased = rest_as(&clip, rest);
            if let Ok(rebased) = &rebased {
                prop_assert!(!is_sane || apart(&places(rebased), &here) < 1e-9, "{:?}", rest);
            }
            prop_assert!(ends_well(rebased), "{:?}", rest);
        }
        for what in [InPlace::Travel, InPlace::TravelAndHeading] {
            if let Ok((still, path)) = root_in_place(&clip, what) {
                let back = with_root_path(&still, &path);
                prop_assert!(!is_sane || apart(&places(&back.unwrap()), &here) < 1e-9, "{:?}", what);
            }
        }
        for fps in [7.0, 30.0, 119.88] {
            prop_assert!(ends_well(resample(&clip, fps)), "resampled");
        }
        prop_assert!(ends_well(concatenate(&[&clip, &clip, &clip], Join::Continue)), "joined");
        prop_assert!(ends_well(align(&clip, &Placement::at_origin(0))), "aligned");
        prop_assert!(ends_well(prepend_tpose(&clip)), "T-pose");
        prop_assert!(ends_well(drop_tpose(&clip)), "no T-pose");
        prop_assert!(ends_well(set_floor(&clip, find_floor(&clip).height)) || !is_sane, "floor");
        prop_assert!(ends_well(set_up(&clip, Axis::X)), "up");
        prop_assert!(ends_well(mend_glitches(&clip, &find_glitches(&clip))), "mended");
        prop_assert!(!describe_guesses(&clip).is_empty(), "words");
    }
}
