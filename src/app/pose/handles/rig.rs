//! What can be taken hold of on a body: hands, feet, head, hips, elbows, knees, chest, and whatever was added.

use crate::document::Posed;
use crate::motion::heading::{forward, left};
use crate::motion::{Axis, Body, Pose, Side, Site, Skeleton, Vec3, WorldPose};

/// Which part of the body a handle moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum HandlePart {
    /// The head, by its tip.
    Head,
    /// Where the arms meet the spine.
    Chest,
    /// Where the legs meet the spine.
    Hips,
    /// The wrist of one side.
    Hand(Side),
    /// The elbow of one side.
    Elbow(Side),
    /// The knee of one side.
    Knee(Side),
    /// The ankle of one side.
    Foot(Side),
    /// Any other joint or end.
    Other,
}

impl HandlePart {
    /// As the window calls it, such as "left hand"; none for what has no name of its own.
    fn name(self) -> Option<String> {
        let (side, word) = match self {
            Self::Head => return Some("head".to_owned()),
            Self::Chest => return Some("chest".to_owned()),
            Self::Hips => return Some("hips".to_owned()),
            Self::Hand(side) => (side, "hand"),
            Self::Elbow(side) => (side, "elbow"),
            Self::Knee(side) => (side, "knee"),
            Self::Foot(side) => (side, "foot"),
            Self::Other => return None,
        };
        let side = match side {
            Side::Left => "left ",
            Side::Right => "right ",
            Side::Middle => "",
        };
        Some(format!("{side}{word}"))
    }
}

/// A handle that a body has from the start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RigHandle {
    /// Where on the body.
    pub site: Site,
    /// The part of the body that it moves.
    pub part: HandlePart,
    /// "left hand", or the joint's own name.
    pub name: String,
}

/// The handles of a body, and what is needed to move them sensibly.
#[derive(Debug, Clone)]
pub struct BodyHandles {
    handles: Vec<RigHandle>,
    body: Body,
    hips: usize,
}

impl BodyHandles {
    /// Reads the landmarks of a skeleton. One without any has a handle on every end, so that something can be dragged.
    pub fn of(skeleton: &Skeleton) -> Self {
        /// A skeleton that is no body may have thousands of ends.
        const MOST_ENDS: usize = 24;
        let body = Body::of(skeleton);
        let hips = meeting(skeleton, body.legs.iter().map(|leg| leg.upper)).unwrap_or(0);
        let chest = meeting(skeleton, body.arms.iter().map(|arm| arm.upper));
        let mut parts: Vec<(HandlePart, usize)> = vec![(HandlePart::Hips, hips)];
        parts.extend(body.head.map(|joint| (HandlePart::Head, joint)));
        parts.extend(chest.map(|joint| (HandlePart::Chest, joint)));
        for arm in &body.arms {
            parts.push((HandlePart::Hand(arm.side), arm.end));
            parts.push((HandlePart::Elbow(arm.side), arm.middle));
        }
        for leg in &body.legs {
            parts.push((HandlePart::Foot(leg.side), leg.end));
            parts.push((HandlePart::Knee(leg.side), leg.middle));
        }
        if parts.len() < 3 {
            let tips = (0..skeleton.n_joints()).filter(|j| skeleton.children(*j).next().is_none());
            parts.extend(tips.take(MOST_ENDS).map(|joint| (HandlePart::Other, joint)));
        }
        let mut handles: Vec<RigHandle> = Vec::with_capacity(parts.len());
        for (part, joint) in parts {
            let site = Site::Joint(joint);
            if handles.iter().all(|other| other.site != site) {
                let name = part.name().unwrap_or_else(|| skeleton.site_name(site));
                handles.push(RigHandle { site, part, name });
            }
        }
        Self {
            handles,
            body,
            hips,
        }
    }

    /// The handles that the body has from the start.
    pub fn handles(&self) -> &[RigHandle] {
        &self.handles
    }

    /// Landmarks of the skeleton: feet, hands, knees.
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// The joint that carries the legs.
    pub fn hips(&self) -> usize {
        self.hips
    }

    /// All handles of a character: those of the body, then those that were added.
    pub fn handles_of(&self, posed: &Posed) -> Vec<RigHandle> {
        let own = |site: Site| self.handles.iter().any(|handle| handle.site == site);
        let added = posed.pins.iter().filter(|pin| !own(pin.site));
        let added = added.map(|pin| RigHandle {
            site: pin.site,
            part: HandlePart::Other,
            name: posed.skeleton.site_name(pin.site),
        });
        self.handles.iter().cloned().chain(added).collect()
    }

    /// What the animator calls a place on the body.
    pub fn name_of(&self, skeleton: &Skeleton, site: Site) -> String {
        let own = self.handles.iter().find(|handle| handle.site == site);
        own.map_or_else(|| skeleton.site_name(site), |handle| handle.name.clone())
    }

    /// The same place on the other side of the body; itself in the middle. Ends have no partner.
    pub fn partner(&self, site: Site) -> Site {
        match site {
            Site::Joint(joint) => {
                Site::Joint(self.body.mirror.get(joint).copied().unwrap_or(joint))
            }
            Site::End(_) => site,
        }
    }

