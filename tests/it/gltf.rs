//! glTF files, read back as a viewer would: structure, motion and skin.

use std::fs;
use std::sync::Arc;

use kinfolk::file::bvh::{self, ReadSettings};
use kinfolk::file::gltf::{GltfSettings, write, write_glb};
use kinfolk::motion::{
    Axis, Channels, Clip, ClipInfo, EndSite, Joint, Motion, Pose, Quat, RotationOrder, Skeleton,
    Vec3, WorldPose,
};
use nalgebra::{Matrix4, Quaternion, Translation3};
use serde_json::Value;

use crate::data::shared;

/// A `.glb` taken apart.
struct Glb {
    json: Value,
    bytes: Vec<u8>,
}

fn word(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

impl Glb {
    fn of(clip: &Clip) -> Self {
        let glb = write_glb(clip, &GltfSettings::default()).unwrap();
        assert_eq!(&glb[..4], b"glTF", "magic");
        assert_eq!(word(&glb, 4), 2, "version");
        assert_eq!(word(&glb, 8), glb.len(), "length");
        let text = word(&glb, 12);
        assert_eq!(text % 4, 0, "aligned");
        assert_eq!(&glb[16..20], b"JSON", "first chunk");
        let json = serde_json::from_slice(&glb[20..20 + text]).unwrap();
        assert_eq!(&glb[24 + text..28 + text], b"BIN\0", "second chunk");
        let bytes = glb[28 + text..].to_vec();
        assert_eq!(word(&glb, 20 + text), bytes.len(), "second chunk");
        Self { json, bytes }
    }

    fn index(value: &Value) -> usize {
        usize::try_from(value.as_u64().unwrap()).unwrap()
    }

    /// The numbers of an accessor in rows, after checking what the specification asks of it.
    fn rows(&self, accessor: &Value) -> Vec<Vec<f64>> {
        let accessor = &self.json["accessors"][Self::index(accessor)];
        let view = &self.json["bufferViews"][Self::index(&accessor["bufferView"])];
        let width = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC3" => 3,
            "VEC4" => 4,
            "MAT4" => 16,
            other => panic!("{other}"),
        };
        let start = Self::index(&view["byteOffset"]);
        let count = Self::index(&accessor["count"]);
        let size = match Self::index(&accessor["componentType"]) {
            5123 => 2,
            5125 | 5126 => 4,
            other => panic!("{other}"),
        };
        assert_eq!(start % 4, 0, "aligned");
        assert_eq!(
            Self::index(&view["byteLength"]),
            count * width * size,
            "{view}"
        );
        let numbers: Vec<f64> = self.bytes[start..start + count * width * size]
            .chunks(size)
            .map(|b| match Self::index(&accessor["componentType"]) {
                5123 => f64::from(u16::from_le_bytes(b.try_into().unwrap())),
                5125 => f64::from(u32::from_le_bytes(b.try_into().unwrap())),
                _ => f64::from(f32::from_le_bytes(b.try_into().unwrap())),
            })
            .collect();
        let rows: Vec<Vec<f64>> = numbers.chunks(width).map(<[f64]>::to_vec).collect();
        for (bound, pick) in [("min", f64::min as fn(f64, f64) -> f64), ("max", f64::max)] {
            if let Some(said) = accessor[bound].as_array() {
                for (column, said) in said.iter().enumerate() {
                    let found = rows.iter().map(|r| r[column]).reduce(pick).unwrap();
                    assert_eq!(said.as_f64().unwrap() as f32, found as f32, "{bound}");
                }
            }
        }
        rows
    }

    /// Where every node is in the world at one frame, as a viewer computes it.
    fn world(&self, frame: usize) -> Vec<Matrix4<f64>> {
        let nodes = self.json["nodes"].as_array().unwrap();
        let numbers = |value: &Value, default: &[f64]| -> Vec<f64> {
            let list = value.as_array();
            list.map_or(default.to_vec(), |l| {
                l.iter().map(|x| x.as_f64().unwrap()).collect()
            })
        };
        let mut shifts: Vec<_> = nodes
            .iter()
            .map(|n| numbers(&n["translation"], &[0.0; 3]))
            .collect();
        let mut turns: Vec<_> = nodes
            .iter()
            .map(|n| numbers(&n["rotation"], &[0.0, 0.0, 0.0, 1.0]))
            .collect();
        let animation = &self.json["animations"][0];
        for channel in animation["channels"].as_array().unwrap() {
            let sampler = &animation["samplers"][Self::index(&channel["sampler"])];
            let row = self.rows(&sampler["output"]).swap_remove(frame);
            let node = Self::index(&channel["target"]["node"]);
            match channel["target"]["path"].as_str().unwrap() {
                "translation" => shifts[node] = row,
                "rotation" => turns[node] = row,
                other => panic!("{other}"),
            }
        }
        let mut world = vec![Matrix4::identity(); nodes.len()];
        let roots = self.json["scenes"][0]["nodes"].as_array().unwrap();
        let mut open: Vec<(usize, Matrix4<f64>)> = roots
            .iter()
            .map(|r| (Self::index(r), Matrix4::identity()))
            .collect();
        while let Some((node, parent)) = open.pop() {
            let [x, y, z, w] = turns[node][..] else {
                panic!("four")
            };
            let turn = Quat::from_quaternion(Quaternion::new(w, x, y, z));
            let shift = Translation3::from(Vec3::from_column_slice(&shifts[node]));
            world[node] = parent * shift.to_homogeneous() * turn.to_homogeneous();
            for child in nodes[node]["children"].as_array().into_iter().flatten() {
                open.push((Self::index(child), world[node]));
            }
        }
        world
    }
}

