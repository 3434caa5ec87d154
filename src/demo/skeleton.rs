//! The body of the demo motions: a person of 1.75 m with natural proportions.
//!
//! Segment lengths are shares of the height from Drillis and Contini (1966), as printed in Winter, *Biomechanics and
//! Motor Control of Human Movement*. Hip and shoulder widths are those of the joint centres, which lie inside the
//! outer breadths of that table. Centimetres, Y up, facing +Z, left is +X; at rest the arms are spread, palms down.

use std::sync::{Arc, LazyLock};

use crate::motion::{Channels, EndSite, Joint, RotationOrder, Skeleton, Vec3};

/// From the floor to the top of the head.
pub(super) const HEIGHT_CM: f64 = 175.0;
/// Hip to knee: 0.530 - 0.285 of the height.
pub(super) const THIGH_CM: f64 = 0.245 * HEIGHT_CM;
/// Knee to ankle: 0.285 - 0.039 of the height.
pub(super) const SHANK_CM: f64 = 0.246 * HEIGHT_CM;
/// Ankle above the floor.
pub(super) const ANKLE_CM: f64 = 0.039 * HEIGHT_CM;
/// Shoulder to elbow. The table has 0.186 from the top of the shoulder; this is from the centre of the joint.
pub(super) const UPPER_ARM_CM: f64 = 0.172 * HEIGHT_CM;
/// Length from elbow to wrist.
pub(super) const FOREARM_CM: f64 = 0.146 * HEIGHT_CM;
/// Length from wrist to fingertips.
const HAND_CM: f64 = 0.108 * HEIGHT_CM;
/// The ball's joint above the sole.
pub(super) const BALL_CM: f64 = 2.0;
/// The hip joints below the root.
pub(super) const HIP_DROP_CM: f64 = 4.0;
/// The root's height when standing straight.
pub(super) const ROOT_CM: f64 = THIGH_CM + SHANK_CM + ANKLE_CM + HIP_DROP_CM;
/// From the ankle to the ball of the foot, where the toes begin.
pub(super) const ANKLE_TO_BALL: [f64; 3] = [0.0, BALL_CM - ANKLE_CM, 0.075 * HEIGHT_CM];
/// From the ankle to the sole under the heel.
pub(super) const ANKLE_TO_HEEL: [f64; 3] = [0.0, -ANKLE_CM, -0.029 * HEIGHT_CM];

/// The left or right side of the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

impl Side {
    pub(super) const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// +1 on the left, towards +X.
    pub(super) const fn sign(self) -> f64 {
        match self {
            Self::Left => 1.0,
            Self::Right => -1.0,
        }
    }

    pub(super) const fn index(self) -> usize {
        self as usize
    }
}

/// Where each joint stands in the skeleton; limbs by their side.
pub(super) mod joint {
    use super::Side;

    pub(crate) const HIPS: usize = 0;
    pub(crate) const SPINE: usize = 1;
    pub(crate) const CHEST: usize = 3;
    pub(crate) const NECK: usize = 4;
    pub(crate) const HEAD: usize = 5;

    pub(crate) const fn clavicle(side: Side) -> usize {
        6 + 4 * side.index()
    }

    pub(crate) const fn thigh(side: Side) -> usize {
        14 + 4 * side.index()
    }
}

/// The skeleton of every demo clip; always the same one.
pub fn skeleton() -> Arc<Skeleton> {
    static SKELETON: LazyLock<Arc<Skeleton>> = LazyLock::new(|| Arc::new(build()));
    Arc::clone(&SKELETON)
}

