//! Plain random blending, to compare variants with: clips in step are mixed with random weights.
//!
//! What many tools offer as "variation": all clips are brought to a common phase and their degrees of freedom are averaged with weights
//! that are equally likely anywhere between the clips. It never leaves what lies between the inputs, so it varies less than people do.

use crate::motion::alignment::{AlignError, AlignSettings, align_set};
use crate::motion::chart::{ChartError, ChartSettings, Curves, DofChart, Start};
use crate::motion::metrics::{MOST_FPS, common_fps};
use crate::motion::{Clip, ClipInfo, edit};
use crate::numerics::random::Stream;

/// Clips cannot be blended.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BlendError {
    /// They cannot be brought into step.
    #[error(transparent)]
    Align(#[from] AlignError),
    /// They have no common degrees of freedom.
    #[error(transparent)]
    Chart(#[from] ChartError),
    /// They cannot be brought to one rate.
    #[error(transparent)]
    Edit(#[from] edit::EditError),
}

/// `count` blends of clips on one skeleton.
pub fn blends(inputs: &[&Clip], count: usize, seed: u64) -> Result<Vec<Clip>, BlendError> {
    let fps = common_fps(inputs.iter().copied(), MOST_FPS);
    let even = inputs
        .iter()
        .map(|clip| edit::resample(clip, fps))
        .collect::<Result<Vec<Clip>, edit::EditError>>()?;
    let refs: Vec<&Clip> = even.iter().collect();
    let chart = DofChart::learn(&refs, &ChartSettings::default())?;
    let aligned = align_set(&refs, &AlignSettings::default())?;
    let curves = refs
        .iter()
        .map(|clip| chart.curves(clip))
        .collect::<Result<Vec<Curves>, ChartError>>()?;
    (0..count)
        .map(|index| {
            let mut stream = Stream::named(seed, &[0xB1E7D, index as u64]);
            let weights = weights(refs.len(), &mut stream);
            let values = mixed(&chart, &curves, &aligned.warps, &weights);
            let n = chart.n_dofs();
            let size = (values.len() / n.max(1), n);
            let made = Curves::new(Start::origin(), 1.0 / fps, size, values)?;
            Ok(chart.clip(&made, ClipInfo::named(format!("blend {index}")))?)
        })
        .collect()
}

/// Equally likely anywhere in the simplex.
fn weights(n: usize, stream: &mut Stream) -> Vec<f64> {
    let drawn: Vec<f64> = (0..n).map(|_| -(1.0 - stream.uniform()).ln()).collect();
    let sum = drawn.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    drawn.iter().map(|w| w / sum).collect()
}

/// The blend at equal steps of its own time, which is the mean of the clips' times by the same weights.
fn mixed(chart: &DofChart, curves: &[Curves], warps: &[Vec<f64>], weights: &[f64]) -> Vec<f64> {
    let n = chart.n_dofs();
    let n_phases = warps.first().map_or(0, Vec::len);
    let time = |phase: usize| -> f64 {
        warps
            .iter()
            .zip(weights)
            .map(|(warp, w)| warp[phase] * w)
            .sum()
    };
    let times: Vec<f64> = (0..n_phases).map(time).collect();
    let n_frames = times.last().map_or(0.0, |last| last.round()) as usize + 1;
    let mut values = Vec::with_capacity(n_frames * n);
    let mut phase = 0;
    for frame in 0..n_frames {
        let at = frame as f64;
        while phase + 2 < n_phases && times[phase + 1] <= at {
            phase += 1;
        }
        let next = (phase + 1).min(n_phases - 1);
        let step = (times[next] - times[phase]).max(1e-9);
        let share = ((at - times[phase]) / step).clamp(0.0, 1.0);
        for dof in 0..n {
            let each = curves.iter().zip(warps).zip(weights);
            values.push(
                each.map(|((own, warp), w)| {
                    let moment = warp[phase] + (warp[next] - warp[phase]) * share;
                    w * value_at(own, moment, dof)
                })
                .sum(),
            );
        }
    }
    values
}

fn value_at(curves: &Curves, moment: f64, dof: usize) -> f64 {
    let last = curves.n_frames() - 1;
    let before = (moment as usize).min(last);
    let (a, b) = (
        curves.get(before, dof),
        curves.get((before + 1).min(last), dof),
    );
    a + (b - a) * moment.fract()
}
