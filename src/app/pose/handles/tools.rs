//! What animators do to a pose beside dragging: mirror, flip, copy, paste, reset, turn single joints, pin.

use std::sync::Arc;

use crate::app::pose::handles::rig::BodyHandles;
use crate::app::pose::handles::targets::{HeldHandles, turned};
use crate::app::pose::poses::pose_of;
use crate::app::pose::state::PoseWorkspace;
use crate::app::pose::{Figure, pin_at};
use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::messages::Severity;
use crate::app::shell::retarget::pose::pose_onto;
use crate::document::{Command, Pin, PinMode, Posed};
use crate::motion::{Pose, Quat, Side, Site, Skeleton, WorldPose};
use crate::style::solve::{copied, mirrored};

impl PoseWorkspace {
    /// Changes the active character in one step; `change` may refuse, with words.
    pub fn change_posed(
        &mut self,
        shell: &mut Shell,
        what: &str,
        change: impl FnOnce(&mut Posed, &Figure) -> Result<(), String>,
    ) {
        self.finish_grab(shell);
        let Some((id, posed)) = self.posed_now(shell) else {
            return;
        };
        let Some(figure) = self.figure(&posed.skeleton).cloned() else {
            return;
        };
        let mut posed = Posed::clone(&posed);
        match change(&mut posed, &figure) {
            Ok(()) => {
                self.edit(
                    shell,
                    Command::ChangePosed {
                        what: what.to_owned(),
                        id,
                        posed: Arc::new(posed),
                    },
                );
            }
            Err(why) => shell.say(Severity::Warning, why),
        }
    }

    /// Lets the body find its most natural pose near this one, with everything that is pinned held.
    pub fn relax_pose(&mut self, shell: &mut Shell) {
        if self.begin_grab(shell, HeldHandles::default(), "relax") {
            self.move_held(shell, &[], &[]);
            self.end_grab(shell);
        }
    }

    /// Left and right change places, pins with them.
    pub fn flip_pose(&mut self, shell: &mut Shell) {
        self.change_posed(shell, "flip", |posed, figure| {
            let pose = flipped(posed, &figure.rig)?;
            let partner = |site| figure.rig.partner(site);
            let pins: Vec<Pin> = posed
                .pins
                .iter()
                .map(|pin| Pin {
                    site: partner(pin.site),
                    ..*pin
                })
                .collect();
            posed.pose = pose;
            posed.pins.clear();
            for pin in pins {
                posed.set_pin(pin);
            }
            retarget(posed);
            Ok(())
        });
    }

    /// One side becomes the mirror image of the other: of the one that is selected, or else of the left.
    pub fn mirror_pose(&mut self, shell: &mut Shell) {
        let selected = self.handles.selected.clone();
        self.change_posed(shell, "mirror", |posed, figure| {
            let body = figure.rig.body();
            let skeleton = Arc::clone(&posed.skeleton);
            let side = |site: &Site| body.side[skeleton.carrier(*site)];
            let is_right = selected.iter().any(|site| side(site) == Side::Right)
                && !selected.iter().any(|site| side(site) == Side::Left);
            let from = if is_right { Side::Right } else { Side::Left };
            let image = flipped(posed, &figure.rig)?;
            for (joint, on) in body.side.iter().enumerate() {
                if *on == from.opposite() {
                    posed.pose.rotations[joint] = image.rotations[joint];
                }
            }
            retarget(posed);
            Ok(())
        });
    }

    /// Remembers the pose of the active character.
    pub fn copy_pose(&mut self, cx: &mut UiContext) {
        if let Some((_, posed)) = self.posed_now(cx) {
            self.handles.copied = Some(posed);
            cx.say(Severity::Info, "pose copied");
        }
    }

    /// Gives the active character the pose that was copied, where it stands; also from another body.
    pub fn paste_pose(&mut self, shell: &mut Shell) {
        let Some(source) = self.handles.copied.clone() else {
            shell.say(Severity::Info, "no pose was copied yet");
            return;
        };
        let maps = shell.bone_maps.clone();
        self.change_posed(shell, "paste a pose to", |posed, figure| {
            let (from, to) = (pose_of(&source), pose_of(posed));
            let is_one_kind = from.skeleton.same_structure(to.skeleton) && from.up == to.up;
            let pose = if source.skeleton == posed.skeleton && from.up == to.up {
                source.pose.clone()
            } else if is_one_kind {
                copied(from.skeleton, from.pose.as_ref(), to.skeleton)
                    .map_err(|error| error.to_string())?
            } else {
                pose_onto(&maps, from, to).map_err(|error| error.to_string())?
            };
            // On its own spot and turned its own way, unless it is the same character.
            posed.pose = if posed.name == source.name {
                pose
            } else {
                placed_as(posed, &figure.rig, &pose)
            };
            retarget(posed);
            Ok(())
        });
    }

