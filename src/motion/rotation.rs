//! Rotations: Euler angles in any order, interpolation, means, and the part of a turn about one axis.

use nalgebra::{Matrix3, Matrix4, Quaternion};

use super::{Dim, Quat, RotationOrder, Vec3};

/// Turn by `angle_rad` about one axis.
pub fn about(dim: Dim, angle_rad: f64) -> Quat {
    let (sin, cos) = (0.5 * angle_rad).sin_cos();
    let mut q = Quaternion::new(cos, 0.0, 0.0, 0.0);
    q.coords[dim.index()] = sin;
    Quat::new_unchecked(q)
}

/// The product of three turns, `order`'s first axis leftmost.
pub fn from_euler(order: RotationOrder, angles_rad: [f64; 3]) -> Quat {
    let [i, j, k] = order.dims();
    let [a, b, c] = angles_rad;
    about(i, a) * about(j, b) * about(k, c)
}

/// Below this cosine of the middle angle the outer two turn about the same axis, and only their sum is known.
const GIMBAL_COS: f64 = 1e-7;

/// The angles of [`from_euler`] that make this rotation, chosen nearest to `near`.
///
/// Both solutions and all whole turns are looked at. Following a motion with each result as the next `near` gives
/// curves without jumps over half a turn.
pub fn to_euler(order: RotationOrder, q: &Quat, near: [f64; 3]) -> [f64; 3] {
    let [i, j, k] = order.dims().map(Dim::index);
    // +1 for XYZ, YZX and ZXY, which turn i towards j about k.
    let sign = if (i + 1) % 3 == j { 1.0 } else { -1.0 };
    let r: Matrix3<f64> = *q.to_rotation_matrix().matrix();
    let cos_b = r[(i, i)].hypot(r[(i, j)]);
    let a = if cos_b < GIMBAL_COS {
        near[0]
    } else {
        (-sign * r[(j, k)]).atan2(r[(k, k)])
    };
    // With the first turn taken off, the others are exact even where the first one was ill-determined.
    let rest = about(order.dims()[0], -a).to_rotation_matrix().matrix() * r;
    let b = (sign * rest[(i, k)]).atan2(rest[(k, k)]);
    let c = (sign * rest[(j, i)]).atan2(rest[(j, j)]);
    let pi = std::f64::consts::PI;
    let first = nearest_turns([a, b, c], near);
    let second = nearest_turns([a + pi, pi - b, c + pi], near);
    let distance = |angles: &[f64; 3]| -> f64 {
        let pairs = angles.iter().zip(&near);
        pairs.map(|(x, n)| (x - n) * (x - n)).sum()
    };
    if distance(&first) <= distance(&second) {
        first
    } else {
        second
    }
}

fn nearest_turns(angles_rad: [f64; 3], near: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| near[i] + wrap(angles_rad[i] - near[i]))
}

/// The same angle between minus half a turn and half a turn.
pub fn wrap(angle_rad: f64) -> f64 {
    let turn = std::f64::consts::TAU;
    angle_rad - turn * (angle_rad / turn).round()
}

/// Between two rotations the short way; well defined for opposite ones too.
pub fn slerp(a: &Quat, b: &Quat, share: f64) -> Quat {
    // The logarithm picks an axis where nalgebra's own slerp has none (exactly half a turn).
    a * Quat::from_scaled_axis((a.inverse() * b).scaled_axis() * share)
}

/// How the rotation `exp(v)` turns in its own axes when the rotation vector `v` changes: the right Jacobian of the
/// exponential map.
pub fn right_jacobian(v: &Vec3) -> Matrix3<f64> {
    let angle = v.norm();
    let square = angle * angle;
    // Below this the formulas lose digits that the series have.
    let (a, b) = if angle < 1e-4 {
        (0.5 - square / 24.0, 1.0 / 6.0 - square / 120.0)
    } else {
        (
            (1.0 - angle.cos()) / square,
            (angle - angle.sin()) / (square * angle),
        )
    };
    let cross = v.cross_matrix();
    Matrix3::identity() - cross * a + cross * cross * b
}

/// The rotation nearest to all of them, in the least-squares sense of their quaternions (Markley 2007).
pub fn mean<'a>(rotations: impl IntoIterator<Item = &'a Quat>) -> Quat {
    let mut sum = Matrix4::zeros();
    for q in rotations {
        sum += q.coords * q.coords.transpose();
    }
    if sum == Matrix4::zeros() {
        return Quat::identity();
    }
    let eigen = sum.symmetric_eigen();
    let widest = eigen.eigenvalues.imax();
    let coords = eigen.eigenvectors.column(widest).into_owned();
    // The eigenvector's sign is arbitrary; fix it so that results do not depend on the solver.
    let coords = if coords.w < 0.0 { -coords } else { coords };
    Quat::from_quaternion(Quaternion::from(coords))
}

/// How far a rotation turns about `axis` (unit), and how well that is defined: 1 for a pure twist, 0 when the axis is
/// turned upside down and the twist means nothing.
pub fn twist(q: &Quat, axis: &Vec3) -> (f64, f64) {
    let about_axis = q.imag().dot(axis);
    (
        wrap(2.0 * about_axis.atan2(q.w)),
        q.w.hypot(about_axis).min(1.0),
    )
}

