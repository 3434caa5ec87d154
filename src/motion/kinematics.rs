//! Forward kinematics: from joint rotations to places in the world, and how those change with small turns.

use nalgebra::Matrix3;

use super::{PoseRef, Quat, Site, Skeleton, Vec3};

/// Where every joint is in the world. Keep one and call [`Self::update`] for each frame: it allocates nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct WorldPose {
    /// World position of each joint.
    pub positions: Vec<Vec3>,
    /// One per joint: world from joint.
    pub rotations: Vec<Quat>,
}

impl WorldPose {
    /// The pose, carried out from the root.
    pub fn of(skeleton: &Skeleton, pose: PoseRef<'_>) -> Self {
        let n = skeleton.n_joints();
        let mut world = Self {
            positions: vec![Vec3::zeros(); n],
            rotations: vec![Quat::identity(); n],
        };
        world.update(skeleton, pose);
        world
    }

    /// Carries out another pose of the same skeleton.
    pub fn update(&mut self, skeleton: &Skeleton, pose: PoseRef<'_>) {
        self.positions[0] = pose.translations[0];
        self.rotations[0] = pose.rotations[0];
        for joint in 1..skeleton.n_joints() {
            self.update_joint(skeleton, pose, joint);
        }
    }

    /// Carries out another pose for some joints only; the others stay as they were. `joints` are those of
    /// [`Skeleton::with_ancestors`].
    pub fn update_some(&mut self, skeleton: &Skeleton, pose: PoseRef<'_>, joints: &[usize]) {
        self.positions[0] = pose.translations[0];
        self.rotations[0] = pose.rotations[0];
        for &joint in joints.iter().skip_while(|&&joint| joint == 0) {
            self.update_joint(skeleton, pose, joint);
        }
    }

    fn update_joint(&mut self, skeleton: &Skeleton, pose: PoseRef<'_>, idx: usize) {
        let joint = &skeleton.joints()[idx];
        let parent = joint.parent.expect("only the root has no parent");
        let local = match skeleton.translation_slot(idx) {
            Some(slot) => &pose.translations[slot],
            None => &joint.offset,
        };
        let world_from_parent = self.rotations[parent];
        self.positions[idx] = self.positions[parent] + world_from_parent * local;
        self.rotations[idx] = world_from_parent * pose.rotations[idx];
    }

    /// World position of a joint or end site.
    pub fn site(&self, skeleton: &Skeleton, site: Site) -> Vec3 {
        match site {
            Site::Joint(joint) => self.positions[joint],
            Site::End(end) => {
                let end = &skeleton.ends()[end];
                self.positions[end.joint] + self.rotations[end.joint] * end.offset
            }
        }
    }
}

/// World position and rotation of the last joint of a chain that begins with the root, without carrying out the rest
/// of the body.
pub(super) fn end_of_chain(
    skeleton: &Skeleton,
    chain: &[usize],
    pose: PoseRef<'_>,
) -> (Vec3, Quat) {
    let (mut position, mut rotation) = (Vec3::zeros(), Quat::identity());
    for &joint in chain {
        let local = match skeleton.translation_slot(joint) {
            Some(slot) => pose.translations[slot],
            None => skeleton.joints()[joint].offset,
        };
        position += rotation * local;
        rotation *= pose.rotations[joint];
    }
    (position, rotation)
}

/// A small change of one joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// `rotation <- rotation * exp(v)`: a turn by `v`, in the joint's own axes.
    Turn(usize),
    /// `translation <- translation + v`, in the parent's axes; only for joints that translate.
    Shift(usize),
}

/// How a site answers to one small move: three columns of the Jacobian.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JacobianBlock {
    /// The joint and the kind of move that the columns are derivatives by.
    pub cause: Move,
    /// Change of the site's world position per unit of the move.
    pub position: Matrix3<f64>,
    /// Change of the carrying joint's world orientation (as a rotation vector in the world) per unit of the move.
    pub orientation: Matrix3<f64>,
}

