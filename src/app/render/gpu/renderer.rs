//! Draws scenes into a picture that stays until the next one.

use wgpu::{BufferUsages, LoadOp, Operations, StoreOp};

use super::Samples;
use super::buffers::{List, Skins};
use super::pipelines::{Layouts, Pipelines};
use super::targets::{ShadowMaps, Targets};
use crate::app::render::frame::{Batch, Frame, Globals};
use crate::app::render::scene::Scene;
use crate::app::render::size::Size;

/// Holds everything that can be used again from picture to picture.
///
/// It takes the device and queue of whoever shows the picture, so it can live among egui's callback resources.
pub struct Renderer {
    samples: Samples,
    pipelines: Pipelines,
    frame: Frame,
    skins: Skins,
    globals: wgpu::Buffer,
    joints: List,
    bodies: List,
    marks: List,
    strokes: List,
    overlay: List,
    layouts: Layouts,
    globals_group: wgpu::BindGroup,
    joints_group: wgpu::BindGroup,
    shadows: ShadowMaps,
    /// For reading the hard shadows, and the half softened ones.
    shadow_groups: [wgpu::BindGroup; 2],
    targets: Option<Targets>,
}

impl Renderer {
    /// Compiles the shaders and makes the pipelines for this many samples.
    pub fn new(device: &wgpu::Device, samples: Samples) -> Self {
        let layouts = Layouts::new(device);
        let globals = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("globals"),
            size: size_of::<Globals>() as u64,
            usage: BufferUsages::UNIFORM | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let joints = List::new(device, "joints", BufferUsages::STORAGE);
        let shadows = ShadowMaps::new(device);
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("smooth"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        let reading = |picture| {
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("picture"),
                layout: &layouts.picture,
                entries: &[
                    wgpu::BindGroupEntry {
                        binding: 0,
                        resource: wgpu::BindingResource::TextureView(picture),
                    },
                    wgpu::BindGroupEntry {
                        binding: 1,
                        resource: wgpu::BindingResource::Sampler(&sampler),
                    },
                ],
            })
        };
        Self {
            samples,
            pipelines: Pipelines::new(device, &layouts, samples),
            frame: Frame::default(),
            skins: Skins::default(),
            globals_group: group(device, &layouts.globals, &globals),
            joints_group: group(device, &layouts.joints, joints.buffer()),
            shadow_groups: [reading(&shadows.hard), reading(&shadows.between)],
            globals,
            joints,
            bodies: List::new(device, "bodies", BufferUsages::VERTEX),
            marks: List::new(device, "marks", BufferUsages::VERTEX),
            strokes: List::new(device, "strokes", BufferUsages::VERTEX),
            overlay: List::new(device, "overlay", BufferUsages::VERTEX),
            layouts,
            shadows,
            targets: None,
        }
    }

    /// Other smoothness from the next picture on.
    pub fn set_samples(&mut self, device: &wgpu::Device, samples: Samples) {
        if self.samples != samples {
            self.samples = samples;
            self.pipelines = Pipelines::new(device, &self.layouts, samples);
            self.targets = None;
        }
    }

    /// Draws a scene. A size of zero, or one over what the device can do, is brought to the nearest possible one.
    pub fn draw(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, scene: &Scene, size: Size) {
        let largest = device.limits().max_texture_dimension_2d;
        let size = Size {
            width: size.width.clamp(1, largest),
            height: size.height.clamp(1, largest),
        };
        self.send(device, queue, scene, size);
        if self.targets.as_ref().is_none_or(|t| t.size != size) {
            self.targets = Some(Targets::new(device, size, self.samples));
        }
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
            label: Some("viewport"),
        });
        if self.frame.globals.shows_floor() {
            self.cast_shadows(&mut encoder);
        }
        if let Some(targets) = &self.targets {
            self.draw_all(&mut encoder, targets);
        }
        queue.submit([encoder.finish()]);
    }

    /// The last picture, in [`super::COLOUR_FORMAT`], to be shown by whoever owns the window.
    pub fn view(&self) -> Option<&wgpu::TextureView> {
        self.targets.as_ref().map(|t| &t.colour_view)
    }

    /// The last picture, to be copied from.
    pub fn texture(&self) -> Option<&wgpu::Texture> {
        self.targets.as_ref().map(|t| &t.colour)
    }

    fn send(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, scene: &Scene, size: Size) {
        self.frame.build(scene, size);
        let frame = &self.frame;
        self.skins.prepare(device, &frame.meshes);
        queue.write_buffer(&self.globals, 0, bytemuck::bytes_of(&frame.globals));
        if self.joints.send(device, queue, &frame.joints) {
            self.joints_group = group(device, &self.layouts.joints, self.joints.buffer());
        }
        self.bodies.send(device, queue, &frame.bodies);
        self.marks.send(device, queue, &frame.marks);
        self.strokes.send(device, queue, &frame.strokes);
        self.overlay.send(device, queue, &frame.overlay);
    }

    /// Bodies onto the floor, then softened twice.
    fn cast_shadows(&self, encoder: &mut wgpu::CommandEncoder) {
        let mut pass = onto(encoder, "shadows", &self.shadows.hard);
        pass.set_pipeline(&self.pipelines.shadow);
        self.draw_batches(&mut pass, &self.frame.solid);
        self.draw_batches(&mut pass, &self.frame.ghosts);
        drop(pass);
        let steps = [
            (&self.pipelines.blur_across, 0, &self.shadows.between),
            (&self.pipelines.blur_down, 1, &self.shadows.hard),
        ];
        for (pipeline, source, target) in steps {
            let mut pass = onto(encoder, "soften", target);
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, &self.shadow_groups[source], &[]);
            pass.draw(0..3, 0..1);
        }
    }

    fn draw_all(&self, encoder: &mut wgpu::CommandEncoder, targets: &Targets) {
        let mut pass = begin(encoder, targets);
        let pipelines = &self.pipelines;
        pass.set_bind_group(0, &self.globals_group, &[]);
        pass.set_bind_group(1, &self.shadow_groups[0], &[]);
        pass.set_pipeline(&pipelines.backdrop);
        pass.draw(0..3, 0..1);
        if self.frame.globals.shows_floor() {
            pass.set_pipeline(&pipelines.floor);
            pass.draw(0..4, 0..1);
        }
        if !self.frame.marks.is_empty() {
            pass.set_pipeline(&pipelines.ring);
            pass.set_vertex_buffer(0, self.marks.buffer().slice(..));
            pass.draw(0..4, 0..self.frame.marks.len() as u32);
        }
        pass.set_pipeline(&pipelines.body);
        self.draw_batches(&mut pass, &self.frame.solid);
        draw_strokes(
            &mut pass,
            &pipelines.stroke,
            &self.strokes,
            self.frame.strokes.len(),
        );
        for ghost in &self.frame.ghosts {
            for pipeline in [&pipelines.ghost_depth, &pipelines.ghost] {
                pass.set_pipeline(pipeline);
                self.draw_batches(&mut pass, std::slice::from_ref(ghost));
            }
        }
        draw_strokes(
            &mut pass,
            &pipelines.overlay,
            &self.overlay,
            self.frame.overlay.len(),
        );
    }

    fn draw_batches(&self, pass: &mut wgpu::RenderPass<'_>, batches: &[Batch]) {
        if batches.is_empty() {
            return;
        }
        pass.set_bind_group(0, &self.globals_group, &[]);
        pass.set_bind_group(1, &self.joints_group, &[]);
        pass.set_vertex_buffer(1, self.bodies.buffer().slice(..));
        for batch in batches {
            let Some(skin) = self.skins.get(&self.frame.meshes[batch.mesh]) else {
                continue;
            };
            pass.set_vertex_buffer(0, skin.vertices.slice(..));
            pass.set_index_buffer(skin.corners.slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(0..skin.n_corners, 0, batch.bodies.clone());
        }
    }
}

