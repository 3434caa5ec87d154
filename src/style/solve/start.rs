//! Where a solve begins: the kept training poses that suit the constraints best, turned and moved to meet them.
//!
//! From the mean pose a solver gets stuck, annealed or not; from a training pose that nearly fits it does not. For
//! every kept pose the best heading and place follow in closed form: constraints are linear in the cosine and sine of
//! the heading and in the place, so the place is eliminated, and what is left is a curve over one angle.

use nalgebra::{Matrix2, Matrix2x3, Matrix3, Vector2};

use super::constraint::{Constraint, ConstraintMode, Goal, Placing, across};
use crate::motion::{Pose, PoseRef, Quat, Skeleton, Vec3, WorldPose};

/// A kept pose, carried out once.
#[derive(Debug, Clone)]
pub(super) struct StartPose {
    pub(super) pose: Pose,
    pub(super) world: WorldPose,
}

/// How a candidate suits the constraints best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct StartFit {
    /// Mean squared distance from the constraints, in squared units of length.
    pub(super) cost: f64,
    pub(super) turn_rad: f64,
    pub(super) shift: Vec3,
}

/// A direction constraint that is off by one radian counts like a place that is off by a third of the body.
const RADIAN_IN_HEIGHTS: f64 = 0.3;
/// Angles that are tried before the best of them is refined.
const ANGLES: usize = 16;

/// Squared residuals as a function of cosine, sine and place.
#[derive(Debug, Default, Clone, Copy)]
struct Squares {
    angle: Matrix2<f64>,
    mixed: Matrix2x3<f64>,
    place: Matrix3<f64>,
    angle_right: Vector2<f64>,
    place_right: Vec3,
    constant: f64,
    n_rows: f64,
}

impl Squares {
    /// One residual: `a . (cos, sin) + n . place + c`.
    fn add(&mut self, a: Vector2<f64>, n: &Vec3, c: f64) {
        self.angle += a * a.transpose();
        self.mixed += a * n.transpose();
        self.place += n * n.transpose();
        self.angle_right += a * c;
        self.place_right += n * c;
        self.constant += c * c;
        self.n_rows += 1.0;
    }
}

/// The heading and place at which a candidate comes nearest to the constraints.
pub(super) fn fit(
    skeleton: &Skeleton,
    candidate: &StartPose,
    constraints: &[Constraint],
    up: &Vec3,
    height: f64,
) -> StartFit {
    let mut squares = Squares::default();
    for constraint in constraints
        .iter()
        .filter(|w| w.mode != ConstraintMode::Free)
    {
        add_constraint(
            &mut squares,
            skeleton,
            &candidate.world,
            constraint,
            up,
            height,
        );
    }
    let mut fit = squares.best(height);
    fit.cost += behind(skeleton, candidate, constraints, up, &fit);
    fit
}

fn add_constraint(
    squares: &mut Squares,
    skeleton: &Skeleton,
    world: &WorldPose,
    constraint: &Constraint,
    up: &Vec3,
    height: f64,
) {
    let at = world.site(skeleton, constraint.site);
    // Turned about up, a vector v becomes its part along up, plus cos times its flat part, plus sin times up x v.
    let parts = |v: &Vec3| {
        let along = up * up.dot(v);
        (along, v - along, up.cross(v))
    };
    let mut place = |n: &Vec3, target: &Vec3| {
        let (along, flat, side) = parts(&at);
        let a = Vector2::new(n.dot(&flat), n.dot(&side));
        squares.add(a, n, n.dot(&(along - target)));
    };
    match &constraint.goal {
        Goal::Position(target) => {
            for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
                place(&axis, target);
            }
        }
        Goal::Ray { origin, direction } => {
            for axis in across(direction) {
                place(&axis, origin);
            }
        }
        Goal::Plane { point, normal } => place(&normal.normalize(), point),
        Goal::Orientation(wanted) => {
            let turn = world.rotations[skeleton.carrier(constraint.site)];
            for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
                let (along, flat, side) = parts(&(turn * axis));
                let target = wanted * axis;
                for k in 0..3 {
                    let a = Vector2::new(flat[k], side[k]) * (RADIAN_IN_HEIGHTS * height);
                    let c = (along[k] - target[k]) * (RADIAN_IN_HEIGHTS * height);
                    squares.add(a, &Vec3::zeros(), c);
                }
            }
        }
        // Where to look depends on the place that is still sought; the solver turns the head.
        Goal::LookAt { .. } => {}
    }
}

