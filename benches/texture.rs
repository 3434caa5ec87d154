//! The tables of `resources/texture.md`: prediction of clips that were held back, every label played, paths and orders.
//!
//! `cargo bench --bench texture`, or `-- paths` for the tables with that word. Needs the motion capture that the tests use
//! beside the project, and says so where it is not there.
#![expect(clippy::print_stdout, reason = "prints tables")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use kinfolk::file::read_clip;
use kinfolk::jobs::Ticket;
use kinfolk::motion::chart::DofKind;
use kinfolk::motion::path::{FloorPath, PathPoint, PathSettings};
use kinfolk::motion::{Body, Clip, Limb, WorldPose};
use kinfolk::texture::search::{LabelRoutes, SearchSettings, Section, follow_path};
use kinfolk::texture::{
    LabelledClip, Ordered, Performance, PlaySettings, Source, Steer, Texture, TextureSettings,
    evaluation,
};
use rayon::prelude::*;

/// Plays of each label.
const PLAYS: u64 = 10;
/// How long a label is played.
const PLAY_SECS: f64 = 10.0;
/// Frames of the same clip so near do not count as another take, where a label has few clips.
const APART_SECS: f64 = 0.75;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if !arguments.iter().any(|a| a == "--bench") {
        println!("nothing measured: run by cargo bench --bench texture");
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/locomotion");
    if !folder.exists() {
        println!("{} is not here", folder.display());
        return;
    }
    let words: Vec<&String> = arguments.iter().filter(|a| !a.starts_with('-')).collect();
    let wanted = |name: &str| words.is_empty() || words.iter().any(|w| name.contains(w.as_str()));
    let clips = labelled(&folder);
    if wanted("prediction") {
        predictions(&clips);
    }
    let started = Instant::now();
    let texture = learn(&clips);
    let secs = started.elapsed().as_secs_f64();
    println!(
        "\nlearned in {secs:.1} s: {} systems",
        texture.systems().len()
    );
    println!("{:#?}", texture.summary());
    println!("{} transitions", texture.graph().transitions().len());
    reachable(&texture);
    if wanted("labels") {
        labels(&texture);
    }
    if wanted("halves") {
        halves(&clips);
    }
    if wanted("paths") {
        paths(&texture);
    }
    if wanted("orders") {
        orders(&texture);
        steering(&texture);
        upper(&texture);
    }
}

fn learn(clips: &[LabelledClip]) -> Texture {
    let settings = TextureSettings::default();
    Texture::learn(clips, &settings, &Ticket::default()).expect("clips of one skeleton")
}

fn labelled(folder: &Path) -> Vec<LabelledClip> {
    let text = std::fs::read_to_string(folder.join("labels.csv")).expect("the labels");
    let mut all = Vec::new();
    for line in text.lines().skip(1) {
        let mut columns = line.split(',');
        let file = PathBuf::from(columns.next().unwrap_or_default());
        let mut clip = read_clip(&folder.join(&file)).expect("a clip of the development set");
        clip.info.name = file.display().to_string();
        all.push(LabelledClip {
            clip: Arc::new(clip),
            label: columns.next().unwrap_or_default().to_owned(),
        });
    }
    all
}

/// Every fifth clip is held back; settings were chosen on others (every fifth from another start).
fn predictions(clips: &[LabelledClip]) {
    let part = |held: bool| -> Vec<LabelledClip> {
        let all = clips.iter().enumerate();
        all.filter(|(n, _)| (n % 5 == 4) == held)
            .map(|(_, c)| c.clone())
            .collect()
    };
    let texture = learn(&part(false));
    let rows = evaluation::predictions(&texture, &part(true), 7, &Ticket::default());
    println!("| prediction, degrees | 1 frame | 5 | 15 |\n|---|---|---|---|");
    for row in rows.expect("clips of one skeleton") {
        let [one, five, fifteen] = row.error_deg;
        println!("| {} | {one:.2} | {five:.2} | {fifteen:.2} |", row.name);
    }
}

