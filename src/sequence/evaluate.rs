//! The motion of a sequence, made again only as far as a change reaches.
//!
//! Every play of an action is a *step*: the end of the action before, the transition, and the whole action. A step is
//! made where its source was captured, not where it comes to stand, so it does not depend on what happened earlier: as
//! long as the transition before it is over where it begins, its input is frames of a clip and nothing else. The
//! motion is the steps put one behind the other, turned and moved so that place and heading go on. A change at one
//! join makes that step anew, and the next one only if the action between them is too short to settle; the rest is
//! put in its new place. What comes out does not depend on the order of edits, to the last bit.
//!
//! A join that keeps the captured place, height or heading of its destination depends on the world, and so on all
//! before it: it is made where it stands, and made again when anything before it changes. So is an action that reaches
//! for a target, which is a point of the world.
//!
//! Where the last action goes over into the first, that is one step more, and the motion is a round of it: see
//! [`super::round`].

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::reach::{MadeReach, Reach, ReachHit};
use super::{ActionList, EntryId, JoinChoice, Trim};
use crate::jobs::Ticket;
use crate::motion::join::{JoinClip, Placement, Rig, Strip};
use crate::numerics::random::Stream;
use crate::transition::{Candidate, JoinTask, Transition, TransitionError, TransitionGraph};
use crate::variation::{ClipModel, Hold, Length, SampleSettings};

/// A source may be left this share of its frames before its end, where that joins better.
const LEAVE_SHARE: f64 = 0.1;
/// Frames, at 30 a second, that a transition looks back at before the first frame where the source may be left.
const LOOK_BACK: f64 = 4.0;
/// And some more at any rate, for velocities and accelerations.
const LOOK_BACK_MORE: usize = 6;

/// What an entry plays.
#[derive(Debug, Clone)]
pub enum Source {
    /// A clip, the same each time.
    Clip(Arc<JoinClip>),
    /// A model: each repetition is another variant.
    Model(Arc<ClipModel>),
    /// An action that is made for a point of the world.
    Reach(Reach),
}

/// One repetition of an entry, as it came out. Frames of the transition are those of the whole motion.
#[derive(Debug, Clone)]
pub struct Play {
    /// The entry.
    pub entry: EntryId,
    /// From 0.
    pub repeat: usize,
    /// What is played.
    pub clip: Arc<JoinClip>,
    /// The frames of it that may be played.
    pub frames: Range<usize>,
    /// The frames of the motion that are its own, its transition included.
    pub shown: Range<usize>,
    /// How it is reached; none for the first.
    pub transition: Option<Transition>,
    /// How near it comes to its target, if it has one.
    pub hit: Option<ReachHit>,
    /// Whether it is the first action again, which closes the round.
    pub closes: bool,
    /// The frame of the clip that its first frame shows, where nothing leads to it.
    first_shown: usize,
}

impl Play {
    /// The frame of the clip that a frame of the motion shows, or would show were it not cut or blended.
    pub fn clip_frame(&self, frame: usize) -> usize {
        let (start, enter) = match &self.transition {
            Some(made) => (made.action.start, made.enter),
            None => (self.shown.start, self.first_shown),
        };
        (enter + frame.saturating_sub(start)).min(self.clip.n_frames() - 1)
    }
}

/// One side of a transition, as it would go on without it.
#[derive(Debug, Clone)]
pub struct JoinSide {
    /// In the world.
    pub strip: Strip,
    /// The frame of the motion that is its first.
    pub start: usize,
}

/// A play that is wanted.
#[derive(Debug, Clone)]
pub(super) struct Due {
    pub(super) entry: EntryId,
    pub(super) repeat: usize,
    clip: DueClip,
    pub(super) trim: Trim,
    pub(super) choice: JoinChoice,
    pub(super) seed: u64,
}

#[derive(Debug, Clone)]
enum DueClip {
    Ready(Arc<JoinClip>),
    /// What it plays is known once it is known where it stands.
    Reach(Reach),
}

