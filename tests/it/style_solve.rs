//! Poses from a style and handles: planted answers on motions that the program makes itself.

use std::sync::{Arc, OnceLock};

use kinfolk::demo::{Action, LIBRARY_SEED, make};
use kinfolk::file::style_file;
use kinfolk::jobs::Ticket;
use kinfolk::motion::{Clip, Pose, Quat, Site, Vec3, WorldPose};
use kinfolk::style::solve::{
    Constraint, ConstraintError, ConstraintMode, DragSolver, FrameConstraints, Goal, IkStart,
    MotionSolveError, MotionSolveSettings, PinholeCamera, SolveError, SolveSettings, Solver,
    Trajectory, TrajectoryKey, copied, fill, frames_of, handle_sites, joint_error, mirrored,
    on_floor, on_shared_features, pins,
};
use kinfolk::style::{
    CrossValidation, FeatureMap, LearnSettings, PriorKind, Style, StyleError, StyleParts,
};

use crate::takes::cut;

fn clips(action: Action, n: u64) -> Vec<Clip> {
    let clips = (0..n).map(|index| make(action, LIBRARY_SEED, index).clip);
    clips
        .map(|clip| cut(&clip, 0, clip.n_frames(), 2))
        .collect()
}

/// Quick to learn; enough for what these tests look at.
fn quick() -> LearnSettings {
    LearnSettings {
        n_active: 40,
        n_fitted: 80,
        n_steps: 30,
        ..LearnSettings::default()
    }
}

fn learned(clips: &[Clip]) -> Style {
    let refs: Vec<&Clip> = clips.iter().collect();
    Style::learn(&refs, &quick(), &Ticket::default()).unwrap()
}

/// The style of so many walks, learned once for all tests.
fn walking(n: usize) -> Style {
    static STYLES: [OnceLock<Style>; 3] = [const { OnceLock::new() }; 3];
    let style = STYLES[n - 1].get_or_init(|| learned(&clips(Action::Walk, n as u64)));
    style.clone()
}

fn solver(style: &Style) -> Solver {
    Solver::new(style, SolveSettings::default()).unwrap()
}

#[test]
fn held_out_poses_are_found_again() {
    let clips = clips(Action::Walk, 4);
    let style = walking(3);
    let mut solver = solver(&style);
    let skeleton = clips[3].skeleton();
    let mm = solver.millimetre();
    for (n_handles, share) in [(6, 0.5), (4, 0.3)] {
        let sites = handle_sites(skeleton, style.map().root(), n_handles);
        let (mut with_style, mut plain) = (0.0, 0.0);
        for pose in clips[3].frames().step_by(9) {
            let handles = pins(skeleton, pose, &sites);
            let solved = solver.solve(&handles, &mut || true).unwrap();
            assert!(solved.is_met, "{:?}", solved.errors);
            assert!(solved.errors.iter().all(|e| *e < mm), "within a millimetre");
            with_style += joint_error(skeleton, solved.pose.as_ref(), pose);
            let start = solver.damped_ik(IkStart::Mean, &handles).unwrap();
            plain += joint_error(skeleton, start.as_ref(), pose);
        }
        assert!(
            with_style < share * plain,
            "{n_handles} handles: {with_style} with the style, {plain} without"
        );
    }
}

