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
    /// One sample for each pixel: jagged edges, less work.
    One,
    /// Four samples for each pixel: smooth edges.
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
