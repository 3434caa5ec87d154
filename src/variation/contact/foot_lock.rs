//! Feet and hands that stay where they stand (section 7).
//!
//! When a foot stands is known from the takes: at each moment of a variant the takes vote at equal progress. That is
//! surer than looking at the variant itself, whose feet slide before they are held.
//!
//! Most of that slide is not the legs' doing: a variant's path over the floor is drawn beside its poses and does not quite
//! agree with them. So the path gives way first ([`super::root_follow`]), then the height ([`super::root_height`]), which leaves every
//! pose as it was drawn. Legs do the rest in [`crate::motion::foot_slide`]: exactly, unless a knee would pop. Moving the path is
//! not in the paper.

use std::ops::Range;

use super::root_follow::{Gait, body_follows};
use super::root_height::body_settles;
use crate::motion::chart::DofKind;
use crate::motion::contacts::at_frame::AtFrame;
use crate::motion::contacts::{self, ContactParts, ContactSettings, spans};
use crate::motion::foot_slide;
use crate::motion::limb::{self, LimbSettings, Limits};
use crate::motion::{
    Body, Clip, ClipInfo, Contact, DofChart, Limb, Skeleton, Vec3, WorldPose, body,
};
use crate::numerics::smoothing::{Ends, smoothed};
use crate::variation::clips::ClipModel;
use crate::variation::drawn::Drawn;
use crate::variation::error::LearnError;
use crate::variation::takes::{Examples, MotionType};

/// Which limbs are held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Hold {
    /// None: the motion as it was drawn.
    None,
    /// Feet are locked, hands move freely.
    #[default]
    Feet,
    /// Hands are locked, feet move freely.
    Hands,
    /// Feet and hands are locked.
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
/// A foot that turns less than this while it stands is held at ankle and toe: what that twists is not seen, and feet that are
/// down for a moment only, as in jumping jacks, slide at the place that is let go.
const LEAST_SWIVEL_RAD: f64 = 0.2;
/// Time for legs to come to a hold and to leave it. Longer fades change more of the poses between holds.
pub(in crate::variation) const EASE_SECS: f64 = 0.15;

/// Corrections are smoothed over this time: captured bodies tremble as a whole, feet that stand as well as hips. Feet that did not would
/// leave all of that to the knees, which jolted three times as often.
const CORRECTION_SECS: f64 = 0.015;
/// Legs are not held straighter than this share of their length, about ten degrees of bend, unless they were drawn so.
const STRAIGHTEST: f64 = 0.996;

/// When feet and hands stand, in every take, and how.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Footing {
    /// By take, frames at the model's rate.
    pub takes: Vec<Vec<Contact>>,
}

