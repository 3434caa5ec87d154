//! Each label played, held against its clips.

use std::time::Instant;

use kinfolk::motion::chart::DofKind;
use kinfolk::motion::{Body, Clip};
use kinfolk::texture::{LabelledClip, Performance, Source, Texture};
use rayon::prelude::*;

use super::{PLAYS, learn, play};

/// Frames of the same clip so near do not count as another take, where a label has few clips.
const APART_SECS: f64 = 0.75;

pub(super) fn labels(texture: &Texture) {
    let corpus = texture.corpus();
    let clips = (0..corpus.clips.len()).into_par_iter();
    let rows: Vec<Rows> = clips.map(|c| Rows::of_corpus(texture, c)).collect();
    println!(
        "| label | clips off their share | nearest pose, of real | jerk, of real | of replay | recognised | of real | amplitude, of real | diversity | of replay | ms a frame |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for (label, name) in corpus.labels.iter().enumerate() {
        let own: Vec<usize> = (0..rows.len())
            .filter(|&c| corpus.clips[c].label == label)
            .collect();
        let (real, recognised) = real_nearest(texture, &rows, &own);
        let started = Instant::now();
        let made = |source| -> Vec<Performance> {
            let plays = (1..=PLAYS).map(|seed| play(texture, name, source, seed));
            plays.collect()
        };
        let rows_of = |plays: &[Performance]| -> Vec<Rows> {
            plays.iter().map(|p| Rows::of(texture, &p.clip)).collect()
        };
        let played = made(Source::Systems);
        let off = off_share(texture, &own, &played);
        let plays = rows_of(&played);
        let frames: usize = plays.iter().map(|p| p.rows().len()).sum();
        let ms = started.elapsed().as_secs_f64() * 1000.0 / frames as f64;
        let replays = rows_of(&made(Source::Replay));
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
        let takes: Vec<&Rows> = own.iter().map(|&c| &rows[c]).collect();
        println!(
            "| {name} | {:.0} % | {:.2} | {:.2} | {:.2} | {:.0} % | {:.0} % | {:.2} | {:.2} | {:.2} | {ms:.2} |",
            100.0 * off,
            near / real,
            jerk_ratio(texture, &refs(&plays), &takes),
            jerk_ratio(texture, &refs(&plays), &refs(&replays)),
            100.0 * same,
            100.0 * recognised,
            spread(&refs(&plays)) / spread(&takes),
            diversity(&plays),
            diversity(&replays),
        );
    }
}

/// The share of the time in which plays would have to show other clips of a label, to show each as much as was captured
/// of it.
fn off_share(texture: &Texture, own: &[usize], plays: &[Performance]) -> f64 {
    let clips = &texture.corpus().clips;
    let captured = |&clip: &usize| clips[clip].is_clean.iter().filter(|c| **c).count() as f64;
    let all: f64 = own.iter().map(captured).sum();
    let shown = plays.iter().flat_map(|p| &p.shown);
    let mut counts = vec![0.0; clips.len()];
    let mut total = 0.0;
    for at in shown {
        counts[at.clip] += 1.0;
        total += 1.0;
    }
    let off = own
        .iter()
        .map(|c| (counts[*c] / total - captured(c) / all).abs());
    0.5 * off.sum::<f64>()
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
/// And the other way round: how far those are from the nearest that was played, of the nearest that was learned from.
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
        "| label, half of its clips learned | plays to the other half, of clips to clips | of replay | the other half to plays, of to clips | of replay |\n|---|---|---|---|---|"
    );
    for (name, n) in seen_of.iter().filter(|(_, n)| **n >= LEAST_CLIPS) {
        let own = texture.corpus().clips.iter();
        let own = own.filter(|c| texture.corpus().labels[c.label] == *name);
        let own: Vec<Rows> = own.map(|c| of(&c.join.clip)).collect();
        let others = kept.iter().filter(|c| c.label == *name);
        let others: Vec<Rows> = others.map(|c| of(&c.clip)).collect();
        let plays = |source| -> Vec<Rows> {
            let plays = (1..=PLAYS).map(|seed| play(&texture, name, source, seed));
            plays.map(|p| of(&p.clip)).collect()
        };
        let (there, back) = (apart(&own, &others), apart(&others, &own));
        let [made, replayed] = [Source::Systems, Source::Replay].map(plays);
        println!(
            "| {name}, {n} clips | {:.2} | {:.2} | {:.2} | {:.2} |",
            apart(&made, &others) / there,
            apart(&replayed, &others) / there,
            apart(&others, &made) / back,
            apart(&others, &replayed) / back,
        );
    }
}

/// Median distance of a frame of some motions to the nearest frame of others.
fn apart(some: &[Rows], others: &[Rows]) -> f64 {
    let each = some.par_iter().flat_map_iter(|r| {
        let all = || others.iter().flat_map(Rows::rows).map(|o| (0, o));
        let rows = r.rows().step_by(5);
        rows.map(|row| nearest(row, all()).0).collect::<Vec<_>>()
    });
    median(each.collect())
}

fn refs(all: &[Rows]) -> Vec<&Rows> {
    all.iter().collect()
}

/// Standardised turns of all joints but fingers, frame by frame.
struct Rows {
    width: usize,
    values: Vec<f64>,
    is_clean: Vec<bool>,
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
            is_clean: vec![true; clip.n_frames()],
        }
    }

    /// A clip of the corpus, which may have broken frames.
    fn of_corpus(texture: &Texture, clip: usize) -> Self {
        let clip = &texture.corpus().clips[clip];
        Self {
            is_clean: clip.is_clean.clone(),
            ..Self::of(texture, &clip.join.clip)
        }
    }

    fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> + Clone {
        self.values.chunks_exact(self.width)
    }

    /// For each column the jerk of every second: the deviation of its third difference.
    fn jerk(&self, second: usize) -> Vec<Vec<f64>> {
        let rows: Vec<&[f64]> = self.rows().collect();
        let seconds = (0..rows.len().saturating_sub(second)).step_by(second);
        let clean = seconds.filter(|&at| self.is_clean[at..at + second].iter().all(|c| *c));
        let starts: Vec<usize> = clean.collect();
        let of = |at: usize, d: usize| {
            let each = rows[at..at + second].windows(4);
            let squares = each.map(|w| (w[3][d] - 3.0 * w[2][d] + 3.0 * w[1][d] - w[0][d]).powi(2));
            (squares.sum::<f64>() / (second - 3) as f64).sqrt()
        };
        (0..self.width)
            .map(|d| starts.iter().map(|&at| of(at, d)).collect())
            .collect()
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

/// Median over the columns of the ratio of jerks. Every second without broken frames counts alike.
fn jerk_ratio(texture: &Texture, plays: &[&Rows], real: &[&Rows]) -> f64 {
    let second = texture.corpus().frames_in(1.0);
    let mean = |all: &[&Rows]| -> Vec<f64> {
        let each: Vec<Vec<Vec<f64>>> = all.iter().map(|r| r.jerk(second)).collect();
        let of = |d: usize| {
            let seconds: Vec<f64> = each.iter().flat_map(|r| r[d].iter().copied()).collect();
            seconds.iter().sum::<f64>() / seconds.len().max(1) as f64
        };
        (0..all[0].width).map(of).collect()
    };
    let (made, takes) = (mean(plays), mean(real));
    let each = made.iter().zip(&takes).map(|(m, t)| m / t.max(1e-9));
    median(each.collect())
}
