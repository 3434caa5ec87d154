//! The whole body follows the feet that stand.
//!
//! A variant's path over the floor is drawn beside its poses and does not quite agree with them: feet slide and swivel.
//! The legs are what the takes look like, so the path gives way: from frame to frame the body is moved and turned along
//! the floor, as one stiff piece, so that what stands hardly moves. That leaves every pose as it was drawn. Turning
//! matters as much as moving: held to its place by a body that faces elsewhere, a foot twists in its ankle, which hardly
//! moves in real motion (in golf swings and throws that alone was most of the distance to the takes).

use std::sync::Arc;

use super::sway::Stance;
use crate::motion::contacts::at_frame::AtFrame;
use crate::motion::heading::turn;
use crate::motion::{Axis, Clip, Quat, Vec3, WorldPose, body};
use crate::variation::error::LearnError;

/// How the body follows is smoothed over this time, so that it does not shake with every frame of a foot.
const FOLLOW_SECS: f64 = 0.05;
/// Where nothing stands any more it stops following within about this time.
const FADE_SECS: f64 = 0.15;
/// Of several feet that are down the body follows the stiller one; those below this speed, in body heights a second,
/// count about alike.
const STILL: f64 = 0.05;
/// A leg may do so much of a slide by itself, in body heights a second. Against this the body's own speeds are weighed: who
/// hardly moves or turns in the takes shall not be dragged about by a foot.
const LEGS_TAKE: f64 = 0.05;

/// What the body was turned by feet is taken back within about this time: where it faces is placed, and small turns must not add up.
const TURN_BACK_SECS: f64 = 0.5;

/// How a body goes by itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::variation) struct Gait {
    /// The joint that carries the body.
    pub(in crate::variation) root: usize,
    /// Standard deviation of its speed along the floor, units a second.
    pub(in crate::variation) speed: f64,
    /// Standard deviation of its turning, radians a second.
    pub(in crate::variation) turn_rate: f64,
}

/// The clip with its whole body moved and turned along the floor so that what stands hardly slides.
pub(in crate::variation) fn body_follows(
    clip: Clip,
    gait: &Gait,
    stance: &Stance,
) -> Result<Clip, LearnError> {
    let root = gait.root;
    let steps = smoothed(&steps(&clip, gait, stance), clip.frame_secs());
    let up = clip.info.up;
    let (info, skeleton) = (clip.info.clone(), Arc::clone(clip.skeleton()));
    let mut world = WorldPose::of(&skeleton, clip.frame(0));
    let mut placed = Placed::default();
    let back = -f64::exp_m1(-clip.frame_secs() / TURN_BACK_SECS);
    let mut moved = Vec::with_capacity(steps.len());
    for (pose, step) in clip.frames().zip(&steps) {
        world.update(&skeleton, pose);
        let step = Step {
            turn_rad: step.turn_rad - back * placed.turn_rad,
            ..*step
        };
        placed = placed.then(up, &step, &world.positions[root]);
        moved.push(placed.local_root(up, &skeleton, &world, root));
    }
    let n = skeleton.translating().len();
    let n_joints = skeleton.n_joints();
    let slot = skeleton.translation_slot(root);
    let mut motion = clip.into_motion();
    for (frame, moved) in moved.into_iter().enumerate() {
        motion.rotations[frame * n_joints + root] = moved.rotation;
        match slot {
            Some(slot) => motion.translations[frame * n + slot] = moved.translation,
            // It cannot move by itself: the skeleton's root, which always can, carries it.
            None => motion.translations[frame * n] += moved.world_shift,
        }
    }
    Ok(Clip::new(info, skeleton, motion).map_err(crate::motion::ChartError::from)?)
}

/// A small motion along the floor: a turn about where the body is, then a shift.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Step {
    turn_rad: f64,
    shift: Vec3,
}

/// Where the body was carried to: every place `x` of the clip is at `turn * x + shift`.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Placed {
    turn_rad: f64,
    shift: Vec3,
}

impl Default for Placed {
    fn default() -> Self {
        Self {
            turn_rad: 0.0,
            shift: Vec3::zeros(),
        }
    }
}

