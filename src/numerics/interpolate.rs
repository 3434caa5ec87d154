//! Values between samples: linear, and smooth through knots.

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

/// Weights of a cubic Hermite curve, `t` of the way from one value to the next: of the first value, its slope over the
/// whole way, the second value and its slope.
pub fn hermite_weights(t: f64) -> [f64; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [
        2.0 * t3 - 3.0 * t2 + 1.0,
        t3 - 2.0 * t2 + t,
        3.0 * t2 - 2.0 * t3,
        t3 - t2,
    ]
}

/// A curve at any place, in samples; beyond its ends it goes on as it bends there. Straight on, it would have a corner
/// that every place near the end is interpolated from, and smooth curves would jolt.
pub fn sample(curve: &[f64], at: f64) -> f64 {
    let last = curve.len() - 1;
    let from_start = |i: usize| curve[i.min(last)];
    let from_end = |i: usize| curve[last - i.min(last)];
    let get = |i: isize| match usize::try_from(i) {
        Ok(i) if i <= last => curve[i],
        Ok(i) => beyond([0, 1, 2].map(from_end), (i - last) as f64),
        Err(_) => beyond([0, 1, 2].map(from_start), i.unsigned_abs() as f64),
    };
    let base = at.floor();
    let weights = six_points(at - base);
    let base = base as isize;
    let terms = weights.iter().enumerate();
    terms
        .map(|(i, w)| w * get(base + i.cast_signed() - 2))
        .sum()
}

/// A curve so many samples beyond its end, by its last three, the outermost first.
pub fn beyond([a, b, c]: [f64; 3], steps: f64) -> f64 {
    a + steps * (a - b) + 0.5 * steps * (steps + 1.0) * (a - 2.0 * b + c)
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
    fn hermite_curves_meet_values_and_slopes_and_curves_go_on_as_they_bend() {
        assert_eq!(hermite_weights(0.0), [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(hermite_weights(1.0), [0.0, 0.0, 1.0, 0.0]);
        let line = |t: f64| {
            let [a, start, b, end] = hermite_weights(t);
            a + 3.0 * start + 4.0 * b + 3.0 * end
        };
        assert!((line(0.3) - 1.9).abs() < 1e-12, "a line stays a line");
        for at in [-1.3, 0.0, 0.4, 3.7, 5.5] {
            let curve = [0.0, 1.0, 4.0, 9.0, 16.0];
            assert!((sample(&curve, at) - at * at).abs() < 1e-9, "at {at}");
        }
        assert_eq!(sample(&[2.0], 4.0), 2.0, "one sample holds");
    }
}
