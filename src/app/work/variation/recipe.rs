//! How variants are made, in the words of the panel.

use std::collections::BTreeMap;

use crate::motion::chart::BodyPart;
use crate::variation::{ClipModel, Course, Hold, Length, SampleSettings};

/// How variants are made.
#[derive(Debug, Clone, PartialEq)]
pub struct Recipe {
    /// Names all random numbers.
    pub seed: u64,
    /// 0 gives the mean motion, 1 varies as much as the takes do.
    pub amount: f64,
    /// Further factors for parts of the body; those that are not named have 1.
    pub parts: BTreeMap<BodyPart, f64>,
    /// How long they are; none for one run or round.
    pub secs: Option<f64>,
    /// Whether feet stay where they stand.
    pub holds_feet: bool,
    /// Whether hands stay where they are held.
    pub holds_hands: bool,
}

impl Default for Recipe {
    fn default() -> Self {
        Self {
            seed: 1,
            amount: 1.0,
            parts: BTreeMap::new(),
            secs: None,
            holds_feet: true,
            holds_hands: false,
        }
    }
}

impl Recipe {
    /// Longer ones are streams.
    pub const LONGEST_SECS: f64 = 120.0;

    /// For the engine.
    pub fn settings(&self, model: &ClipModel) -> SampleSettings {
        let factor = |part| self.parts.get(&part).copied().unwrap_or(1.0);
        let is_even = self.parts.values().all(|factor| *factor == 1.0);
        let part_amounts = if is_even {
            Vec::new()
        } else {
            let dofs = model.chart().dofs().iter();
            dofs.map(|dof| factor(dof.part)).collect()
        };
        SampleSettings {
            amount: self.amount,
            part_amounts,
            seed: self.seed,
            ..SampleSettings::default()
        }
    }

    /// One run, or so many frames if the motion can go on.
    pub fn length(&self, model: &ClipModel) -> Length {
        match self.secs.filter(|_| can_go_on(model)) {
            Some(secs) => Length::Frames(((secs * model.fps()).round() as usize).max(2)),
            None => Length::Once,
        }
    }

    /// What stays where it stands.
    pub const fn hold(&self) -> Hold {
        match (self.holds_feet, self.holds_hands) {
            (false, false) => Hold::None,
            (true, false) => Hold::Feet,
            (false, true) => Hold::Hands,
            (true, true) => Hold::FeetAndHands,
        }
    }
}

/// Whether a motion goes on for as long as one likes: what runs from a beginning to an end does not.
pub fn can_go_on(model: &ClipModel) -> bool {
    model.model().examples().course() != Course::Through
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::work::variation::quick_jumps;

    #[test]
    fn parts_become_factors_of_their_degrees_of_freedom() {
        let model = quick_jumps();
        let part = model.chart().dofs()[0].part;
        let mut recipe = Recipe {
            secs: Some(10.0),
            ..Recipe::default()
        };
        assert!(recipe.settings(&model).part_amounts.is_empty(), "all alike");
        assert_eq!(recipe.length(&model), Length::Once, "a jump ends");
        recipe.parts.insert(part, 0.25);
        let factors = recipe.settings(&model).part_amounts;
        for (dof, factor) in model.chart().dofs().iter().zip(&factors) {
            let wanted = if dof.part == part { 0.25 } else { 1.0 };
            assert_eq!(*factor, wanted, "{}", dof.name);
        }
        assert_eq!(factors.len(), model.chart().n_dofs());
    }
}
