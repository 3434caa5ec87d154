//! Constraints on a pose: a hand at a position, a foot flat on the floor, the head turned towards a target.
//!
//! Every constraint becomes a few residuals that are zero when it is met, and their derivatives by small moves of the
//! joints. Residuals are divided by their tolerance, so that constraints and the style's cost are in the same unit:
//! standard deviations.

use nalgebra::Matrix3;

use crate::motion::{JacobianBlock, Move, Quat, Site, Skeleton, Vec3, WorldPose, jacobian};

/// How strictly a constraint is met.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ConstraintMode {
    /// Kept in the list, without effect.
    Free,
    /// Weighed against the style. A weight of 1 lets go by about a centimetre (of a body of 1.7 m); 100 by a
    /// millimetre.
    Soft(f64),
    /// Met within a millimetre if the body can reach it, else as nearly as it can.
    Hard,
}

/// What a constraint asks of a joint or end site.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// The site is at this place in the world.
    Position(Vec3),
    /// The joint that carries the site is turned so: world from joint.
    Orientation(Quat),
    /// An axis of the carrying joint, in its own space, points from the site to a place in the world.
    LookAt {
        /// In the joint's space; any length but zero.
        axis: Vec3,
        /// The position in world space that is looked at.
        target: Vec3,
    },
    /// The site is somewhere on a ray, as from a click into a picture.
    Ray {
        /// Where the ray starts, the camera's eye.
        origin: Vec3,
        /// Any length but zero.
        direction: Vec3,
    },
    /// The site is somewhere on a plane: a foot that may slide on the floor.
    Plane {
        /// Any point of it.
        point: Vec3,
        /// Any length but zero.
        normal: Vec3,
    },
}

/// One constraint on a joint or end site.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Constraint {
    /// The joint or end site that is constrained.
    pub site: Site,
    /// Where it should be.
    pub goal: Goal,
    /// Whether it is free, soft or hard.
    pub mode: ConstraintMode,
}

/// A constraint that means nothing.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ConstraintError {
    /// There is no such joint or end site.
    #[error("constraint {index}: the skeleton has no site {site:?}")]
    Site {
        /// Place in the list, from 0.
        index: usize,
        /// The joint or end site that was given.
        site: Site,
    },
    /// A number is infinite or not a number.
    #[error("the constraint on \"{site}\" holds a number that is not finite")]
    NotFinite {
        /// Name of the constrained joint or end site.
        site: String,
    },
    /// A direction has no length.
    #[error("the {what} of the constraint on \"{site}\" has no length")]
    NoDirection {
        /// Name of the constrained joint or end site.
        site: String,
        /// Axis, direction or normal.
        what: &'static str,
    },
    /// A weight that is not over zero.
    #[error("the weight of the constraint on \"{site}\" must be over zero, found {weight}")]
    Weight {
        /// Name of the constrained joint or end site.
        site: String,
        /// The weight that was given.
        weight: f64,
    },
}

impl Constraint {
    /// A site held exactly at a place.
    pub fn pin(site: Site, place: Vec3) -> Self {
        Self {
            site,
            goal: Goal::Position(place),
            mode: ConstraintMode::Hard,
        }
    }

