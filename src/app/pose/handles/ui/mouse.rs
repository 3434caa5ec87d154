//! From moves of the mouse to what is wanted of the handles in the hand.

use egui::Pos2;

use crate::app::pose::handles::ui::eye::Eye;
use crate::app::pose::handles::ui::gizmo::Grip;
use crate::motion::{Axis, Dim, Quat, Site, Vec3};

/// What the mouse is at.
#[derive(Debug, Clone)]
pub enum Mouse {
    /// Handles follow the pointer.
    Move(MoveDrag),
    /// Handles turn about the line of sight or an axis.
    Turn(RotateDrag),
    /// Draws a box around handles; where it began.
    Box(Pos2),
}

impl Mouse {
    /// Whether it follows the pointer without a button, until a click.
    pub(in crate::app::pose) fn is_modal(&self) -> bool {
        match self {
            Self::Move(moving) => moving.is_modal,
            Self::Turn(turning) => turning.is_modal,
            Self::Box(_) => false,
        }
    }

    /// Only along or about this axis from now on.
    pub(in crate::app::pose) fn limit(&mut self, dim: Dim) {
        match self {
            Self::Move(moving) => {
                moving.grip = Grip::Along(dim);
                moving.way = Vec3::zeros();
            }
            Self::Turn(turning) => turning.axis = Axis::positive(dim).vector(),
            Self::Box(_) => {}
        }
    }
}

/// Handles on their way.
#[derive(Debug, Clone)]
pub struct MoveDrag {
    pub(in crate::app::pose) grip: Grip,
    /// The handles with their positions before the drag, in the world.
    pub(in crate::app::pose) starts: Vec<(Site, Vec3)>,
    /// Where the hand took hold.
    pub(in crate::app::pose) anchor: Vec3,
    /// How far they have come.
    pub(in crate::app::pose) way: Vec3,
    pub(in crate::app::pose) last: Pos2,
    /// Heights at which feet stand: they stay there when they come near.
    pub(in crate::app::pose) floors: Vec<(Site, f64)>,
    pub(in crate::app::pose) up: Axis,
    /// How near is near.
    pub(in crate::app::pose) snap: f64,
    pub(in crate::app::pose) is_modal: bool,
}

impl MoveDrag {
    /// Where the handles are wanted when the pointer is here.
    pub(in crate::app::pose) fn moved(
        &mut self,
        eye: &Eye,
        to: Pos2,
        in_depth: bool,
    ) -> Vec<(Site, Vec3)> {
        self.way += self.step(eye, to, in_depth);
        self.last = to;
        let each = self.starts.iter().map(|(site, start)| {
            let place = start + self.way;
            let floor = self.floors.iter().find(|(foot, _)| foot == site);
            let over = floor.map(|(_, level)| self.up.along(&place) - level);
            let lift = over.filter(|over| over.abs() < self.snap).unwrap_or(0.0);
            (*site, place - self.up.vector() * lift)
        });
        each.collect()
    }

    fn step(&self, eye: &Eye, to: Pos2, in_depth: bool) -> Vec3 {
        let at = self.anchor + self.way;
        let back = eye.back();
        if in_depth {
            let down = f64::from(to.y - self.last.y);
            return back * (down * eye.length_per_point(&at));
        }
        let (was, is) = (eye.ray(self.last), eye.ray(to));
        let on_plane = |normal: &Vec3| {
            let both = (was.meets_plane(&at, normal), is.meets_plane(&at, normal));
            match both {
                (Some(was), Some(is)) => is - was,
                _ => Vec3::zeros(),
            }
        };
        match self.grip {
            Grip::Along(dim) => {
                let axis = Axis::positive(dim).vector();
                // The plane through the axis that faces the eye most.
                let aside = axis.cross(&back);
                let normal = aside.cross(&axis);
                match normal.try_normalize(1e-9) {
                    Some(normal) => axis * on_plane(&normal).dot(&axis),
                    None => Vec3::zeros(),
                }
            }
            Grip::Across(dim) => on_plane(&Axis::positive(dim).vector()),
            Grip::View | Grip::About(_) | Grip::Roll => on_plane(&back),
        }
    }
}

/// A drag that rotates handles about the pointer's centre.
#[derive(Debug, Clone)]
pub struct RotateDrag {
    /// The axis of the rotation, in the world.
    pub(in crate::app::pose) axis: Vec3,
    /// What the pointer goes around.
    pub(in crate::app::pose) centre: Vec3,
    /// How they were turned.
    pub(in crate::app::pose) starts: Vec<(Site, Quat)>,
    /// How far it was turned so far.
    pub(in crate::app::pose) angle_rad: f64,
    pub(in crate::app::pose) last: Pos2,
    pub(in crate::app::pose) is_modal: bool,
}

