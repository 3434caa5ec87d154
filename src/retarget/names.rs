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
        drop_shared_lead(&mut cores);
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

/// Takes away what a program puts before the name of every joint (`Character1_`, `CC_Base_`, `ValveBiped.`), so that the
/// names behind it are known again. The root is often called otherwise, so nearly all is enough.
fn drop_shared_lead(cores: &mut [String]) {
    const FEWEST_NAMES: usize = 10;
    let n_enough = (9 * cores.len()).div_ceil(10);
    if cores.len() < FEWEST_NAMES {
        return;
    }
    let mut alike: Vec<&str> = cores.iter().map(String::as_str).collect();
    let mut n_shared = 0;
    // The names that go on alike, letter by letter.
    while let Some(letter) = commonest(
        alike
            .iter()
            .filter_map(|name| name[n_shared..].chars().next()),
    ) {
        alike.retain(|name| name[n_shared..].starts_with(letter));
        if alike.len() < n_enough {
            break;
        }
        n_shared += letter.len_utf8();
    }
    let Some(lead) = alike.first().map(|name| name[..n_shared].to_owned()) else {
        return;
    };
    for core in cores.iter_mut() {
        if let Some(rest) = core.strip_prefix(&lead).filter(|rest| !rest.is_empty()) {
            *core = rest.to_owned();
        }
    }
}

fn commonest(letters: impl Iterator<Item = char>) -> Option<char> {
    let mut letters: Vec<char> = letters.collect();
    letters.sort_unstable();
    let runs = letters.chunk_by(|a, b| a == b);
    runs.max_by_key(|run| run.len()).map(|run| run[0])
}
