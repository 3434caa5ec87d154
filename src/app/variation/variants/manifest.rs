//! What the list of exported files tells of variants.

use crate::app::shell::clips::analysis::is_one_motion;
use crate::app::shell::files::order::{Columns, Export, Piece};
use crate::app::variation::state::VariationWorkspace;

/// Beside what the list tells of every clip.
const NAMES: &str = ",variant,seed,amount,log_likelihood,nearest_pose,jerk,foot_slide,contacts";

impl VariationWorkspace {
    /// How the variants among the files were made; none if there are no variants. They are found by their motions, so a
    /// clip that was changed since it was kept tells nothing that is not true any more.
    pub(in crate::app) fn manifest_columns(&self, export: &Export) -> Option<Columns> {
        let made = |piece: &Piece| {
            let Piece::Clip(clip) = piece else {
                return None;
            };
            let mut all = self.batches.values().flat_map(|batch| &batch.made);
            all.find(|made| is_one_motion(&made.clip, clip))
        };
        let found: Vec<_> = export.files.iter().map(|(_, piece)| made(piece)).collect();
        if found.iter().all(Option::is_none) {
            return None;
        }
        let nothing = ",".repeat(NAMES.matches(',').count());
        let cells = found.into_iter().map(|made| match made {
            Some(made) => made.manifest_cells(),
            None => nothing.clone(),
        });
        Some(Columns {
            names: NAMES,
            cells: cells.collect(),
        })
    }
}