/// The shortest turn that brings one direction onto another.
pub fn align(from: &Vec3, to: &Vec3) -> Quat {
    Quat::rotation_between(from, to).unwrap_or_else(|| {
        // Opposite directions: any perpendicular axis will do; take the one most across.
        let across = Dim::ALL
            .map(|d| super::Axis::positive(d).vector())
            .into_iter()
            .min_by(|a, b| a.dot(from).abs().total_cmp(&b.dot(from).abs()))
            .expect("there are three axes");
        let axis = nalgebra::Unit::new_normalize(from.cross(&across));
        Quat::from_axis_angle(&axis, std::f64::consts::PI)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_right_jacobian_is_what_differences_say() {
        for v in [
            Vec3::new(1.1, -0.4, 0.7),
            Vec3::new(0.02, 0.0, -0.01),
            Vec3::new(3e-5, -2e-5, 1e-5),
            Vec3::zeros(),
        ] {
            let jacobian = right_jacobian(&v);
            for k in 0..3 {
                let mut change = Vec3::zeros();
                change[k] = 1e-5;
                let turned = |v: Vec3| Quat::from_scaled_axis(v);
                let turn = (turned(v - change).inverse() * turned(v + change)).scaled_axis();
                let error = (turn / 2e-5 - jacobian.column(k)).norm();
                assert!(error < 1e-8, "{v:?} along {k}: {error:e}");
            }
        }
    }

    fn some_rotations() -> Vec<Quat> {
        let mut list = Vec::new();
        for i in 0..7 {
            for j in 0..7 {
                for k in 0..7 {
                    let v = Vec3::new(f64::from(i), f64::from(j), f64::from(k)) - Vec3::repeat(3.0);
                    list.push(Quat::from_scaled_axis(v * 0.9));
                }
            }
        }
        list
    }

    #[test]
    fn euler_angles_make_the_same_rotation_in_every_order() {
        for order in RotationOrder::ALL {
            for q in some_rotations() {
                let back = from_euler(order, to_euler(order, &q, [0.0; 3]));
                assert!(back.angle_to(&q) < 1e-7, "{order} {q:?} {back:?}");
                let matrix = (back.to_rotation_matrix().matrix() - q.to_rotation_matrix().matrix())
                    .abs()
                    .max();
                assert!(matrix < 1e-14, "{order}: {matrix:e}");
            }
        }
    }

    #[test]
    fn gimbal_lock_keeps_the_rotation_and_the_neighbour() {
        let quarter = std::f64::consts::FRAC_PI_2;
        for order in RotationOrder::ALL {
            for eps in [0.0, 1e-12, 1e-9, 1e-7, 1e-5] {
                let q = from_euler(order, [0.4, quarter - eps, -0.9]);
                let angles = to_euler(order, &q, [0.4, quarter, -0.9]);
                let back = from_euler(order, angles);
                let error = (back.coords - q.coords)
                    .norm()
                    .min((back.coords + q.coords).norm());
                assert!(error < 1e-14, "{order} {eps:e}: {error:e}");
                assert!(
                    (angles[0] - 0.4).abs() < 0.05 || eps > 0.0,
                    "stays near: {angles:?}"
                );
            }
        }
    }

    #[test]
    fn following_a_motion_never_jumps_half_a_turn() {
        for order in RotationOrder::ALL {
            let mut near = [0.0; 3];
            for step in 0..4000 {
                let t = f64::from(step) * 0.01;
                let q = Quat::from_scaled_axis(Vec3::new(3.0 * t.sin(), 2.0 * (1.3 * t).cos(), t));
                let next = to_euler(order, &q, near);
                if step > 0 {
                    for (a, b) in next.iter().zip(&near) {
                        assert!((a - b).abs() <= std::f64::consts::PI, "{order} at {step}");
                    }
                }
                near = next;
            }
        }
    }

    #[test]
    fn mean_of_a_spread_is_its_middle() {
        let middle = Quat::from_scaled_axis(Vec3::new(0.3, -1.2, 2.0));
        let spread = [
            Vec3::x(),
            -Vec3::x(),
            Vec3::y(),
            -Vec3::y(),
            Vec3::z(),
            -Vec3::z(),
        ];
        let around: Vec<Quat> = spread
            .iter()
            .map(|v| middle * Quat::from_scaled_axis(v * 0.5))
            .collect();
        assert!(mean(&around).angle_to(&middle) < 1e-9, "symmetric spread");
        assert_eq!(mean(&[]), Quat::identity());
    }

    #[test]
    fn twist_reads_the_heading_of_a_tilted_body() {
        let tilt = Quat::from_scaled_axis(Vec3::new(0.4, 0.0, -0.3));
        let turned = Quat::from_scaled_axis(Vec3::y() * 2.5) * tilt;
        let (angle, defined) = twist(&turned, &Vec3::y());
        assert!((angle - 2.5).abs() < 1e-12, "got {angle}");
        assert!(defined > 0.9, "upright enough");
        let upside_down = Quat::from_scaled_axis(Vec3::x() * std::f64::consts::PI);
        assert!(twist(&upside_down, &Vec3::y()).1 < 1e-9, "no heading");
    }

    #[test]
    fn opposite_directions_can_be_aligned() {
        for v in [Vec3::x(), Vec3::y(), Vec3::new(1.0, 2.0, 3.0)] {
            let turned = align(&v, &-v) * v;
            assert!((turned + v).norm() < 1e-12, "{v:?} became {turned:?}");
        }
    }
}
