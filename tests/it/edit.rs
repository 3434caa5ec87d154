//! Operations on clips: planted answers on a made-up body, then the same promises on real takes in `edit_real`.

use std::sync::Arc;

use kinfolk::motion::edit::{
    EditError, InPlace, Join, Placement, RestPose, align, concatenate, declare_up, drop_tpose,
    find_floor, guess_unit, leading_tpose_frames, mirror, prepend_tpose, resample, rest_as,
    root_in_place, scale, set_floor, set_up, split, trim, with_root_path,
};
use kinfolk::motion::heading::{forward, left, turn};
use kinfolk::motion::{
    Axis, Body, Channels, Clip, ClipInfo, Contact, EndSite, HeadingFrame, Joint, Motion, Pose,
    Quat, RotationOrder, Site, Skeleton, Vec3, WorldPose,
};

/// Name, parent, offset with Y up; legs spread and arms bent down a little, as rest poses have them.
const BONES: [(&str, usize, [f64; 3]); 18] = [
    ("Hips", 0, [0.0, 92.0, 0.0]),
    ("LeftUpLeg", 0, [9.0, -3.0, 0.0]),
    ("LeftLeg", 1, [8.0, -40.0, 1.0]),
    ("LeftFoot", 2, [7.0, -41.0, -2.0]),
    ("LeftToeBase", 3, [2.0, -6.0, 14.0]),
    ("RightUpLeg", 0, [-9.0, -3.0, 0.0]),
    ("RightLeg", 5, [-8.0, -40.0, 1.0]),
    ("RightFoot", 6, [-7.0, -41.0, -2.0]),
    ("RightToeBase", 7, [-2.0, -6.0, 14.0]),
    ("Spine", 0, [0.0, 30.0, 0.0]),
    ("LeftArm", 9, [17.0, 20.0, 0.0]),
    ("LeftForeArm", 10, [27.0, -6.0, -1.0]),
    ("LeftHand", 11, [24.0, -3.0, 4.0]),
    ("RightArm", 9, [-17.0, 20.0, 0.0]),
    ("RightForeArm", 13, [-27.0, -6.0, -1.0]),
    ("RightHand", 14, [-24.0, -3.0, 4.0]),
    ("RightSword", 15, [-5.0, 1.0, 60.0]),
    ("Head", 9, [0.0, 27.0, 3.0]),
];

fn person(up: Axis, has_static_root: bool) -> Arc<Skeleton> {
    let stand = kinfolk::motion::rotation::align(&Vec3::y(), &up.vector());
    let free = Channels::position_and_rotation(RotationOrder::ZXY);
    let mut joints = Vec::new();
    if has_static_root {
        joints.push(Joint {
            name: "root".to_owned(),
            parent: None,
            offset: Vec3::zeros(),
            channels: free,
        });
    }
    let lead = joints.len();
    for (idx, (name, parent, offset)) in BONES.iter().enumerate() {
        joints.push(Joint {
            name: (*name).to_owned(),
            parent: match idx {
                0 => has_static_root.then_some(0),
                _ => Some(parent + lead),
            },
            offset: stand * Vec3::from(*offset),
            channels: if idx == 0 {
                free
            } else {
                Channels::rotation(RotationOrder::ZXY)
            },
        });
    }
    let end = |joint: usize, offset: [f64; 3]| EndSite {
        joint: joint + lead,
        offset: stand * Vec3::from(offset),
    };
    let ends = vec![
        end(4, [0.0, -2.0, 7.0]),
        end(8, [0.0, -2.0, 7.0]),
        end(17, [0.0, 19.0, 0.0]),
    ];
    Arc::new(Skeleton::new(joints, ends).unwrap())
}

