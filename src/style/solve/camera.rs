//! Posing over a picture: a camera that turns clicks into rays.

use super::constraint::{Constraint, ConstraintMode, Goal};
use crate::motion::{Quat, Site, Vec3};

/// A pinhole camera in world space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PinholeCamera {
    /// Position of the eye in world space.
    pub eye: Vec3,
    /// World from camera; the camera looks along its -Z with +Y up.
    pub rotation: Quat,
    /// From the bottom of the picture to its top.
    pub field_of_view_rad: f64,
    /// Aspect ratio of the picture, width over height.
    pub aspect: f64,
}

impl PinholeCamera {
    /// A camera at `eye` that looks at a place, upright. Straight up or down, the picture's up is any direction.
    pub fn looking_at(
        eye: Vec3,
        target: Vec3,
        up: Vec3,
        field_of_view_rad: f64,
        aspect: f64,
    ) -> Self {
        let back = (eye - target)
            .try_normalize(f64::MIN_POSITIVE)
            .unwrap_or(Vec3::z());
        let right = up.cross(&back);
        let right = right.try_normalize(1e-9).unwrap_or_else(|| {
            let [a, _] = super::constraint::across(&back);
            a
        });
        let basis = nalgebra::Matrix3::from_columns(&[right, back.cross(&right), back]);
        let rotation = nalgebra::Rotation3::from_matrix_unchecked(basis);
        Self {
            eye,
            rotation: Quat::from_rotation_matrix(&rotation),
            field_of_view_rad,
            aspect,
        }
    }

    /// The direction in which a point of the picture lies: x from -1 at the left to 1 at the right, y from -1 at the
    /// bottom to 1 at the top.
    pub fn direction(&self, at: [f64; 2]) -> Vec3 {
        let half = (0.5 * self.field_of_view_rad).tan();
        self.rotation * Vec3::new(at[0] * half * self.aspect, at[1] * half, -1.0).normalize()
    }

    /// Where a place is seen, if it is in front of the camera.
    pub fn project(&self, place: &Vec3) -> Option<[f64; 2]> {
        let seen = self.rotation.inverse() * (place - self.eye);
        let depth = -seen.z;
        let half = (0.5 * self.field_of_view_rad).tan();
        (depth > 0.0).then(|| {
            [
                seen.x / (depth * half * self.aspect),
                seen.y / (depth * half),
            ]
        })
    }

    /// The camera near this one that sees places where they are seen in a picture: least squares over where it stands
    /// and how it is turned. What lies across the picture is held upright a little, since few marks say little about
    /// it.
    #[must_use]
    pub fn fitted(&self, seen: &[(Vec3, [f64; 2])], up: Vec3) -> Self {
        const N_STEPS: usize = 60;
        let Some(scale) = spread(seen) else {
            return *self;
        };
        let mut best = *self;
        let mut cost = best.misses(seen, up).norm_squared();
        let mut damping = 1e-3;
        for _ in 0..N_STEPS {
            let misses = best.misses(seen, up);
            let mut jacobian = nalgebra::DMatrix::zeros(misses.len(), 6);
            for k in 0..6 {
                const STEP: f64 = 1e-5;
                let mut by = [0.0; 6];
                by[k] = STEP;
                let ahead = best.moved(&by, scale).misses(seen, up);
                jacobian.set_column(k, &((ahead - &misses) / STEP));
            }
            let gradient = jacobian.tr_mul(&misses);
            let mut normal = jacobian.tr_mul(&jacobian);
            for k in 0..6 {
                normal[(k, k)] += damping * (1e-6 + normal[(k, k)]);
            }
            let Some(step) = normal.cholesky().map(|c| c.solve(&gradient)) else {
                break;
            };
            let by: [f64; 6] = std::array::from_fn(|k| -step[k]);
            let next = best.moved(&by, scale);
            let next_cost = next.misses(seen, up).norm_squared();
            if next_cost < cost {
                let is_still = cost - next_cost < 1e-14 * (1.0 + cost);
                (best, cost) = (next, next_cost);
                damping = (damping * 0.2).max(1e-12);
                if is_still {
                    break;
                }
            } else if damping > 1e8 {
                break;
            } else {
                damping *= 5.0;
            }
        }
        best
    }

    /// Root of the mean squared distance between where places are seen and where they should be, in halves of the
    /// picture's height.
    pub fn miss(&self, seen: &[(Vec3, [f64; 2])]) -> f64 {
        let misses = self.misses(seen, self.rotation * Vec3::y());
        (misses.norm_squared() / seen.len().max(1) as f64).sqrt()
    }

