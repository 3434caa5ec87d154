//! Posing with a style: a step of a drag, a pose from nothing, a frame of a motion.
//!
//! `cargo bench --bench solve`. A hundred active poses, three latent dimensions, six handles.

use std::cell::RefCell;

use divan::Bencher;
use divan::counter::ItemsCount;
use kinfolk::demo::{Action, LIBRARY_SEED, make};
use kinfolk::jobs::Ticket;
use kinfolk::motion::{Clip, Vec3};
use kinfolk::style::solve::{
    Constraint, DragSolver, FrameConstraints, Goal, MotionSolveSettings, SolveSettings, Solver,
    handle_sites, pins,
};
use kinfolk::style::{LearnSettings, PriorKind, Style};

fn main() {
    divan::main();
}

fn walks() -> Vec<Clip> {
    (0..6)
        .map(|index| make(Action::Walk, LIBRARY_SEED, index).clip)
        .collect()
}

fn style(clips: &[Clip]) -> Style {
    let refs: Vec<&Clip> = clips.iter().collect();
    let settings = LearnSettings::default();
    Style::learn(&refs, &settings, &Ticket::default()).expect("walks make a style")
}

const PRIORS: [PriorKind; 3] = [
    PriorKind::Latent,
    PriorKind::Both {
        gaussian_weight: 0.1,
    },
    PriorKind::Gaussian,
];

fn solver(style: &Style, prior: PriorKind) -> Solver {
    let settings = SolveSettings {
        prior,
        ..SolveSettings::default()
    };
    Solver::new(style, settings).expect("a style of its own")
}

/// The right hand on a round way, one step each time.
#[divan::bench(args = PRIORS)]
fn drag_step(bencher: Bencher<'_, '_>, prior: PriorKind) {
    let clips = walks();
    let style = style(&clips);
    let mut solver = solver(&style, prior);
    let sites = handle_sites(solver.skeleton(), style.map().root(), 6);
    let start = pins(solver.skeleton(), clips[0].frame(20), &sites);
    let home = match start[2].goal {
        Goal::Position(place) => place,
        _ => Vec3::zeros(),
    };
    let first = solver
        .solve(&start, &mut || true)
        .expect("handles on a body");
    let height = solver.height();
    let drag = RefCell::new((DragSolver::new(solver, start.clone(), first), 0_u32));
    bencher.bench_local(|| {
        let (drag, step) = &mut *drag.borrow_mut();
        *step += 1;
        let turn = f64::from(*step) / 200.0 * std::f64::consts::TAU;
        let mut handles: Vec<Constraint> = start.clone();
        let off = Vec3::new(turn.sin(), 1.0 - turn.cos(), 0.0) * 0.06 * height;
        handles[2].goal = Goal::Position(home + off);
        drag.step(&handles, &mut || true)
            .map(|solved| solved.n_iterations)
    });
}

/// Without a pose to start from: five starts, then the best of them.
#[divan::bench(args = PRIORS)]
fn pose_from_nothing(bencher: Bencher<'_, '_>, prior: PriorKind) {
    let clips = walks();
    let style = style(&clips[..5]);
    let solver = RefCell::new(solver(&style, prior));
    let sites = handle_sites(style.skeleton(), style.map().root(), 6);
    let frame = RefCell::new(0);
    bencher.bench_local(|| {
        let mut frame = frame.borrow_mut();
        *frame = (*frame + 7) % clips[5].n_frames();
        let handles = pins(style.skeleton(), clips[5].frame(*frame), &sites);
        solver
            .borrow_mut()
            .solve(&handles, &mut || true)
            .map(|s| s.n_iterations)
    });
}

/// Feet and one hand on curves, the rest follows. Items are frames.
#[divan::bench(sample_count = 5)]
fn keyframed_motion(bencher: Bencher<'_, '_>) {
    let clips = walks();
    let style = style(&clips[..5]);
    let solver = solver(&style, SolveSettings::default().prior);
    let sites = handle_sites(style.skeleton(), style.map().root(), 3);
    let frames: Vec<FrameConstraints> = clips[5]
        .frames()
        .map(|pose| FrameConstraints {
            constraints: pins(style.skeleton(), pose, &sites),
            weights: Vec::new(),
        })
        .collect();
    let settings = MotionSolveSettings::at(clips[5].fps());
    bencher
        .counter(ItemsCount::new(frames.len()))
        .bench(|| solver.solve_motion(&frames, &settings, &Ticket::default()));
}
