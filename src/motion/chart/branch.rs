//! Rotation vectors without jumps.
//!
//! A rotation has many rotation vectors: the same axis with any number of whole turns added. The logarithm gives the
//! shortest, which flips to the other side when a joint passes half a turn from its mean. Here each frame takes the
//! one nearest to the frame before instead.
//!
//! Two takes may then show one pose with different numbers, if one of them came to it the long way round. To keep
//! that rare, every stretch of frames as a whole is moved by whole turns to where it lies nearest to a centre that
//! all takes share. And where a joint leaps (a glitch, a left-over T-pose), "nearest to the frame before" says
//! nothing about the way it took and could leave the rest of the take a turn off: a new stretch begins there.
//!
//! Rotation vectors cannot be continuous through a full turn about changing axes (a cartwheel, seen from the pelvis):
//! near a full turn small steps become large ones, and a body back on its feet would be nowhere near where it was
//! before. A whole turn is dropped on the way there, once steps are stretched threefold (260 degrees or more from the
//! mean), and a new stretch begins. A wheel on a fixed axis stretches nothing and counts its turns without end.

use std::f64::consts::{FRAC_PI_2, TAU};

use crate::motion::{Quat, Vec3};

/// A joint that turns this far from frame to frame leaps: the way back is hardly longer than the way there.
const LEAP_RAD: f64 = TAU / 3.0;

/// Curves may step this many times as far as the joint itself.
const STRETCH: f64 = 3.0;

/// Nearer to the mean than this no step is stretched so far: (a/2) / sin(a/2) is 3 at 4.56.
const STRETCHED_RAD: f64 = 4.5;

/// Rotations that all stay this near to the mean need no care: the shortest vectors are continuous.
const NEAR_RAD: f64 = FRAC_PI_2;

/// Makes shortest rotation vectors, one per frame, continuous.
pub(super) fn unroll(vectors: &mut [Vec3], centre: &Vec3) {
    if are_near(vectors) {
        return;
    }
    let mut from = 0;
    for at in 1..vectors.len() {
        if let Some(next) = follow(&vectors[at], &vectors[at - 1]) {
            vectors[at] = next;
        } else {
            settle(&mut vectors[from..at], centre);
            from = at;
        }
    }
    settle(&mut vectors[from..], centre);
}

/// Whether there is only one sensible way to write them.
pub(super) fn are_near(vectors: &[Vec3]) -> bool {
    vectors
        .iter()
        .all(|v| v.norm_squared() <= NEAR_RAD * NEAR_RAD)
}

/// The vector that goes on from the frame before; `None` if a new stretch must begin.
fn follow(vector: &Vec3, before: &Vec3) -> Option<Vec3> {
    let next = nearest(vector, before);
    let step = (next - before).norm();
    if step <= LEAP_RAD && next.norm() <= STRETCHED_RAD {
        return Some(next);
    }
    let turned = Quat::from_scaled_axis(*before).angle_to(&Quat::from_scaled_axis(next));
    // Rounding is not movement.
    let is_stretched = next.norm() > STRETCHED_RAD && step > STRETCH * turned + 1e-9;
    let is_leap = turned > LEAP_RAD || is_stretched;
    (!is_leap).then_some(next)
}

/// The vector of the same rotation that lies nearest to another one.
fn nearest(vector: &Vec3, to: &Vec3) -> Vec3 {
    let angle_rad = vector.norm();
    // No rotation at all is a whole number of turns about any axis.
    let Some(axis) = direction(vector).or_else(|| direction(to)) else {
        return *vector;
    };
    let turns = ((to.dot(&axis) - angle_rad) / TAU).round();
    axis * (angle_rad + TAU * turns)
}

fn direction(v: &Vec3) -> Option<Vec3> {
    v.try_normalize(0.0)
}

/// Moves a continuous stretch by whole turns to where it lies nearest to the centre.
fn settle(stretch: &mut [Vec3], centre: &Vec3) {
    let mean = stretch.iter().sum::<Vec3>() / stretch.len() as f64;
    let Some(axis) = direction(&stretch[0]).or_else(|| direction(&mean)) else {
        return;
    };
    let about = -((mean - centre).dot(&axis) / TAU).round();
    let mut best = distance(stretch, centre);
    let original = stretch.to_vec();
    for turns in [about - 1.0, about, about + 1.0] {
        if turns == 0.0 {
            continue;
        }
        if let Some(moved) = shifted(&original, axis * (TAU * turns)) {
            let far = distance(&moved, centre);
            if far < best {
                best = far;
                stretch.copy_from_slice(&moved);
            }
        }
    }
}

fn distance(stretch: &[Vec3], centre: &Vec3) -> f64 {
    stretch.iter().map(|v| (v - centre).norm_squared()).sum()
}