/// The body's root as it is carried.
struct LocalRoot {
    rotation: Quat,
    translation: Vec3,
    world_shift: Vec3,
}

impl Placed {
    /// One frame on: first the step about the body at `center`, then all steps before it.
    fn then(self, up: Axis, step: &Step, center: &Vec3) -> Self {
        let small = turn(up, step.turn_rad);
        let shift = center + step.shift - small * center;
        Self {
            turn_rad: self.turn_rad + step.turn_rad,
            shift: turn(up, self.turn_rad) * shift + self.shift,
        }
    }

    fn local_root(
        &self,
        up: Axis,
        skeleton: &crate::motion::Skeleton,
        world: &WorldPose,
        root: usize,
    ) -> LocalRoot {
        let turned = turn(up, self.turn_rad);
        let position = turned * world.positions[root] + self.shift;
        let world_from_root = turned * world.rotations[root];
        let (above, place_above) = match skeleton.joints()[root].parent {
            Some(parent) => (world.rotations[parent], world.positions[parent]),
            None => (Quat::identity(), Vec3::zeros()),
        };
        LocalRoot {
            rotation: above.inverse() * world_from_root,
            translation: above.inverse() * (position - place_above),
            world_shift: position - world.positions[root],
        }
    }
}

/// By frame, the step that puts what stands back to where it was in the frame before, but for its sway; `None` where nothing stands.
fn steps(clip: &Clip, gait: &Gait, stance: &Stance) -> Vec<Option<Step>> {
    let up = clip.info.up;
    let height = body::height(clip);
    let still = STILL * height * clip.frame_secs();
    let legs = LEGS_TAKE * height;
    let ridge = Ridge {
        shift: (legs / gait.speed).powi(2),
        turn: (legs / gait.turn_rate).powi(2),
    };
    let mut world = WorldPose::of(clip.skeleton(), clip.frame(0));
    let mut last = world.positions.clone();
    let mut steps = Vec::with_capacity(clip.n_frames());
    let flat = |v: Vec3| v - up.vector() * up.along(&v);
    let down = AtFrame::of(&stance.contacts, clip.n_frames());
    for (frame, pose) in clip.frames().enumerate() {
        world.update(clip.skeleton(), pose);
        let points: Vec<(Vec3, Vec3, f64)> = down
            .get(frame)
            .iter()
            .filter(|&&at| frame > stance.contacts[at].frames.start)
            .map(|&at| {
                let joint = stance.contacts[at].joint;
                // What it does in the takes as well is no slide.
                let was = last[joint] + stance.at(at, frame) - stance.at(at, frame - 1);
                let is = world.positions[joint];
                let slide = flat(is - was).norm();
                (flat(was), flat(is), 1.0 / (1.0 + (slide / still).powi(2)))
            })
            .collect();
        let center = flat(world.positions[gait.root]);
        steps.push(back(up, &points, &center, &ridge));
        last.clone_from(&world.positions);
    }
    steps
}

/// What holds a step back, in squared lengths of a point's slide: per squared length of the shift, per squared radian.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Ridge {
    shift: f64,
    turn: f64,
}

/// The stiff motion along the floor that best takes points from where they are to where they were, by weighted ridge
/// regression of a small turn about the body and a shift.
fn back(up: Axis, points: &[(Vec3, Vec3, f64)], center: &Vec3, ridge: &Ridge) -> Option<Step> {
    let total: f64 = points.iter().map(|p| p.2).sum();
    if total <= 0.0 {
        return None;
    }
    // Per point: slide back = turn * arm + shift, with the arm square to the way from the body. The shift is eliminated.
    let (mut arms, mut slides) = (Vec3::zeros(), Vec3::zeros());
    let (mut squares, mut products) = (ridge.turn * total, 0.0);
    for (was, is, weight) in points {
        let (arm, slide) = (up.vector().cross(&(is - center)), was - is);
        arms += arm * *weight;
        slides += slide * *weight;
        squares += weight * arm.norm_squared();
        products += weight * arm.dot(&slide);
    }
    let shifts = total * (1.0 + ridge.shift);
    let turn_rad = (products - arms.dot(&slides) / shifts)
        / (squares - arms.norm_squared() / shifts).max(f64::MIN_POSITIVE);
    Some(Step {
        turn_rad,
        shift: (slides - arms * turn_rad) / shifts,
    })
}