fn build() -> Skeleton {
    let turning = Channels::rotation(RotationOrder::ZXY);
    let mut joints = vec![Joint {
        name: "Hips".to_owned(),
        parent: None,
        offset: Vec3::new(0.0, ROOT_CM, 0.0),
        channels: Channels::position_and_rotation(RotationOrder::ZXY),
    }];
    let mut add = |name: String, parent: usize, offset: [f64; 3]| {
        joints.push(Joint {
            name,
            parent: Some(parent),
            offset: Vec3::from(offset),
            channels: turning,
        });
        joints.len() - 1
    };
    let trunk = [
        ("Spine", [0.0, 8.5, -1.0]),
        ("Spine1", [0.0, 13.0, -1.0]),
        ("Spine2", [0.0, 13.0, 0.0]),
        ("Neck", [0.0, 18.5, 0.5]),
        ("Head", [0.0, 9.0, 2.0]),
    ];
    for (parent, (name, offset)) in trunk.into_iter().enumerate() {
        add(name.to_owned(), parent, offset);
    }
    for side in Side::BOTH {
        let out = side.sign();
        let clavicle = add(
            format!("{side:?}Shoulder"),
            joint::CHEST,
            [2.5 * out, 11.0, 3.0],
        );
        let arm = add(format!("{side:?}Arm"), clavicle, [15.0 * out, 0.5, -2.5]);
        let forearm = add(
            format!("{side:?}ForeArm"),
            arm,
            [UPPER_ARM_CM * out, 0.0, 0.0],
        );
        add(
            format!("{side:?}Hand"),
            forearm,
            [FOREARM_CM * out, 0.0, 0.0],
        );
    }
    for side in Side::BOTH {
        let hip = [8.8 * side.sign(), -HIP_DROP_CM, 0.0];
        let thigh = add(format!("{side:?}UpLeg"), joint::HIPS, hip);
        let shank = add(format!("{side:?}Leg"), thigh, [0.0, -THIGH_CM, 0.0]);
        let foot = add(format!("{side:?}Foot"), shank, [0.0, -SHANK_CM, 0.0]);
        add(format!("{side:?}ToeBase"), foot, ANKLE_TO_BALL);
    }
    let mut ends = vec![EndSite {
        joint: joint::HEAD,
        offset: Vec3::new(0.0, 17.0, 0.0),
    }];
    for side in Side::BOTH {
        ends.push(EndSite {
            joint: joint::clavicle(side) + 3,
            offset: Vec3::new(HAND_CM * side.sign(), 0.0, 0.0),
        });
        ends.push(EndSite {
            joint: joint::thigh(side) + 3,
            offset: Vec3::new(0.0, 1.0 - BALL_CM, 6.5),
        });
    }
    Skeleton::new(joints, ends)
        .expect("parents were added before their children, with finite offsets")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::{Pose, Site, WorldPose};

    #[test]
    fn a_person_of_natural_proportions() {
        let s = skeleton();
        let world = WorldPose::of(&s, Pose::rest(&s).as_ref());
        let at = |name: &str| world.site(&s, s.find_site(name).unwrap());
        assert!(
            (at("Head_end").y - HEIGHT_CM).abs() < 1.5,
            "{}",
            at("Head_end").y
        );
        assert!(
            (at("LeftFoot").y - ANKLE_CM).abs() < 1e-9,
            "ankles at their height"
        );
        // Shoulder height is 0.818 of the height in Winter's table, arm span about the height.
        assert!(
            (at("LeftArm").y / HEIGHT_CM - 0.818).abs() < 0.01,
            "shoulder"
        );
        let span = at("LeftHand_end").x - at("RightHand_end").x;
        assert!((span / HEIGHT_CM - 1.0).abs() < 0.08, "span {span}");
        for site in s.sites() {
            let name = s.site_name(site);
            if let Some(rest) = name.strip_prefix("Left") {
                let mut mirrored = at(&format!("Right{rest}"));
                mirrored.x = -mirrored.x;
                assert!((mirrored - at(&name)).norm() < 1e-12, "{name}");
            }
        }
        assert!(
            matches!(s.find_site("LeftToeBase_end"), Some(Site::End(_))),
            "toes end"
        );
        assert_eq!(s.joints()[joint::CHEST].name, "Spine2");
        assert_eq!(s.joints()[joint::thigh(Side::Right) + 2].name, "RightFoot");
        assert_eq!(
            s.joints()[joint::clavicle(Side::Right) + 1].name,
            "RightArm"
        );
    }
}
