//! How strongly a model has to vary: found by letting it run.
//!
//! Nobody can say in advance how much of a random mood reaches the body through parents, pull and averaging. So the
//! model makes some variants and is compared with its own takes, by the same yardsticks as in [`crate::motion::metrics`]:
//! its variants shall differ among each other as much as the takes do (diversity at equal share of time), shall be as near
//! to the takes as those are to each other (nearest pose), and as smooth (jerk). That is what amount 1 means. Four
//! numbers answer for it: the scale of moods, how much of them the whole body has in common, the strength of detail, and calm
//! where takes are smoother than the network runs.
//! Only the takes themselves are used.

use std::sync::Arc;

use rayon::prelude::*;

use super::calm::averaged;
use super::error::LearnError;
use super::model::{Manner, Model};
use super::search::SHARE_OF_WORK;
use super::settings::SampleSettings;
use crate::jobs::Ticket;

/// Variants per trial.
const TRIALS: usize = 16;
/// Takes and variants are compared at so many shares of their time.
const MOMENTS: usize = 32;
/// Bounds of what is found: beyond these something else is wrong.
const SCALES: (f64, f64) = (0.25, 2.5);
const DETAILS: (f64, f64) = (0.0, 1.5);
/// Where the search begins.
const FIRST_DETAIL: f64 = 0.7;
const FIRST_TOGETHER: f64 = 0.4;
/// A strength of detail is trusted if one was tried so near to it, in logarithms.
const TRIED_NEAR: f64 = 0.2;
/// Some of every mood stays each node's own, or variants would be mere blends of takes.
const MOST_TOGETHER: f64 = 0.9;
/// At equal diversity poses get nearer by about this, in logarithms, from all nodes apart to all together. Measured on
/// walks, cheers and golf swings: 0.1 to 0.14 for half of the way.
const NEARER_TOGETHER: f64 = 0.27;
/// Steps of the search, and when it ends, in logarithms.
const MOST_STEPS: usize = 5;
const CLOSE_ENOUGH: f64 = 0.03;
/// Calm is found to a tenth of a frame.
const CALM_STEPS: usize = 6;

/// Finds the manner of a model from two or more takes; one take keeps what it was given.
pub(super) fn calibrate(model: &Model, ticket: &Ticket) -> Result<Manner, LearnError> {
    let n = model.examples().n_dofs();
    if model.examples().n_takes() < 2 {
        return Ok(model.manner().clone());
    }
    let takes = takes(model);
    let (spread, pace_spread) = spreads(model);
    let mut manner = Manner {
        scale: 1.0,
        together: FIRST_TOGETHER,
        details: [FIRST_DETAIL; 4],
        calms: [0.0; 4],
        spread,
        pace_spread,
    };
    let wanted = Wanted {
        diversity: diversity(&takes, n),
        nearness: nearness(&takes, n),
        takes: &takes,
    };
    let wanted_jerk = jerks(&takes, n);
    for round in 0..2 {
        go_on(ticket, 0.25 * f64::from(round))?;
        fit_strength(model, &mut manner, &wanted, ticket)?;
        keep_near(model, &mut manner, &wanted, ticket)?;
        if round == 0 {
            manner.details = [fit_detail(model, &manner, 1.0, &wanted_jerk)?; 4];
        }
    }
    fit_details(model, manner, &wanted_jerk, ticket)
}

/// Tells how much of calibration is done, as a part of all of learning.
fn go_on(ticket: &Ticket, done: f64) -> Result<(), LearnError> {
    ticket.step(SHARE_OF_WORK + (1.0 - SHARE_OF_WORK) * done)?;
    Ok(())
}

/// The manner of a model of one take: its strength was given, but what averaging takes away is found anew.
pub(super) fn calibrate_detail(model: &Model) -> Result<Manner, LearnError> {
    let wanted = jerks(&takes(model), model.examples().n_dofs());
    let manner = model.manner().clone();
    fit_details(model, manner, &wanted, &Ticket::default())
}

fn takes(model: &Model) -> Vec<Vec<f64>> {
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
    for (at, &amount) in Manner::AMOUNTS.iter().enumerate() {
        go_on(ticket, 0.5 + 0.5 * at as f64 / Manner::AMOUNTS.len() as f64)?;
        manner.calms[at] = fit_calm(model, &manner, amount, wanted)?;
        manner.details[at] = fit_detail(model, &manner, amount, wanted)?;
    }
    Ok(manner)
}