/// A body that wanders along a bend and swings its limbs, differently left and right.
fn wanderer(up: Axis, has_static_root: bool, n_frames: usize, fps: f64) -> Clip {
    let skeleton = person(up, has_static_root);
    let hips = usize::from(has_static_root);
    let mut motion = Motion::with_capacity(&skeleton, 1.0 / fps, n_frames);
    for frame in 0..n_frames {
        let t = frame as f64 / fps;
        let mut pose = Pose::rest(&skeleton);
        for (j, q) in pose.rotations.iter_mut().enumerate().skip(hips) {
            let phase = 1.7 * j as f64;
            let swing = Vec3::new(
                (3.0 * t + phase).sin(),
                (2.0 * t + phase).cos(),
                phase.sin(),
            );
            *q = Quat::from_scaled_axis(swing * 0.25);
        }
        for (name, drop) in [("LeftArm", -1.2), ("RightArm", 1.2)] {
            let arm = &mut pose.rotations[skeleton.find(name).unwrap()];
            *arm = Quat::from_scaled_axis(forward(up) * drop) * *arm;
        }
        let heading = 0.8 + 0.9 * t;
        pose.rotations[hips] = turn(up, heading) * pose.rotations[hips];
        let slot = skeleton.translation_slot(hips).unwrap();
        pose.translations[slot] +=
            forward(up) * (130.0 * t + 40.0) + left(up) * (20.0 * (1.3 * t).sin() - 7.0);
        motion.push(pose.as_ref());
    }
    let mut info = ClipInfo::named("wander");
    info.up = up;
    info.tags.insert("walk".to_owned());
    let left_foot = skeleton.find("LeftFoot").unwrap();
    let right_foot = skeleton.find("RightFoot").unwrap();
    let contact = |joint, frames| Contact { joint, frames };
    let third = n_frames / 3;
    let contacts = vec![
        contact(left_foot, 0..third.max(1)),
        contact(right_foot, third..2 * third.max(1)),
    ];
    let clip = Clip::new(info, skeleton, motion).unwrap();
    let contacts = contacts.into_iter().filter(|c| c.frames.end <= n_frames);
    clip.with_contacts(contacts.collect()).unwrap()
}

/// Every body this file is about.
fn wanderers(n_frames: usize) -> Vec<Clip> {
    Axis::all()
        .into_iter()
        .flat_map(|up| [false, true].map(|root| wanderer(up, root, n_frames, 30.0)))
        .collect()
}

/// World positions of all sites, frame by frame.
pub(crate) fn places(clip: &Clip) -> Vec<Vec<Vec3>> {
    let s = clip.skeleton();
    clip.frames()
        .map(|pose| {
            let world = WorldPose::of(s, pose);
            s.sites().map(|site| world.site(s, site)).collect()
        })
        .collect()
}

/// The largest distance between two sets of places.
pub(crate) fn apart(a: &[Vec<Vec3>], b: &[Vec<Vec3>]) -> f64 {
    assert_eq!(a.len(), b.len(), "frames");
    let pairs = a.iter().flatten().zip(b.iter().flatten());
    pairs.map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
}

fn each_place(clip: &Clip, change: impl Fn(&Vec3) -> Vec3) -> Vec<Vec<Vec3>> {
    let change = |frame: &Vec<Vec3>| frame.iter().map(&change).collect();
    places(clip).iter().map(change).collect()
}

fn same_motion(a: &Clip, b: &Clip) -> f64 {
    let turned = a.motion().rotations.iter().zip(&b.motion().rotations);
    let moved = a.motion().translations.iter().zip(&b.motion().translations);
    let turned = turned.map(|(a, b)| {
        (a.coords - b.coords)
            .norm()
            .min((a.coords + b.coords).norm())
    });
    let moved = moved.map(|(a, b)| (a - b).norm());
    turned.chain(moved).fold(0.0, f64::max)
}

#[test]
fn every_operation_keeps_the_name_and_adds_one_sentence() {
    for clip in wanderers(13).into_iter().chain(wanderers(1)) {
        let other = if clip.info.up == Axis::Z {
            Axis::Y
        } else {
            Axis::Z
        };
        let results = [
            ("resample", resample(&clip, 50.0)),
            ("trim", trim(&clip, 0..1)),
            ("concatenate", concatenate(&[&clip, &clip], Join::Continue)),
            ("mirror", mirror(&clip)),
            (
                "in place",
                root_in_place(&clip, InPlace::Travel).map(|r| r.0),
            ),
            ("align", align(&clip, &Placement::at_origin(0))),
            ("floor", set_floor(&clip, 3.0)),
            ("scale", scale(&clip, 2.0)),
            ("up", set_up(&clip, other)),
            ("declared up", Ok(declare_up(&clip, other))),
            ("rest t", rest_as(&clip, RestPose::T)),
            ("rest first", rest_as(&clip, RestPose::First)),
            ("t-pose", prepend_tpose(&clip)),
        ];
        for (what, result) in results {
            let result = result.unwrap();
            assert_eq!(result.info.name, "wander", "{what}");
            assert_eq!(result.info.tags, clip.info.tags, "{what}");
            assert_eq!(
                result.info.history.len(),
                1,
                "{what}: {:?}",
                result.info.history
            );
        }
    }
}

