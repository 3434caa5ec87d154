//! A skeleton as a figure to click on: the pose that rotations are measured from, seen from the front.

use egui::{Pos2, Rect, Vec2, pos2, vec2};

use crate::motion::heading::{forward, left};
use crate::retarget::Character;

/// Room around a figure, as a share of its card.
const FILLED: f32 = 0.82;

/// A body in its reference pose, in shares of its height: to its left, up from the floor, ahead.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    places: Vec<[f32; 3]>,
    parents: Vec<Option<usize>>,
}

/// How figures are looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// About up; 0 is from the front.
    pub yaw_rad: f32,
    /// 1 shows the whole body.
    pub zoom: f32,
    /// What is in the middle of the card, in shares of the height.
    pub middle: Vec2,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            yaw_rad: 0.0,
            zoom: 1.0,
            middle: vec2(0.0, 0.5),
        }
    }
}

impl Figure {
    /// The figure of this character, from the front.
    pub fn of(character: &Character) -> Self {
        let up = character.up();
        let places = character.places();
        let hips = places[character.labels().hips];
        let levels = || places.iter().map(|place| up.along(place));
        // A root bone lies on the floor, so no joint is lower than the soles are.
        let low = levels().fold(f64::INFINITY, f64::min);
        let high = levels().fold(f64::NEG_INFINITY, f64::max);
        let height = (high - low).max(f64::MIN_POSITIVE);
        let share = |x: f64| (x / height) as f32;
        let place = |place: &crate::motion::Vec3| {
            let off = place - hips;
            [
                share(off.dot(&left(up))),
                share(up.along(place) - low),
                share(off.dot(&forward(up))),
            ]
        };
        let joints = character.skeleton().joints().iter();
        Self {
            places: places.iter().map(place).collect(),
            parents: joints.map(|joint| joint.parent).collect(),
        }
    }

    /// Where every joint is on a card. Seen from the front, the left of the body is on the right.
    pub(in crate::app::shell::retarget) fn on(&self, card: Rect, look: &Look) -> Vec<Pos2> {
        let scale = FILLED * card.size().min_elem() * look.zoom;
        let (sin, cos) = look.yaw_rad.sin_cos();
        let seen = |&[aside, up, ahead]: &[f32; 3]| {
            let x = aside * cos + ahead * sin - look.middle.x;
            let y = up - look.middle.y;
            card.center() + scale * vec2(x, -y)
        };
        self.places.iter().map(seen).collect()
    }

    /// Lines from parents to their children.
    pub(in crate::app::shell::retarget) fn bones<'a>(
        &'a self,
        seen: &'a [Pos2],
    ) -> impl Iterator<Item = [Pos2; 2]> + 'a {
        let joints = self.parents.iter().enumerate();
        joints.filter_map(|(joint, parent)| Some([seen[(*parent)?], seen[joint]]))
    }
}

impl Look {
    /// Drags turn, or with the middle button or shift move, and the wheel goes nearer to what is under the pointer.
    pub(in crate::app::shell::retarget) fn follow(
        &mut self,
        ui: &egui::Ui,
        canvas: &egui::Response,
        card: Rect,
    ) {
        let scale = FILLED * card.size().min_elem() * self.zoom;
        let moves = canvas.dragged_by(egui::PointerButton::Middle)
            || ui.input(|input| input.modifiers.shift);
        if canvas.dragged() && moves {
            let step = canvas.drag_delta() / scale;
            self.middle += vec2(-step.x, step.y);
        } else if canvas.dragged() {
            self.yaw_rad += 0.01 * canvas.drag_delta().x;
        }
        let Some(pointer) = canvas.hover_pos() else {
            return;
        };
        let wheel = ui.input(|input| input.smooth_scroll_delta.y);
        if wheel != 0.0 {
            let zoom = (self.zoom * (0.004 * wheel).exp()).clamp(1.0, 12.0);
            // What is under the pointer stays there.
            let off = pointer - card.center();
            let under = pos2(off.x, -off.y).to_vec2() / scale;
            self.middle += under * (1.0 - self.zoom / zoom);
            self.zoom = zoom;
        }
    }
}