    /// Whether it is a foot: what stands on the floor.
    pub fn is_foot(&self, site: Site) -> bool {
        let handles = self.handles.iter();
        handles
            .filter(|handle| handle.site == site)
            .any(|handle| matches!(handle.part, HandlePart::Foot(_)))
    }

    /// The horizontal direction that the body faces: square to the line between its hips, or else its shoulders.
    pub fn facing(&self, world: &WorldPose, up: Axis) -> Vec3 {
        let across = |limbs: &[crate::motion::Limb]| {
            let of = |side: Side| limbs.iter().find(|limb| limb.side == side);
            let (left, right) = (of(Side::Left)?, of(Side::Right)?);
            let across = world.positions[left.upper] - world.positions[right.upper];
            // Left, turned a quarter about up, is ahead.
            let ahead = across.cross(&up.vector());
            ahead.try_normalize(1e-9)
        };
        across(&self.body.legs)
            .or_else(|| across(&self.body.arms))
            .unwrap_or_else(|| forward(up))
    }

    /// The same as a heading: radians about up from forward.
    pub fn heading_rad(&self, world: &WorldPose, up: Axis) -> f64 {
        let facing = self.facing(world, up);
        facing.dot(&left(up)).atan2(facing.dot(&forward(up)))
    }
}

/// The height of the lowest part of a foot: ankle, toes, ends.
pub fn lowest_of_foot(skeleton: &Skeleton, world: &WorldPose, up: Axis, ankle: usize) -> f64 {
    let is_foot = |site: &Site| {
        let carrier = skeleton.carrier(*site);
        carrier == ankle || skeleton.ancestors(carrier).any(|above| above == ankle)
    };
    let foot = skeleton.sites().filter(is_foot);
    let heights = foot.map(|site| up.along(&world.site(skeleton, site)));
    heights.fold(f64::INFINITY, f64::min)
}

/// How high over its sole an ankle is when the foot is flat: the usual height over the lowest part of the same foot.
pub fn ankle_height<'a>(
    skeleton: &Skeleton,
    up: Axis,
    ankle: usize,
    poses: impl Iterator<Item = &'a Pose>,
) -> f64 {
    let mut heights: Vec<f64> = poses
        .map(|pose| {
            let world = WorldPose::of(skeleton, pose.as_ref());
            let lowest = lowest_of_foot(skeleton, &world, up, ankle);
            up.along(&world.positions[ankle]) - lowest
        })
        .filter(|height| height.is_finite())
        .collect();
    heights.sort_by(f64::total_cmp);
    heights.get(heights.len() / 2).copied().unwrap_or(0.0)
}

/// The lowest joint above all of these.
fn meeting(skeleton: &Skeleton, joints: impl Iterator<Item = usize>) -> Option<usize> {
    let mut common: Option<Vec<usize>> = None;
    for joint in joints {
        let above: Vec<usize> = skeleton.ancestors(joint).filter(|a| *a != joint).collect();
        common = Some(match common {
            None => above,
            Some(before) => before.into_iter().filter(|a| above.contains(a)).collect(),
        });
    }
    common.and_then(|above| above.into_iter().max())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::{Action, make};
    use crate::motion::PoseRef;
    use crate::motion::heading::turn;

    #[test]
    fn a_body_has_its_handles_and_partners() {
        let clip = make(Action::Walk, 1, 0).clip;
        let rig = BodyHandles::of(clip.skeleton());
        let names: Vec<&str> = rig.handles().iter().map(|h| h.name.as_str()).collect();
        for wanted in [
            "hips",
            "head",
            "chest",
            "left hand",
            "right hand",
            "left elbow",
            "left foot",
            "right knee",
        ] {
            assert!(names.contains(&wanted), "{wanted} of {names:?}");
        }
        let site = |name: &str| rig.handles().iter().find(|h| h.name == name).unwrap().site;
        assert_eq!(rig.partner(site("left hand")), site("right hand"));
        assert_eq!(rig.partner(site("head")), site("head"));
        assert!(rig.is_foot(site("left foot")), "it stands");
        assert!(!rig.is_foot(site("left hand")), "it does not");
    }

    #[test]
    fn facing_turns_with_the_body() {
        let clip = make(Action::Walk, 1, 0).clip;
        let rig = BodyHandles::of(clip.skeleton());
        let up = clip.info.up;
        let mut pose = clip.frame(0).to_pose();
        let world = WorldPose::of(clip.skeleton(), pose.as_ref());
        let before = rig.heading_rad(&world, up);
        pose.rotations[0] = turn(up, 0.8) * pose.rotations[0];
        let world = WorldPose::of(clip.skeleton(), pose.as_ref());
        let turned = rig.heading_rad(&world, up) - before;
        assert!((turned - 0.8).abs() < 1e-9, "turned by {turned}");
        assert!(before.abs() < 0.4, "demo clips face forward, not {before}");
    }

    #[test]
    fn ankles_are_a_hand_over_the_sole() {
        let clip = make(Action::Walk, 1, 0).clip;
        let rig = BodyHandles::of(clip.skeleton());
        let poses: Vec<Pose> = clip.frames().map(PoseRef::to_pose).collect();
        let ankle = rig.body().legs[0].end;
        let height = ankle_height(clip.skeleton(), clip.info.up, ankle, poses.iter());
        let tall = crate::motion::body::height(&clip);
        assert!((0.0..0.12 * tall).contains(&height), "{height} of {tall}");
    }
}
