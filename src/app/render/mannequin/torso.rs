//! Pelvis, waist, chest and neck: one skin that bends with the spine.

use super::mesh::{Finish, Mesh, Ring, Tie, across, unit_or};
use super::reference::Reference;
use crate::motion::Vec3;

/// The middle of a body: which joints carry it, and where its ends are.
pub(super) struct Trunk {
    /// What legs and spine hang on.
    pub(super) pelvis: usize,
    /// What the arms hang on.
    pub(super) chest: usize,
    pub(super) head: usize,
    hips: Vec3,
    shoulders: Vec3,
    /// From the middle to the hip joint.
    hip_half: f64,
    /// From the middle to the shoulder joint.
    shoulder_half: f64,
}

impl Trunk {
    /// Where it is, if there are two legs and a head over them.
    pub(super) fn find(reference: &Reference<'_>) -> Option<Self> {
        let body = &reference.body;
        let head = body.head?;
        let [left, right] = [body.legs.first()?.upper, body.legs.get(1)?.upper];
        let pelvis = reference.fork(reference.fork(left, right), head);
        let middle = |a: usize, b: usize| 0.5 * (reference.place(a) + reference.place(b));
        let half = |a: usize, b: usize| 0.5 * (reference.place(a) - reference.place(b)).norm();
        let h = reference.height;
        let hips = middle(left, right);
        let (chest, shoulders, shoulder_half) = if let [a, b, ..] = body.arms.as_slice() {
            let chest = reference.fork(a.upper, b.upper);
            (chest, middle(a.upper, b.upper), half(a.upper, b.upper))
        } else {
            let neck = reference.parent(head);
            let place = reference.place(head) - reference.up * 0.09 * h;
            (neck, place, 0.1 * h)
        };
        let is_upright = (shoulders - hips).dot(&reference.up) > 0.08 * h;
        let hangs_together = reference.is_below(chest, pelvis) && reference.is_below(head, pelvis);
        (is_upright && hangs_together && head != pelvis).then_some(Self {
            pelvis,
            chest,
            head,
            hips,
            shoulders,
            hip_half: half(left, right).clamp(0.03 * h, 0.09 * h),
            shoulder_half: shoulder_half.clamp(0.06 * h, 0.16 * h),
        })
    }
}

/// Height from hips (0) to shoulders (1), half width and half depth, and what it is made of.
type Level = (f64, f64, f64, Finish);

/// Widths and depths of the trunk; the grooves between the parts are narrower rings in the same place.
fn levels(trunk: &Trunk, h: f64) -> Vec<Level> {
    use Finish::{Body, Joint};
    let hip = trunk.hip_half + 0.042 * h;
    let shoulder = trunk.shoulder_half;
    let chest = (0.86 * shoulder).max(0.082 * h);
    let waist = (0.5 * (hip + chest) * 0.82).min(0.074 * h);
    vec![
        (-0.215, 0.016 * h, 0.024 * h, Body),
        (-0.19, 0.40 * hip, 0.042 * h, Body),
        (-0.13, 0.70 * hip, 0.054 * h, Body),
        (-0.04, 0.93 * hip, 0.062 * h, Body),
        (0.05, hip, 0.063 * h, Body),
        (0.13, 0.97 * hip, 0.060 * h, Body),
        (0.185, 0.90 * hip, 0.056 * h, Body),
        (0.195, 0.84 * hip, 0.050 * h, Body),
        (0.195, 0.84 * hip, 0.050 * h, Joint),
        (0.29, waist, 0.045 * h, Joint),
        (0.40, 0.97 * waist, 0.045 * h, Joint),
        (0.47, 0.99 * waist, 0.047 * h, Joint),
        (0.47, 0.99 * waist, 0.047 * h, Body),
        (0.48, 1.05 * waist, 0.052 * h, Body),
        (0.58, 0.5 * (1.06 * waist + chest), 0.060 * h, Body),
        (0.72, chest, 0.066 * h, Body),
        (0.84, 1.02 * chest, 0.064 * h, Body),
        (0.94, 0.98 * chest, 0.058 * h, Body),
        (1.02, 0.86 * chest, 0.051 * h, Body),
        (1.08, 0.68 * chest, 0.046 * h, Body),
        (1.13, 0.52 * chest, 0.042 * h, Body),
        (1.165, 0.40 * chest, 0.037 * h, Body),
        (1.185, 0.32 * chest, 0.032 * h, Body),
        (1.19, 0.1 * chest, 0.010 * h, Body),
    ]
}