#[test]
fn trimming_keeps_what_is_inside() {
    let clip = wanderer(Axis::Y, false, 30, 30.0);
    let part = trim(&clip, 5..15).unwrap();
    assert_eq!(part.frame(0), clip.frame(5));
    assert_eq!(part.frame(9), clip.frame(14));
    let frames: Vec<_> = part.contacts().iter().map(|c| c.frames.clone()).collect();
    assert_eq!(frames, [0..5, 5..10]);
    for range in [5..5, 20..31, 30..31] {
        let refused = trim(&clip, range.clone()).unwrap_err();
        assert!(
            refused.to_string().contains("0..30"),
            "{range:?}: {refused}"
        );
    }
}

#[test]
fn parts_joined_plainly_are_the_whole() {
    let clip = wanderer(Axis::Z, true, 30, 30.0);
    let parts = split(&clip, &[20, 7, 20]).unwrap();
    let names: Vec<_> = parts.iter().map(|p| p.info.name.as_str()).collect();
    assert_eq!(names, ["wander_1", "wander_2", "wander_3"]);
    let all: Vec<&Clip> = parts.iter().collect();
    let joined = concatenate(&all, Join::Plain).unwrap();
    assert_eq!(joined.motion(), clip.motion());
    let down: usize = joined.contacts().iter().map(|c| c.frames.len()).sum();
    assert_eq!(down, 20, "cut contacts cover the same frames");
    assert_eq!(split(&clip, &[]).unwrap(), std::slice::from_ref(&clip));
    for at in [0, 30, 31] {
        assert_eq!(
            split(&clip, &[at]),
            Err(EditError::Cut {
                frame: at,
                n_frames: 30
            })
        );
    }
}

#[test]
fn a_joined_clip_goes_on_where_the_first_was_going() {
    for clip in wanderers(60) {
        let up = clip.info.up;
        let elsewhere = Placement {
            frame: 30,
            place: Some(left(up) * 900.0),
            heading_rad: Some(-2.0),
        };
        let second = align(
            &trim(&clip, 30..60).unwrap(),
            &Placement {
                frame: 0,
                ..elsewhere
            },
        );
        let first = trim(&clip, 0..30).unwrap();
        let joined = concatenate(&[&first, &second.unwrap()], Join::Continue).unwrap();
        // The real next step differs from the last one only by the acceleration within a frame.
        let step = apart(&places(&joined), &places(&clip));
        assert!(step < 3.0, "{up}: {step}");
    }
}

#[test]
fn clips_that_do_not_fit_are_refused_by_joint() {
    let clip = wanderer(Axis::Y, false, 4, 30.0);
    assert_eq!(concatenate(&[], Join::Plain), Err(EditError::NoClips));
    let other = wanderer(Axis::Y, true, 4, 30.0);
    let refused = concatenate(&[&clip, &other], Join::Plain).unwrap_err();
    let words = refused.to_string();
    assert!(
        words.contains("\"root\"") && words.contains("\"Hips\""),
        "{words}"
    );
    let mut joints = clip.skeleton().joints().to_vec();
    joints[4].parent = Some(2);
    let other = Arc::new(Skeleton::new(joints, vec![]).unwrap());
    let other = Clip::new(ClipInfo::named("bent"), other, clip.motion().clone()).unwrap();
    let words = concatenate(&[&clip, &other], Join::Plain)
        .unwrap_err()
        .to_string();
    assert!(
        words.contains("LeftToeBase") && words.contains("\"LeftLeg\""),
        "{words}"
    );
}

#[test]
fn joining_adopts_the_rate_and_the_up_axis_of_the_first() {
    let first = wanderer(Axis::Y, false, 31, 30.0);
    let second = set_up(&wanderer(Axis::Y, false, 121, 120.0), Axis::Z).unwrap();
    let joined = concatenate(&[&first, &second], Join::Plain).unwrap();
    assert_eq!(joined.n_frames(), 62);
    let tail = trim(&joined, 31..62).unwrap();
    assert!(same_motion(&tail, &first) < 1e-12, "the same motion again");
}