/// Steps smoothed over time, fading out where nothing stands: slowly, for whoever leaves the floor goes on as he went.
fn smoothed(steps: &[Option<Step>], frame_secs: f64) -> Vec<Step> {
    let (near, far) = (
        Bell::new(FOLLOW_SECS / frame_secs),
        Bell::new(FADE_SECS / frame_secs),
    );
    (0..steps.len())
        .map(|frame| {
            let (near, far) = (near.around(steps, frame), far.around(steps, frame));
            let own = near.standing.min(1.0);
            let fade = near.standing.max(far.standing).min(1.0);
            let faded = fade * fade * (3.0 - 2.0 * fade);
            let mixed = |near: f64, far: f64| faded * (own * near + (1.0 - own) * far);
            Step {
                turn_rad: mixed(near.step.turn_rad, far.step.turn_rad),
                shift: near.step.shift.zip_map(&far.step.shift, mixed),
            }
        })
        .collect()
}

/// Weights of frames by how far they are away.
struct Bell(Vec<f64>);

/// The mean step around a frame, and how much of the time around it something stands: 1 for half of it.
struct Around {
    step: Step,
    standing: f64,
}

impl Bell {
    fn new(spread: f64) -> Self {
        let reach = (3.0 * spread).ceil() as usize;
        let weight = |away: usize| (-0.5 * (away as f64 / spread).powi(2)).exp();
        Self((0..=reach).map(weight).collect())
    }

