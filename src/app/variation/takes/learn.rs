//! Takes and what is learned from them.

use std::sync::Arc;

use crate::app::library::sets::{Look, MOST_LOOKED_AT};
use crate::app::shell::docks::Pane;
use crate::app::shell::jobs::{Delivery, Shown};
use crate::app::shell::messages::Severity;
use crate::app::shell::studio::{Studio, counted};
use crate::document::{ClipId, Command, Document, Learned};
use crate::motion::Clip;
use crate::variation::{ClipModel, Concern, LearnSettings, check_takes};

/// The job, as the status bar names it.
pub const LEARN: &str = "learn variation";
const LOOK: &str = "compare takes";

impl Studio {
    /// The takes that are still there.
    pub fn takes(&self) -> Vec<(ClipId, Arc<Clip>)> {
        let ids = self.variation.takes.chosen.iter();
        let clip = |id: &ClipId| Some((*id, Arc::clone(self.document().clip(*id)?)));
        ids.filter_map(clip).collect()
    }

    /// Whether the takes fit together, once that is known.
    pub fn look_at_takes(&mut self, takes: &[(ClipId, Arc<Clip>)]) -> Option<Arc<Look>> {
        let takes = &takes[..takes.len().min(MOST_LOOKED_AT)];
        let look = self.variation.takes.look.as_ref();
        if let Some(look) = look.filter(|look| look.is_of(takes)) {
            return Some(Arc::clone(look));
        }
        if !self.work.is_running(LOOK) {
            let takes = takes.to_vec();
            self.start(LOOK, Shown::Quietly, move |_| {
                let look = Arc::new(Look::at(takes));
                let delivery: Delivery =
                    Box::new(move |studio| studio.variation.takes.look = Some(look));
                Ok(delivery)
            });
        }
        None
    }

    /// Learns from the takes as a job; the model becomes part of the project. What speaks against it is said first.
    pub fn learn_variation(&mut self) {
        self.learn_unless(Concern::is_grave);
    }

    /// The same whatever speaks against it.
    pub fn learn_all_the_same(&mut self) {
        self.learn_unless(|_| false);
    }

    fn learn_unless(&mut self, is_too_grave: fn(&Concern) -> bool) {
        self.variation.takes.concerns.clear();
        let takes: Vec<Arc<Clip>> = self.takes().into_iter().map(|take| take.1).collect();
        let settings = self.variation.takes.settings.clone();
        let wish = self.variation.takes.name.trim().to_owned();
        self.start(LEARN, Shown::InBar, move |ticket| {
            let clips: Vec<&Clip> = takes.iter().map(|take| &**take).collect();
            let checked = check_takes(&clips)?;
            let words: Vec<String> = checked.concerns.iter().map(ToString::to_string).collect();
            if checked.concerns.iter().any(is_too_grave) {
                let delivery: Delivery = Box::new(move |studio: &mut Self| {
                    for words in &words {
                        studio.say(Severity::Warning, words.clone());
                    }
                    studio.variation.takes.concerns = words;
                });
                return Ok(delivery);
            }
            let clips: Vec<&Clip> = checked.clips.iter().collect();
            let learned = Arc::new(ClipModel::learn(&clips, &settings, ticket)?);
            let n_takes = clips.len();
            let delivery: Delivery = Box::new(move |studio: &mut Self| {
                for words in words {
                    studio.say(Severity::Warning, words);
                }
                studio.take_learned(&wish, learned, n_takes);
            });
            Ok(delivery)
        });
    }

    fn take_learned(&mut self, wish: &str, learned: Arc<ClipModel>, n_takes: usize) {
        let name = free_model_name(self.document(), wish);
        let command = Command::AddModel {
            name: name.clone(),
            learned: Learned::Variation(learned),
        };
        if self.edit(command).is_none() {
            return;
        }
        self.variation.chosen = self.document().models().last().map(|model| model.id);
        self.variation.takes.name.clear();
        self.variation.takes.shows_in_step = false;
        self.library.wanted_pane = Some(Pane::Variants);
        let takes = counted(n_takes, "take");
        let words = format!("{name} learned from {takes}; now make variants");
        self.say(Severity::Done, words);
    }
}

/// Refuses what the engine would refuse only after a while.
pub fn can_learn(takes: &[(ClipId, Arc<Clip>)], settings: &LearnSettings) -> Result<(), String> {
    settings.check().map_err(|error| error.to_string())?;
    if takes.len() < 2 {
        return Err("at least two takes are needed; four are good".to_owned());
    }
    let skeleton = takes[0].1.skeleton();
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

/// A name that no model has: the wish, or the wish with a number.
pub fn free_model_name(document: &Document, wish: &str) -> String {
    let wish = if wish.is_empty() { "variation" } else { wish };
    let is_free = |name: &String| document.models().iter().all(|model| model.name != *name);
    let numbered = (2..).map(|n| format!("{wish} {n}"));
    let mut names = std::iter::once(wish.to_owned()).chain(numbered);
    names.find(is_free).unwrap_or_default()
}
