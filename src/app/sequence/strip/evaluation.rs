//! The motion of the sequence on the strip, made in the background.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use crate::app::shell::previews::{Ghost, GhostSide};
use crate::document::{ActionSource, ClipId, Sequence, TargetAction};
use crate::jobs::Ticket;
use crate::motion::join::{JoinClip, Rig, Strip};
use crate::motion::{Clip, Site, Vec3};
use crate::sequence::{Carry, DistanceGrid, EntryId, Evaluation, JoinSide, Play, Reach, Source};
use crate::transition::parametric::{
    ActionStart, ParametricAction, ParametricError, ParametricSettings,
};
use crate::transition::{Candidate, TransitionError, TransitionGraph};

/// What the motion is made from.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    pub(super) sequence: Arc<Sequence>,
    pub(super) graph: Arc<TransitionGraph>,
    pub(super) revision: u64,
    /// The transition that is looked at.
    pub(super) join: Option<(EntryId, usize)>,
    /// Whether its candidates are measured.
    pub(super) measures: bool,
}

impl Wanted {
    pub(super) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.sequence, &other.sequence)
            && Arc::ptr_eq(&self.graph, &other.graph)
            && self.revision == other.revision
            && self.join == other.join
            && self.measures == other.measures
    }
}

/// Every way of making a transition, by the entry and the repetition that it leads to.
pub type Measured = ((EntryId, usize), Vec<Candidate>);

/// The motion of a sequence, with all that the window shows about it.
#[derive(Debug)]
pub struct Evaluated {
    /// All repetitions of all actions, in the order of play.
    pub plays: Vec<Play>,
    /// Entries that cannot be played, and why.
    pub skipped: Vec<(EntryId, String)>,
    /// The motion; none without actions.
    pub clip: Option<Arc<Clip>>,
    /// Where the body stands at its end beside its beginning, if it is played on and on.
    pub carry: Option<Carry>,
    /// Every way of making the transition that is looked at.
    pub candidates: Option<Measured>,
    /// The same as it was before a value was taken into the hand, for as long as it is dragged.
    pub earlier: Option<Measured>,
    /// Its sides as they would go on without it.
    pub ghosts: Vec<Ghost>,
    /// Where the root goes around it.
    pub way: Arc<[Vec3]>,
    /// How far the poses of its sides are apart.
    pub grid: Option<DistanceGrid>,
    /// Actions that reach for targets, by their entries.
    pub reaches: BTreeMap<EntryId, Arc<ParametricAction>>,
    /// What the transitions are judged by.
    pub graph: Arc<TransitionGraph>,
    /// What it was made of.
    pub sequence: Arc<Sequence>,
}

impl Evaluated {
    /// Remembers what was measured before it, where it has nothing of its own yet.
    pub(super) fn behind(mut self, before: Option<&Self>) -> Self {
        if self.candidates.is_none() {
            let measured = before.and_then(|b| b.candidates.as_ref().or(b.earlier.as_ref()));
            self.earlier = measured.cloned();
        }
        self
    }
}

/// What was made ready to be played.
#[derive(Debug, Default)]
pub(super) struct Prepared {
    /// Clips outside of the graph.
    clips: BTreeMap<ClipId, (Arc<Clip>, Arc<JoinClip>)>,
    /// Actions that reach, by their examples and what of the body reaches.
    actions: Vec<PreparedAction>,
}

#[derive(Debug)]
struct PreparedAction {
    examples: Vec<Arc<Clip>>,
    site: Site,
    action: Arc<ParametricAction>,
    /// Where its first example stands.
    home: ActionStart,
}

/// What an entry plays, before it is made ready.
pub(super) enum Found {
    Ready(Source),
    Clip(ClipId, Arc<Clip>),
    Target {
        name: String,
        action: TargetAction,
        examples: Vec<Arc<Clip>>,
    },
    Lost(String),
}

pub(super) type Outcome = (Evaluation, Prepared, Result<Evaluated, String>);

impl PreparedAction {
    fn is_of(&self, examples: &[Arc<Clip>], site: Site) -> bool {
        let mut pairs = self.examples.iter().zip(examples);
        self.site == site
            && self.examples.len() == examples.len()
            && pairs.all(|(a, b)| Arc::ptr_eq(a, b))
    }
}

impl Prepared {
    /// A clip, ready to be joined.
    fn clip(&mut self, rig: &Rig, id: ClipId, clip: &Arc<Clip>) -> Result<Arc<JoinClip>, String> {
        let known = self.clips.get(&id);
        if let Some((_, joined)) = known.filter(|known| Arc::ptr_eq(&known.0, clip)) {
            return Ok(Arc::clone(joined));
        }
        let joined = JoinClip::new(rig, clip).map_err(|e| e.to_string())?;
        let joined = Arc::new(joined);
        let own = (Arc::clone(clip), Arc::clone(&joined));
        self.clips.insert(id, own);
        Ok(joined)
    }

    /// An action that reaches, learned from its examples.
    fn action(
        &mut self,
        rig: &Rig,
        examples: &[Arc<Clip>],
        site: Site,
        ticket: &Ticket,
    ) -> Result<&PreparedAction, String> {
        let mut all = self.actions.iter();
        if let Some(at) = all.position(|own| own.is_of(examples, site)) {
            return Ok(&self.actions[at]);
        }
        let settings = ParametricSettings {
            fps: Some(rig.fps),
            ..ParametricSettings::default()
        };
        let clips: Vec<&Clip> = examples.iter().map(|clip| &**clip).collect();
        let action = ParametricAction::learn(&clips, site, &settings, ticket);
        let action = action.map_err(|error: ParametricError| error.to_string())?;
        let first = JoinClip::new(rig, &examples[0]).map_err(|e| e.to_string())?;
        self.actions.push(PreparedAction {
            examples: examples.to_vec(),
            site,
            action: Arc::new(action),
            home: ActionStart {
                place: first.track.positions[0],
                heading_rad: first.track.headings[0],
            },
        });
        Ok(&self.actions[self.actions.len() - 1])
    }
}