impl RotateDrag {
    /// How the handles are wanted to be turned when the pointer is here.
    pub(in crate::app::pose) fn turned(&mut self, eye: &Eye, to: Pos2) -> Vec<(Site, Quat)> {
        if let Some(centre) = eye.seen(&self.centre) {
            let (was, is) = (self.last - centre, to - centre);
            let turn = was.x * is.y - was.y * is.x;
            let by = f64::from(turn.atan2(was.dot(is)));
            // On the screen down is positive, so that clockwise is, too: about an axis towards the eye that is back.
            let facing = if self.axis.dot(&eye.back()) < 0.0 {
                1.0
            } else {
                -1.0
            };
            self.angle_rad += facing * by;
        }
        self.last = to;
        let turn = Quat::from_scaled_axis(self.axis * self.angle_rad);
        let each = self.starts.iter();
        each.map(|(site, start)| (*site, turn * start)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::render::{Camera, Size, View};
    use egui::{Rect, pos2, vec2};

    fn eye() -> Eye {
        Eye {
            camera: Camera::new(Axis::Y, View::ThreeQuarter, Vec3::new(0.0, 1.0, 0.0), 4.0),
            size: Size {
                width: 800,
                height: 600,
            },
            rect: Rect::from_min_size(pos2(100.0, 50.0), vec2(400.0, 300.0)),
            pixels_per_point: 2.0,
        }
    }

    fn moving(grip: Grip) -> (MoveDrag, Pos2) {
        let anchor = Vec3::new(0.2, 1.3, 0.1);
        let last = eye().seen(&anchor).unwrap();
        let site = Site::Joint(3);
        let moving = MoveDrag {
            grip,
            starts: vec![(site, anchor)],
            anchor,
            way: Vec3::zeros(),
            last,
            floors: vec![(site, 1.5)],
            up: Axis::Y,
            snap: 0.02,
            is_modal: false,
        };
        (moving, last)
    }

    #[test]
    fn a_handle_stays_under_the_pointer() {
        let (mut moving, from) = moving(Grip::View);
        for step in 1..=5 {
            let to = from + vec2(13.0, -4.0) * step as f32;
            let place = moving.moved(&eye(), to, false)[0].1;
            let seen = eye().seen(&place).unwrap();
            assert!(seen.distance(to) < 0.01, "at {seen}, pointer at {to}");
        }
        let before = moving.way;
        let to = moving.last + vec2(0.0, 20.0);
        moving.moved(&eye(), to, true);
        let step = moving.way - before;
        assert!(
            step.cross(&eye().back()).norm() < 1e-9,
            "depth only: {step}"
        );
        assert!(step.dot(&eye().back()) > 0.0, "down is nearer");
    }

    #[test]
    fn arrows_and_squares_keep_to_their_axes() {
        let (mut along, from) = moving(Grip::Along(Dim::X));
        let place = along.moved(&eye(), from + vec2(30.0, 12.0), false)[0].1;
        assert!(
            (place.y - 1.3).abs() < 1e-9 && (place.z - 0.1).abs() < 1e-9,
            "{place}"
        );
        assert!((place.x - 0.2).abs() > 0.01, "it moves");
        let (mut across, from) = moving(Grip::Across(Dim::Y));
        let place = across.moved(&eye(), from + vec2(30.0, 12.0), false)[0].1;
        assert!((place.y - 1.3).abs() < 1e-9, "{place}");
    }

    #[test]
    fn feet_stay_on_the_floor_when_they_come_near() {
        let (mut moving, _) = moving(Grip::Along(Dim::Y));
        for (height, wanted) in [(1.4, 1.4), (1.49, 1.5), (1.51, 1.5), (1.6, 1.6)] {
            let at = Vec3::new(0.2, height, 0.1);
            let place = moving.moved(&eye(), eye().seen(&at).unwrap(), false)[0].1;
            assert!((place.y - wanted).abs() < 2e-3, "{height}: {}", place.y);
        }
    }

    #[test]
    fn turning_follows_the_pointer_around() {
        let back = eye().back();
        let centre = Vec3::new(0.0, 1.0, 0.0);
        let at = eye().seen(&centre).unwrap();
        let mut turning = RotateDrag {
            axis: back,
            centre,
            starts: vec![(Site::Joint(1), Quat::identity())],
            angle_rad: 0.0,
            last: at + vec2(50.0, 0.0),
            is_modal: false,
        };
        let turn = turning.turned(&eye(), at + vec2(0.0, -50.0))[0].1;
        // From the right to the top is a quarter against the clock: positive about an axis towards the eye.
        let wanted = Quat::from_scaled_axis(back * std::f64::consts::FRAC_PI_2);
        assert!(turn.angle_to(&wanted) < 1e-6, "{turn}");
    }
}
