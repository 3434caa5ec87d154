//! How feet move while they stand.
//!
//! A foot that stands is not still: it rolls over heel and ball, and captured ones slide by 5 cm a second. A leg drawn from such takes
//! fits a foot that does the same. Held to one point instead, it is a little too short at times and a little too long at others;
//! too short it cannot be, so knees bent three degrees more than in the takes, and jolted. So what stands moves as it does in the
//! takes on average at the same moment: its *sway*. Random slide averages out; rolling stays.

use crate::motion::contacts::spans;
use crate::motion::heading::turn;
use crate::motion::{Axis, Clip, ClipInfo, Contact, DofChart, HeadingFrame, Vec3, WorldPose};
use crate::numerics::smoothing::{Ends, smoothed};
use crate::variation::clips::ClipModel;
use crate::variation::contact::foot_lock::Footing;
use crate::variation::error::LearnError;
use crate::variation::takes::{Examples, MotionType};

/// Rates are averaged over this time: takes are few, and their feet jitter.
const SMOOTH_SECS: f64 = 0.03;

/// How much of it variants have; what is drawn of their own comes on top, and feet shall slide no more than in the takes.
const SHARE: f64 = 0.75;

/// How what stands moves, by joint and progress.
#[derive(Debug, Clone, PartialEq, Default)]
pub(in crate::variation) struct Sway {
    /// By joint that ever stands: velocity as the body sees it, per unit of progress, at even steps of progress.
    rates: Vec<(usize, Vec<Vec3>)>,
}

/// Contacts of a variant, each with where its joint is against its place, frame by frame, in the world.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::variation) struct Stance {
    pub(in crate::variation) contacts: Vec<Contact>,
    pub(in crate::variation) sways: Vec<Vec<Vec3>>,
}

impl Stance {
    /// What stands stays where it is.
    pub(in crate::variation) fn still(contacts: &[Contact]) -> Self {
        let sways = contacts.iter().map(|c| vec![Vec3::zeros(); c.frames.len()]);
        Self {
            sways: sways.collect(),
            contacts: contacts.to_vec(),
        }
    }

    /// Where the joint of a contact is at a frame of it, against its place.
    pub(in crate::variation) fn at(&self, contact: usize, frame: usize) -> Vec3 {
        let from = self.contacts[contact].frames.start;
        self.sways[contact][frame - from]
    }
}

impl Sway {
    /// Of the takes of a model.
    pub(in crate::variation) fn learn(
        model: &ClipModel,
        footing: &Footing,
    ) -> Result<Self, LearnError> {
        let examples = model.model().examples();
        if examples.motion_type() == MotionType::Unaligned {
            return Ok(Self::default());
        }
        let mut seen: Vec<Vec<Seen>> = Vec::new();
        for (take, contacts) in footing.takes.iter().enumerate() {
            let clip = model.clip_of(examples.take(take), ClipInfo::named("take"))?;
            seen.push(seen_rates(model.chart(), &clip, contacts, examples, take));
        }
        let mut joints: Vec<usize> = seen.iter().flatten().map(|s| s.joint).collect();
        joints.sort_unstable();
        joints.dedup();
        let n_steps = (examples.n_frames() / examples.n_takes()).max(2);
        let deviation = SMOOTH_SECS / examples.frame_secs();
        let rates = joints.into_iter().map(|joint| {
            let table = (0..n_steps)
                .map(|step| {
                    let progress = (step as f64 + 0.5) / n_steps as f64;
                    let reach = 1.0 / n_steps as f64;
                    let of_take = |take: &Vec<Seen>| {
                        let near = take.iter().filter(|s| s.joint == joint);
                        let off = |s: &&Seen| (s.progress - progress).abs();
                        let nearest = near.min_by(|a, b| off(a).total_cmp(&off(b)))?;
                        (off(&nearest) <= reach).then_some(nearest.rate)
                    };
                    middle(&seen.iter().filter_map(of_take).collect::<Vec<Vec3>>())
                })
                .collect::<Vec<Option<Vec3>>>();
            (joint, averaged(&table, deviation, examples.motion_type()))
        });
        Ok(Self {
            rates: rates.collect(),
        })
    }

