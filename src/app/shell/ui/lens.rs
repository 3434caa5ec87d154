//! What part of a drawing is seen: zoomed by the wheel, moved by dragging.

use egui::{PointerButton, Pos2, Rect, pos2};

/// A place and a scale. Without one, all of the drawing is seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lens {
    /// In the middle of the panel.
    pub centre: Pos2,
    /// Points of the screen for one of the drawing.
    pub zoom: f32,
}

/// Beyond these a drawing is dust or a single dot.
const ZOOMS: (f32, f32) = (0.15, 12.0);
/// A small drawing is not blown up to fill the panel.
const LARGEST_FIT: f32 = 2.2;

impl Lens {
    /// All of it, as large as it goes.
    pub fn fitting(bounds: Rect, panel: Rect) -> Self {
        let zoom = (panel.width() / bounds.width().max(1.0))
            .min(panel.height() / bounds.height().max(1.0));
        Self {
            centre: bounds.center(),
            zoom: zoom.clamp(ZOOMS.0, LARGEST_FIT),
        }
    }

    /// Where a place of the drawing is on the screen.
    pub fn at(self, panel: Rect, place: Pos2) -> Pos2 {
        panel.center() + (place - self.centre) * self.zoom
    }

    /// The place of the drawing under a point of the screen.
    pub fn place(self, panel: Rect, at: Pos2) -> Pos2 {
        self.centre + (at - panel.center()) / self.zoom
    }

    /// Zoomed about a point of the screen, which stays where it is.
    fn zoomed(self, panel: Rect, about: Pos2, factor: f32) -> Self {
        let zoom = (self.zoom * factor).clamp(ZOOMS.0, ZOOMS.1);
        let place = self.place(panel, about);
        Self {
            centre: place - (about - panel.center()) / zoom,
            zoom,
        }
    }
}

/// Wheel, and dragging with the middle or right button: what is seen from now on.
pub(in crate::app) fn navigate(
    ui: &egui::Ui,
    response: &egui::Response,
    lens: &mut Option<Lens>,
    bounds: Rect,
) -> Lens {
    let panel = response.rect;
    let mut now = lens.unwrap_or_else(|| Lens::fitting(bounds, panel));
    let drags =
        response.dragged_by(PointerButton::Middle) || response.dragged_by(PointerButton::Secondary);
    if drags {
        now.centre -= response.drag_delta() / now.zoom;
    }
    let over = ui.rect_contains_pointer(panel);
    let scroll = ui.input(egui::InputState::smooth_scroll_delta).y;
    let pinch = ui.input(egui::InputState::zoom_delta);
    if let Some(about) = ui.ctx().pointer_latest_pos().filter(|_| over)
        && (scroll != 0.0 || pinch != 1.0)
    {
        now = now.zoomed(panel, about, (scroll * 0.003).exp() * pinch);
    }
    // The drawing cannot be lost beside the panel.
    now.centre = pos2(
        now.centre.x.clamp(bounds.left(), bounds.right()),
        now.centre.y.clamp(bounds.top(), bounds.bottom()),
    );
    if drags || *lens != Some(now) && (scroll != 0.0 || pinch != 1.0) && over {
        *lens = Some(now);
    }
    now
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::vec2;

    #[test]
    fn zooming_keeps_what_is_under_the_pointer() {
        let panel = Rect::from_min_size(pos2(100.0, 50.0), vec2(400.0, 300.0));
        let bounds = Rect::from_min_size(pos2(-20.0, 0.0), vec2(1000.0, 500.0));
        let lens = Lens::fitting(bounds, panel);
        for corner in [bounds.min, bounds.max] {
            let at = lens.at(panel, corner);
            assert!(panel.expand(0.01).contains(at), "{corner} is at {at}");
            assert!((lens.place(panel, at) - corner).length() < 1e-3, "and back");
        }
        let about = pos2(170.0, 90.0);
        let near = lens.zoomed(panel, about, 3.0);
        let moved = near.place(panel, about) - lens.place(panel, about);
        assert!(moved.length() < 1e-3, "moved by {moved}");
        assert_eq!(lens.zoomed(panel, about, 1e9).zoom, ZOOMS.1);
    }
}