/// A play that is to be made.
#[derive(Debug, Clone)]
pub(super) struct Planned {
    pub(super) entry: EntryId,
    pub(super) repeat: usize,
    pub(super) clip: Arc<JoinClip>,
    pub(super) frames: Range<usize>,
    pub(super) choice: JoinChoice,
    pub(super) seed: u64,
    pub(super) hit: Option<ReachHit>,
    /// Whether it is the first action again, which closes the round.
    pub(super) closes: bool,
}

/// What a step begins with: frames of the action before.
#[derive(Debug, Clone)]
pub(super) struct Input {
    source: Arc<JoinClip>,
    /// The frame of the step before that is the first of this one.
    pub(super) from: usize,
    /// Frames of this step after which the source may be left.
    pub(super) leaves: Range<usize>,
    /// Frames of the source clip, where the input is nothing else.
    captured: Option<Range<usize>>,
    /// Else what it depends on: the step before, or all steps before.
    depends: Option<u64>,
    /// Whether it is made where it stands.
    is_in_world: bool,
}

impl Input {
    fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.source, &other.source)
            && self.leaves == other.leaves
            && self.captured == other.captured
            && self.depends == other.depends
            && self.is_in_world == other.is_in_world
    }
}

/// A play that was made.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) planned: Planned,
    input: Option<Input>,
    /// From the first frame of the input to the end of the action.
    piece: Strip,
    /// Counted in the piece.
    pub(super) transition: Option<Transition>,
    /// Names the piece.
    version: u64,
    /// Names everything up to here, as it stands in the world.
    pub(super) chain: u64,
    /// The frame of the motion that is the first of the piece.
    pub(super) start: usize,
    placement: Option<Placement>,
}

impl Step {
    /// The frame of the piece where the action begins, the frame of the clip that is, where blending is over, and from
    /// where on the action is only moved.
    pub(super) fn marks(&self) -> (usize, usize, usize, usize) {
        match &self.transition {
            Some(t) => (t.action.start, t.enter, t.at + t.frames, t.settled),
            None => (0, self.planned.frames.start, 0, 0),
        }
    }

    fn is_of(&self, planned: &Planned, input: Option<&Input>) -> bool {
        let is_same_input = match (&self.input, input) {
            (Some(a), Some(b)) => a.is_same(b),
            (None, None) => true,
            _ => false,
        };
        let own = &self.planned;
        is_same_input
            && Arc::ptr_eq(&own.clip, &planned.clip)
            && own.frames == planned.frames
            && own.seed == planned.seed
            // Nothing leads to the first action.
            && (input.is_none() || own.choice == planned.choice)
    }
}

/// A variant that was made for a repetition.
#[derive(Debug)]
struct MadeVariant {
    model: Arc<ClipModel>,
    entry: EntryId,
    repeat: usize,
    seed: u64,
    clip: Arc<JoinClip>,
}

/// The steps of the last time.
struct Former {
    steps: BTreeMap<PlayKey, Step>,
    /// Version and chain of each, in their order.
    names: Vec<(u64, u64)>,
    /// Whether all steps up to now are those of the last time.
    is_same_so_far: bool,
}

/// Entry, repetition, and whether it closes the round.
type PlayKey = (EntryId, usize, bool);

impl Former {
    fn of(steps: Vec<Step>) -> Self {
        Self {
            names: steps.iter().map(|s| (s.version, s.chain)).collect(),
            steps: steps
                .into_iter()
                .map(|step| (step.planned.key(), step))
                .collect(),
            is_same_so_far: true,
        }
    }
}

/// The motion of a sequence.
#[derive(Debug, Default)]
pub struct Evaluation {
    graph: Option<Arc<TransitionGraph>>,
    pub(super) steps: Vec<Step>,
    pub(super) strip: Option<Strip>,
    variants: Vec<MadeVariant>,
    pub(super) reaches: Vec<MadeReach>,
    skipped: Vec<(EntryId, String)>,
    last_version: u64,
    n_made: usize,
}

