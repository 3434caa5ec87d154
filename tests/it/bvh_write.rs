//! BVH files that are written: the same motion, curves without jumps, and nothing lost.

use std::fs;
use std::sync::Arc;

use kinfolk::file::bvh::{self, ReadSettings, RootOffset, WriteSettings};
use kinfolk::motion::{
    Channel, Channels, Clip, ClipInfo, Dim, EndSite, Joint, Motion, Pose, Quat, RotationOrder,
    Skeleton, Vec3, WorldPose, rotation,
};

use crate::data::{files_below, shared};

/// The clip in these bytes.
fn read(bytes: &[u8]) -> Clip {
    bvh::read(bytes, &ReadSettings::default()).unwrap()
}

/// Every clip of the development set that can be read, the broken ones that were mended included.
fn clips() -> Vec<(String, Clip)> {
    let Some(root) = shared("") else {
        return Vec::new();
    };
    let mut clips = Vec::new();
    for path in files_below(&root, "bvh") {
        let name = path.display().to_string();
        match bvh::read(&fs::read(&path).unwrap(), &ReadSettings::default()) {
            Ok(clip) => clips.push((name, clip)),
            Err(error) => assert!(name.contains("/malformed/"), "{name}: {error}"),
        }
    }
    clips
}

/// The largest distance of any joint or end site between two clips, matched by their order below each parent.
fn farthest(a: &Clip, b: &Clip) -> f64 {
    assert_eq!(a.n_frames(), b.n_frames(), "frames");
    let (sa, sb) = (a.skeleton(), b.skeleton());
    assert_eq!(sa.ends().len(), sb.ends().len(), "end sites");
    let mut worst = 0.0_f64;
    for (fa, fb) in a.frames().zip(b.frames()) {
        let (wa, wb) = (WorldPose::of(sa, fa), WorldPose::of(sb, fb));
        for site in sa.sites() {
            worst = worst.max((wa.site(sa, site) - wb.site(sb, site)).norm());
        }
    }
    worst
}

/// The numbers below `Frame Time`, row by row.
fn rows(bytes: &[u8]) -> Vec<Vec<f64>> {
    let text = std::str::from_utf8(bytes).unwrap();
    let lines = text.lines().skip_while(|l| !l.starts_with("Frame Time"));
    lines
        .skip(1)
        .map(|l| l.split(' ').map(|v| v.parse().unwrap()).collect())
        .collect()
}

/// Which columns are angles.
fn angle_columns(bytes: &[u8]) -> Vec<bool> {
    let text = std::str::from_utf8(bytes).unwrap();
    let channels = text
        .split_whitespace()
        .filter(|w| w.ends_with("position") || w.ends_with("rotation"));
    channels.map(|w| w.ends_with("rotation")).collect()
}

fn largest_jump(bytes: &[u8]) -> f64 {
    let angles = angle_columns(bytes);
    let rows = rows(bytes);
    let mut largest = 0.0_f64;
    for pair in rows.windows(2) {
        for (column, is_angle) in angles.iter().enumerate() {
            if *is_angle {
                largest = largest.max((pair[1][column] - pair[0][column]).abs());
            }
        }
    }
    largest
}

#[test]
fn every_clip_survives_writing() {
    let mut worst = 0.0_f64;
    let clips = clips();
    for (name, clip) in &clips {
        for order in [None, Some(RotationOrder::ZXY)] {
            let settings = WriteSettings {
                order,
                ..WriteSettings::default()
            };
            let written = bvh::write(clip, &settings);
            assert_eq!(written.notes, [], "{name}");
            let back = read(&written.bytes);
            let apart = farthest(clip, &back);
            assert!(apart < 1e-5, "{name}: {apart:e}");
            worst = worst.max(apart);
            assert!(largest_jump(&written.bytes) <= 180.0, "{name}");
            assert!((back.fps() - clip.fps()).abs() < 1e-9, "rate");
            let names = |c: &Clip| -> Vec<_> {
                c.skeleton()
                    .joints()
                    .iter()
                    .map(|j| j.name.clone())
                    .collect()
            };
            assert_eq!(names(clip), names(&back), "{name}");
            for (now, was) in back
                .skeleton()
                .joints()
                .iter()
                .zip(clip.skeleton().joints())
            {
                match order {
                    None => assert_eq!(now.channels, was.channels, "{name}"),
                    Some(order) => assert_eq!(now.channels.rotation_order(), order),
                }
            }
        }
    }
    if !clips.is_empty() {
        eprintln!("{} clips, farthest joint {worst:e}", clips.len());
    }
}

