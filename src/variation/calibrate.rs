//! How strongly a model has to vary: found by letting it run.
//!
//! Nobody can say in advance how much of a random mood reaches the body through parents, pull and averaging. So the
//! model makes some variants and is compared with its own takes, by the same yardsticks as in [`crate::motion::metrics`]:
//! its variants shall differ among each other as much as the takes do (diversity at equal share of time), shall be as near
//! to the takes as those are to each other (nearest pose), and as smooth (jerk). That is what amount 1 means. Four
//! things answer for it: the scale of moods, how much of them the whole body has in common, and for each degree of freedom
//! the strength of detail, and calm where takes are smoother than the network runs ([`super::liveliness`]).
//! Only the takes themselves are used.

use std::sync::Arc;

use rayon::prelude::*;

use super::error::LearnError;
use super::liveliness::{self, FIRST_DETAIL};
use super::model::{Manner, Model};
use super::search::SHARE_OF_WORK;
use super::settings::SampleSettings;
use crate::jobs::Ticket;

/// Variants per trial. Jerk is mostly that of rare hard moments, so it takes more of them to be known.
const TRIALS: usize = 32;
const JERK_TRIALS: usize = 48;
/// At other amounts than 1, and on the way, jerk need not be known so well.
const ROUGH_TRIALS: usize = 16;
/// Takes and variants are compared at so many shares of their time.
const MOMENTS: usize = 32;
/// Of rare hard moments the few variants that anyone makes have less than the many of a trial: about a thirtieth of the jerk, as
/// measured on kicks, jumps, golf swings and walks.
const RARE: f64 = 1.03;
/// Bounds of what is found: beyond these something else is wrong.
const SCALES: (f64, f64) = (0.25, 1.5);
/// Amount 1 among [`Manner::AMOUNTS`].
const AS_TAKES: usize = 1;
/// Joints that all go by themselves add up to hands and feet faster than any real ones, however near each pose is: some of
/// every mood is common to all. This is also where the search begins.
const LEAST_TOGETHER: f64 = 0.5;
/// Some of every mood stays each node's own, or variants would be mere blends of takes.
const MOST_TOGETHER: f64 = 0.9;
/// At equal diversity poses get nearer by about this, in logarithms, from all nodes apart to all together. Measured on
/// walks, cheers and golf swings: 0.1 to 0.14 for half of the way.
const NEARER_TOGETHER: f64 = 0.27;
/// Steps of the search, and when it ends, in logarithms.
const MOST_STEPS: usize = 5;
const CLOSE_ENOUGH: f64 = 0.03;
/// Steps for a take that is alone.
const ALONE_STEPS: usize = 3;

/// Finds the manner of a model from two or more takes; one take keeps what it was given.
pub(super) fn calibrate(model: &Model, ticket: &Ticket) -> Result<Manner, LearnError> {
    let n = model.examples().n_dofs();
    if model.examples().n_takes() < 2 {
        return Ok(model.manner().clone());
    }
    let takes = takes(model);
    let mut manner = Manner {
        together: LEAST_TOGETHER,
        details: std::array::from_fn(|_| vec![FIRST_DETAIL; n]),
        spread: spreads(model),
        ..Manner::plain(n)
    };
    let wanted = Wanted {
        diversity: diversity(&takes, n),
        nearness: nearness(&takes, n),
        takes: &takes,
    };
    let wanted_jerk = wanted_jerks(&takes, n);
    for round in 0..2 {
        go_on(ticket, 0.25 * f64::from(round))?;
        fit_strength(model, &mut manner, &wanted, ticket)?;
        keep_near(model, &mut manner, &wanted, ticket)?;
        if round == 0 {
            liveliness::fit(model, &mut manner, AS_TAKES, ROUGH_TRIALS, &wanted_jerk)?;
        }
    }
    fit_details(model, manner, &wanted_jerk, ticket)
}

/// Tells how much of calibration is done, as a part of all of learning.
fn go_on(ticket: &Ticket, done: f64) -> Result<(), LearnError> {
    ticket.step(SHARE_OF_WORK + (1.0 - SHARE_OF_WORK) * done)?;
    Ok(())
}

/// The manner of a model of one take: it varies as much as the takes of another model did, as lively as its own.
pub(super) fn calibrate_alone(model: &Model, others: &Model) -> Result<Manner, LearnError> {
    let n = model.examples().n_dofs();
    let wanted = diversity(&takes(others), n);
    let mut manner = model.manner().clone();
    // The spread of one take is given, not found among neighbours; how much of it arrives is not.
    manner.scale = 1.0;
    for _ in 0..ALONE_STEPS {
        let found = diversity(&trial(model, &manner, 1.0, ROUGH_TRIALS)?, n);
        if !(found > 0.0 && wanted > 0.0) || (found / wanted).ln().abs() < CLOSE_ENOUGH {
            break;
        }
        manner.scale = (manner.scale * wanted / found).clamp(SCALES.0, SCALES.1);
    }
    let wanted = wanted_jerks(&takes(model), n);
    fit_details(model, manner, &wanted, &Ticket::default())
}

