//! What the panel of textures remembers, and what a texture tells.

use std::sync::Arc;

use crate::app::sequence::textures::labels::LabelSource;
use crate::app::shell::words::counted;
use crate::document::ModelId;
use crate::texture::{Texture, TextureSettings, TextureSummary};

/// What the panels remember about textures.
#[derive(Debug, Default)]
pub struct TextureView {
    /// The texture that is played; none is the last there is.
    pub chosen: Option<ModelId>,
    /// Where labels come from; none is what fits the clips best.
    pub labels: Option<LabelSource>,
    /// How it is learned.
    pub settings: TextureSettings,
    /// What the next one will be called.
    pub name: String,
    /// A name for the play range, being typed.
    pub annotation: String,
    pub(super) told: Option<(Arc<Texture>, Told)>,
    pub(super) is_looking: bool,
}

/// What there is to say about a texture.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// Frames, sections and transitions in numbers.
    pub summary: TextureSummary,
    /// Systems of the upper level.
    pub n_systems: usize,
    /// What can be asked for, with seconds of motion.
    pub actions: Vec<(String, f64)>,
    /// Ordered pairs of actions of which one does not lead to the other.
    pub unreachable: Vec<(String, String)>,
}

impl Told {
    pub(super) fn of(texture: &Texture) -> Self {
        let commands = texture.commands();
        let mut unreachable = Vec::new();
        for from in &commands {
            for to in &commands {
                let order: [&[usize]; 2] = [&from.marks, &to.marks];
                if from.name != to.name && texture.upper().corridor(&order).is_none() {
                    unreachable.push((from.name.clone(), to.name.clone()));
                }
            }
        }
        let fps = texture.corpus().fps();
        let secs = |n: usize| n as f64 / fps;
        Self {
            summary: texture.summary(),
            n_systems: texture.systems().len(),
            actions: commands
                .into_iter()
                .map(|c| (c.name, secs(c.n_frames)))
                .collect(),
            unreachable,
        }
    }

    /// The same in sentences, for the panel.
    pub fn sentences(&self) -> Vec<String> {
        let n = self.actions.len();
        let summary = &self.summary;
        let share = 100.0 * summary.n_covered as f64 / summary.n_frames.max(1) as f64;
        let mut said = vec![
            format!(
                "{}, {}, {}.",
                counted(n, "action"),
                counted(self.n_systems, "system"),
                counted(summary.n_sections, "section"),
            ),
            format!(
                "{share:.0} % of the frames are in systems that predict other takes, with {:.1} degrees of error.",
                summary.error_deg
            ),
        ];
        let n_pairs = n * n.saturating_sub(1);
        if self.unreachable.is_empty() {
            if n_pairs > 0 {
                said.push("Every action leads to every other.".to_owned());
            }
        } else {
            let n_reached = n_pairs - self.unreachable.len();
            let (from, to) = &self.unreachable[0];
            said.push(format!(
                "{n_reached} of {n_pairs} pairs of actions lead to each other; not {from} to {to}, for instance: a take that shows both would help."
            ));
        }
        if summary.n_alone > 0 {
            let share = 100.0 * summary.n_alone as f64 / summary.n_frames.max(1) as f64;
            said.push(format!(
                "{share:.0} % of the frames have no other take beside them: more takes of one action would help."
            ));
        }
        said
    }
}