#[test]
fn every_kind_of_wish_is_met_at_once() {
    let clips = clips(Action::Walk, 2);
    let style = walking(2);
    let mut solver = solver(&style);
    let skeleton = Arc::clone(solver.skeleton());
    let pose = clips[0].frame(11);
    let world = WorldPose::of(&skeleton, pose);
    let sites = handle_sites(&skeleton, style.map().root(), 6);
    let [left_foot, right_foot, hand, other_hand, head, _] = sites[..] else {
        panic!("six sites")
    };
    let at = |site: Site| world.site(&skeleton, site);
    let height = solver.height();
    let eye = at(hand) + Vec3::new(0.0, 0.5, 3.0) * height;
    let camera = PinholeCamera::looking_at(eye, at(hand), Vec3::y(), 0.8, 1.0);
    let target = at(head) + Vec3::new(0.3, 0.1, 2.0) * height;
    let hard = |site, goal| Constraint {
        site,
        goal,
        mode: ConstraintMode::Hard,
    };
    let look = Goal::LookAt {
        axis: solver.forward_axis(head),
        target,
    };
    let turned = world.rotations[skeleton.carrier(other_hand)];
    let wishes = [
        Constraint::pin(left_foot, at(left_foot)),
        on_floor(right_foot, solver.up(), at(right_foot).y),
        camera.seen_at(hand, camera.project(&at(hand)).unwrap()),
        hard(other_hand, Goal::Orientation(turned)),
        hard(head, look),
        Constraint {
            mode: ConstraintMode::Free,
            ..Constraint::pin(head, Vec3::repeat(1e3))
        },
    ];
    let solved = solver.solve(&wishes, &mut || true).unwrap();
    assert!(solved.is_met, "{:?}", solved.errors);
    assert!(solved.errors[5] > 1.0, "a free wish has no effect");
    let soft: Vec<Constraint> = wishes[..5]
        .iter()
        .map(|w| Constraint {
            mode: ConstraintMode::Soft(0.01),
            ..*w
        })
        .collect();
    let relaxed = solver.solve(&soft, &mut || true).unwrap();
    assert!(
        relaxed.log_likelihood > solved.log_likelihood,
        "what is soft leaves more to the style"
    );
}

#[test]
fn out_of_reach_is_as_near_as_it_gets() {
    let clips = clips(Action::Walk, 2);
    let style = walking(2);
    let mut solver = solver(&style);
    let skeleton = Arc::clone(solver.skeleton());
    let sites = handle_sites(&skeleton, style.map().root(), 6);
    let mut handles = pins(&skeleton, clips[0].frame(5), &sites);
    let Goal::Position(start) = handles[2].goal else {
        panic!("a pin")
    };
    let height = solver.height();
    let mut last = f64::INFINITY;
    for far in [20.0, 5.0, 1.0, 0.6] {
        handles[2].goal = Goal::Position(start + Vec3::new(0.0, 0.0, far * height));
        let solved = solver.solve(&handles, &mut || true).unwrap();
        assert!(!solved.is_met, "{far} heights away");
        let all = solved.pose.rotations.iter().flat_map(|q| q.coords.iter());
        assert!(all.clone().all(|x| x.is_finite()), "no explosion");
        // The other handles give way as well, so the sum of squares is what must be small; the hand still gets nearer.
        assert!(solved.errors[2] < far * height, "moves towards it");
        assert!(solved.errors[2] < last, "nearer when asked for less");
        last = solved.errors[2];
    }
}

