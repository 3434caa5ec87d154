//! Feet and hands of the variant that is looked at, held as the animator wants them.
//!
//! Until a variant is kept it belongs to the session, and so do its holds: a change shows at once, a reset takes all
//! of them back, and undo knows nothing of them. The kept clip carries them as its contacts.

mod standing;
pub(in crate::app) mod ui;

use std::sync::Arc;

use crate::app::shell::context::UiContext;
use crate::app::shell::previews::Holds;
use crate::app::shell::work::Shown;
use crate::app::variation::state::VariationWorkspace;
use crate::app::variation::variants::batch::Made;
use crate::document::ModelId;
use crate::jobs::Cancelled;
use crate::motion::contacts::spans;
use crate::motion::{Contact, Vec3};
use crate::variation::{HeldSpan, Hold};
use standing::standing;

pub use crate::app::variation::variants::batch::ByHand;
pub use standing::{HoldingView, LimbLine, Standing};

/// The spans of a variant: those that were wished for, or those that the takes voted for.
pub fn spans_of(made: &Made, wish: Option<&ByHand>) -> Vec<HeldSpan> {
    match wish {
        // A variant that has become shorter holds nothing behind its end.
        Some(wish) => {
            let n_frames = made.clip.n_frames();
            let there = wish.iter().filter(|span| span.frames.start < n_frames);
            let cut = there.map(|span| HeldSpan {
                frames: span.frames.start..span.frames.end.min(n_frames),
                ..span.clone()
            });
            cut.collect()
        }
        None => made.clip.contacts().iter().map(without_pin).collect(),
    }
}

fn without_pin(contact: &Contact) -> HeldSpan {
    HeldSpan {
        joint: contact.joint,
        frames: contact.frames.clone(),
        pin: None,
    }
}

/// Other contacts in place of some spans; each keeps the pin of the span it came from.
fn with_contacts(before: &[HeldSpan], contacts: &[Contact]) -> Vec<HeldSpan> {
    let shared = |a: &HeldSpan, b: &Contact| {
        let (from, to) = (
            a.frames.start.max(b.frames.start),
            a.frames.end.min(b.frames.end),
        );
        to.saturating_sub(from)
    };
    let pin = |contact: &Contact| {
        let own = before.iter().filter(|span| span.joint == contact.joint);
        let pinned = own.filter(|span| span.pin.is_some() && shared(span, contact) > 0);
        pinned.max_by_key(|span| shared(span, contact))?.pin
    };
    let of = |contact: &Contact| HeldSpan {
        pin: pin(contact),
        ..without_pin(contact)
    };
    contacts.iter().map(of).collect()
}

impl VariationWorkspace {
    /// The same for timeline and 3D view.
    pub(in crate::app::variation) fn holds_of_looked_at(&self, cx: &UiContext) -> Option<Holds> {
        let (spans, can_change) = self.looked_at_spans(cx)?;
        Some(Holds { spans, can_change })
    }

    /// The variant that is looked at, with its model.
    pub fn looked_at(&self, cx: &UiContext) -> Option<(ModelId, &Made)> {
        let (id, _) = self.chosen_model(cx)?;
        let batch = self.batches.get(&id)?;
        Some((id, batch.made.get(batch.looked_at?)?))
    }

    /// Its spans, and whether they can be changed: a kept variant is a clip of the library, and streams are held there.
    pub fn looked_at_spans(&self, cx: &UiContext) -> Option<(Vec<HeldSpan>, bool)> {
        let (id, made) = self.looked_at(cx)?;
        let wish = self.batches.get(&id)?.wish(made.slot);
        let can_change = made.number.is_some() && !made.is_kept(cx.document());
        Some((spans_of(made, wish), can_change))
    }

    /// Whether its spans were changed by hand.
    pub fn is_held_by_hand(&self, cx: &UiContext) -> bool {
        self.looked_at(cx).is_some_and(|(id, made)| {
            let batch = self.batches.get(&id);
            batch.is_some_and(|batch| batch.wish(made.slot).is_some())
        })
    }

