//! Sines and cosines of many half angles at once.
//!
//! A rotation by an angle is a quaternion of the sine and cosine of its half, and motion files hold millions of angles
//! in degrees. In degrees whole turns come off exactly, with one multiplication and no table; what remains is at most
//! an eighth of a turn, where Taylor's series is short. The loop has no branch and no call, so compilers make it work
//! on several angles at a time.

use std::f64::consts::PI;

/// Adding this rounds to a whole number, which then stands in the last bits: 1.5 * 2^52.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// Below this a whole number of half turns can be taken off exactly.
const LARGEST_DEG: f64 = 1e15;

/// Coefficients 1/n! of alternating sign. The first term left out is below 5e-17 on an eighth of a turn.
const SIN: [f64; 7] = taylor(3);
const COS: [f64; 8] = taylor(2);

/// `-1/n!`, `1/(n+2)!`, and so on.
const fn taylor<const N: usize>(first: u32) -> [f64; N] {
    let mut all = [0.0; N];
    let mut idx = 0;
    while idx < N {
        let order = first + 2 * idx as u32;
        let mut factorial = 1.0;
        let mut n = 2;
        while n <= order {
            factorial *= n as f64;
            n += 1;
        }
        all[idx] = if idx % 2 == 0 { -1.0 } else { 1.0 } / factorial;
        idx += 1;
    }
    all
}

/// `sin(a/2)` and `cos(a/2)` for every angle `a`, within 1e-15 of the truth for angles of any size.
///
/// Angles must be finite. All slices must be of one length.
pub fn half_angle_sin_cos_deg(angles_deg: &[f64], sin: &mut [f64], cos: &mut [f64]) {
    assert!(
        angles_deg.len() == sin.len() && angles_deg.len() == cos.len(),
        "as many sines and cosines as angles"
    );
    let mut any_large = false;
    for ((&angle, sin), cos) in angles_deg.iter().zip(&mut *sin).zip(&mut *cos) {
        any_large |= angle.abs() > LARGEST_DEG;
        (*sin, *cos) = half_sin_cos(angle);
    }
    if any_large {
        for ((&angle, sin), cos) in angles_deg.iter().zip(sin).zip(cos) {
            // Two turns of the angle are one of its half; the remainder is exact.
            (*sin, *cos) = half_sin_cos(angle % 720.0);
        }
    }
}

#[inline]
fn half_sin_cos(angle_deg: f64) -> (f64, f64) {
    // Quarter turns of the half angle are half turns of the angle.
    let rounded = angle_deg * (1.0 / 180.0) + ROUNDER;
    let quarter = rounded.to_bits();
    let rest = (angle_deg - (rounded - ROUNDER) * 180.0) * (PI / 360.0);
    let z = rest * rest;
    let sin = rest + rest * z * polynomial(&SIN, z);
    let cos = 1.0 + z * polynomial(&COS, z);
    // Odd quarters exchange sine and cosine; the signs follow from the second bit.
    let swap = (quarter & 1).wrapping_neg();
    let exchange = (sin.to_bits() ^ cos.to_bits()) & swap;
    let sin_sign = (quarter & 2) << 62;
    let cos_sign = (quarter.wrapping_add(1) & 2) << 62;
    (
        f64::from_bits((sin.to_bits() ^ exchange) ^ sin_sign),
        f64::from_bits((cos.to_bits() ^ exchange) ^ cos_sign),
    )
}

#[inline]
fn polynomial<const N: usize>(coefficients: &[f64; N], z: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * z + c)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the standard library, from an angle that was brought near zero exactly.
    fn reference(angle_deg: f64) -> (f64, f64) {
        let angle = angle_deg % 720.0;
        let quarter = (angle / 180.0).round();
        let (sin, cos) = ((angle - 180.0 * quarter) * (PI / 360.0)).sin_cos();
        match quarter.rem_euclid(4.0) {
            0.0 => (sin, cos),
            1.0 => (cos, -sin),
            2.0 => (-sin, -cos),
            _ => (-cos, sin),
        }
    }

    fn worst(angles_deg: &[f64]) -> f64 {
        let mut sin = vec![0.0; angles_deg.len()];
        let mut cos = sin.clone();
        half_angle_sin_cos_deg(angles_deg, &mut sin, &mut cos);
        let mut worst: f64 = 0.0;
        for ((angle, sin), cos) in angles_deg.iter().zip(&sin).zip(&cos) {
            let (s, c) = reference(*angle);
            let error = (s - sin).abs().max((c - cos).abs());
            assert!(error.is_finite(), "{angle}: {sin} {cos}");
            worst = worst.max(error);
        }
        worst
    }

    #[test]
    fn agrees_with_the_standard_library_over_two_turns() {
        let angles: Vec<f64> = (-1_000_000..=1_000_000)
            .map(|i| f64::from(i) * 0.000_720_000_3)
            .collect();
        let error = worst(&angles);
        assert!(error < 1e-15, "off by {error:e}");
        // The plain way, whose own rounding of the angle in radians is larger.
        for &angle in angles.iter().step_by(97) {
            let (sin, cos) = half_sin_cos(angle);
            let (s, c) = (0.5 * angle.to_radians()).sin_cos();
            assert!((s - sin).abs() < 2e-15, "sine of half of {angle}");
            assert!((c - cos).abs() < 2e-15, "cosine of half of {angle}");
        }
    }

    #[test]
    fn large_angles_and_the_edges_are_right_too() {
        let mut angles = Vec::new();
        let mut size = 1e-320;
        while size < 1e308 {
            angles.extend([size, -size, size * 1.234_567_8, -0.7 * size]);
            size *= 1.7;
        }
        for half_turns in -9..=9 {
            let edge = f64::from(half_turns) * 90.0;
            angles.extend([edge, edge.next_up(), edge.next_down()]);
        }
        angles.extend([
            LARGEST_DEG,
            LARGEST_DEG.next_up(),
            f64::MAX,
            f64::MIN,
            0.0,
            -0.0,
        ]);
        let error = worst(&angles);
        assert!(error < 1e-15, "off by {error:e}");
    }

    #[test]
    fn whole_turns_are_exact() {
        let mut sin = [0.0; 5];
        let mut cos = [0.0; 5];
        half_angle_sin_cos_deg(&[0.0, 180.0, 360.0, -180.0, 720.0], &mut sin, &mut cos);
        assert_eq!(sin, [0.0, 1.0, 0.0, -1.0, 0.0]);
        assert_eq!(cos, [1.0, 0.0, -1.0, 0.0, 1.0]);
    }
}
