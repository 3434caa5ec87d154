//! Does it matter which system is used? How likely each finds the way takes differ, with every clip left out in turn.
//!
//! A prediction ([`super::evaluation`]) judges A1 and A2 of a system alone, and those are much the same everywhere. A
//! system is a distribution: how large deviations are, and which joints deviate together, is in Q. So the systems
//! that a clip passes are fitted again without it, and the differences between the clip and others are judged by the
//! density of each step (Eq. 9).

use std::collections::BTreeMap;

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use super::error::TextureError;
use super::graph::FrameId;
use super::model::Texture;
use super::passes::Window;
use super::system::System;
use crate::jobs::Ticket;
use crate::numerics::cholesky::Cholesky;
use crate::numerics::random::Stream;

/// One choice of systems.
#[derive(Debug, Clone, PartialEq)]
pub struct Likelihood {
    /// Which predictor it is.
    pub name: String,
    /// Mean log density of a step, in nats for each number of a state, beside that of the system of the corpus.
    pub gain: f64,
}

/// Judges systems on some clips, those of their own sections with several weights of the prior, in seconds.
pub fn likelihoods(
    texture: &Texture,
    is_judged: impl Fn(usize) -> bool,
    prior_secs: &[f64],
    ticket: &Ticket,
) -> Result<Vec<Likelihood>, TextureError> {
    let mut names = vec![
        "the system of the corpus".to_owned(),
        "the same in the size of the section".to_owned(),
        "systems of other sections".to_owned(),
        "of other sections of the label".to_owned(),
    ];
    let own = prior_secs.iter();
    names.extend(own.map(|secs| format!("of the section itself, prior of {secs} s")));
    let n_clips = texture.corpus().clips.len();
    let clips: Vec<usize> = (0..n_clips).filter(|&clip| is_judged(clip)).collect();
    let sums = clips.par_iter().map(|&clip| {
        ticket.check()?;
        left_out(texture, clip, prior_secs)
    });
    let sums = sums.collect::<Result<Vec<Vec<Steps>>, TextureError>>()?;
    let mean = |row: usize| {
        let all = sums.iter().map(|of_clip| of_clip[row]);
        let (sum, n) = all.fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
        sum / (f64::max(n, 1.0) * texture.corpus().n_dims() as f64)
    };
    let rows = names.into_iter().enumerate().map(|(row, name)| Likelihood {
        name,
        gain: mean(row) - mean(0),
    });
    Ok(rows.collect())
}

/// Sum of the log densities of steps, and how many there are.
type Steps = (f64, f64);

/// One clip, system by system that it passes; a sum for each choice.
fn left_out(
    texture: &Texture,
    clip: usize,
    prior_secs: &[f64],
) -> Result<Vec<Steps>, TextureError> {
    let corpus = texture.corpus();
    let mut by_system: BTreeMap<usize, Vec<&Window>> = BTreeMap::new();
    for window in texture.windows().iter().filter(|w| w.clip == clip) {
        let frame = window.middle();
        if let Some(section) = texture.section_at(FrameId { clip, frame }) {
            by_system.entry(section.system).or_default().push(window);
        }
    }
    let mut sums = vec![(0.0, 0.0); 4 + prior_secs.len()];
    for (system, windows) in by_system {
        let rest = texture.differences_without(system, clip);
        if rest.is_empty() {
            continue;
        }
        let judges = judges(texture, clip, system, &rest, prior_secs)?;
        let passes = windows
            .iter()
            .flat_map(|w| w.passes.iter().map(move |p| (w, p)));
        for (window, pass) in passes.filter(|(_, p)| p.clip != clip) {
            let difference = window.difference(corpus, pass);
            for (sum, judge) in sums.iter_mut().zip(&judges) {
                let (density, n) = judge.steps(&difference);
                *sum = (sum.0 + density, sum.1 + n);
            }
        }
    }
    Ok(sums)
}

