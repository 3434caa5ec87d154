//! How well poses are found on real motion capture: the tables of `resources/posing.md`.
//!
//! `cargo bench --bench posing`. Needs the development set beside the repository; says so and ends without it.
#![expect(clippy::print_stdout, reason = "prints tables")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use kinfolk::file::read_clip;
use kinfolk::jobs::Ticket;
use kinfolk::motion::{Clip, Motion, Pose, PoseRef, Site, Skeleton, Vec3, WorldPose, edit};
use kinfolk::numerics::random::Stream;
use kinfolk::style::solve::{
    Constraint, DragSolver, FrameConstraints, Goal, IkStart, MotionSolveSettings, SolveSettings,
    Solver, handle_sites, joint_error, pins,
};
use kinfolk::style::{LearnSettings, PriorKind, Style};

/// One unit of the CMU files.
const CM: f64 = 5.644;
const MOST_POSES: usize = 60;

/// Kind, folder, start of the names, how many clips are learned from; the others are unseen.
const SETS: [(&str, &str, &str, usize); 5] = [
    ("walk", "walk_full", "35_", 4),
    ("golf", "gesture/golf_swing_s64", "64_", 4),
    ("throw", "throw/football_s34", "34_", 5),
    ("jump", "jump/s118", "118_", 6),
    ("kick", "gesture/front_kick_s144", "144_05", 6),
];

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    if !data.exists() {
        println!("skipped: {} is not here", data.display());
        return Ok(());
    }
    println!(
        "mean joint error in cm: plain from the mean / from the nearest pose / Gaussian / style"
    );
    println!("| | 6 handles | 4 | 3 |\n|---|---|---|---|");
    let mut later = Vec::new();
    for (kind, folder, prefix, n_learned) in SETS {
        let clips = clips(&data.join(folder), prefix)?;
        let (learned, unseen) = clips.split_at(n_learned);
        let kept: Vec<Clip> = learned
            .iter()
            .map(|clip| frames_where(clip, |f| f % 10 != 5))
            .collect::<Result<_, _>>()?;
        let style = learn(&kept)?;
        let tenth = poses(learned, |f| f % 10 == 5);
        println!("| {kind}, every 10th frame | {} |", row(&style, &tenth)?);
        let others = poses(unseen, |f| f % 7 == 0);
        println!("| {kind}, unseen clips | {} |", row(&style, &others)?);
        let style = learn(learned)?;
        later.push(motion_row(kind, &style, &unseen[0])?);
        later.push(drag_row(kind, &style, &learned[0])?);
    }
    for line in later {
        println!("{line}");
    }
    Ok(())
}

fn clips(folder: &Path, prefix: &str) -> Result<Vec<Clip>, Failure> {
    let entries = std::fs::read_dir(folder)?;
    let mut files: Vec<PathBuf> = entries
        .map(|e| e.map(|e| e.path()))
        .collect::<Result<_, _>>()?;
    files.retain(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(prefix) && name.ends_with(".bvh") && !name.contains("_out")
    });
    files.sort();
    let each = files
        .iter()
        .map(|file| Ok(edit::drop_tpose(&read_clip(file)?)?));
    each.collect()
}

fn frames_where(clip: &Clip, keep: impl Fn(usize) -> bool) -> Result<Clip, Failure> {
    let mut motion = Motion::with_capacity(clip.skeleton(), clip.frame_secs(), clip.n_frames());
    for (_, pose) in clip.frames().enumerate().filter(|(f, _)| keep(*f)) {
        motion.push(pose);
    }
    Ok(Clip::new(
        clip.info.clone(),
        Arc::clone(clip.skeleton()),
        motion,
    )?)
}

fn learn(clips: &[Clip]) -> Result<Style, Failure> {
    let refs: Vec<&Clip> = clips.iter().collect();
    Ok(Style::learn(
        &refs,
        &LearnSettings::default(),
        &Ticket::default(),
    )?)
}

/// At most [`MOST_POSES`] of the frames that are wanted, spread over all clips.
fn poses(clips: &[Clip], is_wanted: impl Fn(usize) -> bool) -> Vec<PoseRef<'_>> {
    let all = clips.iter().flat_map(|clip| clip.frames().enumerate());
    let wanted: Vec<PoseRef<'_>> = all.filter(|(f, _)| is_wanted(*f)).map(|(_, p)| p).collect();
    let stride = wanted.len().div_ceil(MOST_POSES).max(1);
    wanted.into_iter().step_by(stride).collect()
}