#[test]
fn wishes_that_mean_nothing_are_refused() {
    let style = walking(1);
    let mut solver = solver(&style);
    let mut refused = |site, goal, mode| {
        let wish = [Constraint { site, goal, mode }];
        match solver.solve(&wish, &mut || true) {
            Err(SolveError::Constraint(error)) => error,
            other => panic!("{other:?}"),
        }
    };
    let here = Goal::Position(Vec3::zeros());
    let joint = Site::Joint(0);
    let site = refused(Site::Joint(9999), here, ConstraintMode::Hard);
    assert!(matches!(site, ConstraintError::Site { .. }), "{site}");
    let site = refused(Site::End(9999), here, ConstraintMode::Free);
    assert!(matches!(site, ConstraintError::Site { .. }), "{site}");
    for bad in [f64::NAN, f64::INFINITY, 1e200] {
        let error = refused(
            joint,
            Goal::Position(Vec3::new(0.0, bad, 0.0)),
            ConstraintMode::Hard,
        );
        assert!(
            matches!(error, ConstraintError::NotFinite { .. }),
            "{error}"
        );
    }
    let (origin, point, target) = (Vec3::zeros(), Vec3::zeros(), Vec3::zeros());
    let none = Vec3::zeros();
    for goal in [
        Goal::Ray {
            origin,
            direction: none,
        },
        Goal::Plane {
            point,
            normal: none,
        },
        Goal::LookAt { axis: none, target },
    ] {
        let error = refused(joint, goal, ConstraintMode::Hard);
        assert!(
            matches!(error, ConstraintError::NoDirection { .. }),
            "{error}"
        );
    }
    for weight in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = refused(joint, here, ConstraintMode::Soft(weight));
        assert!(matches!(error, ConstraintError::Weight { .. }), "{error}");
    }
    let take = solver.solve_motion(&[], &MotionSolveSettings::at(30.0), &Ticket::default());
    assert_eq!(take, Err(MotionSolveError::NoFrames));
    let frames = [FrameConstraints::default()];
    let take = solver.solve_motion(&frames, &MotionSolveSettings::at(0.0), &Ticket::default());
    assert_eq!(take, Err(MotionSolveError::Fps(0.0)));
}

#[test]
fn time_that_runs_out_still_gives_a_pose() {
    let clips = clips(Action::Walk, 2);
    let style = walking(2);
    let mut solver = solver(&style);
    let sites = handle_sites(solver.skeleton(), style.map().root(), 6);
    let handles = pins(solver.skeleton(), clips[0].frame(20), &sites);
    let hurried = solver.solve(&handles, &mut || false).unwrap();
    assert_eq!(hurried.n_iterations, 0);
    assert!(!hurried.has_settled, "and says so");
    let whole = solver.solve(&handles, &mut || true).unwrap();
    assert!(
        whole.has_settled && whole.cost < hurried.cost,
        "more time, better pose"
    );
}

#[test]
fn a_pose_of_the_map_is_bent_by_pins_and_by_nothing_else() {
    let style = walking(2);
    let mut solver = solver(&style);
    let skeleton = Arc::clone(solver.skeleton());
    let sites = handle_sites(&skeleton, style.map().root(), 6);
    let model = style.latent().unwrap();
    let pose = style.pose_at(model.latent(7)).unwrap();
    let untouched = solver.adjust(pose.as_ref(), &[], &mut || true).unwrap();
    assert_eq!(untouched.pose, pose, "nothing was wished for");
    // The feet stay; a hand is wished elsewhere, more and more firmly.
    let [left_foot, right_foot, hand] = [sites[0], sites[1], sites[2]];
    let mut wishes = pins(&skeleton, pose.as_ref(), &[left_foot, right_foot]);
    let world = WorldPose::of(&skeleton, pose.as_ref());
    let away = Vec3::new(0.03, 0.06, 0.03) * solver.height();
    let goal = Goal::Position(world.site(&skeleton, hand) + away);
    let mut misses = Vec::new();
    for mode in [
        ConstraintMode::Free,
        ConstraintMode::Soft(0.01),
        ConstraintMode::Soft(1.0),
        ConstraintMode::Hard,
    ] {
        wishes.truncate(2);
        wishes.push(Constraint {
            site: hand,
            goal,
            mode,
        });
        let bent = solver.adjust(pose.as_ref(), &wishes, &mut || true).unwrap();
        assert!(bent.is_met, "{mode:?}: {:?}", bent.errors);
        misses.push(bent.errors[2] / away.norm());
    }
    assert!((misses[0] - 1.0).abs() < 0.01, "free: {misses:?}");
    assert!(misses[1] < 0.95 && misses[1] > misses[2], "{misses:?}");
    assert!(misses[2] < 0.2, "a soft pin pulls: {misses:?}");
    assert!(misses[3] < 0.01, "a hard one is met: {misses:?}");
}

