//! What speaks against learning from some clips together, in words; and clips mended where that can be done.

use std::fmt;

use crate::motion::edit::{Glitch, find_glitches, mend_glitches};
use crate::motion::similarity::set_similarity;
use crate::motion::{Clip, HeadingFrame, Quat};
use crate::variation::error::LearnError;

/// Longer takes have several repetitions in them, and bringing them into step takes minutes.
const LONGEST_SECS: f64 = 60.0;
/// Bones that differ by more than this share are another body's.
const OTHER_BONE: f64 = 0.02;
/// Takes that turn so much more or less than the others are turned round.
const TURNED_ROUND_RAD: f64 = 1.7;
/// Clips this far apart in the middle, in body heights, are no one kind of motion. Within the kinds of the development set it is
/// 0.01 to 0.05.
const OTHER_KIND: f64 = 0.11;
/// Clips this far apart in the middle, against how far moments half a clip apart are, hardly go together: several odd ones look alike in
/// being odd, and none stands out. Thirty fours of fitting takes have 0.05 to 0.38 (football throws, made with and without a step, 0.67
/// to 0.81), fours with two or three odd ones 0.5 and more unless they only turn. Closer than this in body heights they are alike
/// anyway, however little they move.
const LOOSE: f64 = 0.45;
const LOOSE_FROM: f64 = 0.06;
/// A joint whose fastest frame is so much faster than those of the other takes, in the middle, has flipped; less than this is never one.
const FLIP_TIMES: f64 = 3.0;
const FLIP_RAD: f64 = 0.6;

/// Something that the animator should know before learning.
#[derive(Debug, Clone, PartialEq)]
pub enum Concern {
    /// Bones of one take differ from those of the first.
    OtherBones {
        /// The name of the take.
        take: String,
        /// How much longer or shorter, as a share.
        share: f64,
    },
    /// All takes are copies of one.
    AllCopies,
    /// A take is a copy of another.
    Copy {
        /// The name of the take.
        take: String,
        /// The name of the take that it copies.
        of: String,
    },
    /// A take turns round, and the others do not.
    TurnsRound {
        /// The name of the take.
        take: String,
        /// By how much it turns to the left.
        turn_rad: f64,
        /// And the others, in the middle.
        usual_rad: f64,
    },
    /// A take does not go with the others.
    Odd {
        /// The name of the take.
        take: String,
        /// How many times as far from the others as usual.
        times: f64,
    },
    /// The takes are no one kind of motion.
    ManyKinds {
        /// The take that is furthest from the others.
        take: String,
        /// How far takes are apart, in body heights.
        distance: f64,
    },
    /// The takes hardly go together; several may be odd.
    Loose {
        /// The take that is furthest from the others.
        take: String,
        /// How far takes are apart against moments half a take apart.
        share: f64,
    },
    /// A joint jumped for some frames, and was mended.
    Mended {
        /// The name of the take.
        take: String,
        /// The name of the joint.
        joint: String,
        /// The first frame of the fault.
        frame: usize,
    },
    /// A joint flips, which cannot be mended: the take was left out.
    LeftOut {
        /// The name of the take.
        take: String,
        /// The name of the joint.
        joint: String,
        /// The frame of the fault.
        frame: usize,
    },
    /// A take is too long to be one repetition.
    TooLong {
        /// The name of the take.
        take: String,
        /// The time of its frame.
        secs: f64,
    },
}

impl Concern {
    /// Whether it is better not to learn unless somebody insists.
    pub fn is_grave(&self) -> bool {
        matches!(
            self,
            Self::AllCopies
                | Self::Odd { .. }
                | Self::ManyKinds { .. }
                | Self::TurnsRound { .. }
                | Self::TooLong { .. }
        )
    }
}

