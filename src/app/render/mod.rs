//! The 3D view: solid characters on a floor, drawn by the graphics card or by a software stand-in for it.
//!
//! A [`Scene`] is plain data and says everything there is to see; a [`Renderer`] draws it into pictures of its own,
//! which the window shows and [`picture`] reads back. Camera, picking and arrangement are pure functions. Nothing here
//! knows egui, and nothing is drawn unless somebody asks: compare scenes to find out whether that is needed.
//!
//! What this leaves out: shadows fall on the floor only, not on other characters, and translucent characters that
//! reach through each other are drawn one after the other.

pub mod arrange;
mod camera;
mod frame;
mod gpu;
mod mannequin;
mod offscreen;
pub mod palette;
pub mod picking;
mod scene;
mod size;
pub mod staging;

pub use crate::app::render::size::Size;
pub use camera::{Camera, Projected, Ray, View};
pub use frame::Frame;
pub use gpu::{COLOUR_FORMAT, Renderer, Samples, device_wish};
pub use mannequin::{Capsule, Mannequin, Vertex};
pub use offscreen::{Offscreen, RenderError, picture};
pub use palette::{Backdrop, Colour};
pub use scene::{Bounds, Character, FloorGrid, Handle, Mark, Placement, Scene, Trail};

/// For the graphics card: numbers that a file made absurdly large stay finite.
fn finite_f32(value: f64) -> f32 {
    const LARGEST: f64 = 1e18;
    if value.is_nan() {
        0.0
    } else {
        value.clamp(-LARGEST, LARGEST) as f32
    }
}
