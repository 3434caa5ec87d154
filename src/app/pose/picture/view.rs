//! What the picture panel remembers.

use std::sync::Arc;

use crate::document::PictureFile;
use crate::motion::Site;

type Pixels = (Arc<PictureFile>, Option<Arc<egui::ColorImage>>);

/// What the panel remembers.
pub struct PictureView {
    /// A path being typed.
    pub path: String,
    /// What the next click marks.
    pub site: Option<Site>,
    /// Whether the camera is fitted along with the pose.
    pub fits_camera: bool,
    /// Whether the 3D view looks through the picture's camera, with the picture over it.
    pub is_through: bool,
    /// How much of the picture is seen there, from 0 to 1.
    pub opacity: f32,
    /// The decoded picture; none in it if that failed.
    pub pixels: Option<Pixels>,
    pub(super) texture: Option<(Arc<egui::ColorImage>, egui::TextureHandle)>,
    /// A mark in the animator's hand, and where it is now.
    pub(super) hold: Option<(Site, [f64; 2])>,
    /// A field of view being dragged, in degrees.
    pub(super) degrees: Option<f64>,
}

impl std::fmt::Debug for PictureView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Pixels and textures say nothing in words.
        f.debug_struct("PictureView")
            .field("path", &self.path)
            .field("site", &self.site)
            .field("fits_camera", &self.fits_camera)
            .field("hold", &self.hold)
            .finish_non_exhaustive()
    }
}

impl Default for PictureView {
    fn default() -> Self {
        Self {
            path: String::new(),
            site: None,
            fits_camera: true,
            is_through: false,
            opacity: 0.5,
            pixels: None,
            texture: None,
            hold: None,
            degrees: None,
        }
    }
}
