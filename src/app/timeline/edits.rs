//! Contacts corrected by hand, each change one step; and what happens when something is let go.

use std::ops::Range;
use std::sync::Arc;

use crate::app::shell::clips::analysis::CONTACTS_BY_HAND;
use crate::app::shell::context::UiContext;
use crate::app::shell::messages::Severity;
use crate::app::shell::requests::Request;
use crate::app::shell::session::ContactPick;
use crate::app::shell::stage::StageId;
use crate::app::timeline::drag::TimelineDrag;
use crate::app::timeline::state::{self, TimelineState};
use crate::document::Command;
use crate::motion::contacts::spans;
use crate::motion::{Clip, ClipError, Contact};
use crate::variation::HeldSpan;

/// The contacts that are shown for a clip: its own, or those that were found.
pub(in crate::app) fn contacts_of(cx: &UiContext, id: StageId, clip: &Arc<Clip>) -> Arc<[Contact]> {
    match cx.analyses.of(id, clip) {
        Some(analysis) => Arc::clone(&analysis.contacts),
        None => clip.contacts().into(),
    }
}

/// Lets go: what was dragged becomes a step.
pub(in crate::app) fn let_go(
    cx: &mut UiContext,
    timeline: &mut TimelineState,
    hold: &TimelineDrag,
) {
    match hold {
        TimelineDrag::Playhead | TimelineDrag::RangeEnd { .. } => {}
        TimelineDrag::Trim { clip, frames, .. } => {
            if let Some(id) = clip.clip() {
                cx.ask(Request::Trim(id, frames.clone()));
            }
        }
        TimelineDrag::Contact {
            clip,
            joint,
            was,
            frames,
            ..
        } => {
            if clip.is_preview() {
                if let Some(contacts) = hold.preview(*clip, &held_contacts(cx)) {
                    timeline.requests.ask(state::Request::HoldDuring(contacts));
                    cx.session.contact = Some(ContactPick {
                        clip: *clip,
                        joint: *joint,
                        frame: frames.start,
                    });
                }
                return;
            }
            let what = if was.is_some() {
                "move contact of"
            } else {
                "add contact to"
            };
            let Some(now) = cx.clip_on_stage(*clip).map(Arc::clone) else {
                return;
            };
            let contacts = contacts_of(cx, *clip, &now);
            if let Some(contacts) = hold.preview(*clip, &contacts) {
                set(cx, *clip, &now, contacts, what);
                cx.session.contact = Some(ContactPick {
                    clip: *clip,
                    joint: *joint,
                    frame: frames.start,
                });
            }
        }
    }
}

/// When feet and hands of the looked-at variant are held.
fn held_contacts(cx: &UiContext) -> Vec<Contact> {
    let holds = cx.looked_at_holds();
    holds.map_or_else(Vec::new, |holds| {
        holds.spans.iter().map(HeldSpan::contact).collect()
    })
}

/// Adds a contact of this joint to the clip, as one undo step.
pub(in crate::app) fn add(
    cx: &mut UiContext,
    timeline: &mut TimelineState,
    id: StageId,
    joint: usize,
    frames: Range<usize>,
) {
    if id.is_preview() {
        let contacts = spans::with(&held_contacts(cx), Contact { joint, frames });
        timeline.requests.ask(state::Request::HoldDuring(contacts));
        return;
    }
    let Some(clip) = cx.clip_on_stage(id).map(Arc::clone) else {
        return;
    };
    let frames = frames.start..frames.end.min(clip.n_frames());
    let contacts = contacts_of(cx, id, &clip);
    let contacts = spans::with(&contacts, Contact { joint, frames });
    set(cx, id, &clip, contacts, "add contact to");
}

/// Takes the clicked contact away; whether there was one.
pub(in crate::app) fn delete_picked(cx: &mut UiContext, timeline: &mut TimelineState) -> bool {
    let Some(pick) = cx.session.contact.take() else {
        return false;
    };
    let is_it = |c: &&Contact| c.joint == pick.joint && c.frames.contains(&pick.frame);
    if pick.clip.is_preview() {
        let contacts = held_contacts(cx);
        if let Some(found) = contacts.iter().find(is_it) {
            let left = spans::without(&contacts, found.joint, &found.frames);
            timeline.requests.ask(state::Request::HoldDuring(left));
        }
        // Whatever was clicked, it was no clip: none must go in its place.
        return true;
    }
    let Some(clip) = cx.clip_on_stage(pick.clip).map(Arc::clone) else {
        return false;
    };
    let contacts = contacts_of(cx, pick.clip, &clip);
    let Some(found) = contacts.iter().find(is_it) else {
        return false;
    };
    let left = spans::without(&contacts, found.joint, &found.frames);
    set(cx, pick.clip, &clip, left, "delete contact of");
    true
}

fn set(cx: &mut UiContext, id: StageId, clip: &Clip, contacts: Vec<Contact>, what: &str) {
    let Some(id) = id.clip() else {
        return;
    };
    match with_contacts(clip, contacts) {
        Ok(clip) => cx.ask(Request::Edit(Command::ReplaceClips {
            what: what.to_owned(),
            clips: vec![(id, Arc::new(clip))],
        })),
        Err(error) => cx.say(Severity::Error, error.to_string()),
    }
}

/// The clip with other contacts, and a word about it in its history.
fn with_contacts(clip: &Clip, contacts: Vec<Contact>) -> Result<Clip, ClipError> {
    let mut changed = clip.clone().with_contacts(contacts)?;
    let history = &mut changed.info.history;
    if !history.iter().any(|done| done == CONTACTS_BY_HAND) {
        history.push(CONTACTS_BY_HAND.to_owned());
    }
    Ok(changed)
}