    fn wish_for_spans(&mut self, cx: &mut UiContext, wanted: Option<Vec<HeldSpan>>) {
        let Some((id, slot)) = self.looked_at(cx).map(|(id, made)| (id, made.slot)) else {
            return;
        };
        let can_change = self.looked_at_spans(cx).is_some_and(|(_, can)| can);
        if let Some(batch) = self.batches.get_mut(&id).filter(|_| can_change) {
            batch.wish_for(slot, wanted.map(ByHand::from));
        }
    }

    /// Holds the looked-at variant during these contacts and no others; pins stay with the spans they belong to.
    pub fn hold_during(&mut self, cx: &mut UiContext, contacts: &[Contact]) {
        if let Some((before, _)) = self.looked_at_spans(cx) {
            let contacts = spans::joined(contacts, 0);
            self.wish_for_spans(cx, Some(with_contacts(&before, &contacts)));
        }
    }

    /// Puts the span of a joint at a frame somewhere, in the world of the variant; none takes the pin away.
    pub fn pin(&mut self, cx: &mut UiContext, joint: usize, frame: usize, at: Option<Vec3>) {
        if let Some((mut now, _)) = self.looked_at_spans(cx) {
            let is_it = |span: &&mut HeldSpan| span.joint == joint && span.frames.contains(&frame);
            if let Some(span) = now.iter_mut().find(is_it) {
                span.pin = at;
                self.wish_for_spans(cx, Some(now));
            }
        }
    }

    /// Takes all changes by hand back: the takes say again when feet stand.
    pub fn reset_holds(&mut self, cx: &mut UiContext) {
        cx.session.contact = None;
        self.wish_for_spans(cx, None);
    }

    /// What holding does to the looked-at variant; if that is not known, it is found out.
    pub fn standing(&mut self, cx: &mut UiContext) -> Option<Arc<Standing>> {
        let (_, model) = self.chosen_model(cx)?;
        let (_, made) = self.looked_at(cx)?;
        if let Some(standing) = self.holding.of(made) {
            return Some(Arc::clone(standing));
        }
        let (number, recipe, clip) = (made.number?, made.recipe.clone(), Arc::clone(&made.clip));
        let spans = spans_of(made, made.by_hand.as_ref());
        let known = self.known.of(&model)?;
        // As it was drawn is as the network drew it that made it.
        let model = Arc::clone(&made.model);
        if !self.holding.is_looking {
            self.holding.is_looking = self.inbox.look(
                cx,
                "look at feet and hands",
                Shown::Quietly,
                move |_| -> Result<Option<Standing>, Cancelled> {
                    let length = recipe.length(&model);
                    let drawn = model.vary(&recipe.settings(&model), number, length, Hold::None);
                    let takes = known.as_ref().as_ref().map(|known| &known.inputs[..]);
                    let takes = takes.unwrap_or_default();
                    // What could be made held can be made free; if not, there is nothing to tell.
                    Ok(drawn
                        .ok()
                        .map(|drawn| standing(clip, drawn.clip, &spans, takes)))
                },
                |variation, _, seen| {
                    variation.holding.is_looking = false;
                    if let Ok(Some(standing)) = seen {
                        variation.holding.standing = Some(Arc::new(standing));
                    }
                },
            );
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_stay_with_their_spans() {
        let pin = Some(Vec3::new(1.0, 2.0, 3.0));
        let span = |joint, frames, pin| HeldSpan { joint, frames, pin };
        let contact = |joint, frames| Contact { joint, frames };
        let before = [
            span(3, 10..20, pin),
            span(3, 30..40, None),
            span(7, 0..50, None),
        ];
        let after = with_contacts(
            &before,
            &[contact(3, 12..25), contact(3, 28..40), contact(7, 0..50)],
        );
        assert_eq!(after[0].pin, pin, "moved with its end");
        assert_eq!(after[1].pin, None);
        assert_eq!(after[2].pin, None, "another joint");
        let one = with_contacts(&before, &[contact(3, 10..40)]);
        assert_eq!(one[0].pin, pin, "grown together");
        let far = with_contacts(&before, &[contact(3, 21..29)]);
        assert_eq!(far[0].pin, None, "a new one");
    }
}