impl fmt::Display for Concern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherBones { take, share } => write!(
                f,
                "\"{take}\" has the bones of another body (up to {:.0} % longer or shorter); variants have the bones of the first take",
                100.0 * share
            ),
            Self::AllCopies => f.write_str(
                "all takes are copies of one clip, so nothing differs between them: give different takes of the motion",
            ),
            Self::Copy { take, of } => {
                write!(f, "\"{take}\" is a copy of \"{of}\" and tells nothing more")
            }
            Self::TurnsRound {
                take,
                turn_rad,
                usual_rad,
            } => write!(
                f,
                "\"{take}\" turns by {:.0} degrees, the others by {:.0}: its path is another one",
                turn_rad.to_degrees(),
                usual_rad.to_degrees()
            ),
            Self::Odd { take, times } => write!(
                f,
                "\"{take}\" does not go with the other takes: {times:.1} times as far from them as usual"
            ),
            Self::ManyKinds { take, distance } => write!(
                f,
                "the takes are not one kind of motion (apart by {:.0} % of the body's height in the middle); the odd one is \"{take}\"",
                100.0 * distance
            ),
            Self::Loose { take, share } => write!(
                f,
                "the takes hardly go together: they are {share:.1} times as far from each other as moments half a take apart (takes of one kind: at most 0.4). Several may be odd; the furthest from the others is \"{take}\""
            ),
            Self::Mended { take, joint, frame } => write!(
                f,
                "\"{take}\": {joint} jumped at frame {frame} and was mended"
            ),
            Self::LeftOut { take, joint, frame } => write!(
                f,
                "\"{take}\" was left out: {joint} flips at frame {frame}, which cannot be mended"
            ),
            Self::TooLong { take, secs } => write!(
                f,
                "\"{take}\" takes {secs:.0} s: cut it into single repetitions first (`kinfolk cycles` for cycles, `kinfolk repeats` for anything else)"
            ),
        }
    }
}

/// Clips that may be learned from, and what was found on the way.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// Mended where that was needed; without those that cannot be.
    pub clips: Vec<Clip>,
    /// What the animator should know of the takes.
    pub concerns: Vec<Concern>,
}

/// Looks at clips before they are learned from.
pub fn check_takes(clips: &[&Clip]) -> Result<Checked, LearnError> {
    let mut concerns = Vec::new();
    let Some(first) = clips.first() else {
        return Err(LearnError::NoTakes);
    };
    let other = clips
        .iter()
        .find(|c| !c.skeleton().same_structure(first.skeleton()));
    if let Some(other) = other {
        return Err(LearnError::OtherSkeleton {
            take: other.info.name.clone(),
            first: first.info.name.clone(),
        });
    }
    concerns.extend(too_long(clips));
    concerns.extend(bones(clips));
    concerns.extend(copies(clips));
    let (clips, mended) = without_flips(clips)?;
    concerns.extend(mended);
    let is_short = !concerns
        .iter()
        .any(|c| matches!(c, Concern::TooLong { .. }));
    let refs: Vec<&Clip> = clips.iter().collect();
    if is_short && refs.len() > 1 {
        concerns.extend(turned_round(&refs));
        concerns.extend(odd_ones(&refs));
    }
    Ok(Checked { clips, concerns })
}

fn too_long(clips: &[&Clip]) -> Vec<Concern> {
    let long = clips.iter().filter(|clip| clip.seconds() > LONGEST_SECS);
    long.map(|clip| Concern::TooLong {
        take: clip.info.name.clone(),
        secs: clip.seconds(),
    })
    .collect()
}

fn bones(clips: &[&Clip]) -> Vec<Concern> {
    let lengths = |clip: &Clip| -> Vec<f64> {
        let joints = clip.skeleton().joints().iter().skip(1);
        joints.map(|joint| joint.offset.norm()).collect()
    };
    let first = lengths(clips[0]);
    let longest = first.iter().copied().fold(0.0, f64::max);
    let others = clips.iter().skip(1);
    others
        .filter_map(|clip| {
            let own = lengths(clip);
            // Small bones are rounded.
            let pairs = own.iter().zip(&first).filter(|(_, b)| **b > 0.1 * longest);
            let share = pairs.map(|(a, b)| (a / b - 1.0).abs()).fold(0.0, f64::max);
            (share > OTHER_BONE).then(|| Concern::OtherBones {
                take: clip.info.name.clone(),
                share,
            })
        })
        .collect()
}

fn copies(clips: &[&Clip]) -> Vec<Concern> {
    let mut found = Vec::new();
    for (at, clip) in clips.iter().enumerate() {
        if let Some(of) = clips[..at].iter().find(|other| other.same_motion(clip)) {
            found.push(Concern::Copy {
                take: clip.info.name.clone(),
                of: of.info.name.clone(),
            });
        }
    }
    if clips.len() > 1 && found.len() + 1 == clips.len() {
        return vec![Concern::AllCopies];
    }
    found
}

