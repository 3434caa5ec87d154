//! Where the scene is seen from: orbit, pan, zoom and framing, for any up axis, as pure values.

use nalgebra::{Matrix4, Rotation3};

use super::size::Size;
use crate::motion::heading::{forward, left};
use crate::motion::{Axis, Vec3};

/// Views that have a name and a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// Into the face of heading zero.
    Front,
    /// From behind the character.
    Back,
    /// Onto the left side of heading zero.
    Side,
    /// From straight above, along the up axis.
    Top,
    /// From the front, to the side and a little above.
    ThreeQuarter,
}

impl View {
    /// Turn about up and rise over the horizon, in radians.
    pub const fn angles_rad(self) -> (f64, f64) {
        use std::f64::consts::{FRAC_PI_2, PI};
        match self {
            Self::Front => (0.0, 0.08),
            Self::Back => (PI, 0.08),
            Self::Side => (FRAC_PI_2, 0.08),
            Self::Top => (0.0, FRAC_PI_2),
            Self::ThreeQuarter => (0.65, 0.30),
        }
    }
}

/// Looks at a point from a distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// Which way is up.
    pub up: Axis,
    /// What it turns about and looks at.
    pub target: Vec3,
    /// Turn about up; at 0 it looks into the face of a character of heading zero, at +90 degrees onto its left side.
    pub yaw_rad: f64,
    /// Rise over the horizon, from -90 to +90 degrees.
    pub pitch_rad: f64,
    /// From eye to target; over zero.
    pub distance: f64,
    /// Full angle from the lower to the upper edge.
    pub fov_y_rad: f64,
}

/// A half line through the scene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    /// The point in the scene that it starts from.
    pub origin: Vec3,
    /// The direction of the ray, of unit length.
    pub direction: Vec3,
}

impl Ray {
    /// Where it meets the plane through `point` with this normal, if it does.
    pub fn meets_plane(&self, point: &Vec3, normal: &Vec3) -> Option<Vec3> {
        let slope = self.direction.dot(normal);
        let along = (point - self.origin).dot(normal) / slope;
        (along.is_finite() && along >= 0.0).then(|| self.origin + self.direction * along)
    }
}

/// A point as seen in a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Projected {
    /// Pixels from the left edge.
    pub x: f64,
    /// Pixels from the upper edge.
    pub y: f64,
    /// How far before the eye, along the view; over zero.
    pub depth: f64,
}

/// Right, up and back of a picture, in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Frame {
    pub(super) right: Vec3,
    pub(super) up: Vec3,
    /// From the target to the eye.
    pub(super) back: Vec3,
}

impl Camera {
    /// About 35 mm on a film camera.
    pub const USUAL_FOV_Y_RAD: f64 = 0.6;
    /// Nothing nearer to the eye than this share of the distance is drawn.
    const NEAR: f64 = 0.01;

    /// A named view of a target.
    pub const fn new(up: Axis, view: View, target: Vec3, distance: f64) -> Self {
        let (yaw_rad, pitch_rad) = view.angles_rad();
        Self {
            up,
            target,
            yaw_rad,
            pitch_rad,
            distance,
            fov_y_rad: Self::USUAL_FOV_Y_RAD,
        }
    }

    /// The same target from a named view, relative to a character of this heading.
    #[must_use]
    pub const fn seen(self, view: View, heading_rad: f64) -> Self {
        let (yaw, pitch_rad) = view.angles_rad();
        Self {
            yaw_rad: yaw + heading_rad,
            pitch_rad,
            ..self
        }
    }

    /// Turned about the target.
    #[must_use]
    pub fn orbited(self, yaw_rad: f64, pitch_rad: f64) -> Self {
        let straight = std::f64::consts::FRAC_PI_2;
        Self {
            yaw_rad: crate::motion::rotation::wrap(self.yaw_rad + yaw_rad),
            pitch_rad: (self.pitch_rad + pitch_rad).clamp(-straight, straight),
            ..self
        }
    }

    /// Moved so that what is at the target follows the pointer by this many pixels.
    #[must_use]
    pub fn panned(self, right_px: f64, down_px: f64, size: Size) -> Self {
        let frame = self.frame();
        let step = self.length_per_pixel(self.distance, size);
        Self {
            target: self.target + (frame.up * down_px - frame.right * right_px) * step,
            ..self
        }
    }

    /// Nearer with a factor under one, farther with one over it.
    #[must_use]
    pub fn zoomed(self, factor: f64) -> Self {
        let distance = self.distance * factor;
        let is_sound = (1e-9..1e15).contains(&distance);
        Self {
            distance: if is_sound { distance } else { self.distance },
            ..self
        }
    }

