//! `kinfolk convert`: every option does what it says, on the built program.

use std::fs;

use kinfolk::motion::{Axis, Clip, Pose, RotationOrder, Vec3, WorldPose};

use crate::command::{Bench, read, small_walk};

fn world(clip: &Clip, frame: usize) -> WorldPose {
    WorldPose::of(clip.skeleton(), clip.frame(frame))
}

fn place(clip: &Clip, frame: usize, joint: &str) -> Vec3 {
    world(clip, frame).positions[clip.skeleton().find(joint).unwrap()]
}

/// Runs `convert walk.bvh --out out` with more options and reads the result.
fn converted(options: &[&str]) -> Clip {
    let bench = Bench::new();
    bench.put("walk.bvh", &small_walk(10));
    let args = ["convert", "walk.bvh", "--out", "out"];
    bench.run(args.iter().chain(options)).ok();
    read(&bench.path("out/walk.bvh"))
}

fn source() -> Clip {
    let bench = Bench::new();
    read(&bench.put("walk.bvh", &small_walk(10)))
}

#[test]
fn plain_conversion_keeps_every_joint_where_it_was() {
    let (before, after) = (source(), converted(&[]));
    assert!(
        before.skeleton().same_structure(after.skeleton()),
        "same joints"
    );
    for f in 0..10 {
        for (a, b) in world(&before, f)
            .positions
            .iter()
            .zip(world(&after, f).positions)
        {
            assert!((a - b).norm() < 1e-5, "frame {f}");
        }
    }
}

#[test]
fn options_change_what_they_name() {
    let before = source();
    let trimmed = converted(&["--trim", "2..5"]);
    assert_eq!(trimmed.n_frames(), 3);
    assert!(
        (trimmed.frame(0).root() - before.frame(2).root()).norm() < 1e-5,
        "starts at 2"
    );
    assert_eq!(converted(&["--trim", "..4"]).n_frames(), 4);
    assert_eq!(converted(&["--trim", "4.."]).n_frames(), 6);

    let scaled = converted(&["--scale", "0.5"]);
    assert!(
        (place(&scaled, 7, "Head") - place(&before, 7, "Head") * 0.5).norm() < 1e-5,
        "half"
    );

    let z_up = converted(&["--up", "z"]);
    assert_eq!(z_up.info.up, Axis::Z);
    let head = place(&before, 7, "Head");
    let turned = Vec3::new(head.x, -head.z, head.y);
    assert!(
        (place(&z_up, 7, "Head") - turned).norm() < 1e-5,
        "stands along Z"
    );

    let in_place = converted(&["--in-place"]);
    let travel = in_place.frame(9).root() - in_place.frame(0).root();
    assert!(travel.norm() < 1e-5, "stays: {travel:?}");

    let mirrored = converted(&["--mirror"]);
    let (left, right) = (
        place(&before, 5, "LeftFoot"),
        place(&mirrored, 5, "RightFoot"),
    );
    assert!(
        (left.z - right.z).abs() < 1e-5 && (left.y - right.y).abs() < 1e-5,
        "swapped"
    );
    assert!((left.x + right.x).abs() < 1e-5, "reflected");

    let ordered = converted(&["--order", "xyz"]);
    let orders = ordered
        .skeleton()
        .joints()
        .iter()
        .map(|j| j.channels.rotation_order());
    assert!(
        orders.into_iter().all(|o| o == RotationOrder::XYZ),
        "all joints"
    );

    let first = converted(&["--rest", "first"]);
    let rest = WorldPose::of(first.skeleton(), Pose::rest(first.skeleton()).as_ref());
    let bone = |w: &WorldPose| w.positions[3] - w.positions[2];
    assert!(
        (bone(&rest) - bone(&world(&before, 0))).norm() < 1e-5,
        "first frame is rest"
    );
    assert!(
        (place(&first, 6, "LeftFoot") - place(&before, 6, "LeftFoot")).norm() < 1e-5,
        "same motion"
    );
}

