//! A blended action as a clip.

use std::sync::Arc;

use super::cubic::Cubic;
use super::space::{BlendSpace, about_up};
use crate::motion::{Axis, Clip, ClipError, ClipInfo, Contact, Motion, Quat, Vec3, heading};

/// A blended step of time stays within these shares of the examples' shortest and longest: extrapolated timing may
/// not stop or turn back.
const PACE: (f64, f64) = (0.5, 1.5);

/// Where the body stands, and which way it faces, when an action starts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ActionStart {
    /// The body starts above this place of the world; heights are those of the examples.
    pub place: Vec3,
    /// Radians about up; zero faces [`heading::forward`].
    pub heading_rad: f64,
}

impl ActionStart {
    /// Over the origin, facing forward.
    pub fn at_origin() -> Self {
        Self {
            place: Vec3::zeros(),
            heading_rad: 0.0,
        }
    }

    /// The world from left, up and forward of an action that starts here.
    pub fn world_from_action(&self, up: Axis, point: &Vec3) -> Vec3 {
        let flat = self.place - up.vector() * up.along(&self.place);
        let seen =
            heading::left(up) * point.x + up.vector() * point.y + heading::forward(up) * point.z;
        flat + heading::turn(up, self.heading_rad) * seen
    }

    /// Left, up and forward of an action that starts here, from the world.
    pub fn action_from_world(&self, up: Axis, point: &Vec3) -> Vec3 {
        let flat = self.place - up.vector() * up.along(&self.place);
        let seen = heading::turn(up, -self.heading_rad) * (point - flat);
        Vec3::new(
            seen.dot(&heading::left(up)),
            up.along(&seen),
            seen.dot(&heading::forward(up)),
        )
    }
}

/// When a blend is at which phase.
#[derive(Debug, Clone, PartialEq)]
struct Timeline {
    /// One for each frame.
    phases: Vec<f64>,
    effect_frame: usize,
}

impl Timeline {
    /// Times of the examples blended; the moment of effect and the end fall on whole frames, and what that shifts, by
    /// half a frame at most, is spread smoothly.
    fn new(space: &BlendSpace, weights: &[f64], effect: usize, fps: f64) -> Self {
        let seconds = blended_seconds(space, weights);
        let end_secs = seconds[seconds.len() - 1];
        let last = ((end_secs * fps).round() as usize).max(1);
        let effect_frame = ((seconds[effect] * fps).round() as usize).min(last);
        let knots = [
            (0, 0.0),
            (effect_frame, seconds[effect] - effect_frame as f64 / fps),
            (last, end_secs - last as f64 / fps),
        ];
        let mut before = 0;
        let phases = (0..=last)
            .map(|frame| {
                if frame == effect_frame {
                    return effect as f64;
                }
                let (from, to) = if frame < effect_frame {
                    (knots[0], knots[1])
                } else {
                    (knots[1], knots[2])
                };
                let share = (frame - from.0) as f64 / (to.0 - from.0) as f64;
                let eased = share * share * (3.0 - 2.0 * share);
                let time = frame as f64 / fps + from.1 + (to.1 - from.1) * eased;
                while before + 2 < seconds.len() && seconds[before + 1] <= time {
                    before += 1;
                }
                let length = seconds[before + 1] - seconds[before];
                let part = if length > 0.0 {
                    ((time - seconds[before]) / length).clamp(0.0, 1.0)
                } else {
                    0.0
                };
                before as f64 + part
            })
            .collect();
        Self {
            phases,
            effect_frame,
        }
    }
}

fn blended_seconds(space: &BlendSpace, weights: &[f64]) -> Vec<f64> {
    let k = space.n_examples;
    let mut seconds = vec![0.0; space.n_phases];
    for phase in 1..space.n_phases {
        let now = &space.seconds[phase * k..][..k];
        let before = &space.seconds[(phase - 1) * k..][..k];
        let (mut sum, mut least, mut most) = (0.0, f64::INFINITY, 0.0_f64);
        for ((now, before), weight) in now.iter().zip(before).zip(weights) {
            let step = now - before;
            sum += step * weight;
            least = least.min(step);
            most = most.max(step);
        }
        seconds[phase] = seconds[phase - 1] + sum.clamp(PACE.0 * least, PACE.1 * most);
    }
    seconds
}

/// The clip that a set of weights gives.
pub(super) struct BlendedAction {
    pub(super) clip: Clip,
    pub(super) effect_frame: usize,
}

/// The blend of all examples, beginning at `start`.
pub(super) fn make(
    space: &BlendSpace,
    weights: &[f64],
    effect: usize,
    fps: f64,
    start: &ActionStart,
    info: ClipInfo,
) -> Result<BlendedAction, ClipError> {
    let skeleton = &space.skeleton;
    let n_joints = skeleton.n_joints();
    let way = space.way(weights);
    let blended: Vec<Quat> = (0..space.n_phases)
        .flat_map(|phase| (0..n_joints).map(move |joint| space.rotation(phase, joint, weights)))
        .collect();
    let timeline = Timeline::new(space, weights, effect, fps);
    let up = info.up;
    let (above_place, above_turn) = space.above;
    let from_above = above_turn.inverse();
    let world_turn = heading::turn(up, start.heading_rad) * space.world_from_action;
    let mut motion = Motion::with_capacity(skeleton, 1.0 / fps, timeline.phases.len());
    for &phase in &timeline.phases {
        let cubic = Cubic::at(phase, space.n_phases);
        for (slot, &joint) in skeleton.translating().iter().enumerate() {
            motion.translations.push(if joint == space.carrier {
                let place = cubic.vector(|p| way[p].0);
                from_above * (start.world_from_action(up, &place) - above_place)
            } else {
                cubic.vector(|p| space.translation(p, slot, weights))
            });
        }
        for joint in 0..n_joints {
            let rotation = cubic.rotation(|p| blended[p * n_joints + joint]);
            motion.rotations.push(if joint == space.carrier {
                let turned = about_up(cubic.number(|p| way[p].1));
                let local = from_above * world_turn * turned * rotation;
                Quat::new_normalize(local.into_inner())
            } else {
                rotation
            });
        }
    }
    let contacts = contacts(space, weights, &timeline.phases);
    let clip = Clip::new(info, Arc::clone(skeleton), motion)?.with_contacts(contacts)?;
    Ok(BlendedAction {
        clip,
        effect_frame: timeline.effect_frame,
    })
}

/// A joint is in contact where examples of more than half of the weight are.
fn contacts(space: &BlendSpace, weights: &[f64], phases: &[f64]) -> Vec<Contact> {
    let k = space.n_examples;
    let mut contacts: Vec<Contact> = Vec::new();
    for foot_contact in &space.foot_contacts {
        let mut from = None;
        for (frame, phase) in phases.iter().map(Some).chain([None]).enumerate() {
            let is_down = phase.is_some_and(|&phase| {
                let at = Cubic::at(phase, space.n_phases).nearest() * k;
                let down = foot_contact.is_down[at..][..k].iter().zip(weights);
                down.filter(|(d, _)| **d).map(|(_, w)| w).sum::<f64>() > 0.5
            });
            match (is_down, from) {
                (true, None) => from = Some(frame),
                (false, Some(start)) => {
                    contacts.push(Contact {
                        joint: foot_contact.joint,
                        frames: start..frame,
                    });
                    from = None;
                }
                _ => {}
            }
        }
    }
    contacts
}
