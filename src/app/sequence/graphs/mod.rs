//! The transition graph of the chosen recipe: built in the background, kept up to date with its clips, never saved.
//!
//! A clip that is added or taken away changes the graph that is there; another clip in the place of one (mirrored,
//! trimmed) is both. Only other settings, or more new clips than old ones, build it anew.

mod build;
mod built;
pub mod ui;

use std::sync::Arc;

use crate::app::sequence::state::SequenceWorkspace;
use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::Unseen;
use crate::app::shell::messages::Severity;
use crate::app::shell::work::Shown;
use crate::document::{ClipId, Command, GraphId, GraphRecipe, Sequence};
use crate::motion::Clip;
use crate::sequence::ActionList;
use crate::transition::{GraphSettings, GraphSummary, TransitionGraph};
use build::Wanted;

pub use build::BuiltGraph;
pub use built::BuiltGraphs;

/// The job, as the status bar calls it.
pub const BUILD_JOB: &str = "build the transition graph";

impl SequenceWorkspace {
    /// The graph of the chosen recipe as it was built last; it may lag behind its clips for a moment.
    pub fn graph(&self) -> Option<&Arc<TransitionGraph>> {
        self.graphs.built.as_ref().map(|built| &built.graph)
    }

    /// The same with the clips that it was built from.
    pub fn built_graph(&self) -> Option<&Arc<BuiltGraph>> {
        self.graphs.built.as_ref()
    }

    /// Which clip of the library a clip of the graph is.
    pub fn clip_of_graph(&self, number: usize) -> Option<ClipId> {
        self.graphs.built.as_ref()?.id(number)
    }

    /// The graph in numbers and words.
    pub fn graph_summary(&self) -> Option<&GraphSummary> {
        self.graphs.built.as_ref().map(|built| &built.summary)
    }

    /// Once per frame: builds the graph that is wanted, if it is not the one that is there.
    pub(in crate::app::sequence) fn turn_graph(&mut self, shell: &mut Shell) {
        let now = Some((shell.revision(), self.chosen));
        if self.graphs.building.is_some() || self.graphs.settled == now {
            // What changes while a graph is built is taken up when it is there.
            return;
        }
        let wanted = self.wanted_graph(shell);
        let graphs = &mut self.graphs;
        graphs.settled = now;
        let Some(wanted) = wanted else {
            graphs.built = None;
            graphs.failed = None;
            return;
        };
        if graphs
            .built
            .as_ref()
            .is_some_and(|built| built.is_of(&wanted))
        {
            graphs.failed = None;
            return;
        }
        if matches!(&graphs.failed, Some((failed, _)) if *failed == wanted) {
            return;
        }
        if graphs
            .built
            .as_ref()
            .is_some_and(|built| built.recipe != wanted.recipe)
        {
            graphs.built = None;
        }
        graphs.building = Some(wanted.clone());
        let before = graphs.built.clone();
        let is_small = before.as_ref().is_some_and(|built| wanted.is_near(built));
        let shown = if is_small {
            Shown::Quietly
        } else {
            Shown::InBar
        };
        let work = {
            let wanted = wanted.clone();
            move |ticket: &crate::jobs::Ticket| build::build(&wanted, before.as_deref(), ticket)
        };
        let answer = |workspace: &mut Self, shell: &mut Shell, outcome| {
            workspace.take_graph(shell, wanted, outcome);
        };
        if !self.inbox.look(shell, BUILD_JOB, shown, work, answer) {
            self.graphs.building = None;
        } else if !is_small {
            // The step itself is done, but nobody would call that "Done".
            shell
                .messages
                .note(Severity::Info, "Building the transition graph…");
        }
    }