#[test]
fn mirrored_joints_are_where_a_mirror_shows_their_partners() {
    for clip in wanderers(20) {
        let (up, s) = (clip.info.up, clip.skeleton());
        let mirrored = mirror(&clip).unwrap();
        let body = Body::of(s);
        let hips = s.find("Hips").unwrap();
        let sword = s.find("RightSword").unwrap();
        let (before, after) = (places(&clip), places(&mirrored));
        let start = before[0][hips];
        let across = left(up);
        let reflected = |v: &Vec3| v - across * (2.0 * (v - start).dot(&across));
        for (b, a) in before.iter().zip(&after) {
            for j in (0..s.n_joints()).filter(|j| *j != sword && (*j > 0 || hips == 0)) {
                let off = (a[j] - reflected(&b[body.mirror[j]])).norm();
                assert!(off < 1e-9, "{up} {}: {off:e}", s.joints()[j].name);
            }
        }
        let again = mirror(&mirrored).unwrap();
        assert!(same_motion(&again, &clip) < 1e-9, "{up}: twice is none");
        assert_eq!(again.skeleton(), clip.skeleton(), "{up}");
        assert_eq!(again.contacts(), clip.contacts(), "{up}");
        let left_foot = s.find("LeftFoot").unwrap();
        let of = |c: &Clip, joint| c.contacts().iter().find(|c| c.joint == joint).cloned();
        let (was, is) = (of(&clip, left_foot), of(&mirrored, body.mirror[left_foot]));
        assert_eq!(
            was.unwrap().frames,
            is.unwrap().frames,
            "contacts change sides"
        );
    }
}

#[test]
fn mirroring_says_when_there_is_nothing_to_pair() {
    let joint = |name: &str, parent| Joint {
        name: name.to_owned(),
        parent,
        offset: Vec3::y(),
        channels: Channels::NONE,
    };
    let tail = vec![joint("a", None), joint("b", Some(0)), joint("c", Some(1))];
    let skeleton = Arc::new(Skeleton::new(tail, vec![]).unwrap());
    let mut motion = Motion::with_capacity(&skeleton, 0.1, 1);
    motion.push(Pose::rest(&skeleton).as_ref());
    let clip = Clip::new(ClipInfo::named("tail"), skeleton, motion).unwrap();
    let notes = mirror(&clip).unwrap().info.notes;
    assert!(notes[0].text.contains("no left and right"), "{notes:?}");
}

#[test]
fn a_motion_in_place_comes_back_exactly() {
    for clip in wanderers(40) {
        let up = clip.info.up;
        let hips = clip.skeleton().find("Hips").unwrap();
        for what in [InPlace::Travel, InPlace::TravelAndHeading] {
            let (still, path) = root_in_place(&clip, what).unwrap();
            let way = places(&still);
            for frame in &way {
                let off = frame[hips] - way[0][hips];
                let off = off - up.vector() * up.along(&off);
                assert!(off.norm() < 1e-9, "{up} {what:?}: {off:?}");
            }
            assert!(still.contacts().is_empty(), "its feet slide now");
            let track = HeadingFrame::learn(&[&clip]).track(&still);
            let turned = track.headings[39] - track.headings[0];
            let is_turning = turned.abs() > 0.5;
            assert_eq!(is_turning, what == InPlace::Travel, "{turned}");
            let back = with_root_path(&still, &path).unwrap();
            assert!(
                apart(&places(&back), &places(&clip)) < 1e-9,
                "{up} {what:?}"
            );
            assert_eq!(back.contacts(), clip.contacts());
            let short = trim(&still, 0..5).unwrap();
            let refused = with_root_path(&short, &path);
            assert_eq!(
                refused,
                Err(EditError::PathLength {
                    path: 40,
                    n_frames: 5
                })
            );
        }
    }
}

#[test]
fn aligning_puts_one_frame_over_the_origin() {
    for clip in wanderers(20) {
        let up = clip.info.up;
        let placed = align(&clip, &Placement::at_origin(12)).unwrap();
        let track = HeadingFrame::learn(&[&clip]).track(&placed);
        let here = track.positions[12];
        let height = up.along(&here);
        assert!(
            (here - up.vector() * height).norm() < 1e-9,
            "{up}: {here:?}"
        );
        assert!(track.headings[12].abs() < 1e-9, "{up} faces forward");
        let before = HeadingFrame::learn(&[&clip]).track(&clip);
        let lift = up.along(&before.positions[12]) - height;
        assert!(lift.abs() < 1e-9, "{up}: height stays");
        let refused = align(&clip, &Placement::at_origin(20));
        assert_eq!(
            refused,
            Err(EditError::Frame {
                frame: 20,
                n_frames: 20
            })
        );
    }
}