    /// Checks that it can be meant.
    fn check(&self, index: usize, skeleton: &Skeleton) -> Result<(), ConstraintError> {
        let exists = match self.site {
            Site::Joint(joint) => joint < skeleton.n_joints(),
            Site::End(end) => end < skeleton.ends().len(),
        };
        if !exists {
            let site = self.site;
            return Err(ConstraintError::Site { index, site });
        }
        let site = || skeleton.site_name(self.site);
        let direction = |v: &Vec3, what: &'static str| {
            // Squares of tiny lengths vanish; their largest coordinate does not.
            if v.amax() > 0.0 {
                Ok(())
            } else {
                Err(ConstraintError::NoDirection { site: site(), what })
            }
        };
        let numbers: Vec<f64> = match &self.goal {
            Goal::Position(place) => place.iter().copied().collect(),
            Goal::Orientation(turn) => turn.coords.iter().copied().collect(),
            Goal::LookAt { axis: a, target: b }
            | Goal::Ray {
                origin: b,
                direction: a,
            }
            | Goal::Plane {
                point: b,
                normal: a,
            } => a.iter().chain(b.iter()).copied().collect(),
        };
        // The square of a coordinate is taken everywhere: it has to be finite, too.
        if numbers.iter().any(|x| !(x * x).is_finite()) {
            return Err(ConstraintError::NotFinite { site: site() });
        }
        match &self.goal {
            Goal::Position(_) | Goal::Orientation(_) => {}
            Goal::LookAt { axis, .. } => direction(axis, "axis")?,
            Goal::Ray { direction: d, .. } => direction(d, "direction")?,
            Goal::Plane { normal, .. } => direction(normal, "normal")?,
        }
        match self.mode {
            ConstraintMode::Soft(weight) if !(weight > 0.0 && weight.is_finite()) => {
                Err(ConstraintError::Weight {
                    site: site(),
                    weight,
                })
            }
            _ => Ok(()),
        }
    }

    /// How far the constraint is from being granted: a length, or an angle in radians.
    pub fn error(&self, skeleton: &Skeleton, world: &WorldPose) -> f64 {
        let (r, n) = self.residual(skeleton, world);
        r.iter().take(n).map(|x| x * x).sum::<f64>().sqrt()
    }

    /// Whether [`Self::error`] is an angle.
    pub fn is_angle(&self) -> bool {
        matches!(self.goal, Goal::Orientation(_) | Goal::LookAt { .. })
    }

    /// The number of residuals of the goal.
    fn n_rows(&self) -> usize {
        match self.goal {
            Goal::Position(_) | Goal::Orientation(_) | Goal::LookAt { .. } => 3,
            Goal::Ray { .. } => 2,
            Goal::Plane { .. } => 1,
        }
    }

    /// Up to three numbers that are zero at the goal.
    fn residual(&self, skeleton: &Skeleton, world: &WorldPose) -> ([f64; 3], usize) {
        let at = world.site(skeleton, self.site);
        let turn = &world.rotations[skeleton.carrier(self.site)];
        let r = match &self.goal {
            Goal::Position(place) => at - place,
            Goal::Orientation(wanted) => (turn * wanted.inverse()).scaled_axis(),
            Goal::LookAt { axis, target } => match unit(&(target - at)) {
                Some(there) => turn * axis.normalize() - there,
                None => Vec3::zeros(),
            },
            Goal::Ray { origin, direction } => {
                let [a, b] = across(direction);
                let off = at - origin;
                Vec3::new(a.dot(&off), b.dot(&off), 0.0)
            }
            Goal::Plane { point, normal } => {
                Vec3::new(normal.normalize().dot(&(at - point)), 0.0, 0.0)
            }
        };
        (r.into(), self.n_rows())
    }

    /// Rows by which the residual answers to one small move; three columns.
    fn rows(&self, skeleton: &Skeleton, world: &WorldPose, block: &JacobianBlock) -> Matrix3<f64> {
        let turn = &world.rotations[skeleton.carrier(self.site)];
        match &self.goal {
            Goal::Position(_) => block.position,
            Goal::Orientation(wanted) => {
                let r = (turn * wanted.inverse()).scaled_axis();
                inverse_left_jacobian(&r) * block.orientation
            }
            Goal::LookAt { axis, target } => {
                let way = target - world.site(skeleton, self.site);
                let Some(there) = unit(&way) else {
                    return Matrix3::zeros();
                };
                let pointing = turn * axis.normalize();
                let across = Matrix3::identity() - there * there.transpose();
                -pointing.cross_matrix() * block.orientation + across * block.position / way.norm()
            }
            Goal::Ray { direction, .. } => {
                let [a, b] = across(direction);
                let zero = Vec3::zeros().transpose();
                Matrix3::from_rows(&[a.transpose(), b.transpose(), zero]) * block.position
            }
            Goal::Plane { normal, .. } => {
                let zero = Vec3::zeros().transpose();
                Matrix3::from_rows(&[normal.normalize().transpose(), zero, zero]) * block.position
            }
        }
    }
}

