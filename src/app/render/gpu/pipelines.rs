//! Which shader draws what, and how it meets what is there already.

use super::Samples;
use super::targets::{COLOUR_FORMAT, DEPTH_FORMAT, SHADOW_FORMAT};
use crate::app::render::frame::{BodyInstance, Globals, MarkInstance, StrokeInstance};
use crate::app::render::mannequin::Vertex;

const COMMON: &str = include_str!("../../../../assets/shaders/common.wgsl");
const FLOOR: &str = include_str!("../../../../assets/shaders/floor.wgsl");
const BODY: &str = include_str!("../../../../assets/shaders/body.wgsl");
const BLUR: &str = include_str!("../../../../assets/shaders/blur.wgsl");
const STROKE: &str = include_str!("../../../../assets/shaders/stroke.wgsl");

/// What the shaders are given beside their vertices.
pub(super) struct Layouts {
    pub(super) globals: wgpu::BindGroupLayout,
    pub(super) joints: wgpu::BindGroupLayout,
    /// A picture to read from.
    pub(super) picture: wgpu::BindGroupLayout,
}

/// One pipeline per kind of thing.
pub(super) struct Pipelines {
    pub(super) backdrop: wgpu::RenderPipeline,
    pub(super) floor: wgpu::RenderPipeline,
    pub(super) ring: wgpu::RenderPipeline,
    pub(super) body: wgpu::RenderPipeline,
    /// Only the depth of a ghost, so that its far side does not show through its near one.
    pub(super) ghost_depth: wgpu::RenderPipeline,
    pub(super) ghost: wgpu::RenderPipeline,
    pub(super) stroke: wgpu::RenderPipeline,
    pub(super) overlay: wgpu::RenderPipeline,
    pub(super) shadow: wgpu::RenderPipeline,
    pub(super) blur_across: wgpu::RenderPipeline,
    pub(super) blur_down: wgpu::RenderPipeline,
}

impl Layouts {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        let stages = wgpu::ShaderStages::VERTEX_FRAGMENT;
        let buffer = |ty, size: usize| wgpu::BindingType::Buffer {
            ty,
            has_dynamic_offset: false,
            min_binding_size: std::num::NonZeroU64::new(size as u64),
        };
        let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: stages,
            ty,
            count: None,
        };
        let layout = |label, entries: &[wgpu::BindGroupLayoutEntry]| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: Some(label),
                entries,
            })
        };
        let uniform = buffer(wgpu::BufferBindingType::Uniform, size_of::<Globals>());
        let storage = buffer(wgpu::BufferBindingType::Storage { read_only: true }, 0);
        let picture = wgpu::BindingType::Texture {
            multisampled: false,
            sample_type: wgpu::TextureSampleType::Float { filterable: true },
            view_dimension: wgpu::TextureViewDimension::D2,
        };
        let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
        Self {
            globals: layout("globals", &[entry(0, uniform)]),
            joints: layout("joints", &[entry(0, storage)]),
            picture: layout("picture", &[entry(0, picture), entry(1, sampler)]),
        }
    }
}

/// How a pipeline differs from the next one.
#[derive(Clone, Copy)]
struct Recipe<'a> {
    label: &'static str,
    shader: &'a wgpu::ShaderModule,
    layouts: &'a [&'a wgpu::BindGroupLayout],
    vertex: &'static str,
    fragment: &'static str,
    buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    topology: wgpu::PrimitiveTopology,
    cull: bool,
    format: wgpu::TextureFormat,
    blend: Option<wgpu::BlendState>,
    writes: wgpu::ColorWrites,
    /// How depth is compared and whether it is written; `None` has no depth at all.
    depth: Option<(wgpu::CompareFunction, bool)>,
    samples: u32,
}