/// All joints of some frames are where the clip has them, seen with Y up.
fn plays_as(clip: &Clip, tolerance: f64) {
    let glb = Glb::of(clip);
    let skeleton = clip.skeleton();
    let up = clip.info.up.vector();
    for frame in [0, clip.n_frames() / 3, clip.n_frames() - 1] {
        let pose = WorldPose::of(skeleton, clip.frame(frame));
        let nodes = glb.world(frame);
        for joint in 0..skeleton.n_joints() {
            let there = nodes[joint].column(3).xyz();
            let here = pose.positions[joint];
            if clip.info.up == Axis::Y {
                let apart = (there - here).norm();
                assert!(apart < tolerance, "{frame} {joint}: {apart:e}");
            }
            let height = (there.y - here.dot(&up)).abs();
            assert!(height < tolerance, "{frame} {joint}: height {height:e}");
        }
        // The tip of the first bone, carried by the skin.
        let mesh = &glb.json["meshes"][0]["primitives"][0]["attributes"];
        let (places, carriers) = (glb.rows(&mesh["POSITION"]), glb.rows(&mesh["JOINTS_0"]));
        let binds = glb.rows(&glb.json["skins"][0]["inverseBindMatrices"]);
        let carrier = carriers[0][0] as usize;
        let bind = Matrix4::from_column_slice(&binds[carrier]);
        let start = nodes[carrier] * bind * Vec3::from_column_slice(&places[5]).push(1.0);
        let apart = (start.xyz() - nodes[carrier].column(3).xyz()).norm();
        assert!(apart < tolerance, "a bone starts at its joint: {apart:e}");
    }
}

fn wobbly(up: Axis) -> Clip {
    let joint = |name: &str, parent, channels| Joint {
        name: name.to_owned(),
        parent,
        offset: Vec3::new(0.5, 2.0, -1.0),
        channels,
    };
    let free = Channels::position_and_rotation(RotationOrder::ZXY);
    let turn = Channels::rotation(RotationOrder::ZXY);
    let joints = vec![
        joint("hips", None, free),
        joint("chest \"x\"", Some(0), free),
        joint("arm", Some(1), turn),
        joint("still", Some(2), turn),
    ];
    let end = EndSite {
        joint: 3,
        offset: Vec3::new(0.0, 1.0, 0.0),
    };
    let skeleton = Arc::new(Skeleton::new(joints, vec![end]).unwrap());
    let mut motion = Motion::with_capacity(&skeleton, 1.0 / 60.0, 0);
    for frame in 0..40 {
        let t = f64::from(frame) * 0.3;
        let mut pose = Pose::rest(&skeleton);
        pose.translations[0] = Vec3::new(t, 1.0, -t);
        pose.translations[1] += Vec3::new(0.0, t.sin(), 0.0);
        for (idx, q) in pose.rotations.iter_mut().enumerate().take(3) {
            // Passes half a turn several times, where rotation vectors and quaternions change sign.
            *q =
                Quat::from_scaled_axis(Vec3::new(1.0, 0.3 * idx as f64, 0.2).normalize() * 3.0 * t);
        }
        motion.push(pose.as_ref());
    }
    let mut info = ClipInfo::named("wobble");
    info.up = up;
    Clip::new(info, skeleton, motion).unwrap()
}

