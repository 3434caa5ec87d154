//! The steps of the last time: what still fits is not made again.

use std::collections::BTreeMap;

use super::step::{PlayKey, Step};

/// The steps of the last time.
pub(super) struct Former {
    pub(super) steps: BTreeMap<PlayKey, Step>,
    /// Version and chain of each, in their order.
    pub(super) names: Vec<(u64, u64)>,
    /// Whether all steps up to now are those of the last time.
    pub(super) is_same_so_far: bool,
}

impl Former {
    pub(super) fn of(steps: Vec<Step>) -> Self {
        Self {
            names: steps.iter().map(|s| (s.version, s.chain)).collect(),
            steps: steps
                .into_iter()
                .map(|step| (step.planned.key(), step))
                .collect(),
            is_same_so_far: true,
        }
    }
}