#[test]
fn numbers_of_a_real_file_come_back_as_they_were() {
    let Some(path) = shared("walk_cycles/s35/train/35_02_c1.bvh") else {
        return;
    };
    let source = fs::read(path).unwrap();
    let written = bvh::write(&read(&source), &WriteSettings::default());
    let numbers = |bytes: &[u8]| -> Vec<f64> {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let rows = text.lines().skip_while(|l| !l.starts_with("Frame Time"));
        rows.skip(1)
            .flat_map(|l| {
                l.split_whitespace()
                    .map(|v| v.parse().unwrap())
                    .collect::<Vec<f64>>()
            })
            .collect()
    };
    let (was, now) = (numbers(&source), numbers(&written.bytes));
    assert_eq!(was.len(), now.len());
    let kept = was.iter().zip(&now).filter(|(a, b)| a == b).count();
    // The others are the same rotation in angles that do not jump.
    assert!(kept * 100 > was.len() * 95, "{kept} of {}", was.len());
}

fn joint(name: &str, parent: Option<usize>, offset: [f64; 3], channels: &[Channel]) -> Joint {
    Joint {
        name: name.to_owned(),
        parent,
        offset: Vec3::from(offset),
        channels: Channels::new(channels).unwrap(),
    }
}

fn clip_of(joints: Vec<Joint>, ends: Vec<EndSite>, poses: impl Fn(&mut Pose, f64)) -> Clip {
    let skeleton = Arc::new(Skeleton::new(joints, ends).unwrap());
    let mut motion = Motion::with_capacity(&skeleton, 1.0 / 30.0, 0);
    for frame in 0..50 {
        let mut pose = Pose::rest(&skeleton);
        poses(&mut pose, f64::from(frame) * 0.1);
        motion.push(pose.as_ref());
    }
    Clip::new(ClipInfo::named("made"), skeleton, motion).unwrap()
}

const KNEE: [Channel; 1] = [Channel::Rotation(Dim::X)];

fn leg() -> Vec<Joint> {
    let free = Channels::position_and_rotation(RotationOrder::XYZ);
    vec![
        joint("hips", None, [0.0, 9.0, 0.0], free.as_slice()),
        joint("knee", Some(0), [0.0, -4.0, 0.0], &KNEE),
        joint("foot", Some(1), [0.0, -4.0, 0.0], &[]),
        joint("toe", Some(2), [0.0, 0.0, 1.0], &[]),
    ]
}

#[test]
fn channels_that_suffice_are_kept() {
    let clip = clip_of(leg(), vec![], |pose, t| {
        pose.translations[0] = Vec3::new(t, 9.0, 0.0);
        pose.rotations[1] = rotation::about(Dim::X, 40.0 * t.sin());
    });
    let written = bvh::write(&clip, &WriteSettings::default());
    assert_eq!(written.notes, []);
    let back = read(&written.bytes);
    for (now, was) in back.skeleton().joints().iter().zip(leg()) {
        // `CHANNELS 0` is what some programs refuse.
        let still = Channels::rotation(RotationOrder::XYZ);
        let kept = if was.channels.is_empty() {
            still
        } else {
            was.channels
        };
        assert_eq!(now.channels, kept);
    }
    assert_eq!(back.skeleton().joints()[0].offset, Vec3::zeros());
    assert!(farthest(&clip, &back) < 1e-5, "same motion");
    assert!(largest_jump(&written.bytes) <= 180.0, "no jumps");
}

#[test]
fn half_sets_of_channels_are_kept_or_completed_as_asked() {
    let mut joints = leg();
    let up_and_turn = [Channel::Position(Dim::Y), Channel::Rotation(Dim::Y)];
    joints[0].channels = Channels::new(&up_and_turn).unwrap();
    let clip = clip_of(joints, vec![], |pose, t| {
        pose.translations[0] = Vec3::new(-2.0, t, 5.0);
        pose.rotations[0] = rotation::about(Dim::Y, t);
        pose.rotations[1] = rotation::about(Dim::X, t);
    });
    let mut settings = WriteSettings::default();
    for (whole_channels, n_root, n_knee) in [(false, 2, 1), (true, 6, 3)] {
        settings.whole_channels = whole_channels;
        let written = bvh::write(&clip, &settings);
        assert_eq!(written.notes, [], "nothing was lost");
        let back = read(&written.bytes);
        let lens: Vec<usize> = back
            .skeleton()
            .joints()
            .iter()
            .map(|j| j.channels.len())
            .collect();
        assert_eq!(lens, [n_root, n_knee, 3, 3]);
        assert!(farthest(&clip, &back) < 1e-5, "same motion");
    }
}

