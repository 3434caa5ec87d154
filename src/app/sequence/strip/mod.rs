//! The strip: actions in their order, with the transitions between them.

pub mod ui;

use std::sync::Arc;

use crate::app::sequence::state::SequenceWorkspace;
use crate::app::shell::Shell;
use crate::document::{ActionSource, Command, Sequence};
use crate::sequence::{ActionList, EntryId};

/// What the strip remembers.
#[derive(Debug, Default)]
pub struct StripView {
    /// The entries that are selected, in no order.
    pub selected: Vec<EntryId>,
}

impl SequenceWorkspace {
    pub(in crate::app::sequence) fn add_action(
        &mut self,
        shell: &mut Shell,
        source: ActionSource,
        at: usize,
    ) {
        let graph = self.chosen_graph(shell).map(|(id, _)| id);
        let Some((id, sequence)) = self.chosen_sequence(shell) else {
            let mut actions = ActionList::default();
            self.strip.selected = vec![actions.insert(at, source)];
            shell.edit(Command::AddSequence(Arc::new(Sequence {
                name: "Sequence 1".to_owned(),
                graph,
                actions,
            })));
            return;
        };
        let mut changed = Sequence::clone(sequence);
        changed.graph = changed.graph.or(graph);
        let new = changed.actions.insert(at, source);
        shell.edit(Command::ChangeSequence {
            what: format!("add an action to {}", changed.name),
            id,
            sequence: Arc::new(changed),
        });
        self.strip.selected = vec![new];
    }
}
