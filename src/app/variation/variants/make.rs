//! Making variants: one after the other as they are ready, each with numbers that say whether it can be used.
//!
//! Variants live here, in the session, until they are kept; then they are clips of the library, in one step.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use rayon::prelude::*;

use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::{DeliveryTo, Shown};
use crate::app::shell::messages::Severity;
use crate::app::shell::words::counted;
use crate::app::variation::holds::{ByHand, say_by_hand};
use crate::app::variation::models::known::{Known, takes_as_clips};
use crate::app::variation::state::VariationWorkspace;
use crate::app::variation::variants::ranges;
use crate::app::variation::variants::recipe::Recipe;
use crate::document::{ClipId, Command, Document, ModelId};
use crate::jobs::{Cancelled, Ticket};
use crate::motion::Clip;
use crate::motion::metrics::{MeasureSettings, measure};
use crate::variation::{ClipModel, Held};

/// The job that makes many, as the status bar names it.
pub const MAKE: &str = "make variants";

/// Numbers of one variant.
#[derive(Debug, Clone, PartialEq)]
pub struct Numbers {
    /// How far its poses are from the takes, against how far these are from each other.
    pub nn_ratio: Option<f64>,
    /// Its jerk against that of the takes.
    pub jerk_ratio: f64,
    /// Speed of feet that stand, body heights per second.
    pub foot_slide: Option<f64>,
    /// The same in the takes.
    pub foot_slide_takes: Option<f64>,
}

/// A variant.
#[derive(Debug, Clone)]
pub struct Made {
    /// Its place in the batch, whatever else changes.
    pub slot: u64,
    /// Which variant of its recipe; none for a stream that was stopped.
    pub number: Option<u64>,
    /// How it was made.
    pub recipe: Recipe,
    /// With which network: the model may have been changed by hand since.
    pub model: Arc<ClipModel>,
    /// Its holds, if they were drawn by hand.
    pub by_hand: Option<ByHand>,
    /// The motion.
    pub clip: Arc<Clip>,
    /// Mean log-likelihood of a value; not for long ones.
    pub log_likelihood: Option<f64>,
    /// What became of the holds of feet and hands.
    pub held: Option<Held>,
    /// Once it is measured; or why it cannot be.
    pub numbers: Option<Result<Numbers, String>>,
    /// The clip it became.
    pub kept: Option<ClipId>,
}

impl Made {
    /// Whether this network made it. Undo of an edge brings back the very same one.
    pub fn is_by(&self, model: &Arc<ClipModel>) -> bool {
        Arc::ptr_eq(&self.model, model)
    }

    /// Whether it is a clip of the library. Undo takes it back.
    pub fn is_kept(&self, document: &Document) -> bool {
        self.kept.is_some_and(|id| document.clip(id).is_some())
    }

    /// How it was made and what its numbers are, as a piece of a line of a manifest that begins with a comma.
    pub fn manifest_cells(&self) -> String {
        let numbers = self
            .numbers
            .as_ref()
            .and_then(|numbers| numbers.as_ref().ok());
        let number = |value: Option<f64>| value.map_or_else(String::new, |v| format!("{v:.6}"));
        let contacts = match &self.by_hand {
            Some(_) => "by hand",
            None if self.clip.contacts().is_empty() => "none",
            None => "as in the takes",
        };
        let cells = [
            self.number.map_or_else(String::new, |n| n.to_string()),
            self.recipe.seed.to_string(),
            self.recipe.amount.to_string(),
            number(self.log_likelihood),
            number(numbers.and_then(|numbers| numbers.nn_ratio)),
            number(numbers.map(|numbers| numbers.jerk_ratio)),
            number(numbers.and_then(|numbers| numbers.foot_slide)),
            contacts.to_owned(),
        ];
        cells.map(|cell| format!(",{cell}")).concat()
    }