impl Evaluation {
    /// Brings the motion up to date. Entries whose source cannot be played are passed over, and named by
    /// [`Evaluation::skipped`].
    pub fn update<S: Clone>(
        &mut self,
        graph: &Arc<TransitionGraph>,
        list: &ActionList<S>,
        resolve: impl FnMut(&S) -> Result<Source, String>,
        ticket: &Ticket,
    ) -> Result<(), TransitionError> {
        if !self
            .graph
            .as_ref()
            .is_some_and(|own| Arc::ptr_eq(own, graph))
        {
            *self = Self {
                graph: Some(Arc::clone(graph)),
                last_version: self.last_version,
                ..Self::default()
            };
        }
        self.n_made = 0;
        let all_due = self.due(graph, list, resolve, ticket)?;
        let mut former = Former::of(std::mem::take(&mut self.steps));
        let mut reaches = Vec::new();
        let n = all_due.len();
        for (number, due) in all_due.into_iter().enumerate() {
            ticket.step(number as f64 / n as f64)?;
            let planned = match &due.clip {
                DueClip::Ready(clip) => due.planned(graph.rig(), Arc::clone(clip)),
                DueClip::Reach(reach) => match self.aimed(graph, &due, reach, ticket)? {
                    Ok(made) => {
                        let planned = made.planned.clone();
                        reaches.push(made);
                        planned
                    }
                    Err(why) => {
                        // Trying it has cut the motion here.
                        former.is_same_so_far = false;
                        self.skipped.push((due.entry, why));
                        continue;
                    }
                },
            };
            self.follow(graph, planned, &mut former)?;
        }
        if let Some(planned) = self.closing(graph.rig(), list) {
            self.follow(graph, planned, &mut former)?;
        }
        self.reaches = reaches;
        if former.is_same_so_far && self.steps.len() < former.names.len() {
            self.restore_last();
        }
        if self.steps.is_empty() {
            self.strip = None;
        }
        ticket.step(1.0)?;
        Ok(())
    }

    /// Puts a play behind the last one; what was made of it before is taken, if it still fits.
    fn follow(
        &mut self,
        graph: &TransitionGraph,
        planned: Planned,
        former: &mut Former,
    ) -> Result<(), TransitionError> {
        let at = self.steps.len();
        let input = self
            .steps
            .last()
            .map(|last| input(graph.rig(), last, &planned));
        let known = former.steps.remove(&planned.key());
        let known = known.filter(|step| step.is_of(&planned, input.as_ref()));
        let mut step = if let Some(known) = known {
            Step {
                planned,
                input,
                ..known
            }
        } else {
            self.n_made += 1;
            self.made(graph, planned, input)?
        };
        let before = former.names.get(at).copied();
        if former.is_same_so_far && before.is_none_or(|before| before.0 != step.version) {
            former.is_same_so_far = false;
            // The step before may have been cut elsewhere by what followed it.
            self.restore_last();
        }
        if let Some((_, chain)) = before.filter(|_| former.is_same_so_far) {
            step.chain = chain;
        } else {
            step.chain = self.new_version();
            self.put(&mut step);
        }
        self.steps.push(step);
        Ok(())
    }

    /// All that was made, one step behind the other; none without actions. Where the motion is a round, it is a part of
    /// this ([`Evaluation::round`]).
    pub fn strip(&self) -> Option<&Strip> {
        self.strip.as_ref()
    }

    /// Entries that were passed over, and why.
    pub fn skipped(&self) -> &[(EntryId, String)] {
        &self.skipped
    }

    /// How many plays were made by the last update; the others were as before, or only moved.
    pub fn n_made(&self) -> usize {
        self.n_made
    }

    /// All repetitions of all entries, in the order of play; in a round the first is there again as the last. Frames are
    /// those of the motion ([`Evaluation::motion`]).
    pub fn plays(&self) -> Vec<Play> {
        let n = self.strip.as_ref().map_or(0, Strip::n_frames);
        let round = self.round().map_or(0..n, |round| round.frames);
        self.plays_within(&round)
    }

