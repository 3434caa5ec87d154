//! The window. Its 3D viewport stands on its own, so that pictures can be made without a window.

pub mod viewport;