/// The pass that draws everything, from a black picture.
fn begin<'a>(encoder: &'a mut wgpu::CommandEncoder, targets: &Targets) -> wgpu::RenderPass<'a> {
    let several = targets.samples_view.as_ref();
    let colour = wgpu::RenderPassColorAttachment {
        view: several.unwrap_or(&targets.colour_view),
        depth_slice: None,
        resolve_target: several.map(|_| &targets.colour_view),
        ops: Operations {
            load: LoadOp::Clear(wgpu::Color::BLACK),
            store: if several.is_some() {
                StoreOp::Discard
            } else {
                StoreOp::Store
            },
        },
    };
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("viewport"),
        color_attachments: &[Some(colour)],
        depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
            view: &targets.depth_view,
            depth_ops: Some(Operations {
                // Far away is zero.
                load: LoadOp::Clear(0.0),
                store: StoreOp::Discard,
            }),
            stencil_ops: None,
        }),
        ..Default::default()
    })
}

fn draw_strokes(
    pass: &mut wgpu::RenderPass<'_>,
    pipeline: &wgpu::RenderPipeline,
    strokes: &List,
    n: usize,
) {
    if n > 0 {
        pass.set_pipeline(pipeline);
        pass.set_vertex_buffer(0, strokes.buffer().slice(..));
        pass.draw(0..4, 0..n as u32);
    }
}

/// A pass that starts from black and has no depth.
fn onto<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    label: &str,
    view: &wgpu::TextureView,
) -> wgpu::RenderPass<'a> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: None,
            ops: Operations {
                load: LoadOp::Clear(wgpu::Color::BLACK),
                store: StoreOp::Store,
            },
        })],
        ..Default::default()
    })
}

fn group(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    buffer: &wgpu::Buffer,
) -> wgpu::BindGroup {
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout,
        entries: &[wgpu::BindGroupEntry {
            binding: 0,
            resource: buffer.as_entire_binding(),
        }],
    })
}