impl Footing {
    /// Contacts of the clips, or where they have none what can be found. Bodies without feet have no footing.
    pub(in crate::variation) fn learn(clips: &[&Clip]) -> Self {
        let settings = ContactSettings {
            parts: ContactParts::FeetAndHands,
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
    pub(in crate::variation) fn check(
        &self,
        examples: &Examples,
        skeleton: &Skeleton,
    ) -> Result<(), LearnError> {
        let fits = self.takes.len() == examples.n_takes()
            && self.takes.iter().enumerate().all(|(take, contacts)| {
                contacts.iter().all(|c| {
                    c.joint < skeleton.n_joints()
                        && c.frames.start < c.frames.end
                        && c.frames.end <= examples.take_frames(take)
                })
            });
        if !fits {
            return Err(LearnError::Structure(
                "contacts lie outside the takes".to_owned(),
            ));
        }
        Ok(())
    }

    /// Joints that most takes have down at this progress.
    fn down_at(&self, examples: &Examples, progress: f64, joints: &[usize]) -> Vec<bool> {
        let progress = match examples.motion_type() {
            MotionType::Cyclic => progress.rem_euclid(1.0),
            MotionType::OneShot | MotionType::Unaligned => progress,
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
pub(in crate::variation) fn hold(
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
    if limbs.is_empty() || examples.motion_type() == MotionType::Unaligned {
        return Ok((model.clip_of(&drawn.rows, info)?, None));
    }
    let ends = |limb: &Limb| [Some(limb.end), limb.toe];
    let joints: Vec<usize> = limbs.iter().flat_map(|l| ends(l)).flatten().collect();
    let voted = model.footing().contacts(examples, &drawn.progress, &joints);
    let clip = model.clip_of(&drawn.rows, info.clone())?;
    if voted.is_empty() {
        return Ok((clip, None));
    }
    let gait = gait(model.chart());
    let heading = &model.chart().parts().heading;
    let stance = |clip: &Clip, contacts: &[Contact]| {
        model.sway().of(clip, heading, &drawn.progress, contacts)
    };
    // Whether a foot is slow shows only once the drift of the whole body is gone.
    let all = stance(&clip, &voted);
    let followed = body_follows(clip, &gait, &all)?;
    let contacts = one_place(&followed, &limbs, &while_slow(&followed, voted));
    let clip = model.clip_of(&drawn.rows, info)?;
    if contacts.is_empty() {
        return Ok((clip, None));
    }
    let stance = stance(&clip, &contacts);
    let clip = body_follows(clip, &gait, &stance)?;
    let clip = body_settles(clip, model.chart(), &stance)?;
    let settings = LimbSettings {
        ease_secs: EASE_SECS,
        reach: limb::ReachPolicy::Report,
        ..LimbSettings::default()
    };
    let holds = foot_slide::holds_moving(&clip, &contacts, &stance.sways);
    let holds = within_reach(&clip, &body, holds);
    let made =
        limb::constrain_within_limits(&clip, &holds, &settings, &Limits::default())?.constrained;
    let held = Held {
        n_holds: holds.len(),
        n_misses: made.misses.len(),
    };
    let clip = made.clip.with_contacts(contacts);
    Ok((clip.map_err(crate::motion::ChartError::from)?, Some(held)))
}

/// Holds that are further away than a leg was drawn long come nearer, so that no leg gets much straighter than it was: by a
/// millimetre more a straight knee turns by several degrees, and a body that went down instead bent both knees, always.
fn within_reach(clip: &Clip, body: &Body, holds: Vec<limb::Hold>) -> Vec<limb::Hold> {
    let mut world = WorldPose::of(clip.skeleton(), clip.frame(0));
    let deviation = CORRECTION_SECS / clip.frame_secs();
    let mut nearer = |mut hold: limb::Hold| {
        let site = hold.site;
        let leg = limb::limb_of(clip.skeleton(), body, site);
        if let (Some(leg), limb::HoldPosition::Path(path)) = (leg, &mut hold.at) {
            let drawn: Vec<Vec3> = hold
                .frames
                .clone()
                .map(|frame| {
                    world.update(clip.skeleton(), clip.frame(frame));
                    world.site(clip.skeleton(), site)
                })
                .collect();
            let axes: [Vec<f64>; 3] = std::array::from_fn(|axis| {
                let off: Vec<f64> = path
                    .iter()
                    .zip(&drawn)
                    .map(|(p, d)| p[axis] - d[axis])
                    .collect();
                smoothed(&off, deviation, Ends::Hold)
            });
            for (at, place) in path.iter_mut().enumerate() {
                *place = drawn[at] + Vec3::from_fn(|axis, _| axes[axis][at]);
            }
            for (place, frame) in path.iter_mut().zip(hold.frames.clone()) {
                world.update(clip.skeleton(), clip.frame(frame));
                let [hip, knee, ankle] =
                    [leg.upper, leg.middle, leg.end].map(|joint| world.positions[joint]);
                let length = (knee - hip).norm() + (ankle - knee).norm();
                let is = world.site(clip.skeleton(), site);
                let needed = ankle + (*place - is) - hip;
                let (drawn, far) = ((ankle - hip).norm(), needed.norm());
                let (more, room) = (far - drawn, (STRAIGHTEST * length - drawn).max(0.0));
                if more > 0.0 {
                    let given = room * more / (room + more);
                    *place = is + hip + needed * ((drawn + given) / far) - ankle;
                }
            }
        }
        hold
    };
    holds.into_iter().map(&mut nearer).collect()
}

/// Where ankle and toe of a foot are both down and it turns meanwhile, only one of them is held: feet roll and swivel while
/// they stand, and two held places would have the ankle twist against the leg instead. It is the one that is down before and after as
/// well, so that no hold is broken in two; if both are, in turn, the one that slides less.
fn one_place(clip: &Clip, limbs: &[&Limb], contacts: &[Contact]) -> Vec<Contact> {
    let mut kept = contacts.to_vec();
    let down = AtFrame::of(contacts, clip.n_frames());
    for (ankle, toe) in limbs.iter().filter_map(|l| Some((l.end, l.toe?))) {
        let both = |frame: &usize| {
            let is_down = |joint: usize| {
                let mut down = down.get(*frame).iter();
                down.any(|&contact| contacts[contact].joint == joint)
            };
            is_down(ankle) && is_down(toe)
        };
        let mut frame = 0;
        while frame < clip.n_frames() {
            let n = (frame..clip.n_frames()).take_while(both).count();
            if n > 0 {
                let both = frame..frame + n;
                if swivel_rad(clip, [ankle, toe], both.clone()) > LEAST_SWIVEL_RAD {
                    let looser = looser(clip, contacts, [ankle, toe], &both);
                    kept = spans::without(&kept, looser, &both);
                }
            }
            frame += n.max(1);
        }
    }
    spans::without_short(&kept, 2)
}

/// Which of two places of a foot is let go while both are down.
fn looser(clip: &Clip, contacts: &[Contact], places: [usize; 2], both: &Range<usize>) -> usize {
    let [ankle, toe] = places;
    match places.map(|joint| is_within(contacts, joint, both)) {
        [true, false] => ankle,
        [false, true] => toe,
        _ => {
            let ways = ways(clip, &places, both.clone());
            if ways[0] > ways[1] { ankle } else { toe }
        }
    }
}

/// The furthest that a foot is turned away from how it first stood.
fn swivel_rad(clip: &Clip, [ankle, toe]: [usize; 2], frames: Range<usize>) -> f64 {
    let mut world = WorldPose::of(clip.skeleton(), clip.frame(frames.start));
    let first = world.positions[toe] - world.positions[ankle];
    frames.fold(0.0, |widest: f64, frame| {
        world.update(clip.skeleton(), clip.frame(frame));
        let foot = world.positions[toe] - world.positions[ankle];
        widest.max(first.angle(&foot))
    })
}

/// Whether a joint is down neither before nor after these frames.
fn is_within(contacts: &[Contact], joint: usize, frames: &Range<usize>) -> bool {
    let before = frames.start.checked_sub(1);
    let is_down = |frame: usize| spans::is_down(contacts, joint, frame);
    !before.is_some_and(is_down) && !is_down(frames.end)
}

/// How far joints go over some frames.
fn ways(clip: &Clip, joints: &[usize], frames: Range<usize>) -> Vec<f64> {
    let mut world = WorldPose::of(clip.skeleton(), clip.frame(frames.start));
    let mut ways = vec![0.0; joints.len()];
    for frame in frames {
        let last: Vec<Vec3> = joints.iter().map(|&j| world.positions[j]).collect();
        world.update(clip.skeleton(), clip.frame(frame));
        for ((way, &joint), last) in ways.iter_mut().zip(joints).zip(last) {
            *way += (world.positions[joint] - last).norm();
        }
    }
    ways
}

/// How the takes move along the floor. Speeds that the chart leaves out as still are as small as its floor.
pub(in crate::variation) fn gait(chart: &DofChart) -> Gait {
    let root = chart.parts().heading.root;
    let scale = |kind: DofKind| {
        let dof = chart.dofs().iter().find(|dof| dof.kind == kind);
        dof.map_or(0.0, |dof| dof.scale)
    };
    let speeds = [DofKind::ForwardSpeed, DofKind::SidewaysSpeed].map(scale);
    Gait {
        root,
        speed: speeds[0].max(speeds[1]).max(f64::MIN_POSITIVE),
        turn_rate: scale(DofKind::TurnRate).max(f64::MIN_POSITIVE),
    }
}

/// Contacts from their first frame slower than [`FASTEST`] to their last. What is faster in between is drift, not a step,
/// for most takes stand there: a contact in pieces would be held at several places, with a jolt from each to the next.
fn while_slow(clip: &Clip, contacts: Vec<Contact>) -> Vec<Contact> {
    let limit = FASTEST * body::height(clip) * clip.frame_secs();
    let mut slow: Vec<Option<(usize, usize)>> = vec![None; contacts.len()];
    let mut world = WorldPose::of(clip.skeleton(), clip.frame(0));
    let mut last = world.positions.clone();
    let down = AtFrame::of(&contacts, clip.n_frames());
    for (frame, pose) in clip.frames().enumerate() {
        world.update(clip.skeleton(), pose);
        for &contact in down.get(frame) {
            let joint = contacts[contact].joint;
            if (world.positions[joint] - last[joint]).norm() <= limit {
                let first = slow[contact].map_or(frame, |(first, _)| first);
                slow[contact] = Some((first, frame + 1));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::{Channels, Joint, Motion, Quat, RotationOrder};
    use std::sync::Arc;

    /// A body of two metres whose two joints go along x as told, in metres by frame.
    fn sliding(ankle: impl Fn(usize) -> f64, toe: impl Fn(usize) -> f64, n: usize) -> Clip {
        let joint = |name: &str, parent, offset| Joint {
            name: name.to_owned(),
            parent,
            offset,
            channels: Channels::position_and_rotation(RotationOrder::ZXY),
        };
        let joints = vec![
            joint("Hips", None, Vec3::zeros()),
            joint("Foot", Some(0), -Vec3::y()),
            joint("Toe", Some(0), Vec3::z() * 0.1 - Vec3::y()),
            joint("Head", Some(0), Vec3::y()),
        ];
        let skeleton = Arc::new(Skeleton::new(joints, Vec::new()).unwrap());
        let mut motion = Motion::with_capacity(&skeleton, 0.01, n);
        for frame in 0..n {
            let ways = [0.0, ankle(frame), toe(frame), 0.0];
            let offsets = skeleton.joints().iter().map(|j| j.offset);
            let places = offsets.zip(ways).map(|(o, x)| o + Vec3::x() * x);
            motion.translations.extend(places);
            motion.rotations.extend([Quat::identity(); 4]);
        }
        Clip::new(ClipInfo::named("slide"), skeleton, motion).unwrap()
    }

    fn contact(joint: usize, frames: Range<usize>) -> Contact {
        Contact { joint, frames }
    }

    fn limb_of(end: usize) -> Limb {
        Limb {
            side: crate::motion::Side::Left,
            upper: 0,
            middle: 0,
            end,
            toe: None,
        }
    }

    #[test]
    fn a_contact_begins_and_ends_where_its_foot_is_slow() {
        // Half a body height a frame is a step; in between one such frame is drift, which is held all the same.
        let step = |frame: usize| match frame {
            0..=10 => frame as f64,
            11..=19 => 10.0,
            20..=30 => 11.0,
            _ => frame as f64 - 19.0,
        };
        let clip = sliding(step, |_| 0.0, 50);
        let found = while_slow(&clip, vec![contact(1, 5..45), contact(2, 5..45)]);
        assert_eq!(found, [contact(1, 11..31), contact(2, 5..45)]);
        let running = sliding(|frame| frame as f64, |_| 0.0, 50);
        let none = while_slow(&running, vec![contact(1, 5..45)]);
        assert!(
            none.is_empty(),
            "a foot that never rests is not held: {none:?}"
        );
    }

    #[test]
    fn of_ankle_and_toe_the_stiller_one_is_held() {
        let limb = Limb {
            toe: Some(2),
            ..limb_of(1)
        };
        // The toe slides while both are down at first, the ankle rolls over it later.
        let clip = sliding(
            |frame| 0.01 * frame.saturating_sub(25) as f64,
            |frame| 0.01 * frame.min(20) as f64,
            50,
        );
        let down = [contact(1, 0..20), contact(1, 30..50), contact(2, 10..50)];
        let held = one_place(&clip, &[&limb], &down);
        assert_eq!(held, [contact(1, 0..20), contact(2, 20..50)]);
        let alone = one_place(&clip, &[&limb_of(1)], &down);
        assert_eq!(alone, down, "without a toe nothing is left out");
        let slide = |frame| 0.001 * frame as f64;
        let stiff = sliding(slide, slide, 50);
        let down = [contact(1, 0..50), contact(2, 0..50)];
        let held = one_place(&stiff, &[&limb], &down);
        assert_eq!(held, down, "a foot that does not turn is held at both");
    }
}