impl Recipe<'_> {
    fn make(&self, device: &wgpu::Device) -> wgpu::RenderPipeline {
        let layouts: Vec<_> = self.layouts.iter().map(|layout| Some(*layout)).collect();
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(self.label),
            bind_group_layouts: &layouts,
            immediate_size: 0,
        });
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(self.label),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: self.shader,
                entry_point: Some(self.vertex),
                buffers: self.buffers,
                compilation_options: Default::default(),
            },
            primitive: wgpu::PrimitiveState {
                topology: self.topology,
                cull_mode: self.cull.then_some(wgpu::Face::Back),
                ..Default::default()
            },
            depth_stencil: self.depth.map(|(compare, writes)| wgpu::DepthStencilState {
                format: DEPTH_FORMAT,
                depth_write_enabled: Some(writes),
                depth_compare: Some(compare),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: wgpu::MultisampleState {
                count: self.samples,
                ..Default::default()
            },
            fragment: Some(wgpu::FragmentState {
                module: self.shader,
                entry_point: Some(self.fragment),
                targets: &[Some(wgpu::ColorTargetState {
                    format: self.format,
                    blend: self.blend,
                    write_mask: self.writes,
                })],
                compilation_options: Default::default(),
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

/// The darkest of all shadows on a spot counts.
const DARKEST: wgpu::BlendState = {
    let component = wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::One,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Max,
    };
    wgpu::BlendState {
        color: component,
        alpha: component,
    }
};

impl Pipelines {
    pub(super) fn new(device: &wgpu::Device, layouts: &Layouts, samples: Samples) -> Self {
        use wgpu::CompareFunction::{Always, Greater, GreaterEqual};
        let shader = |label, parts: &[&str]| {
            device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(label),
                source: wgpu::ShaderSource::Wgsl(parts.concat().into()),
            })
        };
        let floor_shader = shader("floor", &[COMMON, FLOOR]);
        let body_shader = shader("body", &[COMMON, BODY]);
        let stroke_shader = shader("stroke", &[COMMON, STROKE]);
        let blur_shader = shader("blur", &[BLUR]);
        let floor_layouts = [&layouts.globals, &layouts.picture];
        let body_layouts = [&layouts.globals, &layouts.joints];
        let stroke_layouts = [&layouts.globals];
        let blur_layouts = [&layouts.picture];
        let body_buffers = body_buffers();
        let mark_buffers = mark_buffers();
        let stroke_buffers = stroke_buffers();
        let make = |recipe: Recipe<'_>| recipe.make(device);
        // The floor is drawn first and has no depth: feet that sink in stay in sight.
        let floor = Recipe {
            label: "floor",
            shader: &floor_shader,
            layouts: &floor_layouts,
            vertex: "floor_vertex",
            fragment: "floor_fragment",
            buffers: &[],
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            cull: false,
            format: COLOUR_FORMAT,
            blend: Some(wgpu::BlendState::ALPHA_BLENDING),
            writes: wgpu::ColorWrites::ALL,
            depth: Some((Always, false)),
            samples: samples.count(),
        };
        let body = Recipe {
            label: "body",
            shader: &body_shader,
            layouts: &body_layouts,
            vertex: "body_vertex",
            fragment: "body_fragment",
            buffers: &body_buffers,
            topology: wgpu::PrimitiveTopology::TriangleList,
            cull: true,
            blend: None,
            depth: Some((Greater, true)),
            ..floor
        };
        let stroke = Recipe {
            label: "stroke",
            shader: &stroke_shader,
            layouts: &stroke_layouts,
            vertex: "stroke_vertex",
            fragment: "stroke_fragment",
            buffers: &stroke_buffers,
            depth: Some((Greater, false)),
            ..floor
        };
        let blur = |fragment| Recipe {
            label: "blur",
            shader: &blur_shader,
            layouts: &blur_layouts,
            vertex: "blur_vertex",
            fragment,
            topology: wgpu::PrimitiveTopology::TriangleList,
            format: SHADOW_FORMAT,
            blend: None,
            depth: None,
            samples: 1,
            ..floor
        };
        Self {
            backdrop: make(Recipe {
                label: "backdrop",
                vertex: "backdrop_vertex",
                fragment: "backdrop_fragment",
                topology: wgpu::PrimitiveTopology::TriangleList,
                blend: None,
                ..floor
            }),
            floor: make(floor),
            ring: make(Recipe {
                label: "ring",
                vertex: "ring_vertex",
                fragment: "ring_fragment",
                buffers: &mark_buffers,
                ..floor
            }),
            body: make(body),
            ghost_depth: make(Recipe {
                label: "ghost depth",
                writes: wgpu::ColorWrites::empty(),
                ..body
            }),
            ghost: make(Recipe {
                label: "ghost",
                blend: Some(wgpu::BlendState::ALPHA_BLENDING),
                depth: Some((GreaterEqual, false)),
                ..body
            }),
            stroke: make(stroke),
            overlay: make(Recipe {
                label: "overlay",
                depth: Some((Always, false)),
                ..stroke
            }),
            shadow: make(Recipe {
                label: "shadow",
                vertex: "shadow_vertex",
                fragment: "shadow_fragment",
                cull: false,
                format: SHADOW_FORMAT,
                blend: Some(DARKEST),
                depth: None,
                samples: 1,
                ..body
            }),
            blur_across: make(blur("blur_across")),
            blur_down: make(blur("blur_down")),
        }
    }
}

fn instances(
    stride: usize,
    attributes: &'static [wgpu::VertexAttribute],
) -> wgpu::VertexBufferLayout<'static> {
    wgpu::VertexBufferLayout {
        array_stride: stride as u64,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes,
    }
}

fn body_buffers() -> [Option<wgpu::VertexBufferLayout<'static>>; 2] {
    const SKIN: &[wgpu::VertexAttribute] =
        &wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Uint32x2, 3 => Unorm8x4];
    const BODY: &[wgpu::VertexAttribute] =
        &wgpu::vertex_attr_array![4 => Float32x4, 5 => Uint32, 6 => Uint32];
    let skin = wgpu::VertexBufferLayout {
        array_stride: size_of::<Vertex>() as u64,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: SKIN,
    };
    [Some(skin), Some(instances(size_of::<BodyInstance>(), BODY))]
}

fn mark_buffers() -> [Option<wgpu::VertexBufferLayout<'static>>; 1] {
    const MARK: &[wgpu::VertexAttribute] =
        &wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32x4];
    [Some(instances(size_of::<MarkInstance>(), MARK))]
}

fn stroke_buffers() -> [Option<wgpu::VertexBufferLayout<'static>>; 1] {
    const STROKE: &[wgpu::VertexAttribute] = &wgpu::vertex_attr_array![
        0 => Float32x4, 1 => Float32x3, 2 => Uint32, 3 => Unorm8x4, 4 => Unorm8x4
    ];
    [Some(instances(size_of::<StrokeInstance>(), STROKE))]
}
