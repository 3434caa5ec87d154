//! The way the pelvis takes over the floor: a speed and a heading over time, summed up.

use super::curve::Curve;

/// Where the body is, seen from above, at any time of a stretch.
#[derive(Debug, Clone)]
pub(super) struct Path {
    from_secs: f64,
    speed_cm_s: Curve,
    heading_rad: Curve,
    /// Heading change of a steady curve, radians a second.
    turning_rad_s: f64,
    /// Places at even steps of time: x, z.
    places: Vec<[f64; 2]>,
}

/// Between two of these moments the way is a cubic with the right speeds at both ends.
const STEP_SECS: f64 = 1.0 / 120.0;

impl Path {
    /// Passes through the origin at time 0, or begins there.
    pub(super) fn new(
        span_secs: (f64, f64),
        speed_cm_s: Curve,
        heading_rad: Curve,
        turning_rad_s: f64,
    ) -> Self {
        let (from_secs, to_secs) = span_secs;
        let mut path = Self {
            from_secs,
            speed_cm_s,
            heading_rad,
            turning_rad_s,
            places: vec![[0.0; 2]],
        };
        let n = ((to_secs - from_secs) / STEP_SECS).ceil() as usize + 1;
        let mut place = [0.0; 2];
        for step in 0..n {
            // Simpson's rule.
            let t = from_secs + step as f64 * STEP_SECS;
            let a = path.velocity(t);
            let b = path.velocity(t + 0.5 * STEP_SECS);
            let c = path.velocity(t + STEP_SECS);
            for i in 0..2 {
                place[i] += STEP_SECS / 6.0 * (a[i] + 4.0 * b[i] + c[i]);
            }
            path.places.push(place);
        }
        let origin = path.at(0.0_f64.max(from_secs));
        for place in &mut path.places {
            place[0] -= origin[0];
            place[1] -= origin[1];
        }
        path
    }

    pub(super) fn heading_rad(&self, secs: f64) -> f64 {
        self.heading_rad.at(secs) + self.turning_rad_s * secs
    }

    pub(super) fn speed_cm_s(&self, secs: f64) -> f64 {
        self.speed_cm_s.at(secs)
    }

    fn velocity(&self, secs: f64) -> [f64; 2] {
        let (sin, cos) = self.heading_rad(secs).sin_cos();
        let speed = self.speed_cm_s.at(secs);
        [speed * sin, speed * cos]
    }

    /// x and z; outside of its time the way stays where it began or ended.
    pub(super) fn at(&self, secs: f64) -> [f64; 2] {
        let steps =
            ((secs - self.from_secs) / STEP_SECS).clamp(0.0, (self.places.len() - 1) as f64);
        let before = (steps as usize).min(self.places.len() - 2);
        let u = steps - before as f64;
        let t = self.from_secs + before as f64 * STEP_SECS;
        let (p, q) = (self.places[before], self.places[before + 1]);
        let (v, w) = (self.velocity(t), self.velocity(t + STEP_SECS));
        std::array::from_fn(|i| {
            // Hermite's cubic.
            let change = q[i] - p[i];
            let (v, w) = (v[i] * STEP_SECS, w[i] * STEP_SECS);
            p[i] + u * (v + u * (3.0 * change - 2.0 * v - w + u * (v + w - 2.0 * change)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_curve_is_a_circle() {
        let path = Path::new(
            (-1.0, 7.0),
            Curve::constant(100.0),
            Curve::constant(0.0),
            1.0,
        );
        // Turning left (+x) from +z at one radian a second: a circle of radius 100 about (100, 0).
        for step in 0..60 {
            let secs = 0.1 * f64::from(step);
            let [x, z] = path.at(secs);
            assert!((x - 100.0 * (1.0 - secs.cos())).abs() < 1e-4, "x at {secs}");
            assert!((z - 100.0 * secs.sin()).abs() < 1e-4, "z at {secs}");
        }
    }
}
