//! When a foot or hand stays in place on the floor.
//!
//! A point of the body is in contact while it is both low and slow. Each has two thresholds: a contact needs some
//! moments within the strict ones and reaches as far to both sides as the loose ones hold, so that a single shaky frame
//! neither starts nor ends one, and time runs alike in both directions. Thresholds are in body heights and seconds, so
//! units, frame rate and up axis do not matter. How high each point stands when it is down is read off the clip
//! ([`ground`]). A foot rolls, so heel (the ankle joint) and ball (the toe joint) have spans of their own.
//!
//! What was found is a plain list of [`Contact`]s to be corrected by hand: [`spans`].
//!
//! Left out: contacts with anything but the floor (a wall, a ladder, a chair), stairs, and motions on a treadmill or
//! made to stay in one place, where no foot is ever slow.

pub mod at_frame;
pub mod ground;
pub mod spans;
mod track;

use std::ops::Range;

use super::setting::{BadSetting, check_least};
use super::{Body, Clip, Contact, Vec3, WorldPose, body};
use crate::numerics::quantile::quantile;
use ground::Ground;
use track::{ContactPart, JointTrack};

/// What is low, what is slow, and what is too short to count.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactSettings {
    /// Feet: at most this far above where the point stands, at some moments. Body heights.
    pub foot_height: f64,
    /// How much stricter heels are than toes, in height and speed: a heel that rises takes the ankle along only slowly.
    /// 1 makes them equal.
    pub heel_share: f64,
    /// Hands: at most this far above the ground, at some moments. A wrist is some centimetres above its palm, and a
    /// hand's length above fingers that touch. Body heights.
    pub hand_height: f64,
    /// Feet: slower than this at some moments. Body heights a second.
    pub foot_speed: f64,
    /// Feet: or slower than this share of their own fast moments (the 95th percentile of speed). The feet of runners
    /// are less still on the ground than those of walkers, by about as much as they are faster in the air.
    pub foot_speed_share: f64,
    /// Hands: slower than this at some moments. Body heights a second.
    pub hand_speed: f64,
    /// How many times `foot_height` and `hand_height` the point may rise in the rest of a contact; at least 1.
    pub loose_height: f64,
    /// How many times as fast as strictly allowed the point may be in the rest of a contact; at least 1.
    pub loose_speed: f64,
    /// How far the point may stray at both ends of a contact from where it was within the strict thresholds. Body
    /// heights.
    pub stray: f64,
    /// A point that goes on standing within this distance after a short gap has slipped, not stepped, as long as it was
    /// not lifted by more than `stray`: the contact goes on. Body heights.
    pub slip: f64,
    /// The longest such gap.
    pub slip_secs: f64,
    /// Shorter contacts are dropped.
    pub min_span_secs: f64,
    /// Shorter gaps between two contacts of a point are closed.
    pub min_gap_secs: f64,
    /// The points that are tested for contact.
    pub parts: ContactParts,
}

/// Which points to look at for contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContactParts {
    /// Heels and toes of both feet.
    Feet,
    /// The wrists of both arms.
    Hands,
    /// Heels, toes and wrists.
    FeetAndHands,
}

impl Default for ContactSettings {
    /// Chosen by eye over walks, runs, jumps, hops, kicks, sneaking and cartwheels of eight people.
    fn default() -> Self {
        Self {
            foot_height: 0.03,
            heel_share: 0.4,
            hand_height: 0.14,
            foot_speed: 0.08,
            foot_speed_share: 0.035,
            // Shoulders are captured badly when they carry the body: hands on the floor drift in real cartwheels.
            hand_speed: 0.3,
            loose_height: 1.5,
            loose_speed: 1.5,
            stray: 0.01,
            slip: 0.03,
            slip_secs: 0.25,
            min_span_secs: 0.04,
            min_gap_secs: 0.05,
            parts: ContactParts::FeetAndHands,
        }
    }
}