#[test]
fn a_joint_gets_the_channels_that_its_motion_needs() {
    let mut joints = leg();
    joints[0].channels = Channels::NONE;
    joints[3].channels = Channels::new(&[Channel::Position(Dim::Y)]).unwrap();
    let clip = clip_of(joints, vec![], |pose, t| {
        pose.translations[0] = Vec3::new(t, 9.0, -3.0);
        pose.rotations[1] = Quat::from_scaled_axis(Vec3::new(t, 0.1 * t, 0.0));
        pose.rotations[2] = rotation::about(Dim::Z, 0.3);
        pose.translations[1] = Vec3::new(0.0, 0.2, 1.0 + t);
    });
    let written = bvh::write(&clip, &WriteSettings::default());
    let notes: Vec<String> = written.notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].ends_with(": hips, knee, foot, toe"), "{notes:?}");
    let back = read(&written.bytes);
    assert!(farthest(&clip, &back) < 1e-5, "nothing is lost");
    let channels = |j: usize| back.skeleton().joints()[j].channels;
    let places = Channels::new(&Dim::ALL.map(Channel::Position)).unwrap();
    assert_eq!(channels(0), places, "the root travels");
    assert_eq!(back.skeleton().joints()[0].offset, Vec3::zeros());
    assert_eq!(channels(1), Channels::rotation(RotationOrder::XYZ));
    assert_eq!(channels(2), Channels::rotation(RotationOrder::ZXY));
    let y_first = [Dim::Y, Dim::X, Dim::Z].map(Channel::Position);
    assert_eq!(channels(3), Channels::new(&y_first).unwrap());
}

#[test]
fn a_clip_that_never_moves_keeps_its_frames_and_place() {
    let joints = vec![joint("a", None, [1.0, 2.0, 3.0], &[])];
    let clip = clip_of(joints, vec![], |pose, _| {
        pose.translations[0] = Vec3::new(4.0, 5.0, 6.0);
    });
    let back = read(&bvh::write(&clip, &WriteSettings::default()).bytes);
    assert_eq!(back.n_frames(), 50);
    assert!(farthest(&clip, &back) < 1e-5, "same place");
}

#[test]
fn joints_in_any_order_and_several_tips() {
    let free = Channels::position_and_rotation(RotationOrder::ZYX);
    let turn = Channels::rotation(RotationOrder::ZYX);
    // Both legs are listed before both feet: parents first, but no branch in one piece.
    let joints = vec![
        joint("hips", None, [0.0; 3], free.as_slice()),
        joint("left", Some(0), [1.0, -4.0, 0.0], turn.as_slice()),
        joint("right", Some(0), [-1.0, -4.0, 0.0], turn.as_slice()),
        joint("left foot", Some(1), [0.0, -4.0, 0.0], turn.as_slice()),
        joint("right_foot", Some(2), [0.0, -4.0, 0.0], turn.as_slice()),
    ];
    let end = |joint, x| EndSite {
        joint,
        offset: Vec3::new(x, 0.0, 1.0),
    };
    let ends = vec![end(3, 0.5), end(3, -0.5), end(0, 7.0)];
    let clip = clip_of(joints, ends, |pose, t| {
        for (idx, q) in pose.rotations.iter_mut().enumerate() {
            *q = Quat::from_scaled_axis(Vec3::new(idx as f64, t, 3.0 * t.sin()));
        }
    });
    let written = bvh::write(&clip, &WriteSettings::default());
    assert_eq!(written.notes.len(), 1, "one name had a blank");
    let back = read(&written.bytes);
    let (a, b) = (clip.skeleton(), back.skeleton());
    for (fa, fb) in clip.frames().zip(back.frames()) {
        let (wa, wb) = (WorldPose::of(a, fa), WorldPose::of(b, fb));
        for site in a.sites() {
            let name = a.site_name(site).replace(' ', "_");
            let there = b.find_site(&name).unwrap();
            let apart = (wa.site(a, site) - wb.site(b, there)).norm();
            assert!(apart < 1e-5, "{name}: {apart:e}");
        }
    }
}

