//! Actions that can be put on the strip or triggered live: clips of the graph, variation models, actions of a texture.

pub mod ui;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use egui::Key;

use crate::app::sequence::state::SequenceWorkspace;
use crate::app::shell::context::UiContext;
use crate::document::{ActionSource, ClipId, Learned, ModelId};
use crate::motion::Clip;
use crate::variation::ClipModel;

/// The keys of actions, by their order: digits, then letters as they lie on the keyboard.
const KEYS: [Key; 36] = [
    Key::Num1,
    Key::Num2,
    Key::Num3,
    Key::Num4,
    Key::Num5,
    Key::Num6,
    Key::Num7,
    Key::Num8,
    Key::Num9,
    Key::Num0,
    Key::Q,
    Key::W,
    Key::E,
    Key::R,
    Key::T,
    Key::Y,
    Key::U,
    Key::I,
    Key::O,
    Key::P,
    Key::A,
    Key::S,
    Key::D,
    Key::F,
    Key::G,
    Key::H,
    Key::J,
    Key::K,
    Key::L,
    Key::Z,
    Key::X,
    Key::C,
    Key::V,
    Key::B,
    Key::N,
    Key::M,
];

/// The action that a key triggers.
pub fn action_of_key(key: Key) -> Option<usize> {
    KEYS.iter().position(|own| *own == key)
}

/// The key of an action, if there are enough.
pub fn key_name(action: usize) -> Option<&'static str> {
    KEYS.get(action).map(|key| key.symbol_or_name())
}

/// What the panel remembers.
#[derive(Debug, Default)]
pub struct PaletteView {
    /// What names and tags are searched for.
    pub search: String,
    /// Only clips with this tag.
    pub tag: Option<String>,
    /// The card under the pointer, and since when: its figure moves.
    hovered: Option<(usize, f64)>,
    /// What the figures of models do.
    means: BTreeMap<ModelId, (Arc<ClipModel>, Option<Arc<Clip>>)>,
}

/// One action of the palette.
#[derive(Debug, Clone)]
pub struct PaletteAction {
    /// What is played.
    pub source: ActionSource,
    /// On its card.
    pub name: String,
    /// Of the clip.
    pub tags: BTreeSet<String>,
    /// What its figure does.
    pub clip: Arc<Clip>,
    /// Its number in live play.
    pub number: Option<usize>,
}

impl PaletteAction {
    /// Whether the search finds it: all words, in its name or a tag.
    pub fn is_found(&self, search: &str, tag: Option<&str>) -> bool {
        let name = self.name.to_lowercase();
        let has = |word: &str| {
            name.contains(word) || self.tags.iter().any(|t| t.to_lowercase().contains(word))
        };
        let words = search.to_lowercase();
        words.split_whitespace().all(has) && tag.is_none_or(|tag| self.tags.contains(tag))
    }
}

impl SequenceWorkspace {
    /// All actions: the clips of the graph in the order of their keys, then the models of variation.
    pub fn palette_actions(&mut self, cx: &UiContext) -> Vec<PaletteAction> {
        let document = cx.document();
        let live = self.live_clips(cx);
        let numbers: BTreeMap<ClipId, usize> = live.iter().copied().zip(0..).collect();
        let of_graph = self.chosen_graph(cx).map(|(_, graph)| &graph.clips[..]);
        let waiting = of_graph.unwrap_or_default().iter();
        let waiting = waiting.filter(|id| !numbers.contains_key(id)).copied();
        let clips = live.iter().copied().chain(waiting).filter_map(|id| {
            let clip = document.clip(id)?;
            Some(PaletteAction {
                source: ActionSource::Clip(id),
                name: clip.info.name.clone(),
                tags: clip.info.tags.clone(),
                clip: Arc::clone(clip),
                number: numbers.get(&id).copied(),
            })
        });
        let mut actions: Vec<PaletteAction> = clips.collect();
        for model in document.models() {
            if let Learned::Variation(learned) = &model.learned
                && let Some(clip) = self.palette.mean(model.id, learned)
            {
                actions.push(PaletteAction {
                    source: ActionSource::Model(model.id),
                    name: model.name.clone(),
                    tags: BTreeSet::from(["model".to_owned()]),
                    clip,
                    number: None,
                });
            }
        }
        actions
    }
}

impl PaletteView {
    /// The mean motion of a model, for its card.
    fn mean(&mut self, id: ModelId, model: &Arc<ClipModel>) -> Option<Arc<Clip>> {
        let known = self.means.get(&id);
        if let Some((_, mean)) = known.filter(|(of, _)| Arc::ptr_eq(of, model)) {
            return mean.clone();
        }
        let mean = model.mean_motion().ok().map(Arc::new);
        self.means.insert(id, (Arc::clone(model), mean.clone()));
        mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::{Action, make};

    #[test]
    fn every_key_triggers_one_action() {
        for (at, key) in KEYS.iter().enumerate() {
            assert_eq!(action_of_key(*key), Some(at), "{key:?}");
        }
        assert_eq!(key_name(0), Some("1"));
        assert_eq!(key_name(KEYS.len()), None);
        assert_eq!(action_of_key(Key::Space), None);
    }

    #[test]
    fn actions_are_found_by_name_and_tag() {
        let mut clip = make(Action::Jab, 1, 0).clip;
        clip.info.tags.insert("fight".to_owned());
        let action = PaletteAction {
            source: ActionSource::Clip(ClipId(1)),
            name: "Left Jab".to_owned(),
            tags: clip.info.tags.clone(),
            clip: Arc::new(clip),
            number: None,
        };
        assert!(action.is_found("jab fight", None));
        assert!(action.is_found("", Some("fight")));
        assert!(!action.is_found("kick", None));
        assert!(!action.is_found("", Some("walk")));
    }
}