#[test]
fn presets_scale_units_and_lead_with_a_t_pose() {
    let before = source();
    let blender = converted(&["--preset", "blender"]);
    assert!(
        (place(&blender, 3, "Head") - place(&before, 3, "Head") / 100.0).norm() < 1e-5,
        "metres"
    );
    let maya = converted(&["--preset", "maya"]);
    assert_eq!(maya.n_frames(), 11);
    assert!(
        (place(&maya, 4, "Head") - place(&before, 3, "Head")).norm() < 1e-5,
        "centimetres stay"
    );
    let own = converted(&["--preset", "unity", "--scale", "3", "--order", "yxz"]);
    assert!(
        (place(&own, 3, "Head") - place(&before, 3, "Head") * 3.0).norm() < 1e-4,
        "option wins"
    );
}

#[test]
fn several_formats_at_once_and_folders_keep_their_shape() {
    let bench = Bench::new();
    bench.put("set/a.bvh", &small_walk(3));
    bench.put("set/sub/a.bvh", &small_walk(4));
    let ran = bench
        .run([
            "convert",
            "set",
            "--out",
            "out",
            "--format",
            "bvh,csv,gltf,glb",
            "--json",
        ])
        .ok();
    assert_eq!(ran.json()["files"].as_array().unwrap().len(), 8);
    assert_eq!(
        bench.list("out"),
        ["a.bvh", "a.csv", "a.glb", "a.gltf", "sub"]
    );
    assert_eq!(bench.list("out/sub"), ["a.bvh", "a.csv", "a.glb", "a.gltf"]);
    let csv = fs::read_to_string(bench.path("out/a.csv")).unwrap();
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("frame,joint,x,y,z"));
    assert_eq!(lines.next(), Some("0,Hips,0,90,0"));
    assert_eq!(lines.count() + 1, 3 * (8 + 3), "all joints and end sites");
    assert!(csv.contains("\n2,Head_end,"), "{csv}");
}

#[test]
fn nothing_is_overwritten_unless_told() {
    let bench = Bench::new();
    bench.put("walk.bvh", &small_walk(10));
    bench.put("out/walk.bvh", "precious");
    let ran = bench.run(["convert", "walk.bvh", "--out", "out"]);
    assert_eq!(ran.code(), 1);
    assert!(ran.err().contains("exists already"), "{}", ran.err());
    assert_eq!(
        fs::read_to_string(bench.path("out/walk.bvh")).unwrap(),
        "precious"
    );
    bench
        .run(["convert", "walk.bvh", "--out", "out", "--force"])
        .ok();
    assert_eq!(read(&bench.path("out/walk.bvh")).n_frames(), 10);
    assert_eq!(bench.list("out"), ["walk.bvh"], "no temporary files left");
}

#[test]
fn clips_of_one_name_do_not_write_over_each_other() {
    let bench = Bench::new();
    bench.put("one/walk.bvh", &small_walk(3));
    bench.put("two/walk.bvh", &small_walk(4));
    let ran = bench.run([
        "convert",
        "one/walk.bvh",
        "two/walk.bvh",
        "--out",
        "out",
        "--force",
    ]);
    assert_eq!(ran.code(), 1);
    assert!(
        ran.err().contains("two/walk.bvh: its result"),
        "{}",
        ran.err()
    );
    assert_eq!(read(&bench.path("out/walk.bvh")).n_frames(), 3);
}

#[test]
fn bad_options_and_ranges_are_refused_in_words() {
    let bench = Bench::new();
    bench.put("walk.bvh", &small_walk(10));
    let refused = |options: &[&str], code, words: &str| {
        let args = ["convert", "walk.bvh", "--out", "out"];
        let ran = bench.run(args.iter().chain(options));
        assert_eq!(ran.code(), code, "{options:?}: {}", ran.err());
        assert!(ran.err().contains(words), "{options:?}: {}", ran.err());
    };
    refused(&["--trim", "5..50"], 1, "frames 0..10");
    refused(&["--trim", "5"], 2, "10..50");
    refused(&["--order", "zzx"], 2, "rotation order");
    refused(&["--up", "w"], 2, "an axis");
    refused(&["--preset", "paint"], 2, "blender");
    refused(&["--rest", "x"], 2, "first");
    refused(&["--scale", "0"], 2, "over zero");
    refused(&["--format", "fbx"], 2, "gltf");
    assert!(!bench.path("out").exists(), "nothing written");
}