/// The rows of every take.
pub(super) fn takes(model: &Model) -> Vec<Vec<f64>> {
    let examples = model.examples();
    let takes = 0..examples.n_takes();
    takes.map(|take| examples.take(take).to_vec()).collect()
}

/// Calm and detail at all amounts.
fn fit_details(
    model: &Model,
    mut manner: Manner,
    wanted: &[f64],
    ticket: &Ticket,
) -> Result<Manner, LearnError> {
    for at in 0..Manner::AMOUNTS.len() {
        go_on(ticket, 0.5 + 0.5 * at as f64 / Manner::AMOUNTS.len() as f64)?;
        let n_variants = if at == AS_TAKES {
            JERK_TRIALS
        } else {
            ROUGH_TRIALS
        };
        liveliness::fit(model, &mut manner, at, n_variants, wanted)?;
    }
    Ok(manner)
}

/// What variants shall be like.
struct Wanted<'a> {
    /// How much takes differ from each other.
    diversity: f64,
    /// How near takes are to each other.
    nearness: f64,
    takes: &'a [Vec<f64>],
}

/// Finds the scale at which variants differ from each other as much as takes do, and how much the body has to go together for
/// them to be as near to the takes as the takes are to each other: by secants in logarithms, both at once.
fn fit_strength(
    model: &Model,
    manner: &mut Manner,
    wanted: &Wanted<'_>,
    ticket: &Ticket,
) -> Result<(), LearnError> {
    let n = model.examples().n_dofs();
    let mut last: Option<(f64, f64)> = None;
    for _ in 0..MOST_STEPS {
        ticket.check()?;
        let variants = trial(model, manner, 1.0, TRIALS)?;
        let found = diversity(&variants, n);
        let near = mean_nearest(&variants, wanted.takes, n);
        if !(found > 0.0 && wanted.diversity > 0.0 && near > 0.0 && wanted.nearness > 0.0) {
            break;
        }
        let (x, y) = (manner.scale.ln(), (found / wanted.diversity).ln());
        let off = (near / wanted.nearness).ln();
        let is_together =
            off.abs() < CLOSE_ENOUGH || (off < 0.0 && manner.together == LEAST_TOGETHER);
        if y.abs() < CLOSE_ENOUGH && (is_together || manner.together == MOST_TOGETHER) {
            break;
        }
        // Pace and start vary, too, so diversity grows less than the scale does.
        let slope = match last {
            Some((x0, y0)) if (x - x0).abs() > 0.02 => ((y - y0) / (x - x0)).clamp(0.3, 1.5),
            _ => 0.7,
        };
        last = Some((x, y));
        manner.scale = (x - y / slope).exp().clamp(SCALES.0, SCALES.1);
        // Another scale will change nearness as much as it changes diversity.
        let rest = off - y;
        let together = manner.together + rest / NEARER_TOGETHER;
        manner.together = together.clamp(LEAST_TOGETHER, MOST_TOGETHER);
    }
    Ok(())
}

/// Where takes differ in timing most of all, poses should not make up for it: the scale is lowered until variants are as
/// near to the takes as the takes are to each other.
fn keep_near(
    model: &Model,
    manner: &mut Manner,
    wanted: &Wanted<'_>,
    ticket: &Ticket,
) -> Result<(), LearnError> {
    let n = model.examples().n_dofs();
    for _ in 0..2 {
        ticket.check()?;
        let variants = trial(model, manner, 1.0, TRIALS)?;
        let found = mean_nearest(&variants, wanted.takes, n);
        if found <= wanted.nearness * CLOSE_ENOUGH.exp() || wanted.nearness <= 0.0 {
            break;
        }
        manner.scale = (manner.scale * wanted.nearness / found).max(SCALES.0);
    }
    Ok(())
}

/// Mean distance of a take's frames to the nearest frame of the other takes.
fn nearness(takes: &[Vec<f64>], n: usize) -> f64 {
    let each = (0..takes.len()).map(|take| {
        let others: Vec<Vec<f64>> = (0..takes.len())
            .filter(|&other| other != take)
            .map(|other| takes[other].clone())
            .collect();
        mean_nearest(&takes[take..=take], &others, n)
    });
    // A variant has one take more to be near to than a take has: poses of a kind fill about three dimensions.
    let n_takes = takes.len() as f64;
    each.sum::<f64>() / n_takes * ((n_takes - 1.0) / n_takes).cbrt()
}

