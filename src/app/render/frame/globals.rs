//! What all shaders of a picture share: camera, floor, light and colours.

use bytemuck::{Pod, Zeroable};

use crate::app::render::finite_f32;
use crate::app::render::palette::Colour;
use crate::app::render::scene::{Character, Scene};
use crate::app::render::size::Size;
use crate::motion::heading::{forward, turn};
use crate::motion::{Axis, Dim, Vec3};

/// Same order and sizes as in `common.wgsl`. Places are relative to the camera's target.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
pub(in crate::app::render) struct Globals {
    clip_from_scene: [[f32; 4]; 4],
    /// And how far the floor reaches.
    eye: [f32; 4],
    /// And the height of the floor.
    up: [f32; 4],
    /// First direction on the floor, and the target's place along it within five cells, in cells.
    floor_u: [f32; 4],
    /// Second direction on the floor, and the target's place along it likewise.
    floor_v: [f32; 4],
    /// Towards the main light, and the height of the tallest body.
    key: [f32; 4],
    /// Towards the weak light, and how strong shadows are.
    fill: [f32; 4],
    /// Towards the light from behind, and whether the floor is drawn.
    rim: [f32; 4],
    /// Width and height in pixels, length of a cell, height of a pixel at distance one.
    view: [f32; 4],
    /// The part of the floor with shadows: middle, half its side; how fast shadows fade with height.
    shadow: [f32; 4],
    back_top: [f32; 4],
    back_bottom: [f32; 4],
    floor_colour: [f32; 4],
    line_colour: [f32; 4],
    /// Colour of the axis along the first direction, and where it crosses the second.
    axis_u: [f32; 4],
    axis_v: [f32; 4],
}

/// Height of the main light over the horizon.
const KEY_RISE_RAD: f64 = 0.95;

impl Globals {
    pub(super) fn of(scene: &Scene, size: Size) -> Self {
        let camera = &scene.camera;
        let frame = camera.frame();
        let up_axis = scene.ground.up;
        let up = up_axis.vector();
        let [u_dim, v_dim] = floor_dims(up_axis);
        let [u, v] = [u_dim, v_dim].map(|dim| Axis::positive(dim).vector());
        let cell = scene.ground.cell;
        let in_cells = |along: f64| (along / cell).rem_euclid(5.0);
        let tall = scene
            .characters
            .iter()
            .map(Character::height)
            .fold(0.0, f64::max);
        let key = turn(up_axis, scene.light_yaw_rad)
            * (forward(up_axis) * KEY_RISE_RAD.cos() + up * KEY_RISE_RAD.sin());
        let fill = (frame.right * 0.8 + frame.back * 0.55 + frame.up * 0.1).normalize();
        let rim = (frame.up * 0.65 - frame.back * 0.7 + frame.right * 0.35).normalize();
        let floor = scene.ground.height - up_axis.along(&camera.target);
        let shadow = shadow_square(scene, [&u, &v], &key, tall);
        let reach = 2.6 * camera.distance + 4.0 * tall;
        let colour = |c: Colour, last: f64| [c.r, c.g, c.b, finite_f32(last)];
        Self {
            clip_from_scene: camera.clip_from_target(size).map(finite_f32).into(),
            eye: with(frame.back * camera.distance, reach),
            up: with(up, floor),
            floor_u: with(u, in_cells(camera.target.dot(&u))),
            floor_v: with(v, in_cells(camera.target.dot(&v))),
            key: with(key, tall),
            fill: with(fill, f64::from(scene.backdrop.shadow)),
            rim: with(rim, f64::from(u8::from(scene.ground.is_shown))),
            view: [
                f64::from(size.width),
                f64::from(size.height),
                cell,
                camera.length_per_pixel(1.0, size),
            ]
            .map(finite_f32),
            shadow: shadow.map(finite_f32),
            back_top: colour(scene.backdrop.top, 1.0),
            back_bottom: colour(scene.backdrop.bottom, 1.0),
            floor_colour: colour(scene.backdrop.floor, 1.0),
            line_colour: colour(scene.backdrop.line, 1.0),
            axis_u: colour(axis_colour(u_dim), -camera.target.dot(&v)),
            axis_v: colour(axis_colour(v_dim), -camera.target.dot(&u)),
        }
    }

    /// Whether the floor is drawn at all.
    pub(in crate::app::render) fn shows_floor(&self) -> bool {
        self.rim[3] > 0.0
    }
}

/// The two dimensions that are not up.
pub(super) fn floor_dims(up: Axis) -> [Dim; 2] {
    match up.dim {
        Dim::X => [Dim::Y, Dim::Z],
        Dim::Y => [Dim::X, Dim::Z],
        Dim::Z => [Dim::X, Dim::Y],
    }
}

pub(super) const fn axis_colour(dim: Dim) -> Colour {
    match dim {
        Dim::X => Colour::X,
        Dim::Y => Colour::Y,
        Dim::Z => Colour::Z,
    }
}

fn with(v: Vec3, last: f64) -> [f32; 4] {
    [v.x, v.y, v.z, last].map(finite_f32)
}

/// The square of the floor that shadows fall on, and how fast they fade.
fn shadow_square(scene: &Scene, [u, v]: [&Vec3; 2], key: &Vec3, tall: f64) -> [f64; 4] {
    let up = scene.ground.up.vector();
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for character in scene.characters.iter().filter(|c| c.opacity > 0.0) {
        for place in &character.pose.positions {
            let place = character.placement.apply(place);
            let over = (place.dot(&up) - scene.ground.height).max(0.0);
            let cast = place - key * (over / key.dot(&up)) - scene.camera.target;
            for (i, axis) in [u, v].into_iter().enumerate() {
                low[i] = low[i].min(cast.dot(axis));
                high[i] = high[i].max(cast.dot(axis));
            }
        }
    }
    let half = 0.5 * (high[0] - low[0]).max(high[1] - low[1]) + 0.2 * tall;
    if !(half.is_finite() && half > 0.0) {
        return [0.0, 0.0, 1.0, 1.0];
    }
    [
        0.5 * (low[0] + high[0]),
        0.5 * (low[1] + high[1]),
        half,
        1.0 / (0.45 * tall).max(f64::MIN_POSITIVE),
    ]
}
