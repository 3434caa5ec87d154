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
use kinfolk::motion::{Body, Clip};
use kinfolk::texture::search::LabelRoutes;
use kinfolk::texture::{
    LabelledClip, Ordered, Performance, PlaySettings, Source, Texture, TextureSettings, evaluation,
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
    if wanted("paths") {
        paths(&texture);
    }
    if wanted("orders") {
        orders(&texture);
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
        "| path | action | frames from | mean, cm | p95, cm | hits | walked | skate, cm/s | of the clips | joins | within bounds | left to the warp | s |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
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
    let settings = PathSettings {
        least_radius: 0.5 / metres,
    };
    let path = FloorPath::new(points, &settings).expect("a path");
    let (mut sums, mut bounds, mut joins) = ([0.0; 7], 0, 0);
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
    }
    let [mean, p95, hits, walked, skate, bent, secs] = sums;
    let clips = corpus_skate(texture, actions);
    println!(
        "| {name} | {} | {source:?} | {mean:.2} | {p95:.2} | {hits:.2} | {walked:.2} | {skate:.1} | {clips:.1} | {joins} | {bounds} | {bent:.1} m | {secs:.2} |",
        actions.join(", "),
    );
}

/// How fast toes move that are down in clips of an action; cm/s.
fn corpus_skate(texture: &Texture, actions: &[String]) -> f64 {
    let corpus = texture.corpus();
    let is_own = |label: &str| {
        actions
            .iter()
            .any(|a| label == a || label == format!("{a}_turn"))
    };
    let own = corpus
        .clips
        .iter()
        .filter(|c| is_own(&corpus.labels[c.label]));
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

fn orders(texture: &Texture) {
    let order: Vec<Ordered> = ["walk", "run", "kick"]
        .iter()
        .map(|action| Ordered {
            action: (*action).to_owned(),
            secs: 4.0,
        })
        .collect();
    println!("| walk, run, kick | joins | within bounds | not reached |\n|---|---|---|---|");
    for source in [Source::Systems, Source::Replay] {
        let (mut joins, mut bounds, mut unreached) = (0, 0, 0);
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
        }
        println!("| {source:?}, ten seeds | {joins} | {bounds} | {unreached} |");
    }
}
