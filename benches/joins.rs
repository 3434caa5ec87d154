//! The tables of `resources/transition.md`: every ordered pair of clips joined by every means, and actions interrupted.
//!
//! `cargo bench --bench joins`, or `-- martial` for the databases with that word. Needs the motion capture that the
//! tests use beside the project, and says so where it is not there. Numbers are medians and 95th percentiles over
//! joins, against the clips' own 99th percentile over frames.
#![expect(clippy::print_stdout, reason = "prints tables")]

#[path = "common/files.rs"]
mod files;

use std::path::Path;
use std::sync::Arc;

use files::files_below;
use kinfolk::file::read_clip;
use kinfolk::jobs::Ticket;
use kinfolk::motion::join::report::SLIDE_TIMES;
use kinfolk::motion::join::{JoinClip, JoinKind, Joined, Strip};
use kinfolk::motion::{Clip, edit};
use kinfolk::transition::{
    GraphSettings, Player, Quality, SequenceAction, SequenceSettings, Transition, TransitionGraph,
    TransitionKind, TransitionMethod, TransitionSettings, sequence,
};
use rayon::prelude::*;

/// Name, folder, frames per second, and every how manieth clip is an action.
const DATABASES: [(&str, &str, f64, usize); 4] = [
    ("martial 30", "actions/martial_s144", 30.0, 1),
    ("martial 60", "actions/martial_s144", 60.0, 1),
    ("everyday 30", "actions/everyday_s143", 30.0, 1),
    ("locomotion 30", "locomotion", 30.0, 1),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if !arguments.iter().any(|a| a == "--bench") {
        println!("nothing measured: run by cargo bench --bench joins");
        return;
    }
    let words: Vec<&String> = arguments.iter().filter(|a| !a.starts_with('-')).collect();
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    for (name, folder, fps, stride) in DATABASES {
        if !words.is_empty() && !words.iter().any(|word| name.contains(word.as_str())) {
            continue;
        }
        let folder = shared.join(folder);
        if folder.exists() {
            tables(name, &folder, fps, stride);
        } else {
            println!("{name}: {} is not here", folder.display());
        }
    }
}

fn tables(name: &str, folder: &Path, fps: f64, stride: usize) {
    let clips: Vec<Arc<Clip>> = files_below(folder)
        .par_iter()
        .map(|file| {
            let clip = read_clip(file).expect("a clip of the development set");
            let clip = edit::drop_tpose(&clip).expect("it has more frames");
            Arc::new(edit::resample(&clip, fps).expect("a rate"))
        })
        .collect();
    let graph = TransitionGraph::build(&clips, &GraphSettings::default(), &Ticket::default());
    let graph = Arc::new(graph.expect("clips on one skeleton"));
    let all: Vec<Arc<JoinClip>> = graph.clips().map(|(_, clip)| Arc::clone(clip)).collect();
    let actions: Vec<Arc<JoinClip>> = all.into_iter().step_by(stride).collect();
    describe(name, &graph);
    let is_large = actions.len() > 100;
    println!(
        "| {name} | pose jump | velocity jump | jerk | jerk in space | overshoot, degrees | foot slide | root step | heading step | posture, rad | wait, s | by |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    let settings = |means, kind, secs, lock_feet| TransitionSettings {
        means,
        kind,
        secs,
        lock_feet,
        ..TransitionSettings::default()
    };
    line(
        "the clips themselves, every half second",
        &graph,
        &inside(&graph, &actions),
    );
    let best = pairs(
        &graph,
        &actions,
        &settings(TransitionMethod::Best, None, None, true),
        1,
    );
    line("ours", &graph, &best);
    let largest = |value: &dyn Fn(&Transition) -> f64| {
        let values = best.iter().map(|pair| value(&pair.2));
        values.fold(0.0, f64::max)
    };
    let norms = graph.norms();
    let root = largest(&|t| t.quality.report.root_step / norms.root_step);
    let heading = largest(&|t| t.quality.report.heading_step_deg / norms.heading_step_deg);
    // Of many clips some pairs are enough for the others.
    let every = if is_large { 25 } else { 1 };
    for (what, settings) in [
        (
            "only direct",
            settings(TransitionMethod::Direct, None, None, true),
        ),
        (
            "only path, else curve",
            settings(TransitionMethod::Path, None, None, true),
        ),
        (
            "only curve",
            settings(TransitionMethod::Bezier, None, None, true),
        ),
        (
            "the paper as written",
            settings(TransitionMethod::Paper, None, None, false),
        ),
        (
            "cross-fade, 0.33 s",
            settings(
                TransitionMethod::Direct,
                Some(JoinKind::Fade),
                Some(0.33),
                false,
            ),
        ),
        (
            "linear interpolation",
            settings(TransitionMethod::Linear, None, None, false),
        ),
    ] {
        line(what, &graph, &pairs(&graph, &actions, &settings, every));
    }
    println!("\nlargest of ours: root step {root:.2}, heading step {heading:.2}");
    graph_earns(&graph, &actions, &best);
    interruptions(name, &graph, &actions, if is_large { 10 } else { 1 });
}