#[test]
fn large_units_get_more_decimals_and_exact_rates_are_spelled_out() {
    let free = Channels::position_and_rotation(RotationOrder::ZXY);
    let turn = Channels::rotation(RotationOrder::ZXY);
    let mut joints = vec![joint("j0", None, [0.0; 3], free.as_slice())];
    for idx in 1..12 {
        let name = format!("j{idx}");
        joints.push(joint(
            &name,
            Some(idx - 1),
            [0.0, 5e5, 0.0],
            turn.as_slice(),
        ));
    }
    let clip = clip_of(joints, vec![], |pose, t| {
        for (idx, q) in pose.rotations.iter_mut().enumerate() {
            *q = Quat::from_scaled_axis(Vec3::new(0.1 * t, 0.2, (idx as f64 + t).sin()));
        }
    });
    let written = bvh::write(&clip, &WriteSettings::default());
    let apart = farthest(&clip, &read(&written.bytes));
    assert!(apart < 1e-5, "{apart:e}");
    let text = String::from_utf8(written.bytes).unwrap();
    assert!(
        text.contains("\nFrames: 50\nFrame Time: 0.03333333333333333\n"),
        "1/30 s"
    );
    assert!(!text.contains('e') || !text.contains("e-"), "no exponents");
}

#[test]
fn a_very_deep_chain_is_written_without_recursion_or_endless_tabs() {
    let turn = Channels::rotation(RotationOrder::ZXY);
    let joints: Vec<Joint> = (0..200_000)
        .map(|idx: usize| joint("j", idx.checked_sub(1), [0.0, 1.0, 0.0], turn.as_slice()))
        .collect();
    let skeleton = Arc::new(Skeleton::new(joints, vec![]).unwrap());
    let mut motion = Motion::with_capacity(&skeleton, 0.1, 1);
    motion.push(Pose::rest(&skeleton).as_ref());
    let clip = Clip::new(ClipInfo::named("deep"), skeleton, motion).unwrap();
    let written = bvh::write(&clip, &WriteSettings::default());
    assert!(written.bytes.len() < 60_000_000, "{}", written.bytes.len());
}

/// A small stream of numbers that is the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }

    /// Between minus one and one.
    fn share(&mut self) -> f64 {
        self.roll(2_000_001) as f64 / 1e6 - 1.0
    }

    fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::new(self.share(), self.share(), self.share()) * size
    }

    fn channels(&mut self) -> Channels {
        let mut list = Channel::ALL.to_vec();
        for last in (1..list.len()).rev() {
            list.swap(last, self.roll(last + 1));
        }
        list.truncate(self.roll(7));
        Channels::new(&list).unwrap()
    }

    /// Often about one axis, by right angles, or not at all, because there the angles are hardest to choose.
    fn turn(&mut self) -> Quat {
        match self.roll(4) {
            0 => Quat::identity(),
            1 => rotation::about(
                Dim::ALL[self.roll(3)],
                self.roll(9) as f64 * std::f64::consts::FRAC_PI_4,
            ),
            2 => {
                let order = RotationOrder::ALL[self.roll(6)];
                let angles = [self.roll(5), self.roll(5), self.roll(5)];
                rotation::from_euler(
                    order,
                    angles.map(|a| a as f64 * std::f64::consts::FRAC_PI_2),
                )
            }
            _ => Quat::from_scaled_axis(self.vector(3.0)),
        }
    }
}

#[test]
fn any_motion_on_any_channels_survives() {
    for seed in 1..400_u64 {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let size = 10_f64.powi(dice.roll(5).cast_signed() as i32);
        let n_joints = 1 + dice.roll(6);
        let joints: Vec<Joint> = (0..n_joints)
            .map(|idx| Joint {
                name: format!("j{idx}"),
                // A chain: its order in the file is the order here.
                parent: idx.checked_sub(1),
                offset: dice.vector(size),
                channels: dice.channels(),
            })
            .collect();
        let skeleton = Arc::new(Skeleton::new(joints, vec![]).unwrap());
        let mut motion = Motion::with_capacity(&skeleton, 0.01, 0);
        for _ in 0..8 {
            let mut pose = Pose::rest(&skeleton);
            for place in &mut pose.translations {
                if dice.roll(2) == 0 {
                    *place = dice.vector(size);
                }
            }
            pose.rotations.fill_with(|| dice.turn());
            motion.push(pose.as_ref());
        }
        let clip = Clip::new(ClipInfo::named("made"), skeleton, motion).unwrap();
        for order in [None, Some(RotationOrder::ALL[dice.roll(6)])] {
            let settings = WriteSettings {
                order,
                whole_channels: dice.roll(2) == 0,
                safe_names: true,
            };
            let written = bvh::write(&clip, &settings);
            let replace = ReadSettings {
                root_offset: RootOffset::Replace,
            };
            let back = bvh::read(&written.bytes, &replace).unwrap();
            let apart = farthest(&clip, &back);
            assert!(apart < 1e-5, "seed {seed}: {apart:e}");
            let jump = largest_jump(&written.bytes);
            assert!(jump <= 180.0, "seed {seed}: {jump}");
        }
    }
}
