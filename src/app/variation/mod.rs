//! Work of the variation workspace: what is learned, made, streamed and compared, without holding up the window.

pub mod compare;
pub mod holds;
pub mod models;
pub mod network;
pub mod plots;
pub mod similar;
pub mod state;
pub mod takes;
pub mod variants;

use std::sync::Arc;

use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::offers::Offer;
use crate::app::shell::preferences::Workspace;
use crate::app::shell::previews::{Family, Preview};
use crate::app::shell::session::Subject;
use crate::app::variation::state::VariationWorkspace;
use crate::document::{Document, Learned, ModelId};
use crate::variation::ClipModel;

impl VariationWorkspace {
    /// The model that variants are made with: the chosen one, or else the first there is.
    pub fn chosen_model(&self, cx: &UiContext) -> Option<(ModelId, Arc<ClipModel>)> {
        let chosen = self.chosen.and_then(|id| Self::variation_model(cx, id));
        chosen.or_else(|| models_of(cx.document()).next())
    }

    fn variation_model(cx: &UiContext, id: ModelId) -> Option<(ModelId, Arc<ClipModel>)> {
        match &cx.document().model(id)?.learned {
            Learned::Variation(model) => Some((id, Arc::clone(model))),
            Learned::Strokes(_) | Learned::Style(_) | Learned::Texture(_) => None,
        }
    }

    /// The looked-at variant without its holds, if that is what is to be seen.
    fn as_drawn(&mut self, cx: &mut UiContext) -> Option<Arc<crate::motion::Clip>> {
        if self.holding.shows_held {
            return None;
        }
        self.standing(cx).map(|standing| Arc::clone(&standing.free))
    }

    /// Once per frame: takes what came in, keeps the looked-at variant up to date, and shows the family.
    pub(in crate::app) fn turn(&mut self, shell: &mut Shell, ctx: &egui::Context) {
        self.take_made();
        self.take_selection();
        self.network.forget_pointer();
        if shell.preferences.workspace != Workspace::Variation {
            self.live = None;
            return;
        }
        if self.turn_live(shell) {
            ctx.request_repaint();
        }
        let Some((id, model)) = self.chosen_model(shell) else {
            return;
        };
        let on_stage = self.model_on_stage(id, &model);
        self.remake_looked_at(shell, id, &on_stage);
        let known = self.known_of(shell, &model);
        let inputs = match known.as_deref() {
            Some(Ok(known)) if self.shows_inputs => known.inputs.clone(),
            _ => Vec::new(),
        };
        let free = self.as_drawn(shell);
        let batch = self.batches.get(&id);
        let mut variants = self.variant_clips(shell);
        if let Some(shown) = batch.and_then(|b| variants.get_mut(b.looked_at?)).zip(free) {
            *shown.0 = shown.1;
        }
        let live = self.live.as_ref().map(variants::live::Live::now);
        if variants.is_empty() && live.is_none() && !self.shows_family {
            return;
        }
        let compared = if std::mem::take(&mut self.compare.is_open) {
            self.compare.on_stage(&model)
        } else {
            Vec::new()
        };
        let family = Family {
            subject: Subject::Family,
            inputs,
            looked_at: batch.and_then(|batch| batch.looked_at),
            is_solo: self.is_alone_on_stage(),
            variants,
            holds: self.holds_of_looked_at(shell),
            live,
            compared,
        };
        shell.previews.wish(Preview::Family(family));
    }
}

impl VariationWorkspace {
    /// The variants of all models, for workspaces that do not know this one.
    pub(in crate::app) fn offers(&mut self, cx: &mut UiContext) -> Vec<Offer> {
        let models: Vec<(ModelId, Arc<ClipModel>)> = models_of(cx.document()).collect();
        let mut offers = Vec::new();
        for (id, model) in models {
            let Some(batch) = self.batches.get(&id).filter(|batch| !batch.made.is_empty()) else {
                continue;
            };
            let clips = batch.made.iter().map(|made| Arc::clone(&made.clip));
            let clips = clips.collect();
            let called = cx.document().model(id).map(|model| model.name.as_str());
            let name = format!("{} variants", called.unwrap_or_default());
            let inputs = match self.known_of(cx, &model).as_deref() {
                Some(Ok(known)) => known.inputs.clone(),
                _ => Vec::new(),
            };
            offers.push(Offer {
                name,
                clips,
                inputs,
                model: Some(model),
            });
        }
        offers
    }
}

/// All models of clips, in their order.
pub fn models_of(document: &Document) -> impl Iterator<Item = (ModelId, Arc<ClipModel>)> {
    let models = document.models().iter();
    models.filter_map(|model| match &model.learned {
        Learned::Variation(learned) => Some((model.id, Arc::clone(learned))),
        Learned::Strokes(_) | Learned::Style(_) | Learned::Texture(_) => None,
    })
}

/// Three jumps, learned once for all tests of what is done with a model.
#[cfg(test)]
pub(in crate::app) fn quick_jumps() -> Arc<ClipModel> {
    static JUMPS: std::sync::LazyLock<Arc<ClipModel>> =
        std::sync::LazyLock::new(|| Arc::new(learn_jumps()));
    Arc::clone(&JUMPS)
}

#[cfg(test)]
fn learn_jumps() -> ClipModel {
    use crate::demo::{Action, make};
    use crate::variation::{LearnSettings, MotionType};
    let clips: Vec<_> = (0..3).map(|i| make(Action::Jump, 1, i).clip).collect();
    let clips: Vec<_> = clips.iter().collect();
    let quick = LearnSettings {
        motion_type: Some(MotionType::OneShot),
        ..LearnSettings::default()
    };
    ClipModel::learn(&clips, &quick, &crate::jobs::Ticket::default()).unwrap()
}