#[test]
fn floor_scale_and_up_move_every_place_as_said() {
    for clip in wanderers(7) {
        let up = clip.info.up;
        let lower = each_place(&clip, |v| v - up.vector() * 12.5);
        let floored = set_floor(&clip, 12.5).unwrap();
        let hips = clip.skeleton().find("Hips").unwrap();
        let below =
            |all: Vec<Vec<Vec3>>| all.iter().map(|f| f[hips..].to_vec()).collect::<Vec<_>>();
        assert!(
            apart(&below(places(&floored)), &below(lower)) < 1e-9,
            "{up}"
        );
        let scaled = scale(&clip, 2.54).unwrap();
        assert!(
            apart(&places(&scaled), &each_place(&clip, |v| v * 2.54)) < 1e-9,
            "{up}"
        );
        for to in Axis::all() {
            let turned = set_up(&clip, to).unwrap();
            assert_eq!(turned.info.up, to);
            let stand = |axis: Axis| kinfolk::motion::rotation::align(&Vec3::y(), &axis.vector());
            let r = stand(to) * stand(up).inverse();
            assert!(
                apart(&places(&turned), &each_place(&clip, |v| r * v)) < 1e-9,
                "{up} to {to}"
            );
            let back = set_up(&turned, up).unwrap();
            assert_eq!(
                back.motion(),
                clip.motion(),
                "{up} to {to} and back, bit for bit"
            );
            assert_eq!(back.skeleton(), clip.skeleton());
        }
    }
}

#[test]
fn the_new_rest_pose_moves_nothing() {
    for clip in wanderers(9) {
        let up = clip.info.up;
        for rest in [RestPose::Source, RestPose::T, RestPose::First] {
            let rebased = rest_as(&clip, rest).unwrap();
            let off = apart(&places(&rebased), &places(&clip));
            assert!(off < 1e-9, "{up} {rest:?}: {off:e}");
            assert_eq!(rebased.contacts(), clip.contacts());
        }
        let first = rest_as(&clip, RestPose::First).unwrap();
        let s = first.skeleton();
        let world = WorldPose::of(s, Pose::rest(s).as_ref());
        let at_rest: Vec<Vec3> = s.sites().map(|site| world.site(s, site)).collect();
        assert!(
            apart(&[at_rest], &places(&clip)[..1]) < 1e-9,
            "{up}: rest is the first frame"
        );
    }
}

#[test]
fn a_t_pose_is_a_t() {
    for clip in wanderers(9) {
        let up = clip.info.up;
        let t = rest_as(&clip, RestPose::T).unwrap();
        is_t(&t, &Pose::rest(t.skeleton()), "rest");
        let with = prepend_tpose(&clip).unwrap();
        assert_eq!(with.n_frames(), 10);
        is_t(&with, &with.frame(0).to_pose(), "prepended");
        let moved: Vec<_> = with.contacts().iter().map(|c| c.frames.start).collect();
        assert_eq!(moved, [1, 4], "contacts come a frame later");
        assert_eq!(leading_tpose_frames(&with), 1, "{up}");
        let dropped = drop_tpose(&with).unwrap();
        assert_eq!(dropped.motion(), clip.motion(), "{up}: dropped again");
        assert_eq!(leading_tpose_frames(&clip), 0, "{up}: it has none");
    }
}

fn is_t(clip: &Clip, pose: &Pose, what: &str) {
    let (s, up) = (clip.skeleton(), clip.info.up);
    let body = Body::of(s);
    let world = WorldPose::of(s, pose.as_ref());
    let bone = |from: usize, to: usize| world.positions[to] - world.positions[from];
    let (down, out) = (-up.vector(), left(up));
    for (limbs, ways) in [(&body.legs, [down, down]), (&body.arms, [out, -out])] {
        assert_eq!(limbs.len(), 2, "{what}");
        for (limb, way) in limbs.iter().zip(ways) {
            for (from, to) in [(limb.upper, limb.middle), (limb.middle, limb.end)] {
                let off = bone(from, to).angle(&way);
                assert!(off < 1e-6, "{what} {up} {}: {off}", s.joints()[from].name);
            }
        }
    }
    let toe = body.legs[0].toe.unwrap();
    assert!(
        bone(body.legs[0].end, toe).dot(&forward(up)) > 0.0,
        "{what}: faces forward"
    );
    let head = bone(body.legs[0].upper, body.head.unwrap());
    assert!(up.along(&head) > 40.0, "{what}: head up");
}

