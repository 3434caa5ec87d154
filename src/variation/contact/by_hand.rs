//! Feet and hands held where an animator wants them (section 7).
//!
//! The spans say when, and a pin where; without one a limb is held where it comes to rest. The rest is as in
//! [`super::foot_lock`]: the body gives way along the floor and in height, and legs and arms do what is left. Hands and pins are met to the letter, since somebody put them there; feet without pins rather slide for
//! some frames than pop a knee.

use std::ops::Range;

use super::foot_lock::{self, EASE_SECS, Held};
use super::root_follow::body_follows;
use super::root_height::body_settles;
use super::sway::Stance;
use crate::motion::foot_slide;
use crate::motion::limb::{self, HoldPosition, LimbSettings, Limits, limb_of};
use crate::motion::{Body, ChartError, Clip, ClipInfo, Contact, Limb, Site, Vec3};
use crate::variation::clips::ClipModel;
use crate::variation::drawn::Drawn;
use crate::variation::error::LearnError;

/// A stretch during which a foot or hand stays where it is.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldSpan {
    /// An ankle, a toe or a wrist.
    pub joint: usize,
    /// Frames of the variant, the end not included.
    pub frames: Range<usize>,
    /// Where, in the world of the variant; none for where it comes to rest.
    pub pin: Option<Vec3>,
}

impl HeldSpan {
    /// The contact without the place that it is held at.
    pub fn contact(&self) -> Contact {
        Contact {
            joint: self.joint,
            frames: self.frames.clone(),
        }
    }
}

/// The clip of a variant, held during these spans and no others. What lies behind its end is left out: how long a
/// variant is depends on its amount.
pub(in crate::variation) fn hold(
    model: &ClipModel,
    drawn: &Drawn,
    info: ClipInfo,
    spans: &[HeldSpan],
) -> Result<(Clip, Option<Held>), LearnError> {
    let spans = within(spans, drawn.progress.len());
    if spans.is_empty() {
        return Ok((model.clip_of(&drawn.rows, info)?, None));
    }
    let body = Body::of(model.chart().skeleton());
    let contacts: Vec<Contact> = spans.iter().map(HeldSpan::contact).collect();
    let clip = model.clip_of(&drawn.rows, info)?;
    let (gentle, strict) = sorted_out(&clip, &body, &spans);
    // Only feet carry the body along: a hand on a rail does not stop a walk.
    let feet: Vec<Contact> = gentle.iter().map(HeldSpan::contact).collect();
    let feet = Stance::still(&feet);
    let clip = body_follows(clip, &foot_lock::gait(model.chart()), &feet)?;
    let clip = body_settles(clip, model.chart(), &feet)?;
    let settings = LimbSettings {
        ease_secs: EASE_SECS,
        ..LimbSettings::default()
    };
    let holds = holds_of(&clip, &body, &gentle);
    let stood =
        limb::constrain_within_limits(&clip, &holds, &settings, &Limits::default())?.constrained;
    let holds = holds_of(&stood.clip, &body, &strict);
    let made = limb::constrain(&stood.clip, &holds, &LimbSettings::default())?;
    let held = Held {
        n_holds: spans.len(),
        n_misses: stood.misses.len() + made.misses.len(),
    };
    let clip = made.clip.with_contacts(contacts);
    Ok((clip.map_err(ChartError::from)?, Some(held)))
}

/// Legs without pins, which may give way, and limbs that somebody put where they are: all spans of a limb with a pin, and
/// hands, which stand nowhere by themselves.
fn sorted_out(clip: &Clip, body: &Body, spans: &[HeldSpan]) -> (Vec<HeldSpan>, Vec<HeldSpan>) {
    let limb = |span: &HeldSpan| limb_of(clip.skeleton(), body, Site::Joint(span.joint));
    let is_pinned = |of: &Limb| {
        let mut pinned = spans.iter().filter(|span| span.pin.is_some());
        pinned.any(|span| limb(span) == Some(of))
    };
    // What is on no limb at all is refused by the solver, in its own words.
    let may_give_way = |span: &HeldSpan| {
        limb(span).is_none_or(|limb| body.legs.contains(limb) && !is_pinned(limb))
    };
    spans.iter().cloned().partition(may_give_way)
}

/// Holds at the pins, or where limbs come to rest. A foot that stands on ankle and toe is moved as a whole: who pins one of
/// them takes the other along.
fn holds_of(clip: &Clip, body: &Body, spans: &[HeldSpan]) -> Vec<limb::Hold> {
    let contacts: Vec<Contact> = spans.iter().map(HeldSpan::contact).collect();
    let mut holds = foot_slide::holds(clip, &contacts);
    let at_rest: Vec<Vec3> = holds
        .iter()
        .map(|hold| match hold.at {
            HoldPosition::Point(place) => place,
            HoldPosition::Path(ref path) => path.first().copied().unwrap_or_default(),
        })
        .collect();
    let limb = |span: &HeldSpan| limb_of(clip.skeleton(), body, Site::Joint(span.joint));
    let moved = |at: usize| {
        let span = &spans[at];
        let partner = spans.iter().zip(&at_rest).find_map(|(other, rest)| {
            let meets =
                other.frames.start < span.frames.end && span.frames.start < other.frames.end;
            let is_partner = meets && limb(other) == limb(span);
            Some(other.pin.filter(|_| is_partner)? - rest)
        });
        span.pin.or_else(|| Some(at_rest[at] + partner?))
    };
    for (at, hold) in holds.iter_mut().enumerate() {
        if let Some(place) = moved(at) {
            hold.at = HoldPosition::Point(place);
        }
    }
    holds
}

/// Spans by joint and time, as far as the clip goes.
fn within(spans: &[HeldSpan], n_frames: usize) -> Vec<HeldSpan> {
    let mut within: Vec<HeldSpan> = spans
        .iter()
        .map(|span| HeldSpan {
            frames: span.frames.start..span.frames.end.min(n_frames),
            ..span.clone()
        })
        .filter(|span| span.frames.start < span.frames.end)
        .collect();
    within.sort_by_key(|span| (span.joint, span.frames.start));
    within
}