    fn plays_within(&self, shown: &Range<usize>) -> Vec<Play> {
        let begins = |step: &Step| {
            let at = step.transition.as_ref().map_or(0, |t| t.at);
            (step.start + at).clamp(shown.start, shown.end) - shown.start
        };
        let each = self.steps.iter().enumerate().map(|(at, step)| Play {
            entry: step.planned.entry,
            repeat: step.planned.repeat,
            clip: Arc::clone(&step.planned.clip),
            frames: step.planned.frames.clone(),
            shown: begins(step)..self.steps.get(at + 1).map_or(shown.len(), begins),
            transition: step
                .transition
                .clone()
                .map(|t| t.recounted(step.start, shown.start)),
            hit: step.planned.hit,
            closes: step.planned.closes,
            first_shown: step.planned.frames.start + shown.start,
        });
        each.collect()
    }

    /// Every way of reaching a play that there is, measured; whatever else was chosen about it stays.
    pub fn candidates(&self, play: usize) -> Result<Vec<Candidate>, TransitionError> {
        let (Some(graph), Some(step)) = (&self.graph, self.steps.get(play)) else {
            return Ok(Vec::new());
        };
        let before = play
            .checked_sub(1)
            .and_then(|before| self.steps.get(before));
        let (Some(input), Some(before)) = (&step.input, before) else {
            return Ok(Vec::new());
        };
        let strip = self.source_strip(graph.rig(), input, before);
        let task = task(graph.rig(), &step.planned, input);
        graph.candidates(&strip, &task, &step.planned.choice.settings())
    }

    /// Both sides of the transition into a play as they would go on without it, in the world: what is left, and what is
    /// reached.
    pub fn sides(&self, play: usize) -> Option<[JoinSide; 2]> {
        let strip = self.strip.as_ref()?;
        let plays = self.plays_within(&(0..strip.n_frames()));
        let first = self.round().map_or(0, |round| round.frames.start);
        let (before, play) = (plays.get(play.checked_sub(1)?)?, plays.get(play)?);
        let made = play.transition.as_ref()?;
        let placed = |clip: &JoinClip, frames: Range<usize>, shown: usize, at: usize| {
            let rig = strip.rig();
            let one = Strip::of(rig, clip, shown..shown + 1);
            let mut side = Strip::of(rig, clip, frames);
            let captured = side.clone();
            side.splice_placed(0, &captured, &strip.placement_of(at, &one));
            side
        };
        let left = made.at.checked_sub(1)?;
        let leaves = before.clip_frame(left);
        let source = placed(&before.clip, leaves..before.clip.n_frames(), leaves, left);
        let settled = made
            .settled
            .min(strip.n_frames() - 1)
            .max(made.action.start);
        let shown = play.clip_frame(settled);
        let reached = placed(&play.clip, made.enter..shown + 1, shown, settled);
        Some([
            JoinSide {
                strip: source,
                start: left.saturating_sub(first),
            },
            JoinSide {
                strip: reached,
                start: made.action.start.saturating_sub(first),
            },
        ])
    }

    fn new_version(&mut self) -> u64 {
        self.last_version += 1;
        self.last_version
    }