/// Of length one, unless it has none.
fn unit(v: &Vec3) -> Option<Vec3> {
    v.try_normalize(f64::MIN_POSITIVE)
}

/// Two directions that are square to one direction and to each other.
pub(super) fn across(direction: &Vec3) -> [Vec3; 2] {
    let d = direction.normalize();
    let mut least = Vec3::zeros();
    least[d.iamin()] = 1.0;
    let a = d.cross(&least).normalize();
    [a, d.cross(&a)]
}

/// How the rotation vector `r` answers to a small turn in the world before it: the inverse of the left Jacobian of
/// SO(3).
pub(super) fn inverse_left_jacobian(r: &Vec3) -> Matrix3<f64> {
    let angle = r.norm();
    let skew = r.cross_matrix();
    // (1/a^2 - (1 + cos a) / (2 a sin a)), whose series begins 1/12 + a^2/720.
    let quadratic = if angle < 1e-3 {
        1.0 / 12.0 + angle * angle / 720.0
    } else {
        let half = 0.5 * angle;
        (1.0 - half / half.tan()) / (angle * angle)
    };
    Matrix3::identity() - 0.5 * skew + quadratic * skew * skew
}

/// Lengths that depend on how large the body is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerances {
    /// One millimetre of a body of 1.7 m.
    pub millimetre: f64,
}

impl Tolerances {
    /// For a body of this height.
    pub fn of_height(height: f64) -> Self {
        Self {
            millimetre: height / 1700.0,
        }
    }

    /// The standard deviation of a constraint, in the goal's own unit; `None` for a free one.
    ///
    /// Hard goals count as 1 mm while the style is being asked (a centimetre doubled the error on real clips) and are
    /// met exactly afterwards. An angle of 0.01 rad moves a hand's tip by about that much.
    fn sigma(self, constraint: &Constraint) -> Option<f64> {
        let unit = if constraint.is_angle() {
            0.01
        } else {
            self.millimetre
        };
        match constraint.mode {
            ConstraintMode::Free => None,
            ConstraintMode::Soft(weight) => Some(10.0 * unit / weight.sqrt()),
            ConstraintMode::Hard => Some(unit),
        }
    }
}

/// All constraints at one pose: residuals over tolerance, and their rows. Buffers are kept between calls.
#[derive(Debug, Clone, Default)]
pub(super) struct ConstraintRows {
    /// Unknowns: three for each joint's turn, then three for the root's place.
    pub(super) n_cols: usize,
    /// Residuals over tolerance, one per row.
    pub(super) residuals: Vec<f64>,
    /// One row of `n_cols` after another, over tolerance.
    pub(super) matrix: Vec<f64>,
}

impl ConstraintRows {
    /// Empties the list for a skeleton of so many joints.
    pub(super) fn clear(&mut self, n_joints: usize) {
        self.n_cols = 3 * (n_joints + 1);
        self.residuals.clear();
        self.matrix.clear();
    }
}

/// Which joint places the body, and which joints above it stay as they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Placing {
    /// The joint whose turn is the body's.
    pub(super) carrier: usize,
    /// The carrier, or the nearest joint above it with a translation.
    pub(super) mover: usize,
    /// For each joint whether it stands still above the carrier.
    pub(super) is_locked: Vec<bool>,
}

impl Placing {
    /// For a body carried by this joint.
    pub(super) fn new(skeleton: &Skeleton, carrier: usize) -> Self {
        let mut is_locked = vec![false; skeleton.n_joints()];
        for joint in skeleton.ancestors(carrier).skip(1) {
            is_locked[joint] = true;
        }
        let mover = skeleton
            .ancestors(carrier)
            .find(|&j| skeleton.translation_slot(j).is_some())
            .unwrap_or(0);
        Self {
            carrier,
            mover,
            is_locked,
        }
    }

