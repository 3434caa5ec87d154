//! Feet and hands brought to their places after the turns were carried over.
//!
//! Thigh and shin of two bodies are seldom in one proportion, hips are wider or narrower: turns alone put feet beside
//! their footprints and let them slide. First every ankle is brought to the scaled place of the source's, in all frames;
//! then contacts of the source are held at one place each. Knees are found in closed form ([`limb`]).

use super::character::Character;
use super::settings::{Feet, Hands, RetargetSettings};
use super::transfer::Goals;
use crate::motion::contacts::{self, ContactParts, ContactSettings};
use crate::motion::foot_slide::holds_on;
use crate::motion::limb::{self, Hold, HoldPosition, LimbError, LimbSettings, Limits, ReachPolicy};
use crate::motion::{Clip, Contact, Site, Vec3, WorldPose, body};

/// A clip whose feet and hands are where they belong.
pub(super) struct Placed {
    pub clip: Clip,
    /// How far the whole body was moved for feet that were out of reach, at most.
    pub root_moved: f64,
}

pub(super) fn place(
    clip: Clip,
    target: &Character,
    goals: Goals,
    contacts: Vec<Contact>,
    settings: &RetargetSettings,
) -> Result<Placed, LimbError> {
    let body = target.labels().body(clip.skeleton().n_joints());
    let n_frames = clip.n_frames();
    let whole = |joint: usize, path: Vec<Vec3>| Hold {
        site: Site::Joint(joint),
        frames: 0..n_frames,
        at: HoldPosition::Path(path),
    };
    let mut holds = Vec::new();
    if settings.feet == Feet::Lock {
        let ankles = target.labels().legs.iter().zip(goals.ankles);
        holds.extend(ankles.map(|(leg, path)| whole(leg.end, path)));
    }
    if settings.hands == Hands::Lock {
        let wrists = target.labels().arms.iter().flatten().zip(goals.wrists);
        let wrists = wrists.filter(|(_, path)| path.len() == n_frames);
        holds.extend(wrists.map(|(arm, path)| whole(arm.end, path)));
    }
    let stay = LimbSettings {
        reach: ReachPolicy::Report,
        ..LimbSettings::default()
    };
    let mut made = clip;
    if !holds.is_empty() {
        made = limb::constrain_on(&made, &body, &holds, &stay)?.clip;
    }
    let mut root_moved = 0.0;
    if settings.feet == Feet::Lock && !contacts.is_empty() {
        let holds = holds_on(&made, &body, &contacts);
        let lock = |settings: &LimbSettings| {
            limb::constrain_within_limits_on(&made, &body, &holds, settings, &Limits::default())
        };
        let mut locked = lock(&stay)?.constrained;
        // Hips that sink by millimetres bend a straight knee by centimetres: they follow only where feet of the source
        // slide so far that legs cannot hold them.
        if !locked.misses.is_empty() {
            locked = lock(&LimbSettings::default())?.constrained;
        }
        made = locked.clip.with_contacts(contacts)?;
        root_moved = locked.root_moved;
    }
    Ok(Placed {
        clip: made,
        root_moved,
    })
}

/// A contact of the source, and the same on the target.
pub(super) struct ContactPair {
    pub source: Contact,
    pub target: Contact,
}

/// The contacts of a clip's feet that the target has joints for: its own, or what is found in it.
pub(super) fn contacts_of(clip: &Clip, source: &Character, target: &Character) -> Vec<ContactPair> {
    let body = source.labels().body(clip.skeleton().n_joints());
    let settings = ContactSettings {
        parts: ContactParts::Feet,
        ..ContactSettings::default()
    };
    let found = if clip.contacts().is_empty() {
        // Every leg has an ankle, so there is always something to look at.
        let found = contacts::detect_on(clip, &body, &settings)
            .map_or_else(|_| Vec::new(), |found| found.contacts);
        found
            .into_iter()
            .map(|one| while_still(clip, one))
            .collect()
    } else {
        clip.contacts().to_vec()
    };
    let legs = source.labels().legs.iter().zip(&target.labels().legs);
    let pairs: Vec<(usize, Option<usize>)> = legs
        .flat_map(|(from, to)| [(Some(from.end), Some(to.end)), (from.toe, to.toe)])
        .filter_map(|(from, to)| Some((from?, to)))
        .collect();
    let on_target = |contact: Contact| {
        let pair = pairs.iter().find(|(from, _)| *from == contact.joint)?;
        Some(ContactPair {
            target: Contact {
                joint: pair.1?,
                frames: contact.frames.clone(),
            },
            source: contact,
        })
    };
    found.into_iter().filter_map(on_target).collect()
}

/// Slower than this a foot does not move: body heights a second. A captured foot always does.
const STILL: f64 = 1e-3;
/// A foot that was locked is still for at least this share of the contact that is found.
const LEAST_STILL: f64 = 0.5;

/// The frames of a contact in which the foot was locked before, if it was. Files do not say when feet were locked, and
/// what is found in them is some frames longer, in which feet come and go: locked as well, they would bend the knees of
/// a clip a little more each time that it is brought somewhere.
fn while_still(clip: &Clip, contact: Contact) -> Contact {
    let (skeleton, up) = (clip.skeleton(), clip.info.up);
    let chain = skeleton.with_ancestors([contact.joint]);
    let mut world = WorldPose::of(skeleton, clip.frame(contact.frames.start));
    let most = STILL * body::height(clip) * clip.frame_secs();
    let mut longest = 0..0;
    let mut run = contact.frames.start..contact.frames.start;
    let mut before = world.positions[contact.joint];
    for frame in contact.frames.clone().skip(1) {
        world.update_some(skeleton, clip.frame(frame), &chain);
        let step = world.positions[contact.joint] - before;
        before = world.positions[contact.joint];
        let is_still = (step - up.vector() * up.along(&step)).norm() <= most;
        run = if is_still {
            run.start..frame + 1
        } else {
            frame..frame
        };
        if run.len() > longest.len() {
            longest = run.clone();
        }
    }
    if (longest.len() as f64) < LEAST_STILL * contact.frames.len() as f64 {
        return contact;
    }
    Contact {
        frames: longest,
        ..contact
    }
}
