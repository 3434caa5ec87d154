//! The demo motions keep what they promise: feet that stand, joints that bend the right way, variation as stated.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use kinfolk::demo::{self, Action, DemoClip, Trait};
use kinfolk::motion::{Axis, Clip, Quat, Vec3, WorldPose};

use crate::data::{files_below, shared};

static LIBRARY: LazyLock<Vec<DemoClip>> = LazyLock::new(demo::library);

/// The library, and ten takes of each action that are not in it: what holds for one must hold for any.
static MANY: LazyLock<Vec<DemoClip>> = LazyLock::new(|| {
    let short = |action: &Action| !action.tags().contains(&"take");
    let fresh = Action::ALL.into_iter().filter(short);
    let fresh = fresh.flat_map(|action| (0..10).map(move |take| demo::make(action, 7, take)));
    LIBRARY.iter().cloned().chain(fresh).collect()
});

fn worlds(clip: &Clip) -> Vec<WorldPose> {
    let poses = clip.frames();
    poses.map(|p| WorldPose::of(clip.skeleton(), p)).collect()
}

fn joint(name: &str) -> usize {
    demo::skeleton().find(name).unwrap()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn deviation(values: &[f64]) -> f64 {
    covariance(values, values).sqrt()
}

fn covariance(a: &[f64], b: &[f64]) -> f64 {
    let (ma, mb) = (mean(a), mean(b));
    let sum: f64 = a.iter().zip(b).map(|(x, y)| (x - ma) * (y - mb)).sum();
    sum / (a.len() - 1) as f64
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    covariance(a, b) / (deviation(a) * deviation(b))
}

#[test]
fn the_library_holds_what_it_should() {
    let mut takes: BTreeMap<Action, usize> = BTreeMap::new();
    let mut names = BTreeSet::new();
    for demo in LIBRARY.iter() {
        let info = &demo.clip.info;
        *takes.entry(demo.action).or_default() += 1;
        assert!(names.insert(info.name.clone()), "{} twice", info.name);
        assert!(info.name.starts_with(demo.action.name()), "{}", info.name);
        assert!(!info.tags.is_empty(), "{} has no tags", info.name);
        assert!(!demo.clip.contacts().is_empty(), "{} floats", info.name);
        assert_eq!((demo.clip.fps(), info.up), (60.0, Axis::Y));
        assert_eq!(demo.fits, !info.tags.contains("misfit"));
    }
    assert_eq!(takes.len(), Action::ALL.len());
    assert!(takes[&Action::Walk] >= 16, "walks to learn from");
    for (action, n) in takes {
        let long = matches!(action, Action::WalkTake | Action::MixedTake);
        let enough = if long {
            1
        } else if demo::make(action, 1, 0).fits {
            6
        } else {
            3
        };
        assert!(n >= enough, "{action:?}: {n}");
    }
}

#[test]
fn a_take_depends_on_its_seed_and_number_alone() {
    for demo in LIBRARY.iter().rev().step_by(7) {
        let number: u64 = demo
            .clip
            .info
            .name
            .rsplit('_')
            .next()
            .unwrap()
            .parse()
            .unwrap();
        let again = demo::make(demo.action, demo::LIBRARY_SEED, number - 1);
        assert_eq!(&again, demo, "{}", demo.clip.info.name);
    }
    let other = demo::make(Action::Walk, 2, 0);
    assert_ne!(other.clip.motion(), LIBRARY[0].clip.motion());
}

#[test]
fn standing_feet_do_not_slide() {
    for demo in MANY.iter() {
        let worlds = worlds(&demo.clip);
        for contact in demo.clip.contacts() {
            let at = |frame: usize| worlds[frame].positions[contact.joint];
            let first = at(contact.frames.start);
            for frame in contact.frames.clone() {
                let slid = (at(frame) - first).norm();
                let name = &demo.clip.info.name;
                assert!(slid < 0.5, "{name}, {contact:?}: {slid} cm at {frame}");
            }
        }
    }
}

#[test]
fn a_foot_stands_whenever_nothing_is_in_the_air() {
    // The contacts are not just short: walks stand on a ball about 55 % of the time for each foot, and never on none.
    for demo in LIBRARY.iter().filter(|d| d.action == Action::Walk) {
        let n = demo.clip.n_frames();
        for name in ["LeftToeBase", "RightToeBase"] {
            let stands: usize = demo
                .clip
                .contacts()
                .iter()
                .filter(|c| c.joint == joint(name))
                .map(|c| c.frames.len())
                .sum();
            let share = stands as f64 / n as f64;
            assert!((0.42..0.62).contains(&share), "{name} stands {share}");
        }
    }
}

#[test]
fn feet_stay_above_the_floor() {
    // Points of the sole, in the frame of the ankle and of the toes: under the heel, under the ball, under the tips.
    let heel = Vec3::new(0.0, -6.825, -5.075);
    let ball = Vec3::new(0.0, -2.0, 0.0);
    let tips = Vec3::new(0.0, -2.0, 6.5);
    for demo in MANY.iter() {
        for (frame, world) in worlds(&demo.clip).iter().enumerate() {
            for side in ["Left", "Right"] {
                let ankle = joint(&format!("{side}Foot"));
                let toes = joint(&format!("{side}ToeBase"));
                for (bone, point) in [(ankle, heel), (toes, ball), (toes, tips)] {
                    let y = (world.positions[bone] + world.rotations[bone] * point).y;
                    assert!(y > -1.0, "{} at {frame}: {y} cm", demo.clip.info.name);
                }
            }
        }
    }
}

/// What a hinge is turned by about its axis, and by how much it leaves that axis.
fn hinge(q: &Quat, axis: &Vec3) -> (f64, f64) {
    let turn = q.scaled_axis();
    let about = turn.dot(axis);
    (about, (turn - axis * about).norm())
}

#[test]
fn knees_and_elbows_bend_the_right_way_within_limits() {
    for demo in MANY.iter() {
        let name = &demo.clip.info.name;
        for pose in demo.clip.frames() {
            for (side, out) in [("Left", 1.0), ("Right", -1.0)] {
                let knee = &pose.rotations[joint(&format!("{side}Leg"))];
                let (bent, aside) = hinge(knee, &Vec3::x());
                let degrees = bent.to_degrees();
                assert!((1.0..152.0).contains(&degrees), "{name}: knee {degrees}");
                assert!(aside < 1e-6, "{name}: a knee is a hinge");
                // The forearm also twists about itself; what it bends is the turn of its own direction.
                let forearm = &pose.rotations[joint(&format!("{side}ForeArm"))];
                let along = forearm * Vec3::new(out, 0.0, 0.0);
                let degrees = along.z.atan2(along.x * out).to_degrees();
                assert!((1.0..150.0).contains(&degrees), "{name}: elbow {degrees}");
            }
        }
    }
}

/// The fastest joint anywhere is a shoulder or a knee in a throw or kick, about 17 radians a second, or 0.28 a frame;
/// a pop would be a multiple of that.
const MOST_TURN_RAD: f64 = 0.45;
/// A pop also shows as a change of that turn from one frame to the next. Ankles and knees at the take-off and landing
/// of a jump come to 0.2.
const MOST_CHANGE_RAD: f64 = 0.23;

#[test]
fn nothing_pops() {
    for demo in MANY.iter() {
        let name = &demo.clip.info.name;
        let frames: Vec<_> = demo.clip.frames().collect();
        for idx in 0..demo.clip.skeleton().n_joints() {
            let turns: Vec<Vec3> = frames
                .windows(2)
                .map(|w| (w[0].rotations[idx].inverse() * w[1].rotations[idx]).scaled_axis())
                .collect();
            let bone = &demo.clip.skeleton().joints()[idx].name;
            for (frame, turn) in turns.iter().enumerate() {
                let turn = turn.norm();
                assert!(turn < MOST_TURN_RAD, "{name}, {bone} at {frame}: {turn}");
            }
            for (frame, pair) in turns.windows(2).enumerate() {
                let change = (pair[1] - pair[0]).norm();
                assert!(
                    change < MOST_CHANGE_RAD,
                    "{name}, {bone} at {frame}: {change}"
                );
            }
        }
        let steps = frames
            .windows(2)
            .map(|w| (w[1].root() - w[0].root()).norm());
        let fastest = steps.fold(0.0, f64::max);
        assert!(
            fastest < 6.5,
            "{name}: the root moves {fastest} cm in a frame"
        );
    }
}

/// What can be seen of a walk's traits in its motion alone.
struct Seen {
    duration_secs: f64,
    step_cm: f64,
    arm_deg: [f64; 2],
    lean_deg: f64,
}

fn look_at(clip: &Clip) -> Seen {
    let worlds = worlds(clip);
    let n = worlds.len();
    let chest = joint("Spine2");
    let travel = worlds[n - 1].positions[0] - worlds[0].positions[0];
    let duration_secs = clip.seconds();
    // A cycle is two steps; between the first and the last frame lies one frame less than a cycle.
    let step_cm = 0.5 * travel.z * n as f64 / (n - 1) as f64;
    let arm_deg = ["Left", "Right"].map(|side| {
        let out = if side == "Left" { 1.0 } else { -1.0 };
        let arm = joint(&format!("{side}Arm"));
        // The first harmonic of the upper arm's swing against the chest.
        let (mut re, mut im) = (0.0, 0.0);
        for (frame, world) in worlds.iter().enumerate() {
            let along = world.rotations[arm] * Vec3::new(out, 0.0, 0.0);
            let along = world.rotations[chest].inverse() * along;
            let flex = along.z.atan2(-along.y).to_degrees();
            let phase = std::f64::consts::TAU * frame as f64 / n as f64;
            re += flex * phase.cos();
            im += flex * phase.sin();
        }
        2.0 / n as f64 * re.hypot(im)
    });
    let leans: Vec<f64> = worlds
        .iter()
        .map(|w| w.rotations[chest] * Vec3::y())
        .map(|up| up.z.atan2(up.y).to_degrees())
        .collect();
    Seen {
        duration_secs,
        step_cm,
        arm_deg,
        lean_deg: mean(&leans),
    }
}

#[test]
fn stated_variation_can_be_measured_from_the_motion() {
    let n = 200;
    let variation = Action::Walk.variation();
    let seen: Vec<Seen> = (0..n)
        .map(|take| look_at(&demo::make(Action::Walk, 99, take).clip))
        .collect();
    let all = |value: fn(&Seen) -> f64| -> Vec<f64> { seen.iter().map(value).collect() };
    // Mean within four standard errors and a little for frames and wandering; deviation within 25 %, of which four
    // standard errors of a deviation from 200 takes are 20 %.
    let check = |name: &str, values: &[f64], mean_is: f64, deviation_is: f64, slack: f64| {
        let off = (mean(values) - mean_is).abs();
        let may = 4.0 * deviation_is / (n as f64).sqrt() + slack;
        assert!(off < may, "mean {name}: {} for {mean_is}", mean(values));
        let ratio = deviation(values) / deviation_is;
        assert!((0.75..1.25).contains(&ratio), "deviation {name}: {ratio}");
    };
    let duration = all(|s| s.duration_secs);
    let step = all(|s| s.step_cm);
    let left = all(|s| s.arm_deg[0]);
    let right = all(|s| s.arm_deg[1]);
    let lean = all(|s| s.lean_deg);
    let of = |which| (variation.mean(which), variation.deviation(which));
    let (m, d) = of(Trait::Duration);
    check("duration", &duration, m, d, 0.002);
    let (m, d) = of(Trait::StepLength);
    check("step", &step, m, d, 0.2);
    // The recipe swings by 8 degrees to either side.
    let (m, d) = of(Trait::ArmLeft);
    check("left arm", &left, 8.0 * m, 8.0 * d, 0.3);
    check("right arm", &right, 8.0 * m, 8.0 * d, 0.3);
    // The recipe leans by 3 degrees.
    let (m, d) = of(Trait::Lean);
    check("lean", &lean, m + 3.0, d, 0.3);
    let tied = [
        ("arms", correlation(&left, &right), 0.7),
        ("duration and step", correlation(&duration, &step), -0.4),
        ("step and arm", correlation(&step, &left), 0.3),
        ("lean and arm", correlation(&lean, &left), 0.0),
    ];
    for (name, found, stated) in tied {
        // Four standard errors of a correlation from 200 takes, and some loss to wandering.
        let may = 4.0 * (1.0_f64 - stated * stated) / (n as f64).sqrt() + 0.05;
        assert!((found - stated).abs() < may, "{name}: {found} for {stated}");
    }
}

#[test]
fn walks_are_like_captured_ones() {
    // Ranges of eight captured walks of one person (CMU subject 35), a little widened.
    for demo in LIBRARY.iter().filter(|d| d.action == Action::Walk) {
        let worlds = worlds(&demo.clip);
        let range = |value: &dyn Fn(&WorldPose) -> f64| {
            let values: Vec<f64> = worlds.iter().map(value).collect();
            let low = values.iter().copied().fold(f64::INFINITY, f64::min);
            (
                low,
                values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            )
        };
        let name = &demo.clip.info.name;
        let (low, high) = range(&|w| w.positions[0].y);
        assert!(
            (1.8..4.5).contains(&(high - low)),
            "{name}: bob {}",
            high - low
        );
        let (hip, knee, ankle) = (joint("LeftUpLeg"), joint("LeftLeg"), joint("LeftFoot"));
        let bend = |w: &WorldPose| {
            let thigh = w.positions[knee] - w.positions[hip];
            thigh
                .angle(&(w.positions[ankle] - w.positions[knee]))
                .to_degrees()
        };
        let (low, high) = range(&bend);
        assert!((4.0..24.0).contains(&low), "{name}: knee from {low}");
        assert!((60.0..85.0).contains(&high), "{name}: knee to {high}");
        let (hand, shoulder) = (joint("LeftHand"), joint("LeftArm"));
        let (low, high) = range(&|w| (w.positions[hand] - w.positions[shoulder]).z);
        assert!(
            (9.0..30.0).contains(&(high - low)),
            "{name}: hand {}",
            high - low
        );
    }
}

/// Seconds, and the range of the root's height in centimetres, of a captured walk; read from its rows alone.
fn captured(file: &Path) -> (f64, f64) {
    // One unit of these files is 5.644 cm.
    const UNIT_CM: f64 = 5.644;
    let text = fs::read_to_string(file).unwrap();
    let (_, rows) = text.split_once("Frame Time:").unwrap();
    let mut rows = rows.lines();
    let frame_secs: f64 = rows.next().unwrap().trim().parse().unwrap();
    let heights: Vec<f64> = rows
        .filter_map(|row| row.split_whitespace().nth(1))
        .map(|y| y.parse().unwrap())
        .collect();
    let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
    let high = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (heights.len() as f64 * frame_secs, (high - low) * UNIT_CM)
}

#[test]
fn walks_last_and_bob_as_long_as_captured_ones() {
    let Some(folder) = shared("walk_cycles/s35/train") else {
        return;
    };
    let files = files_below(&folder, "bvh");
    let real: Vec<(f64, f64)> = files.iter().map(|f| captured(f)).collect();
    let walks = LIBRARY.iter().filter(|d| d.action == Action::Walk);
    let made: Vec<(f64, f64)> = walks
        .map(|d| {
            let heights: Vec<f64> = d.clip.frames().map(|p| p.root().y).collect();
            let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
            let high = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            (d.clip.seconds(), high - low)
        })
        .collect();
    let means = |pairs: &[(f64, f64)]| {
        let (a, b): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        (mean(&a), mean(&b))
    };
    let (real, made) = (means(&real), means(&made));
    assert!(
        (real.0 - made.0).abs() < 0.06,
        "seconds: {real:?}, {made:?}"
    );
    assert!((real.1 - made.1).abs() < 0.8, "bob: {real:?}, {made:?}");
}

#[test]
fn misfits_differ_in_what_they_are_named_for() {
    let turned = |action| {
        let clip = demo::make(action, 4, 0).clip;
        let heading = |frame: usize| {
            let forward = clip.frame(frame).rotations[0] * Vec3::z();
            forward.x.atan2(forward.z).to_degrees()
        };
        heading(clip.n_frames() - 1) - heading(0)
    };
    assert!((turned(Action::WalkLeft) - 45.0).abs() < 8.0, "left");
    assert!((turned(Action::WalkRight) + 45.0).abs() < 8.0, "right");
    assert!(turned(Action::Walk).abs() < 8.0, "straight on");
    let arms = look_at(&demo::make(Action::WalkBigArms, 4, 0).clip).arm_deg;
    assert!(arms.iter().all(|&a| a > 20.0), "swung high: {arms:?}");
    let limp = demo::make(Action::Limp, 4, 0).clip;
    let stands = |name: &str| -> usize {
        let contacts = limp.contacts().iter().filter(|c| c.joint == joint(name));
        contacts.map(|c| c.frames.len()).sum()
    };
    let (left, right) = (stands("LeftToeBase"), stands("RightToeBase"));
    assert!(left > right + 8, "spares the right leg: {left}, {right}");
}

#[test]
fn flights_obey_gravity() {
    for action in [Action::Jump, Action::Hop] {
        for take in 0..6 {
            let demo = demo::make(action, 8, take);
            let n = demo.clip.n_frames();
            let stands: BTreeSet<usize> = demo
                .clip
                .contacts()
                .iter()
                .flat_map(|c| c.frames.clone())
                .collect();
            // Away from take-off and landing, where legs at their limit hold the pelvis back by some millimetres.
            let in_air: Vec<usize> = (6..n - 6)
                .filter(|f| (f - 5..=f + 5).all(|g| !stands.contains(&g)))
                .collect();
            assert!(in_air.len() > 2, "{action:?} {take} is in the air");
            let y = |f: usize| demo.clip.frame(f).root().y;
            for f in in_air {
                let acceleration = (y(f + 1) - 2.0 * y(f) + y(f - 1)) * 3600.0;
                let off = (acceleration / -981.0 - 1.0).abs();
                assert!(off < 0.05, "{action:?} {take} at {f}: {acceleration}");
            }
        }
    }
}

#[test]
fn takes_have_something_to_cut() {
    let strikes = |clip: &Clip| {
        let ankle = joint("LeftFoot");
        clip.contacts().iter().filter(|c| c.joint == ankle).count()
    };
    for demo in LIBRARY.iter() {
        let clip = &demo.clip;
        match demo.action {
            Action::WalkTake => {
                assert!((20.0..30.0).contains(&clip.seconds()), "{}", clip.seconds());
                assert!(strikes(clip) >= 15, "{} steps", strikes(clip));
            }
            Action::MixedTake => {
                assert!((20.0..40.0).contains(&clip.seconds()), "{}", clip.seconds());
                assert!(strikes(clip) >= 5, "{} steps", strikes(clip));
            }
            _ => assert!(clip.seconds() < 6.0, "{}", clip.info.name),
        }
    }
}
