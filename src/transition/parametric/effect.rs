//! Where the site is at the moment of effect, as a function of the weights, and how it answers to each of them.
//!
//! Only the joints between body and site are carried out, and the body's way up to that moment: about a microsecond,
//! so that thousands of blends can be tried.

use super::space::{BlendSpace, about_up, dot, planar, weighted};
use crate::motion::rotation::right_jacobian;
use crate::motion::{Quat, Site, Vec3};

/// A joint between the carrier and the site.
#[derive(Debug, Clone)]
struct ChainJoint {
    mean: Quat,
    /// From the mean to each example.
    turns: Vec<Vec3>,
    /// From its parent, if the same in all examples; else for each.
    offset: Vec3,
    offsets: Option<Vec<Vec3>>,
}

/// The examples at the moment of effect.
#[derive(Debug, Clone)]
pub(super) struct EffectPose {
    n_examples: usize,
    /// From the carrier outwards.
    bones: Vec<ChainJoint>,
    /// From the last bone's joint to the site.
    tip: Vec3,
    /// Phase by phase up to the effect, example by example.
    steps: Vec<[f64; 2]>,
    headings: Vec<f64>,
    /// Root height of each example at the moment of effect.
    heights: Vec<f64>,
    /// Where each example brings the site.
    pub(super) points: Vec<Vec3>,
}

impl EffectPose {
    /// `None` if the site does not hang on the joint that moves the body.
    pub(super) fn new(space: &BlendSpace, phase: usize, site: Site) -> Option<Self> {
        let (skeleton, k) = (&space.skeleton, space.n_examples);
        let n_slots = skeleton.translating().len();
        let mut chain: Vec<usize> = skeleton.ancestors(skeleton.carrier(site)).collect();
        let from = chain.iter().position(|&j| j == space.carrier)?;
        chain.truncate(from + 1);
        chain.reverse();
        let bones = chain
            .iter()
            .map(|&joint| {
                let at = phase * skeleton.n_joints() + joint;
                let slot = skeleton.translation_slot(joint);
                let own = slot.filter(|_| joint != space.carrier);
                ChainJoint {
                    mean: space.means[at],
                    turns: space.turns[at * k..][..k].to_vec(),
                    offset: if joint == space.carrier {
                        Vec3::zeros()
                    } else {
                        skeleton.joints()[joint].offset
                    },
                    offsets: own
                        .map(|s| space.translations[(phase * n_slots + s) * k..][..k].to_vec()),
                }
            })
            .collect();
        let n = (phase + 1) * k;
        let mut effect = Self {
            n_examples: k,
            bones,
            tip: match site {
                Site::Joint(_) => Vec3::zeros(),
                Site::End(end) => skeleton.ends()[end].offset,
            },
            steps: space.steps[..n].to_vec(),
            headings: space.headings[..n].to_vec(),
            heights: space.heights[n - k..n].to_vec(),
            points: Vec::new(),
        };
        effect.points = (0..k)
            .map(|example| {
                let mut weights = vec![0.0; k];
                weights[example] = 1.0;
                effect.point(&weights)
            })
            .collect();
        Some(effect)
    }

    /// Where a blend brings the site, in the action's frame.
    pub(super) fn point(&self, weights: &[f64]) -> Vec3 {
        let (mut place, heading) = self.body(weights, |_, _, _| {});
        let mut turn = about_up(heading);
        for bone in &self.bones {
            place += turn * bone.offset(weights);
            turn = turn * bone.mean * Quat::from_scaled_axis(weighted(&bone.turns, weights));
        }
        place + turn * self.tip
    }

