//! Every engine at the size that its paper states, beside the time that the paper states: one table.
//!
//! `cargo bench --bench paper`, or `cargo bench --bench paper -- peng` for the rows with that word. About half a
//! minute. Needs no files: the motions are the demo's or made here, at the papers' sizes. The machines of the papers
//! are fifteen to twenty years older; how much of a ratio is theirs, the table cannot say.
//!
//! A new row is a function that returns a [`Row`], and its line in [`ROWS`].
#![expect(clippy::print_stdout, reason = "prints a table")]

mod common;

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use common::demo_takes;
use kinfolk::demo::{Action, LIBRARY_SEED, make};
use kinfolk::jobs::Ticket;
use kinfolk::motion::{Clip, Vec3, edit};
use kinfolk::numerics::cheapest_paths::{Digraph, PathTable};
use kinfolk::numerics::random::Stream;
use kinfolk::style::solve::{
    Constraint, DragSolver, Goal, SolveSettings, Solver, handle_sites, pins,
};
use kinfolk::style::{self, Style};
use kinfolk::texture::{LabelledClip, Ordered, PlaySettings, Texture, TextureSettings};
use kinfolk::transition::{
    GraphSettings, SequenceAction as Played, SequenceSettings, TransitionGraph, sequence,
};
use kinfolk::variation::{self, Examples, Model, MotionType, SampleSettings, Take};

/// One line of the table.
struct Row {
    what: &'static str,
    /// The paper's figure in seconds, if it gives one; of several, the one that is best for the paper.
    paper_secs: Option<f64>,
    /// Which paper, where in it, and the machine as it says.
    source: &'static str,
    our_secs: f64,
    /// Size, threads, and what the time is the best of.
    how: &'static str,
}

type Measure = fn() -> Row;

/// What the command line may choose by, and the row.
const ROWS: &[(&str, Measure)] = &[
    ("lau learning", lau_learning),
    ("lau synthesis", lau_synthesis),
    ("grochow learning", grochow_learning),
    ("grochow posing", grochow_posing),
    ("peng clustering", peng_clustering),
    ("peng paths", peng_paths),
    ("peng synthesis", peng_synthesis),
    ("gao learning", gao_learning),
    ("gao synthesis", gao_synthesis),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    // Cargo says so where it means a measurement; `cargo test --benches` does not.
    if has("--test") || !has("--bench") {
        println!("nothing measured: run by cargo bench --bench paper");
        return;
    }
    let words: Vec<&String> = arguments.iter().filter(|a| !a.starts_with('-')).collect();
    println!("{}", machine());
    println!("| what | paper | ours | ratio | from | how measured |");
    println!("|---|---|---|---|---|---|");
    for &(name, measure) in ROWS {
        if words.is_empty() || words.iter().any(|word| name.contains(word.as_str())) {
            println!("{}", line(&measure()));
        }
    }
}

/// Where and when.
fn machine() -> String {
    let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find(|line| line.starts_with("model name"));
    let model = model.and_then(|line| line.split_once(':'));
    let model = model.map_or("model unknown", |(_, name)| name.trim());
    let day = jiff::Zoned::now().date();
    format!("{n_cores} cores, {model}, {day}")
}

fn line(row: &Row) -> String {
    let paper = row.paper_secs.map_or("not stated".to_owned(), time);
    let ratio = row.paper_secs.map_or("-".to_owned(), |paper| {
        format!("{:.0}", paper / row.our_secs)
    });
    let (what, ours, source, how) = (row.what, time(row.our_secs), row.source, row.how);
    format!("| {what} | {paper} | {ours} | {ratio} | {source} | {how} |")
}

/// Seconds with three or four digits and a unit.
fn time(secs: f64) -> String {
    match secs {
        s if s >= 100.0 => format!("{s:.0} s"),
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 0.1 => format!("{:.0} ms", s * 1e3),
        s if s >= 1e-3 => format!("{:.2} ms", s * 1e3),
        s => format!("{:.1} µs", s * 1e6),
    }
}

/// The shortest of some runs, in seconds.
fn best_of<T>(n_runs: usize, mut run: impl FnMut() -> T) -> f64 {
    let once = |_| {
        let began = Instant::now();
        black_box(run());
        began.elapsed().as_secs_f64()
    };
    (0..n_runs).map(once).fold(f64::INFINITY, f64::min)
}

const LAU_DOFS: usize = 64;
const LAU_FRAMES: usize = 80;
const LAU_FPS: f64 = 60.0;

