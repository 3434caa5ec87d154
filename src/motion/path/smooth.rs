//! Curves on the floor averaged over a time that may change from frame to frame.

use super::Vec2;

/// The mean of a curve over `widths` frames around each frame.
///
/// Between frames the curve is straight, so that widths need not be whole; beyond its ends it goes on as its own point
/// reflection, so that a steady walk stays steady.
pub fn smoothed(curve: &[Vec2], widths: &[f64]) -> Vec<Vec2> {
    let integral = Integral::of(curve);
    curve
        .iter()
        .zip(widths)
        .enumerate()
        .map(|(at, (here, width))| {
            let width = width.min(2.0 * (curve.len() - 1) as f64);
            if width.is_nan() || width <= 1.0 {
                return *here;
            }
            let (from, to) = (at as f64 - 0.5 * width, at as f64 + 0.5 * width);
            (integral.up_to(to) - integral.up_to(from)) / width
        })
        .collect()
}

/// The same for angles or any other single numbers, with one width.
pub(super) fn smoothed_values(values: &[f64], width: f64) -> Vec<f64> {
    let curve: Vec<Vec2> = values.iter().map(|v| Vec2::new(*v, 0.0)).collect();
    let means = smoothed(&curve, &vec![width; curve.len()]);
    means.iter().map(|v| v.x).collect()
}

/// The sum of a curve from its first frame up to any moment.
struct Integral<'a> {
    curve: &'a [Vec2],
    sums: Vec<Vec2>,
}

impl<'a> Integral<'a> {
    fn of(curve: &'a [Vec2]) -> Self {
        let mut sums = Vec::with_capacity(curve.len());
        let mut sum = Vec2::zeros();
        sums.push(sum);
        for pair in curve.windows(2) {
            sum += (pair[0] + pair[1]) * 0.5;
            sums.push(sum);
        }
        Self { curve, sums }
    }

    fn up_to(&self, moment: f64) -> Vec2 {
        let last = self.curve.len() - 1;
        let end = last as f64;
        if moment < 0.0 {
            // Reflected in the first point: X(-u) = 2 X(0) - X(u).
            return self.inside(-moment) + self.curve[0] * (2.0 * moment);
        }
        if moment > end {
            let beyond = moment - end;
            return self.inside(end - beyond) + self.curve[last] * (2.0 * beyond);
        }
        self.inside(moment)
    }

    fn inside(&self, moment: f64) -> Vec2 {
        let last = self.curve.len() - 1;
        let moment = moment.clamp(0.0, last as f64);
        let at = (moment as usize).min(last.saturating_sub(1));
        let share = moment - at as f64;
        let (here, next) = (self.curve[at], self.curve[(at + 1).min(last)]);
        self.sums[at] + here * share + (next - here) * (0.5 * share * share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_walk_loses_its_sway_and_nothing_else() {
        let n = 200;
        let period = 33.4;
        let walk: Vec<Vec2> = (0..n)
            .map(|f| {
                let t = f64::from(f);
                let sway = 0.03 * (std::f64::consts::TAU * t / period).sin();
                Vec2::new(sway, 0.05 * t)
            })
            .collect();
        let means = smoothed(&walk, &vec![period; walk.len()]);
        for (at, mean) in means.iter().enumerate() {
            let inside = (17..183).contains(&at);
            assert!(
                mean.x.abs() < if inside { 1e-4 } else { 0.031 },
                "{at}: {mean}"
            );
            assert!((mean.y - 0.05 * at as f64).abs() < 1e-9, "{at}: {mean}");
        }
    }

    #[test]
    fn strange_widths_leave_the_curve_alone() {
        let one = [Vec2::new(1.0, 2.0)];
        assert_eq!(smoothed(&one, &[30.0]), one);
        let two = [Vec2::zeros(), Vec2::new(1.0, 0.0)];
        assert_eq!(smoothed(&two, &[0.0, f64::NAN]), two);
        assert!(smoothed(&[], &[]).is_empty());
        for mean in smoothed(&two, &[1e9, 1e9]) {
            assert!(mean.x.is_finite(), "longer than the curve");
        }
    }
}