    /// Contacts of a variant with what their joints do meanwhile.
    pub(in crate::variation) fn of(
        &self,
        clip: &Clip,
        heading: &HeadingFrame,
        progress: &[f64],
        contacts: &[Contact],
    ) -> Stance {
        let headings = heading.track(clip).headings;
        let sway = |contact: &Contact| {
            let mut now = Vec3::zeros();
            let frames = contact.frames.clone();
            frames
                .map(|frame| {
                    if frame > contact.frames.start {
                        let (from, to) = (progress[frame - 1], progress[frame]);
                        let rate = self.rate(contact.joint, 0.5 * (from + to));
                        now += turn(heading.up, headings[frame]) * rate * (to - from);
                    }
                    now
                })
                .collect()
        };
        Stance {
            sways: contacts.iter().map(sway).collect(),
            contacts: contacts.to_vec(),
        }
    }

    fn rate(&self, joint: usize, progress: f64) -> Vec3 {
        let Some((_, table)) = self.rates.iter().find(|(j, _)| *j == joint) else {
            return Vec3::zeros();
        };
        // Streams go on beyond the first cycle; one-shot motions end at 1. Steps are known in their middle.
        let n = table.len();
        let at = progress.rem_euclid(1.0) * n as f64 + n as f64 - 0.5;
        let (from, share) = (at as usize, at.fract());
        table[from % n].lerp(&table[(from + 1) % n], share)
    }
}

/// What stands in a take, between two of its frames.
struct Seen {
    joint: usize,
    progress: f64,
    /// As the body sees it, per unit of progress.
    rate: Vec3,
}

fn seen_rates(
    chart: &DofChart,
    clip: &Clip,
    contacts: &[Contact],
    examples: &Examples,
    take: usize,
) -> Vec<Seen> {
    let heading = &chart.parts().heading;
    let up: Axis = heading.up;
    let headings = heading.track(clip).headings;
    let progress = examples.take_progress(take);
    let mut joints: Vec<usize> = contacts.iter().map(|c| c.joint).collect();
    joints.sort_unstable();
    joints.dedup();
    let mut seen = Vec::new();
    let mut world = WorldPose::of(clip.skeleton(), clip.frame(0));
    let mut last = world.positions.clone();
    for (frame, pose) in clip.frames().enumerate().skip(1) {
        world.update(clip.skeleton(), pose);
        let went = progress[frame] - progress[frame - 1];
        for &joint in &joints {
            let is_down = |f: usize| spans::is_down(contacts, joint, f);
            if went > 0.0 && is_down(frame) && is_down(frame - 1) {
                let moved = turn(up, -headings[frame]) * (world.positions[joint] - last[joint]);
                seen.push(Seen {
                    joint,
                    progress: 0.5 * (progress[frame] + progress[frame - 1]),
                    rate: moved / went,
                });
            }
        }
        last.clone_from(&world.positions);
    }
    seen
}

/// The median of each coordinate: one take that is about to step while the others stand does not count.
fn middle(rates: &[Vec3]) -> Option<Vec3> {
    let last = rates.len().checked_sub(1)?;
    Some(Vec3::from_fn(|axis, _| {
        let mut values: Vec<f64> = rates.iter().map(|rate| rate[axis]).collect();
        values.sort_by(f64::total_cmp);
        0.5 * (values[last / 2] + values[last.div_ceil(2)])
    }))
}

/// Smoothed; where nothing stands nothing moves.
fn averaged(table: &[Option<Vec3>], deviation: f64, motion_type: MotionType) -> Vec<Vec3> {
    let ends = match motion_type {
        MotionType::Cyclic => Ends::Wrap,
        MotionType::OneShot | MotionType::Unaligned => Ends::Hold,
    };
    let counts = table.iter().map(|cell| f64::from(u8::from(cell.is_some())));
    let counts = smoothed(&counts.collect::<Vec<f64>>(), deviation, ends);
    let axes: [Vec<f64>; 3] = std::array::from_fn(|axis| {
        let known = table.iter().map(|cell| cell.map_or(0.0, |rate| rate[axis]));
        smoothed(&known.collect::<Vec<f64>>(), deviation, ends)
    });
    (0..table.len())
        .map(|at| Vec3::from_fn(|axis, _| SHARE * axes[axis][at] / counts[at].max(0.05)))
        .collect()
}