/// The analytic Jacobian of one site: a block for each joint between it and the root. All other joints leave it
/// where it is.
pub fn jacobian<'a>(
    skeleton: &'a Skeleton,
    world: &'a WorldPose,
    site: Site,
) -> impl Iterator<Item = JacobianBlock> + 'a {
    let target = world.site(skeleton, site);
    let chain = skeleton.ancestors(skeleton.carrier(site));
    chain.flat_map(move |joint| {
        // A world turn w of the joint moves the site by w x arm, and w = R v for a turn v in the joint's axes.
        let axes = world.rotations[joint].to_rotation_matrix().into_inner();
        let arm = target - world.positions[joint];
        let turn = JacobianBlock {
            cause: Move::Turn(joint),
            position: -arm.cross_matrix() * axes,
            orientation: axes,
        };
        let shift = skeleton.translation_slot(joint).map(|_| JacobianBlock {
            cause: Move::Shift(joint),
            position: match skeleton.joints()[joint].parent {
                None => Matrix3::identity(),
                Some(parent) => world.rotations[parent].to_rotation_matrix().into_inner(),
            },
            orientation: Matrix3::zeros(),
        });
        std::iter::once(turn).chain(shift)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::{Channels, EndSite, Joint, Pose, RotationOrder};

    fn arm() -> Skeleton {
        let joint = |name: &str, parent, offset: [f64; 3], channels| Joint {
            name: name.to_owned(),
            parent,
            offset: Vec3::from(offset),
            channels,
        };
        let turn = Channels::rotation(RotationOrder::ZXY);
        let free = Channels::position_and_rotation(RotationOrder::ZXY);
        Skeleton::new(
            vec![
                joint("hips", None, [0.0; 3], free),
                joint("chest", Some(0), [0.1, 3.0, 0.2], turn),
                joint("shoulder", Some(1), [1.0, 0.5, 0.0], free),
                joint("other", Some(1), [-1.0, 0.5, 0.0], turn),
                joint("hand", Some(2), [2.5, 0.0, 0.3], turn),
            ],
            vec![EndSite {
                joint: 4,
                offset: Vec3::new(0.8, 0.1, -0.1),
            }],
        )
        .unwrap()
    }

    fn some_pose(skeleton: &Skeleton) -> Pose {
        let mut pose = Pose::rest(skeleton);
        for (idx, q) in pose.rotations.iter_mut().enumerate() {
            let t = idx as f64 + 1.0;
            *q = Quat::from_scaled_axis(Vec3::new(t.sin(), (2.0 * t).cos(), 0.3 * t));
        }
        pose.translations[0] = Vec3::new(4.0, -1.0, 2.0);
        pose
    }

    #[test]
    fn a_rest_pose_adds_up_the_offsets() {
        let s = arm();
        let world = WorldPose::of(&s, Pose::rest(&s).as_ref());
        let hand = Vec3::new(3.6, 3.5, 0.5);
        assert!(
            (world.positions[4] - hand).norm() < 1e-12,
            "hand at {:?}",
            world.positions[4]
        );
        let tip = world.site(&s, Site::End(0)) - hand;
        assert!((tip - s.ends()[0].offset).norm() < 1e-12, "tip at {tip:?}");
    }

    #[test]
    fn the_jacobian_agrees_with_finite_differences() {
        let s = arm();
        let pose = some_pose(&s);
        let world = WorldPose::of(&s, pose.as_ref());
        let h = 1e-6;
        for site in s.sites() {
            let carrier = s.carrier(site);
            let blocks: Vec<_> = jacobian(&s, &world, site).collect();
            let all_moves = (0..s.n_joints())
                .map(Move::Turn)
                .chain(s.translating().iter().map(|&j| Move::Shift(j)));
            for cause in all_moves {
                for axis in 0..3 {
                    let moved = |step: f64| {
                        let mut v = Vec3::zeros();
                        v[axis] = step;
                        let mut pose = pose.clone();
                        match cause {
                            Move::Turn(j) => pose.rotations[j] *= Quat::from_scaled_axis(v),
                            Move::Shift(j) => {
                                pose.translations[s.translation_slot(j).unwrap()] += v;
                            }
                        }
                        WorldPose::of(&s, pose.as_ref())
                    };
                    let (plus, minus) = (moved(h), moved(-h));
                    let position = (plus.site(&s, site) - minus.site(&s, site)) / (2.0 * h);
                    let turn = plus.rotations[carrier] * minus.rotations[carrier].inverse();
                    let orientation = turn.scaled_axis() / (2.0 * h);
                    let block = blocks.iter().find(|b| b.cause == cause);
                    let column = |m: fn(&JacobianBlock) -> &Matrix3<f64>| {
                        block.map_or_else(Vec3::zeros, |b| m(b).column(axis).into_owned())
                    };
                    let error = (column(|b| &b.position) - position).norm()
                        + (column(|b| &b.orientation) - orientation).norm();
                    assert!(error < 1e-8, "{site:?} {cause:?} axis {axis}: {error:e}");
                }
            }
        }
    }
}
