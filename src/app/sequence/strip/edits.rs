//! What is done to the sequence on the strip, each as one step.

use std::sync::Arc;

use super::edit::Edit;
use crate::app::sequence::state::{Request, SequenceWorkspace};
use crate::app::sequence::strip::Draft;
use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::messages::Severity;
use crate::app::shell::words::{counted, free_name};
use crate::document::{
    ActionSource, ClipId, Command, Document, GraphId, GraphRecipe, Sequence, SequenceId,
};
use crate::sequence::{ActionList, EntryId, Trim};
use crate::transition::GraphSettings;

/// How many actions the example has.
const EXAMPLE_ACTIONS: usize = 6;

impl SequenceWorkspace {
    pub(in crate::app::sequence) fn add_actions(
        &mut self,
        shell: &mut Shell,
        sources: Vec<ActionSource>,
        at: usize,
    ) {
        let known = self.chosen_graph(shell).map(|(id, _)| id);
        // Without a graph nothing can be joined: it is made of what there is.
        let new = known
            .is_none()
            .then(|| graph_for(shell, &sources))
            .flatten();
        let number = shell.document().next_number();
        let graph = known.or_else(|| new.as_ref().map(|_| GraphId(number)));
        let chosen = self.chosen_sequence(shell);
        let chosen = chosen.map(|(id, sequence)| (id, Sequence::clone(sequence)));
        let (id, mut changed) = match &chosen {
            Some((id, sequence)) => (*id, sequence.clone()),
            None => (
                SequenceId(number + u64::from(new.is_some())),
                Sequence {
                    name: free_sequence_name(shell),
                    graph,
                    actions: ActionList::default(),
                },
            ),
        };
        changed.graph = changed.graph.or(graph);
        let added = match sources.as_slice() {
            [only] => called(shell, only),
            many => counted(many.len(), "action"),
        };
        let what = format!("add {added} to {}", changed.name);
        let at = at.min(changed.actions.entries.len());
        let places = sources.into_iter().zip(at..);
        let selected = places
            .map(|(source, at)| changed.actions.insert(at, source))
            .collect();
        let sequence = Arc::new(changed);
        let mut commands: Vec<Command> = new
            .into_iter()
            .map(|recipe| Command::AddGraph(Arc::new(recipe)))
            .collect();
        commands.push(match chosen {
            None => Command::AddSequence(sequence),
            Some(_) => Command::ChangeSequence {
                what: String::new(),
                id,
                sequence,
            },
        });
        if shell.edit(Command::Together { what, commands }).is_some() {
            self.show_sequence(shell, id);
            self.strip.selected = selected;
        }
    }

    /// Puts a sequence on the strip. What is selected or looked at was of the one before: entries of any two have the
    /// same numbers.
    pub(in crate::app::sequence) fn show_sequence(&mut self, cx: &UiContext, id: SequenceId) {
        let before = self.chosen_sequence(cx).map(|(before, _)| before);
        self.chosen = Some(id);
        if before != Some(id) {
            self.strip.selected.clear();
            self.join.chosen = None;
        }
    }

    /// An empty sequence, which is then on the strip.
    pub(in crate::app::sequence) fn new_sequence(&mut self, shell: &mut Shell) {
        let graph = self.chosen_graph(shell).map(|(id, _)| id);
        self.add_sequence(shell, graph, ActionList::default());
    }

    fn add_sequence(
        &mut self,
        shell: &mut Shell,
        graph: Option<GraphId>,
        actions: ActionList<ActionSource>,
    ) {
        let id = SequenceId(shell.document().next_number());
        let name = free_sequence_name(shell);
        let sequence = Sequence {
            name,
            graph,
            actions,
        };
        if shell
            .edit(Command::AddSequence(Arc::new(sequence)))
            .is_some()
        {
            self.show_sequence(shell, id);
        }
    }

    /// A graph of fight actions, or else of the first clips that go together, and six of them on a strip: one step.
    pub(in crate::app::sequence) fn make_example(&mut self, shell: &mut Shell) {
        let clips = example_clips(shell);
        if clips.len() < 2 {
            let words = "an example needs two clips of one skeleton; import some first";
            shell.say(Severity::Warning, words);
            return;
        }
        let actions = spread(&clips, EXAMPLE_ACTIONS);
        let what = "make an example sequence".to_owned();
        self.set_up(shell, what, ("Example", clips), &actions);
    }

    /// A graph of these clips, and all of them on a strip: one step.
    pub(in crate::app::sequence) fn line_up(&mut self, shell: &mut Shell, clips: Vec<ClipId>) {
        let what = format!("line up {}", counted(clips.len(), "clip"));
        let actions = clips.clone();
        self.set_up(shell, what, ("Graph 1", clips), &actions);
    }

