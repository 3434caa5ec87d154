//! FBX files whose content is known by construction.

use kinfolk::file::fbx::{FbxError, read, take_names};
use kinfolk::motion::{Clip, Pose, Vec3, WorldPose};

use crate::fbx_text::{Fbx, Take, Turn, bone};

fn world(clip: &Clip, frame: usize) -> WorldPose {
    WorldPose::of(clip.skeleton(), clip.frame(frame))
}

fn near(a: &Vec3, b: [f64; 3]) {
    let off = (a - Vec3::from(b)).norm();
    assert!(off < 1e-6, "{a:?} instead of {b:?}");
}

fn only(fbx: &Fbx) -> Clip {
    let mut clips = read(fbx.text().as_bytes()).unwrap();
    assert_eq!(clips.len(), 1, "one take of one skeleton");
    clips.remove(0)
}

#[test]
fn a_bend_is_where_it_was_keyed() {
    let clip = only(&Fbx::arm());
    assert_eq!((clip.n_frames(), clip.fps()), (31, 30.0));
    let names: Vec<&str> = clip
        .skeleton()
        .joints()
        .iter()
        .map(|j| j.name.as_str())
        .collect();
    assert_eq!(names, ["Shoulder", "rig:Elbow", "Wrist"], "names are kept");
    assert_eq!(
        clip.skeleton().translating(),
        [0],
        "only the root has a place of its own"
    );
    near(&world(&clip, 0).positions[2], [0.0, 120.0, 0.0]);
    let half = 45_f64.to_radians();
    near(
        &world(&clip, 15).positions[2],
        [0.0, 110.0 + 10.0 * half.cos(), 10.0 * half.sin()],
    );
    near(&world(&clip, 30).positions[2], [0.0, 110.0, 10.0]);
}

#[test]
fn every_take_is_a_clip_of_one_skeleton() {
    let mut fbx = Fbx::arm();
    fbx.takes.push(Take {
        name: "Twist",
        seconds: 0.5,
        layers: vec![vec![Turn {
            bone: 0,
            axis: 'Y',
            to_deg: 30.0,
        }]],
    });
    let text = fbx.text();
    let clips = read(text.as_bytes()).unwrap();
    let seen: Vec<(&str, usize)> = clips
        .iter()
        .map(|c| (c.info.name.as_str(), c.n_frames()))
        .collect();
    assert_eq!(seen, [("Bend", 31), ("Twist", 16)]);
    assert_eq!(take_names(text.as_bytes()).unwrap(), ["Bend", "Twist"]);
    assert_eq!(clips[0].skeleton(), clips[1].skeleton());
}

#[test]
fn layers_are_added_up() {
    let mut fbx = Fbx::arm();
    let turn = |to_deg| {
        vec![Turn {
            bone: 1,
            axis: 'X',
            to_deg,
        }]
    };
    fbx.takes[0].layers = vec![turn(60.0), turn(30.0)];
    near(&world(&only(&fbx), 30).positions[2], [0.0, 110.0, 10.0]);
}

#[test]
fn units_and_axes_are_set() {
    let mut fbx = Fbx::arm();
    fbx.unit = 2.54;
    near(
        &world(&only(&fbx), 0).positions[2],
        [0.0, 120.0 * 2.54, 0.0],
    );
    let mut fbx = Fbx::arm();
    fbx.up_axis = 2;
    for bone in &mut fbx.bones {
        bone.at = [0.0, 0.0, bone.at[1]];
    }
    let clip = only(&fbx);
    near(&world(&clip, 0).positions[2], [0.0, 120.0, 0.0]);
    let notes: Vec<String> = clip.info.notes.iter().map(ToString::to_string).collect();
    assert!(notes[0].contains("Z was up"), "{notes:?}");
}