#[test]
fn a_viewer_sees_the_same_motion() {
    for up in Axis::all() {
        plays_as(&wobbly(up), 1e-5);
    }
    for name in [
        "walk_full/35_01.bvh",
        "odd_bvh/mixed_rotation_orders_27j.bvh",
    ] {
        if let Some(path) = shared(name) {
            let clip = bvh::read(&fs::read(path).unwrap(), &ReadSettings::default()).unwrap();
            plays_as(&clip, 1e-3);
        }
    }
}

#[test]
fn curves_are_unit_continuous_and_only_for_what_moves() {
    let glb = Glb::of(&wobbly(Axis::Y));
    let animation = &glb.json["animations"][0];
    let mut curves = Vec::new();
    for channel in animation["channels"].as_array().unwrap() {
        let path = channel["target"]["path"].as_str().unwrap();
        curves.push((Glb::index(&channel["target"]["node"]), path));
        let sampler = &animation["samplers"][Glb::index(&channel["sampler"])];
        let times = glb.rows(&sampler["input"]);
        assert!(times.windows(2).all(|t| t[0] < t[1]), "later and later");
        assert!((times[39][0] - 39.0 / 60.0).abs() < 1e-6, "seconds");
        let rows = glb.rows(&sampler["output"]);
        assert_eq!(rows.len(), times.len(), "a value for each time");
        if path == "rotation" {
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
            assert!(rows.iter().all(|q| (dot(q, q) - 1.0).abs() < 1e-6), "unit");
            assert!(rows.windows(2).all(|q| dot(&q[0], &q[1]) > 0.0), "one side");
        }
    }
    let expected = [
        (0, "translation"),
        (1, "translation"),
        (0, "rotation"),
        (1, "rotation"),
        (2, "rotation"),
    ];
    assert_eq!(curves, expected, "the still joint has none");
    let names: Vec<&str> = glb.json["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|n| n["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        ["hips", "chest \"x\"", "arm", "still", "Body"],
        "kept"
    );
}

#[test]
fn text_and_binary_hold_the_same() {
    let clip = wobbly(Axis::Z);
    let glb = Glb::of(&clip);
    let mut text: Value = serde_json::from_slice(&write(&clip, &GltfSettings::default())).unwrap();
    let uri = text["buffers"][0]
        .as_object_mut()
        .unwrap()
        .remove("uri")
        .unwrap();
    assert_eq!(text, glb.json, "the same document");
    let coded = uri
        .as_str()
        .unwrap()
        .strip_prefix("data:application/octet-stream;base64,")
        .unwrap();
    assert_eq!(
        coded.len(),
        glb.bytes.len().div_ceil(3) * 4,
        "the same length"
    );
    let bare = GltfSettings { body: false };
    let bare: Value = serde_json::from_slice(&write(&clip, &bare)).unwrap();
    assert!(
        bare["meshes"].is_null() && bare["skins"].is_null(),
        "no body"
    );
}

#[test]
fn one_frame_of_one_joint_is_a_file_too() {
    let root = Joint {
        name: String::new(),
        parent: None,
        offset: Vec3::zeros(),
        channels: Channels::NONE,
    };
    let skeleton = Arc::new(Skeleton::new(vec![root], vec![]).unwrap());
    let mut motion = Motion::with_capacity(&skeleton, 1e-300, 1);
    let mut pose = Pose::rest(&skeleton);
    pose.translations[0] = Vec3::new(9e14, 0.0, 0.0);
    motion.push(pose.as_ref());
    motion.push(pose.as_ref());
    let clip = Clip::new(ClipInfo::named(""), skeleton, motion).unwrap();
    let glb = Glb::of(&clip);
    let animation = &glb.json["animations"][0];
    let sampler = &animation["samplers"][0];
    let times = glb.rows(&sampler["input"]);
    assert!(times[0][0] < times[1][0], "{times:?}");
    let place = glb.rows(&sampler["output"]);
    assert!(place[0][0].is_finite(), "{place:?}");
}
