//! Motions as a texture keeps them: rotations in six bytes, places in single precision.
//!
//! A rotation is the vector part of its quaternion, with the scalar part made positive, in steps of 1/32767: within 0.004 degrees,
//! less than captures are written with. Clips are rounded so before anything is learned from them; what is learned, saved and opened is
//! then the same to the bit.

use std::sync::Arc;

use nalgebra::Quaternion;

use super::error::TextureError;
use crate::motion::{Clip, Quat, Vec3};

const STEPS: f64 = 32767.0;

/// A rotation in steps.
pub fn pack(rotation: &Quat) -> [i16; 3] {
    let sign = if rotation.w < 0.0 { -1.0 } else { 1.0 };
    let imaginary = rotation.imag() * sign;
    let mut steps = [0, 1, 2].map(|axis| (imaginary[axis] * STEPS).round() as i16);
    // Rounded up on all axes, a half turn would be longer than a rotation is.
    while length_squared(steps) > STEPS * STEPS {
        let largest = (0..3).max_by_key(|&axis| steps[axis].unsigned_abs());
        let largest = largest.expect("three axes");
        steps[largest] -= steps[largest].signum();
    }
    steps
}

/// The rotation of some steps; none if they are longer than one.
pub fn unpack(steps: [i16; 3]) -> Option<Quat> {
    let rest = STEPS * STEPS - length_squared(steps);
    if rest < 0.0 {
        return None;
    }
    let [x, y, z] = steps.map(|s| f64::from(s) / STEPS);
    let quaternion = Quaternion::new(rest.sqrt() / STEPS, x, y, z);
    Some(Quat::new_unchecked(quaternion))
}

fn length_squared(steps: [i16; 3]) -> f64 {
    steps.iter().map(|s| f64::from(*s).powi(2)).sum()
}

/// A clip as it comes back from a file.
pub(super) fn rounded(clip: &Clip) -> Result<Clip, TextureError> {
    let mut motion = clip.motion().clone();
    for rotation in &mut motion.rotations {
        *rotation = unpack(pack(rotation)).expect("packed rotations are no longer than one");
    }
    for place in &mut motion.translations {
        *place = Vec3::from(place.map(|x| f64::from(x as f32)));
    }
    let made = Clip::new(clip.info.clone(), Arc::clone(clip.skeleton()), motion)?;
    Ok(made.with_contacts(clip.contacts().to_vec())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::random::Stream;

    #[test]
    fn rotations_come_back_nearly_and_then_to_the_bit() {
        let mut stream = Stream::named(1, &[]);
        for nth in 0..2000 {
            let coords = [0; 4].map(|_| stream.normal());
            // Every fifth is a half turn.
            let w = if nth % 5 == 0 {
                1e-9 * coords[0]
            } else {
                coords[0]
            };
            let given = Quat::new_normalize(Quaternion::new(w, coords[1], coords[2], coords[3]));
            let once = unpack(pack(&given)).unwrap();
            assert!(once.angle_to(&given).to_degrees() < 0.02, "{given}");
            assert!((once.norm() - 1.0).abs() < 1e-12);
            assert_eq!(unpack(pack(&once)).unwrap(), once);
        }
        assert!(unpack([i16::MAX, i16::MAX, 0]).is_none());
    }
}
