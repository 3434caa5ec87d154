//! What the window needs to know about a clip to show it, found out in the background.
//!
//! A cache: keyed by the clip it came from, and it may be dropped at any time.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::{Delivery, Shown};
use crate::app::studio::Studio;
use crate::app::viewport::Mannequin;
use crate::document::ClipId;
use crate::jobs::{Cancelled, Ticket};
use crate::motion::contacts::{ContactSettings, detect};
use crate::motion::{Clip, Contact, HeadingFrame, Skeleton, edit};

/// What was found out about a clip.
#[derive(Debug, Clone)]
pub struct Facts {
    /// Its body; shared by clips of one skeleton.
    pub mannequin: Arc<Mannequin>,
    /// Height of the floor in the clip's units.
    pub floor: f64,
    /// Where it faces at the start.
    pub heading_rad: f64,
    /// The joint that carries the body over the floor.
    pub root: usize,
    /// The clip's own contacts, or those that were found.
    pub contacts: Arc<[Contact]>,
}

type Body = (Arc<Skeleton>, Arc<Mannequin>);

/// All that was found out.
#[derive(Debug, Default)]
pub struct FactsCache {
    known: BTreeMap<ClipId, (Arc<Clip>, Arc<Facts>)>,
    bodies: Vec<Body>,
    is_looking: bool,
}

impl FactsCache {
    /// How many clips are looked at and kept; more than fit on a screen.
    const MOST: usize = 256;

    /// What is known of this clip, which has to be the same as when it was looked at.
    pub fn of(&self, id: ClipId, clip: &Arc<Clip>) -> Option<&Arc<Facts>> {
        let (seen, facts) = self.known.get(&id)?;
        Arc::ptr_eq(seen, clip).then_some(facts)
    }
}

impl Studio {
    /// Finds out about the selected clips what is not known yet.
    pub fn look_at_selection(&mut self) {
        if self.facts.is_looking {
            return;
        }
        let mut wanted = self.on_stage();
        wanted.retain(|(id, clip)| self.facts.of(*id, clip).is_none());
        if wanted.is_empty() {
            return;
        }
        if self.facts.known.len() + wanted.len() > FactsCache::MOST {
            self.facts = FactsCache::default();
        }
        self.facts.is_looking = true;
        let bodies = self.facts.bodies.clone();
        self.start("look at clips", Shown::Quietly, move |ticket| {
            Ok(found_out(wanted, bodies, ticket))
        });
    }
}

fn found_out(wanted: Vec<(ClipId, Arc<Clip>)>, bodies: Vec<Body>, ticket: &Ticket) -> Delivery {
    // A panic over one odd clip must not stop the cache from ever looking again.
    let looked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        look(&wanted, bodies, ticket)
    }));
    Box::new(move |studio| {
        studio.facts.is_looking = false;
        match looked {
            Ok(Ok((found, bodies))) => {
                studio.facts.known.extend(found);
                studio.facts.bodies = bodies;
            }
            Ok(Err(Cancelled)) => {}
            Err(_) => {
                let names: Vec<&str> = wanted.iter().map(|(_, c)| c.info.name.as_str()).collect();
                studio.session.selection.clear();
                studio.session.active = None;
                studio.say(
                    crate::app::messages::Severity::Error,
                    format!("cannot be shown, please report this: {}", names.join(", ")),
                );
            }
        }
    })
}

type Found = Vec<(ClipId, (Arc<Clip>, Arc<Facts>))>;

fn look(
    wanted: &[(ClipId, Arc<Clip>)],
    mut bodies: Vec<Body>,
    ticket: &Ticket,
) -> Result<(Found, Vec<Body>), Cancelled> {
    let mut with_bodies = Vec::with_capacity(wanted.len());
    for (id, clip) in wanted {
        ticket.check()?;
        let skeleton = clip.skeleton();
        let same = |(known, _): &&Body| Arc::ptr_eq(known, skeleton) || known == skeleton;
        let known = bodies.iter().find(same).map(|(_, body)| Arc::clone(body));
        let body = known.unwrap_or_else(|| {
            let mannequin = Arc::new(Mannequin::of(clip));
            bodies.push((Arc::clone(skeleton), Arc::clone(&mannequin)));
            mannequin
        });
        with_bodies.push((*id, clip, body));
    }
    let found = with_bodies
        .into_par_iter()
        .map(|(id, clip, mannequin)| {
            ticket.check()?;
            Ok((id, (Arc::clone(clip), Arc::new(facts(clip, mannequin)))))
        })
        .collect::<Result<Found, Cancelled>>()?;
    Ok((found, bodies))
}

fn facts(clip: &Clip, mannequin: Arc<Mannequin>) -> Facts {
    let heading = HeadingFrame::learn(&[clip]);
    let contacts: Arc<[Contact]> = if clip.contacts().is_empty() {
        // A body without feet has none; that is no news for the animator.
        detect(clip, &ContactSettings::default())
            .map(|found| found.contacts)
            .unwrap_or_default()
            .into()
    } else {
        clip.contacts().into()
    };
    Facts {
        mannequin,
        floor: edit::find_floor(clip).height,
        heading_rad: heading.track(clip).headings.first().copied().unwrap_or(0.0),
        root: crate::motion::heading::body_root(&[clip]),
        contacts,
    }
}
