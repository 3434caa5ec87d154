//! Making variants: one after the other as they are ready, each with numbers that say whether it can be used.
//!
//! Variants live here, in the session, until they are kept; then they are clips of the library, in one step.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use rayon::prelude::*;

use super::batch::{Batch, Made, Order, numbers};
use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::DeliveryTo;
use crate::app::shell::messages::Severity;
use crate::app::shell::words::counted;
use crate::app::shell::work::Shown;
use crate::app::variation::holds::ByHand;
use crate::app::variation::models::known::takes_as_clips;
use crate::app::variation::state::VariationWorkspace;
use crate::document::{ClipId, Command, ModelId};
use crate::jobs::{Cancelled, Ticket};
use crate::motion::Clip;
use crate::variation::ClipModel;

/// The job that makes many, as the status bar names it.
pub const MAKE: &str = "make variants";

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
    use crate::app::variation::variants::batch::Numbers;
    use crate::app::variation::variants::ranges;
    use crate::app::variation::variants::recipe::Recipe;

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