    /// Puts the selected joints, or all of them, back as the skeleton has them at rest; the body stays where it is.
    pub fn reset_pose(&mut self, shell: &mut Shell) {
        let selected = self.handles.selected.clone();
        let what = if selected.is_empty() {
            "reset"
        } else {
            "reset joints of"
        };
        self.change_posed(shell, what, |posed, figure| {
            let skeleton = Arc::clone(&posed.skeleton);
            let hips = figure.rig.hips();
            let above =
                |joint: usize| joint == hips || skeleton.ancestors(hips).any(|a| a == joint);
            let joints: Vec<usize> = if selected.is_empty() {
                (0..skeleton.n_joints())
                    .filter(|joint| !above(*joint))
                    .collect()
            } else {
                selected
                    .iter()
                    .map(|site| skeleton.carrier(*site))
                    .collect()
            };
            for joint in joints {
                posed.pose.rotations[joint] = Quat::identity();
            }
            retarget(posed);
            Ok(())
        });
    }

    /// The next pin mode for the place of all selected handles, or for their turn.
    pub fn cycle_pins(&mut self, shell: &mut Shell, of_turn: bool) {
        let selected = self.handles.selected.clone();
        let Some(first) = selected.first().copied() else {
            shell.say(Severity::Info, "select handles first, then pin them");
            return;
        };
        let Some((_, posed)) = self.posed_now(shell) else {
            return;
        };
        let mode = |pin: &Pin| if of_turn { pin.rotation } else { pin.position };
        let next = posed
            .pin(first)
            .map_or(PinMode::Soft, |pin| mode(pin).next());
        self.set_pins(
            shell,
            &selected.into_iter().collect::<Vec<_>>(),
            of_turn,
            next,
        );
    }

    /// Pins handles where they are.
    pub fn set_pins(&mut self, shell: &mut Shell, sites: &[Site], of_turn: bool, mode: PinMode) {
        let what = match mode {
            PinMode::Free => "free handles of",
            PinMode::Soft => "pin handles softly of",
            PinMode::Hard => "pin handles hard of",
        };
        self.change_posed(shell, what, |posed, figure| {
            let world = WorldPose::of(&posed.skeleton, posed.pose.as_ref());
            for site in sites {
                let mut pin = pin_at(posed, &world, *site);
                if of_turn {
                    pin.rotation = mode;
                    pin.turn = world.rotations[posed.skeleton.carrier(*site)];
                } else {
                    pin.position = mode;
                    pin.place = world.site(&posed.skeleton, *site);
                }
                let is_own = figure
                    .rig
                    .handles()
                    .iter()
                    .any(|handle| handle.site == *site);
                let is_free = pin.position == PinMode::Free && pin.rotation == PinMode::Free;
                if is_own && is_free {
                    posed.remove_pin(*site);
                } else {
                    posed.set_pin(pin);
                }
            }
            Ok(())
        });
    }

    /// Puts a handle on a joint that has none, or takes away one that was added.
    pub fn toggle_handle(&mut self, shell: &mut Shell, site: Site) {
        self.change_posed(shell, "change handles of", |posed, figure| {
            if figure
                .rig
                .handles()
                .iter()
                .any(|handle| handle.site == site)
            {
                return Ok(());
            }
            if posed.pin(site).is_some() {
                posed.remove_pin(site);
            } else {
                let world = WorldPose::of(&posed.skeleton, posed.pose.as_ref());
                let pin = pin_at(posed, &world, site);
                posed.set_pin(pin);
            }
            Ok(())
        });
    }
}

/// Pins hold where the body is now.
pub fn retarget(posed: &mut Posed) {
    let world = WorldPose::of(&posed.skeleton, posed.pose.as_ref());
    let skeleton = Arc::clone(&posed.skeleton);
    for pin in &mut posed.pins {
        pin.place = world.site(&skeleton, pin.site);
        pin.turn = world.rotations[skeleton.carrier(pin.site)];
    }
}

