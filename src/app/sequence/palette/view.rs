//! What the palette of actions remembers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::document::{ActionSource, ModelId};
use crate::motion::Clip;
use crate::variation::ClipModel;

/// What the panel remembers.
#[derive(Debug, Default)]
pub struct PaletteView {
    /// What names and tags are searched for.
    pub search: String,
    /// Only clips with this tag.
    pub tag: Option<String>,
    /// The card under the pointer, and since when: its figure moves.
    pub(super) hovered: Option<(usize, f64)>,
    /// What the figures of models do.
    means: BTreeMap<ModelId, (Arc<ClipModel>, Option<Arc<Clip>>)>,
}

/// One action of the palette.
#[derive(Debug, Clone)]
pub struct PaletteAction {
    /// What is played when it is put into a sequence.
    pub source: ActionSource,
    /// The name on its card.
    pub name: String,
    /// The tags of its clip.
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

impl PaletteView {
    /// The mean motion of a model, for its card.
    pub(super) fn mean(&mut self, id: ModelId, model: &Arc<ClipModel>) -> Option<Arc<Clip>> {
        let known = self.means.get(&id);
        if let Some((_, mean)) = known.filter(|(of, _)| Arc::ptr_eq(of, model)) {
            return mean.clone();
        }
        let mean = model.mean_motion().ok().map(Arc::new);
        self.means.insert(id, (Arc::clone(model), mean.clone()));
        mean
    }
}