/// Why no contacts could be looked for.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ContactError {
    /// The skeleton has no such landmarks.
    #[error(
        "no {looked_for} were found by the names of the joints, so there is nothing to look for contacts with"
    )]
    NothingFound {
        /// "feet", "hands" or "feet or hands".
        looked_for: &'static str,
    },
    /// A threshold cannot be meant.
    #[error(transparent)]
    Setting(#[from] BadSetting),
}

/// The contacts and the floor that [`detect`] found.
#[derive(Debug, Clone, PartialEq)]
pub struct Detected {
    /// By joint, then by first frame; ready for [`Clip::with_contacts`].
    pub contacts: Vec<Contact>,
    /// Where the floor was found.
    pub ground: Ground,
}

/// The fast moments of a foot are faster than this share of all.
const FAST: f64 = 0.95;

/// Finds the contacts of feet and hands with the floor.
pub fn detect(clip: &Clip, settings: &ContactSettings) -> Result<Detected, ContactError> {
    detect_on(clip, &Body::of(clip.skeleton()), settings)
}

/// [`detect`] for a body whose limbs were found some other way than by [`Body::of`].
pub fn detect_on(
    clip: &Clip,
    body_parts: &Body,
    settings: &ContactSettings,
) -> Result<Detected, ContactError> {
    check(settings)?;
    let wanted = wanted_joints(body_parts, settings.parts);
    if wanted.is_empty() {
        return Err(ContactError::NothingFound {
            looked_for: match settings.parts {
                ContactParts::Feet => "feet",
                ContactParts::Hands => "hands",
                ContactParts::FeetAndHands => "feet or hands",
            },
        });
    }
    let body_height = body::height(clip);
    let tracks = tracks(clip, &wanted);
    let feet = |part: ContactPart| -> Vec<&JointTrack> {
        tracks.iter().filter(|t| t.part == part).collect()
    };
    let slow_foot = settings.foot_speed * body_height;
    let mut ground = Ground::of(
        &[feet(ContactPart::Ankle), feet(ContactPart::Toe)],
        slow_foot,
        body_height,
        clip.fps(),
    );
    if ground.stands.is_empty() {
        ground = Ground::under_everything(clip);
    }
    let fps = clip.fps();
    let mut contacts = Vec::new();
    for track in tracks
        .iter()
        .filter(|t| is_asked_for(t.part, settings.parts))
    {
        let (height, slow) = match track.part {
            ContactPart::Hand => (settings.hand_height, settings.hand_speed * body_height),
            ContactPart::Ankle | ContactPart::Toe => {
                let fast = quantile(&mut track.speeds.clone(), FAST).unwrap_or(0.0);
                let slow = slow_foot.max(settings.foot_speed_share * fast);
                let share = if track.part == ContactPart::Ankle {
                    settings.heel_share
                } else {
                    1.0
                };
                (settings.foot_height * share, slow * share)
            }
        };
        let low = height * body_height;
        let base = ground.stand(track.joint);
        let is_within = |frame: usize, times_low: f64, times_slow: f64| {
            track.heights[frame] - base - ground.rise_at(frame) <= low * times_low
                && track.speeds[frame] <= slow * times_slow
        };
        let stray = settings.stray * body_height;
        let found = grown_spans(
            clip.n_frames(),
            |f| is_within(f, 1.0, 1.0),
            |f| is_within(f, settings.loose_height, settings.loose_speed),
            |f, core| (track.way[f] - track.way[core]).norm() <= stray,
        );
        let slip_frames = (settings.slip_secs * fps).round() as usize;
        let found = track.joined_slips(found, slip_frames, settings.slip * body_height, stray);
        contacts.extend(found.into_iter().map(|frames| Contact {
            joint: track.joint,
            frames,
        }));
    }
    let frames = |secs: f64| (secs * fps).round() as usize;
    let contacts = spans::joined(&contacts, frames(settings.min_gap_secs));
    let contacts = spans::without_short(&contacts, frames(settings.min_span_secs));
    Ok(Detected { contacts, ground })
}