/// Left and right swapped, over the same spot and facing the same way.
pub fn flipped(posed: &Posed, rig: &BodyHandles) -> Result<Pose, String> {
    let image = mirrored(&posed.skeleton, posed.up, posed.pose.as_ref());
    let image = image.map_err(|error| error.to_string())?;
    Ok(placed_as(posed, rig, &image))
}

/// A pose turned as the character is turned, with its hips over the same spot.
fn placed_as(posed: &Posed, rig: &BodyHandles, pose: &Pose) -> Pose {
    let (skeleton, up) = (&*posed.skeleton, posed.up);
    let now = WorldPose::of(skeleton, posed.pose.as_ref());
    let made = WorldPose::of(skeleton, pose.as_ref());
    let by = rig.heading_rad(&now, up) - rig.heading_rad(&made, up);
    let mut pose = turned(pose, up, by);
    let made = WorldPose::of(skeleton, pose.as_ref());
    let way = now.positions[rig.hips()] - made.positions[rig.hips()];
    pose.translations[0] += way - up.vector() * up.along(&way);
    pose
}

/// One joint turned so in the world, everything below it carried along.
pub fn turn_joint(skeleton: &Skeleton, pose: &mut Pose, joint: usize, world_turn: &Quat) {
    let world = WorldPose::of(skeleton, pose.as_ref());
    let above = skeleton.joints()[joint].parent;
    let above = above.map_or(Quat::identity(), |parent| world.rotations[parent]);
    pose.rotations[joint] = above.inverse() * world_turn;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::{Action, make};

    fn walker() -> (Posed, BodyHandles) {
        let clip = make(Action::Walk, 1, 0).clip;
        let mut pose = clip.frame(12).to_pose();
        pose.rotations[0] = crate::motion::heading::turn(clip.info.up, 0.7) * pose.rotations[0];
        let rig = BodyHandles::of(clip.skeleton());
        let posed = Posed {
            name: "walker".to_owned(),
            skeleton: Arc::clone(clip.skeleton()),
            up: clip.info.up,
            floor: 0.0,
            pose,
            pins: Vec::new(),
            styles: Vec::new(),
        };
        (posed, rig)
    }

    #[test]
    fn flipping_twice_is_nothing_and_once_swaps_the_hands() {
        let (posed, rig) = walker();
        let once = Posed {
            pose: flipped(&posed, &rig).unwrap(),
            ..posed.clone()
        };
        let twice = flipped(&once, &rig).unwrap();
        let world = |pose: &Pose| WorldPose::of(&posed.skeleton, pose.as_ref());
        let (before, middle, after) = (world(&posed.pose), world(&once.pose), world(&twice));
        let tall = 1.7;
        for (a, b) in before.positions.iter().zip(&after.positions) {
            assert!((a - b).norm() < 1e-6 * tall, "{a} became {b}");
        }
        let turned = rig.heading_rad(&middle, posed.up) - rig.heading_rad(&before, posed.up);
        assert!(turned.abs() < 1e-9, "it turned by {turned}");
        let hands: Vec<usize> = rig.body().arms.iter().map(|arm| arm.end).collect();
        let up = |world: &WorldPose, joint: usize| posed.up.along(&world.positions[joint]);
        let off = up(&before, hands[0]) - up(&middle, hands[1]);
        assert!(off.abs() < 1e-6, "the hands are not swapped: {off}");
    }

    #[test]
    fn one_joint_turns_and_nothing_above_it() {
        let (posed, rig) = walker();
        let elbow = rig.body().arms[0].middle;
        let before = WorldPose::of(&posed.skeleton, posed.pose.as_ref());
        let wanted = Quat::from_scaled_axis(crate::motion::Vec3::new(0.3, 0.1, -0.4))
            * before.rotations[elbow];
        let mut pose = posed.pose.clone();
        turn_joint(&posed.skeleton, &mut pose, elbow, &wanted);
        let after = WorldPose::of(&posed.skeleton, pose.as_ref());
        assert!(after.rotations[elbow].angle_to(&wanted) < 1e-12, "as asked");
        assert_eq!(before.positions[elbow], after.positions[elbow]);
        let hand = rig.body().arms[0].end;
        assert!(
            (before.positions[hand] - after.positions[hand]).norm() > 1e-3,
            "the hand goes along"
        );
    }
}
