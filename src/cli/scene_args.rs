//! What a picture is drawn with: camera, backdrop and size.

use crate::app::render::{Backdrop, Size, View};

/// Camera and light of a scene.
pub(super) struct SceneArgs {
    pub(super) view: View,
    pub(super) backdrop: Backdrop,
    pub(super) size: Size,
}
