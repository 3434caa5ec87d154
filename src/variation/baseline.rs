//! What variation is not: noise added to a clip, and clips played again (section 8).
//!
//! Three ways to get many clips from few, to compare variants with. Noise is scaled so that it changes its clip by as
//! much as variants differ from the inputs: the paper's check, root mean square over degrees of freedom at equal
//! share of time.

use super::clips::takes;
use super::error::LearnError;
use super::noise::SmoothNoise;
use super::takes::{Examples, Take};
use crate::motion::chart::{Curves, Start};
use crate::motion::metrics::{MOST_FPS, common_fps};
use crate::motion::{ChartSettings, Clip, ClipInfo, DofChart, edit};
use crate::numerics::random::Stream;

/// A way to make many clips from few.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Baseline {
    /// Smoothed noise on every degree of freedom, as large as the takes spread there.
    SmoothedNoise,
    /// Perlin's band-limited noise (1985), as large as the takes spread.
    Perlin(Octaves),
    /// The inputs again, in random order.
    CycleAnimation,
}

/// The bands of Perlin noise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Octaves {
    /// How many bands, each of twice the frequency of the one before.
    pub count: u32,
    /// Frequency of the first, in hertz.
    pub first_hz: f64,
    /// Strength of each band against the one before.
    pub persistence: f64,
}

impl Default for Octaves {
    fn default() -> Self {
        Self {
            count: 3,
            first_hz: 1.0,
            persistence: 0.5,
        }
    }
}

/// Smoothed noise forgets itself within about this time.
const KNOT_SECS: f64 = 0.2;
/// Beyond these bands nothing is heard.
const MOST_OCTAVES: u32 = 12;

/// `count` clips of one kind made from the inputs, noise as strong as variants are changed.
pub fn make(
    baseline: Baseline,
    inputs: &[&Clip],
    variants: &[&Clip],
    count: usize,
    seed: u64,
) -> Result<Vec<Clip>, LearnError> {
    if inputs.is_empty() || variants.is_empty() {
        return Err(LearnError::NoTakes);
    }
    let fps = common_fps(inputs.iter().chain(variants).copied(), MOST_FPS);
    let even = |clips: &[&Clip]| -> Result<Vec<Clip>, LearnError> {
        clips.iter().map(|c| Ok(edit::resample(c, fps)?)).collect()
    };
    let (inputs, variants) = (even(inputs)?, even(variants)?);
    let refs: Vec<&Clip> = inputs.iter().collect();
    let chart = DofChart::learn(&refs, &ChartSettings::default())?;
    let changed: Vec<&Clip> = variants.iter().collect();
    let (input_takes, variant_takes) = (takes(&chart, &refs)?, takes(&chart, &changed)?);
    let n = chart.n_dofs();
    let examples = Examples::new(n, 1.0 / fps, &input_takes, None)?;
    let wanted = change(&input_takes, &variant_takes, n);
    (0..count)
        .map(|index| {
            let mut stream = Stream::named(seed, &[0xBA5E, index as u64]);
            let name = format!("{} {index}", baseline.name());
            if baseline == Baseline::CycleAnimation {
                // The clip itself, with what is too still to be a degree of freedom.
                let mut again = inputs[stream.below(inputs.len())].clone();
                again.info.name = name;
                return Ok(again);
            }
            let mut values = noisy(baseline, &examples, wanted, &mut stream);
            chart.destandardise(&mut values);
            let size = (values.len() / n, n);
            let curves = Curves::new(Start::origin(), 1.0 / fps, size, values)?;
            Ok(chart.clip(&curves, ClipInfo::named(name))?)
        })
        .collect()
}

impl Baseline {
    /// What tables call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SmoothedNoise => "smoothed noise",
            Self::Perlin(_) => "Perlin noise",
            Self::CycleAnimation => "cycle animation",
        }
    }
}

/// Root mean square distance of every variant from every input at equal share of time.
fn change(inputs: &[Take], variants: &[Take], n: usize) -> f64 {
    let mut sum = 0.0;
    for input in inputs {
        for variant in variants {
            let pair = [input.values.clone(), variant.values.clone()];
            sum += diversity(&pair, n).powi(2);
        }
    }
    (sum / (inputs.len() * variants.len()) as f64).sqrt()
}

