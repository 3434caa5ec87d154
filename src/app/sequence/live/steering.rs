//! Where a texture is steered: a direction of the screen, how fast, and which action.

use crate::app::render::Camera;
use crate::motion::path::{direction, heading_of, turned};
use crate::texture::{Steer, Texture};

/// The edge of the pad is this fast; metres a second. A run.
const FASTEST: f64 = 3.5;

/// What the arrow keys and the pad want.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Steering {
    /// Radians about up; 0 is forward.
    pub heading_rad: f64,
    /// Share of the fastest; none leaves the speed to the action.
    pub speed: Option<f64>,
    /// A name of the command set; none is any.
    pub action: Option<String>,
    /// Whether arrow keys were held in the last frame.
    pub is_held: bool,
}

impl Steering {
    /// Goes where an arrow on the screen points: `right` and `up` of the picture, seen by this camera.
    pub fn point(&mut self, right: f64, up: f64, camera: Option<&Camera>) {
        if right == 0.0 && up == 0.0 {
            return;
        }
        // Up in the picture is away from the eye; the camera's heading is where it stands, seen from the target.
        let away = camera.map_or(0.0, |camera| camera.yaw_rad + std::f64::consts::PI);
        let ahead = direction(away);
        let to_the_right = turned(&ahead, -std::f64::consts::FRAC_PI_2);
        self.heading_rad = heading_of(&(ahead * up + to_the_right * right));
    }

    /// Where on the pad that is, as a unit vector of the screen: right and up.
    pub fn on_pad(&self, camera: Option<&Camera>) -> (f64, f64) {
        let away = camera.map_or(0.0, |camera| camera.yaw_rad + std::f64::consts::PI);
        let off = self.heading_rad - away;
        (-off.sin(), off.cos())
    }

    /// As the engine wants it.
    pub fn steer(&self, texture: &Texture) -> Steer {
        let metres = texture.corpus().rig.metric.metres;
        Steer {
            secs: 0.0,
            heading_rad: self.heading_rad,
            speed: self.speed.map(|share| share * FASTEST / metres),
            action: self.action.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::render::View;
    use crate::motion::heading::{forward, turn};
    use crate::motion::{Axis, Vec3};

    #[test]
    fn up_on_the_pad_is_away_from_the_camera() {
        for yaw in [0.0, 1.0, -2.5] {
            let camera = Camera {
                yaw_rad: yaw,
                ..Camera::new(Axis::Y, View::Front, Vec3::zeros(), 5.0)
            };
            let seen = |steering: &Steering| {
                let size = crate::app::render::Size {
                    width: 400,
                    height: 400,
                };
                let to = turn(Axis::Y, steering.heading_rad) * forward(Axis::Y);
                let camera = camera.orbited(0.0, 0.5);
                let from = camera.project(&Vec3::zeros(), size).unwrap();
                let to = camera.project(&(to * 0.1), size).unwrap();
                (to.x - from.x, from.y - to.y)
            };
            let mut steering = Steering::default();
            for (right, up) in [(0.0, 1.0), (1.0, 0.0), (-1.0, 0.0), (0.0, -1.0), (0.7, 0.7)] {
                steering.point(right, up, Some(&camera));
                let (x, y) = seen(&steering);
                assert!(
                    x * right >= -1e-6 && y * up >= -1e-6,
                    "{right} {up}: {x} {y}"
                );
                assert!(x * right + y * up > 0.0, "{right} {up}: {x} {y}");
                let on_pad = steering.on_pad(Some(&camera));
                let far = right.hypot(up);
                assert!((on_pad.0 - right / far).abs() < 1e-9, "{on_pad:?}");
                assert!((on_pad.1 - up / far).abs() < 1e-9, "{on_pad:?}");
            }
        }
    }
}
