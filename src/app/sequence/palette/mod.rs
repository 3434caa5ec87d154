//! Actions that can be put on the strip or triggered live: clips of the graph, variation models, actions of a texture.

pub mod ui;
mod view;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use egui::Key;

use crate::app::sequence::state::SequenceWorkspace;
use crate::app::shell::context::UiContext;
use crate::document::{ActionSource, ClipId, Learned};

pub use view::{PaletteAction, PaletteView};

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
