//! The renderer's pictures inside the window: drawn again only when something to be seen has changed.

use crate::app::render::{Renderer, Samples, Scene, Size};

/// The renderer and its last picture.
#[derive(Default)]
pub struct Stage {
    renderer: Option<Renderer>,
    texture: Option<egui::TextureId>,
    drawn: Option<(Scene, Size, Samples)>,
    /// How many pictures were drawn; a measure for tests.
    pub n_drawn: usize,
}

impl Stage {
    /// A picture of the scene, for egui to show.
    pub fn picture(
        &mut self,
        gpu: &egui_wgpu::RenderState,
        scene: &Scene,
        size: Size,
        samples: Samples,
    ) -> Option<egui::TextureId> {
        let is_same = |(last, last_size, last_samples): &(Scene, Size, Samples)| {
            *last_size == size && *last_samples == samples && last == scene
        };
        if self.drawn.as_ref().is_some_and(is_same) {
            return self.texture;
        }
        let renderer = self
            .renderer
            .get_or_insert_with(|| Renderer::new(&gpu.device, samples));
        renderer.set_samples(&gpu.device, samples);
        renderer.draw(&gpu.device, &gpu.queue, scene, size);
        self.n_drawn += 1;
        let view = renderer.view()?;
        let has_new_view = self
            .drawn
            .as_ref()
            .is_none_or(|(_, last, with)| *last != size || *with != samples);
        if has_new_view {
            let filter = wgpu::FilterMode::Linear;
            let mut shown = gpu.renderer.write();
            if let Some(id) = self.texture {
                shown.update_egui_texture_from_wgpu_texture(&gpu.device, view, filter, id);
            } else {
                self.texture = Some(shown.register_native_texture(&gpu.device, view, filter));
            }
        }
        self.drawn = Some((scene.clone(), size, samples));
        self.texture
    }
}