fn check(settings: &ContactSettings) -> Result<(), BadSetting> {
    check_least([
        ("foot_height", settings.foot_height, 0.0),
        ("heel_share", settings.heel_share, 0.0),
        ("hand_height", settings.hand_height, 0.0),
        ("foot_speed", settings.foot_speed, 0.0),
        ("foot_speed_share", settings.foot_speed_share, 0.0),
        ("hand_speed", settings.hand_speed, 0.0),
        ("loose_height", settings.loose_height, 1.0),
        ("loose_speed", settings.loose_speed, 1.0),
        ("stray", settings.stray, 0.0),
        ("slip", settings.slip, 0.0),
        ("slip_secs", settings.slip_secs, 0.0),
        ("min_span_secs", settings.min_span_secs, 0.0),
        ("min_gap_secs", settings.min_gap_secs, 0.0),
    ])
}

fn is_asked_for(part: ContactPart, parts: ContactParts) -> bool {
    match parts {
        ContactParts::Feet => part != ContactPart::Hand,
        ContactParts::Hands => part == ContactPart::Hand,
        ContactParts::FeetAndHands => true,
    }
}

/// The joints to follow. Feet come along when only hands are asked for, because the floor is found from them.
fn wanted_joints(body: &Body, parts: ContactParts) -> Vec<(usize, ContactPart)> {
    let mut wanted = Vec::new();
    for leg in &body.legs {
        wanted.push((leg.end, ContactPart::Ankle));
        wanted.extend(leg.toe.map(|toe| (toe, ContactPart::Toe)));
    }
    wanted.extend(body.arms.iter().map(|arm| (arm.end, ContactPart::Hand)));
    if wanted.iter().any(|(_, part)| is_asked_for(*part, parts)) {
        wanted
    } else {
        Vec::new()
    }
}

fn tracks(clip: &Clip, wanted: &[(usize, ContactPart)]) -> Vec<JointTrack> {
    let joints: Vec<usize> = wanted.iter().map(|(joint, _)| *joint).collect();
    let positions = positions(clip, &joints);
    let up = clip.info.up;
    wanted
        .iter()
        .zip(positions)
        .map(|(&(joint, part), way)| JointTrack {
            joint,
            part,
            heights: way.iter().map(|p| up.along(p)).collect(),
            speeds: speeds(&way, clip.fps()),
            way,
        })
        .collect()
}

/// World positions of some joints: one list per joint, one entry per frame.
fn positions(clip: &Clip, joints: &[usize]) -> Vec<Vec<Vec3>> {
    let skeleton = clip.skeleton();
    let mut world = WorldPose::of(skeleton, clip.frame(0));
    let mut ways: Vec<Vec<Vec3>> = joints
        .iter()
        .map(|_| Vec::with_capacity(clip.n_frames()))
        .collect();
    for pose in clip.frames() {
        world.update(skeleton, pose);
        for (way, joint) in ways.iter_mut().zip(joints) {
            way.push(world.positions[*joint]);
        }
    }
    ways
}

/// Speeds over a sixtieth of a second to both sides, at least one frame: less would measure the jitter of markers.
fn speeds(way: &[Vec3], fps: f64) -> Vec<f64> {
    const REACH_SECS: f64 = 1.0 / 60.0;
    let reach = ((REACH_SECS * fps).round() as usize).max(1);
    (0..way.len())
        .map(|frame| {
            let from = frame.saturating_sub(reach);
            let to = (frame + reach).min(way.len() - 1);
            (way[to] - way[from]).norm() * fps / (to - from).max(1) as f64
        })
        .collect()
}

