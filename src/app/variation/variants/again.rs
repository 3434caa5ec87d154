//! Variants that are made again: the looked-at one follows the panel and the network by itself, the others on demand.
//!
//! A variant remembers how it was made and by which network. What the panel says now, or an edge that was changed by
//! hand, may be something else: then it is out of date until it is made again, or until that is undone.

use std::sync::Arc;
use std::sync::mpsc::channel;

use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::DeliveryTo;
use crate::app::shell::messages::Severity;
use crate::app::shell::work::Shown;
use crate::app::variation::models::known::takes_as_clips;
use crate::app::variation::state::VariationWorkspace;
use crate::app::variation::variants::batch::{Made, numbers};
use crate::app::variation::variants::make::MAKE;
use crate::document::ModelId;
use crate::jobs::Cancelled;
use crate::variation::ClipModel;

const REMAKE: &str = "make a variant again";

/// How many variants of a batch are not what would be made now. Kept ones are clips already, and streams are past.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OutOfDate {
    /// An edge of the network was changed since.
    pub by_network: usize,
    /// The network is the same, but the settings are others.
    pub by_settings: usize,
}

impl VariationWorkspace {
    /// Whether a variant of the chosen model can be made again: it is not kept, and it has a number.
    pub fn can_make_again(cx: &UiContext, made: &Made) -> bool {
        made.number.is_some() && !made.is_kept(cx.document())
    }

    /// How many variants of the chosen model are not what would be made now.
    pub fn out_of_date(&self, cx: &UiContext) -> OutOfDate {
        let mut found = OutOfDate::default();
        let Some((id, model)) = self.chosen_model(cx) else {
            return found;
        };
        let batch = self.batches.get(&id);
        for made in batch.iter().flat_map(|batch| &batch.made) {
            if !Self::can_make_again(cx, made) {
                continue;
            }
            if !made.is_by(&model) {
                found.by_network += 1;
            } else if made.recipe != self.recipe {
                found.by_settings += 1;
            }
        }
        found
    }

    /// Makes all again that are not what would be made now, in their places and with their holds.
    pub fn make_all_again(&mut self, cx: &mut UiContext) {
        let Some((id, model)) = self.chosen_model(cx) else {
            return;
        };
        if cx.work.is_running(REMAKE) || cx.work.is_running(MAKE) {
            return;
        }
        let Some(batch) = self.batches.get(&id) else {
            return;
        };
        let mut orders = Vec::new();
        let mut places = Vec::new();
        for made in batch
            .made
            .iter()
            .filter(|made| Self::can_make_again(cx, made))
        {
            let order = self.order(cx, id, &model, batch.wish(made.slot).cloned());
            if let Some(number) = made.number.filter(|_| !order.is_of(made)) {
                orders.push(order);
                places.push((made.slot, number));
            }
        }
        if !places.is_empty() {
            self.start_making(cx, id, orders, places);
        }
    }

    /// The looked-at variant follows settings and network: always the newest, one at a time. So do those that the
    /// dice were thrown for.
    pub(in crate::app::variation) fn remake_looked_at(
        &mut self,
        cx: &mut UiContext,
        id: ModelId,
        model: &Arc<ClipModel>,
    ) {
        if cx.work.is_running(REMAKE) || cx.work.is_running(MAKE) {
            return;
        }
        let thrown = self.batches.get_mut(&id);
        let thrown = thrown.and_then(|batch| batch.reseeds.pop_first());
        if let Some((slot, number)) = thrown.or_else(|| self.looked_at_and_stale(cx, id, model)) {
            self.make_again(cx, id, model, slot, number);
        }
    }

    /// Slot and number of the looked-at variant, if it is not what would be made now.
    fn looked_at_and_stale(
        &self,
        cx: &UiContext,
        id: ModelId,
        model: &Arc<ClipModel>,
    ) -> Option<(u64, u64)> {
        let batch = self.batches.get(&id)?;
        let made = batch.made.get(batch.looked_at?)?;
        let order = self.order(cx, id, model, batch.wish(made.slot).cloned());
        let is_refused = batch.refused.as_ref().is_some_and(|no| no.is_same(&order));
        let is_stale = !order.is_of(made) && !is_refused && Self::can_make_again(cx, made);
        Some((made.slot, made.number?)).filter(|_| is_stale)
    }

    /// Another one in the place of this one, as soon as nothing else is being made.
    pub fn reseed_variant(&mut self, cx: &mut UiContext, place: usize) {
        let Some((id, _)) = self.chosen_model(cx) else {
            return;
        };
        let Some(batch) = self.batches.get_mut(&id) else {
            return;
        };
        let Some(slot) = batch.made.get(place).map(|made| made.slot) else {
            return;
        };
        let number = batch.fresh_number();
        batch.reseeds.insert(slot, number);
        batch.look_at(place);
        batch.wish_for(slot, None);
    }

    fn make_again(
        &mut self,
        cx: &mut UiContext,
        id: ModelId,
        model: &Arc<ClipModel>,
        slot: u64,
        number: u64,
    ) {
        let batch = self.batches.get(&id);
        let by_hand = batch.and_then(|batch| batch.wish(slot)).cloned();
        let order = self.order(cx, id, model, by_hand);
        let known = self.known.of(model);
        let (send, receive) = channel();
        let Some(batch) = self.batches.get_mut(&id) else {
            return;
        };
        batch.arriving = Some(receive);
        let wake = cx.wake();
        self.inbox.start(cx, REMAKE, Shown::Quietly, move |_| {
            let mut made = match order.make(slot, number) {
                Ok(made) => made,
                Err(error) => {
                    let delivery: DeliveryTo<Self> =
                        Box::new(move |variation: &mut Self, shell: &mut Shell| {
                            if let Some(batch) = variation.batches.get_mut(&id) {
                                batch.refused = Some(order);
                            }
                            shell.say(Severity::Error, format!("{error:#}"));
                        });
                    return Ok(delivery);
                }
            };
            // It is seen before it is measured: that has to be quick while a slider is dragged.
            send.send(made.clone()).map_err(|_gone| Cancelled)?;
            wake();
            made.numbers = Some(match known.as_deref() {
                Some(Ok(known)) => numbers(&known.inputs, &made.clip),
                // A network that was changed a moment ago has not been looked at yet.
                _ => numbers(&takes_as_clips(&order.model)?, &made.clip),
            });
            send.send(made).map_err(|_gone| Cancelled)?;
            let delivery: DeliveryTo<Self> = Box::new(|_, _| ());
            Ok(delivery)
        });
    }
}
