//! How variants are made, in the words of the panel.

use std::collections::BTreeMap;

use crate::motion::chart::BodyPart;
use crate::variation::{ClipModel, Hold, Length, MotionType, SampleSettings, Track};

/// How variants are made.
#[derive(Debug, Clone, PartialEq)]
pub struct Recipe {
    /// Names all random numbers.
    pub seed: u64,
    /// 0 gives the mean motion, 1 varies as much as the takes do.
    pub amount: f64,
    /// Further factors for parts of the body; those that are not named have 1.
    pub parts: BTreeMap<BodyPart, f64>,
    /// Parts of the body that go as in a take, by its number; the rest is drawn given that.
    pub pinned: BTreeMap<BodyPart, usize>,
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
            pinned: BTreeMap::new(),
            secs: None,
            holds_feet: true,
            holds_hands: false,
        }
    }
}

impl Recipe {
    /// Longer ones are streams.
    pub const LONGEST_SECS: f64 = 120.0;

    /// The engine's settings for this recipe.
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
            fixed: self.fixed(model),
        }
    }

    /// The curves of pinned parts. All take their timing from the first of them.
    fn fixed(&self, model: &ClipModel) -> Vec<Track> {
        let examples = model.model().examples();
        let n = examples.n_dofs();
        let dofs = model.chart().dofs().iter().enumerate();
        let pinned = dofs.filter_map(|(dof, known)| {
            let take = *self.pinned.get(&known.part)?;
            (take < examples.n_takes()).then(|| Track {
                dof,
                values: examples
                    .take(take)
                    .iter()
                    .skip(dof)
                    .step_by(n)
                    .copied()
                    .collect(),
            })
        });
        pinned.collect()
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
    model.model().examples().motion_type() != MotionType::OneShot
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::variation::quick_jumps;

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
        assert!(
            recipe.settings(&model).fixed.is_empty(),
            "nothing is pinned"
        );
        recipe.pinned.insert(part, 1);
        let fixed = recipe.settings(&model).fixed;
        let of_part = model.chart().dofs().iter().filter(|dof| dof.part == part);
        assert_eq!(fixed.len(), of_part.count(), "all of the part");
        let examples = model.model().examples();
        assert_eq!(
            fixed[0].values[7],
            examples.take(1)[7 * examples.n_dofs() + fixed[0].dof]
        );
    }
}