#[test]
fn a_drag_stays_on_its_handle_without_jumps() {
    let clips = clips(Action::Walk, 3);
    let style = walking(3);
    let mut solver = solver(&style);
    let skeleton = Arc::clone(solver.skeleton());
    let sites = handle_sites(&skeleton, style.map().root(), 6);
    let (height, mm) = (solver.height(), solver.millimetre());
    for dragged in [0, 2] {
        let start = pins(&skeleton, clips[0].frame(10), &sites);
        let Goal::Position(home) = start[dragged].goal else {
            panic!("a pin")
        };
        let first = solver.solve(&start, &mut || true).unwrap();
        let mut drag = DragSolver::new(solver.clone(), start.clone(), first);
        let mut jumps = 0;
        let mut before = WorldPose::of(&skeleton, drag.pose().pose.as_ref());
        let mut handle = home;
        for step in 1..=100 {
            let turn = f64::from(step) / 100.0 * std::f64::consts::TAU;
            let place = home + Vec3::new(turn.sin(), 1.0 - turn.cos(), 0.0) * 0.06 * height;
            let mut wishes = start.clone();
            wishes[dragged].goal = Goal::Position(place);
            let solved = drag.step(&wishes, &mut || true).unwrap();
            assert!(
                solved.errors.iter().all(|e| *e < mm),
                "step {step}: {:?}",
                solved.errors
            );
            let after = WorldPose::of(&skeleton, solved.pose.as_ref());
            let pairs = before.positions.iter().zip(&after.positions);
            let farthest = pairs.map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
            if farthest > 3.0 * (place - handle).norm() {
                jumps += 1;
            }
            (before, handle) = (after, place);
        }
        assert!(jumps <= 2, "{jumps} of 100 steps jump");
        drag.settle(&mut || true).unwrap();
        assert!(drag.pose().is_met, "still on its handles");
    }
}

#[test]
fn a_blend_is_smooth_and_ends_in_its_styles() {
    let (walk, sneak) = (clips(Action::Walk, 2), clips(Action::Sneak, 2));
    let all: Vec<&Clip> = walk.iter().chain(&sneak).collect();
    let map = FeatureMap::learn(&all).unwrap();
    let learn = |clips: &[Clip]| {
        let refs: Vec<&Clip> = clips.iter().collect();
        Style::learn_on(&map, &refs, &quick(), &Ticket::default()).unwrap()
    };
    let styles = [learn(&walk), learn(&sneak)];
    let settings = SolveSettings::default();
    let mut blend = Solver::blend(&[(&styles[0], 0.5), (&styles[1], 0.5)], settings).unwrap();
    let skeleton = Arc::clone(blend.skeleton());
    let sites = handle_sites(&skeleton, map.root(), 3);
    let handles = pins(&skeleton, walk[0].frame(12), &sites);
    let steps = blend.blend_steps(&handles, 20, &mut || true).unwrap();
    for (style, end) in styles.iter().zip([&steps[0], &steps[20]]) {
        let alone = solver(style).solve(&handles, &mut || true).unwrap();
        // The other style's latent coordinates are carried along, which changes the order of sums, no more.
        let off = joint_error(&skeleton, alone.pose.as_ref(), end.pose.as_ref());
        assert!(off < 1e-6, "the end is the style itself: {off:e}");
    }
    let features: Vec<Vec<f64>> = steps
        .iter()
        .map(|s| {
            let mut features = vec![0.0; map.n_features()];
            map.encode(s.pose.as_ref(), &mut features);
            features
        })
        .collect();
    let between =
        |a: &[f64], b: &[f64]| -> Vec<f64> { b.iter().zip(a).map(|(b, a)| b - a).collect() };
    let whole = between(&features[0], &features[20]);
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let square = dot(&whole, &whole);
    assert!(square > 0.01, "the styles differ");
    for pair in features.windows(2) {
        let step = between(&pair[0], &pair[1]);
        assert!(dot(&step, &whole) > 0.0, "never back");
        assert!(dot(&step, &step) < square / 16.0, "no step over a quarter");
    }
    let apart = Style::learn(&[&walk[0]], &quick(), &Ticket::default()).unwrap();
    let other = Solver::blend(&[(&styles[0], 0.5), (&apart, 0.5)], settings);
    assert!(
        matches!(other, Err(SolveError::OtherMap { index: 1 })),
        "other features"
    );
    let shared = on_shared_features(&[&styles[0], &apart], &Ticket::default()).unwrap();
    assert_eq!(shared[0].map(), shared[1].map());
}

