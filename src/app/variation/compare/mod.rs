//! What variants are better than: noise and cycle animation of the same takes, made and measured as a job (section 8).
//!
//! Noise is scaled so that it changes its clip by as much as the variants differ from the takes, which makes the
//! comparison fair. Nothing of it is kept: it lives in the session, beside the variants.

mod comparison;
pub(in crate::app) mod ui;
mod view;

use std::sync::Arc;

use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::DeliveryTo;
use crate::app::shell::messages::Severity;
use crate::app::shell::work::Shown;
use crate::app::variation::state::VariationWorkspace;
use crate::motion::Clip;

pub use comparison::{Comparison, Line, SetNumbers};
pub use view::CompareView;

/// The job, as the status bar names it.
pub const COMPARE: &str = "compare with noise";

impl VariationWorkspace {
    /// The variants of the chosen model.
    pub fn variant_clips(&self, cx: &UiContext) -> Vec<Arc<Clip>> {
        let batch = self
            .chosen_model(cx)
            .and_then(|(id, _)| self.batches.get(&id));
        let made = batch.into_iter().flat_map(|batch| &batch.made);
        made.map(|made| Arc::clone(&made.clip)).collect()
    }

    /// Makes noise and cycle animation of the takes and measures all.
    pub fn compare_variants(&mut self, cx: &mut UiContext) {
        let Some((_, model)) = self.chosen_model(cx) else {
            return;
        };
        let variants = self.variant_clips(cx);
        if variants.is_empty() {
            return;
        }
        let how = (self.compare.octaves, self.recipe.seed);
        self.inbox.start(cx, COMPARE, Shown::InBar, move |ticket| {
            let takes = crate::app::variation::models::known::takes_as_clips(&model)?;
            let found = Comparison::make(model, &takes, variants, how, ticket)?;
            let delivery: DeliveryTo<Self> =
                Box::new(move |variation: &mut Self, shell: &mut Shell| {
                    variation.compare.found = Some(Arc::new(found));
                    shell.session.framing = Some(crate::app::shell::session::Framing::All);
                    shell.say(
                        Severity::Done,
                        "compared with noise and cycle animation".to_owned(),
                    );
                });
            Ok(delivery)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::variation::models::known::takes_as_clips;
    use crate::app::variation::quick_jumps;
    use crate::jobs::Ticket;
    use crate::variation::baseline::Octaves;
    use crate::variation::{Hold, Length, SampleSettings};

    #[test]
    fn noise_trembles_cycle_animation_copies_and_variants_do_neither() {
        let model = quick_jumps();
        let takes = takes_as_clips(&model).unwrap();
        let vary = |number| {
            let made = model.vary(&SampleSettings::default(), number, Length::Once, Hold::None);
            Arc::new(made.unwrap().clip)
        };
        let variants: Vec<Arc<Clip>> = (0..4).map(vary).collect();
        let how = (Octaves::default(), 1);
        let ticket = Ticket::default();
        let found =
            Comparison::make(Arc::clone(&model), &takes, variants.clone(), how, &ticket).unwrap();
        let numbers = |at: usize| found.lines[at].numbers.clone().unwrap();
        let (made, noise, again) = (numbers(1), numbers(2), numbers(4));
        assert!(
            noise.jerk > 1.5 * made.jerk,
            "noise {noise:?}, variants {made:?}"
        );
        assert!(noise.oddities()[1].is_some(), "marked: {noise:?}");
        assert!(again.nearest.unwrap() < 1e-6, "{again:?}");
        assert!(again.oddities()[0].is_some(), "copies are marked");
        assert_eq!(numbers(0).oddities(), [None, None, None, None]);
        assert!(found.is_of(&model, &variants, how.0), "nothing changed");
        let more = Octaves { count: 5, ..how.0 };
        assert!(!found.is_of(&model, &variants, more), "other noise");
        assert!(!found.is_of(&model, &variants[1..], how.0), "fewer");
        let csv = found.csv();
        assert_eq!(csv.lines().count(), 6, "{csv}");
        assert!(csv.lines().all(|l| l.split(',').count() >= 7), "{csv}");
        let view = CompareView {
            n_shown: 2,
            found: Some(Arc::new(found)),
            ..CompareView::default()
        };
        assert_eq!(view.on_stage(&model).len(), 6, "two of each");
    }

    #[test]
    fn a_cancelled_comparison_ends_at_once() {
        let model = quick_jumps();
        let takes = takes_as_clips(&model).unwrap();
        let ticket = Ticket::default();
        ticket.cancel();
        let variants = takes.clone();
        let how = (Octaves::default(), 1);
        let made = Comparison::make(model, &takes, variants, how, &ticket);
        assert!(made.unwrap_err().is::<crate::jobs::Cancelled>(), "stopped");
    }
}