/// The stretch begun some whole turns away; `None` if it cannot be followed there without a leap.
fn shifted(stretch: &[Vec3], by: Vec3) -> Option<Vec<Vec3>> {
    let mut moved: Vec<Vec3> = Vec::with_capacity(stretch.len());
    let mut before = stretch[0] + by;
    moved.push(before);
    for vector in &stretch[1..] {
        before = follow(vector, &before)?;
        moved.push(before);
    }
    Some(moved)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shortest(vectors: &[Vec3]) -> Vec<Vec3> {
        let log = |v: &Vec3| Quat::from_scaled_axis(*v).scaled_axis();
        vectors.iter().map(log).collect()
    }

    fn unrolled(vectors: &[Vec3]) -> Vec<Vec3> {
        let mut out = shortest(vectors);
        unroll(&mut out, &Vec3::zeros());
        out
    }

    fn largest_difference(a: &[Vec3], b: &[Vec3]) -> f64 {
        let pairs = a.iter().zip(b);
        pairs.map(|(x, y)| (x - y).norm()).fold(0.0, f64::max)
    }

    #[test]
    fn past_half_a_turn_the_curve_goes_on() {
        let way: Vec<Vec3> = (0..200)
            .map(|f| {
                let t = f64::from(f) / 199.0;
                Vec3::new(4.0 * t, 0.3 * (9.0 * t).sin(), 0.2)
            })
            .collect();
        assert!(largest_difference(&shortest(&way), &way) > 3.0, "it flips");
        let error = largest_difference(&unrolled(&way), &way);
        assert!(error < 1e-12, "found again within {error:e}");
    }

    #[test]
    fn a_spinning_wheel_counts_its_turns_around_its_middle() {
        let spin = |f: i32| Vec3::new(0.0, 0.1 * f64::from(f), 0.0);
        let way: Vec<Vec3> = (0..1000).map(spin).collect();
        let found = unrolled(&way);
        let offset = found[0] - way[0];
        assert!((offset.y / TAU).fract().abs() < 1e-9, "whole turns");
        for (a, b) in found.iter().zip(&way) {
            assert!((a - b - offset).norm() < 1e-9, "no turn is lost");
        }
        let mean = found.iter().sum::<Vec3>() / 1000.0;
        assert!(mean.norm() <= TAU / 2.0 + 0.1, "around zero: {mean:?}");
    }

    #[test]
    fn a_glitch_leaves_the_rest_of_the_take_where_it_was() {
        // There 172 degrees one way, and back 178 degrees the other: the nearest would end a whole turn off.
        let mut way = vec![Vec3::new(-0.05, 0.0, 0.0); 60];
        way[0..30].fill(Vec3::new(0.05, 0.0, 0.0));
        way[30] = Vec3::new(3.12, 0.0, 0.0);
        let found = unrolled(&way);
        assert!(largest_difference(&found[..30], &way[..30]) < 1e-12);
        assert!(
            largest_difference(&found[31..], &way[31..]) < 1e-12,
            "{found:?}"
        );
    }

    #[test]
    fn takes_in_one_place_get_one_branch() {
        // Around half a turn from the mean, one begins just before it and one just after.
        let centre = Vec3::new(3.0, 0.0, 0.0);
        for start in [3.0, 3.1, 3.2, 3.3, 3.4] {
            let way: Vec<Vec3> = (0..50)
                .map(|f| Vec3::new(start + 0.1 * f64::from(f).sin(), 0.1, 0.0))
                .collect();
            let mut found = shortest(&way);
            unroll(&mut found, &centre);
            let error = largest_difference(&found, &way);
            assert!(error < 1e-12, "from {start}: {error:e}");
        }
        let mut one_frame = shortest(&[Vec3::new(3.3, 0.0, 0.0)]);
        unroll(&mut one_frame, &centre);
        assert!((one_frame[0].x - 3.3).abs() < 1e-12, "{one_frame:?}");
    }

    #[test]
    fn back_on_its_feet_a_body_is_where_it_was() {
        // A cartwheel with a wobble: upright in the end, a whole turn later.
        let way: Vec<Quat> = (0..300)
            .map(|f| {
                let t = f64::from(f) / 100.0;
                let roll = TAU * (t - 1.0).clamp(0.0, 1.0);
                Quat::from_scaled_axis(Vec3::z() * roll)
                    * Quat::from_scaled_axis(Vec3::new((7.0 * t).sin(), (5.0 * t).cos(), 0.0) * 0.1)
            })
            .collect();
        let mut found: Vec<Vec3> = way.iter().map(Quat::scaled_axis).collect();
        unroll(&mut found, &Vec3::zeros());
        for (q, v) in way.iter().zip(&found) {
            assert!(q.angle_to(&Quat::from_scaled_axis(*v)) < 1e-7, "same pose");
        }
        assert!(found[220..].iter().all(|v| v.norm() < 0.2), "upright again");
        let is_stretched = |f: &usize| {
            let turned = way[*f].angle_to(&way[f - 1]);
            (found[*f] - found[f - 1]).norm() > STRETCH * turned + 1e-9
        };
        assert_eq!((1..300).filter(is_stretched).count(), 1, "one turn dropped");
    }

    #[test]
    fn nothing_and_no_rotation_are_fine() {
        unroll(&mut [], &Vec3::zeros());
        let mut still = vec![Vec3::zeros(), Vec3::new(3.0, 0.0, 0.0), Vec3::zeros()];
        unroll(&mut still, &Vec3::zeros());
        assert!(still.iter().all(|v| v.norm() <= 3.0), "{still:?}");
    }
}
