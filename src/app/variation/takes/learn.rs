//! Takes and what is learned from them.

use std::sync::Arc;

use crate::app::shell::Shell;
use crate::app::shell::clips::similarity::{ClipComparison, MOST_LOOKED_AT};
use crate::app::shell::clips::training::training_motions;
use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::DeliveryTo;
use crate::app::shell::messages::Severity;
use crate::app::shell::pane::Pane;
use crate::app::shell::words::{counted, free_model_name};
use crate::app::shell::work::Shown;
use crate::app::variation::state::VariationWorkspace;
use crate::document::{ClipId, Command, Learned};
use crate::motion::Clip;
use crate::variation::{ClipModel, Concern, LearnSettings, check_takes, one_or_more};

/// The job, as the status bar names it.
pub const LEARN: &str = "learn variation";
const LOOK: &str = "compare takes";

impl VariationWorkspace {
    /// The takes that are still there.
    pub fn takes(&self, cx: &UiContext) -> Vec<(ClipId, Arc<Clip>)> {
        let ids = self.takes.chosen.iter();
        let clip = |id: &ClipId| Some((*id, Arc::clone(cx.document().clip(*id)?)));
        ids.filter_map(clip).collect()
    }

    /// Whether the takes fit together, once that is known.
    pub fn look_at_takes(
        &mut self,
        cx: &mut UiContext,
        takes: &[(ClipId, Arc<Clip>)],
    ) -> Option<Arc<ClipComparison>> {
        let takes = &takes[..takes.len().min(MOST_LOOKED_AT)];
        let look = self.takes.look.as_ref();
        if let Some(look) = look.filter(|look| look.is_of(takes)) {
            return Some(Arc::clone(look));
        }
        if !cx.work.is_running(LOOK) {
            let takes = takes.to_vec();
            self.inbox.start(cx, LOOK, Shown::Quietly, move |_| {
                let look = Arc::new(ClipComparison::at(takes));
                let delivery: DeliveryTo<Self> =
                    Box::new(move |variation, _| variation.takes.look = Some(look));
                Ok(delivery)
            });
        }
        None
    }

    /// Learns from the takes as a job; the model becomes part of the project. What speaks against it is said first.
    pub fn learn_variation(&mut self, cx: &mut UiContext) {
        self.learn_unless(cx, Concern::is_grave);
    }

    /// The same whatever speaks against it.
    pub fn learn_all_the_same(&mut self, cx: &mut UiContext) {
        self.learn_unless(cx, |_| false);
    }

    fn learn_unless(&mut self, cx: &mut UiContext, is_too_grave: fn(&Concern) -> bool) {
        self.takes.concerns.clear();
        let takes: Vec<Arc<Clip>> = self.takes(cx).into_iter().map(|take| take.1).collect();
        let settings = self.takes.settings.clone();
        let wish = self.takes.name.trim().to_owned();
        self.inbox.start(cx, LEARN, Shown::InBar, move |ticket| {
            let (motions, one) = one_or_more(training_motions(&takes)?);
            let clips: Vec<&Clip> = motions.iter().collect();
            let checked = check_takes(&clips)?;
            let mut words: Vec<String> = checked.concerns.iter().map(ToString::to_string).collect();
            if checked.concerns.iter().any(is_too_grave) {
                let delivery: DeliveryTo<Self> =
                    Box::new(move |variation: &mut Self, shell: &mut Shell| {
                        for words in &words {
                            shell.say(Severity::Warning, words.clone());
                        }
                        variation.takes.concerns = words;
                    });
                return Ok(delivery);
            }
            words.extend(one.map(|one| one.to_string()));
            let clips: Vec<&Clip> = checked.clips.iter().collect();
            let learned = Arc::new(ClipModel::learn(&clips, &settings, ticket)?);
            let n_takes = clips.len();
            let delivery: DeliveryTo<Self> =
                Box::new(move |variation: &mut Self, shell: &mut Shell| {
                    for words in words {
                        shell.say(Severity::Warning, words);
                    }
                    variation.take_learned(shell, &wish, learned, n_takes);
                });
            Ok(delivery)
        });
    }

    fn take_learned(
        &mut self,
        shell: &mut Shell,
        wish: &str,
        learned: Arc<ClipModel>,
        n_takes: usize,
    ) {
        let name = free_model_name(shell.document(), wish);
        let command = Command::AddModel {
            name: name.clone(),
            learned: Learned::Variation(learned),
        };
        if shell.edit(command).is_none() {
            return;
        }
        self.chosen = shell.document().models().last().map(|model| model.id);
        self.takes.name.clear();
        self.takes.shows_in_step = false;
        shell.wanted_pane = Some(Pane::Variants);
        let takes = counted(n_takes, "take");
        let words = format!("{name} learned from {takes}; now make variants");
        shell.say(Severity::Done, words);
    }
}

/// Refuses what the engine would refuse only after a while.
pub fn can_learn(takes: &[(ClipId, Arc<Clip>)], settings: &LearnSettings) -> Result<(), String> {
    settings.check().map_err(|error| error.to_string())?;
    let Some((_, first)) = takes.first() else {
        return Err("choose takes to learn from: four are good, one is enough".to_owned());
    };
    let skeleton = first.skeleton();
    let other = takes
        .iter()
        .find(|take| !take.1.skeleton().same_structure(skeleton));
    match other {
        Some((_, clip)) => {
            let name = &clip.info.name;
            Err(format!("{name} has another skeleton than the first take"))
        }
        None => Ok(()),
    }
}