fn row(style: &Style, poses: &[PoseRef<'_>]) -> Result<String, Failure> {
    let gaussian = SolveSettings {
        prior: PriorKind::Gaussian,
        ..SolveSettings::default()
    };
    let mut gaussian = Solver::new(style, gaussian)?;
    let mut solver = Solver::new(style, SolveSettings::default())?;
    let skeleton = style.skeleton();
    let mut cells = Vec::new();
    for n_handles in [6, 4, 3] {
        let sites = handle_sites(skeleton, style.map().root(), n_handles);
        let mut sums = [0.0; 4];
        for &pose in poses {
            let handles = pins(skeleton, pose, &sites);
            let found = [
                solver.damped_ik(IkStart::Mean, &handles)?,
                solver.damped_ik(IkStart::Nearest, &handles)?,
                gaussian.solve(&handles, &mut || true)?.pose,
                solver.solve(&handles, &mut || true)?.pose,
            ];
            for (sum, found) in sums.iter_mut().zip(&found) {
                *sum += joint_error(skeleton, found.as_ref(), pose) * CM / poses.len() as f64;
            }
        }
        let [a, b, c, d] = sums;
        cells.push(format!("{a:.2} / {b:.2} / {c:.2} / **{d:.2}**"));
    }
    Ok(cells.join(" | "))
}

/// Mean of the second differences of these joints: how much a motion trembles.
fn bends(skeleton: &Skeleton, poses: &[Pose], joints: &[usize]) -> f64 {
    let world = |p: &Pose| WorldPose::of(skeleton, p.as_ref());
    let worlds: Vec<WorldPose> = poses.iter().map(world).collect();
    let each = worlds.windows(3).map(|w| {
        let bend = |&j: &usize| w[0].positions[j] - 2.0 * w[1].positions[j] + w[2].positions[j];
        joints.iter().map(|j| bend(j).norm()).sum::<f64>()
    });
    each.sum()
}

/// Half of the joints hidden, four times, then feet and one hand alone: error and jitter beside plain inverse
/// kinematics.
fn motion_row(kind: &str, style: &Style, clip: &Clip) -> Result<String, Failure> {
    let skeleton = style.skeleton();
    let solver = Solver::new(style, SolveSettings::default())?;
    let truth: Vec<Pose> = clip.frames().map(PoseRef::to_pose).collect();
    let all: Vec<usize> = (0..skeleton.n_joints()).collect();
    let mut tasks: Vec<(String, Vec<Site>, Vec<usize>)> = Vec::new();
    for half in 0..4 {
        let (hidden, seen) = random_half(&all, kind, half);
        let seen = seen.into_iter().map(Site::Joint).collect();
        let straight = straight_error(skeleton, &truth, &hidden) * CM;
        let what = format!("half {} hidden (straight lines {straight:.1} cm)", half + 1);
        tasks.push((what, seen, hidden));
    }
    let curves = handle_sites(skeleton, style.map().root(), 3);
    tasks.push(("feet and hand".to_owned(), curves, all));
    let mut text = format!("{kind}:");
    for (what, sites, judged) in tasks {
        let asked = |pose| FrameConstraints {
            constraints: pins(skeleton, pose, &sites),
            weights: Vec::new(),
        };
        let frames: Vec<FrameConstraints> = clip.frames().map(asked).collect();
        let take = solver.solve_motion(
            &frames,
            &MotionSolveSettings::at(clip.fps()),
            &Ticket::default(),
        )?;
        let take: Vec<Pose> = take.into_iter().map(|s| s.pose).collect();
        let mut plain: Vec<Pose> = Vec::new();
        let mut stepper = solver.clone();
        for frame in &frames {
            let next = match plain.last() {
                None => stepper.damped_ik(IkStart::Nearest, &frame.constraints)?,
                Some(last) => stepper.damped_ik_from(last.clone(), &frame.constraints)?,
            };
            plain.push(next);
        }
        let error = |found: &[Pose]| {
            let pairs = found.iter().zip(&truth);
            let sums = pairs.map(|(a, b)| distance(skeleton, a, b, &judged));
            sums.sum::<f64>() / found.len() as f64 * CM
        };
        let jitter = bends(skeleton, &take, &judged) / bends(skeleton, &truth, &judged);
        let (style_cm, plain_cm) = (error(&take), error(&plain));
        write!(
            text,
            " {what} {style_cm:.2} cm (plain {plain_cm:.2}), jitter {jitter:.2};"
        )?;
    }
    Ok(text)
}

/// Some joints to hide, and the others.
fn random_half(joints: &[usize], kind: &str, half: u64) -> (Vec<usize>, Vec<usize>) {
    let mut order = joints.to_vec();
    let name = [kind.len() as u64, half];
    let n_names = if half == 0 { 1 } else { 2 };
    let mut random = Stream::named(3, &name[..n_names]);
    for i in (1..order.len()).rev() {
        order.swap(i, random.below(i + 1));
    }
    let (hidden, seen) = order.split_at(order.len() / 2);
    (hidden.to_vec(), seen.to_vec())
}

/// Hidden joints on straight lines from their first place to their last.
fn straight_error(skeleton: &Skeleton, truth: &[Pose], hidden: &[usize]) -> f64 {
    let world = |p: &Pose| WorldPose::of(skeleton, p.as_ref());
    let worlds: Vec<WorldPose> = truth.iter().map(world).collect();
    let last = worlds.len() - 1;
    let mut sum = 0.0;
    for (t, world) in worlds.iter().enumerate() {
        let share = t as f64 / last.max(1) as f64;
        for &j in hidden {
            let line = worlds[0].positions[j].lerp(&worlds[last].positions[j], share);
            sum += (line - world.positions[j]).norm();
        }
    }
    sum / (worlds.len() * hidden.len()) as f64
}

fn distance(skeleton: &Skeleton, a: &Pose, b: &Pose, joints: &[usize]) -> f64 {
    let (a, b) = (
        WorldPose::of(skeleton, a.as_ref()),
        WorldPose::of(skeleton, b.as_ref()),
    );
    let apart = joints
        .iter()
        .map(|&j| (a.positions[j] - b.positions[j]).norm());
    apart.sum::<f64>() / joints.len() as f64
}

/// Two hundred steps of a hand and of a foot: steps on which a joint moves over three times as far as the handle, and
/// steps on which a handle is off by over a millimetre.
fn drag_row(kind: &str, style: &Style, clip: &Clip) -> Result<String, Failure> {
    let skeleton = style.skeleton();
    let mut solver = Solver::new(style, SolveSettings::default())?;
    let sites = handle_sites(skeleton, style.map().root(), 6);
    let start = pins(skeleton, clip.frame(clip.n_frames() / 2), &sites);
    let mut text = format!("{kind}:");
    for (name, dragged) in [("hand", 2), ("foot", 0)] {
        let Goal::Position(home) = start[dragged].goal else {
            continue;
        };
        let first = solver.solve(&start, &mut || true)?;
        let mut drag = DragSolver::new(solver.clone(), start.clone(), first);
        let (mut jumps, mut misses, mut handle) = (0, 0, home);
        let mut took = Vec::new();
        let mut before = WorldPose::of(skeleton, drag.pose().pose.as_ref());
        for step in 1..=200 {
            let turn = f64::from(step) / 200.0 * std::f64::consts::TAU;
            let way = Vec3::new(turn.sin(), 1.0 - turn.cos(), (2.0 * turn).sin());
            let place = home + way * 0.08 * solver.height();
            let mut wishes: Vec<Constraint> = start.clone();
            wishes[dragged].goal = Goal::Position(place);
            let began = Instant::now();
            let solved = drag.step(&wishes, &mut || true)?;
            took.push(began.elapsed());
            let after = WorldPose::of(skeleton, solved.pose.as_ref());
            let pairs = before.positions.iter().zip(&after.positions);
            let farthest = pairs.map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
            jumps += usize::from(farthest > 3.0 * (place - handle).norm());
            misses += usize::from(!solved.is_met);
            (before, handle) = (after, place);
        }
        let times = times(took);
        write!(text, " {name} {jumps} jumps, {misses} misses, {times};")?;
    }
    let mut took = Vec::new();
    for pose in clip.frames() {
        let wishes = pins(skeleton, pose, &sites);
        let began = Instant::now();
        solver.solve(&wishes, &mut || true)?;
        took.push(began.elapsed());
    }
    write!(text, " from nothing {};", times(took))?;
    Ok(text)
}

/// In the median, and in 99 of 100.
fn times(mut took: Vec<Duration>) -> String {
    took.sort_unstable();
    let ms = |share: f64| took[((took.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    format!("{:.2} and {:.2} ms", ms(0.5), ms(0.99))
}
