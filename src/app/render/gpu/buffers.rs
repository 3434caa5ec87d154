//! Buffers that grow when they must and are otherwise used again, and the mannequins that lie on the graphics card.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytemuck::Pod;
use wgpu::util::DeviceExt as _;

use crate::app::render::mannequin::Mannequin;

/// A list on the graphics card.
pub(super) struct List {
    label: &'static str,
    usage: wgpu::BufferUsages,
    buffer: wgpu::Buffer,
}

impl List {
    pub(super) fn new(
        device: &wgpu::Device,
        label: &'static str,
        usage: wgpu::BufferUsages,
    ) -> Self {
        let usage = usage | wgpu::BufferUsages::COPY_DST;
        Self {
            label,
            usage,
            buffer: buffer(device, label, usage, 256),
        }
    }

    /// Sends the items; says whether the buffer is another one now, so that who binds it binds it again.
    pub(super) fn send<T: Pod>(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        items: &[T],
    ) -> bool {
        let bytes: &[u8] = bytemuck::cast_slice(items);
        let has_grown = bytes.len() as u64 > self.buffer.size();
        if has_grown {
            let size = (bytes.len() as u64).next_power_of_two();
            self.buffer = buffer(device, self.label, self.usage, size);
        }
        if !bytes.is_empty() {
            queue.write_buffer(&self.buffer, 0, bytes);
        }
        has_grown
    }

    pub(super) const fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }
}

fn buffer(
    device: &wgpu::Device,
    label: &str,
    usage: wgpu::BufferUsages,
    size: u64,
) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size,
        usage,
        mapped_at_creation: false,
    })
}

/// The skin of a mannequin on the graphics card.
pub(super) struct Skin {
    /// Kept, so that its address stays its own.
    _mannequin: Arc<Mannequin>,
    pub(super) vertices: wgpu::Buffer,
    pub(super) corners: wgpu::Buffer,
    pub(super) n_corners: u32,
    last_used: u64,
}

/// Skins by the mannequin's address.
#[derive(Default)]
pub(super) struct Skins {
    by_address: BTreeMap<usize, Skin>,
    pictures: u64,
}

/// A skin that this many pictures did without makes room.
const FORGET_AFTER: u64 = 600;

impl Skins {
    /// Sends those that are new and forgets those long unused.
    pub(super) fn prepare(&mut self, device: &wgpu::Device, mannequins: &[Arc<Mannequin>]) {
        self.pictures += 1;
        let now = self.pictures;
        for mannequin in mannequins {
            let address = Arc::as_ptr(mannequin).addr();
            let skin = self.by_address.entry(address);
            skin.or_insert_with(|| Skin::new(device, mannequin))
                .last_used = now;
        }
        self.by_address
            .retain(|_, skin| now - skin.last_used <= FORGET_AFTER);
    }

    pub(super) fn get(&self, mannequin: &Arc<Mannequin>) -> Option<&Skin> {
        self.by_address.get(&Arc::as_ptr(mannequin).addr())
    }
}

impl Skin {
    fn new(device: &wgpu::Device, mannequin: &Arc<Mannequin>) -> Self {
        let fixed = |label: &str, contents: &[u8], usage| {
            device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: Some(label),
                contents,
                usage,
            })
        };
        let triangles = mannequin.triangles();
        Self {
            _mannequin: Arc::clone(mannequin),
            vertices: fixed(
                "skin",
                bytemuck::cast_slice(mannequin.vertices()),
                wgpu::BufferUsages::VERTEX,
            ),
            corners: fixed(
                "corners",
                bytemuck::cast_slice(triangles),
                wgpu::BufferUsages::INDEX,
            ),
            n_corners: 3 * triangles.len() as u32,
            last_used: 0,
        }
    }
}
