//! Variants that were made, and their numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use crate::app::shell::clips::analysis::CONTACTS_BY_HAND;
use crate::app::variation::models::known::Known;
use crate::app::variation::variants::ranges;
use crate::app::variation::variants::recipe::Recipe;
use crate::document::{ClipId, Document};
use crate::motion::Clip;
use crate::motion::metrics::{MeasureSettings, measure};
use crate::variation::{ClipModel, Held, HeldSpan};

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

/// A variant with its recipe, and what is known about it.
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
    /// The motion of the variant.
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
    /// Variants in the order of their slots.
    pub made: Vec<Made>,
    /// The place of the one that is looked at: the first, until one is chosen.
    pub looked_at: Option<usize>,
    pub(super) is_chosen: bool,
    /// What a job has made, bit by bit.
    pub(in crate::app::variation) arriving: Option<Receiver<Made>>,
    /// Holds that were drawn by hand, by slot.
    pub(super) wishes: BTreeMap<u64, ByHand>,
    /// Slots that shall have another number: the dice were thrown.
    pub(in crate::app::variation) reseeds: BTreeMap<u64, u64>,
    /// What was refused is not tried again and again.
    pub(in crate::app::variation) refused: Option<Order>,
    /// Slots of discarded ones; their numbers may still be on the way.
    pub(super) discarded: BTreeSet<u64>,
    pub(super) next: u64,
}

impl Batch {
    pub(super) fn take(&mut self, mut made: Made) {
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

/// Holds drawn by hand; shared, since the job that makes the variant needs them, too.
pub type ByHand = Arc<[HeldSpan]>;

/// What a variant is made of.
#[derive(Debug, Clone)]
pub(in crate::app::variation) struct Order {
    pub(in crate::app::variation) model: Arc<ClipModel>,
    pub(super) name: String,
    pub(super) recipe: Recipe,
    pub(super) by_hand: Option<ByHand>,
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

/// Marks that a clip's contacts are meant as they are, also if there are none.
pub(in crate::app::variation) fn say_by_hand(clip: &mut Clip) {
    clip.info.history.push(CONTACTS_BY_HAND.to_owned());
}
