//! What a joint's name says about its part of the body.

use super::part::Part;
use super::presets::{Preset, recognise, votes};
use crate::motion::names::parts;
use crate::motion::{Body, Side, Skeleton};

/// A name that a recognised rig has for this very part.
const PRESET: f64 = 4.0;
/// A word that some rigs use for this part.
const WORD: f64 = 2.5;
/// Joints that help or twist, or end a chain, are no main joints.
const HELPER: f64 = -5.0;
const HELPERS: [&str; 18] = [
    "twist",
    "roll",
    "ik",
    "pole",
    "target",
    "end",
    "nub",
    "tip",
    "helper",
    "weapon",
    "corrective",
    "attach",
    "ctrl",
    "finger",
    "share",
    "leaf",
    "site",
    "prop",
];

/// The names of a skeleton, taken apart.
pub(super) struct Names {
    cores: Vec<String>,
    pub sides: Vec<Side>,
    pub preset: Option<&'static Preset>,
}

impl Names {
    pub(super) fn of(skeleton: &Skeleton) -> Self {
        let body = Body::of(skeleton);
        let mut cores = Vec::with_capacity(skeleton.n_joints());
        let mut sides = Vec::with_capacity(skeleton.n_joints());
        for (joint, side) in skeleton.joints().iter().zip(&body.side) {
            let found = parts(&joint.name);
            // A letter at the front is a side only if another joint has the other one (`lfoot`, not `lowerback`).
            let is_sided = found.side == *side && (!found.is_weak || *side != Side::Middle);
            sides.push(if is_sided { found.side } else { Side::Middle });
            cores.push(if is_sided || !found.is_weak {
                found.core
            } else {
                joint.name.to_lowercase()
            });
        }
        let preset = recognise(&cores);
        Self {
            cores,
            sides,
            preset,
        }
    }

    pub(super) fn core(&self, joint: usize) -> &str {
        &self.cores[joint]
    }

    /// How well the name of a joint fits a part: over zero if it speaks for it, under zero if against.
    pub(super) fn fit(&self, joint: usize, part: Part) -> f64 {
        let core = self.core(joint);
        if let Some(preset) = self.preset
            && let Some(named) = preset.part(core)
        {
            return if named == part { PRESET } else { -PRESET };
        }
        let (own, all) = votes(core, part);
        if all > 0 {
            return WORD * (2.0 * own as f64 / all as f64 - 1.0);
        }
        if HELPERS.iter().any(|word| core.contains(word)) {
            return HELPER;
        }
        0.0
    }
}