pub(super) fn make(
    evaluation: &mut Evaluation,
    prepared: &mut Prepared,
    wanted: &Wanted,
    found: &[(ActionSource, Found)],
    ticket: &Ticket,
) -> Result<Evaluated, String> {
    let rig = wanted.graph.rig();
    let resolve = |source: &ActionSource| {
        let found = found.iter().find(|(other, _)| other == source);
        match found.map(|(_, found)| found) {
            Some(Found::Ready(ready)) => Ok(ready.clone()),
            Some(Found::Clip(id, clip)) => Ok(Source::Clip(prepared.clip(rig, *id, clip)?)),
            Some(Found::Target {
                name,
                action,
                examples,
            }) => {
                let known = prepared.action(rig, examples, action.site, ticket)?;
                Ok(Source::Reach(Reach {
                    action: Arc::clone(&known.action),
                    target: action.target,
                    name: name.clone(),
                    home: known.home,
                }))
            }
            Some(Found::Lost(why)) => Err(why.clone()),
            None => Err("it is not there".to_owned()),
        }
    };
    let list = &wanted.sequence.actions;
    let words = |error: TransitionError| error.to_string();
    evaluation
        .update(&wanted.graph, list, resolve, ticket)
        .map_err(words)?;
    let plays = evaluation.plays();
    let is_it = |join: &(EntryId, usize), play: &Play| (play.entry, play.repeat) == *join;
    let at = wanted
        .join
        .and_then(|join| plays.iter().rposition(|play| is_it(&join, play)));
    let candidates = match (wanted.join, at) {
        (Some(join), Some(at)) if wanted.measures => {
            Some((join, evaluation.candidates(at).map_err(words)?))
        }
        _ => None,
    };
    let clip = evaluation.motion(&wanted.sequence.name);
    let clip = clip.map_err(|e| e.to_string())?;
    Ok(Evaluated {
        skipped: evaluation.skipped().to_vec(),
        clip: clip.map(Arc::new),
        carry: evaluation.round().map(|round| round.carry),
        candidates,
        earlier: None,
        ghosts: at.map_or_else(Vec::new, |at| ghosts(evaluation, at)),
        way: at
            .map(|at| way_around(evaluation, &plays[at]))
            .unwrap_or_default(),
        grid: at.and_then(|at| grid(&plays, at)),
        reaches: reaching(&wanted.sequence, found, prepared),
        graph: Arc::clone(&wanted.graph),
        sequence: Arc::clone(&wanted.sequence),
        plays,
    })
}

/// Poses of the action before against poses of a play.
fn grid(plays: &[Play], at: usize) -> Option<DistanceGrid> {
    let (from, to) = (plays.get(at.checked_sub(1)?)?, plays.get(at)?);
    let side = |play: &Play| play.frames.clone();
    DistanceGrid::of((&from.clip, side(from)), (&to.clip, side(to)))
}

/// The actions that reach for targets.
fn reaching(
    sequence: &Sequence,
    found: &[(ActionSource, Found)],
    prepared: &Prepared,
) -> BTreeMap<EntryId, Arc<ParametricAction>> {
    let entries = sequence.actions.entries.iter().zip(found);
    let each = entries.filter_map(|(entry, (_, found))| {
        let Found::Target {
            action, examples, ..
        } = found
        else {
            return None;
        };
        let mut all = prepared.actions.iter();
        let known = all.find(|own| own.is_of(examples, action.site))?;
        Some((entry.id, Arc::clone(&known.action)))
    });
    each.collect()
}

/// Both sides of the transition into a play, for the 3D view.
pub(super) fn ghosts(evaluation: &Evaluation, play: usize) -> Vec<Ghost> {
    let sides = evaluation.sides(play).into_iter().flatten();
    let sides = sides.zip([GhostSide::Source, GhostSide::Destination]);
    let ghost = |(part, side): (JoinSide, GhostSide)| {
        let name = match side {
            GhostSide::Source => "source",
            GhostSide::Destination => "destination",
        };
        let clip = part.strip.to_clip(name).ok()?;
        Some(Ghost {
            start_secs: part.start as f64 / clip.fps(),
            way: way(
                &part.strip,
                0..part.strip.n_frames().min(clip.fps() as usize),
            ),
            clip: Arc::new(clip),
            side,
        })
    };
    sides.filter_map(ghost).collect()
}

/// The same of the motion itself, half a second before the transition and after it.
fn way_around(evaluation: &Evaluation, play: &Play) -> Arc<[Vec3]> {
    let (Some(strip), Some(made)) = (evaluation.strip(), &play.transition) else {
        return Arc::default();
    };
    let reach = (0.5 * strip.rig().fps).round() as usize;
    let first = evaluation.round().map_or(0, |round| round.frames.start);
    let from = (first + made.at).saturating_sub(reach);
    let to = first + made.at + made.frames + reach;
    way(strip, from..to.min(strip.n_frames()))
}

fn way(strip: &Strip, frames: Range<usize>) -> Arc<[Vec3]> {
    frames.map(|frame| strip.place(frame)).collect()
}
