//! Building a graph, or changing the one that is there.

use std::sync::Arc;

use crate::app::shell::words::counted;
use crate::document::{ClipId, GraphId};
use crate::jobs::{Cancelled, Ticket};
use crate::motion::Clip;
use crate::motion::join::JoinClip;
use crate::transition::{GraphSettings, GraphSummary, TransitionError, TransitionGraph};

/// A graph that is wanted: the recipe with the clips that are there.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    pub(super) recipe: GraphId,
    pub(super) clips: Vec<(ClipId, Arc<Clip>)>,
    pub(super) settings: GraphSettings,
}

impl PartialEq for Wanted {
    fn eq(&self, other: &Self) -> bool {
        self.recipe == other.recipe
            && self.settings == other.settings
            && self.clips.len() == other.clips.len()
            && self
                .clips
                .iter()
                .zip(&other.clips)
                .all(|(a, b)| is_same(a, b))
    }
}

/// Another name or tag is no other motion.
fn is_same(a: &(ClipId, Arc<Clip>), b: &(ClipId, Arc<Clip>)) -> bool {
    a.0 == b.0
        && (Arc::ptr_eq(&a.1, &b.1) || (a.1.same_motion(&b.1) && a.1.contacts() == b.1.contacts()))
}

impl Wanted {
    /// Whether the graph that is there can be changed into this one with less work than building it.
    pub(super) fn is_near(&self, built: &BuiltGraph) -> bool {
        let kept = built.members.iter().flatten();
        let kept = kept.filter(|member| self.clips.iter().any(|clip| is_same(clip, member)));
        let n_kept = kept.count();
        let n_gone = built.members.iter().flatten().count() - n_kept;
        let n_new = self.clips.len() - n_kept;
        built.recipe == self.recipe && built.settings == self.settings && n_kept > n_gone + n_new
    }
}

/// A transition graph, with the clips of the library that it was built from.
#[derive(Debug)]
pub struct BuiltGraph {
    /// The recipe that it follows.
    pub recipe: GraphId,
    /// The finished transition graph.
    pub graph: Arc<TransitionGraph>,
    /// In numbers and words.
    pub summary: GraphSummary,
    settings: GraphSettings,
    /// By the number of the clip in the graph; none where one was taken out.
    members: Vec<Option<(ClipId, Arc<Clip>)>>,
}

impl BuiltGraph {
    /// Which clip of the library a clip of the graph is.
    pub fn id(&self, number: usize) -> Option<ClipId> {
        let member = self.members.get(number)?.as_ref();
        member.map(|(id, _)| *id)
    }

    /// Which clip of the graph a clip of the library is.
    pub fn number(&self, clip: ClipId) -> Option<usize> {
        let mut members = self.members.iter();
        members.position(|member| matches!(member, Some((id, _)) if *id == clip))
    }

    /// A clip of the library ready to be joined, if it is in the graph as it is now.
    pub fn joined(&self, id: ClipId, clip: &Arc<Clip>) -> Option<Arc<JoinClip>> {
        let wanted = (id, Arc::clone(clip));
        let is_it = |m: &Option<_>| m.as_ref().is_some_and(|member| is_same(member, &wanted));
        let number = self.members.iter().position(is_it)?;
        let mut clips = self.graph.clips();
        let found = clips.find(|(at, _)| *at == number);
        found.map(|(_, joined)| Arc::clone(joined))
    }

    /// For the status bar.
    pub(super) fn in_words(&self) -> String {
        let clips = counted(self.members.iter().flatten().count(), "clip");
        let how = match self.summary.islands.len() {
            0 => "connected".to_owned(),
            n => counted(n, "island"),
        };
        format!("Transition graph of {clips} built: {how}")
    }

    pub(super) fn is_of(&self, wanted: &Wanted) -> bool {
        let mut there: Vec<&(ClipId, Arc<Clip>)> = self.members.iter().flatten().collect();
        let mut clips: Vec<&(ClipId, Arc<Clip>)> = wanted.clips.iter().collect();
        there.sort_by_key(|(id, _)| *id);
        clips.sort_by_key(|(id, _)| *id);
        self.recipe == wanted.recipe
            && self.settings == wanted.settings
            && there.len() == clips.len()
            && there.iter().zip(&clips).all(|(a, b)| is_same(a, b))
    }
}

/// Builds what is wanted, from the graph before where that is less work. The inner error is for the animator.
pub(super) fn build(
    wanted: &Wanted,
    before: Option<&BuiltGraph>,
    ticket: &Ticket,
) -> Result<Result<BuiltGraph, String>, Cancelled> {
    let made = match before.filter(|before| wanted.is_near(before)) {
        Some(before) => changed(wanted, before, ticket),
        None => anew(wanted, ticket),
    };
    match made {
        Ok(made) => Ok(Ok(made)),
        Err(TransitionError::Cancelled(cancelled)) => Err(cancelled),
        Err(error) => Ok(Err(error.to_string())),
    }
}

fn anew(wanted: &Wanted, ticket: &Ticket) -> Result<BuiltGraph, TransitionError> {
    let clips: Vec<Arc<Clip>> = wanted.clips.iter().map(|(_, c)| Arc::clone(c)).collect();
    let graph = TransitionGraph::build(&clips, &wanted.settings, ticket)?;
    let members = wanted.clips.iter().cloned().map(Some).collect();
    Ok(BuiltGraph {
        recipe: wanted.recipe,
        summary: graph.summary(),
        graph: Arc::new(graph),
        settings: wanted.settings.clone(),
        members,
    })
}

fn changed(
    wanted: &Wanted,
    before: &BuiltGraph,
    ticket: &Ticket,
) -> Result<BuiltGraph, TransitionError> {
    let mut graph = TransitionGraph::clone(&before.graph);
    let mut members = before.members.clone();
    for (number, member) in members.iter_mut().enumerate() {
        let stays = |member: &(ClipId, Arc<Clip>)| wanted.clips.iter().any(|c| is_same(c, member));
        if member.as_ref().is_some_and(|member| !stays(member)) {
            ticket.check()?;
            graph.remove(number)?;
            *member = None;
        }
    }
    for clip in &wanted.clips {
        if !members.iter().flatten().any(|member| is_same(clip, member)) {
            ticket.check()?;
            graph.add(&clip.1)?;
            members.push(Some(clip.clone()));
        }
    }
    Ok(BuiltGraph {
        recipe: wanted.recipe,
        summary: graph.summary(),
        graph: Arc::new(graph),
        settings: wanted.settings.clone(),
        members,
    })
}
