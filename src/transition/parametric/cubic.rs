//! Reading evenly spaced values in between: curves through all of them without corners (Catmull and Rom 1974).
//!
//! A fist turns round within two or three frames. Straight lines between frames would cut that corner by a centimetre
//! and shake; these curves leave captured punches as smooth as they were.

use nalgebra::Quaternion;

use crate::motion::{Quat, Vec3};

/// Which four values count at a moment, and how much.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cubic {
    at: [usize; 4],
    share: [f64; 4],
}

impl Cubic {
    /// A moment between the first and the last of `n` values; outside, those hold.
    pub(super) fn at(moment: f64, n: usize) -> Self {
        let last = n.saturating_sub(1);
        let moment = moment.clamp(0.0, last as f64);
        let before = (moment as usize).min(last.saturating_sub(1));
        let after = (before + 1).min(last);
        let s = moment - before as f64;
        let mut share = [
            s * (s * (1.0 - 0.5 * s) - 0.5),
            1.0 + s * s * (1.5 * s - 2.5),
            s * (0.5 + s * (2.0 - 1.5 * s)),
            s * s * (0.5 * s - 0.5),
        ];
        // Beyond the ends the curve goes on straight: the missing value is 2 a - b, which counts for those two.
        if before == 0 {
            share = [
                0.0,
                share[1] + 2.0 * share[0],
                share[2] - share[0],
                share[3],
            ];
        }
        if after == last {
            share = [
                share[0],
                share[1] - share[3],
                share[2] + 2.0 * share[3],
                0.0,
            ];
        }
        Self {
            at: [
                before.saturating_sub(1),
                before,
                after,
                (after + 1).min(last),
            ],
            share,
        }
    }

    /// One of the four values that lies nearest in time: whole things are not mixed.
    pub(super) fn nearest(&self) -> usize {
        if self.share[2] > self.share[1] {
            self.at[2]
        } else {
            self.at[1]
        }
    }

    pub(super) fn number(&self, value: impl Fn(usize) -> f64) -> f64 {
        (0..4).map(|i| value(self.at[i]) * self.share[i]).sum()
    }

    pub(super) fn vector(&self, value: impl Fn(usize) -> Vec3) -> Vec3 {
        let mut sum = Vec3::zeros();
        for i in 0..4 {
            sum += value(self.at[i]) * self.share[i];
        }
        sum
    }

    /// Neighbours in time are near each other, so the sum of quaternions (of one sign) is far from zero.
    pub(super) fn rotation(&self, value: impl Fn(usize) -> Quat) -> Quat {
        let middle = value(self.at[1]);
        let mut sum = middle.coords * self.share[1];
        for i in [0, 2, 3] {
            let q = value(self.at[i]).coords;
            sum += q * self.share[i].copysign(q.dot(&middle.coords) * self.share[i]);
        }
        if sum.norm_squared() > 1e-12 {
            Quat::from_quaternion(Quaternion::from(sum))
        } else {
            middle
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parabolas_are_followed_inside_and_lines_up_to_the_ends() {
        let parabola = |i: usize| (i * i) as f64;
        for moment in [1.0, 1.3, 2.5, 3.9] {
            let read = Cubic::at(moment, 6).number(parabola);
            assert!((read - moment * moment).abs() < 1e-12, "{moment}: {read}");
        }
        for moment in [-1.0_f64, 0.0, 0.4, 2.7, 3.0, 9.0] {
            for n in [2, 4] {
                let read = Cubic::at(moment, n).number(|i| 2.0 * i as f64);
                let truth = 2.0 * moment.clamp(0.0, (n - 1) as f64);
                assert!((read - truth).abs() < 1e-12, "{moment} of {n}: {read}");
            }
        }
        assert_eq!(Cubic::at(0.7, 1).number(|_| 3.0), 3.0);
    }

    #[test]
    fn the_sign_of_a_quaternion_does_not_matter() {
        let turn = |i: usize| {
            let q = Quat::from_scaled_axis(Vec3::new(0.1, 0.2, -0.3) * i as f64);
            if i.is_multiple_of(2) {
                q
            } else {
                Quat::new_unchecked(-q.into_inner())
            }
        };
        for moment in [0.0, 0.5, 1.25, 2.0, 3.8] {
            let truth = Quat::from_scaled_axis(Vec3::new(0.1, 0.2, -0.3) * moment);
            let read = Cubic::at(moment, 5).rotation(turn);
            assert!(read.angle_to(&truth) < 1e-3, "{moment}");
        }
    }
}
