//! The size of a picture.

/// Pixels of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// From left to right.
    pub width: u32,
    /// From top to bottom.
    pub height: u32,
}

impl Size {
    /// Of whole pixels, at least one each way.
    pub fn of(width: f32, height: f32) -> Self {
        Self {
            width: width.round().max(1.0) as u32,
            height: height.round().max(1.0) as u32,
        }
    }

    /// The aspect ratio: width over height.
    pub fn aspect(self) -> f64 {
        f64::from(self.width.max(1)) / f64::from(self.height.max(1))
    }
}