    /// Looking at something that moves, from the same side.
    #[must_use]
    pub const fn following(self, target: Vec3) -> Self {
        Self { target, ..self }
    }

    /// From the same side, so near that all these balls just fit, with some air around.
    #[must_use]
    pub fn framing(self, balls: &[(Vec3, f64)], size: Size) -> Self {
        const AIR: f64 = 1.1;
        let frame = self.frame();
        let axes = [frame.right, frame.up, frame.back];
        // The middle as the picture sees it, not that of a box along the axes of space: a row of characters may stand
        // slantwise in that.
        let target: Vec3 = axes
            .iter()
            .map(|axis| {
                let low = balls.iter().map(|(c, r)| c.dot(axis) - r);
                let high = balls.iter().map(|(c, r)| c.dot(axis) + r);
                let (low, high) = (low.reduce(f64::min), high.reduce(f64::max));
                axis * (0.5 * (low.unwrap_or(0.0) + high.unwrap_or(0.0)))
            })
            .sum();
        let tan_y = (0.5 * self.fov_y_rad).tan();
        let tan_x = tan_y * size.aspect();
        // Each ball asks for a distance at which it is inside both pairs of edges.
        let distance = balls
            .iter()
            .map(|(centre, radius)| {
                let v = centre - target;
                let aside = v.dot(&frame.right).abs() + radius;
                let over = v.dot(&frame.up).abs() + radius;
                AIR * (aside / tan_x).max(over / tan_y) + v.dot(&frame.back)
            })
            .fold(0.0, f64::max);
        let is_sound = (1e-9..1e15).contains(&distance);
        if is_sound {
            Self {
                target,
                distance,
                ..self
            }
        } else {
            self
        }
    }

    /// The position of the camera in the scene.
    pub fn eye(&self) -> Vec3 {
        self.target + self.frame().back * self.distance
    }

    /// The axes of the picture. Looking straight down, the yaw says which way the picture's upper edge lies.
    pub(super) fn frame(&self) -> Frame {
        let up = self.up.vector();
        let turn = Rotation3::from_scaled_axis(up * self.yaw_rad);
        let ahead = turn * forward(self.up);
        let right = turn * left(self.up);
        let (sin, cos) = self.pitch_rad.sin_cos();
        Frame {
            right,
            up: up * cos - ahead * sin,
            back: ahead * cos + up * sin,
        }
    }

    /// How long a pixel is at this distance before the eye.
    pub fn length_per_pixel(&self, depth: f64, size: Size) -> f64 {
        2.0 * depth * (0.5 * self.fov_y_rad).tan() / f64::from(size.height.max(1))
    }

    /// Where a point is seen; `None` behind the eye.
    pub fn project(&self, point: &Vec3, size: Size) -> Option<Projected> {
        let frame = self.frame();
        let v = point - self.eye();
        let depth = -v.dot(&frame.back);
        if depth <= Self::NEAR * self.distance {
            return None;
        }
        let per_pixel = self.length_per_pixel(depth, size);
        Some(Projected {
            x: 0.5 * f64::from(size.width) + v.dot(&frame.right) / per_pixel,
            y: 0.5 * f64::from(size.height) - v.dot(&frame.up) / per_pixel,
            depth,
        })
    }

    /// From the eye through a pixel.
    pub fn ray(&self, x: f64, y: f64, size: Size) -> Ray {
        let frame = self.frame();
        let per_pixel = self.length_per_pixel(1.0, size);
        let aside = (x - 0.5 * f64::from(size.width)) * per_pixel;
        let over = (0.5 * f64::from(size.height) - y) * per_pixel;
        Ray {
            origin: self.eye(),
            direction: (frame.right * aside + frame.up * over - frame.back).normalize(),
        }
    }

