//! As lively as the takes, and as smooth: detail and calm, found by letting a model run.
//!
//! Averaging over neighbours takes away what is quick, and neighbours that come and go add small jolts. What is left of the
//! one and what comes of the other differs from joint to joint: in jumps, knees of variants had twice the jerk of the takes' knees while
//! their ankles had less than the takes'. So each degree of freedom gets back as much detail, or is averaged with its
//! frames before and after, as its own jerk in the takes asks for.

use super::calibrate::{jerks, trial};
use super::calm::averaged;
use super::error::LearnError;
use super::model::{Manner, Model};

/// More detail than this is no detail any more.
const MOST_DETAIL: f64 = 1.5;
/// Where the search begins.
pub(super) const FIRST_DETAIL: f64 = 0.7;
/// How often strengths of detail are tried: those of parents change what reaches a node.
const ROUNDS: usize = 2;
/// Calm is raised by this power of what is too much in jerk.
const CALMER: f64 = 0.8;
/// Calm is found to a tenth of a frame.
const CALM_STEPS: usize = 6;

/// Calm and detail at one of [`Manner::AMOUNTS`], from so many variants a trial.
pub(super) fn fit(
    model: &Model,
    manner: &mut Manner,
    at: usize,
    n_variants: usize,
    wanted: &[f64],
) -> Result<(), LearnError> {
    let n = wanted.len();
    let mut with = |details: &[f64]| {
        manner.details[at].copy_from_slice(details);
        manner.calms[at].fill(0.0);
        trial(model, manner, Manner::AMOUNTS[at], n_variants)
    };
    let plain = with(&vec![0.0; n])?;
    let without = jerks(&plain, n);
    let mut details = vec![FIRST_DETAIL; n];
    for _ in 0..ROUNDS {
        let found = jerks(&with(&details)?, n);
        for (dof, detail) in details.iter_mut().enumerate() {
            let [wanted, without, found] = [wanted, &without, &found].map(|j| j[dof] * j[dof]);
            *detail = stronger(*detail, wanted - without, found - without);
        }
    }
    manner.details[at] = details;
    let rough: Vec<usize> = (0..n).filter(|&dof| without[dof] > wanted[dof]).collect();
    for &dof in &rough {
        let curves: Vec<Vec<f64>> = plain.iter().map(|rows| column(rows, n, dof)).collect();
        manner.calms[at][dof] = calm(&curves, wanted[dof]);
    }
    // Where a variant begins and ends it is calmed in another way: look how rough it is as a whole.
    for _ in 0..if rough.is_empty() { 0 } else { ROUNDS } {
        let found = jerks(&trial(model, manner, Manner::AMOUNTS[at], n_variants)?, n);
        for &dof in &rough {
            let calmer = (found[dof] / wanted[dof]).powf(CALMER).clamp(0.7, 1.5);
            let calm = &mut manner.calms[at][dof];
            *calm = (*calm * calmer).min(Manner::MOST_CALM);
        }
    }
    Ok(())
}

/// The strength of detail that brings what is missing, if this one brought so much. Squares of jerk are about a sum: what comes
/// without detail, and what detail adds by its square.
fn stronger(detail: f64, missing: f64, added: f64) -> f64 {
    if missing <= 0.0 {
        0.0
    } else if added <= 0.0 {
        MOST_DETAIL
    } else {
        (detail * (missing / added).sqrt()).min(MOST_DETAIL)
    }
}

/// How far frames have to be averaged with those around them for these curves to be no rougher than wanted: by halving.
fn calm(curves: &[Vec<f64>], wanted: f64) -> f64 {
    let is_rough = |calm: f64| {
        let calmed: Vec<_> = curves.iter().map(|curve| averaged(curve, calm)).collect();
        jerks(&calmed, 1)[0] > wanted
    };
    let (mut low, mut high) = (0.0, Manner::MOST_CALM);
    for _ in 0..CALM_STEPS {
        let middle = 0.5 * (low + high);
        if is_rough(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// One degree of freedom of a table.
pub(super) fn column(rows: &[f64], n: usize, dof: usize) -> Vec<f64> {
    rows.iter().skip(dof).step_by(n).copied().collect()
}