    /// The same, and the change of the point with each weight.
    pub(super) fn point_and_slopes(&self, weights: &[f64], slopes: &mut Vec<Vec3>) -> Vec3 {
        let k = self.n_examples;
        slopes.clear();
        slopes.resize(k, Vec3::zeros());
        let mut own_before = vec![0.0; k];
        let (body, heading) = self.body(weights, |phase, turn, step| {
            // A change of heading turns the step; a change of the step is turned.
            let aside = Vec3::y().cross(&step);
            for (example, slope) in slopes.iter_mut().enumerate() {
                let at = phase * k + example;
                let [left, forward] = self.steps[at];
                let half = 0.5 * (own_before[example] + self.headings[at]);
                *slope += turn * Vec3::new(left, 0.0, forward) + aside * half;
                own_before[example] = self.headings[at];
            }
        });
        for (example, slope) in slopes.iter_mut().enumerate() {
            slope.y = self.heights[example];
        }
        // Joint by joint where it is, its axes, and how its own turn answers to a change of the turn's vector.
        let mut joints = Vec::with_capacity(self.bones.len());
        let (mut place, mut turn) = (body, about_up(heading));
        for bone in &self.bones {
            let parent = turn;
            place += parent * bone.offset(weights);
            let vector = weighted(&bone.turns, weights);
            turn = turn * bone.mean * Quat::from_scaled_axis(vector);
            let answer = turn.to_rotation_matrix().into_inner() * right_jacobian(&vector);
            joints.push((place, parent, answer));
        }
        let point = place + turn * self.tip;
        let about_body = Vec3::y().cross(&(point - body));
        let last = self.headings.len() - k;
        for (example, slope) in slopes.iter_mut().enumerate() {
            *slope += about_body * self.headings[last + example];
        }
        for (bone, (place, parent, answer)) in self.bones.iter().zip(&joints) {
            let arm = point - place;
            let lever = -arm.cross_matrix() * answer;
            for (example, slope) in slopes.iter_mut().enumerate() {
                *slope += lever * bone.turns[example];
                if let Some(offsets) = &bone.offsets {
                    *slope += parent * offsets[example];
                }
            }
        }
        point
    }

    /// Where the body is at the moment of effect, and its heading. `each` is told every step on the way: its phase, the
    /// turn along it and the step in the action's frame.
    fn body(&self, weights: &[f64], mut each: impl FnMut(usize, Quat, Vec3)) -> (Vec3, f64) {
        let k = self.n_examples;
        let mut place = Vec3::zeros();
        let mut before = 0.0;
        let rows = self
            .steps
            .chunks_exact(k)
            .zip(self.headings.chunks_exact(k));
        for (phase, (steps, headings)) in rows.enumerate() {
            let heading = dot(headings, weights);
            let [left, forward] = planar(steps, weights);
            let turn = about_up(0.5 * (before + heading));
            let step = turn * Vec3::new(left, 0.0, forward);
            each(phase, turn, step);
            place += step;
            before = heading;
        }
        place.y = dot(&self.heights, weights);
        (place, before)
    }
}

impl ChainJoint {
    fn offset(&self, weights: &[f64]) -> Vec3 {
        match &self.offsets {
            Some(offsets) => weighted(offsets, weights),
            None => self.offset,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::numerics::random::Stream;

    /// A body that walks and turns, with an arm of three joints, one of them sliding; random but always the same.
    pub(in super::super) fn arm(k: usize) -> EffectPose {
        let mut stream = Stream::named(5, &[k as u64]);
        let mut vector = |size: f64| Vec3::from_fn(|_, _| stream.between(-size, size));
        let bones = (0..3)
            .map(|joint| ChainJoint {
                mean: Quat::from_scaled_axis(vector(1.5)),
                turns: (0..k).map(|_| vector(0.6)).collect(),
                offset: vector(1.0),
                offsets: (joint == 1).then(|| (0..k).map(|_| vector(1.0)).collect()),
            })
            .collect();
        let mut effect = EffectPose {
            n_examples: k,
            bones,
            tip: vector(2.0),
            steps: (0..9 * k)
                .map(|_| vector(0.2))
                .map(|v| [v.x, v.z])
                .collect(),
            headings: (0..9 * k).map(|_| vector(0.8).x).collect(),
            heights: (0..k).map(|_| 1.0 + vector(0.2).y).collect(),
            points: Vec::new(),
        };
        effect.points = (0..k)
            .map(|example| {
                let weights: Vec<f64> = (0..k).map(|i| f64::from(u8::from(i == example))).collect();
                effect.point(&weights)
            })
            .collect();
        effect
    }

    #[test]
    fn slopes_agree_with_finite_differences() {
        let effect = arm(4);
        let weights = [0.5, -0.1, 0.4, 0.2];
        let mut slopes = Vec::new();
        let point = effect.point_and_slopes(&weights, &mut slopes);
        assert!(
            (point - effect.point(&weights)).norm() < 1e-12,
            "same point"
        );
        let h = 1e-6;
        for example in 0..4 {
            let moved = |by: f64| {
                let mut weights = weights;
                weights[example] += by;
                effect.point(&weights)
            };
            let slope = (moved(h) - moved(-h)) / (2.0 * h);
            let error = (slope - slopes[example]).norm();
            assert!(error < 1e-7, "example {example}: {error:e}");
        }
    }
}
