//! Bodies as the graphics card gets them.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};

/// From the reference pose to the scene, for one joint: three rows of an affine matrix.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub(in crate::app::render) struct JointRows(pub(super) [[f32; 4]; 3]);

/// What sets one character apart from others of its mannequin.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub(in crate::app::render) struct BodyInstance {
    /// Red, green, blue, opacity.
    pub(super) colour: [f32; 4],
    pub(super) first_joint: u32,
    /// The joint to be lit up; `u32::MAX` for none.
    pub(super) highlight: u32,
}

/// Characters that are drawn together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::app::render) struct Batch {
    /// The mesh of all its instances, by its index in [`Frame::meshes`].
    pub(in crate::app::render) mesh: usize,
    pub(in crate::app::render) bodies: Range<u32>,
}
