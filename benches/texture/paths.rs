//! Paths followed, and what the upper level of the graph does for them.

use std::time::Instant;

use kinfolk::jobs::Ticket;
use kinfolk::motion::path::{FloorPath, PathPoint, PathSettings};
use kinfolk::motion::{Body, Clip, Limb, WorldPose};
use kinfolk::texture::search::{OffLabel, SearchSettings, Section, follow_path};
use kinfolk::texture::{Corridor, PlaySettings, Source, Texture};

use super::within_bounds;

/// A name and its points in metres.
fn drawn() -> Vec<(&'static str, Vec<(f64, f64)>)> {
    let turn = std::f64::consts::TAU;
    let s = (0..=80).map(|i| f64::from(i) * 0.1);
    let circle = (0..=120).map(|i| f64::from(i) / 120.0 * turn);
    vec![
        ("straight, 8 m", vec![(0.0, 0.0), (0.0, 8.0)]),
        (
            "S, 1 m to either side",
            s.map(|z| ((z / 8.0 * turn).sin(), z)).collect(),
        ),
        (
            "circle of 3 m",
            circle
                .map(|a| (3.0 - 3.0 * a.cos(), 3.0 * a.sin()))
                .collect(),
        ),
        (
            "square of 5 m",
            vec![(0.0, 0.0), (0.0, 5.0), (5.0, 5.0), (5.0, 0.0), (0.0, 0.0)],
        ),
    ]
}

pub(super) fn paths(texture: &Texture) {
    let metres = texture.corpus().rig.metric.metres;
    println!(
        "| path | action | frames from | mean, cm | p95, cm | hits | walked | skate, cm/s | of the clips | joins | within bounds | as captured | left to the warp | knees, of the clips | corners, leave the line by | s |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (name, points) in drawn() {
        let at = |&(x, z): &(f64, f64)| PathPoint::at(x / metres, z / metres);
        let points: Vec<PathPoint> = points.iter().map(at).collect();
        for action in ["walk", "jog", "run", "sneak"] {
            for source in [Source::Systems, Source::Replay] {
                path_row(texture, name, &points, &[action.to_owned()], source);
            }
        }
    }
}

/// Three actions on parts of 5 m, as the paper's Fig. 7 has them.
pub(super) fn thirds(texture: &Texture) {
    println!(
        "| three parts of 5 m, three seeds each | shape | mean, cm | p95, cm | of each part in its action | others shown, s | joins | within bounds | as captured | s |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for actions in [
        ["sneak", "walk", "run"],
        ["walk", "jog", "run"],
        ["run", "walk", "sneak"],
        ["walk", "march", "jog"],
    ] {
        for (shape, aside) in [("straight", 0.0), ("S", 1.0)] {
            thirds_row(texture, &actions, shape, aside);
        }
    }
}

fn thirds_row(texture: &Texture, actions: &[&str; 3], shape: &str, aside: f64) {
    const SEEDS: u64 = 3;
    const PART: f64 = 5.0;
    let metres = texture.corpus().rig.metric.metres;
    let points = (0..=60).map(|n| {
        let z = 3.0 * PART * f64::from(n) / 60.0;
        let x = aside * (std::f64::consts::TAU * z / (3.0 * PART)).sin();
        PathPoint {
            action: (n % 20 == 0 && n < 60).then(|| actions[n as usize / 20].to_owned()),
            ..PathPoint::at(x / metres, z / metres)
        }
    });
    let points: Vec<PathPoint> = points.collect();
    let wanted = actions.map(str::to_owned);
    let least_radius = texture.turning_radius(&wanted).expect("known actions");
    let path = FloorPath::new(&points, &PathSettings { least_radius }).expect("a path");
    let (mut sums, mut bounds, mut captured, mut joins, mut own) = ([0.0; 4], 0, 0, 0, [0.0; 3]);
    for seed in 1..=SEEDS {
        let play = PlaySettings {
            seed,
            ..PlaySettings::default()
        };
        let started = Instant::now();
        let made = texture.perform_path(&path, &[], &play, &Ticket::default());
        let made = made.expect("actions that are performed");
        let values = [
            made.fit.mean * metres * 100.0,
            made.fit.p95 * metres * 100.0,
            made.followed.off_label_secs(),
            started.elapsed().as_secs_f64(),
        ];
        sums.iter_mut()
            .zip(values)
            .for_each(|(s, v)| *s += v / SEEDS as f64);
        let [within, as_rough] = within_bounds(texture, &made.motion);
        bounds += within;
        captured += as_rough;
        joins += made.motion.joins.len();
        for (nth, share) in own.iter_mut().enumerate() {
            let third = path.length() * metres / 3.0;
            let part = nth as f64 * third..(nth + 1) as f64 * third;
            let inside = |o: &OffLabel| o.arc.end.min(part.end) - o.arc.start.max(part.start);
            let others = made.followed.off_label.iter().map(|o| inside(o).max(0.0));
            *share += 100.0 * (1.0 - others.sum::<f64>() / third) / SEEDS as f64;
        }
    }
    let [mean, p95, off, secs] = sums;
    println!(
        "| {} | {shape} | {mean:.2} | {p95:.2} | {:.0}, {:.0}, {:.0} % | {off:.1} | {joins} | {bounds} | {captured} | {secs:.2} |",
        actions.join(", "),
        own[0],
        own[1],
        own[2],
    );
}

