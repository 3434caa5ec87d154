//! Feet and hands that stay where they stand (section 7).
//!
//! When a foot stands is known from the takes: at each moment of a variant the takes vote at equal progress. That is
//! surer than looking at the variant itself, whose feet slide before they are held.
//!
//! Most of that slide is not the legs' doing: a variant's path over the floor is drawn beside its poses and does not quite
//! agree with them. So the path gives way first: the whole body is moved along the floor until what stands hardly slides,
//! which leaves every pose as it was drawn. Legs do the rest in [`crate::motion::foot_slide`]: exactly, unless a knee
//! would pop. As in Eq. (7) of the paper, legs and arms that are held start from what the network expected rather than
//! from what was drawn. Moving the path is not in the paper.

use std::sync::Arc;

use super::clips::{ClipModel, Drawn};
use super::course::Course;
use super::error::LearnError;
use super::examples::Examples;
use crate::motion::contacts::{self, ContactSettings, Parts, spans};
use crate::motion::foot_slide::{self, FootSlideSettings};
use crate::motion::{Body, Clip, ClipInfo, Contact, Limb, Skeleton, Vec3, WorldPose, body};

/// Which limbs are held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Hold {
    /// None: the motion as it was drawn.
    None,
    /// Feet only.
    #[default]
    Feet,
    /// Hands only.
    Hands,
    /// Both.
    FeetAndHands,
}

/// What became of the holds of a variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// How many there were.
    pub n_holds: usize,
    /// Frames at which a limb is not where it is held.
    pub n_misses: usize,
}

/// A foot that moves faster than this, in body heights a second, does not stand, whatever the takes say: the variant is
/// ahead of them, or behind. Holding it would drag a leg along.
const FASTEST: f64 = 0.6;
/// A limb that most takes have down, for at least so long, is held.
const SHORTEST_SECS: f64 = 0.05;

/// Feet of the takes that are slower than this stand, heels as well as toes. Body heights a second. More than
/// [`ContactSettings`] allows, which ask for feet that could be held as they are: in jumping jacks feet are down for a
/// moment only and never quite still, yet in a variant they must not slide more than that.
const SLIDING_SPEED: f64 = 0.2;
/// How the body follows is smoothed over this time, so that it does not shake with every frame of a foot.
const FOLLOW_SECS: f64 = 0.05;
/// Of several feet that are down the body follows the stiller one; those below this speed, in body heights a second,
/// count about alike.
const STILL: f64 = 0.05;
/// Time for legs to come to a hold and to leave it. Longer fades change more of the poses between holds.
pub(super) const EASE_SECS: f64 = 0.15;
/// Time for limbs to come to what the network expected, and to leave it.
const EXPECT_SECS: f64 = 0.25;

/// When feet and hands stand, in every take.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Footing {
    /// By take, frames at the model's rate.
    pub takes: Vec<Vec<Contact>>,
}

impl Footing {
    /// Contacts of the clips, or where they have none what can be found. Bodies without feet have no footing.
    pub(super) fn learn(clips: &[&Clip]) -> Self {
        let settings = ContactSettings {
            parts: Parts::FeetAndHands,
            foot_speed: SLIDING_SPEED,
            heel_share: 1.0,
            ..ContactSettings::default()
        };
        let of = |clip: &&Clip| {
            if !clip.contacts().is_empty() {
                return clip.contacts().to_vec();
            }
            // Skeletons without limbs cannot be held; that is no reason not to vary them.
            contacts::detect(clip, &settings).map_or_else(|_| Vec::new(), |found| found.contacts)
        };
        Self {
            takes: clips.iter().map(of).collect(),
        }
    }

    /// Refuses contacts outside the takes.
    pub(super) fn check(&self, examples: &Examples, skeleton: &Skeleton) -> Result<(), LearnError> {
        let fits = self.takes.len() == examples.n_takes()
            && self.takes.iter().enumerate().all(|(take, contacts)| {
                contacts.iter().all(|c| {
                    c.joint < skeleton.n_joints()
                        && c.frames.start < c.frames.end
                        && c.frames.end <= examples.take_frames(take)
                })
            });
        if fits {
            Ok(())
        } else {
            Err(LearnError::Structure(
                "contacts lie outside the takes".to_owned(),
            ))
        }
    }

    /// Joints that most takes have down at this progress.
    fn down_at(&self, examples: &Examples, progress: f64, joints: &[usize]) -> Vec<bool> {
        let progress = match examples.course() {
            Course::Around => progress.rem_euclid(1.0),
            Course::Through | Course::Free => progress,
        };
        let frames: Vec<usize> = examples
            .takes
            .iter()
            .map(|rows| {
                let after = rows
                    .clone()
                    .take_while(|&r| examples.progress.of(r) < progress);
                after.count().min(rows.len() - 1)
            })
            .collect();
        let is_down = |joint: usize| {
            let votes = self.takes.iter().zip(&frames);
            let yes = votes.filter(|(contacts, frame)| spans::is_down(contacts, joint, **frame));
            2 * yes.count() > frames.len()
        };
        joints.iter().map(|&joint| is_down(joint)).collect()
    }