fn turned_round(clips: &[&Clip]) -> Vec<Concern> {
    let heading = HeadingFrame::learn(clips);
    let turns: Vec<f64> = clips
        .iter()
        .map(|clip| {
            let track = heading.track(clip);
            track.headings[track.headings.len() - 1] - track.headings[0]
        })
        .collect();
    let usual_rad = median(&turns);
    let pairs = clips.iter().zip(&turns);
    pairs
        .filter(|(_, turn)| (*turn - usual_rad).abs() > TURNED_ROUND_RAD)
        .map(|(clip, turn)| Concern::TurnsRound {
            take: clip.info.name.clone(),
            turn_rad: *turn,
            usual_rad,
        })
        .collect()
}

fn odd_ones(clips: &[&Clip]) -> Vec<Concern> {
    // Clips that cannot be compared are refused when they are learned from, in words of their own.
    let Ok(found) = set_similarity(clips) else {
        return Vec::new();
    };
    let usual = found.median_distance();
    let furthest = (0..clips.len())
        .max_by(|&a, &b| found.mean_distances[a].total_cmp(&found.mean_distances[b]));
    let name = |at: usize| clips[at].info.name.clone();
    if let Some(furthest) = furthest.filter(|_| usual > OTHER_KIND) {
        return vec![Concern::ManyKinds {
            take: name(furthest),
            distance: usual,
        }];
    }
    let odd = found.outliers.iter();
    let odd: Vec<Concern> = odd
        .map(|&at| Concern::Odd {
            take: name(at),
            times: found.mean_distances[at] / usual.max(1e-12),
        })
        .collect();
    let share = usual / found.half_apart().max(1e-12);
    match furthest {
        Some(furthest) if odd.is_empty() && usual > LOOSE_FROM && share > LOOSE => {
            vec![Concern::Loose {
                take: name(furthest),
                share,
            }]
        }
        _ => odd,
    }
}

/// Spikes are mended; takes whose joints flip and stay so are left out, as long as two others remain.
fn without_flips(clips: &[&Clip]) -> Result<(Vec<Clip>, Vec<Concern>), LearnError> {
    let mut concerns = Vec::new();
    let mut kept = Vec::new();
    let fastest: Vec<Vec<(f64, usize)>> = clips.iter().map(|clip| fastest_turns(clip)).collect();
    let n_joints = clips[0].skeleton().n_joints();
    let names = clips[0].skeleton().joints();
    for (take, clip) in clips.iter().enumerate() {
        let is_flip = |joint: usize| {
            let others = fastest
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != take);
            let others: Vec<f64> = others.map(|(_, turns)| turns[joint].0).collect();
            let usual = median(&others);
            let own = fastest[take][joint].0;
            clips.len() > 1 && own > FLIP_RAD && own > FLIP_TIMES * usual
        };
        let flips: Vec<usize> = (0..n_joints).filter(|&joint| is_flip(joint)).collect();
        if flips.is_empty() {
            kept.push((*clip).clone());
            continue;
        }
        let spikes: Vec<Glitch> = find_glitches(clip)
            .into_iter()
            .filter(|glitch| flips.contains(&glitch.joint))
            .collect();
        let mended = mend_glitches(clip, &spikes)?;
        let again = fastest_turns(&mended);
        // Between the sides of a flip a mended frame lies half-way: two jumps of half the size.
        let stays = |joint: &&usize| again[**joint].0 > 0.35 * fastest[take][**joint].0;
        let take_name = || clip.info.name.clone();
        match flips.iter().find(stays) {
            Some(&joint) if clips.len() > 2 => concerns.push(Concern::LeftOut {
                take: take_name(),
                joint: names[joint].name.clone(),
                frame: fastest[take][joint].1,
            }),
            _ => {
                concerns.extend(flips.iter().map(|&joint| Concern::Mended {
                    take: take_name(),
                    joint: names[joint].name.clone(),
                    frame: fastest[take][joint].1,
                }));
                kept.push(mended);
            }
        }
    }
    Ok((kept, concerns))
}