#[test]
fn the_rest_pose_is_the_bind_pose_whatever_the_axes_of_the_joints() {
    let mut fbx = Fbx::arm();
    // The forearm goes along its own X, which points up.
    fbx.bones[1].pre_rotation = [0.0, 0.0, 90.0];
    fbx.bones[2].at = [10.0, 0.0, 0.0];
    let clip = only(&fbx);
    let rest = Pose::rest(clip.skeleton());
    let at_rest = WorldPose::of(clip.skeleton(), rest.as_ref());
    near(&at_rest.positions[2], [0.0, 120.0, 0.0]);
    for rotation in clip.frame(0).rotations {
        assert!(rotation.angle() < 1e-9, "frame 0 is the rest pose");
    }
    // About the forearm's own axis the wrist stays.
    near(&world(&clip, 30).positions[2], [0.0, 120.0, 0.0]);
}

#[test]
fn files_without_bones_are_taken_by_what_moves() {
    let mut fbx = Fbx::arm();
    fbx.node_kind = "Null";
    let turn = |bone| Turn {
        bone,
        axis: 'Z',
        to_deg: 10.0,
    };
    fbx.takes[0].layers = vec![vec![turn(0), turn(1), turn(2)]];
    let clip = only(&fbx);
    assert_eq!(clip.skeleton().n_joints(), 3);
    let notes: Vec<String> = clip.info.notes.iter().map(ToString::to_string).collect();
    assert!(notes.iter().any(|n| n.contains("no bones")), "{notes:?}");
}

#[test]
fn bones_beside_the_skeleton_are_named_and_left_out() {
    let mut fbx = Fbx::arm();
    for (idx, name) in ["A", "B", "C", "D", "E"].into_iter().enumerate() {
        fbx.bones.push(bone(name, Some(2 + idx), [0.0, 1.0, 0.0]));
    }
    fbx.bones.push(bone("IK_Target", None, [5.0, 0.0, 0.0]));
    let clip = only(&fbx);
    assert_eq!(clip.skeleton().n_joints(), 8);
    let notes: Vec<String> = clip.info.notes.iter().map(ToString::to_string).collect();
    assert!(
        notes.iter().any(|n| n.contains("\"IK_Target\"")),
        "{notes:?}"
    );
}

#[test]
fn a_file_without_animation_is_its_pose() {
    let mut fbx = Fbx::arm();
    fbx.takes.clear();
    let clip = only(&fbx);
    assert_eq!(clip.n_frames(), 1);
}

#[test]
fn every_refusal() {
    let refused = |bytes: &[u8]| read(bytes).unwrap_err();
    for bytes in [&b""[..], b"HIERARCHY\nROOT", &[0; 5000]] {
        assert!(
            matches!(refused(bytes), FbxError::Parse(_)),
            "{:?}",
            refused(bytes)
        );
    }
    let text = Fbx::arm().text();
    let cut = refused(&text.as_bytes()[..text.len() / 2]);
    assert!(matches!(cut, FbxError::Parse(_)), "{cut:?}");
    let mut fbx = Fbx::arm();
    fbx.bones.clear();
    fbx.takes.clear();
    assert!(
        matches!(refused(fbx.text().as_bytes()), FbxError::NoBones),
        "nothing in it"
    );
    let mut fbx = Fbx::arm();
    fbx.takes[0].seconds = 1e7;
    let words = refused(fbx.text().as_bytes()).to_string();
    assert!(
        words.contains("\"Bend\"") && words.contains("10000000 seconds"),
        "{words}"
    );
    // Found by mutations: a curve that ends before it begins made a clip without frames.
    let mut fbx = Fbx::arm();
    fbx.takes[0].seconds = -1.0;
    let backwards = read(fbx.text().as_bytes());
    assert!(
        backwards.is_ok_and(|clips| clips[0].n_frames() > 0)
            || read(fbx.text().as_bytes()).is_err(),
        "no panic"
    );
    let mut fbx = Fbx::arm();
    fbx.bones[1].at[1] = f64::NAN;
    assert!(
        read(fbx.text().as_bytes()).is_err(),
        "no place for the elbow"
    );
}
