//! Transition graphs and sequences, between the document and `project.ron`.

use std::sync::Arc;

use super::posed::{site_from, site_to};
use super::{PROJECT_FILE, Problem, v1};
use crate::document::{
    ActionSource, ClipId, GraphId, GraphRecipe, ModelId, Sequence, SequenceId, TargetAction,
};
use crate::motion::join::{Alignment, Ease, JoinKind, JoinShape, Match};
use crate::motion::{PoseMetricSettings, Vec3};
use crate::sequence::{ActionList, Entry, EntryId, JoinChoice, JoinMethod, Trim};
use crate::transition::GraphSettings;

pub(super) fn graph_to(id: GraphId, graph: &GraphRecipe) -> v1::Graph {
    let settings = &graph.settings;
    v1::Graph {
        id: id.0,
        name: graph.name.clone(),
        clips: graph.clips.iter().map(|clip| clip.0).collect(),
        threshold: settings.threshold,
        undirected: settings.is_undirected,
        paths: settings.n_paths,
        cost_limit: settings.cost_limit,
        velocity_secs: settings.metric.velocity_secs,
        weights: settings.metric.weights.clone(),
    }
}

/// The graphs; those that cannot be are left out and named.
pub(super) fn graphs_from(
    mirrors: Vec<v1::Graph>,
    problems: &mut Vec<Problem>,
) -> Vec<(GraphId, Arc<GraphRecipe>)> {
    let graph = |mirror: v1::Graph| {
        let id = GraphId(mirror.id);
        let graph = GraphRecipe {
            name: mirror.name,
            clips: mirror.clips.into_iter().map(ClipId).collect(),
            settings: GraphSettings {
                metric: PoseMetricSettings {
                    velocity_secs: mirror.velocity_secs,
                    weights: mirror.weights,
                },
                threshold: mirror.threshold,
                is_undirected: mirror.undirected,
                n_paths: mirror.paths,
                cost_limit: mirror.cost_limit,
            },
        };
        match graph.flaw() {
            None => Some((id, Arc::new(graph))),
            Some(why) => {
                let text = format!("graph \"{}\" is left out: {why}", graph.name);
                problems.push(Problem::new(PROJECT_FILE, text));
                None
            }
        }
    };
    mirrors.into_iter().filter_map(graph).collect()
}

pub(super) fn sequence_to(id: SequenceId, sequence: &Sequence) -> v1::Sequence {
    let actions = &sequence.actions;
    v1::Sequence {
        id: id.0,
        name: sequence.name.clone(),
        graph: sequence.graph.map(|graph| graph.0),
        seed: actions.seed,
        loops: actions.loops,
        next_entry: actions.next_entry,
        entries: actions.entries.iter().map(entry_to).collect(),
    }
}

/// The sequences; those that cannot be are left out and named. What they play need not be there: it may come back.
pub(super) fn sequences_from(
    mirrors: Vec<v1::Sequence>,
    problems: &mut Vec<Problem>,
) -> Vec<(SequenceId, Arc<Sequence>)> {
    let sequence = |mirror: v1::Sequence| {
        let id = SequenceId(mirror.id);
        let sequence = Sequence {
            name: mirror.name,
            graph: mirror.graph.map(GraphId),
            actions: ActionList {
                entries: mirror.entries.into_iter().map(entry_from).collect(),
                seed: mirror.seed,
                loops: mirror.loops,
                next_entry: mirror.next_entry,
            },
        };
        match sequence.flaw() {
            None => Some((id, Arc::new(sequence))),
            Some(why) => {
                let text = format!("sequence \"{}\" is left out: {why}", sequence.name);
                problems.push(Problem::new(PROJECT_FILE, text));
                None
            }
        }
    };
    mirrors.into_iter().filter_map(sequence).collect()
}

/// Numbers of clips, models and graphs that graphs and sequences speak of. None of them may be given to something new,
/// also if what they name is lost.
pub(super) fn named_numbers(project: &v1::Project) -> impl Iterator<Item = u64> + '_ {
    let of_graphs = project
        .graphs
        .iter()
        .flat_map(|graph| &graph.clips)
        .copied();
    let graphs = project.sequences.iter().filter_map(|s| s.graph);
    let sources = project.sequences.iter().flat_map(|s| &s.entries);
    let sources = sources.flat_map(|entry| match &entry.source {
        v1::ActionSource::Clip(id) | v1::ActionSource::Model(id) => vec![*id],
        v1::ActionSource::Target { examples, .. } => examples.clone(),
    });
    of_graphs.chain(graphs).chain(sources)
}

