//! Arms, as recipes describe them: hanging and swinging by angles, or the wrist at a place with the elbow this way.

use super::body::Arm;
use super::curve::{Curve, FLOW, TurnCurve};
use super::skeleton::{FOREARM_CM, Side, UPPER_ARM_CM};
use crate::motion::{Dim, Quat, Vec3, rotation};

/// An arm by angles from hanging straight down, palm to the thigh.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_field_names, reason = "the unit belongs to the name")]
pub(super) struct Hang {
    /// Flexion of the shoulder, forward positive.
    pub(super) flex_rad: f64,
    /// Away from the body.
    pub(super) abduct_rad: f64,
    /// Of the upper arm about itself, inward.
    pub(super) turn_in_rad: f64,
    pub(super) elbow_rad: f64,
    pub(super) pronation_rad: f64,
}

impl Hang {
    pub(super) fn arm(self, side: Side) -> Arm {
        let out = side.sign();
        let upper = rotation::about(Dim::Z, out * self.abduct_rad)
            * rotation::about(Dim::X, -self.flex_rad)
            * rotation::about(Dim::Y, -out * self.turn_in_rad)
            * rotation::about(Dim::Z, -out * std::f64::consts::FRAC_PI_2);
        Arm {
            upper,
            elbow_rad: self.elbow_rad,
            pronation_rad: self.pronation_rad,
            wrist_rad: 0.08,
        }
    }
}

/// An arm by where its wrist is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    /// From the shoulder, in the chest's frame: outward, up, forward.
    pub(super) wrist_cm: [f64; 3],
    /// Where the elbow points: outward, up, forward. Any length.
    pub(super) elbow: [f64; 3],
    pub(super) pronation_deg: f64,
    pub(super) wrist_deg: f64,
}

/// Reaches stop this short of a straight arm.
const STRETCH_CM: f64 = 0.985 * (UPPER_ARM_CM + FOREARM_CM);
const FOLDED_CM: f64 = 0.27 * (UPPER_ARM_CM + FOREARM_CM);

impl Reach {
    pub(super) fn arm(&self, side: Side) -> Arm {
        let out = side.sign();
        let sided = |[o, u, f]: [f64; 3]| Vec3::new(o * out, u, f);
        let line = sided(self.wrist_cm);
        let along = line.try_normalize(1e-6).unwrap_or_else(|| -Vec3::y());
        let length = line.norm().clamp(FOLDED_CM, STRETCH_CM);
        let pole = sided(self.elbow);
        let level = pole - along * along.dot(&pole);
        let aside = level.try_normalize(1e-6).unwrap_or_else(Vec3::z);
        let cos = (UPPER_ARM_CM * UPPER_ARM_CM + length * length - FOREARM_CM * FOREARM_CM)
            / (2.0 * UPPER_ARM_CM * length);
        let at_shoulder = cos.clamp(-1.0, 1.0).acos();
        let upper_dir = along * at_shoulder.cos() + aside * at_shoulder.sin();
        let forearm = along * length - upper_dir * UPPER_ARM_CM;
        let hinge = upper_dir.cross(&forearm).normalize();
        let elbow_rad = upper_dir.angle(&forearm);
        // At rest the bone lies along x, outward, and the elbow bends about y (left arm: minus y).
        let x = upper_dir * out;
        let y = -hinge * out;
        let axes = nalgebra::Matrix3::from_columns(&[x, y, x.cross(&y)]);
        Arm {
            upper: Quat::from_rotation_matrix(&nalgebra::Rotation3::from_matrix_unchecked(axes)),
            elbow_rad,
            pronation_rad: self.pronation_deg.to_radians(),
            wrist_rad: self.wrist_deg.to_radians(),
        }
    }
}

/// An arm over time: from key to key through arcs of its joints. The elbow follows the shoulder, and the wrist the
/// elbow, a little later.
#[derive(Debug, Clone)]
pub(super) struct ArmCurve {
    upper: TurnCurve,
    elbow_rad: Curve,
    pronation_rad: Curve,
    wrist_rad: Curve,
}