#[test]
fn several_t_pose_frames_are_dropped_and_a_held_t_is_not() {
    let clip = wanderer(Axis::Y, false, 20, 30.0);
    let once = prepend_tpose(&clip).unwrap();
    let t = trim(&once, 0..1).unwrap();
    let thrice = concatenate(&[&t, &t, &t, &clip], Join::Plain).unwrap();
    assert_eq!(leading_tpose_frames(&thrice), 3);
    assert_eq!(drop_tpose(&thrice).unwrap().motion(), clip.motion());
    // An actor who leaves the T in half a second moves; nothing is dropped.
    let slow = scale(&once, 1.0).unwrap();
    let mut motion = Motion::with_capacity(clip.skeleton(), 1.0 / 30.0, 16);
    for share in 0..=15 {
        let share = f64::from(share) / 15.0;
        motion.push(Pose::between(slow.frame(0), slow.frame(1), share).as_ref());
    }
    let info = ClipInfo::named("actor");
    let actor = Clip::new(info, Arc::clone(clip.skeleton()), motion).unwrap();
    assert_eq!(leading_tpose_frames(&actor), 0);
    assert_eq!(leading_tpose_frames(&t), 0, "nothing would be left");
}

#[test]
fn the_floor_is_under_the_toes() {
    for up in Axis::all() {
        let skeleton = person(up, false);
        let rest = Pose::rest(&skeleton);
        let world = WorldPose::of(&skeleton, rest.as_ref());
        let toe = up.along(&world.site(&skeleton, Site::End(0)));
        let mut motion = Motion::with_capacity(&skeleton, 0.1, 50);
        for frame in 0..50 {
            let mut pose = rest.clone();
            // A hop now and then, and one frame that sinks in.
            let hop = if frame % 10 < 3 { 20.0 } else { 0.0 };
            pose.translations[0] += up.vector() * if frame == 17 { -30.0 } else { hop };
            motion.push(pose.as_ref());
        }
        let mut info = ClipInfo::named("hops");
        info.up = up;
        let clip = Clip::new(info, skeleton, motion).unwrap();
        let floor = find_floor(&clip);
        assert!(
            (floor.height - toe).abs() < 1e-9 && floor.is_sure,
            "{up}: {floor:?}"
        );
        let zero = find_floor(&set_floor(&clip, floor.height).unwrap());
        assert!(zero.height.abs() < 1e-9, "{up}");
    }
}

#[test]
fn units_are_told_by_the_height_of_the_body() {
    let clip = wanderer(Axis::Y, false, 3, 30.0);
    let metres = scale(&clip, 0.01).unwrap();
    for unit in kinfolk::motion::edit::Unit::ALL {
        let scaled = scale(&metres, 1.0 / unit.metres()).unwrap();
        let guess = guess_unit(&scaled);
        assert_eq!(guess.unit, unit, "{guess}");
        assert!(guess.confidence > 0.8, "{guess:?}");
    }
    let giant = guess_unit(&scale(&metres, 1e9).unwrap());
    assert!(
        giant.confidence < 0.5 && giant.to_string().contains("no unit"),
        "{giant}"
    );
}

#[test]
fn every_bad_number_is_refused() {
    let clip = wanderer(Axis::Y, false, 3, 30.0);
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let number = |r: Result<Clip, EditError>| matches!(r, Err(EditError::Number { .. }));
        assert!(number(resample(&clip, bad)), "rate {bad}");
        assert!(number(scale(&clip, bad)), "scale {bad}");
    }
    assert!(
        matches!(set_floor(&clip, f64::NAN), Err(EditError::Number { .. })),
        "floor"
    );
    assert!(
        matches!(
            scale(&clip, 1e308),
            Err(EditError::Skeleton(_) | EditError::Clip(_))
        ),
        "overflow"
    );
    let mut motion = clip.motion().clone();
    motion.frame_secs = 1e9;
    let slow = Clip::new(clip.info.clone(), Arc::clone(clip.skeleton()), motion).unwrap();
    let refused = resample(&slow, 120.0).unwrap_err();
    assert!(matches!(refused, EditError::TooLong { .. }), "{refused}");
    assert!(refused.to_string().contains("frame time"), "{refused}");
}
