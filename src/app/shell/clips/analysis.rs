//! What the window needs to know about a clip to show it, found out in the background.
//!
//! A cache: keyed by the clip it came from, and it may be dropped at any time.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::render::Mannequin;
use crate::app::shell::stage::StageId;
use crate::motion::contacts::{ContactSettings, detect};
use crate::motion::{Body, Clip, Contact, HeadingFrame, Skeleton, edit};

/// In the history of a clip whose contacts were corrected: then none means none, and none are looked for.
pub const CONTACTS_BY_HAND: &str = "contacts corrected by hand";

/// What was found out about a clip.
#[derive(Debug, Clone)]
pub struct ClipAnalysis {
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
    /// Joints that may touch the floor: heels and toes.
    pub feet: Arc<[usize]>,
    /// The joints of the wrists.
    pub hands: Arc<[usize]>,
    /// The head, if it has one.
    pub head: Option<usize>,
}

pub(super) type Body3d = (Arc<Skeleton>, Arc<Mannequin>);

/// All that was found out.
#[derive(Debug, Default)]
pub struct AnalysisCache {
    pub(super) known: BTreeMap<StageId, (Arc<Clip>, Arc<ClipAnalysis>)>,
    pub(super) bodies: Vec<Body3d>,
    pub(super) is_looking: bool,
}

impl AnalysisCache {
    /// How many clips are looked at and kept; more than fit on a screen.
    pub(super) const MOST: usize = 256;

    /// Whether something is being looked at.
    pub const fn is_looking(&self) -> bool {
        self.is_looking
    }

    /// What is known of this clip, which has to be the same as when it was looked at.
    pub fn of(&self, id: impl Into<StageId>, clip: &Arc<Clip>) -> Option<&Arc<ClipAnalysis>> {
        let (seen, analysis) = self.known.get(&id.into())?;
        Arc::ptr_eq(seen, clip).then_some(analysis)
    }

    /// Enough to draw it: what was known before the last edit does until the new clip is looked at, so that a
    /// character does not vanish while its clip is trimmed.
    pub fn to_draw(&self, id: impl Into<StageId>, clip: &Clip) -> Option<&Arc<ClipAnalysis>> {
        let (seen, analysis) = self.known.get(&id.into())?;
        Arc::ptr_eq(seen.skeleton(), clip.skeleton()).then_some(analysis)
    }

    /// After an edit of names, tags or contacts the rest is still true: no need to look again. Whether that was so.
    pub(super) fn carry_over(&mut self, id: StageId, clip: &Arc<Clip>) -> bool {
        let Some((seen, analysis)) = self.known.get_mut(&id) else {
            return false;
        };
        if !(is_one_motion(seen, clip) && seen.info.up == clip.info.up) {
            return false;
        }
        let contacts = own_contacts(clip);
        if contacts.is_none() && own_contacts(seen).is_some() {
            return false;
        }
        let known = ClipAnalysis {
            contacts: contacts.unwrap_or_else(|| Arc::clone(&analysis.contacts)),
            ..ClipAnalysis::clone(analysis)
        };
        *analysis = Arc::new(known);
        *seen = Arc::clone(clip);
        true
    }
}

/// Whether both hold one and the same motion, as clips made from one another by renaming do. Looks at no number.
pub(in crate::app) fn is_one_motion(a: &Clip, b: &Clip) -> bool {
    std::ptr::eq(a.motion(), b.motion()) && Arc::ptr_eq(a.skeleton(), b.skeleton())
}

/// Contacts that the clip itself has, or that were all taken away by hand.
fn own_contacts(clip: &Clip) -> Option<Arc<[Contact]>> {
    let is_own = !clip.contacts().is_empty()
        || clip
            .info
            .history
            .iter()
            .any(|done| done == CONTACTS_BY_HAND);
    is_own.then(|| clip.contacts().into())
}

pub(super) fn analysed(clip: &Clip, mannequin: Arc<Mannequin>) -> ClipAnalysis {
    let heading = HeadingFrame::learn(&[clip]);
    let contacts = own_contacts(clip).unwrap_or_else(|| {
        // A body without feet has none; that is no news for the animator.
        let found = detect(clip, &ContactSettings::default()).map(|found| found.contacts);
        found.unwrap_or_default().into()
    });
    let body = Body::of(clip.skeleton());
    let mut feet: Vec<usize> = body.foot_joints().collect();
    feet.sort_unstable();
    feet.dedup();
    ClipAnalysis {
        mannequin,
        floor: edit::find_floor(clip).height,
        heading_rad: heading.track(clip).headings.first().copied().unwrap_or(0.0),
        root: crate::motion::heading::body_root(&[clip]),
        contacts,
        feet: feet.into(),
        hands: body.arms.iter().map(|arm| arm.end).collect(),
        head: body.head,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::shell::clips::analyse::look;
    use crate::demo::{Action, make};
    use crate::document::ClipId;
    use crate::jobs::Ticket;

    #[test]
    fn a_new_name_needs_no_new_look_and_contacts_taken_away_stay_away() {
        let clip = Arc::new(make(Action::Walk, 1, 0).clip);
        let id = StageId::Clip(ClipId(1));
        let ticket = Ticket::default();
        let (found, bodies) = look(&[(id, Arc::clone(&clip))], Vec::new(), &ticket).unwrap();
        let mut cache = AnalysisCache {
            known: found.into_iter().collect(),
            bodies,
            is_looking: false,
        };
        let was = Arc::clone(cache.of(id, &clip).unwrap());
        assert!(!was.contacts.is_empty(), "a walk has contacts");
        let mut renamed = Clip::clone(&clip);
        renamed.info.name = "other".to_owned();
        let renamed = Arc::new(renamed);
        assert!(cache.of(id, &renamed).is_none(), "another clip");
        assert!(cache.carry_over(id, &renamed), "of the same motion");
        assert_eq!(cache.of(id, &renamed).unwrap().contacts, was.contacts);
        let mut bare = Clip::clone(&clip).with_contacts(Vec::new()).unwrap();
        bare.info.history.push(CONTACTS_BY_HAND.to_owned());
        let bare = Arc::new(bare);
        assert!(cache.carry_over(id, &bare), "of the same motion");
        assert!(
            cache.of(id, &bare).unwrap().contacts.is_empty(),
            "none means none"
        );
        let trimmed = Arc::new(edit::trim(&clip, 5..20).unwrap());
        assert!(!cache.carry_over(id, &trimmed), "another motion");
        assert!(cache.to_draw(id, &trimmed).is_some(), "it can be drawn");
    }
}
