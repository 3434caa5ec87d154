//! Prediction intervals of small samples.

use statrs::distribution::{ContinuousCDF as _, Normal, StudentsT};

/// A prior on the standard deviation, which counts like additional values where a sample is small.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VariancePrior {
    /// The standard deviation that is expected before any value is seen.
    pub scatter: f64,
    /// The number of values that the prior counts for.
    pub count: f64,
}

/// The mean of a sample of at least two values, and the half-width of the prediction interval about it.
///
/// A further value of the same kind lies outside as seldom as a standard normal one beyond `deviate`, by Student's
/// distribution.
pub fn prediction_interval(values: &[f64], prior: VariancePrior, deviate: f64) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    let freedom = prior.count + n - 1.0;
    let scatter = ((prior.count * prior.scatter.powi(2) + squares) / freedom).sqrt();
    let reach = student(deviate, freedom) * scatter * (1.0 + 1.0 / n).sqrt();
    (mean, reach)
}

/// The deviate of Student's distribution beyond which as much lies as beyond `z` in the normal one.
fn student(z: f64, freedom: f64) -> f64 {
    let below = Normal::standard().cdf(z);
    match StudentsT::new(0.0, 1.0, freedom) {
        Ok(distribution) => distribution.inverse_cdf(below),
        // Without a degree of freedom there is no finite interval.
        Err(_) => f64::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviates_are_those_of_the_tables() {
        // Normal deviates of one in 20, 100, 200 and 2000, and Student's for 5, 7, 10 and 30 degrees of freedom: tables
        // of any textbook.
        let tables = [
            (1.644_854, [2.015, 1.895, 1.812, 1.697]),
            (2.326_348, [3.365, 2.998, 2.764, 2.457]),
            (2.575_829, [4.032, 3.499, 3.169, 2.750]),
            (3.290_527, [6.869, 5.408, 4.587, 3.646]),
        ];
        for (z, known) in tables {
            for (freedom, known) in [5.0, 7.0, 10.0, 30.0].into_iter().zip(known) {
                let found = student(z, freedom);
                assert!(
                    (found - known).abs() < 0.001,
                    "{z}, {freedom}: {found}, not {known}"
                );
            }
        }
    }

    #[test]
    fn few_values_lean_on_what_is_usual() {
        let prior = VariancePrior {
            scatter: 1.0,
            count: 3.0,
        };
        let reach = |values: &[f64]| prediction_interval(values, prior, 1.645).1;
        assert!(reach(&[5.0, 5.0]) > 1.0, "equal values are no proof");
        let many: Vec<f64> = (0..1000).map(|i| 5.0 + f64::from(i % 2)).collect();
        assert!((reach(&many) - 0.5 * 1.645).abs() < 0.02, "own scatter");
        assert_eq!(prediction_interval(&[4.0, 6.0], prior, 1.0).0, 5.0);
    }
}