    /// Clip space from places relative to the target. Depth runs from 1 near the eye to 0 without end: that keeps
    /// its precision far away.
    pub(super) fn clip_from_target(&self, size: Size) -> Matrix4<f64> {
        let frame = self.frame();
        let over = 1.0 / (0.5 * self.fov_y_rad).tan();
        let aside = over / size.aspect();
        let row = |v: Vec3, last: f64| nalgebra::RowVector4::new(v.x, v.y, v.z, last);
        let near = Self::NEAR * self.distance;
        Matrix4::from_rows(&[
            row(frame.right * aside, 0.0),
            row(frame.up * over, 0.0),
            row(Vec3::zeros(), near),
            row(-frame.back, self.distance),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size {
        width: 640,
        height: 400,
    };

    fn cameras() -> Vec<Camera> {
        let target = Vec3::new(3.0, -2.0, 7.0);
        let views = [
            View::Front,
            View::Back,
            View::Side,
            View::Top,
            View::ThreeQuarter,
        ];
        Axis::all()
            .into_iter()
            .flat_map(|up| views.map(|view| Camera::new(up, view, target, 5.0)))
            .collect()
    }

    #[test]
    fn a_ray_through_a_projected_point_hits_it() {
        for camera in cameras() {
            for offset in [[0.0, 0.0, 0.0], [1.0, 0.3, -0.8], [-0.7, 1.2, 0.4]] {
                let point = camera.target + Vec3::from(offset);
                let seen = camera.project(&point, SIZE).unwrap();
                let ray = camera.ray(seen.x, seen.y, SIZE);
                let miss = (point - ray.origin).cross(&ray.direction).norm();
                assert!(miss < 1e-9, "{camera:?} misses by {miss}");
                let clip = camera.clip_from_target(SIZE) * Vec3::from(offset).push(1.0);
                let x = (0.5 + 0.5 * clip.x / clip.w) * 640.0;
                let y = (0.5 - 0.5 * clip.y / clip.w) * 400.0;
                let off = (x - seen.x).hypot(y - seen.y);
                assert!(off < 1e-9, "the shader sees it {off} pixels away");
                assert!(
                    (clip.w - seen.depth).abs() < 1e-9,
                    "depth {} or {}",
                    clip.w,
                    seen.depth
                );
            }
            let behind = camera.eye() + camera.frame().back;
            assert_eq!(camera.project(&behind, SIZE), None);
        }
    }

    #[test]
    fn the_target_is_in_the_middle_and_up_is_up() {
        for camera in cameras() {
            let middle = camera.project(&camera.target, SIZE).unwrap();
            assert!(
                (middle.x - 320.0).abs() < 1e-9 && (middle.y - 200.0).abs() < 1e-9,
                "{middle:?}"
            );
            let above = camera.target + camera.up.vector() * 0.5;
            let above = camera.project(&above, SIZE).unwrap();
            assert!(above.y < 200.0 + 1e-9, "{camera:?}");
        }
    }

    #[test]
    fn the_front_view_shows_the_left_hand_on_the_right() {
        for up in Axis::all() {
            let camera = Camera::new(up, View::Front, Vec3::zeros(), 4.0);
            let hand = camera.project(&left(up), SIZE).unwrap();
            assert!(hand.x > 320.0, "{up}: {hand:?}");
            let nose = camera.project(&forward(up), SIZE).unwrap();
            assert!(nose.depth < 4.0, "{up}: the face looks at the camera");
            let camera = Camera::new(up, View::Side, Vec3::zeros(), 4.0);
            let hand = camera.project(&left(up), SIZE).unwrap();
            assert!(hand.depth < 4.0, "{up}: the left side is near");
        }
    }

    #[test]
    fn panning_moves_the_picture_with_the_pointer() {
        for camera in cameras() {
            let before = camera.project(&camera.target, SIZE).unwrap();
            let moved = camera.panned(30.0, -12.0, SIZE);
            let after = moved.project(&camera.target, SIZE).unwrap();
            let off = (after.x - before.x - 30.0).hypot(after.y - before.y + 12.0);
            assert!(off < 1e-9, "off by {off} pixels");
        }
    }

    #[test]
    fn framing_shows_all_and_not_much_more() {
        let balls: Vec<(Vec3, f64)> = (0..6)
            .map(|i| (Vec3::new(f64::from(i), 10.0, -0.8 * f64::from(i)), 0.5))
            .collect();
        for camera in cameras() {
            let camera = camera.framing(&balls, SIZE);
            let mut reach: f64 = 0.0;
            for (centre, radius) in &balls {
                let seen = camera.project(centre, SIZE).unwrap();
                let radius = radius / camera.length_per_pixel(seen.depth, SIZE);
                reach = reach
                    .max(((seen.x - 320.0).abs() + radius) / 640.0)
                    .max(((seen.y - 200.0).abs() + radius) / 400.0);
            }
            assert!((0.4..0.5).contains(&reach), "{camera:?} reaches {reach}");
            assert_eq!(camera.framing(&[], SIZE), camera, "nothing to frame");
        }
    }

    #[test]
    fn absurd_zooms_are_left_out() {
        let camera = Camera::new(Axis::Y, View::Front, Vec3::zeros(), 2.0);
        assert_eq!(camera.zoomed(0.5).distance, 1.0);
        for factor in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(camera.zoomed(factor), camera);
        }
        let steep = camera.orbited(10.0, 9.0);
        assert_eq!(steep.pitch_rad, std::f64::consts::FRAC_PI_2);
        assert!(steep.yaw_rad.abs() <= std::f64::consts::PI, "{steep:?}");
    }
}
