//! Actions of a sequence that reach for a point of the world.

use std::sync::Arc;

use crate::motion::Vec3;
use crate::transition::parametric::{ActionStart, ParametricAction};

/// An action that is made for a point of the world.
#[derive(Debug, Clone)]
pub struct Reach {
    /// What reaches, and how.
    pub action: Arc<ParametricAction>,
    /// Where its site shall be at the moment of effect.
    pub target: Vec3,
    /// What the motion is called.
    pub name: String,
    /// Where it stands if nothing comes before it.
    pub home: ActionStart,
}

/// How near an action comes to its target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReachHit {
    /// The point that should be reached.
    pub target: Vec3,
    /// How far from it the site is at the moment of effect, in units of the clips.
    pub missed: f64,
    /// Whether it can be reached from where the action stands.
    pub is_reachable: bool,
    /// Where the action stands.
    pub start: ActionStart,
    /// The frame of the action at the moment of effect.
    pub effect_frame: usize,
}
