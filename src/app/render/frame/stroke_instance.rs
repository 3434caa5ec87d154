//! Strokes and marks as the graphics card gets them.

use bytemuck::{Pod, Zeroable};

use crate::app::render::palette::Colour;

/// A line from `a` to `b` with its width in pixels.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub(in crate::app::render) struct StrokeInstance {
    pub(super) a: [f32; 3],
    pub(super) width_px: f32,
    pub(super) b: [f32; 3],
    pub(super) kind: u32,
    pub(super) colour_a: [u8; 4],
    pub(super) colour_b: [u8; 4],
}

/// Places are pixels of the picture, not of the scene.
pub(super) const ON_SCREEN: u32 = 1;

/// Shaded like a ball.
pub(super) const BALL: u32 = 2;

/// The stroke has a round cap at `a`.
pub(super) const ROUND_A: u32 = 4;

/// The stroke has a round cap at `b`.
pub(super) const ROUND_B: u32 = 8;

/// Round at both ends.
pub(super) const ROUND: u32 = ROUND_A | ROUND_B;

/// A ring on the floor.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub(in crate::app::render) struct MarkInstance {
    /// The centre in the scene, and the radius.
    pub(super) centre: [f32; 4],
    pub(super) colour: [f32; 4],
}

pub(super) fn bytes(colour: Colour, alpha: f32) -> [u8; 4] {
    colour
        .with_alpha(alpha)
        .map(|part| (part.clamp(0.0, 1.0) * 255.0).round() as u8)
}
