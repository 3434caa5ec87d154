//! Throw-away reading of well-formed BVH.
use std::sync::Arc;

use kinfolk::motion::{
    Channel, Channels, Clip, ClipInfo, Dim, EndSite, Joint, Motion, Pose, Quat, Skeleton, Vec3,
    rotation,
};

pub(crate) fn read(bytes: &[u8]) -> Clip {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let mut t = text.split_whitespace().peekable();
    let mut joints: Vec<Joint> = vec![];
    let mut ends: Vec<EndSite> = vec![];
    let mut stack: Vec<Option<usize>> = vec![];
    let mut pending: Option<usize> = None;
    let mut in_end = false;
    let f = |s: &str| s.parse::<f64>().unwrap();
    loop {
        let w = t.next().unwrap();
        match w.to_ascii_uppercase().as_str() {
            "HIERARCHY" => {}
            "ROOT" | "JOINT" => {
                let parent = stack.iter().rev().find_map(|x| *x);
                joints.push(Joint {
                    name: t.next().unwrap().to_owned(),
                    parent,
                    offset: Vec3::zeros(),
                    channels: Channels::NONE,
                });
                pending = Some(joints.len() - 1);
            }
            "END" => {
                t.next();
                in_end = true;
                pending = None;
            }
            "{" => stack.push(pending.take()),
            "}" => {
                stack.pop();
            }
            "OFFSET" => {
                let v = Vec3::new(
                    f(t.next().unwrap()),
                    f(t.next().unwrap()),
                    f(t.next().unwrap()),
                );
                let joint = stack.iter().rev().find_map(|x| *x).unwrap();
                if in_end {
                    ends.push(EndSite { joint, offset: v });
                    in_end = false;
                } else {
                    joints[joint].offset = v;
                }
            }
            "CHANNELS" => {
                let n: usize = t.next().unwrap().parse().unwrap();
                let list: Vec<Channel> = (0..n)
                    .map(|_| {
                        let w = t.next().unwrap().to_ascii_lowercase();
                        let dim = Dim::ALL[(w.as_bytes()[0] - b'x') as usize];
                        if w.ends_with("position") {
                            Channel::Position(dim)
                        } else {
                            Channel::Rotation(dim)
                        }
                    })
                    .collect();
                let joint = stack.iter().rev().find_map(|x| *x).unwrap();
                joints[joint].channels = Channels::new(&list).unwrap();
            }
            "MOTION" => break,
            other => panic!("{other}"),
        }
    }
    let mut frame_secs = 0.0;
    let mut numbers: Vec<f64> = vec![];
    while let Some(w) = t.next() {
        if w.starts_with("Frames") {
            if !w.contains(':') {
                t.next();
            }
            t.next();
        } else if w == "Frame" {
            t.next();
            frame_secs = f(t.next().unwrap());
        } else {
            numbers.push(f(w));
        }
    }
    let skeleton = Arc::new(Skeleton::new(joints, ends).unwrap());
    let width: usize = skeleton.joints().iter().map(|j| j.channels.len()).sum();
    let mut motion = Motion::with_capacity(&skeleton, frame_secs, 0);
    for row in numbers.chunks(width) {
        let mut pose = Pose::rest(&skeleton);
        let mut row = row.iter();
        for (idx, joint) in skeleton.joints().iter().enumerate() {
            let mut q = Quat::identity();
            for c in joint.channels.as_slice() {
                let v = *row.next().unwrap();
                match c {
                    Channel::Position(d) => {
                        pose.translations[skeleton.translation_slot(idx).unwrap()][d.index()] = v;
                    }
                    Channel::Rotation(d) => q *= rotation::about(*d, v.to_radians()),
                }
            }
            pose.rotations[idx] = q;
        }
        motion.push(pose.as_ref());
    }
    Clip::new(ClipInfo::named("clip"), skeleton, motion).unwrap()
}
