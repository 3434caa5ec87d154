//! A foot or hand that is held at a place.

use crate::app::render::Handle;

/// A held foot or hand of the looked-at variant.
#[derive(Debug, Clone, PartialEq)]
pub struct Pin {
    /// The joint that is held.
    pub joint: usize,
    /// A frame of its span.
    pub frame: usize,
    /// Feet move over the floor, hands across the picture.
    pub(super) is_foot: bool,
    pub(super) handle: Handle,
}
