//! Posing over a picture: a camera that turns clicks into rays.

use super::constraint::{Constraint, Goal, Hold};
use crate::motion::{Quat, Site, Vec3};

/// A pinhole camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// Where it stands.
    pub eye: Vec3,
    /// World from camera; the camera looks along its -Z with +Y up.
    pub rotation: Quat,
    /// From the bottom of the picture to its top.
    pub field_of_view_rad: f64,
    /// Width over height.
    pub aspect: f64,
}

impl Camera {
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

    /// The wish that a site is seen at a point of the picture.
    pub fn seen_at(&self, site: Site, at: [f64; 2]) -> Constraint {
        Constraint {
            site,
            goal: Goal::Ray {
                origin: self.eye,
                direction: self.direction(at),
            },
            hold: Hold::Hard,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_lies_on_the_ray_of_its_picture() {
        let eye = Vec3::new(3.0, 1.5, 4.0);
        for up in [Vec3::y(), Vec3::z(), Vec3::x()] {
            let camera = Camera::looking_at(eye, Vec3::new(0.0, 1.0, 0.0), up, 0.8, 1.5);
            let place = Vec3::new(-0.4, 1.3, 0.2);
            let at = camera.project(&place).unwrap();
            let off = (place - eye).cross(&camera.direction(at)).norm();
            assert!(off < 1e-12, "{off:e}");
            let behind = eye + (eye - place);
            assert_eq!(camera.project(&behind), None);
        }
    }

    #[test]
    fn the_top_of_the_picture_is_up() {
        let camera = Camera::looking_at(Vec3::z() * 5.0, Vec3::zeros(), Vec3::y(), 1.0, 1.0);
        let [x, y] = camera
            .project(&Vec3::new(0.0, 5.0 * 0.5_f64.tan(), 0.0))
            .unwrap();
        assert!(x.abs() < 1e-12 && (y - 1.0).abs() < 1e-12, "{x} {y}");
        let [x, _] = camera.project(&Vec3::x()).unwrap();
        assert!(x > 0.0, "right is right");
        let down = Camera::looking_at(Vec3::y(), Vec3::zeros(), Vec3::y(), 1.0, 1.0);
        assert!(
            down.project(&Vec3::zeros()).is_some(),
            "straight down works, too"
        );
    }
}