    fn set_up(
        &mut self,
        shell: &mut Shell,
        what: String,
        (name, clips): (&str, Vec<ClipId>),
        on_strip: &[ClipId],
    ) {
        let graph = GraphId(shell.document().next_number());
        let mut actions = ActionList::default();
        for clip in on_strip {
            actions.insert(usize::MAX, ActionSource::Clip(*clip));
        }
        let recipe = GraphRecipe {
            name: name.to_owned(),
            clips,
            settings: GraphSettings::default(),
        };
        let sequence = Sequence {
            name: free_sequence_name(shell),
            graph: Some(graph),
            actions,
        };
        let id = SequenceId(graph.0 + 1);
        let commands = vec![
            Command::AddGraph(Arc::new(recipe)),
            Command::AddSequence(Arc::new(sequence)),
        ];
        if shell.edit(Command::Together { what, commands }).is_some() {
            self.show_sequence(shell, id);
        }
    }

    /// Does something to entries of the strip.
    pub(in crate::app::sequence) fn edit_strip(&mut self, shell: &mut Shell, edit: &Edit) {
        let Some((id, sequence)) = self.chosen_sequence(shell) else {
            return;
        };
        let mut changed = Sequence::clone(sequence);
        let actions = &mut changed.actions;
        let names = |ids: &[EntryId]| match ids {
            [only] => sequence
                .actions
                .entry(*only)
                .map(|e| called(shell, &e.source)),
            many => Some(format!("{} actions", many.len())),
        };
        let verb = match edit {
            Edit::Remove(ids) => ("remove", names(ids)),
            Edit::Duplicate(ids) => ("duplicate", names(ids)),
            Edit::Move(ids, _) => ("move", names(ids)),
            Edit::Repeat(entry, _) => ("repeat", names(&[*entry])),
            Edit::Untrim(entry) => ("untrim", names(&[*entry])),
            Edit::Reach(entry) => ("set a target for", names(&[*entry])),
            Edit::ReachWith(entry, _) => ("change what reaches of", names(&[*entry])),
            Edit::AsCaptured(entry) => ("remove the target of", names(&[*entry])),
            Edit::Loop(true) => ("switch on the loop", None),
            Edit::Loop(false) => ("switch off the loop", None),
        };
        let mut selected = self.strip.selected.clone();
        match edit {
            Edit::Loop(loops) => {
                actions.loops = *loops;
                shell.session.is_looping |= *loops;
            }
            Edit::Remove(ids) => {
                actions.remove(ids);
                selected.retain(|entry| !ids.contains(entry));
            }
            Edit::Duplicate(ids) => selected = actions.duplicate(ids),
            Edit::Move(ids, to) => actions.move_to(ids, *to),
            Edit::Repeat(entry, repeats) => {
                if let Some(entry) = actions.entry_mut(*entry) {
                    entry.repeats = *repeats;
                }
            }
            Edit::Untrim(entry) => {
                if let Some(entry) = actions.entry_mut(*entry) {
                    entry.trim = Trim::default();
                }
            }
            Edit::Reach(entry) => match self.reaching(shell, *entry) {
                Ok(action) => {
                    set_source(actions, *entry, ActionSource::Target(action));
                    self.targets.to_see = Some(*entry);
                }
                Err(why) => {
                    shell.say(Severity::Warning, why);
                    return;
                }
            },
            Edit::ReachWith(entry, site) => {
                let source = actions.entry_mut(*entry).map(|entry| &mut entry.source);
                if let Some(ActionSource::Target(action)) = source {
                    action.site = *site;
                }
            }
            Edit::AsCaptured(entry) => {
                let source = actions.entry(*entry).map(|entry| entry.source.clips());
                if let Some(first) = source.and_then(|clips| clips.first().copied()) {
                    set_source(actions, *entry, ActionSource::Clip(first));
                }
            }
        }
        let what = format!("{} {}", verb.0, verb.1.unwrap_or_default());
        let what = format!("{} in {}", what.trim_end(), changed.name);
        self.strip.selected = selected;
        change(shell, id, what, changed);
    }

    /// Whether actions on the strip are selected, so that they are what is deleted.
    pub(in crate::app) fn has_selected(&self, cx: &UiContext) -> bool {
        Self::is_shown(cx) && !self.strip.selected.is_empty()
    }

    /// Deletes the selected actions; whether there were any.
    pub(in crate::app) fn delete_selected(&mut self, cx: &UiContext) -> bool {
        let has = self.has_selected(cx);
        if has {
            let selected = self.strip.selected.clone();
            self.ask(Request::EditStrip(Edit::Remove(selected)));
        }
        has
    }

    /// Makes a clip of the library of the whole motion.
    pub(in crate::app::sequence) fn keep_as_clip(&mut self, shell: &mut Shell) {
        let clip = self
            .strip
            .shown
            .as_ref()
            .and_then(|shown| shown.clip.clone());
        if let Some(clip) = clip {
            shell.edit(Command::AddClips(vec![clip]));
        }
    }