/// How much later the elbow and the wrist move than the shoulder.
const ELBOW_LAG_SECS: f64 = 0.025;
const WRIST_LAG_SECS: f64 = 0.045;

impl ArmCurve {
    /// Keys in order of time; the upper arm goes from one to the next as it does between those of `like`.
    pub(super) fn through(keys: &[(f64, Arm)], like: &[(f64, Arm)]) -> Self {
        let track = |lag: f64, value: fn(&Arm) -> f64| {
            let keys: Vec<_> = keys.iter().map(|(t, arm)| (t + lag, value(arm))).collect();
            Curve::through(&keys, FLOW)
        };
        let upper: Vec<_> = keys.iter().map(|(t, arm)| (*t, arm.upper)).collect();
        let like: Vec<_> = like.iter().map(|(_, arm)| arm.upper).collect();
        Self {
            upper: TurnCurve::through(&upper, &like, FLOW),
            elbow_rad: track(ELBOW_LAG_SECS, |arm| arm.elbow_rad),
            pronation_rad: track(WRIST_LAG_SECS, |arm| arm.pronation_rad),
            wrist_rad: track(WRIST_LAG_SECS, |arm| arm.wrist_rad),
        }
    }

    pub(super) fn at(&self, secs: f64) -> Arm {
        Arm {
            upper: self.upper.at(secs),
            elbow_rad: self.elbow_rad.at(secs),
            pronation_rad: self.pronation_rad.at(secs),
            wrist_rad: self.wrist_rad.at(secs),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where shoulder and elbow rotations put the wrist, from the shoulder, in the chest's frame.
    fn wrist(side: Side, arm: &Arm) -> Vec3 {
        let out = Vec3::new(side.sign(), 0.0, 0.0);
        let bent = arm.upper * rotation::about(Dim::Y, -side.sign() * arm.elbow_rad);
        arm.upper * out * UPPER_ARM_CM + bent * out * FOREARM_CM
    }

    #[test]
    fn a_reach_arrives() {
        for side in Side::BOTH {
            for wrist_cm in [[5.0, -20.0, 30.0], [-10.0, 5.0, 45.0], [20.0, 40.0, -5.0]] {
                let reach = Reach {
                    wrist_cm,
                    elbow: [0.5, -1.0, -0.3],
                    pronation_deg: 0.0,
                    wrist_deg: 0.0,
                };
                let arm = reach.arm(side);
                let mut there = wrist(side, &arm);
                there.x *= side.sign();
                assert!((there - Vec3::from(wrist_cm)).norm() < 1e-9, "{there:?}");
                assert!(arm.elbow_rad > 0.0, "bends the right way");
            }
        }
    }

    #[test]
    fn angles_mean_what_they_say() {
        for side in Side::BOTH {
            let at = |hang: Hang| {
                let mut w = wrist(side, &hang.arm(side));
                w.x *= side.sign();
                w / (UPPER_ARM_CM + FOREARM_CM)
            };
            let down = at(Hang::default());
            assert!((down + Vec3::y()).norm() < 1e-9, "hangs: {down:?}");
            let forward = at(Hang {
                flex_rad: 1.2,
                ..Hang::default()
            });
            assert!(forward.z > 0.9, "forward: {forward:?}");
            let aside = at(Hang {
                abduct_rad: 1.2,
                ..Hang::default()
            });
            assert!(aside.x > 0.9, "aside: {aside:?}");
            let bent = at(Hang {
                elbow_rad: 1.5,
                ..Hang::default()
            });
            assert!(bent.z > 0.3, "elbows bend forward: {bent:?}");
            let across = at(Hang {
                elbow_rad: 1.5,
                turn_in_rad: 1.0,
                ..Hang::default()
            });
            assert!(
                across.x < -0.2,
                "turned in, the hand is in front: {across:?}"
            );
        }
    }
}