    fn take_graph(
        &mut self,
        shell: &mut Shell,
        wanted: Wanted,
        outcome: Result<Result<BuiltGraph, String>, Unseen>,
    ) {
        self.graphs.building = None;
        self.graphs.settled = None;
        let why = match outcome {
            Ok(Ok(built)) => {
                shell.messages.note(Severity::Done, built.in_words());
                self.graphs.built = Some(Arc::new(built));
                self.graphs.failed = None;
                return;
            }
            Ok(Err(why)) => why,
            Err(Unseen::Cancelled) => "cancelled".to_owned(),
            Err(Unseen::Crashed) => "it crashed; please report this".to_owned(),
        };
        shell.say(Severity::Error, format!("{BUILD_JOB}: {why}"));
        self.graphs.failed = Some((wanted, why));
    }

    /// What was tried in vain is tried again.
    pub(in crate::app::sequence) fn retry_graph(&mut self) {
        self.graphs.failed = None;
        self.graphs.settled = None;
    }

    /// The recipe of the chosen graph, with the clips that are there.
    fn wanted_graph(&self, cx: &UiContext) -> Option<Wanted> {
        let (recipe, graph) = self.chosen_graph(cx)?;
        let document = cx.document();
        let there = |id: &ClipId| Some((*id, Arc::clone(document.clip(*id)?)));
        let clips: Vec<(ClipId, Arc<Clip>)> = graph.clips.iter().filter_map(there).collect();
        (!clips.is_empty()).then(|| Wanted {
            recipe,
            clips,
            settings: graph.settings.clone(),
        })
    }

    pub(in crate::app::sequence) fn build_graph(&mut self, shell: &mut Shell, clips: Vec<ClipId>) {
        let n = shell.document().graphs().len() + 1;
        let graph = GraphRecipe {
            name: format!("Graph {n}"),
            clips,
            settings: GraphSettings::default(),
        };
        let id = GraphId(shell.document().next_number());
        let mut commands = vec![Command::AddGraph(Arc::new(graph))];
        match self.chosen_sequence(shell) {
            Some((sequence, value)) => {
                let changed = Sequence {
                    graph: Some(id),
                    ..Sequence::clone(value)
                };
                commands.push(Command::ChangeSequence {
                    what: String::new(),
                    id: sequence,
                    sequence: Arc::new(changed),
                });
            }
            None => commands.push(Command::AddSequence(Arc::new(Sequence {
                name: "Sequence 1".to_owned(),
                graph: Some(id),
                actions: ActionList::default(),
            }))),
        }
        let what = "build a transition graph".to_owned();
        shell.edit(Command::Together { what, commands });
    }

    pub(in crate::app::sequence) fn use_graph(&mut self, shell: &mut Shell, graph: GraphId) {
        let Some((id, sequence)) = self.chosen_sequence(shell) else {
            return;
        };
        let changed = Sequence {
            graph: Some(graph),
            ..Sequence::clone(sequence)
        };
        shell.edit(Command::ChangeSequence {
            what: format!("use another graph for {}", changed.name),
            id,
            sequence: Arc::new(changed),
        });
    }

    pub(in crate::app::sequence) fn add_to_graph(&mut self, shell: &mut Shell, clips: &[ClipId]) {
        self.change_graph(shell, "add clips to", |graph| {
            let new = clips.iter().filter(|clip| !graph.clips.contains(clip));
            let new: Vec<ClipId> = new.copied().collect();
            graph.clips.extend(new);
        });
    }

    pub(in crate::app::sequence) fn take_from_graph(
        &mut self,
        shell: &mut Shell,
        clips: &[ClipId],
    ) {
        self.change_graph(shell, "take clips out of", |graph| {
            graph.clips.retain(|clip| !clips.contains(clip));
        });
    }

    fn change_graph(
        &mut self,
        shell: &mut Shell,
        what: &str,
        change: impl FnOnce(&mut GraphRecipe),
    ) {
        let Some((id, graph)) = self.chosen_graph(shell) else {
            return;
        };
        let mut changed = GraphRecipe::clone(graph);
        change(&mut changed);
        if changed != **graph {
            shell.edit(Command::ChangeGraph {
                what: what.to_owned(),
                id,
                graph: Arc::new(changed),
            });
        }
    }
}