/// One of the takes with noise that changes it by `wanted`.
fn noisy(baseline: Baseline, examples: &Examples, wanted: f64, stream: &mut Stream) -> Vec<f64> {
    let n = examples.n_dofs();
    let take = stream.below(examples.n_takes());
    let mut rows = examples.take(take).to_vec();
    let n_frames = rows.len() / n;
    let spread = spreads(examples, take);
    let mut noise = match baseline {
        Baseline::Perlin(octaves) => perlin(octaves, n, n_frames, examples.frame_secs(), stream),
        _ => smooth(n, n_frames, examples.frame_secs(), stream),
    };
    noise.iter_mut().zip(&spread).for_each(|(x, s)| *x *= s);
    let mean_square = noise.iter().map(|x| x * x).sum::<f64>() / noise.len() as f64;
    let scale = if mean_square > 0.0 {
        wanted / mean_square.sqrt()
    } else {
        0.0
    };
    rows.iter_mut()
        .zip(&noise)
        .for_each(|(x, e)| *x += scale * e);
    rows
}

/// How far the takes are apart at every frame of one of them, by frame and degree of freedom, at equal progress. A single
/// take does not say, so there noise is the same everywhere.
fn spreads(examples: &Examples, take: usize) -> Vec<f64> {
    let n = examples.n_dofs();
    let n_frames = examples.take_frames(take);
    if examples.n_takes() == 1 {
        return vec![1.0; n_frames * n];
    }
    let mut made = Vec::with_capacity(n_frames * n);
    for frame in 0..n_frames {
        let progress = examples.progress.of(examples.takes[take].start + frame);
        let rows: Vec<&[f64]> = examples
            .takes
            .iter()
            .map(|rows| {
                let before = rows
                    .clone()
                    .take_while(|&r| examples.progress.of(r) < progress);
                examples.row((rows.start + before.count()).min(rows.end - 1))
            })
            .collect();
        let count = rows.len() as f64;
        made.extend((0..n).map(|dof| {
            let mean = rows.iter().map(|r| r[dof]).sum::<f64>() / count;
            let squares: f64 = rows.iter().map(|r| (r[dof] - mean).powi(2)).sum();
            (squares / (count - 1.0).max(1.0)).sqrt()
        }));
    }
    made
}

fn smooth(n: usize, n_frames: usize, frame_secs: f64, stream: &mut Stream) -> Vec<f64> {
    let mut noise = SmoothNoise::new(n, KNOT_SECS / frame_secs, stream);
    let mut made = Vec::with_capacity(n * n_frames);
    for _ in 0..n_frames {
        made.extend(noise.values.iter().map(|&x| f64::from(x)));
        noise.advance(stream);
    }
    made
}

/// Gradient noise in one dimension: slopes at whole numbers, values of zero, blended by Perlin's curve.
fn perlin(
    octaves: Octaves,
    n: usize,
    n_frames: usize,
    frame_secs: f64,
    stream: &mut Stream,
) -> Vec<f64> {
    let mut made = vec![0.0; n * n_frames];
    for dof in 0..n {
        let (mut hertz, mut strength) = (octaves.first_hz, 1.0);
        for _ in 0..octaves.count.min(MOST_OCTAVES) {
            let offset = stream.uniform();
            let n_slopes = (n_frames as f64 * frame_secs * hertz + offset) as usize + 2;
            let slopes: Vec<f64> = (0..n_slopes).map(|_| stream.between(-1.0, 1.0)).collect();
            for frame in 0..n_frames {
                let at = frame as f64 * frame_secs * hertz + offset;
                let (cell, t) = (at as usize, at.fract());
                let fade = t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
                let (a, b) = (slopes[cell] * t, slopes[cell + 1] * (t - 1.0));
                made[frame * n + dof] += strength * (a + (b - a) * fade);
            }
            hertz *= 2.0;
            strength *= octaves.persistence;
        }
    }
    made
}

/// Clips are compared at so many equal shares of their time.
const MOMENTS: usize = 48;

/// Root mean square distance of two clips at equal share of their time, over all pairs.
fn diversity(tables: &[Vec<f64>], n: usize) -> f64 {
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