/// Mean over every third frame of some tables of the root mean square distance to the nearest frame of others.
fn mean_nearest(tables: &[Vec<f64>], others: &[Vec<f64>], n: usize) -> f64 {
    let of_row = |row: &[f64]| {
        let all = others.iter().flat_map(|o| o.chunks_exact(n));
        let squares = all.map(|o| row.iter().zip(o).map(|(a, b)| (a - b).powi(2)).sum::<f64>());
        (squares.fold(f64::INFINITY, f64::min) / n as f64).sqrt()
    };
    let each: Vec<Vec<f64>> = tables
        .par_iter()
        .map(|table| table.chunks_exact(n).step_by(3).map(of_row).collect())
        .collect();
    let count: usize = each.iter().map(Vec::len).sum();
    each.iter().flatten().sum::<f64>() / count.max(1) as f64
}

/// How trials are drawn, apart from what users draw.
pub(super) fn trial_settings(model: &Model, amount: f64) -> SampleSettings {
    SampleSettings {
        amount,
        seed: model.settings().seed ^ 0xCA11_B8A7E,
        ..SampleSettings::default()
    }
}

/// Some variants, always of the same random numbers, so that only the manner makes a difference.
pub(super) fn trial(
    model: &Model,
    manner: &Manner,
    amount: f64,
    n_variants: usize,
) -> Result<Vec<Vec<f64>>, LearnError> {
    let model = Arc::new(model.with_manner(manner.clone()));
    let settings = trial_settings(&model, amount);
    (0..n_variants)
        .into_par_iter()
        .map(|variant| {
            let mut sampler = model.sampler(&settings, variant as u64)?;
            let mut rows = Vec::new();
            loop {
                rows.extend_from_slice(sampler.next_row());
                if sampler.is_over() {
                    return Ok(rows);
                }
            }
        })
        .collect()
}

/// Root mean square distance of two clips at equal share of their time, over all pairs.
pub(super) fn diversity(tables: &[Vec<f64>], n: usize) -> f64 {
    let count = tables.len() as f64;
    let mut sum = 0.0;
    for moment in 0..MOMENTS {
        let share = moment as f64 / (MOMENTS - 1) as f64;
        for dof in 0..n {
            let value = |table: &Vec<f64>| {
                let last = table.len() / n - 1;
                let at = share * last as f64;
                let (low, part) = (at as usize, at.fract());
                let high = (low + 1).min(last);
                table[low * n + dof] * (1.0 - part) + table[high * n + dof] * part
            };
            let mean = tables.iter().map(value).sum::<f64>() / count;
            let squares: f64 = tables.iter().map(|t| (value(t) - mean).powi(2)).sum();
            sum += 2.0 * squares / (count - 1.0);
        }
    }
    (sum / (MOMENTS * n) as f64).sqrt()
}

/// The jerk that variants are calibrated for.
fn wanted_jerks(takes: &[Vec<f64>], n: usize) -> Vec<f64> {
    let jerks = jerks(takes, n);
    jerks.into_iter().map(|jerk| RARE * jerk).collect()
}

/// Root mean square third difference of every degree of freedom.
pub(super) fn jerks(tables: &[Vec<f64>], n: usize) -> Vec<f64> {
    let mut sums = vec![0.0; n];
    let mut count = 0.0;
    for table in tables {
        for four in table.windows(4 * n).step_by(n) {
            for (dof, sum) in sums.iter_mut().enumerate() {
                let [a, b, c, d] = [0, 1, 2, 3].map(|i| four[i * n + dof]);
                *sum += (d - 3.0 * c + 3.0 * b - a).powi(2);
            }
            count += 1.0;
        }
    }
    sums.iter()
        .map(|s| f64::sqrt(s / f64::max(count, 1.0)))
        .collect()
}

/// Standard deviation between takes of every degree of freedom at equal progress.
fn spreads(model: &Model) -> Vec<f64> {
    let examples = model.examples();
    let n = examples.n_dofs();
    let n_takes = examples.n_takes() as f64;
    let rows_at = |share: f64| -> Vec<usize> {
        let takes = examples.takes.iter();
        takes
            .map(|rows| {
                let along = |row: &usize| examples.progress.of(*row) < share;
                let known = !examples.progress.at.is_empty();
                let by_time = rows.start + (share * (rows.len() - 1) as f64) as usize;
                let found = rows.clone().take_while(along).count() + rows.start;
                if known {
                    found.min(rows.end - 1)
                } else {
                    by_time
                }
            })
            .collect()
    };
    let mut sums = vec![0.0; n];
    let variance = |values: &[f64]| {
        let mean = values.iter().sum::<f64>() / n_takes;
        let squares: f64 = values.iter().map(|x| (x - mean).powi(2)).sum();
        squares / (n_takes - 1.0)
    };
    for moment in 0..MOMENTS {
        let rows = rows_at((moment as f64 + 0.5) / MOMENTS as f64);
        for (dof, sum) in sums.iter_mut().enumerate() {
            let values: Vec<f64> = rows.iter().map(|&row| examples.row(row)[dof]).collect();
            *sum += variance(&values) / MOMENTS as f64;
        }
    }
    sums.iter().map(|s| s.sqrt()).collect()
}