fn path_row(
    texture: &Texture,
    name: &str,
    points: &[PathPoint],
    actions: &[String],
    source: Source,
) {
    const SEEDS: u64 = 5;
    let metres = texture.corpus().rig.metric.metres;
    let least_radius = texture.turning_radius(actions).expect("known actions");
    let path = FloorPath::new(points, &PathSettings { least_radius }).expect("a path");
    let (mut sums, mut bounds, mut captured, mut joins, mut knee) = ([0.0; 7], 0, 0, 0, 0.0_f64);
    for seed in 1..=SEEDS {
        let play = PlaySettings {
            source,
            seed,
            ..PlaySettings::default()
        };
        let started = Instant::now();
        let made = match texture.perform_path(&path, actions, &play, &Ticket::default()) {
            Ok(made) => made,
            Err(error) => {
                println!("| {name} | {actions:?} | {source:?} | {error} |");
                return;
            }
        };
        let secs = started.elapsed().as_secs_f64();
        let fit = &made.fit;
        let bent: f64 = made
            .followed
            .bends
            .iter()
            .map(|b| b.arc.end - b.arc.start)
            .sum();
        let values = [
            fit.mean * metres * 100.0,
            fit.p95 * metres * 100.0,
            fit.hits,
            fit.covered,
            made.motion.skate.mean_metres_per_sec * 100.0,
            bent,
            secs,
        ];
        sums.iter_mut()
            .zip(values)
            .for_each(|(s, v)| *s += v / SEEDS as f64);
        let [within, as_rough] = within_bounds(texture, &made.motion);
        bounds += within;
        captured += as_rough;
        joins += made.motion.joins.len();
        knee = knee.max(most_bent(&made.motion.clip));
    }
    let [mean, p95, hits, walked, skate, bent, secs] = sums;
    let clips = corpus_skate(texture, actions);
    println!(
        "| {name} | {} | {source:?} | {mean:.2} | {p95:.2} | {hits:.2} | {walked:.2} | {skate:.1} | {clips:.1} | {joins} | {bounds} | {captured} | {bent:.1} m | {knee:.0} / {:.0} | {:.2} / {:.2} m | {secs:.2} |",
        actions.join(", "),
        clips_most_bent(texture, actions),
        least_radius * metres,
        path.left_drawn_by() * metres,
    );
}

/// The angle that all knees stay below but in one frame of a thousand; degrees.
fn most_bent(clip: &Clip) -> f64 {
    let skeleton = clip.skeleton();
    let legs = Body::of(skeleton).legs;
    let bends = clip.frames().flat_map(|pose| {
        let world = WorldPose::of(skeleton, pose);
        let at = |joint: usize| world.positions[joint];
        let bend = |leg: &Limb| {
            let (up, down) = (at(leg.middle) - at(leg.upper), at(leg.end) - at(leg.middle));
            up.angle(&down).to_degrees()
        };
        legs.iter().map(bend).collect::<Vec<_>>()
    });
    let mut bends: Vec<f64> = bends.collect();
    bends.sort_by(f64::total_cmp);
    bends[bends.len() - 1 - bends.len() / 1000]
}

fn clips_most_bent(texture: &Texture, actions: &[String]) -> f64 {
    let corpus = texture.corpus();
    let own = corpus
        .clips
        .iter()
        .filter(|c| is_of(&corpus.labels[c.label], actions));
    own.map(|c| most_bent(&c.join.clip)).fold(0.0, f64::max)
}

fn is_of(label: &str, actions: &[String]) -> bool {
    let is_own = |a: &String| label == a || label == format!("{a}_turn");
    actions.is_empty() || actions.iter().any(is_own)
}

/// How fast toes move that are down in clips of an action; cm/s.
fn corpus_skate(texture: &Texture, actions: &[String]) -> f64 {
    let corpus = texture.corpus();
    let own = corpus
        .clips
        .iter()
        .filter(|c| is_of(&corpus.labels[c.label], actions));
    let (mut sum, mut n) = (0.0, 0.0);
    for clip in own {
        let skate = texture.skate(&clip.join.clip);
        sum += skate.mean_metres_per_sec * skate.n_contact as f64;
        n += skate.n_contact as f64;
    }
    100.0 * sum / f64::max(n, 1.0)
}

/// What the upper level leaves to the search on frames: along the square, with and without it.
pub(super) fn upper(texture: &Texture) {
    println!(
        "| square of 5 m | systems | steps tried | other actions shown, s |\n|---|---|---|---|"
    );
    let metres = texture.corpus().rig.metric.metres;
    let points = drawn().pop().expect("four paths").1;
    let at = |&(x, z): &(f64, f64)| PathPoint::at(x / metres, z / metres);
    let points: Vec<PathPoint> = points.iter().map(at).collect();
    for action in ["walk", "jog", "run", "sneak"] {
        let actions = [action.to_owned()];
        let least_radius = texture.turning_radius(&actions).expect("a known action");
        let path = FloorPath::new(&points, &PathSettings { least_radius }).expect("a path");
        let path = path.scaled(metres);
        let labels = texture.path_marks(&actions).expect("a known action");
        let corridor = texture.upper().corridor(&[&labels]);
        let part = Section {
            arc: 0.0..path.length(),
            labels,
        };
        for corridor in [corridor.as_ref(), None] {
            let corpus = texture.search().within(corridor);
            let (mut tried, mut off) = (0, 0.0);
            for seed in 1..=5 {
                let settings = SearchSettings {
                    seed,
                    ..SearchSettings::default()
                };
                let found = follow_path(&corpus, &path, std::slice::from_ref(&part), &settings);
                let found = found.expect("an action that moves");
                tried += found.n_tried;
                off += found.off_label.iter().map(|o| o.secs).sum::<f64>();
            }
            let n = corridor.map_or(texture.systems().len(), Corridor::n_systems);
            println!("| {action} | {n} | {tried} | {off:.2} |");
        }
    }
}
