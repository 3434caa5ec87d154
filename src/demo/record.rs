//! From moments to a clip, with the contacts that were planned.

use std::collections::BTreeSet;

use super::body::{Moment, assemble};
use super::feet::Foot;
use super::skeleton::{Side, joint, skeleton};
use crate::motion::{Clip, ClipInfo, Contact, Motion, Pose};

/// Frames a second of all demo clips.
pub const FPS: f64 = 60.0;

/// Samples `n_frames` moments from `from_secs` on.
pub(super) fn record(
    name: String,
    tags: &[&str],
    from_secs: f64,
    n_frames: usize,
    moment_at: impl Fn(f64) -> Moment,
) -> Clip {
    let skeleton = skeleton();
    let n_frames = n_frames.max(1);
    let mut motion = Motion::with_capacity(&skeleton, 1.0 / FPS, n_frames);
    let mut pose = Pose::rest(&skeleton);
    let mut planted = Planted::default();
    for frame in 0..n_frames {
        let moment = moment_at(from_secs + frame as f64 / FPS);
        assemble(&skeleton, &moment, &mut pose);
        motion.push(pose.as_ref());
        planted.note(frame, &moment.feet, moment.lifts.map(|lift| lift.weight));
    }
    let mut info = ClipInfo::named(name);
    info.tags = tags
        .iter()
        .map(|&tag| tag.to_owned())
        .collect::<BTreeSet<_>>();
    info.history = vec!["made from a recipe of this program".to_owned()];
    let clip = Clip::new(info, skeleton, motion);
    let clip = clip.and_then(|clip| clip.with_contacts(planted.contacts(n_frames)));
    clip.expect("recipes give whole, finite poses and contacts inside them; tests make all of them")
}

/// Which soles and balls stand since when.
#[derive(Default)]
struct Planted {
    since: [Option<usize>; 4],
    done: Vec<Contact>,
}

impl Planted {
    fn note(&mut self, frame: usize, feet: &[Foot; 2], lifted: [f64; 2]) {
        for side in Side::BOTH {
            let i = side.index();
            let on_floor = lifted[i] == 0.0;
            let ankle = joint::thigh(side) + 2;
            self.set(2 * i, ankle, frame, on_floor && feet[i].sole_planted);
            self.set(
                2 * i + 1,
                ankle + 1,
                frame,
                on_floor && feet[i].ball_planted,
            );
        }
    }

    fn set(&mut self, slot: usize, joint: usize, frame: usize, stands: bool) {
        match (stands, self.since[slot]) {
            (true, None) => self.since[slot] = Some(frame),
            (false, Some(from)) => {
                self.since[slot] = None;
                self.done.push(Contact {
                    joint,
                    frames: from..frame,
                });
            }
            _ => {}
        }
    }

    fn contacts(mut self, n_frames: usize) -> Vec<Contact> {
        for side in Side::BOTH {
            let ankle = joint::thigh(side) + 2;
            self.set(2 * side.index(), ankle, n_frames, false);
            self.set(2 * side.index() + 1, ankle + 1, n_frames, false);
        }
        self.done
    }
}