    /// What speaks against it, in words; empty if nothing does.
    pub fn oddities(&self, known: Option<&Known>) -> Vec<String> {
        let mut words = Vec::new();
        let least = known.map(Known::least_likely);
        if let (Some(found), Some(least)) = (self.log_likelihood, least)
            && found < least
        {
            words.push(format!(
                "less likely ({found:.2}) than takes and variants are ({least:.2})"
            ));
        }
        let Some(Ok(numbers)) = &self.numbers else {
            return words;
        };
        let slides = numbers.foot_slide.zip(numbers.foot_slide_takes);
        words.extend(numbers.nn_ratio.and_then(ranges::nearness));
        words.extend(ranges::jerk(numbers.jerk_ratio));
        words.extend(slides.and_then(|(found, takes)| ranges::slide(found, takes)));
        words
    }
}

/// The variants of one model.
#[derive(Debug, Default)]
pub struct Batch {
    /// By slot.
    pub made: Vec<Made>,
    /// The place of the one that is looked at: the first, until one is chosen.
    pub looked_at: Option<usize>,
    is_chosen: bool,
    /// What a job has made, bit by bit.
    pub(in crate::app::variation) arriving: Option<Receiver<Made>>,
    /// Holds that were drawn by hand, by slot.
    wishes: BTreeMap<u64, ByHand>,
    /// Slots that shall have another number: the dice were thrown.
    pub(in crate::app::variation) reseeds: BTreeMap<u64, u64>,
    /// What was refused is not tried again and again.
    pub(in crate::app::variation) refused: Option<Order>,
    /// Slots of discarded ones; their numbers may still be on the way.
    discarded: BTreeSet<u64>,
    next: u64,
}

impl Batch {
    fn take(&mut self, mut made: Made) {
        if self.discarded.contains(&made.slot) {
            return;
        }
        let place = self.made.partition_point(|other| other.slot < made.slot);
        match self.made.get_mut(place) {
            Some(old) if old.slot == made.slot => {
                // It may have been kept before its numbers came.
                if Arc::ptr_eq(&old.clip, &made.clip) {
                    made.kept = old.kept;
                }
                *old = made;
            }
            _ => {
                self.made.insert(place, made);
                // The one that was chosen stays the same when another comes before it. Without a choice it is the
                // first, whichever was made first: what is seen must not depend on threads.
                let chosen = self.looked_at.as_mut().filter(|_| self.is_chosen);
                if let Some(at) = chosen.filter(|at| **at >= place) {
                    *at += 1;
                }
            }
        }
        self.looked_at.get_or_insert(0);
    }

    /// Looks at the one in this place from now on.
    pub(in crate::app::variation) const fn look_at(&mut self, place: usize) {
        self.looked_at = Some(place);
        self.is_chosen = true;
    }

    /// Takes a variant away.
    pub fn discard(&mut self, place: usize) {
        if place < self.made.len() {
            let slot = self.made.remove(place).slot;
            self.reseeds.remove(&slot);
            self.discarded.insert(slot);
        }
        let last = self.made.len().checked_sub(1);
        self.looked_at = self.looked_at.zip(last).map(|(at, last)| {
            let moved = if at > place { at - 1 } else { at };
            moved.min(last)
        });
    }

    /// The holds that were drawn by hand for a variant.
    pub fn wish(&self, slot: u64) -> Option<&ByHand> {
        self.wishes.get(&slot)
    }

    pub(in crate::app::variation) fn wish_for(&mut self, slot: u64, by_hand: Option<ByHand>) {
        match by_hand {
            Some(by_hand) => self.wishes.insert(slot, by_hand),
            None => self.wishes.remove(&slot),
        };
    }