/// All choices for one clip and system, from the differences that the clip has no part in.
fn judges(
    texture: &Texture,
    clip: usize,
    system: usize,
    rest: &[DMatrix<f64>],
    prior_secs: &[f64],
) -> Result<Vec<Density>, TextureError> {
    let corpus = texture.corpus();
    let whole = texture.corpus_system();
    let mut stream = Stream::named(1, &[clip as u64, system as u64]);
    let other = stream.below(texture.systems().len());
    let label = corpus.clips[clip].label;
    let alike = texture.sections().iter().filter(|s| {
        let is_of_label = corpus.clips[s.clip].label == label;
        is_of_label && s.clip != clip && s.system != system
    });
    let alike: Vec<usize> = alike.map(|s| s.system).collect();
    let of_label = match alike.len() {
        0 => other,
        n => alike[stream.below(n)],
    };
    let mut all = vec![
        Density::of(whole)?,
        Density::of(&whole.sized_as(rest)?)?,
        Density::of(&texture.systems()[other])?,
        Density::of(&texture.systems()[of_label])?,
    ];
    for &secs in prior_secs {
        let own = System::drawn_towards(&whole.dynamics, secs, rest, corpus.fps())?;
        all.push(Density::of(&own)?);
    }
    Ok(all)
}

/// What a system thinks of the difference of two takes, both of which deviate by it: the noise of a step is twice Q.
struct Density {
    system: System,
    inverse_lower: DMatrix<f64>,
    constant: f64,
}

impl Density {
    fn of(system: &System) -> Result<Self, TextureError> {
        let factor = Cholesky::with_jitter(&(&system.dynamics.q * 2.0))?;
        let n = system.n_dims() as f64;
        Ok(Self {
            constant: -0.5 * (n * std::f64::consts::TAU.ln() + factor.ln_determinant()),
            inverse_lower: factor.inverse_lower(),
            system: system.clone(),
        })
    }

    fn steps(&self, difference: &DMatrix<f64>) -> Steps {
        let ar2 = &self.system.dynamics;
        let mut sum = 0.0;
        for at in 2..difference.ncols() {
            let mut off: DVector<f64> = difference.column(at).into_owned();
            off.gemv(-1.0, &ar2.a1, &difference.column(at - 1), 1.0);
            off.gemv(-1.0, &ar2.a2, &difference.column(at - 2), 1.0);
            sum += self.constant - 0.5 * (&self.inverse_lower * off).norm_squared();
        }
        (sum, difference.ncols().saturating_sub(2) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::linear_system::Ar2;

    fn system(decay: f64, variance: f64) -> System {
        let unit = DMatrix::identity(2, 2);
        let dynamics = Ar2 {
            a1: &unit * decay,
            a2: &unit * 0.0,
            offset: DVector::zeros(2),
            q: unit * variance,
        };
        System::of(dynamics).unwrap()
    }

    #[test]
    fn the_system_that_made_differences_finds_them_likeliest() {
        let made = system(0.9, 0.5);
        let mut stream = Stream::named(5, &[]);
        let mut d = made.draw(1.0, &mut stream);
        let columns = (0..4000).map(|_| {
            // Two takes that deviate independently differ by the root of two times as much.
            made.advance_drawing(&mut d, 1.0, &mut stream);
            &d.last * std::f64::consts::SQRT_2
        });
        let difference = DMatrix::from_columns(&columns.collect::<Vec<_>>());
        let mean = |judge: &System| {
            let (sum, n) = Density::of(judge).unwrap().steps(&difference);
            sum / n
        };
        let own = mean(&made);
        // Entropy of a Gaussian with variance 2 Q = 1 in two dimensions.
        let entropy = 1.0 + std::f64::consts::TAU.ln();
        assert!((own + entropy).abs() < 0.1, "{own} for -{entropy}");
        for other in [system(0.6, 0.5), system(0.9, 1.0), system(0.9, 0.25)] {
            assert!(mean(&other) < own - 0.03, "{}", mean(&other));
        }
    }
}