/// Four cycles of 64 curves, each curve with its own harmonics, that differ from take to take.
fn lau_takes() -> Vec<Take> {
    let mut shape = Stream::named(1, &[]);
    let waves: Vec<[f64; 4]> = (0..LAU_DOFS)
        .map(|_| std::array::from_fn(|_| shape.normal()))
        .collect();
    let take = |take: u64| {
        let mut stream = Stream::named(2, &[take]);
        let offs: Vec<f64> = waves.iter().map(|_| 0.4 * stream.normal()).collect();
        let mut values = Vec::with_capacity(LAU_DOFS * LAU_FRAMES);
        for frame in 0..LAU_FRAMES {
            let t = std::f64::consts::TAU * frame as f64 / LAU_FRAMES as f64;
            for (w, off) in waves.iter().zip(&offs) {
                let first = w[0] * t.sin() + w[1] * t.cos();
                let second = w[2] * (2.0 * t).sin() + w[3] * (2.0 * t).cos();
                values.push(first + 0.4 * second + off);
            }
        }
        let name = format!("take {take}");
        Take { name, values }
    };
    (0..4).map(take).collect()
}

fn lau_model() -> Model {
    let examples = Examples::new(
        LAU_DOFS,
        1.0 / LAU_FPS,
        &lau_takes(),
        Some(MotionType::Cyclic),
    );
    let examples = examples.expect("the takes are whole");
    let settings = variation::LearnSettings::default();
    Model::learn(examples, &settings, &Ticket::default()).expect("nobody cancels")
}

fn lau_learning() -> Row {
    Row {
        what: "learning the network of a motion",
        paper_secs: Some(1800.0),
        source: "Lau 2009, section 8: half an hour to two hours, machine not stated",
        our_secs: best_of(2, lau_model),
        how: "4 takes of 80 frames, 64 DOFs, all cores, best of 2",
    }
}

fn lau_synthesis() -> Row {
    let model = Arc::new(lau_model());
    let settings = SampleSettings::default();
    let n_secs = 20_u32;
    let n_frames = f64::from(n_secs) * LAU_FPS;
    let all = best_of(5, || {
        let mut sampler = model.sampler(&settings, 0).expect("the settings are fine");
        for _ in 0..n_frames as usize {
            black_box(sampler.next_row());
        }
    });
    Row {
        what: "a second of new motion",
        paper_secs: Some(0.1),
        source: "Lau 2009, section 8, machine not stated",
        our_secs: all / f64::from(n_secs),
        how: "20 s at 60 frames a second, 64 DOFs, one thread, without foot lock, best of 5",
    }
}

/// Walks of the demo of 500 frames together, at most.
fn walks() -> Vec<Clip> {
    let mut n_frames = 0;
    (0..100)
        .map(|index| make(Action::Walk, LIBRARY_SEED, index).clip)
        .take_while(|clip| {
            n_frames += clip.n_frames();
            n_frames <= 500
        })
        .collect()
}

fn style_of(clips: &[Clip]) -> Style {
    let refs: Vec<&Clip> = clips.iter().collect();
    let settings = style::LearnSettings::default();
    Style::learn(&refs, &settings, &Ticket::default()).expect("walks make a style")
}

fn grochow_learning() -> Row {
    let clips = walks();
    Row {
        what: "learning a style",
        paper_secs: None,
        source: "Grochow 2004 gives no time",
        our_secs: best_of(3, || style_of(&clips)),
        how: "500 frames of walks, 100 active poses, 3 latent dimensions, best of 3",
    }
}

/// The right hand goes round on a circle, six handles in all.
fn grochow_posing() -> Row {
    let clips = walks();
    let style = style_of(&clips);
    let mut solver = Solver::new(&style, SolveSettings::default()).expect("a style of its own");
    let sites = handle_sites(solver.skeleton(), style.map().root(), 6);
    let start = pins(solver.skeleton(), clips[0].frame(20), &sites);
    let Goal::Position(home) = start[2].goal else {
        unreachable!("pins hold positions");
    };
    let first = solver.solve(&start, &mut || true);
    let first = first.expect("handles on a body");
    let radius = 0.06 * solver.height();
    let mut drag = DragSolver::new(solver, start.clone(), first);
    let n_steps = 200_u32;
    let all = best_of(5, || {
        for step in 1..=n_steps {
            let turn = f64::from(step) / f64::from(n_steps) * std::f64::consts::TAU;
            let mut handles: Vec<Constraint> = start.clone();
            let off = Vec3::new(turn.sin(), 1.0 - turn.cos(), 0.0) * radius;
            handles[2].goal = Goal::Position(home + off);
            black_box(drag.step(&handles, &mut || true)).expect("handles on a body");
        }
    });
    Row {
        what: "a step of posing",
        paper_secs: Some(1.0 / 23.0),
        source: "Grochow 2004, appendix A: 23 frames a second, 2.8 GHz Pentium 4",
        our_secs: all / f64::from(n_steps),
        how: "100 active poses, 3 latent dimensions, 6 handles, mean of 200 steps of a drag, one thread, best of 5",
    }
}