    /// A number that none of them has had.
    pub(in crate::app::variation) const fn fresh_number(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    /// Puts a motion behind the others.
    pub fn add(&mut self, recipe: Recipe, model: Arc<ClipModel>, clip: Arc<Clip>) {
        let slot = self.fresh_number();
        self.take(Made {
            slot,
            number: None,
            recipe,
            model,
            by_hand: None,
            clip,
            log_likelihood: None,
            held: None,
            numbers: None,
            kept: None,
        });
        self.look_at(self.made.len() - 1);
    }
}

/// What a variant is made of.
#[derive(Debug, Clone)]
pub(in crate::app::variation) struct Order {
    pub(in crate::app::variation) model: Arc<ClipModel>,
    name: String,
    recipe: Recipe,
    by_hand: Option<ByHand>,
}

impl Order {
    /// Whether a variant is what this order would bring, whatever it is called.
    pub(in crate::app::variation) fn is_of(&self, made: &Made) -> bool {
        made.is_by(&self.model) && made.recipe == self.recipe && made.by_hand == self.by_hand
    }

    pub(in crate::app::variation) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.model, &other.model)
            && self.recipe == other.recipe
            && self.by_hand == other.by_hand
    }

    /// A variant without its numbers.
    pub(in crate::app::variation) fn make(&self, slot: u64, number: u64) -> anyhow::Result<Made> {
        let (model, recipe) = (&self.model, &self.recipe);
        let settings = recipe.settings(model);
        let length = recipe.length(model);
        let mut variant = match &self.by_hand {
            Some(spans) => {
                let mut made = model.vary_by_hand(&settings, number, length, spans)?;
                say_by_hand(&mut made.clip);
                made
            }
            None => model.vary(&settings, number, length, recipe.hold())?,
        };
        variant.clip.info.name = format!("{} {number:03}", self.name);
        variant.clip.info.tags.insert("variant".to_owned());
        Ok(Made {
            slot,
            number: Some(number),
            recipe: recipe.clone(),
            model: Arc::clone(model),
            by_hand: self.by_hand.clone(),
            clip: Arc::new(variant.clip),
            log_likelihood: variant.log_likelihood,
            held: variant.held,
            numbers: None,
            kept: None,
        })
    }
}

pub(in crate::app::variation) fn numbers(
    inputs: &[Arc<Clip>],
    clip: &Clip,
) -> Result<Numbers, String> {
    let inputs: Vec<&Clip> = inputs.iter().map(|input| &**input).collect();
    let report = measure(&inputs, &[clip], &[], &MeasureSettings::default());
    let report = report.map_err(|error| error.to_string())?;
    Ok(Numbers {
        nn_ratio: report.nn_ratio,
        jerk_ratio: report.jerk_ratio,
        foot_slide: report.foot_slide,
        foot_slide_takes: report.foot_slide_inputs,
    })
}

/// Makes one, tells of it, measures it, and tells of it again: it is seen before it is measured.
fn make_one(
    order: &Order,
    inputs: &[Arc<Clip>],
    (slot, number): (u64, u64),
    send: &Sender<Made>,
) -> anyhow::Result<()> {
    let mut made = order.make(slot, number)?;
    // Nobody listens any more: then nobody wants the rest.
    send.send(made.clone()).map_err(|_gone| Cancelled)?;
    made.numbers = Some(numbers(inputs, &made.clip));
    send.send(made).map_err(|_gone| Cancelled)?;
    Ok(())
}

/// Makes variants in small groups, so that the first ones are seen first on any number of threads.
fn make_all(
    orders: &[Order],
    places: &[(u64, u64)],
    send: &Sender<Made>,
    (ticket, wake): (&Ticket, &dyn Fn()),
) -> anyhow::Result<()> {
    let Some(first) = orders.first() else {
        return Ok(());
    };
    let inputs = takes_as_clips(&first.model)?;
    let group = rayon::current_num_threads().max(1);
    let pieces: Vec<(&Order, (u64, u64))> = orders.iter().zip(places.iter().copied()).collect();
    for (round, pieces_now) in pieces.chunks(group).enumerate() {
        ticket.step((round * group) as f64 / pieces.len() as f64)?;
        pieces_now
            .par_iter()
            .try_for_each_with(send.clone(), |send, (order, place)| {
                ticket.check()?;
                make_one(order, &inputs, *place, send)
            })?;
        wake();
    }
    Ok(())
}

