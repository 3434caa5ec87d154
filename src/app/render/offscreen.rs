//! Pictures without a window.

use std::sync::{Arc, Mutex, PoisonError};

use image::RgbaImage;

use super::gpu::{Renderer, Samples, device_wish};
use super::scene::Scene;
use super::size::Size;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// No driver at all.
    #[error(
        "no graphics driver was found; without a graphics card, software drawing needs the packages mesa-vulkan-drivers and libvulkan1 ({0})"
    )]
    NoAdapter(String),
    /// A driver that does not do what is needed.
    #[error("the graphics driver {name} cannot be used: {reason}")]
    NoDevice {
        /// As it calls itself.
        name: String,
        /// The error in the driver's own words.
        reason: String,
    },
    /// The size is zero or too large for the driver.
    #[error("a picture of {width} x {height} pixels cannot be drawn; each side may have 1 to {largest}", width = size.width, height = size.height)]
    Size {
        /// The size that was asked for.
        size: Size,
        /// The longest side that the adapter can draw, in pixels.
        largest: u32,
    },
    /// The driver gave up while drawing.
    #[error("the graphics driver gave up: {0}")]
    Lost(String),
}

/// A graphics device of our own with a renderer; good for any number of pictures.
pub struct Offscreen {
    device: wgpu::Device,
    queue: wgpu::Queue,
    renderer: Renderer,
    driver: String,
    /// The first thing the driver complained about since it was last asked.
    complaint: Complaint,
}

type Complaint = Arc<Mutex<Option<String>>>;

impl Offscreen {
    /// Looks for a graphics card, or a software stand-in. `WGPU_BACKEND` narrows the choice.
    pub fn new(samples: Samples) -> Result<Self, RenderError> {
        let instance =
            wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let wanted = wgpu::RequestAdapterOptions::default();
        let adapter = pollster::block_on(instance.request_adapter(&wanted))
            .map_err(|error| RenderError::NoAdapter(error.to_string()))?;
        let info = adapter.get_info();
        let wanted = device_wish(&adapter);
        let (device, queue) =
            pollster::block_on(adapter.request_device(&wanted)).map_err(|error| {
                RenderError::NoDevice {
                    name: info.name.clone(),
                    reason: error.to_string(),
                }
            })?;
        // Out of memory, for instance. By default wgpu panics.
        let complaint = Complaint::default();
        let heard = Arc::clone(&complaint);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            let mut first = heard.lock().unwrap_or_else(PoisonError::into_inner);
            first.get_or_insert_with(|| error.to_string());
        }));
        Ok(Self {
            renderer: Renderer::new(&device, samples),
            device,
            queue,
            driver: info.name,
            complaint,
        })
    }

    /// What draws, in its own words.
    pub fn driver(&self) -> &str {
        &self.driver
    }

    /// Draws a scene and reads it back.
    pub fn picture(&mut self, scene: &Scene, size: Size) -> Result<RgbaImage, RenderError> {
        let largest = self.device.limits().max_texture_dimension_2d;
        let fits = |side: u32| (1..=largest).contains(&side);
        if !(fits(size.width) && fits(size.height)) {
            return Err(RenderError::Size { size, largest });
        }
        self.renderer.draw(&self.device, &self.queue, scene, size);
        let picture = self.read_back(size);
        let mut complaint = self
            .complaint
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        match complaint.take() {
            Some(complaint) => Err(RenderError::Lost(complaint)),
            None => picture,
        }
    }

    fn read_back(&self, size: Size) -> Result<RgbaImage, RenderError> {
        let lost = |why: &dyn std::fmt::Display| RenderError::Lost(why.to_string());
        let texture = self
            .renderer
            .texture()
            .ok_or_else(|| lost(&"nothing was drawn"))?;
        let row = 4 * size.width;
        // Rows of a copy start at multiples of 256 bytes.
        let stride = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read back"),
            size: u64::from(stride) * u64::from(size.height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder = self.device.create_command_encoder(&Default::default());
        encoder.copy_texture_to_buffer(
            texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(stride),
                    rows_per_image: None,
                },
            },
            texture.size(),
        );
        self.queue.submit([encoder.finish()]);
        let (done, answer) = std::sync::mpsc::channel();
        buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            // Nobody listens any more only if waiting failed, which is reported below.
            done.send(result).ok();
        });
        self.device
            .poll(wgpu::PollType::wait_indefinitely())
            .map_err(|error| lost(&error))?;
        let mapped = answer.recv().map_err(|error| lost(&error))?;
        mapped.map_err(|error| lost(&error))?;
        let bytes = buffer.get_mapped_range(..).map_err(|error| lost(&error))?;
        let mut pixels = Vec::with_capacity(row as usize * size.height as usize);
        for line in bytes.chunks_exact(stride as usize) {
            pixels.extend_from_slice(&line[..row as usize]);
        }
        RgbaImage::from_raw(size.width, size.height, pixels)
            .ok_or_else(|| lost(&"the picture came back incomplete"))
    }
}

/// One picture of a scene, with smooth edges. Who wants several keeps an [`Offscreen`].
pub fn picture(scene: &Scene, size: Size) -> Result<RgbaImage, RenderError> {
    Offscreen::new(Samples::Four)?.picture(scene, size)
}
