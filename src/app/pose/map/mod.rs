//! The latent map of a style: its picture and the way of a clip over it, found out in the background and kept until
//! what they came from changes.

pub(in crate::app) mod ui;
mod view;

use std::sync::Arc;

use crate::app::pose::state::PoseWorkspace;
use crate::app::shell::clips::analysis::is_one_motion;
use crate::app::shell::context::UiContext;
use crate::app::shell::work::Shown;
use crate::style::{Sharpness, Style};
use view::MapPath;

pub use view::{MapImage, MapState};

/// Pixels each way; drawn larger and smooth.
const PIXELS: usize = 96;

const DRAW: &str = "draw the pose map";

const WALK: &str = "find the clip on the pose map";

impl PoseWorkspace {
    /// Has the picture drawn that is wanted now.
    pub fn draw_map(&mut self, cx: &mut UiContext, style: &Arc<Style>) {
        let Some(view) = self.map.wanted(style) else {
            return;
        };
        let is_same = |image: &MapImage| Arc::ptr_eq(&image.style, style) && image.view == view;
        if self.map.image.as_ref().is_some_and(is_same) || cx.work.is_running(DRAW) {
            return;
        }
        let style = Arc::clone(style);
        let drawn = (Arc::clone(&style), view.clone());
        self.inbox.look(
            cx,
            DRAW,
            Shown::Quietly,
            move |_| {
                let image = style
                    .latent()
                    .map(|model| model.likelihood_image(Sharpness::Sharp, &view, PIXELS, PIXELS));
                Ok(image)
            },
            move |pose, _, image| {
                if let Ok(Some(image)) = image {
                    let (style, view) = drawn;
                    pose.map.image = Some(MapImage {
                        style,
                        view,
                        image: Arc::new(image),
                        texture: None,
                    });
                }
            },
        );
    }

    /// The way of the active clip over the map, once it is found.
    pub fn clip_on_map(
        &mut self,
        cx: &mut UiContext,
        style: &Arc<Style>,
    ) -> Option<Arc<[Vec<f64>]>> {
        /// A minute at 60 frames a second; more would only darken the map.
        const MOST_FRAMES: usize = 3600;
        let clip = Arc::clone(cx.active_clip()?);
        let fits = clip.skeleton().same_structure(style.skeleton())
            && clip.info.up == style.map().parts().heading.up;
        if !fits || clip.n_frames() > MOST_FRAMES {
            return None;
        }
        let known = self.map.path.as_ref();
        let is_same =
            |path: &&MapPath| Arc::ptr_eq(&path.style, style) && is_one_motion(&path.clip, &clip);
        if let Some(path) = known.filter(is_same) {
            return Some(Arc::clone(&path.points));
        }
        if !cx.work.is_running(WALK) {
            let (style, walked) = (Arc::clone(style), Arc::clone(&clip));
            let of = Arc::clone(&style);
            self.inbox.look(
                cx,
                WALK,
                Shown::Quietly,
                move |ticket| style.path(&walked, ticket),
                move |pose, _, path| {
                    let points = path.unwrap_or_default().into_iter().map(|at| at.x);
                    pose.map.path = Some(MapPath {
                        style: of,
                        clip,
                        points: points.collect(),
                    });
                },
            );
        }
        None
    }
}
