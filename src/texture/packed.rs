//! Motions as a texture keeps them: rotations in six bytes, places in single precision.
//!
//! A rotation is three numbers of its quaternion, the largest left out, in steps of 1/23170: within 0.005 degrees,
//! less than captures are written with. Clips are rounded so before anything is learned from them; what is learned,
//! saved and opened is then the same to the bit.

use std::sync::Arc;

use nalgebra::{Quaternion, Vector4};

use super::error::TextureError;
use crate::motion::{Clip, Quat, Vec3};

/// Steps of one: the second largest number of a quaternion is at most the root of a half, and has 14 bits and a sign.
const STEPS: f64 = 16383.0 * std::f64::consts::SQRT_2;

/// A rotation in steps. The lowest bits of the first two say which number is left out.
pub fn pack(rotation: &Quat) -> [i16; 3] {
    let coords = rotation.coords;
    let largest = coords.iamax();
    let sign = coords[largest].signum();
    let mut others = (0..4).filter(|&at| at != largest);
    [0, 1, 2].map(|nth| {
        let at = others.next().expect("three are left");
        let steps = (coords[at] * sign * STEPS).round() as i16;
        steps << 1 | i16::from(largest >> nth & 1 == 1)
    })
}

/// The rotation of some steps; none if they are longer than one.
pub fn unpack(steps: [i16; 3]) -> Option<Quat> {
    let largest = (steps[0] & 1 | (steps[1] & 1) << 1) as usize;
    let others = steps.map(|s| f64::from(s >> 1) / STEPS);
    let rest = 1.0 - others.iter().map(|x| x * x).sum::<f64>();
    if rest < 0.0 {
        return None;
    }
    let mut coords = Vector4::zeros();
    coords[largest] = rest.sqrt();
    let places = (0..4).filter(|&at| at != largest);
    for (at, other) in places.zip(others) {
        coords[at] = other;
    }
    Some(Quat::new_unchecked(Quaternion::from(coords)))
}

/// A rotation as it comes back. Where two numbers are equally large, it may be another one that is left out the
/// second time.
fn settled(rotation: &Quat) -> Quat {
    const TIMES: usize = 4;
    let again = |q: &Quat| unpack(pack(q)).expect("packed rotations are no longer than one");
    (0..TIMES).fold(again(rotation), |q, _| again(&q))
}

/// A clip as it comes back from a file.
pub(super) fn rounded(clip: &Clip) -> Result<Clip, TextureError> {
    let mut motion = clip.motion().clone();
    for rotation in &mut motion.rotations {
        *rotation = settled(rotation);
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
            let once = settled(&given);
            assert!(once.angle_to(&given).to_degrees() < 0.008, "{given}");
            assert!((once.norm() - 1.0).abs() < 1e-12);
            assert_eq!(unpack(pack(&once)).unwrap(), once, "{given}");
        }
        assert!(unpack([i16::MAX, i16::MAX, i16::MAX]).is_none());
    }
}
