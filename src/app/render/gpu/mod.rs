//! Drawing with wgpu, into pictures of the renderer's own.

mod buffers;
mod pipelines;
mod renderer;
mod targets;

pub use renderer::Renderer;
pub use targets::COLOUR_FORMAT;

/// What is asked of the driver that draws. The shaders read storage buffers, which OpenGL has, too; egui alone would ask
/// it for no more than a browser's, and the 3D view would stay empty.
pub fn device_wish(adapter: &wgpu::Adapter) -> wgpu::DeviceDescriptor<'static> {
    let has = adapter.limits();
    let limits = wgpu::Limits::default().using_resolution(has.clone());
    wgpu::DeviceDescriptor {
        label: Some("kinfolk"),
        required_limits: limits.or_worse_values_from(&has),
        ..Default::default()
    }
}

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
