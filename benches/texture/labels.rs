//! Each label played, held against its clips.

use std::time::Instant;

use kinfolk::motion::chart::DofKind;
use kinfolk::motion::{Body, Clip};
use kinfolk::texture::{LabelledClip, Source, Texture};
use rayon::prelude::*;

use super::{PLAYS, learn, play};

/// Frames of the same clip so near do not count as another take, where a label has few clips.
const APART_SECS: f64 = 0.75;

pub(super) fn labels(texture: &Texture) {
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

/// Learned from every second clip of a label, played, and held against the clips that were kept back: how far a play
/// is from those, of how far the clips are that it was learned from. A play that is as good as another take has 1.
pub(super) fn halves(clips: &[LabelledClip]) {
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

/// Median over the columns of the ratio of median jerks: clips with flips have some fifty times as much.
fn jerk_ratio(plays: &[Rows], real: &[&Rows]) -> f64 {
    let made: Vec<Vec<f64>> = plays.iter().map(Rows::jerk).collect();
    let takes: Vec<Vec<f64>> = real.iter().map(|r| r.jerk()).collect();
    let of = |all: &[Vec<f64>], d: usize| median(all.iter().map(|j| j[d]).collect());
    let each = (0..plays[0].width).map(|d| of(&made, d) / of(&takes, d).max(1e-9));
    median(each.collect())
}
