//! A skeleton in one pose, seen as a body of which nothing is known yet.

use crate::motion::{Axis, PoseRef, Skeleton, Vec3, WorldPose};

/// Where all joints are, with up and size known.
#[derive(Debug, Clone)]
pub(super) struct Figure<'a> {
    pub skeleton: &'a Skeleton,
    pub world: WorldPose,
    pub up: Axis,
    /// The lowest place of the body along up.
    floor: f64,
    /// From there to the highest place; over zero.
    pub height: f64,
}

impl<'a> Figure<'a> {
    /// `None` for a body without any extent along up.
    pub(super) fn new(skeleton: &'a Skeleton, pose: PoseRef<'_>, up: Axis) -> Option<Self> {
        let world = WorldPose::of(skeleton, pose);
        let levels = skeleton
            .sites()
            .filter(|&site| skeleton.n_joints() == 1 || skeleton.carrier(site) != 0)
            .map(|site| up.along(&world.site(skeleton, site)));
        let (floor, top) = levels.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), level| {
            (low.min(level), high.max(level))
        });
        let height = top - floor;
        (height > 0.0 && height.is_finite()).then_some(Self {
            skeleton,
            world,
            up,
            floor,
            height,
        })
    }

    pub(super) fn at(&self, joint: usize) -> Vec3 {
        self.world.positions[joint]
    }

    /// Height of a joint above the lowest place, as a share of the body's height.
    pub(super) fn level(&self, joint: usize) -> f64 {
        (self.up.along(&self.at(joint)) - self.floor) / self.height
    }

    /// Distance of two joints as a share of the body's height.
    pub(super) fn apart(&self, a: usize, b: usize) -> f64 {
        (self.at(a) - self.at(b)).norm() / self.height
    }

    /// Whether one joint carries the other, or is it.
    pub(super) fn carries(&self, upper: usize, lower: usize) -> bool {
        self.skeleton.ancestors(lower).any(|a| a == upper)
    }

    /// The lowest joint that carries both.
    pub(super) fn common(&self, a: usize, b: usize) -> usize {
        let mut above = self.skeleton.ancestors(a);
        above.find(|&j| self.carries(j, b)).unwrap_or(0)
    }

    /// Joints strictly below `upper` down to `lower`, upper ones first; empty if `upper` does not carry it.
    pub(super) fn path(&self, upper: usize, lower: usize) -> Vec<usize> {
        if !self.carries(upper, lower) {
            return Vec::new();
        }
        let below = self.skeleton.ancestors(lower).take_while(|&j| j != upper);
        let mut path: Vec<usize> = below.collect();
        path.reverse();
        path
    }
}