/// How far frames have to be averaged with those around them for variants without detail to be no rougher than the takes: by
/// halving.
fn fit_calm(
    model: &Model,
    manner: &Manner,
    amount: f64,
    wanted: &[f64],
) -> Result<f64, LearnError> {
    let n = model.examples().n_dofs();
    let manner = Manner {
        details: [0.0; 4],
        calms: [0.0; 4],
        ..manner.clone()
    };
    let variants = trial(model, manner, amount)?;
    let is_rough = |calm: f64| {
        let calmed: Vec<_> = variants.iter().map(|v| averaged(v, n, calm)).collect();
        jerk_ratio(&jerks(&calmed, n), wanted) > 1.0
    };
    if !is_rough(0.0) {
        return Ok(0.0);
    }
    let (mut low, mut high) = (0.0, Manner::MOST_CALM);
    for _ in 0..CALM_STEPS {
        let middle = 0.5 * (low + high);
        if is_rough(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(high)
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
        let variants = trial(model, manner.clone(), 1.0)?;
        let found = diversity(&variants, n);
        let near = mean_nearest(&variants, wanted.takes, n);
        if !(found > 0.0 && wanted.diversity > 0.0 && near > 0.0 && wanted.nearness > 0.0) {
            break;
        }
        let (x, y) = (manner.scale.ln(), (found / wanted.diversity).ln());
        let off = (near / wanted.nearness).ln();
        let is_together = off.abs() < CLOSE_ENOUGH || (off < 0.0 && manner.together == 0.0);
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
        manner.together = together.clamp(0.0, MOST_TOGETHER);
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
        let variants = trial(model, manner.clone(), 1.0)?;
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

/// The strength of detail at which jerk is that of the takes. Squares of jerk are about a sum: what comes without detail, and
/// what detail adds by its square. A median of such sums is not quite one, so far from where it was tried the strength is
/// tried once more.
fn fit_detail(
    model: &Model,
    manner: &Manner,
    amount: f64,
    wanted: &[f64],
) -> Result<f64, LearnError> {
    let n = model.examples().n_dofs();
    let square = |detail: f64| -> Result<f64, LearnError> {
        // Whatever the amount, this trial uses this detail.
        let manner = Manner {
            details: [detail * Manner::AMOUNTS[0] / amount.min(Manner::AMOUNTS[0]); 4],
            ..manner.clone()
        };
        let variants = trial(model, manner, amount)?;
        Ok(jerk_ratio(&jerks(&variants, n), wanted).powi(2))
    };
    let without = square(0.0)?;
    let mut tried = FIRST_DETAIL;
    for _ in 0..2 {
        let added = (square(tried)? - without) / (tried * tried);
        if added <= 1e-9 || without >= 1.0 {
            return Ok(0.0);
        }
        let gain = ((1.0 - without) / added).sqrt().clamp(DETAILS.0, DETAILS.1);
        let is_near = (gain / tried).ln().abs() < TRIED_NEAR;
        tried = gain;
        if is_near {
            break;
        }
    }
    Ok(tried)
}

/// Some variants, always of the same random numbers, so that only the manner makes a difference.
fn trial(model: &Model, manner: Manner, amount: f64) -> Result<Vec<Vec<f64>>, LearnError> {
    let model = Arc::new(model.with_manner(manner));
    let settings = SampleSettings {
        amount,
        seed: model.settings().seed ^ 0xCA11_B8A7E,
        ..SampleSettings::default()
    };
    (0..TRIALS)
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

/// Median against median, as in the metrics.
fn jerk_ratio(found: &[f64], wanted: &[f64]) -> f64 {
    let median = |values: &[f64]| {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted[sorted.len() / 2]
    };
    let wanted = median(wanted);
    if wanted > 0.0 {
        median(found) / wanted
    } else {
        1.0
    }
}

/// Standard deviation between takes of every degree of freedom at equal progress, and of the pace as a share of it.
fn spreads(model: &Model) -> (Vec<f64>, f64) {
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
    let mut pace = 0.0;
    let variance = |values: &[f64]| {
        let mean = values.iter().sum::<f64>() / n_takes;
        let squares: f64 = values.iter().map(|x| (x - mean).powi(2)).sum();
        (mean, squares / (n_takes - 1.0))
    };
    for moment in 0..MOMENTS {
        let rows = rows_at((moment as f64 + 0.5) / MOMENTS as f64);
        for (dof, sum) in sums.iter_mut().enumerate() {
            let values: Vec<f64> = rows.iter().map(|&row| examples.row(row)[dof]).collect();
            *sum += variance(&values).1 / MOMENTS as f64;
        }
        let steps: Vec<f64> = rows
            .iter()
            .map(|&row| examples.progress.step(row))
            .collect();
        let (mean, spread) = variance(&steps);
        if mean > 0.0 {
            pace += spread / (mean * mean) / MOMENTS as f64;
        }
    }
    (sums.iter().map(|s| s.sqrt()).collect(), pace.sqrt())
}
