//! Contacts corrected by hand, each change one step; and what happens when something is let go.

use std::ops::Range;
use std::sync::Arc;

use crate::app::shell::clips::facts::CONTACTS_BY_HAND;
use crate::app::shell::messages::Severity;
use crate::app::shell::previews::is_far;
use crate::app::shell::session::ContactPick;
use crate::app::shell::studio::{Request, Studio};
use crate::app::timeline::drag::Hold;
use crate::document::{ClipId, Command};
use crate::motion::contacts::spans;
use crate::motion::{Clip, ClipError, Contact};
use crate::variation::HeldSpan;

/// The contacts that are shown for a clip: its own, or those that were found.
pub(in crate::app) fn contacts_of(studio: &Studio, id: ClipId, clip: &Arc<Clip>) -> Arc<[Contact]> {
    match studio.facts.of(id, clip) {
        Some(facts) => Arc::clone(&facts.contacts),
        None => clip.contacts().into(),
    }
}

/// Lets go: what was dragged becomes a step.
pub(in crate::app) fn let_go(studio: &mut Studio, hold: &Hold) {
    match hold {
        Hold::Playhead | Hold::RangeEnd { .. } => {}
        Hold::Trim { clip, frames, .. } => {
            studio.ask(Request::Trim(*clip, frames.clone()));
        }
        Hold::Contact {
            clip,
            joint,
            was,
            frames,
            ..
        } => {
            if is_far(*clip) {
                if let Some(contacts) = hold.preview(*clip, &held_contacts(studio)) {
                    studio.hold_during(&contacts);
                    studio.session.contact = Some(ContactPick {
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
            let Some(now) = studio.document().clip(*clip).map(Arc::clone) else {
                return;
            };
            let contacts = contacts_of(studio, *clip, &now);
            if let Some(contacts) = hold.preview(*clip, &contacts) {
                set(studio, *clip, &now, contacts, what);
                studio.session.contact = Some(ContactPick {
                    clip: *clip,
                    joint: *joint,
                    frame: frames.start,
                });
            }
        }
    }
}

/// When feet and hands of the looked-at variant are held.
fn held_contacts(studio: &Studio) -> Vec<Contact> {
    let spans = studio
        .looked_at_spans()
        .map_or_else(Vec::new, |(spans, _)| spans);
    spans.iter().map(HeldSpan::contact).collect()
}

/// One contact more.
pub(in crate::app) fn add(studio: &mut Studio, id: ClipId, joint: usize, frames: Range<usize>) {
    if is_far(id) {
        let contacts = spans::with(&held_contacts(studio), Contact { joint, frames });
        studio.hold_during(&contacts);
        return;
    }
    let Some(clip) = studio.document().clip(id).map(Arc::clone) else {
        return;
    };
    let frames = frames.start..frames.end.min(clip.n_frames());
    let contacts = contacts_of(studio, id, &clip);
    let contacts = spans::with(&contacts, Contact { joint, frames });
    set(studio, id, &clip, contacts, "add contact to");
}

/// Takes the clicked contact away; whether there was one.
pub(in crate::app) fn delete_picked(studio: &mut Studio) -> bool {
    let Some(pick) = studio.session.contact.take() else {
        return false;
    };
    let is_it = |c: &&Contact| c.joint == pick.joint && c.frames.contains(&pick.frame);
    if is_far(pick.clip) {
        let contacts = held_contacts(studio);
        if let Some(found) = contacts.iter().find(is_it) {
            let left = spans::without(&contacts, found.joint, &found.frames);
            studio.hold_during(&left);
        }
        // Whatever was clicked, it was no clip: none must go in its place.
        return true;
    }
    let Some(clip) = studio.document().clip(pick.clip).map(Arc::clone) else {
        return false;
    };
    let contacts = contacts_of(studio, pick.clip, &clip);
    let Some(found) = contacts.iter().find(is_it) else {
        return false;
    };
    let left = spans::without(&contacts, found.joint, &found.frames);
    set(studio, pick.clip, &clip, left, "delete contact of");
    true
}

fn set(studio: &mut Studio, id: ClipId, clip: &Clip, contacts: Vec<Contact>, what: &str) {
    match with_contacts(clip, contacts) {
        Ok(clip) => studio.ask(Request::Edit(Command::ReplaceClips {
            what: what.to_owned(),
            clips: vec![(id, Arc::new(clip))],
        })),
        Err(error) => studio.say(Severity::Error, error.to_string()),
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
