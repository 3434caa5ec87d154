//! Tries edges in the background and puts them into the model.

use std::sync::Arc;

use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::DeliveryTo;
use crate::app::shell::messages::Severity;
use crate::app::shell::requests::Request;
use crate::app::shell::session::Framing;
use crate::app::shell::work::Shown;
use crate::app::variation::network::{Change, Link, TRY, Trial, Worths};
use crate::app::variation::state::VariationWorkspace;
use crate::document::{Command, Learned, ModelId};
use crate::variation::ClipModel;

impl VariationWorkspace {
    /// What every edge of a model is worth: a sum over a few numbers for each edge, so found at once.
    pub fn worths_of(&mut self, model: &Arc<ClipModel>) -> Arc<Worths> {
        let worths = &mut self.network.worths;
        let found = worths.known.as_ref();
        let found = found.filter(|(of, _)| Arc::ptr_eq(of, model));
        if let Some((_, found)) = found {
            return Arc::clone(found);
        }
        let found = Arc::new(Worths::of(model));
        worths.known = Some((Arc::clone(model), Arc::clone(&found)));
        found
    }

    /// Adds an edge or takes it out, as a trial in the background. What cannot be is refused at once, with the reason.
    pub fn try_link(&mut self, cx: &mut UiContext, link: Link) {
        self.try_change(cx, Change::Toggle(link));
    }

    /// Tries any change of the network.
    pub fn try_change(&mut self, cx: &mut UiContext, change: Change) {
        let Some((id, model)) = self.chosen_model(cx) else {
            return;
        };
        self.drop_trial(cx);
        let structure = match change.applied(&model) {
            Ok(structure) => structure,
            Err(refusal) => {
                let view = &mut self.network;
                view.refusal = Some(refusal.to_string());
                cx.say(Severity::Warning, refusal.to_string());
                return;
            }
        };
        self.network.trying = Some(change.clone());
        self.inbox.start(cx, TRY, Shown::InBar, move |ticket| {
            let trial = Trial::of(id, model, change, &structure, ticket)?;
            let delivery: DeliveryTo<Self> =
                Box::new(move |variation, shell| variation.take_trial(shell, trial));
            Ok(delivery)
        });
    }

    fn take_trial(&mut self, cx: &mut UiContext, trial: Trial) {
        if self.network.trying.as_ref() != Some(&trial.change) {
            // Another edge was asked for since.
            return;
        }
        self.network.trying = None;
        let now = cx.document().model(trial.id).map(|model| &model.learned);
        let is_current =
            matches!(now, Some(Learned::Variation(now)) if Arc::ptr_eq(now, &trial.base));
        if is_current {
            self.network.trial = Some(trial);
            cx.session.framing = Some(Framing::All);
        } else {
            let words = "the model has changed since the edge was tried; try it again";
            cx.say(Severity::Warning, words);
        }
    }

    /// The model that the looked-at variant is made with: with the tried change, if that is what is to be seen.
    pub fn model_on_stage(&self, id: ModelId, model: &Arc<ClipModel>) -> Arc<ClipModel> {
        let view = &self.network;
        let trial = view.trial.as_ref().filter(|_| view.shows_after);
        let trial = trial.filter(|trial| trial.is_of(id, model));
        trial.map_or_else(|| Arc::clone(model), |trial| Arc::clone(trial.edited()))
    }

    /// Whether only the looked-at variant is seen: what an edge does to one is lost in a crowd that does not change.
    pub fn is_alone_on_stage(&self) -> bool {
        self.is_solo || self.network.trial.is_some()
    }

    /// Forgets what was tried or is being tried.
    pub fn drop_trial(&mut self, cx: &mut UiContext) {
        if let Some(running) = cx.work.named(TRY) {
            running.cancel();
        }
        let view = &mut self.network;
        if view.trial.take().is_some() {
            cx.session.framing = Some(Framing::All);
        }
        (view.trying, view.refusal) = (None, None);
        view.shows_after = false;
    }

    /// Puts the tried model in the place of the old one, in one step.
    pub fn apply_trial(&mut self, cx: &mut UiContext) {
        self.network.shows_after = false;
        let Some(trial) = self.network.trial.take() else {
            return;
        };
        cx.session.framing = Some(Framing::All);
        cx.ask(Request::Edit(Command::ReplaceModel {
            what: trial.step_name(),
            id: trial.id,
            learned: Learned::Variation(trial.edited),
        }));
    }
}