impl VariationWorkspace {
    /// Makes variants with the chosen model; those of before that were not kept go.
    pub fn make_variants(&mut self, cx: &mut UiContext) {
        let Some((id, model)) = self.chosen_model(cx) else {
            return;
        };
        let order = self.order(cx, id, &model, None);
        let count = self.count.max(1) as u64;
        self.batches.insert(
            id,
            Batch {
                next: count,
                ..Batch::default()
            },
        );
        cx.session.playhead_secs = 0.0;
        cx.session.framing = Some(crate::app::shell::session::Framing::All);
        let places: Vec<(u64, u64)> = (0..count).map(|number| (number, number)).collect();
        self.start_making(cx, id, vec![order; places.len()], places);
    }

    /// Makes a list of variants: of each its order, its slot and its number.
    pub(in crate::app::variation) fn start_making(
        &mut self,
        cx: &mut UiContext,
        id: ModelId,
        orders: Vec<Order>,
        places: Vec<(u64, u64)>,
    ) {
        let (send, receive) = channel();
        self.batches.entry(id).or_default().arriving = Some(receive);
        let wake = cx.wake();
        self.inbox.start(cx, MAKE, Shown::InBar, move |ticket| {
            make_all(&orders, &places, &send, (ticket, &wake))?;
            let delivery: DeliveryTo<Self> = Box::new(move |_: &mut Self, shell: &mut Shell| {
                let words = format!("{} made", counted(places.len(), "variant"));
                shell.say(Severity::Done, words);
            });
            Ok(delivery)
        });
    }

    pub(in crate::app::variation) fn order(
        &self,
        cx: &UiContext,
        id: ModelId,
        model: &Arc<ClipModel>,
        by_hand: Option<ByHand>,
    ) -> Order {
        let name = cx.document().model(id).map(|model| model.name.clone());
        Order {
            model: Arc::clone(model),
            name: name.unwrap_or_default(),
            recipe: self.recipe.clone(),
            by_hand,
        }
    }

    /// Puts what has arrived in its place.
    pub(in crate::app::variation) fn take_made(&mut self) {
        for batch in self.batches.values_mut() {
            let arrived: Vec<Made> = batch.arriving.iter().flat_map(Receiver::try_iter).collect();
            for made in arrived {
                batch.take(made);
            }
        }
    }

    /// The variant in this place is looked at from now on.
    pub fn look_at_variant(&mut self, cx: &mut UiContext, place: usize) {
        let Some((id, _)) = self.chosen_model(cx) else {
            return;
        };
        let batch = self.batches.get_mut(&id);
        if let Some(batch) = batch.filter(|batch| place < batch.made.len()) {
            if batch.looked_at != Some(place) {
                cx.session.contact = None;
            }
            batch.look_at(place);
        }
    }