/// By joint, the largest turn from one frame to the next at 60 frames a second, and the frame it leads to. Where the body as a whole
/// goes is no flip: its root is left out, and so is what hangs on it without moving.
fn fastest_turns(clip: &Clip) -> Vec<(f64, usize)> {
    let n = clip.skeleton().n_joints();
    let rotations = &clip.motion().rotations;
    let per_frame = (clip.fps() / 60.0).min(1.0);
    (0..n)
        .map(|joint| {
            let at = |frame: usize| -> &Quat { &rotations[frame * n + joint] };
            let steps =
                (1..clip.n_frames()).map(|frame| (at(frame - 1).angle_to(at(frame)), frame));
            let largest = steps.fold(
                (0.0, 0),
                |best, step| if step.0 > best.0 { step } else { best },
            );
            (largest.0 * per_frame, largest.1)
        })
        .collect()
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::motion::{Channels, ClipInfo, Joint, Motion, RotationOrder, Skeleton, Vec3};

    /// A body of two bones that bends, `bone` long.
    fn bending(name: &str, bone: f64, angle: impl Fn(usize) -> f64) -> Clip {
        let joint = |name: &str, parent, offset| Joint {
            name: name.to_owned(),
            parent,
            offset,
            channels: Channels::position_and_rotation(RotationOrder::ZXY),
        };
        let joints = vec![
            joint("Hips", None, Vec3::zeros()),
            joint("Chest", Some(0), Vec3::y() * bone),
            joint("Head", Some(1), Vec3::y() * bone),
        ];
        let skeleton = Arc::new(Skeleton::new(joints, Vec::new()).unwrap());
        let mut motion = Motion::with_capacity(&skeleton, 1.0 / 60.0, 60);
        for frame in 0..60 {
            let offsets = skeleton.joints().iter().map(|j| j.offset);
            motion.translations.extend(offsets);
            let bend = Quat::from_axis_angle(&Vec3::x_axis(), angle(frame));
            motion
                .rotations
                .extend([Quat::identity(), bend, Quat::identity()]);
        }
        Clip::new(ClipInfo::named(name), skeleton, motion).unwrap()
    }

    fn wave(phase: f64) -> impl Fn(usize) -> f64 {
        move |frame| 0.4 * (frame as f64 * 0.1 + phase).sin()
    }

    #[test]
    fn a_spike_is_mended_and_a_flip_that_stays_is_left_out() {
        let good: Vec<Clip> = (0..3)
            .map(|i| bending(&format!("good {i}"), 0.5, wave(0.1 * f64::from(i))))
            .collect();
        let spike = bending("spike", 0.5, |f| {
            wave(0.0)(f) + if f == 30 { 2.2 } else { 0.0 }
        });
        let flip = bending("flip", 0.5, |f| {
            wave(0.0)(f) + if f > 30 { 2.2 } else { 0.0 }
        });
        let mut all: Vec<&Clip> = good.iter().collect();
        all.extend([&spike, &flip]);
        let checked = check_takes(&all).unwrap();
        let words: Vec<String> = checked.concerns.iter().map(ToString::to_string).collect();
        let has = |a: &str, b: &str| words.iter().any(|w| w.contains(a) && w.contains(b));
        assert!(has("spike", "mended"), "{words:?}");
        assert!(has("flip", "left out"), "{words:?}");
        let names: Vec<&str> = checked.clips.iter().map(|c| c.info.name.as_str()).collect();
        assert_eq!(names, ["good 0", "good 1", "good 2", "spike"]);
        let steps = fastest_turns(&checked.clips[3]);
        assert!(steps[1].0 < 0.3, "{steps:?}");
    }

    #[test]
    fn copies_and_other_bones_are_told() {
        let a = bending("a", 0.5, wave(0.0));
        let copy = bending("b", 0.5, wave(0.0));
        let found = check_takes(&[&a, &copy]).unwrap().concerns;
        assert_eq!(found, [Concern::AllCopies]);
        assert!(found[0].is_grave());
        let taller = bending("c", 0.6, wave(0.3));
        let found = check_takes(&[&a, &taller]).unwrap().concerns;
        assert!(
            matches!(&found[0], Concern::OtherBones { take, share } if take == "c" && (share - 0.2).abs() < 1e-9),
            "{found:?}"
        );
        assert!(!found[0].is_grave(), "it can be learned all the same");
    }
}