fn entry_to(entry: &Entry<ActionSource>) -> v1::Entry {
    let choice = |choice: &JoinChoice| (!choice.is_automatic()).then(|| choice_to(choice));
    v1::Entry {
        id: entry.id.0,
        source: match &entry.source {
            ActionSource::Clip(clip) => v1::ActionSource::Clip(clip.0),
            ActionSource::Model(model) => v1::ActionSource::Model(model.0),
            ActionSource::Target(action) => v1::ActionSource::Target {
                examples: action.examples.iter().map(|clip| clip.0).collect(),
                site: site_to(action.site),
                target: action.target.into(),
            },
        },
        trim: (entry.trim.start_secs, entry.trim.end_secs),
        repeats: entry.repeats,
        reached: choice(&entry.reached),
        repeated: choice(&entry.repeated),
    }
}

fn entry_from(mirror: v1::Entry) -> Entry<ActionSource> {
    let choice = |choice: Option<v1::JoinChoice>| choice.as_ref().map(choice_from);
    Entry {
        id: EntryId(mirror.id),
        source: match mirror.source {
            v1::ActionSource::Clip(clip) => ActionSource::Clip(ClipId(clip)),
            v1::ActionSource::Model(model) => ActionSource::Model(ModelId(model)),
            v1::ActionSource::Target {
                examples,
                site,
                target,
            } => ActionSource::Target(TargetAction {
                examples: examples.into_iter().map(ClipId).collect(),
                site: site_from(site),
                target: Vec3::from(target),
            }),
        },
        trim: Trim {
            start_secs: mirror.trim.0,
            end_secs: mirror.trim.1,
        },
        repeats: mirror.repeats,
        reached: choice(mirror.reached).unwrap_or_default(),
        repeated: choice(mirror.repeated).unwrap_or_default(),
    }
}

fn choice_to(choice: &JoinChoice) -> v1::JoinChoice {
    v1::JoinChoice {
        method: match choice.method {
            JoinMethod::Automatic => v1::JoinMethod::Automatic,
            JoinMethod::Path(path) => v1::JoinMethod::Path(path),
            JoinMethod::Direct => v1::JoinMethod::Direct,
            JoinMethod::Fallback => v1::JoinMethod::Fallback,
        },
        kind: choice.kind.map(|kind| match kind {
            JoinKind::Dead => v1::JoinKind::Dead,
            JoinKind::Quintic => v1::JoinKind::Quintic,
            JoinKind::Fade => v1::JoinKind::Fade,
        }),
        secs: choice.secs,
        leave_secs: choice.leave_secs,
        enter_secs: choice.enter_secs,
        ease: (choice.shape.ease.start, choice.shape.ease.end),
        holds_source: choice.shape.holds_source,
        holds_destination: choice.shape.holds_destination,
        angle_rad: choice.shape.angle_rad,
        bone: match choice.bone {
            Match::Auto => v1::MatchBone::Auto,
            Match::Pelvis => v1::MatchBone::Pelvis,
            Match::LeftFoot => v1::MatchBone::LeftFoot,
            Match::RightFoot => v1::MatchBone::RightFoot,
        },
        ground: choice.shape.alignment.ground,
        height: choice.shape.alignment.height,
        heading: choice.shape.alignment.heading,
    }
}

fn choice_from(mirror: &v1::JoinChoice) -> JoinChoice {
    JoinChoice {
        method: match mirror.method {
            v1::JoinMethod::Automatic => JoinMethod::Automatic,
            v1::JoinMethod::Path(path) => JoinMethod::Path(path),
            v1::JoinMethod::Direct => JoinMethod::Direct,
            v1::JoinMethod::Fallback => JoinMethod::Fallback,
        },
        kind: mirror.kind.map(|kind| match kind {
            v1::JoinKind::Dead => JoinKind::Dead,
            v1::JoinKind::Quintic => JoinKind::Quintic,
            v1::JoinKind::Fade => JoinKind::Fade,
        }),
        secs: mirror.secs,
        leave_secs: mirror.leave_secs,
        enter_secs: mirror.enter_secs,
        bone: match mirror.bone {
            v1::MatchBone::Auto => Match::Auto,
            v1::MatchBone::Pelvis => Match::Pelvis,
            v1::MatchBone::LeftFoot => Match::LeftFoot,
            v1::MatchBone::RightFoot => Match::RightFoot,
        },
        shape: JoinShape {
            ease: Ease {
                start: mirror.ease.0,
                end: mirror.ease.1,
            },
            holds_source: mirror.holds_source,
            holds_destination: mirror.holds_destination,
            angle_rad: mirror.angle_rad,
            alignment: Alignment {
                ground: mirror.ground,
                height: mirror.height,
                heading: mirror.heading,
            },
        },
    }
}