fn reachable(texture: &Texture) {
    let corpus = texture.search();
    let commands = texture.commands();
    let (mut reached, mut pairs) = (0, 0);
    for to in &commands {
        let routes = LabelRoutes::to(&corpus, &to.marks);
        for from in commands.iter().filter(|from| from.name != to.name) {
            let leads = corpus.tracks.iter().enumerate().any(|(clip, track)| {
                (0..track.n_frames()).any(|frame| {
                    from.marks.contains(&track.labels[frame])
                        && routes
                            .secs(kinfolk::texture::FrameId { clip, frame })
                            .is_finite()
                })
            });
            reached += usize::from(leads);
            pairs += 1;
        }
    }
    println!("{reached} of {pairs} ordered pairs of labels can be reached");
}

/// Standardised turns of all joints but fingers, frame by frame.
struct Rows {
    width: usize,
    values: Vec<f64>,
}

impl Rows {
    fn of(texture: &Texture, clip: &Clip) -> Self {
        let chart = &texture.corpus().chart;
        let body = Body::of(chart.skeleton());
        let beyond_wrist = |joint: usize| {
            let mut above = chart.skeleton().ancestors(joint).skip(1);
            above.any(|a| body.arms.iter().any(|arm| arm.end == a))
        };
        let dofs: Vec<usize> = (0..chart.n_dofs())
            .filter(|&d| matches!(chart.dofs()[d].kind, DofKind::Turn { .. }))
            .filter(|&d| !beyond_wrist(chart.dofs()[d].joint))
            .collect();
        let curves = chart.curves(clip).expect("a clip of this skeleton");
        let rows = curves.rows().flat_map(|row| {
            let value = |&d: &usize| chart.dofs()[d].standardise(row[d]);
            dofs.iter().map(value).collect::<Vec<_>>()
        });
        Self {
            values: rows.collect(),
            width: dofs.len(),
        }
    }

    fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> + Clone {
        self.values.chunks_exact(self.width)
    }

    /// Deviation of the third difference of each column.
    fn jerk(&self) -> Vec<f64> {
        let rows: Vec<&[f64]> = self.rows().collect();
        let third = |d: usize| {
            let each = rows.windows(4);
            let squares = each.map(|w| (w[3][d] - 3.0 * w[2][d] + 3.0 * w[1][d] - w[0][d]).powi(2));
            (squares.sum::<f64>() / rows.len().saturating_sub(3).max(1) as f64).sqrt()
        };
        (0..self.width).map(third).collect()
    }
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b));
    squares.sum::<f64>().sqrt()
}

/// Distance to the nearest of some frames, and which that is.
fn nearest<'a>(row: &[f64], others: impl Iterator<Item = (usize, &'a [f64])>) -> (f64, usize) {
    let each = others.map(|(i, other)| (distance(row, other), i));
    each.fold((f64::INFINITY, 0), |a, b| if b.0 < a.0 { b } else { a })
}

fn play(texture: &Texture, action: &str, source: Source, seed: u64) -> Performance {
    let order = [Ordered {
        action: action.to_owned(),
        secs: PLAY_SECS,
    }];
    let settings = PlaySettings {
        source,
        seed,
        ..PlaySettings::default()
    };
    let made = texture.perform_order(&order, &settings, &Ticket::default());
    made.expect("a label that is performed")
}

fn labels(texture: &Texture) {
    let corpus = texture.corpus();
    let rows: Vec<Rows> = corpus
        .clips
        .par_iter()
        .map(|c| Rows::of(texture, &c.join.clip))
        .collect();
    println!(
        "| label | nearest pose, of real | jerk, of real | of replay | recognised | of real | amplitude, of real | diversity | of replay | ms a frame |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for (label, name) in corpus.labels.iter().enumerate() {
        let own: Vec<usize> = (0..rows.len())
            .filter(|&c| corpus.clips[c].label == label)
            .collect();
        let (real, recognised) = real_nearest(texture, &rows, &own);
        let started = Instant::now();
        let made = |source| -> Vec<Rows> {
            let plays = (1..=PLAYS).map(|seed| play(texture, name, source, seed));
            plays.map(|p| Rows::of(texture, &p.clip)).collect()
        };
        let plays = made(Source::Systems);
        let frames: usize = plays.iter().map(|p| p.rows().len()).sum();
        let ms = started.elapsed().as_secs_f64() * 1000.0 / frames as f64;
        let replays = made(Source::Replay);
        let seen: Vec<(f64, bool)> = plays
            .par_iter()
            .flat_map_iter(|play| {
                play.rows().step_by(5).map(|row| {
                    let all = rows.iter().enumerate();
                    let all = all.flat_map(|(c, r)| r.rows().map(move |other| (c, other)));
                    let (_, clip) = nearest(row, all);
                    let same = own
                        .iter()
                        .flat_map(|&c| rows[c].rows().map(move |o| (c, o)));
                    (nearest(row, same).0, corpus.clips[clip].label == label)
                })
            })
            .collect();
        let n = seen.len() as f64;
        let near = median(seen.iter().map(|s| s.0).collect());
        let same = seen.iter().filter(|s| s.1).count() as f64 / n;
        println!(
            "| {name} | {:.2} | {:.2} | {:.2} | {:.0} % | {:.0} % | {:.2} | {:.2} | {:.2} | {ms:.2} |",
            near / real,
            jerk_ratio(&plays, &own.iter().map(|&c| &rows[c]).collect::<Vec<_>>()),
            jerk_ratio(&plays, &replays.iter().collect::<Vec<_>>()),
            100.0 * same,
            100.0 * recognised,
            spread(&plays.iter().collect::<Vec<_>>())
                / spread(&own.iter().map(|&c| &rows[c]).collect::<Vec<_>>()),
            diversity(&plays),
            diversity(&replays),
        );
    }
}

