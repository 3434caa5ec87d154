//! The character with its handles in the 3D view.

pub(in crate::app) mod body;
pub(in crate::app) mod bones;
pub(in crate::app) mod eye;
pub(in crate::app) mod gizmo;
pub(in crate::app) mod handles;
pub(in crate::app) mod hands;
pub(in crate::app) mod invitation;
pub(in crate::app) mod keyboard;
pub(in crate::app) mod meter;
pub(in crate::app) mod mouse;
pub(in crate::app) mod sites;
pub(in crate::app) mod stage;
pub(in crate::app) mod toolbar;
pub(in crate::app) mod view;