    /// The contacts of a variant, as the takes vote for them.
    fn contacts(&self, examples: &Examples, progress: &[f64], joints: &[usize]) -> Vec<Contact> {
        let mut open: Vec<Option<usize>> = vec![None; joints.len()];
        let mut found = Vec::new();
        for (frame, &progress) in progress.iter().enumerate() {
            let down = self.down_at(examples, progress, joints);
            for (at, voted) in down.into_iter().enumerate() {
                match (open[at], voted) {
                    (None, true) => open[at] = Some(frame),
                    (Some(start), false) => {
                        found.push((joints[at], start..frame));
                        open[at] = None;
                    }
                    _ => {}
                }
            }
        }
        for (at, start) in open.into_iter().enumerate() {
            if let Some(start) = start {
                found.push((joints[at], start..progress.len()));
            }
        }
        let all: Vec<Contact> = found
            .into_iter()
            .map(|(joint, frames)| Contact { joint, frames })
            .collect();
        let shortest = (SHORTEST_SECS / examples.frame_secs()).round() as usize;
        spans::without_short(&spans::joined(&all, 2), shortest.max(2))
    }
}

/// The clip of a variant, its feet and hands held as wanted.
pub(super) fn hold(
    model: &ClipModel,
    drawn: &Drawn,
    info: ClipInfo,
    hold: Hold,
) -> Result<(Clip, Option<Held>), LearnError> {
    let examples = model.model().examples();
    let body = Body::of(model.chart().skeleton());
    let limbs: Vec<&Limb> = match hold {
        Hold::None => Vec::new(),
        Hold::Feet => body.legs.iter().collect(),
        Hold::Hands => body.arms.iter().collect(),
        Hold::FeetAndHands => body.legs.iter().chain(&body.arms).collect(),
    };
    // Without progress the takes cannot vote; and without limbs there is nothing to hold.
    if limbs.is_empty() || examples.course() == Course::Free {
        return Ok((model.clip_of(drawn, &drawn.rows, info)?, None));
    }
    let ends = |limb: &Limb| [Some(limb.end), limb.toe];
    let joints: Vec<usize> = limbs.iter().flat_map(|l| ends(l)).flatten().collect();
    let voted = model.footing().contacts(examples, &drawn.progress, &joints);
    let clip = model.clip_of(drawn, &drawn.rows, info.clone())?;
    if voted.is_empty() {
        return Ok((clip, None));
    }
    // Whether a foot is slow shows only once the drift of the whole body is gone.
    let contacts = while_slow(&body_follows(clip, &voted)?, voted);
    let rows = near_expected(model, drawn, &limbs, &contacts);
    let clip = model.clip_of(drawn, &rows, info)?;
    if contacts.is_empty() {
        return Ok((clip, None));
    }
    let clip = body_follows(clip, &contacts)?
        .with_contacts(contacts)
        .map_err(crate::motion::ChartError::from)?;
    let mut settings = FootSlideSettings::default();
    settings.limbs.ease_secs = EASE_SECS;
    let cleaned = foot_slide::remove(&clip, &settings)?;
    let held = Held {
        n_holds: cleaned.holds.len(),
        n_misses: cleaned.misses.len(),
    };
    Ok((cleaned.clip, Some(held)))
}

/// The clip with its whole body moved along the floor so that what stands hardly slides. A variant's path is drawn
/// apart from its legs, so the two do not quite agree; the legs are what the takes look like, so the path gives way.
pub(super) fn body_follows(clip: Clip, contacts: &[Contact]) -> Result<Clip, LearnError> {
    let shifts = shifts(&clip, contacts);
    let (info, skeleton) = (clip.info.clone(), Arc::clone(clip.skeleton()));
    let n = skeleton.translating().len();
    let mut motion = clip.into_motion();
    for (row, shift) in motion.translations.chunks_exact_mut(n).zip(shifts) {
        row[0] += shift;
    }
    Ok(Clip::new(info, skeleton, motion).map_err(crate::motion::ChartError::from)?)
}