    fn around(&self, steps: &[Option<Step>], frame: usize) -> Around {
        let reach = self.0.len() - 1;
        let (mut turning, mut shift) = (0.0, Vec3::zeros());
        let (mut standing, mut all) = (0.0, 0.0);
        for near in frame.saturating_sub(reach)..(frame + reach + 1).min(steps.len()) {
            let weight = self.0[near.abs_diff(frame)];
            all += weight;
            if let Some(step) = &steps[near] {
                turning += weight * step.turn_rad;
                shift += step.shift * weight;
                standing += weight;
            }
        }
        let per = 1.0 / f64::max(standing, f64::MIN_POSITIVE);
        Around {
            step: Step {
                turn_rad: turning * per,
                shift: shift * per,
            },
            standing: 2.0 * standing / all,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::{Channels, ClipInfo, Contact, EndSite, Joint, Motion, Skeleton};

    const FRAMES: usize = 60;
    const FRAME_SECS: f64 = 1.0 / 60.0;

    fn joint(name: &str, parent: Option<usize>, offset: [f64; 3]) -> Joint {
        Joint {
            name: name.to_owned(),
            parent,
            offset: Vec3::from(offset),
            channels: Channels::NONE,
        }
    }

    /// A stiff body, two points of a foot below it and a head above, that drifts and turns by `drift` and `turning` a frame.
    fn drifting(drift: Vec3, turning: f64) -> Clip {
        let joints = vec![
            joint("Hips", None, [0.0; 3]),
            joint("LeftFoot", Some(0), [0.2, -1.0, 0.0]),
            joint("RightFoot", Some(0), [-0.2, -1.0, 0.1]),
            joint("Head", Some(0), [0.0, 0.8, 0.0]),
        ];
        let end = EndSite {
            joint: 3,
            offset: Vec3::y() * 0.2,
        };
        let skeleton = Arc::new(Skeleton::new(joints, vec![end]).unwrap());
        let mut motion = Motion::with_capacity(&skeleton, FRAME_SECS, FRAMES);
        for frame in 0..FRAMES {
            let along = frame as f64;
            motion.translations.push(Vec3::y() + drift * along);
            motion.rotations.push(turn(Axis::Y, turning * along));
            motion.rotations.extend([Quat::identity(); 3]);
        }
        Clip::new(ClipInfo::named("drift"), skeleton, motion).unwrap()
    }

    fn both_feet(frames: std::ops::Range<usize>) -> Stance {
        let of = |joint| Contact {
            joint,
            frames: frames.clone(),
        };
        Stance::still(&[of(1), of(2)])
    }

    /// How far a joint is from where it was at a frame before.
    fn slid(clip: &Clip, joint: usize, from: usize, to: usize) -> f64 {
        let at = |frame| WorldPose::of(clip.skeleton(), clip.frame(frame)).positions[joint];
        (at(to) - at(from)).norm()
    }

    const FREE: Gait = Gait {
        root: 0,
        speed: 1e3,
        turn_rate: 1e3,
    };

    #[test]
    fn a_body_that_drifts_stands_still_on_its_feet() {
        let clip = drifting(Vec3::new(0.004, 0.0, -0.002), 0.0);
        let before = slid(&clip, 1, 10, 50);
        let still = body_follows(clip, &FREE, &both_feet(0..FRAMES)).unwrap();
        for foot in [1, 2] {
            let after = slid(&still, foot, 10, 50);
            assert!(
                after < 0.02 * before,
                "foot {foot} slides {after} of {before}"
            );
        }
    }

    #[test]
    fn nothing_moves_without_contacts_or_slide() {
        let clip = drifting(Vec3::x() * 0.01, 0.02);
        let same = body_follows(clip.clone(), &FREE, &Stance::still(&[])).unwrap();
        let standing = drifting(Vec3::zeros(), 0.0);
        let stands = body_follows(standing.clone(), &FREE, &both_feet(0..FRAMES)).unwrap();
        for (a, b) in [(&clip, &same), (&standing, &stands)] {
            for joint in 0..4 {
                for frame in 0..FRAMES {
                    let at = |clip: &Clip| WorldPose::of(clip.skeleton(), clip.frame(frame));
                    let apart = (at(a).positions[joint] - at(b).positions[joint]).norm();
                    assert!(apart < 1e-9, "joint {joint} at {frame} moved by {apart}");
                }
            }
        }
    }

    #[test]
    fn a_body_that_hardly_turns_leaves_turning_to_its_legs() {
        let stiff = Gait {
            turn_rate: 1e-3,
            ..FREE
        };
        let turned = |gait: &Gait| {
            let clip = drifting(Vec3::zeros(), 0.01);
            let made = body_follows(clip, gait, &both_feet(0..FRAMES)).unwrap();
            made.frame(0).rotations[0].angle_to(&made.frame(FRAMES - 1).rotations[0])
        };
        let drawn = 0.01 * (FRAMES - 1) as f64;
        // Half a second on, what was turned back is taken back again.
        assert!(turned(&FREE) < 0.65 * drawn, "free to turn back");
        assert!(turned(&stiff) > 0.9 * drawn, "hardly turns");
    }

    #[test]
    fn a_body_below_another_joint_is_moved_in_the_world() {
        let clip = drifting(Vec3::x() * 0.005, 0.0);
        let joints = vec![
            joint("World", None, [0.0; 3]),
            joint("Hips", Some(0), [0.0, 1.0, 0.0]),
            joint("LeftFoot", Some(1), [0.2, -1.0, 0.0]),
            joint("Head", Some(1), [0.0, 0.8, 0.0]),
        ];
        let skeleton = Arc::new(Skeleton::new(joints, Vec::new()).unwrap());
        let mut motion = Motion::with_capacity(&skeleton, FRAME_SECS, FRAMES);
        for frame in 0..FRAMES {
            motion.translations.push(Vec3::x() * 0.005 * frame as f64);
            motion.rotations.push(turn(Axis::Y, 1.0));
            motion.rotations.extend([Quat::identity(); 3]);
        }
        let clip = Clip::new(clip.info.clone(), skeleton, motion).unwrap();
        let gait = Gait { root: 1, ..FREE };
        let foot = [Contact {
            joint: 2,
            frames: 0..FRAMES,
        }];
        let before = slid(&clip, 2, 10, 50);
        let after = slid(
            &body_follows(clip, &gait, &Stance::still(&foot)).unwrap(),
            2,
            10,
            50,
        );
        assert!(after < 0.02 * before, "slides {after} of {before}");
    }
}