/// Nearest pose in other clips of the label, and how often the nearest of all frames elsewhere has the label.
fn real_nearest(texture: &Texture, rows: &[Rows], own: &[usize]) -> (f64, f64) {
    let corpus = texture.corpus();
    let apart = corpus.frames_in(APART_SECS);
    let label = corpus.clips[own[0]].label;
    let seen: Vec<(f64, bool)> = own
        .par_iter()
        .flat_map_iter(|&clip| {
            let each = rows[clip].rows().enumerate().step_by(5);
            each.map(move |(f, row)| {
                let other = |&(c, g): &(usize, usize)| {
                    c != clip || (own.len() < 3 && g.abs_diff(f) > apart)
                };
                let among = |c: usize| {
                    let frames = rows[c].rows().enumerate();
                    frames.map(move |(g, o)| ((c, g), o))
                };
                let same = own
                    .iter()
                    .flat_map(|&c| among(c))
                    .filter(|(at, _)| other(at));
                let near = nearest(row, same.map(|((c, _), o)| (c, o))).0;
                let all = (0..rows.len()).flat_map(among).filter(|(at, _)| other(at));
                let clip = nearest(row, all.map(|((c, _), o)| (c, o))).1;
                (near, corpus.clips[clip].label == label)
            })
            .collect::<Vec<_>>()
        })
        .collect();
    let n = seen.len() as f64;
    let near = median(seen.iter().map(|s| s.0).collect());
    (near, seen.iter().filter(|s| s.1).count() as f64 / n)
}

/// Learned from every second clip of a label, played, and held against the clips that were kept back: how far a play is from those, of
/// how far the clips are that it was learned from. A play that is as good as another take has 1.
fn halves(clips: &[LabelledClip]) {
    const LEAST_CLIPS: usize = 4;
    let mut seen_of = std::collections::BTreeMap::new();
    let mut seen = Vec::new();
    let mut kept = Vec::new();
    for clip in clips {
        let n: &mut usize = seen_of.entry(clip.label.clone()).or_default();
        *n += 1;
        if *n % 2 == 1 { &mut seen } else { &mut kept }.push(clip.clone());
    }
    let texture = learn(&seen);
    let of = |clip: &Clip| Rows::of(&texture, clip);
    println!(
        "| label, half of its clips learned | plays to the other half, of clips to clips | the same of replay |\n|---|---|---|"
    );
    for (name, n) in seen_of.iter().filter(|(_, n)| **n >= LEAST_CLIPS) {
        let own = texture.corpus().clips.iter();
        let own = own.filter(|c| texture.corpus().labels[c.label] == *name);
        let own: Vec<Rows> = own.map(|c| of(&c.join.clip)).collect();
        let others = kept.iter().filter(|c| c.label == *name);
        let others: Vec<Rows> = others.map(|c| of(&c.clip)).collect();
        let apart = |rows: &[Rows]| {
            let each = rows.par_iter().flat_map_iter(|r| {
                let all = || others.iter().flat_map(Rows::rows).map(|o| (0, o));
                r.rows()
                    .step_by(5)
                    .map(|row| nearest(row, all()).0)
                    .collect::<Vec<_>>()
            });
            median(each.collect())
        };
        let plays = |source| -> Vec<Rows> {
            let plays = (1..=PLAYS).map(|seed| play(&texture, name, source, seed));
            plays.map(|p| of(&p.clip)).collect()
        };
        let real = apart(&own);
        let [made, replayed] = [Source::Systems, Source::Replay].map(|s| apart(&plays(s)) / real);
        println!("| {name}, {n} clips | {made:.2} | {replayed:.2} |");
    }
}