    /// Where a pose keeps the body's place.
    pub(super) fn slot(&self, skeleton: &Skeleton) -> usize {
        skeleton.translation_slot(self.mover).unwrap_or(0)
    }
}

/// The constraints for one pose of one skeleton, checked.
#[derive(Debug, Clone, Copy)]
pub(super) struct ConstraintSet<'a> {
    pub(super) skeleton: &'a Skeleton,
    pub(super) placing: &'a Placing,
    pub(super) list: &'a [Constraint],
    pub(super) tolerances: Tolerances,
}

impl<'a> ConstraintSet<'a> {
    /// Refuses what means nothing.
    pub(super) fn new(
        skeleton: &'a Skeleton,
        placing: &'a Placing,
        list: &'a [Constraint],
        tolerances: Tolerances,
    ) -> Result<Self, ConstraintError> {
        for (index, constraint) in list.iter().enumerate() {
            constraint.check(index, skeleton)?;
        }
        Ok(Self {
            skeleton,
            placing,
            list,
            tolerances,
        })
    }

    /// Half the sum of squared residuals over tolerance.
    pub(super) fn cost(&self, world: &WorldPose) -> f64 {
        let each = self.list.iter().filter_map(|c| {
            let sigma = self.tolerances.sigma(c)?;
            let (r, n) = c.residual(self.skeleton, world);
            Some(r[..n].iter().map(|x| (x / sigma).powi(2)).sum::<f64>())
        });
        0.5 * each.sum::<f64>()
    }

    /// Residuals and rows of all constraints, or of the hard ones alone.
    pub(super) fn fill(&self, world: &WorldPose, only_hard: bool, rows: &mut ConstraintRows) {
        rows.clear(self.skeleton.n_joints());
        for constraint in self.list {
            if only_hard && constraint.mode != ConstraintMode::Hard {
                continue;
            }
            let Some(sigma) = self.tolerances.sigma(constraint) else {
                continue;
            };
            self.add(constraint, sigma, world, rows);
        }
    }

    fn add(
        &self,
        constraint: &Constraint,
        sigma: f64,
        world: &WorldPose,
        rows: &mut ConstraintRows,
    ) {
        let (r, n) = constraint.residual(self.skeleton, world);
        let first = rows.matrix.len();
        rows.residuals.extend(r[..n].iter().map(|x| x / sigma));
        rows.matrix.resize(first + n * rows.n_cols, 0.0);
        let place = 3 * self.skeleton.n_joints();
        for block in jacobian(self.skeleton, world, constraint.site) {
            let column = match block.cause {
                Move::Turn(joint) if !self.placing.is_locked[joint] => 3 * joint,
                Move::Shift(joint) if joint == self.placing.mover => place,
                Move::Turn(_) | Move::Shift(_) => continue,
            };
            let m = constraint.rows(self.skeleton, world, &block);
            for row in 0..n {
                let at = first + row * rows.n_cols + column;
                for k in 0..3 {
                    rows.matrix[at + k] = m[(row, k)] / sigma;
                }
            }
        }
    }

    /// The summed squares of the errors of the hard constraints, in the same unit.
    pub(super) fn hard_squares(&self, world: &WorldPose) -> f64 {
        let hard = self.list.iter().filter(|c| c.mode == ConstraintMode::Hard);
        hard.map(|c| {
            let sigma = self.tolerances.sigma(c).unwrap_or(1.0);
            (c.error(self.skeleton, world) / sigma).powi(2)
        })
        .sum()
    }

    /// The largest error of the hard constraints, in millimetres (or their angular equal).
    pub(super) fn worst_hard(&self, world: &WorldPose) -> f64 {
        let hard = self.list.iter().filter(|c| c.mode == ConstraintMode::Hard);
        hard.map(|c| {
            let sigma = self.tolerances.sigma(c).unwrap_or(1.0);
            c.error(self.skeleton, world) / sigma
        })
        .fold(0.0, f64::max)
    }
}
