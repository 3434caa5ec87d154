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
//! Where the last action goes over into the first, that is some steps more, and the motion is a round of it: see
//! `closing`.

use std::sync::Arc;

use super::former::Former;
use super::made::{MadeReach, MadeVariant};
use super::round::Closed;
use super::step::{Due, DueClip, Input, Planned, Source, Step, input, place, task};
use super::{ActionList, EntryId};
use crate::jobs::Ticket;
use crate::motion::join::{JoinClip, Rig, Strip};
use crate::numerics::random::Stream;
use crate::transition::{TransitionError, TransitionGraph};
use crate::variation::{ClipModel, Hold, Length, SampleSettings};

/// The motion of a sequence.
#[derive(Debug, Default)]
pub struct Evaluation {
    pub(super) graph: Option<Arc<TransitionGraph>>,
    pub(super) steps: Vec<Step>,
    pub(super) strip: Option<Strip>,
    /// How it goes over into itself, if it does.
    pub(super) closed: Closed,
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
        self.close(graph, list, &mut former, ticket)?;
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
    pub(super) fn follow(
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
        self.closed.strip.as_ref().or(self.strip.as_ref())
    }

    /// Entries that were passed over, and why.
    pub fn skipped(&self) -> &[(EntryId, String)] {
        &self.skipped
    }

    /// How many plays were made by the last update; the others were as before, or only moved.
    pub fn n_made(&self) -> usize {
        self.n_made
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
    pub(super) fn source_strip(&self, rig: &Arc<Rig>, input: &Input, before: &Step) -> Strip {
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