    /// For each place right and up, in halves of the picture's height; at the end how far it lies on its side.
    fn misses(&self, seen: &[(Vec3, [f64; 2])], up: Vec3) -> nalgebra::DVector<f64> {
        /// What is behind the camera is this far off.
        const BEHIND: f64 = 10.0;
        const UPRIGHT: f64 = 0.05;
        let mut misses = Vec::with_capacity(2 * seen.len() + 1);
        for (place, at) in seen {
            match self.project(place) {
                Some([x, y]) => misses.extend([(x - at[0]) * self.aspect, y - at[1]]),
                None => misses.extend([BEHIND; 2]),
            }
        }
        misses.push(UPRIGHT * (self.rotation * Vec3::x()).dot(&up));
        nalgebra::DVector::from_vec(misses)
    }

    /// Turned about its own axes, then moved along them by shares of a length.
    fn moved(&self, by: &[f64; 6], length: f64) -> Self {
        let turn = Quat::from_scaled_axis(Vec3::new(by[0], by[1], by[2]));
        let rotation = self.rotation * turn;
        let step = Vec3::new(by[3], by[4], by[5]) * length;
        Self {
            eye: self.eye + rotation * step,
            rotation,
            ..*self
        }
    }

    /// The constraint that a site is seen at a point of the picture.
    pub fn seen_at(&self, site: Site, at: [f64; 2]) -> Constraint {
        Constraint {
            site,
            goal: Goal::Ray {
                origin: self.eye,
                direction: self.direction(at),
            },
            mode: ConstraintMode::Hard,
        }
    }
}

/// How far apart places are, for steps that suit any unit; none of fewer than three.
fn spread(seen: &[(Vec3, [f64; 2])]) -> Option<f64> {
    if seen.len() < 3 {
        return None;
    }
    let mean = seen.iter().map(|(p, _)| p).sum::<Vec3>() / seen.len() as f64;
    let squares: f64 = seen.iter().map(|(p, _)| (p - mean).norm_squared()).sum();
    let spread = (squares / seen.len() as f64).sqrt();
    (spread > 0.0 && spread.is_finite()).then_some(spread)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_lies_on_the_ray_of_its_picture() {
        let eye = Vec3::new(3.0, 1.5, 4.0);
        for up in [Vec3::y(), Vec3::z(), Vec3::x()] {
            let camera = PinholeCamera::looking_at(eye, Vec3::new(0.0, 1.0, 0.0), up, 0.8, 1.5);
            let place = Vec3::new(-0.4, 1.3, 0.2);
            let at = camera.project(&place).unwrap();
            let off = (place - eye).cross(&camera.direction(at)).norm();
            assert!(off < 1e-12, "{off:e}");
            let behind = eye + (eye - place);
            assert_eq!(camera.project(&behind), None);
        }
    }

    #[test]
    fn a_camera_is_found_again_from_what_it_sees() {
        let target = Vec3::new(0.0, 1.0, 0.0);
        let true_camera =
            PinholeCamera::looking_at(Vec3::new(2.0, 1.6, 4.0), target, Vec3::y(), 0.7, 1.5);
        let places = [
            Vec3::new(0.0, 1.7, 0.0),
            Vec3::new(0.5, 1.3, 0.2),
            Vec3::new(-0.5, 1.2, -0.3),
            Vec3::new(0.2, 0.1, 0.3),
            Vec3::new(-0.2, 0.0, -0.1),
            Vec3::new(0.0, 1.0, 0.1),
        ];
        let seen: Vec<(Vec3, [f64; 2])> = places
            .iter()
            .map(|place| (*place, true_camera.project(place).unwrap()))
            .collect();
        let start =
            PinholeCamera::looking_at(Vec3::new(-0.5, 1.0, 6.0), target, Vec3::y(), 0.7, 1.5);
        assert!(start.miss(&seen) > 0.05, "{}", start.miss(&seen));
        let found = start.fitted(&seen, Vec3::y());
        assert!(found.miss(&seen) < 1e-3, "{}", found.miss(&seen));
        assert!((found.eye - true_camera.eye).norm() < 0.1, "{}", found.eye);
        assert_eq!(start.fitted(&seen[..2], Vec3::y()), start, "too few");
    }

    #[test]
    fn the_top_of_the_picture_is_up() {
        let camera = PinholeCamera::looking_at(Vec3::z() * 5.0, Vec3::zeros(), Vec3::y(), 1.0, 1.0);
        let [x, y] = camera
            .project(&Vec3::new(0.0, 5.0 * 0.5_f64.tan(), 0.0))
            .unwrap();
        assert!(x.abs() < 1e-12 && (y - 1.0).abs() < 1e-12, "{x} {y}");
        let [x, _] = camera.project(&Vec3::x()).unwrap();
        assert!(x > 0.0, "right is right");
        let down = PinholeCamera::looking_at(Vec3::y(), Vec3::zeros(), Vec3::y(), 1.0, 1.0);
        assert!(
            down.project(&Vec3::zeros()).is_some(),
            "straight down works, too"
        );
    }
}