    /// What is to be played, with the variants that models make.
    fn due<S: Clone>(
        &mut self,
        graph: &TransitionGraph,
        list: &ActionList<S>,
        mut resolve: impl FnMut(&S) -> Result<Source, String>,
        ticket: &Ticket,
    ) -> Result<Vec<Due>, TransitionError> {
        self.skipped.clear();
        let rig = graph.rig();
        let mut all_due = Vec::new();
        let mut variants = Vec::new();
        for entry in &list.entries {
            ticket.check()?;
            let source = match resolve(&entry.source) {
                Ok(source) => source,
                Err(why) => {
                    self.skipped.push((entry.id, why));
                    continue;
                }
            };
            for repeat in 0..entry.repeats {
                let clip = match &source {
                    Source::Clip(clip) => Ok(DueClip::Ready(Arc::clone(clip))),
                    Source::Reach(reach) => Ok(DueClip::Reach(reach.clone())),
                    Source::Model(model) => {
                        ticket.check()?;
                        let made = self.variant(rig, model, entry.id, repeat, list.seed);
                        made.map(DueClip::Ready)
                    }
                };
                let clip = match clip {
                    Ok(clip) => clip,
                    Err(why) => {
                        self.skipped.push((entry.id, why));
                        break;
                    }
                };
                if let (Source::Model(model), DueClip::Ready(clip)) = (&source, &clip) {
                    variants.push(MadeVariant {
                        model: Arc::clone(model),
                        entry: entry.id,
                        repeat,
                        seed: list.seed,
                        clip: Arc::clone(clip),
                    });
                }
                all_due.push(Due {
                    entry: entry.id,
                    repeat,
                    clip,
                    trim: entry.trim,
                    choice: match repeat {
                        0 => entry.reached,
                        _ => entry.repeated,
                    },
                    seed: list.seed,
                });
            }
        }
        self.variants = variants;
        Ok(all_due)
    }

    /// The variant of a repetition, seeded by entry and repetition: it stays the same wherever the entry is moved.
    fn variant(
        &self,
        rig: &Rig,
        model: &Arc<ClipModel>,
        entry: EntryId,
        repeat: usize,
        seed: u64,
    ) -> Result<Arc<JoinClip>, String> {
        let is_it = |made: &&MadeVariant| {
            Arc::ptr_eq(&made.model, model)
                && (made.entry, made.repeat, made.seed) == (entry, repeat, seed)
        };
        if let Some(made) = self.variants.iter().find(is_it) {
            return Ok(Arc::clone(&made.clip));
        }
        let settings = SampleSettings {
            seed: Stream::named(seed, &[entry.0]).bits(),
            ..SampleSettings::default()
        };
        let variant = model.vary(&settings, repeat as u64, Length::Once, Hold::Feet);
        let mut clip = variant.map_err(|e| e.to_string())?.clip;
        clip.info.name = format!("variant {}", repeat + 1);
        let clip = JoinClip::new(rig, &Arc::new(clip)).map_err(|e| e.to_string())?;
        Ok(Arc::new(clip))
    }

    /// The end of the action before, where the step is made.
    fn source_strip(&self, rig: &Arc<Rig>, input: &Input, before: &Step) -> Strip {
        match (&input.captured, &self.strip) {
            (Some(frames), _) => Strip::of(rig, &input.source, frames.clone()),
            (None, Some(strip)) if input.is_in_world => {
                // What follows the step before may be on the strip already: its own frames count.
                let mut whole = strip.clone();
                place(&mut whole, before);
                whole.tail(before.start + input.from)
            }
            _ => before.piece.tail(input.from),
        }
    }

    /// A play on trial: made, and put behind the last one in place of whatever follows it.
    pub(super) fn tried(
        &mut self,
        graph: &TransitionGraph,
        planned: Planned,
    ) -> Result<Step, TransitionError> {
        let last = self.steps.last();
        let input = last.map(|last| input(graph.rig(), last, &planned));
        self.restore_last();
        let mut step = self.made(graph, planned, input)?;
        self.put(&mut step);
        Ok(step)
    }

    fn made(
        &mut self,
        graph: &TransitionGraph,
        planned: Planned,
        input: Option<Input>,
    ) -> Result<Step, TransitionError> {
        let rig = graph.rig();
        let (piece, transition) = match (&input, self.steps.last()) {
            (Some(input), Some(before)) => {
                let mut strip = self.source_strip(rig, input, before);
                let mut stream =
                    Stream::named(planned.seed, &[planned.entry.0, planned.repeat as u64]);
                let task = task(rig, &planned, input);
                let settings = planned.choice.settings();
                let made = graph.transit(&mut strip, &task, &settings, &mut stream)?;
                (strip, Some(made))
            }
            _ => (Strip::of(rig, &planned.clip, planned.frames.clone()), None),
        };
        let version = self.new_version();
        Ok(Step {
            planned,
            input,
            piece,
            transition,
            version,
            chain: version,
            start: 0,
            placement: None,
        })
    }

