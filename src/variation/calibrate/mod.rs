//! The one strength that is not in the network: how much detail a variant gets.
//!
//! It matches one statistic of the takes: the median over joints of their jerk (mean square third difference). Mean motion and network
//! have some jerk of their own; detail adds the rest. Jerk adds up by squares, so a dozen short runs tell the gain at any amount.

use std::sync::Arc;

use super::error::LearnError;
use super::network::phase_model::PhaseModel;
use super::sample::{NetworkSampler, Tables};
use super::settings::SampleSettings;
use super::takes::Examples;

/// Variants that jerk is taken from.
const RUNS: u64 = 12;
/// Names their random numbers.
const SEED: u64 = 0xCA11;
/// Interpolation takes some detail away; more than this makes up for no such loss.
const MOST_GAIN: f64 = 2.5;

/// How much detail variants get at any amount.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct DetailGain {
    /// By joint: jerk of the mean, of what the network draws, and of detail.
    shares: Arc<Vec<[f64; 3]>>,
    /// The median over joints of the takes' jerk.
    wanted: f64,
}

impl DetailGain {
    /// Lets a model run: without anything, with what the network draws, and with detail.
    pub(super) fn of(
        examples: &Examples,
        model: &Arc<PhaseModel>,
        tables: &Arc<Tables>,
    ) -> Result<Self, LearnError> {
        let n = examples.n_dofs();
        let takes: Vec<&[f64]> = (0..examples.n_takes()).map(|t| examples.take(t)).collect();
        let wanted = mean_jerks(&takes, n);
        let run = |amount: f64, gain: f64, count: u64| -> Result<Vec<f64>, LearnError> {
            let settings = SampleSettings {
                amount,
                seed: SEED,
                ..SampleSettings::default()
            };
            let variants = (0..count)
                .map(|variant| {
                    let parts = (model, tables);
                    let sampler = NetworkSampler::with_gain(parts, &settings, gain, variant)?;
                    Ok(sampler.run())
                })
                .collect::<Result<Vec<Vec<f64>>, LearnError>>()?;
            let rows: Vec<&[f64]> = variants.iter().map(Vec::as_slice).collect();
            Ok(mean_jerks(&rows, n))
        };
        let mean = run(0.0, 0.0, 1)?;
        let slow = run(1.0, 0.0, RUNS)?;
        let detail = run(1.0, 1.0, RUNS)?;
        let is_joint = |dof: &usize| model.phases.anatomy.rate_of(*dof).is_none();
        let joints: Vec<usize> = (0..n).filter(is_joint).collect();
        let shares = joints.iter().map(|&dof| {
            let [mean, slow, detail] = [mean[dof], slow[dof], detail[dof]];
            [mean, (slow - mean).max(0.0), (detail - slow).max(0.0)]
        });
        Ok(Self {
            shares: Arc::new(shares.collect()),
            wanted: median(joints.iter().map(|&dof| wanted[dof]).collect()),
        })
    }

    /// The gain with which the median joint has the jerk of the takes.
    pub(super) fn at(&self, amount: f64) -> f64 {
        let rough = |gain: f64| {
            let all = self.shares.iter();
            median(
                all.map(|[mean, slow, detail]| {
                    mean + amount * amount * slow + gain * gain * detail
                })
                .collect(),
            )
        };
        let (mut low, mut high) = (0.0, MOST_GAIN);
        for _ in 0..20 {
            let middle = 0.5 * (low + high);
            if rough(middle) < self.wanted {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

/// By degree of freedom, the mean square third difference over some motions.
fn mean_jerks(motions: &[&[f64]], n: usize) -> Vec<f64> {
    let mut sums = vec![0.0; n];
    let mut count = 0.0;
    for rows in motions {
        for at in 3..rows.len() / n {
            for (dof, sum) in sums.iter_mut().enumerate() {
                let [a, b, c, d] = [0, 1, 2, 3].map(|back| rows[(at - back) * n + dof]);
                *sum += (a - 3.0 * b + 3.0 * c - d).powi(2);
            }
            count += 1.0;
        }
    }
    sums.iter().map(|sum| sum / f64::max(count, 1.0)).collect()
}