/// The skin from crotch to neck, and the collar bones.
pub(super) fn torso(mesh: &mut Mesh, reference: &Reference<'_>, trunk: &Trunk) {
    let h = reference.height;
    let along = trunk.shoulders - trunk.hips;
    let axis = unit_or(along, reference.up);
    let side = across(reference.left, axis, reference.front);
    let front = side.cross(&axis);
    let spine = Spine::of(reference, trunk, axis);
    let rings: Vec<Ring> = levels(trunk, h)
        .into_iter()
        .map(|(share, half_width, half_depth, finish)| Ring {
            // A chest carries its volume before the spine, a seat behind it.
            centre: trunk.hips + along * share + front * 0.008 * h * (share - 0.35),
            side: side * half_width,
            front: front * half_depth,
            tie: spine.tie(share * along.norm(), 0.03 * h),
            finish,
        })
        .collect();
    mesh.loft(&rings, 2.35);
    let at = |share: f64| trunk.hips + along * share;
    let waist = spine.tie(0.35 * along.norm(), 0.0).first;
    let hip = trunk.hip_half + 0.02 * h;
    mesh.solid(trunk.pelvis, [at(-0.05), at(0.15)], [0.9 * hip, 0.9 * hip]);
    mesh.solid(waist, [at(0.2), at(0.5)], [0.06 * h, 0.06 * h]);
    mesh.solid(trunk.chest, [at(0.6), at(0.95)], [0.075 * h, 0.07 * h]);
    collars(mesh, reference, trunk);
    neck(mesh, reference, trunk, at(1.08));
}

/// The joints of the spine by height over the hips; each carries what is above it.
struct Spine {
    joints: Vec<(f64, usize)>,
}

impl Spine {
    fn of(reference: &Reference<'_>, trunk: &Trunk, axis: Vec3) -> Self {
        let mut joints = vec![(f64::NEG_INFINITY, trunk.pelvis)];
        for &joint in &reference.way(trunk.pelvis, trunk.chest)[1..] {
            let level = (reference.place(joint) - trunk.hips).dot(&axis);
            let above = joints.last().map_or(level, |(below, _)| level.max(*below));
            // Of several joints in one place the last carries the turns of all.
            if joints.len() > 1 && joints.last().is_some_and(|(below, _)| *below == above) {
                joints.pop();
            }
            joints.push((above, joint));
        }
        Self { joints }
    }

    /// What carries a point at this level; near a joint, the two it parts, so that the skin bends instead of breaking.
    fn tie(&self, level: f64, soft: f64) -> Tie {
        let at = self
            .joints
            .partition_point(|(below, _)| *below < level)
            .max(1)
            - 1;
        let (below, first) = self.joints[at];
        let ramp = |edge: f64| {
            let t = ((level - edge) / (2.0 * soft).max(f64::MIN_POSITIVE) + 0.5).clamp(0.0, 1.0);
            t * t * (3.0 - 2.0 * t)
        };
        if let Some(&(above, second)) = self.joints.get(at + 1)
            && above - level < soft
        {
            return Tie {
                first,
                second,
                share: ramp(above),
            };
        }
        if at > 0 && level - below < soft {
            return Tie {
                first: self.joints[at - 1].1,
                second: first,
                share: ramp(below),
            };
        }
        Tie::to(first)
    }
}

/// A round tube between two places whose ends go with two joints, and what lies between with both.
struct Tube {
    from: Vec3,
    to: Vec3,
    ends: [usize; 2],
    finish: Finish,
}

impl Tube {
    /// Rings at shares of the way, with radii in body heights.
    fn rings(&self, reference: &Reference<'_>, outline: &[(f64, f64)]) -> Vec<Ring> {
        let axis = reference.direction(self.from, self.to);
        let front = across(reference.front, axis, reference.up);
        let side = axis.cross(&front);
        let ring = |&(share, radius): &(f64, f64)| Ring {
            centre: self.from + (self.to - self.from) * share,
            side: side * radius * reference.height,
            front: front * radius * reference.height,
            tie: Tie {
                first: self.ends[0],
                second: self.ends[1],
                share,
            },
            finish: self.finish,
        };
        outline.iter().map(ring).collect()
    }
}

/// From the chest to each shoulder, so that raised and dropped shoulders stay joined to the body: the inner end goes
/// with the chest, the outer one with the collar bone.
fn collars(mesh: &mut Mesh, reference: &Reference<'_>, trunk: &Trunk) {
    let h = reference.height;
    for arm in &reference.body.arms {
        let carrier = reference.parent(arm.upper);
        let to = reference.place(arm.upper);
        let from = trunk.shoulders + (to - trunk.shoulders) * 0.25 + reference.up * 0.01 * h;
        let outline = [
            (0.0, 0.02),
            (0.05, 0.035),
            (0.35, 0.036),
            (0.7, 0.033),
            (1.0, 0.029),
        ];
        let tube = Tube {
            from,
            to,
            ends: [trunk.chest, carrier],
            finish: Finish::Body,
        };
        mesh.loft(&tube.rings(reference, &outline), 2.0);
        mesh.solid(carrier, [from, to], [0.035 * h, 0.029 * h]);
    }
}

fn neck(mesh: &mut Mesh, reference: &Reference<'_>, trunk: &Trunk, from: Vec3) {
    let h = reference.height;
    let to = reference.place(trunk.head) + reference.up * 0.02 * h;
    let carrier = reference.parent(trunk.head);
    let outline = [(0.0, 0.035), (0.3, 0.0325), (0.7, 0.031), (1.0, 0.031)];
    let tube = Tube {
        from,
        to,
        ends: [trunk.chest, carrier],
        finish: Finish::Joint,
    };
    mesh.loft(&tube.rings(reference, &outline), 2.0);
    mesh.solid(carrier, [from, to], [0.03 * h, 0.028 * h]);
}
