//! Makes the motion of a sequence in the background.

use std::sync::Arc;

use crate::app::sequence::state::SequenceWorkspace;
use crate::app::sequence::strip::called;
use crate::app::sequence::strip::evaluation::{Found, Outcome, Wanted, make};
use crate::app::shell::Shell;
use crate::app::shell::context::{Timebase, UiContext};
use crate::app::shell::jobs::Unseen;
use crate::app::shell::messages::Severity;
use crate::app::shell::previews::{Played, Preview};
use crate::app::shell::session::Subject;
use crate::app::shell::work::Shown;
use crate::document::{ActionSource, Learned, Sequence};
use crate::jobs::{Cancelled, Ticket};
use crate::motion::Clip;
use crate::sequence::Source;
use crate::variation::ClipModel;

impl SequenceWorkspace {
    /// The sequence on the strip, as it would become while something is dragged.
    pub fn sequence_on_strip(&self, cx: &UiContext) -> Option<Arc<Sequence>> {
        match &self.strip.draft {
            Some(draft) => Some(Arc::clone(&draft.sequence)),
            None => self.chosen_sequence(cx).map(|(_, s)| Arc::clone(s)),
        }
    }

    /// How long the sequence is, while it is what is played.
    pub(in crate::app::sequence) fn strip_timebase(&self, cx: &UiContext) -> Option<Timebase> {
        let clip = self.strip.shown.as_ref()?.clip.as_ref()?;
        let (id, _) = self.chosen_sequence(cx)?;
        Self::is_shown(cx).then(|| Timebase {
            subject: Subject::Own("sequence", id.0),
            secs: clip.seconds(),
            fps: clip.fps(),
        })
    }

    /// Once per frame: makes the motion again if something changed, and shows it.
    pub(in crate::app::sequence) fn turn_strip(&mut self, shell: &mut Shell) {
        self.evaluate(shell);
        if self.shows_path(shell) || self.live.playing.is_some() {
            return;
        }
        let shown = self.strip.shown.as_ref();
        let carry = shown.and_then(|shown| shown.carry);
        let carried = self.strip.rounds.turn(shell, carry);
        if let Some(clip) = shown.and_then(|shown| shown.clip.clone()) {
            shell.previews.wish(Preview::Played(Played {
                clip,
                ghosts: shown.map_or_else(Vec::new, |shown| shown.ghosts.clone()),
                way: shown
                    .map(|shown| Arc::clone(&shown.way))
                    .unwrap_or_default(),
                carried,
                is_live: self.strip.draft.is_some(),
            }));
        }
    }

    fn evaluate(&mut self, shell: &mut Shell) {
        let (Some(sequence), Some(graph)) = (self.sequence_on_strip(shell), self.graph()) else {
            self.strip.shown = None;
            self.strip.done_for = None;
            return;
        };
        let wanted = Wanted {
            sequence,
            graph: Arc::clone(graph),
            revision: shell.revision(),
            // What is being dragged has to follow the hand: candidates wait.
            join: self.join.chosen,
            measures: self.strip.draft.is_none(),
        };
        let strip = &self.strip;
        let is_done = strip
            .done_for
            .as_ref()
            .is_some_and(|done| done.is_same(&wanted));
        if is_done || strip.is_evaluating {
            return;
        }
        let entries = wanted.sequence.actions.entries.iter();
        let found: Vec<(ActionSource, Found)> = entries
            .map(|entry| (entry.source.clone(), self.find(shell, &entry.source)))
            .collect();
        let mut evaluation = std::mem::take(&mut self.strip.evaluation);
        let mut prepared = std::mem::take(&mut self.strip.prepared);
        let job = wanted.clone();
        let work = move |ticket: &Ticket| -> Result<Outcome, Cancelled> {
            let made = make(&mut evaluation, &mut prepared, &job, &found, ticket);
            Ok((evaluation, prepared, made))
        };
        let answer = |workspace: &mut Self, shell: &mut Shell, outcome| {
            workspace.take_evaluated(shell, outcome);
        };
        self.strip.is_evaluating =
            self.inbox
                .look(shell, "join actions", Shown::Quietly, work, answer);
        self.strip.done_for = Some(wanted);
    }

    fn take_evaluated(&mut self, shell: &mut Shell, outcome: Result<Outcome, Unseen>) {
        self.strip.is_evaluating = false;
        match outcome {
            Ok((evaluation, prepared, made)) => {
                self.strip.evaluation = evaluation;
                self.strip.prepared = prepared;
                match made {
                    Ok(shown) => {
                        let shown = shown.behind(self.strip.shown());
                        let at_target = self.target_at_playhead(shell);
                        self.strip.shown = Some(Arc::new(shown));
                        self.see_target(shell, at_target);
                    }
                    Err(why) => shell.say(Severity::Error, format!("join actions: {why}")),
                }
            }
            Err(_) => shell.say(
                Severity::Error,
                "join actions: it crashed; please report this",
            ),
        }
    }

    pub(super) fn find(&self, cx: &UiContext, source: &ActionSource) -> Found {
        match source {
            ActionSource::Clip(id) => {
                let Some(clip) = cx.document().clip(*id) else {
                    return Found::Lost("its clip is not in the library".to_owned());
                };
                match self.built_graph().and_then(|built| built.joined(*id, clip)) {
                    Some(joined) => Found::Ready(Source::Clip(joined)),
                    None => Found::Clip(*id, Arc::clone(clip)),
                }
            }
            ActionSource::Model(id) => match variation_model(cx, *id) {
                Some(model) => Found::Ready(Source::Model(model)),
                None => Found::Lost("its model is not in the project".to_owned()),
            },
            ActionSource::Target(action) => {
                let clips = action
                    .examples
                    .iter()
                    .filter_map(|id| cx.document().clip(*id));
                let examples: Vec<Arc<Clip>> = clips.map(Arc::clone).collect();
                if examples.len() < 2 {
                    return Found::Lost("its examples are not in the library".to_owned());
                }
                Found::Target {
                    name: called(cx, source),
                    action: action.clone(),
                    examples,
                }
            }
        }
    }
}

fn variation_model(cx: &UiContext, id: crate::document::ModelId) -> Option<Arc<ClipModel>> {
    match &cx.document().model(id)?.learned {
        Learned::Variation(model) => Some(Arc::clone(model)),
        _ => None,
    }
}