/// How far the body is moved at each frame: against the slide of what stands, fading out where nothing does.
fn shifts(clip: &Clip, contacts: &[Contact]) -> Vec<Vec3> {
    let slides = slides(clip, contacts);
    let spread = FOLLOW_SECS / clip.frame_secs();
    let reach = (3.0 * spread).ceil() as usize;
    let weights: Vec<f64> = (0..=reach)
        .map(|away| (-0.5 * (away as f64 / spread).powi(2)).exp())
        .collect();
    let mut shift = Vec3::zeros();
    let mut shifts = Vec::with_capacity(slides.len());
    for frame in 0..slides.len() {
        let (mut sum, mut standing, mut all) = (Vec3::zeros(), 0.0, 0.0);
        for near in frame.saturating_sub(reach)..(frame + reach + 1).min(slides.len()) {
            let weight = weights[near.abs_diff(frame)];
            all += weight;
            if let Some(slide) = slides[near] {
                sum += slide * weight;
                standing += weight;
            }
        }
        if standing > 0.0 {
            let share = (2.0 * standing / all).min(1.0);
            shift -= sum / standing * (share * share * (3.0 - 2.0 * share));
        }
        shifts.push(shift);
    }
    shifts
}

/// By frame, how far what stands slid over the floor since the frame before.
fn slides(clip: &Clip, contacts: &[Contact]) -> Vec<Option<Vec3>> {
    let up = clip.info.up;
    let still = STILL * body::height(clip) * clip.frame_secs();
    let mut world = WorldPose::of(clip.skeleton(), clip.frame(0));
    let mut last = world.positions.clone();
    let mut slides = Vec::with_capacity(clip.n_frames());
    for (frame, pose) in clip.frames().enumerate() {
        world.update(clip.skeleton(), pose);
        let (mut sum, mut weights) = (Vec3::zeros(), 0.0);
        let stands = |c: &&Contact| frame > c.frames.start && c.frames.contains(&frame);
        for contact in contacts.iter().filter(stands) {
            let step = world.positions[contact.joint] - last[contact.joint];
            let slide = step - up.vector() * up.along(&step);
            let weight = 1.0 / (1.0 + (slide.norm() / still).powi(2));
            sum += slide * weight;
            weights += weight;
        }
        slides.push((weights > 0.0).then(|| sum / weights));
        last.clone_from(&world.positions);
    }
    slides
}

/// Contacts from their first frame slower than [`FASTEST`] to their last. What is faster in between is drift, not a step,
/// for most takes stand there: a contact in pieces would be held at several places, with a jolt from each to the next.
fn while_slow(clip: &Clip, contacts: Vec<Contact>) -> Vec<Contact> {
    let limit = FASTEST * body::height(clip) * clip.frame_secs();
    let mut slow: Vec<Option<(usize, usize)>> = vec![None; contacts.len()];
    let mut world = WorldPose::of(clip.skeleton(), clip.frame(0));
    let mut last = world.positions.clone();
    for (frame, pose) in clip.frames().enumerate() {
        world.update(clip.skeleton(), pose);
        for (slow, contact) in slow.iter_mut().zip(&contacts) {
            let step = world.positions[contact.joint] - last[contact.joint];
            if contact.frames.contains(&frame) && step.norm() <= limit {
                *slow = Some((slow.map_or(frame, |(first, _)| first), frame + 1));
            }
        }
        last.clone_from(&world.positions);
    }
    let trimmed = contacts
        .into_iter()
        .zip(slow)
        .filter_map(|(contact, slow)| {
            let (start, end) = slow?;
            Some(Contact {
                joint: contact.joint,
                frames: start..end,
            })
        });
    spans::without_short(&trimmed.collect::<Vec<_>>(), 2)
}

/// The rows of a variant, with what the network expected for limbs while they are held.
pub(super) fn near_expected(
    model: &ClipModel,
    drawn: &Drawn,
    limbs: &[&Limb],
    contacts: &[Contact],
) -> Vec<f64> {
    let n = model.chart().n_dofs();
    // Coming and going in time: a switch from one to the other would be a jolt.
    let ease = (EXPECT_SECS / model.model().examples().frame_secs()).ceil();
    let mut rows = drawn.rows.clone();
    for limb in limbs {
        let joints = [limb.upper, limb.middle, limb.end];
        let of_limb = |c: &&Contact| c.joint == limb.end || Some(c.joint) == limb.toe;
        let dofs: Vec<usize> = (0..n)
            .filter(|&dof| joints.contains(&model.chart().dofs()[dof].joint))
            .collect();
        let mut shares = vec![0.0_f64; drawn.progress.len()];
        for contact in contacts.iter().filter(of_limb) {
            for (frame, share) in shares.iter_mut().enumerate() {
                let away = contact
                    .frames
                    .start
                    .saturating_sub(frame)
                    .max((frame + 1).saturating_sub(contact.frames.end));
                let left = (1.0 - away as f64 / (ease + 1.0)).max(0.0);
                *share = share.max(left * left * (3.0 - 2.0 * left));
            }
        }
        for (frame, share) in shares.into_iter().enumerate() {
            for &dof in &dofs {
                let at = frame * n + dof;
                rows[at] += share * (drawn.expected[at] - rows[at]);
            }
        }
    }
    rows
}