impl Squares {
    fn best(&self, height: f64) -> StartFit {
        if self.n_rows == 0.0 {
            return StartFit {
                cost: 0.0,
                turn_rad: 0.0,
                shift: Vec3::zeros(),
            };
        }
        // Directions of the place that no constraint speaks of stay as they are.
        let ridge = Matrix3::identity() * (1e-9 * (self.place.trace() + 1e-12));
        let inverse = (self.place + ridge)
            .try_inverse()
            .unwrap_or_else(Matrix3::zeros);
        let quadratic = self.angle - self.mixed * inverse * self.mixed.transpose();
        let linear = self.angle_right - self.mixed * inverse * self.place_right;
        let constant = self.constant - self.place_right.dot(&(inverse * self.place_right));
        let value = |angle: f64| {
            let u = Vector2::new(angle.cos(), angle.sin());
            u.dot(&(quadratic * u)) + 2.0 * linear.dot(&u) + constant
        };
        let step = std::f64::consts::TAU / ANGLES as f64;
        let coarse = (0..ANGLES)
            .map(|i| i as f64 * step)
            .min_by(|a, b| value(*a).total_cmp(&value(*b)))
            .unwrap_or(0.0);
        let angle = golden_section(&value, coarse - step, coarse + step);
        // A constraint for one site leaves the heading open: keep it as it is.
        let spread = quadratic.norm() + linear.norm();
        let angle = if spread <= 1e-9 * (constant.abs() + height * height) {
            0.0
        } else {
            angle
        };
        let u = Vector2::new(angle.cos(), angle.sin());
        StartFit {
            cost: value(angle).max(0.0) / self.n_rows,
            turn_rad: angle,
            shift: -(inverse * (self.mixed.transpose() * u + self.place_right)),
        }
    }
}

/// The lowest point of a curve with one valley between two angles, to a thousandth of a radian.
fn golden_section(value: &impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    const SHARE: f64 = 0.618_033_988_749_895;
    while high - low > 1e-3 {
        let (a, b) = (high - SHARE * (high - low), low + SHARE * (high - low));
        if value(a) < value(b) {
            high = b;
        } else {
            low = a;
        }
    }
    0.5 * (low + high)
}

/// A body behind the eye meets all rays backwards; that is no fit.
fn behind(
    skeleton: &Skeleton,
    candidate: &StartPose,
    constraints: &[Constraint],
    up: &Vec3,
    fit: &StartFit,
) -> f64 {
    let turn = Quat::from_scaled_axis(up * fit.turn_rad);
    let mut penalty = 0.0;
    for constraint in constraints {
        if let Goal::Ray { origin, direction } = &constraint.goal {
            let at = turn * candidate.world.site(skeleton, constraint.site) + fit.shift;
            let depth = direction.normalize().dot(&(at - origin));
            penalty += depth.min(0.0).powi(2);
        }
    }
    penalty
}

/// The pose turned about up through the origin, then moved.
pub(super) fn placed(
    skeleton: &Skeleton,
    placing: &Placing,
    pose: PoseRef<'_>,
    turn: &Quat,
    shift: &Vec3,
) -> Pose {
    let world = WorldPose::of(skeleton, pose);
    let parent = |joint: usize| skeleton.joints()[joint].parent;
    let world_from = |joint: Option<usize>| joint.map_or(Quat::identity(), |j| world.rotations[j]);
    let mut placed = pose.to_pose();
    let above = world_from(parent(placing.carrier));
    placed.rotations[placing.carrier] =
        above.inverse() * turn * above * pose.rotations[placing.carrier];
    // The carrier has to land where the turn takes it; what is above it only moves.
    let at = world.positions[placing.carrier];
    let by = turn * at + shift - at;
    let local = world_from(parent(placing.mover)).inverse() * by;
    placed.translations[placing.slot(skeleton)] += local;
    placed
}