fn describe(name: &str, graph: &TransitionGraph) {
    let s = graph.summary();
    let table = graph
        .path_table(&Ticket::default())
        .expect("nobody stops it");
    let pairs = s.clusters * s.clusters.saturating_sub(1);
    println!(
        "\n{name}: {} frames ({} left out), {} clusters, {} short clips, {} edges, {} transitions, T {:.2}; {:.0} % of cluster pairs have a path; islands: {}",
        s.frames,
        s.left_out,
        s.clusters,
        s.short_clips,
        s.edges,
        s.transitions,
        s.threshold,
        100.0 * table.n_pairs_with_path() as f64 / pairs.max(1) as f64,
        if s.islands.is_empty() {
            "none".to_owned()
        } else {
            s.islands.join(", ")
        },
    );
    let n = graph.norms();
    println!(
        "clips themselves, 99th percentile: step {:.1} degrees, velocity step {:.0} degrees/s, jerk {:.0} degrees/s^3, in space {:.0} m/s^3; mean slide {:.1} cm/s; root step {:.1} cm, heading step {:.1} degrees\n",
        n.step_deg,
        n.velocity_step_deg,
        n.jerk_deg,
        n.space_jerk,
        100.0 * n.foot_slide,
        100.0 * n.root_step,
        n.heading_step_deg,
    );
}

type Pair = (usize, usize, Transition);

/// Stretches of the clips, measured as if a join of half a second were there: what the same yardstick says of real
/// motion.
fn inside(graph: &TransitionGraph, actions: &[Arc<JoinClip>]) -> Vec<Pair> {
    let frames = graph.rig().frames_at_30(15.0);
    let stretches = actions.iter().enumerate().flat_map(|(at, clip)| {
        let starts = (4..clip.n_frames().saturating_sub(frames)).step_by(frames);
        starts.map(move |start| (at, clip, start))
    });
    stretches
        .map(|(number, clip, start)| {
            let strip = Strip::of(graph.rig(), clip, 0..clip.n_frames());
            let joined = Joined {
                at: start,
                frames,
                clip: start..clip.n_frames(),
            };
            let transition = Transition {
                kind: TransitionKind::Path(Vec::new()),
                at: start,
                frames,
                action: joined.clip.clone(),
                enter: start,
                settled: start + frames,
                cost: 0.0,
                quality: Quality {
                    report: graph.norms().report(&strip, &joined),
                    posture: 0.0,
                    seconds: 0.0,
                },
                joins: vec![joined],
            };
            (number, number, transition)
        })
        .collect()
}

fn pairs(
    graph: &TransitionGraph,
    actions: &[Arc<JoinClip>],
    settings: &TransitionSettings,
    every: usize,
) -> Vec<Pair> {
    let n = actions.len();
    let ordered: Vec<(usize, usize)> = (0..n * n)
        .map(|i| (i / n, i % n))
        .filter(|(a, b)| a != b)
        .step_by(every)
        .collect();
    ordered
        .par_iter()
        .map(|&(a, b)| {
            let settings = SequenceSettings {
                transition: settings.clone(),
                seed: (a * n + b) as u64,
            };
            let both = [
                SequenceAction::whole(&actions[a]),
                SequenceAction::whole(&actions[b]),
            ];
            let made = sequence(graph, &both, &settings, &Ticket::default())
                .expect("any two can be joined");
            (a, b, made.transitions[0].clone())
        })
        .collect()
}

fn line(what: &str, graph: &TransitionGraph, pairs: &[Pair]) {
    let norms = graph.norms();
    let made: Vec<&Transition> = pairs.iter().map(|p| &p.2).collect();
    let cell = |value: &dyn Fn(&Transition) -> f64| {
        let values: Vec<f64> = made.iter().map(|t| value(t)).collect();
        format!(
            "{:.2} / {:.2}",
            percentile(&values, 0.5),
            percentile(&values, 0.95)
        )
    };
    let share = |word: &str| {
        let n = made.iter().filter(|t| t.kind.word() == word).count();
        (n > 0).then(|| format!("{word} {:.0} %", 100.0 * n as f64 / made.len() as f64))
    };
    let kinds: Vec<String> = ["dead", "quintic", "fade", "path", "bezier", "linear"]
        .into_iter()
        .filter_map(share)
        .collect();
    println!(
        "| {what} ({} joins) | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
        made.len(),
        cell(&|t| t.quality.report.pose_jump_deg / norms.step_deg),
        cell(&|t| t.quality.report.velocity_jump_deg / norms.velocity_step_deg),
        cell(&|t| t.quality.report.jerk_ratio),
        cell(&|t| t.quality.report.space_jerk_ratio),
        cell(&|t| t.quality.report.overshoot_deg),
        cell(&|t| t.quality.report.foot_slide / norms.foot_slide),
        cell(&|t| t.quality.report.root_step / norms.root_step),
        cell(&|t| t.quality.report.heading_step_deg / norms.heading_step_deg),
        cell(&|t| t.quality.posture),
        cell(&|t| t.quality.seconds),
        kinds.join(", ")
    );
}

