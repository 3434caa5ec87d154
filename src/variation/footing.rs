//! Feet and hands that stay where they stand (section 7).
//!
//! When a foot stands is known from the takes: at each moment of a variant the takes vote at equal progress. That is
//! surer than looking at the variant itself, whose feet slide before they are held. How the holds are met is
//! [`crate::motion::foot_slide`]: exactly, unless a knee would pop. As in Eq. (7) of the paper, legs and arms that are held
//! start from what the network expected rather than from what was drawn.

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

    /// The contacts of a variant: where takes vote for them and the variant's own joint is slow enough to mean it.
    fn contacts(
        &self,
        examples: &Examples,
        progress: &[f64],
        joints: &[usize],
        is_slow: impl Fn(usize, usize) -> bool,
    ) -> Vec<Contact> {
        let mut open: Vec<Option<usize>> = vec![None; joints.len()];
        let mut found = Vec::new();
        for (frame, &progress) in progress.iter().enumerate() {
            let down = self.down_at(examples, progress, joints);
            for (at, voted) in down.into_iter().enumerate() {
                match (open[at], voted && is_slow(frame, at)) {
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
    let is_slow = slow_frames(&model.clip_of(drawn, &drawn.rows, info.clone())?, &joints);
    let contacts = model
        .footing()
        .contacts(examples, &drawn.progress, &joints, |frame, at| {
            is_slow[frame * joints.len() + at]
        });
    let rows = near_expected(model, drawn, &limbs, &contacts);
    let clip = model.clip_of(drawn, &rows, info)?;
    if contacts.is_empty() {
        return Ok((clip, None));
    }
    let clip = clip
        .with_contacts(contacts)
        .map_err(crate::motion::ChartError::from)?;
    let cleaned = foot_slide::remove(&clip, &FootSlideSettings::default())?;
    let held = Held {
        n_holds: cleaned.holds.len(),
        n_misses: cleaned.misses.len(),
    };
    Ok((cleaned.clip, Some(held)))
}

/// By frame and joint, whether it moves slower than [`FASTEST`].
fn slow_frames(clip: &Clip, joints: &[usize]) -> Vec<bool> {
    let limit = FASTEST * body::height(clip) * clip.frame_secs();
    let mut world = WorldPose::of(clip.skeleton(), clip.frame(0));
    let mut last: Vec<Vec3> = joints.iter().map(|&j| world.positions[j]).collect();
    let mut slow = Vec::with_capacity(joints.len() * clip.n_frames());
    for pose in clip.frames() {
        world.update(clip.skeleton(), pose);
        for (&joint, last) in joints.iter().zip(&mut last) {
            let now = world.positions[joint];
            slow.push((now - *last).norm() <= limit);
            *last = now;
        }
    }
    slow
}

/// The rows of a variant, with what the network expected for limbs while they are held.
fn near_expected(
    model: &ClipModel,
    drawn: &Drawn,
    limbs: &[&Limb],
    contacts: &[Contact],
) -> Vec<f64> {
    let n = model.chart().n_dofs();
    let mut rows = drawn.rows.clone();
    for limb in limbs {
        let joints = [limb.upper, limb.middle, limb.end];
        let of_limb = |c: &&Contact| c.joint == limb.end || Some(c.joint) == limb.toe;
        let dofs: Vec<usize> = (0..n)
            .filter(|&dof| joints.contains(&model.chart().dofs()[dof].joint))
            .collect();
        for frame in contacts
            .iter()
            .filter(of_limb)
            .flat_map(|c| c.frames.clone())
        {
            for &dof in &dofs {
                rows[frame * n + dof] = drawn.expected[frame * n + dof];
            }
        }
    }
    rows
}
