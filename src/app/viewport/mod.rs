//! The 3D view: what is in it, and how the pointer moves the camera and picks.

pub mod motion_paths;
pub(in crate::app) mod options_ui;
pub mod path_cache;
pub mod pin;
pub mod pins;
pub(in crate::app) mod scene;
pub mod snapshot;
pub(in crate::app) mod stage;
pub mod state;
pub mod ui;