/// The pairs that go by a path, beside the same pairs joined directly.
fn graph_earns(graph: &TransitionGraph, actions: &[Arc<JoinClip>], best: &[Pair]) {
    let by_path: Vec<&Pair> = best.iter().filter(|p| p.2.kind.word() == "path").collect();
    if by_path.is_empty() {
        return;
    }
    let settings = TransitionSettings {
        means: TransitionMethod::Direct,
        ..TransitionSettings::default()
    };
    let direct: Vec<Transition> = by_path
        .par_iter()
        .map(|(a, b, _)| {
            let settings = SequenceSettings {
                transition: settings.clone(),
                seed: 1,
            };
            let both = [
                SequenceAction::whole(&actions[*a]),
                SequenceAction::whole(&actions[*b]),
            ];
            let made = sequence(graph, &both, &settings, &Ticket::default());
            made.expect("any two can be joined").transitions[0].clone()
        })
        .collect();
    let mean = |values: &dyn Fn(usize) -> f64| {
        (0..direct.len()).map(values).sum::<f64>() / direct.len() as f64
    };
    let distance = |t: &Transition| t.cost;
    let all: Vec<f64> = pairs(graph, actions, &settings, 7)
        .iter()
        .map(|p| distance(&p.2))
        .collect();
    println!(
        "\npath beats direct in {} of {} pairs: posture {:.2} instead of {:.2} rad, wait {:.2} instead of {:.2} s, penalty {:.2} instead of {:.2}; distance of these pairs {:.2}, of all {:.2}",
        by_path.len(),
        best.len(),
        mean(&|i| by_path[i].2.quality.posture),
        mean(&|i| direct[i].quality.posture),
        mean(&|i| by_path[i].2.quality.seconds),
        mean(&|i| direct[i].quality.seconds),
        mean(&|i| by_path[i].2.quality.penalty(graph.norms())),
        mean(&|i| direct[i].quality.penalty(graph.norms())),
        mean(&|i| distance(&direct[i])),
        all.iter().sum::<f64>() / all.len() as f64,
    );
}

/// Every action left at every tenth frame (at 30 a second) for every fifth action, and each of those transitions
/// half-way.
fn interruptions(
    name: &str,
    graph: &Arc<TransitionGraph>,
    actions: &[Arc<JoinClip>],
    stride: usize,
) {
    let tenth = graph.rig().frames_at_30(10.0);
    let cases: Vec<(usize, usize, usize)> = (0..actions.len())
        .step_by(stride)
        .flat_map(|from| {
            let frames = (tenth..actions[from].n_frames()).step_by(tenth);
            frames.flat_map(move |frame| {
                (0..actions.len())
                    .step_by(5 * stride)
                    .map(move |to| (from, frame, to))
            })
        })
        .collect();
    let made: Vec<[Pair; 2]> = cases
        .par_iter()
        .map(|&(from, frame, to)| {
            let settings = TransitionSettings::default();
            let mut player = Player::new(
                graph,
                actions.to_vec(),
                from,
                &settings,
                (frame * 31 + to) as u64,
            );
            let show = |player: &mut Player, n: usize| {
                for _ in 0..n {
                    player.next_frame().expect("it plays");
                }
            };
            show(&mut player, frame);
            player.command(to).expect("there is such an action");
            let first = player.last_transition().expect("just made").clone();
            show(&mut player, first.frames / 2);
            let third = (to + 7) % actions.len();
            player.command(third).expect("there is such an action");
            let second = player.last_transition().expect("just made").clone();
            [(from, to, first), (to, third, second)]
        })
        .collect();
    println!(
        "\n| {name} | pose jump | velocity jump | jerk | jerk in space | overshoot, degrees | foot slide | root step | heading step | posture, rad | wait, s | by |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    let (first, second): (Vec<Pair>, Vec<Pair>) = made.into_iter().map(|[a, b]| (a, b)).unzip();
    line("interrupted", graph, &first);
    line("interrupted half-way again", graph, &second);
    let slides: Vec<&str> = actions
        .iter()
        .filter(|clip| starts_sliding(graph, clip))
        .map(|clip| clip.clip.info.name.as_str())
        .collect();
    let is_other = |pair: &&Pair| !starts_sliding(graph, &actions[pair.1]);
    let others: Vec<Pair> = first.iter().filter(is_other).cloned().collect();
    line("interrupted, for actions that do not slide", graph, &others);
    println!(
        "\nactions whose own first second slides more than the limit: {}",
        slides.join(", ")
    );
}

/// Whether the first second of a clip slides more than joins may, before anything is joined.
fn starts_sliding(graph: &TransitionGraph, clip: &JoinClip) -> bool {
    let strip = Strip::of(graph.rig(), clip, 0..clip.n_frames());
    let frames = graph.rig().frames_at_30(30.0).min(clip.n_frames() - 2);
    let joined = Joined {
        at: 1,
        frames,
        clip: 1..clip.n_frames(),
    };
    let slide = graph.norms().report(&strip, &joined).foot_slide;
    slide > SLIDE_TIMES * graph.norms().foot_slide
}

fn percentile(values: &[f64], share: f64) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * share).round() as usize]
}
