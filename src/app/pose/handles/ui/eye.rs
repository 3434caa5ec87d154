//! Between the points of the window and the places of the scene.

use egui::{Pos2, Rect, vec2};

use crate::app::render::{Camera, Ray, Size};
use crate::motion::Vec3;

/// The camera with the part of the window that it fills.
#[derive(Debug, Clone, Copy)]
pub(in crate::app::pose) struct Eye {
    pub(in crate::app::pose) camera: Camera,
    pub(in crate::app::pose) size: Size,
    pub(in crate::app::pose) rect: Rect,
    pub(in crate::app::pose) pixels_per_point: f32,
}

impl Eye {
    /// Where a place is seen; none behind the eye.
    pub(in crate::app::pose) fn seen(&self, place: &Vec3) -> Option<Pos2> {
        let seen = self.camera.project(place, self.size)?;
        let at = vec2(seen.x as f32, seen.y as f32) / self.pixels_per_point;
        Some(self.rect.min + at)
    }

    /// From the eye through a point of the window.
    pub(in crate::app::pose) fn ray(&self, at: Pos2) -> Ray {
        let at = (at - self.rect.min) * self.pixels_per_point;
        let (x, y) = (f64::from(at.x), f64::from(at.y));
        self.camera.ray(x, y, self.size)
    }

    /// Towards the eye, level with the middle of the picture.
    pub(in crate::app::pose) fn back(&self) -> Vec3 {
        (self.camera.eye() - self.camera.target).normalize()
    }

    /// How long a point of the window is at a place.
    pub(in crate::app::pose) fn length_per_point(&self, place: &Vec3) -> f64 {
        let depth = (self.camera.eye() - place).dot(&self.back());
        let depth = depth.max(1e-3 * self.camera.distance);
        self.camera.length_per_pixel(depth, self.size) * f64::from(self.pixels_per_point)
    }
}
