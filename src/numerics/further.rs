//! What a further value of a small sample may be.

/// What is usual for samples of a kind, which counts like some values more where a sample is small.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Usual {
    /// Standard deviation.
    pub scatter: f64,
    /// As many values as that counts for.
    pub count: f64,
}

/// The mean of a sample, and how far from it a further value of the same kind lies as seldom as a standard normal one is beyond this
/// deviate, by Student's distribution. Values are two at least.
pub fn further(values: &[f64], usual: Usual, deviate: f64) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    let freedom = usual.count + n - 1.0;
    let scatter = ((usual.count * usual.scatter.powi(2) + squares) / freedom).sqrt();
    let reach = student(deviate, freedom) * scatter * (1.0 + 1.0 / n).sqrt();
    (mean, reach)
}

/// The deviate of Student's distribution beyond which as much lies as beyond `z` in the normal one, by the series of Cornish
/// and Fisher: from five degrees of freedom on good to 0.01 for one in twenty, to 0.07 for one in a hundred, to 0.2 for one
/// in two hundred.
fn student(z: f64, freedom: f64) -> f64 {
    let first = (z.powi(3) + z) / 4.0;
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    z + first / freedom + second / (freedom * freedom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviates_are_those_of_the_tables() {
        // By chance (and its normal deviate), then degrees of freedom: two tables of any textbook.
        let tables = [
            (1.645, 0.01, [2.015, 1.895, 1.812, 1.697]),
            (2.326, 0.07, [3.365, 2.998, 2.764, 2.457]),
            (2.576, 0.2, [4.032, 3.499, 3.169, 2.750]),
        ];
        for (z, tolerance, known) in tables {
            for (freedom, known) in [5.0, 7.0, 10.0, 30.0].into_iter().zip(known) {
                let found = student(z, freedom);
                assert!(
                    (found - known).abs() < tolerance,
                    "{z}, {freedom}: {found}, not {known}"
                );
            }
        }
    }

    #[test]
    fn few_values_lean_on_what_is_usual() {
        let usual = Usual {
            scatter: 1.0,
            count: 3.0,
        };
        let reach = |values: &[f64]| further(values, usual, 1.645).1;
        assert!(reach(&[5.0, 5.0]) > 1.0, "equal values are no proof");
        let many: Vec<f64> = (0..1000).map(|i| 5.0 + f64::from(i % 2)).collect();
        assert!((reach(&many) - 0.5 * 1.645).abs() < 0.02, "own scatter");
        assert_eq!(further(&[4.0, 6.0], usual, 1.0).0, 5.0);
    }
}
