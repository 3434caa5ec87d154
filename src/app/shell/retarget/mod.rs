//! Clips of several skeletons brought onto one, from anywhere in the window.
//!
//! Wherever clips have to share a skeleton, `offer_ui::one_skeleton_ui` says so and opens the tool (`tool`): a window
//! beside the 3D view in which the target is chosen and before and after are seen, so that it works in every workspace.
//! Which joint moves which is found by itself; what was changed by hand ([`map_box`]) is kept for the pair of skeletons
//! ([`maps`]) and used from then on, also for exports and poses.

pub mod apply;
pub mod bring;
pub mod choice;
pub(in crate::app) mod figure;
pub mod findings;
pub mod keep_maps;
pub mod look;
pub mod map_box;
pub mod map_sides;
pub(in crate::app) mod map_ui;
pub mod maps;
pub(in crate::app) mod offer_ui;
pub mod pose;
pub mod skeletons;
pub mod target;
pub(in crate::app) mod target_ui;
pub mod tool;
pub(in crate::app) mod tool_ui;
