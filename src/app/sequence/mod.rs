//! The sequence workspace: actions lined up on a strip, with transitions that are found in the clips.
//!
//! [`graphs`] builds the transition graph, [`strip`] is where actions are lined up, [`join`] is about one transition.

pub(in crate::app::sequence) mod figure;
pub mod graph_view;
pub mod graphs;
pub mod join;
pub mod live;
pub mod palette;
pub mod path;
pub mod state;
pub mod strip;
pub mod targets;
pub mod textures;

use std::sync::Arc;

use crate::app::sequence::state::SequenceWorkspace;
use crate::app::shell::Shell;
use crate::app::shell::context::{Timebase, UiContext};
use crate::app::shell::preferences::Workspace;
use crate::document::{GraphId, GraphRecipe, Sequence, SequenceId};

impl SequenceWorkspace {
    /// Whether the window shows this workspace.
    pub fn is_shown(cx: &UiContext) -> bool {
        cx.preferences.workspace == Workspace::Sequence
    }

    /// The sequence on the strip: the chosen one, or else the first there is.
    pub fn chosen_sequence<'a>(
        &self,
        cx: &'a UiContext,
    ) -> Option<(SequenceId, &'a Arc<Sequence>)> {
        let document = cx.document();
        let chosen = self
            .chosen
            .and_then(|id| Some((id, document.sequence(id)?)));
        let first = || document.sequences().first().map(|(id, s)| (*id, s));
        chosen.or_else(first)
    }

    /// The graph of the sequence on the strip; before there is a sequence, or where its graph is gone, the first graph.
    pub fn chosen_graph<'a>(&self, cx: &'a UiContext) -> Option<(GraphId, &'a Arc<GraphRecipe>)> {
        let document = cx.document();
        let of_sequence = self.chosen_sequence(cx).and_then(|(_, s)| s.graph);
        let of_sequence = of_sequence.and_then(|id| Some((id, document.graph(id)?)));
        let first = || document.graphs().first().map(|(id, g)| (*id, g));
        of_sequence.or_else(first)
    }

    /// How long what is played is: the walk along a path, or the sequence on the strip.
    pub(in crate::app) fn timebase(&self, cx: &UiContext) -> Option<Timebase> {
        let of_path = self.path_timebase(cx);
        of_path.or_else(|| self.strip_timebase(cx))
    }

    /// Once per frame: keeps graph and motion up to date.
    pub(in crate::app) fn turn(&mut self, shell: &mut Shell, ctx: &egui::Context) {
        if !Self::is_shown(shell) {
            self.stop_live(shell);
            return;
        }
        self.turn_graph(shell);
        self.turn_strip(shell);
        self.turn_path(shell);
        self.turn_live(shell, ctx);
    }
}