    /// Puts a step behind the last one.
    fn put(&mut self, step: &mut Step) {
        let (Some(input), Some(before), Some(strip)) =
            (&step.input, self.steps.last(), &mut self.strip)
        else {
            step.start = 0;
            self.strip = Some(step.piece.clone());
            return;
        };
        step.start = before.start + input.from;
        let is_moved = !input.is_in_world;
        step.placement = is_moved.then(|| strip.placement_of(step.start, &step.piece));
        place(strip, step);
    }

    /// Puts the last step where it was: what followed it may have cut it.
    pub(super) fn restore_last(&mut self) {
        match (self.steps.last(), &mut self.strip) {
            (Some(last), Some(strip)) => place(strip, last),
            _ => self.strip = None,
        }
    }
}

impl Due {
    /// With the clip that it plays.
    pub(super) fn planned(&self, rig: &Rig, clip: Arc<JoinClip>) -> Planned {
        Planned {
            entry: self.entry,
            repeat: self.repeat,
            frames: trimmed(rig, &clip, &self.trim),
            clip,
            choice: self.choice,
            seed: self.seed,
            hit: None,
            closes: false,
        }
    }
}

impl Planned {
    fn key(&self) -> PlayKey {
        (self.entry, self.repeat, self.closes)
    }
}

/// The frames of a step in the motion, to its end.
fn place(strip: &mut Strip, step: &Step) {
    match &step.placement {
        Some(placement) => strip.splice_placed(step.start, &step.piece, placement),
        None => strip.splice(step.start, &step.piece),
    }
}

/// What is left of a clip; never less than two frames.
fn trimmed(rig: &Rig, clip: &JoinClip, trim: &Trim) -> Range<usize> {
    let frames = |secs: f64| (secs * rig.fps).round() as usize;
    let n = clip.n_frames();
    let start = frames(trim.start_secs).min(n - 2);
    let end = n.saturating_sub(frames(trim.end_secs)).max(start + 2);
    start..end
}

/// Where a play begins: in the clip before, if that is only moved there, else in the step before.
pub(super) fn input(rig: &Rig, before: &Step, planned: &Planned) -> Input {
    let (start, enter, blended, settled) = before.marks();
    let n = before.piece.n_frames();
    let leaves = if let Some(secs) = planned.choice.leave_secs {
        let frame = (secs * rig.fps).round() as usize;
        let leave = (start + frame.saturating_sub(enter)).clamp(start.min(n - 1), n - 1);
        leave..leave + 1
    } else {
        let early = (before.planned.frames.len() as f64 * LEAVE_SHARE) as usize;
        n.saturating_sub(1 + early).max(blended.min(n - 1))..n
    };
    let look_back = rig.frames_at_30(LOOK_BACK) + LOOK_BACK_MORE;
    let from = leaves.start.saturating_sub(look_back);
    let is_in_world = planned.choice.shape.depends_on_world() || before.piece.lift() != 0.0;
    let is_settled = from >= settled && from >= start && !is_in_world;
    Input {
        source: Arc::clone(&before.planned.clip),
        leaves: leaves.start - from..leaves.end - from,
        captured: is_settled.then(|| enter + from - start..enter + n - start),
        depends: match (is_settled, is_in_world) {
            (true, _) => None,
            (false, true) => Some(before.chain),
            (false, false) => Some(before.version),
        },
        is_in_world,
        from,
    }
}

/// The transition into a play, from the strip that its input makes.
fn task<'a>(rig: &Rig, planned: &'a Planned, input: &Input) -> JoinTask<'a> {
    let frames = planned.frames.clone();
    let enter = planned.choice.enter_secs.map(|secs| {
        let enter = (secs * rig.fps).round() as usize;
        enter.clamp(frames.start, frames.end - 2)
    });
    JoinTask {
        leaves: input.leaves.clone(),
        action: &planned.clip,
        frames: enter.unwrap_or(frames.start)..frames.end,
        may_skip: enter.is_none(),
    }
}
