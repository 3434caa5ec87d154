//! Strokes that vary: four drawn by hand, a model of them, and as many more as one likes (Figs. 1 and 7 of Lau 2009).
//!
//! Made strokes are a cache, keyed by model, number, seed and amount, until they are kept; then they are strokes of
//! the project.

mod family;
pub(in crate::app) mod family_ui;
pub mod ui;
pub mod view;

use std::sync::Arc;

use crate::app::library::state::LibraryWorkspace;
use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::DeliveryTo;
use crate::app::shell::messages::Severity;
use crate::app::shell::words::{counted, free_model_name};
use crate::app::shell::work::Shown;
use crate::document::{Command, Learned, ModelId, StrokeId};
use crate::jobs::Cancelled;
use crate::motion::Stroke;
use crate::variation::{LearnSettings, STROKE_FPS, StrokeModel};

pub use family::{MadeStrokes, StrokeFamily, StrokeRecipe};

/// The job, as the status bar names it.
pub const LEARN_STROKES: &str = "learn strokes";

impl LibraryWorkspace {
    /// Models of strokes, with their names.
    pub fn stroke_models(cx: &UiContext) -> Vec<(ModelId, String, Arc<StrokeModel>)> {
        let models = cx.document().models().iter();
        let of = |model: &crate::document::Model| match &model.learned {
            Learned::Strokes(learned) => Some((model.id, model.name.clone(), Arc::clone(learned))),
            Learned::Variation(_) | Learned::Style(_) | Learned::Texture(_) => None,
        };
        models.filter_map(of).collect()
    }

    /// The model that makes strokes: the chosen one, or the newest.
    pub fn stroke_model(&self, cx: &UiContext) -> Option<(ModelId, String, Arc<StrokeModel>)> {
        let mut models = Self::stroke_models(cx);
        let chosen = self.strokes.family.chosen;
        let place = models.iter().position(|model| Some(model.0) == chosen);
        match place {
            Some(place) => Some(models.swap_remove(place)),
            None => models.pop(),
        }
    }

    /// What a model would learn from: the selected strokes, or all if none is selected.
    pub fn strokes_to_learn(&self, cx: &UiContext) -> Vec<(StrokeId, Arc<Stroke>)> {
        let selection = &self.strokes.selection;
        let strokes = cx.document().strokes().iter();
        let wanted = strokes.filter(|(id, _)| selection.is_empty() || selection.contains(id));
        wanted
            .map(|(id, stroke)| (*id, Arc::clone(stroke)))
            .collect()
    }

    /// Learns from them as a job; the model becomes part of the project, in one step.
    pub fn learn_strokes(&mut self, cx: &mut UiContext) {
        let strokes: Vec<Arc<Stroke>> =
            self.strokes_to_learn(cx).into_iter().map(|s| s.1).collect();
        self.inbox
            .start(cx, LEARN_STROKES, Shown::InBar, move |ticket| {
                let refs: Vec<&Stroke> = strokes.iter().map(|stroke| &**stroke).collect();
                let settings = LearnSettings::default();
                let learned = StrokeModel::learn(&refs, STROKE_FPS, &settings, ticket)?;
                let n = refs.len();
                let delivery: DeliveryTo<Self> =
                    Box::new(move |library: &mut Self, shell: &mut Shell| {
                        let name = free_model_name(shell.document(), "strokes");
                        let learned = Learned::Strokes(Arc::new(learned));
                        let words = format!("{name} learned from {}", counted(n, "stroke"));
                        if shell.edit(Command::AddModel { name, learned }).is_some() {
                            library.strokes.family.chosen = None;
                            library.strokes.family.is_shown = true;
                            shell.say(Severity::Done, words);
                        }
                    });
                Ok(delivery)
            });
    }

    /// The strokes of the model, made anew when something about them has changed; those of before until then.
    pub fn made_strokes(&mut self, cx: &mut UiContext) -> Option<Arc<MadeStrokes>> {
        let (_, name, model) = self.stroke_model(cx)?;
        let family = &self.strokes.family;
        let recipe = family.recipe;
        let made = family.made.clone();
        let made = made.filter(|made| Arc::ptr_eq(&made.model, &model));
        let is_settled = made.as_ref().is_some_and(|made| made.recipe == recipe);
        if !is_settled && !family.is_making {
            self.strokes.family.is_making = self.inbox.look(
                cx,
                "make strokes",
                Shown::Quietly,
                move |_| -> Result<MadeStrokes, Cancelled> {
                    Ok(MadeStrokes::make(model, recipe, &name))
                },
                |library, _, seen| {
                    let family = &mut library.strokes.family;
                    family.is_making = false;
                    if let Ok(made) = seen {
                        family.made = Some(Arc::new(made));
                    }
                },
            );
        }
        made
    }

    /// Makes strokes of the project of those that were made: one step.
    pub fn keep_strokes(&mut self, shell: &mut Shell) {
        let made = self.made_strokes(shell);
        let Some(Ok(strokes)) = made.as_ref().map(|made| made.strokes.as_ref()) else {
            return;
        };
        let words = format!("{} kept", counted(strokes.len(), "stroke"));
        let what = format!("keep {}", counted(strokes.len(), "stroke"));
        let commands = vec![Command::AddStrokes(strokes.clone())];
        if shell.edit(Command::Together { what, commands }).is_some() {
            // They would lie on those that are kept.
            self.strokes.family.is_shown = false;
            shell.say(Severity::Done, words);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::Ticket;
    use crate::variation::Circles;

    #[test]
    fn made_strokes_follow_seed_amount_and_number() {
        let circles: Vec<Stroke> = (0..4)
            .map(|i| Circles::default().draw(1, i).unwrap())
            .collect();
        let refs: Vec<&Stroke> = circles.iter().collect();
        let settings = LearnSettings::default();
        let model = StrokeModel::learn(&refs, STROKE_FPS, &settings, &Ticket::default()).unwrap();
        let model = Arc::new(model);
        let make = |recipe| {
            let made = MadeStrokes::make(Arc::clone(&model), recipe, "ring");
            made.strokes.unwrap()
        };
        let usual = StrokeRecipe::default();
        let made = make(usual);
        assert_eq!(made.len(), 15);
        assert_eq!(made[14].name(), "ring 014");
        assert_eq!(make(usual), made, "the same seed, the same strokes");
        assert_ne!(make(StrokeRecipe { seed: 2, ..usual }), made);
        let mean = make(StrokeRecipe {
            amount: 0.0,
            ..usual
        });
        assert_eq!(
            mean[0].points(),
            mean[9].points(),
            "all are the mean stroke"
        );
    }
}