/// A circle through all nodes, so that every pair has a path, and further edges at random.
fn peng_graph() -> Digraph {
    let (n_nodes, n_edges) = (164_u32, 660);
    let mut stream = Stream::named(7, &[]);
    let mut ends: Vec<(u32, u32)> = (0..n_nodes).map(|v| (v, (v + 1) % n_nodes)).collect();
    while ends.len() < n_edges {
        let node = |stream: &mut Stream| stream.below(n_nodes as usize) as u32;
        let edge = (node(&mut stream), node(&mut stream));
        if edge.0 != edge.1 && !ends.contains(&edge) {
            ends.push(edge);
        }
    }
    let edges = ends
        .into_iter()
        .map(|(a, b)| (a, b, stream.between(0.1, 2.0)));
    Digraph::new(n_nodes, edges.collect::<Vec<_>>()).expect("weights are positive")
}

fn peng_paths() -> Row {
    let graph = peng_graph();
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let one_thread = one_thread.expect("a thread can be started");
    let build = || PathTable::build(&graph, 5, f64::INFINITY, &mut |_| true);
    Row {
        what: "candidate paths of all pairs",
        paper_secs: Some(463.46),
        source: "Peng 2007, section 6.4, 1.73 GHz Pentium-M",
        our_secs: one_thread.install(|| best_of(10, build)),
        how: "random graph of 164 nodes and 660 edges, 5 paths a pair, one thread, best of 10",
    }
}

/// The size of the paper's database, of demo actions at 30 frames a second.
fn peng_database() -> TransitionGraph {
    let kinds = [
        Action::Jab,
        Action::Cross,
        Action::FrontKick,
        Action::RoundKick,
        Action::Dodge,
        Action::Walk,
        Action::Jog,
        Action::Squat,
    ];
    let takes = demo_takes(&kinds, 3648).into_iter();
    let clips: Vec<Arc<Clip>> = takes.map(Arc::new).collect();
    TransitionGraph::build(&clips, &GraphSettings::default(), &Ticket::default())
        .expect("clips on one skeleton")
}

fn peng_clustering() -> Row {
    let graph = peng_database();
    Row {
        what: "two-pass clustering of 3 648 frames",
        paper_secs: Some(0.76),
        source: "Peng 2007, 6.4; Pentium M, 1.73 GHz",
        our_secs: best_of(10, || graph.clustered_again()),
        how: "demo actions at 30 fps, one thread, best of 10",
    }
}

fn peng_synthesis() -> Row {
    let graph = peng_database();
    let clips: Vec<_> = graph.clips().map(|(_, clip)| Arc::clone(clip)).collect();
    let actions: Vec<Played> = [0, 2, 1, 3, 4, 2]
        .map(|at| Played::whole(&clips[at]))
        .to_vec();
    let run = || {
        let settings = SequenceSettings::default();
        sequence(&graph, &actions, &settings, &Ticket::default()).expect("it can be joined")
    };
    let n_frames = run().strip.n_frames() as f64;
    Row {
        what: "transitions between six actions, for each frame",
        paper_secs: Some(0.0024),
        source: "Peng 2007, 6.4; Pentium M, 1.73 GHz",
        our_secs: best_of(10, run) / n_frames,
        how: "every means tried and measured, feet locked, one thread, best of 10",
    }
}

/// Long takes of the demo at 30 frames a second: four of walking, two of several gaits.
fn gao_texture() -> Texture {
    let kinds = [Action::WalkTake, Action::WalkTake, Action::MixedTake];
    let takes = (0..6_u64).map(|number| {
        let kind = kinds[number as usize % kinds.len()];
        let clip = make(kind, LIBRARY_SEED, number).clip;
        LabelledClip {
            clip: Arc::new(edit::resample(&clip, 30.0).expect("30 is a rate")),
            label: kind.name().to_owned(),
        }
    });
    let takes: Vec<LabelledClip> = takes.collect();
    Texture::learn(&takes, &TextureSettings::default(), &Ticket::default())
        .expect("clips on one skeleton")
}

fn gao_learning() -> Row {
    Row {
        what: "learning a texture",
        paper_secs: None,
        source: "Gao 2007 gives no time",
        our_secs: best_of(2, gao_texture),
        how: "6 demo takes at 30 fps, all cores, best of 2",
    }
}

fn gao_synthesis() -> Row {
    let texture = gao_texture();
    let n_secs = 30_u32;
    let order = [Ordered {
        action: Action::WalkTake.name().to_owned(),
        secs: f64::from(n_secs),
    }];
    let settings = PlaySettings::default();
    let play = || texture.perform_order(&order, &settings, &Ticket::default());
    Row {
        what: "a second of a texture",
        paper_secs: Some(1.0),
        source: "Gao 2007, section 1: in real time; 2.0 GHz Pentium 4",
        our_secs: best_of(5, || play().expect("an action of the texture")) / f64::from(n_secs),
        how: "30 s of walking with its search, 6 demo takes at 30 fps, best of 5",
    }
}