#[test]
fn missing_joints_come_back_smoothly() {
    let style = walking(3);
    let solver = solver(&style);
    let clip = make(Action::Walk, LIBRARY_SEED, 3).clip;
    let clip = cut(&clip, 0, 50, 1);
    let skeleton = clip.skeleton();
    // Every second joint, and others in the second half of the take.
    let is_missing = |frame: usize, joint: usize| joint % 2 == usize::from(frame < 25);
    let range = 5..45;
    let filled = fill(
        &solver,
        &clip,
        range.clone(),
        &is_missing,
        &Ticket::default(),
    )
    .unwrap();
    assert_eq!(filled.clip.frame(4), clip.frame(4));
    assert_eq!(filled.clip.frame(45), clip.frame(45));
    let mm = solver.millimetre();
    assert!(filled.mean_error < 20.0 * mm, "{}", filled.mean_error / mm);
    let speed = |clip: &Clip| -> f64 {
        let worlds: Vec<WorldPose> = clip.frames().map(|p| WorldPose::of(skeleton, p)).collect();
        let bends = worlds.windows(3).flat_map(|w| {
            (0..skeleton.n_joints())
                .map(|j| (w[0].positions[j] - 2.0 * w[1].positions[j] + w[2].positions[j]).norm())
        });
        bends.sum()
    };
    let jitter = speed(&filled.clip) / speed(&clip);
    assert!(jitter < 1.3, "jitter {jitter}");
    for f in range.clone() {
        let (was, is) = (
            WorldPose::of(skeleton, clip.frame(f)),
            WorldPose::of(skeleton, filled.clip.frame(f)),
        );
        for joint in (0..skeleton.n_joints()).filter(|&j| !is_missing(f, j)) {
            let off = (was.positions[joint] - is.positions[joint]).norm();
            assert!(off < mm, "frame {f} joint {joint}: {off}");
        }
    }
    let nothing = fill(&solver, &clip, 40..60, &is_missing, &Ticket::default());
    nothing.unwrap_err();
}

#[test]
fn a_bone_seen_at_both_ends_is_swung_round() {
    let clips = clips(Action::Walk, 3);
    let style = walking(3);
    let mut solver = solver(&style);
    let skeleton = Arc::clone(solver.skeleton());
    let truth = clips[0].frame(10);
    let hand = skeleton.find("LeftHand").unwrap();
    let tip = skeleton.ends().iter().position(|end| end.joint == hand);
    let tip = tip.unwrap();
    let mut sites = handle_sites(&skeleton, style.map().root(), 6);
    sites.extend([Site::Joint(hand), Site::End(tip)]);
    let handles = pins(&skeleton, truth, &sites);
    // The hand begins exactly the wrong way: the place of its tip pulls it to neither side.
    let mut pose = truth.to_pose();
    let bone = skeleton.ends()[tip].offset;
    let across = bone.cross(&(Vec3::x() + Vec3::y())).normalize();
    pose.rotations[hand] *= Quat::from_scaled_axis(across * std::f64::consts::PI);
    let solved = solver
        .solve_near(pose.as_ref(), &handles, &mut || true)
        .unwrap();
    assert!(solved.is_met, "{:?}", solved.errors);
    let error = joint_error(&skeleton, solved.pose.as_ref(), truth) / solver.millimetre();
    assert!(error < 10.0, "{error} mm");
}

