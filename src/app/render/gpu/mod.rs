//! Drawing with wgpu, into pictures of the renderer's own.

mod buffers;
mod pipelines;
mod renderer;
mod targets;

pub use renderer::Renderer;
pub use targets::COLOUR_FORMAT;

/// How many samples a pixel has. Four smooth the edges; one is quicker on computers without a graphics card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Samples {
    /// Jagged edges.
    One,
    /// Smooth edges.
    Four,
}

impl Samples {
    const fn count(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Four => 4,
        }
    }
}
