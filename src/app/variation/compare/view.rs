//! What the panel for comparing remembers.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::app::shell::previews::ComparedKind;
use crate::app::variation::compare::comparison::Comparison;
use crate::motion::Clip;
use crate::variation::ClipModel;
use crate::variation::baseline::Octaves;

/// What the panel remembers.
#[derive(Debug)]
pub struct CompareView {
    /// The bands of Perlin noise.
    pub octaves: Octaves,
    /// Which are in the 3D view.
    pub shown: BTreeSet<ComparedKind>,
    /// How many of each.
    pub n_shown: usize,
    /// The result of the last comparison.
    pub found: Option<Arc<Comparison>>,
    /// Set by the panel in every frame in which it is drawn: elsewhere noise would only be in the way.
    pub is_open: bool,
}

impl Default for CompareView {
    fn default() -> Self {
        Self {
            octaves: Octaves::default(),
            shown: BTreeSet::from(ComparedKind::ALL),
            n_shown: 4,
            found: None,
            is_open: false,
        }
    }
}

impl CompareView {
    /// With more in the view the variants would have no room.
    pub const MOST_SHOWN: usize = 8;

    /// What the 3D view shows beside the variants of a model.
    pub(in crate::app::variation) fn on_stage(
        &self,
        model: &Arc<ClipModel>,
    ) -> Vec<(ComparedKind, Arc<Clip>)> {
        let found = self.found.as_ref().filter(|found| found.is_of_model(model));
        let clips = found.into_iter().flat_map(|found| &found.clips);
        clips
            .filter(|(kind, _)| self.shown.contains(kind))
            .flat_map(|(kind, clips)| {
                let few = clips.iter().take(self.n_shown.min(Self::MOST_SHOWN));
                few.map(|clip| (*kind, Arc::clone(clip)))
            })
            .collect()
    }
}
