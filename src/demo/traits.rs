//! What differs from take to take, and by how much: the one table of known variation.
//!
//! Every take draws eight traits from a normal distribution with the means and standard deviations of its action
//! (kept within three of them) and the correlations below. On top of these come small smooth variations of timing
//! and pose ([`super::drift`]). The traits stay with the clip, so that a test can compare what a model found with
//! what was put in.

use nalgebra::{SMatrix, SVector};

use crate::numerics::random::Stream;

/// One way in which takes differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trait {
    /// Seconds: of one cycle (two steps) for gaits, of the whole action for others.
    Duration,
    /// Centimetres from one foot to the next, or the length of a jump or lunge; 0 for actions on the spot.
    StepLength,
    /// Centimetres between the feet, across.
    StepWidth,
    /// Size of the left arm's movement; 1 as in the recipe.
    ArmLeft,
    /// Size of the right arm's movement; 1 as in the recipe.
    ArmRight,
    /// Size of foot lifts and knee lifts; 1 as in the recipe.
    FootLift,
    /// Degrees that the trunk leans further forward than in the recipe.
    Lean,
    /// Size of the pelvis's ups and downs; 1 as in the recipe.
    Depth,
}

impl Trait {
    /// All of them, in order.
    pub const ALL: [Self; 8] = [
        Self::Duration,
        Self::StepLength,
        Self::StepWidth,
        Self::ArmLeft,
        Self::ArmRight,
        Self::FootLift,
        Self::Lean,
        Self::Depth,
    ];

    const fn index(self) -> usize {
        self as usize
    }
}

/// The traits of one take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Traits([f64; 8]);

impl Traits {
    /// The value of one trait, in its own unit.
    pub const fn get(&self, which: Trait) -> f64 {
        self.0[which.index()]
    }
}

/// How the traits of one action are spread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Variation {
    mean: [f64; 8],
    deviation: [f64; 8],
}

/// How traits go together: both arms swing more or less alike; a longer step takes less time and swings the arms.
pub const CORRELATIONS: [(Trait, Trait, f64); 4] = [
    (Trait::ArmLeft, Trait::ArmRight, 0.7),
    (Trait::Duration, Trait::StepLength, -0.4),
    (Trait::StepLength, Trait::ArmLeft, 0.3),
    (Trait::StepLength, Trait::ArmRight, 0.3),
];

/// No trait lies further from its mean than this many standard deviations.
pub const LIMIT_DEVIATIONS: f64 = 3.0;

impl Variation {
    /// A gait: seconds a cycle, centimetres a step.
    pub(super) const fn gait(cycle_secs: f64, step_cm: f64, width_cm: f64) -> Self {
        Self {
            mean: [cycle_secs, step_cm, width_cm, 1.0, 1.0, 1.0, 0.0, 1.0],
            deviation: [
                0.028 * cycle_secs,
                0.04 * step_cm,
                1.5,
                0.15,
                0.15,
                0.15,
                1.5,
                0.12,
            ],
        }
    }

    /// An action from one pose to another: its seconds, how far it goes, how far the feet are apart.
    pub(super) const fn action(secs: f64, step_cm: f64, width_cm: f64) -> Self {
        Self {
            mean: [secs, step_cm, width_cm, 1.0, 1.0, 1.0, 0.0, 1.0],
            deviation: [
                0.06 * secs,
                0.08 * step_cm,
                1.2,
                0.08,
                0.08,
                0.08,
                2.0,
                0.10,
            ],
        }
    }

    /// The mean of a trait over many takes.
    pub const fn mean(&self, which: Trait) -> f64 {
        self.mean[which.index()]
    }

    /// The standard deviation of a trait over many takes.
    pub const fn deviation(&self, which: Trait) -> f64 {
        self.deviation[which.index()]
    }

    /// The traits of one take.
    pub(super) fn draw(&self, stream: &mut Stream) -> Traits {
        let independent = SVector::<f64, 8>::from_fn(|_, _| stream.normal_within(LIMIT_DEVIATIONS));
        let scores = correlation_root() * independent;
        Traits(std::array::from_fn(|i| {
            let score = scores[i].clamp(-LIMIT_DEVIATIONS, LIMIT_DEVIATIONS);
            self.mean[i] + self.deviation[i] * score
        }))
    }
}

/// The correlations as a matrix.
fn correlation() -> SMatrix<f64, 8, 8> {
    let mut matrix = SMatrix::identity();
    for (a, b, value) in CORRELATIONS {
        matrix[(a.index(), b.index())] = value;
        matrix[(b.index(), a.index())] = value;
    }
    matrix
}

fn correlation_root() -> SMatrix<f64, 8, 8> {
    let root = correlation().cholesky();
    root.expect("the table above is positive definite; a test holds it")
        .l()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_correlations_can_all_hold_at_once() {
        let eigen = correlation().symmetric_eigenvalues();
        assert!(eigen.min() > 0.05, "{eigen}");
    }

    #[test]
    fn drawn_traits_are_spread_as_the_table_says() {
        let variation = Variation::gait(1.12, 66.0, 10.0);
        let n = 4000;
        let takes: Vec<Traits> = (0..n)
            .map(|take| variation.draw(&mut Stream::named(5, &[take])))
            .collect();
        let score = |t: &Traits, which: Trait| {
            (t.get(which) - variation.mean(which)) / variation.deviation(which)
        };
        let product = |a: Trait, b: Trait| {
            takes.iter().map(|t| score(t, a) * score(t, b)).sum::<f64>() / n as f64
        };
        for a in Trait::ALL {
            let mean = takes.iter().map(|t| score(t, a)).sum::<f64>() / n as f64;
            assert!(mean.abs() < 0.07, "mean of {a:?}: {mean}");
            for b in Trait::ALL {
                let expected = correlation()[(a.index(), b.index())];
                // Keeping within three deviations makes them 1.3 % smaller.
                assert!((product(a, b) - expected).abs() < 0.08, "{a:?} with {b:?}");
            }
        }
    }
}