/// Median over the columns of the ratio of median jerks: clips with flips have some fifty times as much.
fn jerk_ratio(plays: &[Rows], real: &[&Rows]) -> f64 {
    let made: Vec<Vec<f64>> = plays.iter().map(Rows::jerk).collect();
    let takes: Vec<Vec<f64>> = real.iter().map(|r| r.jerk()).collect();
    let of = |all: &[Vec<f64>], d: usize| median(all.iter().map(|j| j[d]).collect());
    let each = (0..plays[0].width).map(|d| of(&made, d) / of(&takes, d).max(1e-9));
    median(each.collect())
}

fn median(mut values: Vec<f64>) -> f64 {
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// Root mean square distance from the mean pose.
fn spread(all: &[&Rows]) -> f64 {
    let width = all[0].width;
    let n = all.iter().map(|r| r.rows().len()).sum::<usize>() as f64;
    let rows = || all.iter().flat_map(|r| r.rows());
    let mut mean = vec![0.0; width];
    for row in rows() {
        mean.iter_mut().zip(row).for_each(|(m, x)| *m += x / n);
    }
    let squares: f64 = rows().map(|row| distance(row, &mean).powi(2)).sum();
    (squares / n).sqrt()
}

/// Mean distance of a frame of one play to the nearest frame of another.
fn diversity(plays: &[Rows]) -> f64 {
    let pairs: Vec<(usize, usize)> = (0..plays.len())
        .flat_map(|a| (0..plays.len()).map(move |b| (a, b)))
        .filter(|(a, b)| a != b)
        .collect();
    let each: Vec<f64> = pairs
        .par_iter()
        .flat_map_iter(|&(a, b)| {
            let rows = plays[a].rows().step_by(10);
            rows.map(|row| nearest(row, plays[b].rows().map(|o| (0, o))).0)
                .collect::<Vec<_>>()
        })
        .collect();
    each.iter().sum::<f64>() / each.len() as f64
}

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

fn paths(texture: &Texture) {
    let metres = texture.corpus().rig.metric.metres;
    println!(
        "| path | action | frames from | mean, cm | p95, cm | hits | walked | skate, cm/s | of the clips | joins | within bounds | left to the warp | knees, of the clips | corners, leave the line by | s |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (name, points) in drawn() {
        let at = |&(x, z): &(f64, f64)| PathPoint::at(x / metres, z / metres);
        let points: Vec<PathPoint> = points.iter().map(at).collect();
        for action in ["walk", "jog", "run", "sneak"] {
            for source in [Source::Systems, Source::Replay] {
                path_row(texture, name, &points, &[action.to_owned()], source);
            }
        }
    }
    let third = |from: f64, action: &str| PathPoint {
        action: Some(action.to_owned()),
        ..PathPoint::at(0.0, from / metres)
    };
    let thirds = [
        third(0.0, "sneak"),
        third(5.0, "walk"),
        third(10.0, "run"),
        PathPoint::at(0.0, 15.0 / metres),
    ];
    path_row(texture, "thirds of 5 m", &thirds, &[], Source::Systems);
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
    let (mut sums, mut bounds, mut joins, mut knee) = ([0.0; 7], 0, 0, 0.0_f64);
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
        bounds += within_bounds(texture, &made.motion);
        joins += made.motion.joins.len();
        knee = knee.max(most_bent(&made.motion.clip));
    }
    let [mean, p95, hits, walked, skate, bent, secs] = sums;
    let clips = corpus_skate(texture, actions);
    println!(
        "| {name} | {} | {source:?} | {mean:.2} | {p95:.2} | {hits:.2} | {walked:.2} | {skate:.1} | {clips:.1} | {joins} | {bounds} | {bent:.1} m | {knee:.0} / {:.0} | {:.2} / {:.2} m | {secs:.2} |",
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

fn within_bounds(texture: &Texture, made: &Performance) -> usize {
    let norms = &texture.corpus().norms;
    let joins = made.joins.iter();
    joins.filter(|j| j.report.excess(norms) == 0.0).count()
}

fn ordered(actions: &[&str]) -> Vec<Ordered> {
    let part = |action: &&str| Ordered {
        action: (*action).to_owned(),
        secs: 4.0,
    };
    actions.iter().map(part).collect()
}

fn orders(texture: &Texture) {
    let all: [&[&str]; 4] = [
        &["walk", "run", "kick"],
        &["sneak", "jog", "hop"],
        &["walk_slow", "march", "crouch"],
        &["jump", "limp", "backward"],
    ];
    println!(
        "| order, ten seeds | frames from | joins | within bounds | beyond the threshold | not reached | others shown, s | ms a frame |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for actions in all {
        for source in [Source::Systems, Source::Replay] {
            order_row(texture, actions, source);
        }
    }
}

fn order_row(texture: &Texture, actions: &[&str], source: Source) {
    let order = ordered(actions);
    let [
        mut joins,
        mut bounds,
        mut unreached,
        mut fallbacks,
        mut frames,
    ] = [0; 5];
    let mut detours = 0.0;
    let started = Instant::now();
    for seed in 1..=10 {
        let settings = PlaySettings {
            source,
            seed,
            ..PlaySettings::default()
        };
        let made = texture.perform_order(&order, &settings, &Ticket::default());
        let made = made.expect("actions that are performed");
        joins += made.joins.len();
        bounds += within_bounds(texture, &made);
        unreached += made.unreached.len();
        fallbacks += made.joins.iter().filter(|j| j.is_fallback).count();
        detours += made.detours.iter().map(|d| d.1).sum::<f64>();
        frames += made.clip.n_frames();
    }
    let ms = started.elapsed().as_secs_f64() * 1000.0 / frames as f64;
    println!(
        "| {} | {source:?} | {joins} | {bounds} | {fallbacks} | {unreached} | {detours:.0} | {ms:.2} |",
        actions.join(", ")
    );
}

/// Every label, steered to and fro between it and others for 14 s.
fn steering(texture: &Texture) {
    let others = ["walk", "run", "kick", "jog", "hop", "sneak"];
    let [mut joins, mut bounds, mut fallbacks, mut frames] = [0; 4];
    let started = Instant::now();
    for (seed, label) in texture.corpus().labels.iter().enumerate() {
        let at = |step: usize| Steer {
            secs: 2.0 * step as f64,
            heading_rad: 1.2 * step as f64,
            speed: None,
            action: Some(match step % 2 {
                0 => label.clone(),
                _ => others[(seed + step) % others.len()].to_owned(),
            }),
        };
        let steers: Vec<Steer> = (0..6).map(at).collect();
        let settings = PlaySettings {
            seed: seed as u64 + 1,
            ..PlaySettings::default()
        };
        let made = texture.perform_steering(&steers, 14.0, &settings, &Ticket::default());
        let made = made.expect("steering goes on wherever it leads");
        joins += made.joins.len();
        bounds += within_bounds(texture, &made);
        fallbacks += made.joins.iter().filter(|j| j.is_fallback).count();
        frames += made.clip.n_frames();
    }
    let ms = started.elapsed().as_secs_f64() * 1000.0 / frames as f64;
    println!(
        "steering, {} plays of 14 s: {joins} joins, {bounds} within bounds, {fallbacks} beyond the threshold, {ms:.2} ms a frame",
        texture.corpus().labels.len()
    );
}

/// What the upper level leaves to the search on frames: along the square, with and without it.
fn upper(texture: &Texture) {
    println!(
        "| square of 5 m | systems | steps tried | off the line before the warp, m |\n|---|---|---|---|"
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
                let each = found
                    .root
                    .iter()
                    .map(|p| path.nearest(p, 0.0..path.length()).1);
                off += each.sum::<f64>() / found.root.len() as f64 / 5.0;
            }
            let n = corridor.map_or(texture.systems().len(), |c| c.n_systems());
            println!("| {action} | {n} | {tried} | {off:.2} |");
        }
    }
}