/// Stretches of frames that are all `loose`, from the first `strict` frame in them to the last, and beyond these while
/// `near` them.
fn grown_spans(
    n_frames: usize,
    strict: impl Fn(usize) -> bool,
    loose: impl Fn(usize) -> bool,
    near: impl Fn(usize, usize) -> bool,
) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut frame = 0;
    while frame < n_frames {
        if !strict(frame) {
            frame += 1;
            continue;
        }
        let first = frame;
        let mut last = frame;
        let mut end = frame + 1;
        while end < n_frames && loose(end) {
            if strict(end) {
                last = end;
            }
            end += 1;
        }
        let before = (0..first).rev().take_while(|&f| loose(f) && near(f, first));
        let after = (last + 1..end).take_while(|&f| near(f, last));
        found.push(first - before.count()..last + 1 + after.count());
        frame = end;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_needs_a_core_and_reaches_as_far_as_the_loose_threshold() {
        let values = [9, 2, 1, 2, 9, 2, 2, 9, 1];
        let grown = |reach: usize| {
            let (strict, loose) = (|f: usize| values[f] <= 1, |f: usize| values[f] <= 2);
            grown_spans(values.len(), strict, loose, |a, b| a.abs_diff(b) <= reach)
        };
        assert_eq!(grown(9), [1..4, 8..9]);
        assert_eq!(grown(0), [2..3, 8..9], "nothing may stray");
    }

    #[test]
    fn a_slip_is_joined_and_a_step_is_not() {
        let track = |lift: f64, far: f64| {
            let way: Vec<Vec3> = (0..30)
                .map(|f| match f {
                    0..10 => Vec3::zeros(),
                    10..20 => Vec3::new(0.0, lift, 0.5 * far),
                    _ => Vec3::z() * far,
                })
                .collect();
            JointTrack {
                joint: 0,
                part: ContactPart::Toe,
                heights: way.iter().map(|p| p.y).collect(),
                speeds: vec![0.0; 30],
                way,
            }
        };
        let joined = |lift, far, gap_frames| {
            track(lift, far)
                .joined_slips(vec![0..10, 20..30], gap_frames, 0.05, 0.01)
                .len()
        };
        assert_eq!(joined(0.005, 0.04, 12), 1, "slipped");
        assert_eq!(joined(0.02, 0.04, 12), 2, "lifted");
        assert_eq!(joined(0.005, 0.06, 12), 2, "too far");
        assert_eq!(joined(0.005, 0.04, 8), 2, "too long");
    }

    #[test]
    fn speeds_do_not_depend_on_the_frame_rate() {
        for fps in [24.0, 30.0, 59.94, 120.0, 1000.0] {
            let way: Vec<Vec3> = (0..200)
                .map(|f| Vec3::x() * (3.0 * f64::from(f) / fps))
                .collect();
            for v in speeds(&way, fps) {
                assert!((v - 3.0).abs() < 1e-9, "{fps} fps: {v}");
            }
        }
        assert_eq!(speeds(&[Vec3::x()], 30.0), [0.0]);
    }

    #[test]
    fn every_refusal_of_the_settings() {
        let base = ContactSettings::default;
        let cases = [
            ContactSettings {
                foot_height: -1.0,
                ..base()
            },
            ContactSettings {
                heel_share: -0.1,
                ..base()
            },
            ContactSettings {
                hand_height: f64::NAN,
                ..base()
            },
            ContactSettings {
                foot_speed: f64::INFINITY,
                ..base()
            },
            ContactSettings {
                foot_speed_share: -1.0,
                ..base()
            },
            ContactSettings {
                hand_speed: -1.0,
                ..base()
            },
            ContactSettings {
                loose_height: 0.5,
                ..base()
            },
            ContactSettings {
                loose_speed: 0.9,
                ..base()
            },
            ContactSettings {
                stray: -0.1,
                ..base()
            },
            ContactSettings {
                slip: f64::NAN,
                ..base()
            },
            ContactSettings {
                slip_secs: -1.0,
                ..base()
            },
            ContactSettings {
                min_span_secs: -0.1,
                ..base()
            },
            ContactSettings {
                min_gap_secs: f64::NAN,
                ..base()
            },
        ];
        let mut named = Vec::new();
        for settings in cases {
            let Err(refused) = check(&settings) else {
                panic!("{settings:?} was let through");
            };
            named.push(refused.field);
        }
        named.dedup();
        assert_eq!(named.len(), 13, "each names its own field: {named:?}");
        assert_eq!(check(&base()), Ok(()));
    }
}
