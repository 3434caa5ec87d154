//! What the pose map remembers, and its picture.

use std::sync::Arc;

use crate::document::ModelId;
use crate::motion::Clip;
use crate::style::{LikelihoodImage, MapView, Style};

/// What the map shows.
#[derive(Debug, Default)]
pub struct MapState {
    /// The style whose map is shown; none is the one that weighs most.
    pub picked: Option<ModelId>,
    /// Which two coordinates of more than two are seen; none are the first two.
    pub axes: Option<[usize; 2]>,
    /// Where the picture cuts through the other coordinates, in their order; empty is through the middle.
    pub slice: Vec<f64>,
    /// The picture of likelihoods, once it is drawn.
    pub image: Option<MapImage>,
    pub(super) path: Option<MapPath>,
}

/// A picture of the map.
pub struct MapImage {
    pub(super) style: Arc<Style>,
    /// What of the latent space is seen.
    pub view: MapView,
    /// Likelihoods over the latent plane.
    pub image: Arc<LikelihoodImage>,
    /// Once it was drawn.
    pub texture: Option<egui::TextureHandle>,
}

impl std::fmt::Debug for MapImage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MapImage")
            .field("view", &self.view)
            .finish_non_exhaustive()
    }
}

#[derive(Debug)]
pub(super) struct MapPath {
    pub(super) style: Arc<Style>,
    pub(super) clip: Arc<Clip>,
    pub(super) points: Arc<[Vec<f64>]>,
}

impl MapState {
    /// What of a style's latent space is to be seen; none without one.
    pub fn wanted(&self, style: &Style) -> Option<MapView> {
        let model = style.latent()?;
        let q = model.n_latent();
        let mut view = MapView::whole(model);
        if let Some(axes) = self.axes.filter(|axes| axes.iter().all(|a| *a < q)) {
            view.axes = axes;
            view.reach = axes.map(|a| {
                let each = (0..model.n_active()).map(|i| model.latent(i)[a].abs());
                1.2 * each.fold(0.1, f64::max)
            });
        }
        for (a, at) in self.slice.iter().enumerate().take(q) {
            if !view.axes.contains(&a) {
                view.centre[a] = *at;
            }
        }
        Some(view)
    }

    /// The picture, if it is of this style; it may be of another slice until the new one is drawn.
    pub fn image_of(&mut self, style: &Arc<Style>) -> Option<&mut MapImage> {
        self.image
            .as_mut()
            .filter(|image| Arc::ptr_eq(&image.style, style))
    }
}
