//! Values between samples, and samples averaged with those around them.

/// Weights of six samples for a point `t` of the way through the gap between the third and the fourth.
///
/// The polynomial of degree five through all of them: it keeps nearly all that samples hold of high frequencies.
pub fn six_points(t: f64) -> [f64; 6] {
    let d: [f64; 6] = std::array::from_fn(|i| t - (i as f64 - 2.0));
    // Products of the differences of 0..=5 from each of them.
    const PRODUCTS: [f64; 6] = [-120.0, 24.0, -12.0, 12.0, -24.0, 120.0];
    std::array::from_fn(|i| {
        let product: f64 = (0..6).filter(|&j| j != i).map(|j| d[j]).product();
        product / PRODUCTS[i]
    })
}

/// Weights of the four coefficients around a gap for a point `t` of the way through it.
///
/// A uniform cubic B-spline, the smoothest curve that can be told by so few numbers at a time.
pub fn spline_weights(t: f64) -> [f64; 4] {
    let u = 1.0 - t;
    [
        u * u * u / 6.0,
        (3.0 * t * t * t - 6.0 * t * t + 4.0) / 6.0,
        (3.0 * u * u * u - 6.0 * u * u + 4.0) / 6.0,
        t * t * t / 6.0,
    ]
}

/// A curve at any place, in samples; beyond its ends it goes on straight.
pub fn sample(curve: &[f64], at: f64) -> f64 {
    let last = curve.len().cast_signed() - 1;
    let get = |i: isize| {
        if i < 0 {
            curve[0] + i as f64 * (curve[1.min(last as usize)] - curve[0])
        } else if i > last {
            let end = curve[last as usize];
            end + (i - last) as f64 * (end - curve[(last - 1).max(0) as usize])
        } else {
            curve[i as usize]
        }
    };
    let base = at.floor();
    let weights = six_points(at - base);
    let base = base as isize;
    let terms = weights.iter().enumerate();
    terms
        .map(|(i, w)| w * get(base + i.cast_signed() - 2))
        .sum()
}

/// How a curve goes on beyond its ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    /// As its first and last sample.
    Hold,
    /// The end leads to the beginning.
    Wrap,
}

/// Every sample averaged with those around it, by a normal distribution of this standard deviation in samples.
pub fn smoothed(curve: &[f64], deviation: f64, ends: Ends) -> Vec<f64> {
    if deviation <= 0.0 || curve.len() < 2 {
        return curve.to_vec();
    }
    let n = curve.len().cast_signed();
    let reach = (3.0 * deviation).ceil() as isize;
    let kernel: Vec<f64> = (-reach..=reach)
        .map(|away| (-0.5 * (away as f64 / deviation).powi(2)).exp())
        .collect();
    let total: f64 = kernel.iter().sum();
    let inside = |at: isize| match ends {
        Ends::Hold => at.clamp(0, n - 1) as usize,
        Ends::Wrap => at.rem_euclid(n) as usize,
    };
    (0..n)
        .map(|at| {
            let terms = kernel.iter().zip(at - reach..);
            terms.map(|(w, from)| w * curve[inside(from)]).sum::<f64>() / total
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_reproduce_polynomials() {
        let cubic = |x: f64| 2.0 - x + 0.5 * x * x - 0.1 * x * x * x;
        for t in [0.0, 0.2, 0.5, 0.9] {
            let six: f64 = (0..6)
                .map(|i| six_points(t)[i] * cubic(i as f64 - 2.0))
                .sum();
            assert!((six - cubic(t)).abs() < 1e-9, "{six} at {t}");
            let line: f64 = (0..4)
                .map(|i| spline_weights(t)[i] * (3.0 - 2.0 * (i as f64 - 1.0)))
                .sum();
            assert!((line - (3.0 - 2.0 * t)).abs() < 1e-12, "{line} at {t}");
        }
    }

    #[test]
    fn spline_pieces_join_with_their_second_derivative() {
        let knots = [0.3, -1.0, 0.7, 2.0, -0.4, 0.1];
        let at = |x: f64| {
            let base = x.floor() as usize;
            let weights = spline_weights(x - base as f64);
            (0..4)
                .map(|i| weights[i] * knots[base + i - 1])
                .sum::<f64>()
        };
        let h = 1e-3;
        let second = |x: f64| (at(x - h) - 2.0 * at(x) + at(x + h)) / (h * h);
        let (left, right) = (second(3.0 - 2.0 * h), second(3.0 + 2.0 * h));
        assert!((left - right).abs() < 0.1, "{left} and {right}");
    }

    #[test]
    fn smoothing_keeps_constants_and_wraps_where_asked() {
        assert!(
            smoothed(&[2.0; 9], 1.5, Ends::Hold)
                .iter()
                .all(|x| (x - 2.0).abs() < 1e-12)
        );
        let mut spike = vec![0.0; 20];
        spike[0] = 1.0;
        let round = smoothed(&spike, 1.0, Ends::Wrap);
        assert!((round[19] - round[1]).abs() < 1e-12, "both sides of it");
        assert!(
            sample(&[0.0, 1.0, 2.0], 3.5) > 3.0,
            "goes on beyond its end"
        );
    }
}