#[test]
fn curves_make_a_motion_and_threads_do_not_matter() {
    let style = walking(3);
    let solver = solver(&style);
    let skeleton = solver.skeleton();
    let sites = handle_sites(skeleton, style.map().root(), 3);
    let clip = &make(Action::Walk, LIBRARY_SEED, 0).clip;
    let curve = |&site: &Site| {
        let keys = (0..=40).step_by(4).map(|f| TrajectoryKey {
            frame: f64::from(f),
            place: WorldPose::of(skeleton, clip.frame(f as usize)).site(skeleton, site),
            tangent: None,
        });
        Trajectory::new(site, keys.collect()).unwrap()
    };
    let curves: Vec<Trajectory> = sites.iter().map(curve).collect();
    let frames = frames_of(&curves, 41);
    let settings = MotionSolveSettings::at(clip.fps());
    let take = solver
        .solve_motion(&frames, &settings, &Ticket::default())
        .unwrap();
    let mm = solver.millimetre();
    for (f, solved) in take.iter().enumerate() {
        assert!(solved.errors.iter().all(|e| *e < mm), "frame {f}");
    }
    let one = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    let alone = one.install(|| {
        solver
            .solve_motion(&frames, &settings, &Ticket::default())
            .unwrap()
    });
    assert_eq!(alone, take, "the same to the last digit");
    let ticket = Ticket::default();
    ticket.cancel();
    let stopped = solver.solve_motion(&frames, &settings, &ticket);
    assert!(
        matches!(stopped, Err(MotionSolveError::Cancelled(_))),
        "stops when asked"
    );
}

#[test]
fn poses_are_mirrored_and_carried_to_other_bones() {
    let clips = clips(Action::Walk, 1);
    let clip = &clips[0];
    let skeleton = clip.skeleton();
    let pose = clip.frame(7);
    let once = mirrored(skeleton, clip.info.up, pose).unwrap();
    let twice = mirrored(skeleton, clip.info.up, once.as_ref()).unwrap();
    assert!(
        joint_error(skeleton, twice.as_ref(), pose) < 1e-9,
        "twice is nothing"
    );
    assert!(
        joint_error(skeleton, once.as_ref(), pose) > 1e-3,
        "once is something"
    );
    let tall = Arc::new(skeleton.with_offsets(|o| o * 2.0).unwrap());
    let copy = copied(skeleton, pose, &tall).unwrap();
    let (a, b) = (
        WorldPose::of(skeleton, pose),
        WorldPose::of(&tall, copy.as_ref()),
    );
    for (a, b) in a.positions.iter().zip(&b.positions) {
        assert!((2.0 * a - b).norm() < 1e-6, "twice as large all over");
    }
    let style = walking(1);
    let mut solver = solver(&style).on_skeleton(&tall).unwrap();
    let sites = handle_sites(&tall, style.map().root(), 6);
    let solved = solver
        .solve(&pins(&tall, copy.as_ref(), &sites), &mut || true)
        .unwrap();
    assert!(solved.is_met, "{:?}", solved.errors);
    let wrong = Pose {
        rotations: vec![Quat::identity()],
        translations: vec![Vec3::zeros()],
    };
    assert_eq!(
        copied(skeleton, wrong.as_ref(), &tall),
        Err(SolveError::Pose)
    );
}

#[test]
fn without_a_latent_model_the_gaussian_stands_in() {
    let clips = clips(Action::Walk, 2);
    let settings = LearnSettings {
        method: kinfolk::style::Method::Gaussian,
        ..quick()
    };
    let refs: Vec<&Clip> = clips.iter().collect();
    let style = Style::learn(&refs, &settings, &Ticket::default()).unwrap();
    let sites = handle_sites(style.skeleton(), style.map().root(), 4);
    let handles = pins(style.skeleton(), clips[0].frame(9), &sites);
    let mut costs = Vec::new();
    for prior in [PriorKind::Latent, PriorKind::Gaussian] {
        let settings = SolveSettings {
            prior,
            ..SolveSettings::default()
        };
        let mut solver = Solver::new(&style, settings).unwrap();
        let solved = solver.solve(&handles, &mut || true).unwrap();
        assert!(solved.is_met, "{prior:?}");
        costs.push(solved.cost);
    }
    assert_eq!(costs[0], costs[1]);
}

