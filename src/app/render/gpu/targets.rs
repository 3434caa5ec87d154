//! The pictures that are drawn into.

use super::Samples;
use crate::app::render::size::Size;

/// Colours are stored as the screen shows them, like those of egui.
pub const COLOUR_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
pub(super) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
pub(super) const SHADOW_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;
/// Pixels of a side of the floor's shadow map.
const SHADOW_SIDE: u32 = 512;

/// Colour and depth of one size.
pub(super) struct Targets {
    pub(super) size: Size,
    /// The finished picture, after samples were resolved.
    pub(super) colour: wgpu::Texture,
    pub(super) colour_view: wgpu::TextureView,
    /// Several samples per pixel, if so wished.
    pub(super) samples_view: Option<wgpu::TextureView>,
    pub(super) depth_view: wgpu::TextureView,
}

impl Targets {
    pub(super) fn new(device: &wgpu::Device, size: Size, samples: Samples) -> Self {
        let draw = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let read = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_SRC;
        let count = samples.count();
        let colour = texture(device, "colour", size, COLOUR_FORMAT, 1, draw | read);
        let depth = texture(device, "depth", size, DEPTH_FORMAT, count, draw);
        let several =
            (count > 1).then(|| texture(device, "samples", size, COLOUR_FORMAT, count, draw));
        Self {
            size,
            colour_view: view(&colour),
            colour,
            samples_view: several.as_ref().map(view),
            depth_view: view(&depth),
        }
    }
}

/// Shadows on the floor, and room to soften them.
pub(super) struct ShadowMaps {
    pub(super) hard: wgpu::TextureView,
    pub(super) between: wgpu::TextureView,
}

impl ShadowMaps {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        let size = Size {
            width: SHADOW_SIDE,
            height: SHADOW_SIDE,
        };
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
        let map = |label| view(&texture(device, label, size, SHADOW_FORMAT, 1, usage));
        Self {
            hard: map("shadows"),
            between: map("shadows, half softened"),
        }
    }
}

fn texture(
    device: &wgpu::Device,
    label: &str,
    size: Size,
    format: wgpu::TextureFormat,
    sample_count: u32,
    usage: wgpu::TextureUsages,
) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d {
            width: size.width,
            height: size.height,
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    })
}

fn view(texture: &wgpu::Texture) -> wgpu::TextureView {
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}