    /// Makes clips of these places of the batch, and a set of them: one step.
    pub fn keep_variants(&mut self, shell: &mut Shell, places: &[usize]) {
        let Some((id, _)) = self.chosen_model(shell) else {
            return;
        };
        let Some(batch) = self.batches.get(&id) else {
            return;
        };
        let document = shell.document();
        let fresh: Vec<(u64, Arc<Clip>)> = places
            .iter()
            .filter_map(|place| batch.made.get(*place))
            .filter(|made| !made.is_kept(document))
            .map(|made| (made.slot, Arc::clone(&made.clip)))
            .collect();
        if fresh.is_empty() {
            return;
        }
        let model = document.model(id).map_or("variation", |model| &model.name);
        let set_name = format!("{model} variants");
        let first = document.next_number();
        let clips: Vec<ClipId> = (first..).map(ClipId).take(fresh.len()).collect();
        let set = document.sets().iter().find(|set| set.name == set_name);
        let into_set = match set.map(|set| set.id) {
            Some(id) => Command::AddToSet { id, clips },
            None => Command::AddSet {
                name: set_name.clone(),
                clips,
            },
        };
        let what = format!("keep {}", counted(fresh.len(), "variant"));
        let add = Command::AddClips(fresh.iter().map(|made| Arc::clone(&made.1)).collect());
        let commands = vec![add, into_set];
        let Some(added) = shell.edit(Command::Together { what, commands }) else {
            return;
        };
        if let Some(batch) = self.batches.get_mut(&id) {
            for ((slot, _), kept) in fresh.iter().zip(&added) {
                let mut made = batch.made.iter_mut();
                if let Some(made) = made.find(|made| made.slot == *slot) {
                    made.kept = Some(*kept);
                }
            }
        }
        let words = format!(
            "{} in the library, in the set {set_name}",
            counted(added.len(), "variant")
        );
        shell.say(Severity::Done, words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::variation::quick_jumps;

    fn made(slot: u64) -> Made {
        let clip = crate::demo::make(crate::demo::Action::Idle, 1, 0).clip;
        Made {
            slot,
            number: Some(slot),
            recipe: Recipe::default(),
            model: quick_jumps(),
            by_hand: None,
            clip: Arc::new(clip),
            log_likelihood: Some(-1.0),
            held: None,
            numbers: None,
            kept: None,
        }
    }

    #[test]
    fn variants_stand_by_number_however_they_come_and_the_looked_at_one_stays() {
        let mut batch = Batch::default();
        batch.take(made(2));
        batch.take(made(3));
        assert_eq!(batch.looked_at, Some(0), "the first");
        batch.take(made(0));
        assert_eq!(batch.looked_at, Some(0), "the first in order");
        batch.discard(2);
        batch.look_at(1);
        batch.take(made(1));
        let slots: Vec<u64> = batch.made.iter().map(|made| made.slot).collect();
        assert_eq!(slots, [0, 1, 2]);
        assert_eq!(batch.looked_at, Some(2), "still the same one");
        batch.take(made(1));
        assert_eq!(batch.made.len(), 3, "made again, in its place");
        batch.discard(0);
        assert_eq!(batch.looked_at, Some(1), "still the same one");
        batch.discard(1);
        assert_eq!(batch.looked_at, Some(0), "the one before");
        batch.discard(0);
        assert_eq!(batch.looked_at, None, "none is left");
    }

    #[test]
    fn numbers_that_come_late_bring_no_discarded_one_back_and_leave_a_kept_one_kept() {
        let mut batch = Batch::default();
        let (gone, mut kept) = (made(0), made(1));
        batch.take(gone.clone());
        batch.take(kept.clone());
        batch.discard(0);
        batch.made[0].kept = Some(ClipId(7));
        kept.log_likelihood = Some(-2.0);
        batch.take(gone);
        batch.take(kept);
        assert_eq!(batch.made.len(), 1, "discarded is discarded");
        assert_eq!(batch.made[0].log_likelihood, Some(-2.0), "its numbers came");
        assert_eq!(batch.made[0].kept, Some(ClipId(7)), "still kept");
        batch.take(made(1));
        assert_eq!(batch.made[0].kept, None, "another motion is not kept");
    }

    #[test]
    fn what_is_out_of_range_is_told_and_what_is_not_is_not() {
        let mut one = made(0);
        let fine = Numbers {
            nn_ratio: Some(1.1),
            jerk_ratio: 1.0,
            foot_slide: Some(0.05),
            foot_slide_takes: Some(0.05),
        };
        one.numbers = Some(Ok(fine.clone()));
        assert!(one.oddities(None).is_empty(), "{:?}", one.oddities(None));
        let still = Numbers {
            foot_slide: Some(0.001),
            foot_slide_takes: Some(0.0),
            ..fine.clone()
        };
        one.numbers = Some(Ok(still));
        assert!(one.oddities(None).is_empty(), "nobody sees that");
        assert!(ranges::slide_ratio(0.001, 0.0) < 1.0, "nor is it shown");
        let odd = Numbers {
            nn_ratio: Some(3.0),
            jerk_ratio: 4.0,
            foot_slide: Some(0.5),
            ..fine
        };
        one.numbers = Some(Ok(odd));
        assert_eq!(one.oddities(None).len(), 3, "{:?}", one.oddities(None));
    }
}