fn cross_validated(clips: &[Clip]) -> Style {
    let refs: Vec<&Clip> = clips.iter().collect();
    let style = learned(clips).cross_validated(&refs, &Ticket::default());
    style.unwrap()
}

#[test]
fn clips_left_out_say_how_far_to_trust_a_style() {
    let three = clips(Action::Walk, 3);
    let style = cross_validated(&three);
    let found = *style.cross_validation().unwrap();
    assert_eq!(found.n_folds, 3, "each in turn");
    for error in [found.latent_error, found.gaussian_error] {
        assert!((1e-4..0.1).contains(&error), "{error} heights");
    }
    assert_eq!(cross_validated(&three), style, "same seed, same bytes");
    let bytes = style_file::write(&style).unwrap();
    let opened = style_file::parse(bytes.as_bytes()).unwrap();
    assert_eq!(opened.cross_validation(), Some(&found), "kept in its file");
    let single = cross_validated(&three[..1]);
    assert_eq!(
        single.cross_validation().unwrap().n_folds,
        3,
        "thirds of one"
    );
    let short = cut(&three[0], 0, 20, 1);
    assert_eq!(
        cross_validated(&[short]).cross_validation(),
        None,
        "too short to leave anything out"
    );
    let ticket = Ticket::default();
    ticket.cancel();
    let refs: Vec<&Clip> = three.iter().collect();
    let stopped = walking(3).cross_validated(&refs, &ticket);
    assert!(
        matches!(stopped, Err(StyleError::Cancelled(_))),
        "{stopped:?}"
    );
}

/// With six handles the latent model of few poses is no better than one Gaussian on clips that it has not seen; both
/// are there, so the one that did better on clips left out solves.
#[test]
fn a_style_that_does_worse_than_its_gaussian_leaves_solving_to_it() {
    let clips = clips(Action::Walk, 2);
    let style = walking(2);
    let mut parts = StyleParts {
        skeleton: Arc::clone(style.skeleton()),
        map: style.map().parts().clone(),
        gaussian: style.gaussian().clone(),
        latent: style.latent().cloned(),
        active: style.active().to_vec(),
        origin: style.origin().clone(),
        cross_validation: None,
    };
    let sites = handle_sites(&parts.skeleton, 0, 3);
    let mut costs = |latent_error: f64, prior: PriorKind| {
        parts.cross_validation = Some(CrossValidation {
            n_folds: 2,
            latent_error,
            gaussian_error: 0.010,
        });
        let style = Style::from_parts(parts.clone()).unwrap();
        let settings = SolveSettings {
            prior,
            ..SolveSettings::default()
        };
        let mut solver = Solver::new(&style, settings).unwrap();
        let handles = pins(style.skeleton(), clips[0].frame(9), &sites);
        solver.solve(&handles, &mut || true).unwrap().cost
    };
    let usual = SolveSettings::default().prior;
    let gaussian = costs(0.010, PriorKind::Gaussian);
    assert_eq!(costs(0.012, usual), gaussian, "the Gaussian did better");
    assert_ne!(costs(0.011, usual), gaussian, "no more than chance");
    assert_ne!(
        costs(0.012, PriorKind::Latent),
        gaussian,
        "asked for by name"
    );
    parts.cross_validation = Some(CrossValidation {
        n_folds: 2,
        latent_error: f64::NAN,
        gaussian_error: 0.010,
    });
    Style::from_parts(parts).unwrap_err();
}