    /// What is being dragged, as it would become. It is a step when it is let go.
    pub(in crate::app::sequence) fn draft(
        &mut self,
        cx: &UiContext,
        what: &str,
        change: impl FnOnce(&mut Sequence),
    ) {
        let Some(now) = self.sequence_on_strip(cx) else {
            return;
        };
        let mut changed = Sequence::clone(&now);
        change(&mut changed);
        if changed != *now && changed.flaw().is_none() {
            self.strip.draft = Some(Draft {
                what: format!("{what} in {}", changed.name),
                sequence: Arc::new(changed),
            });
        }
    }

    /// Keeps what was dragged, as one step.
    pub(in crate::app::sequence) fn keep_draft(&mut self, shell: &mut Shell) {
        let Some(draft) = self.strip.draft.take() else {
            return;
        };
        if let Some((id, _)) = self.chosen_sequence(shell) {
            shell.edit(Command::ChangeSequence {
                what: draft.what,
                id,
                sequence: draft.sequence,
            });
        }
    }
}

fn set_source(actions: &mut ActionList<ActionSource>, entry: EntryId, source: ActionSource) {
    if let Some(entry) = actions.entry_mut(entry) {
        entry.source = source;
    }
}

fn change(shell: &mut Shell, id: SequenceId, what: String, sequence: Sequence) {
    shell.edit(Command::ChangeSequence {
        what,
        id,
        sequence: Arc::new(sequence),
    });
}

fn free_sequence_name(cx: &UiContext) -> String {
    let sequences = cx.document().sequences();
    free_name("Sequence", |name| {
        sequences.iter().any(|(_, s)| s.name == name)
    })
}

/// What an action is called.
pub(in crate::app::sequence) fn called(cx: &UiContext, source: &ActionSource) -> String {
    let document = cx.document();
    match source {
        ActionSource::Clip(id) => match document.clip(*id) {
            Some(clip) => clip.info.name.clone(),
            None => "missing clip".to_owned(),
        },
        ActionSource::Model(id) => match document.model(*id) {
            Some(model) => model.name.clone(),
            None => "missing model".to_owned(),
        },
        ActionSource::Target(action) => match action.examples.first() {
            Some(first) => format!("{} to a target", called(cx, &ActionSource::Clip(*first))),
            None => "missing clip".to_owned(),
        },
    }
}

/// Clips of fights, else the selected ones, else all; those on the skeleton of the first.
fn example_clips(cx: &UiContext) -> Vec<ClipId> {
    /// More would take long to build for a first look.
    const MOST: usize = 24;
    let document = cx.document();
    let is_fight = |id: &ClipId| {
        let clip = document.clip(*id);
        clip.is_some_and(|clip| clip.info.tags.iter().any(|tag| tag == "fight"))
    };
    let all: Vec<ClipId> = document.clips().map(|(id, _)| id).collect();
    let fights: Vec<ClipId> = all.iter().copied().filter(is_fight).collect();
    let selected: Vec<ClipId> = cx.session.selection.iter().copied().collect();
    let wanted = [fights, selected, all]
        .into_iter()
        .find(|ids| ids.len() >= 2);
    let wanted = wanted.unwrap_or_default();
    spread(&on_one_skeleton(document, wanted), MOST)
}

/// Those that have the skeleton of the first.
fn on_one_skeleton(document: &Document, clips: Vec<ClipId>) -> Vec<ClipId> {
    let first = clips.first().and_then(|id| document.clip(*id));
    let Some(skeleton) = first.map(|clip| Arc::clone(clip.skeleton())) else {
        return Vec::new();
    };
    let fits = |id: &ClipId| {
        let clip = document.clip(*id);
        clip.is_some_and(|c| c.n_frames() > 1 && c.skeleton().same_structure(&skeleton))
    };
    clips.into_iter().filter(fits).collect()
}

/// A graph to join an action in, where there is none yet: of the selected clips, else of all that go with it.
fn graph_for(cx: &UiContext, sources: &[ActionSource]) -> Option<GraphRecipe> {
    let document = cx.document();
    let selected: Vec<ClipId> = cx.session.selection.iter().copied().collect();
    let others = if selected.len() > 1 {
        selected
    } else {
        document.clip_order().to_vec()
    };
    // Its own come first: they say which skeleton.
    let mut clips: Vec<ClipId> = sources
        .iter()
        .flat_map(ActionSource::clips)
        .copied()
        .collect();
    clips.extend(others);
    let mut clips = on_one_skeleton(document, clips);
    clips.sort_unstable();
    clips.dedup();
    (!clips.is_empty()).then(|| GraphRecipe {
        name: "Graph 1".to_owned(),
        clips,
        settings: GraphSettings::default(),
    })
}

/// So many of them, spread over all.
fn spread(clips: &[ClipId], most: usize) -> Vec<ClipId> {
    let n = clips.len().min(most);
    (0..n).map(|at| clips[at * clips.len() / n]).collect()
}
