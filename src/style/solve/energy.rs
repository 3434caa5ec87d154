//! What a pose costs beside the constraints: the styles' experts, springs on coordinates that never move, joint limits,
//! and a pull towards another pose where motion has to stay smooth.

use nalgebra::Matrix3;

use super::constraint::inverse_left_jacobian;
use super::descent::Energy;
use super::expert::{Expert, FeatureModel};
use super::linear::Quadratic;
use crate::motion::{Pose, PoseRef, Vec3};
use crate::style::Sharpness;
use crate::style::features::{BlockKind, FeatureMap, HELD_DEVIATION_RAD, Measured};

/// A quadratic cost of the distance from a pose, joint by joint.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PosePull {
    pub(super) pose: Pose,
    /// For each joint one over the squared deviation that is allowed, per squared radian.
    pub(super) turns: Vec<f64>,
    /// The same for the place of the body, per squared unit of length.
    pub(super) place: f64,
}

/// Beyond the training poses a joint may go on by this share of its range, and this angle, before its limit is felt.
const SLACK_SHARE: f64 = 0.15;
const SLACK_RAD: f64 = 0.1;
/// One standard deviation of a limit's spring.
const LIMIT_DEVIATION_RAD: f64 = 0.1;

/// What is no feature is held by a spring as wide as this share of how far it ever strayed: hardly at all for what
/// never moves, loosely for joints that were not captured and flip.
const STRAY_SHARE: f64 = 0.25;

/// The cost of poses of one style, or of several that share a feature map.
#[derive(Debug, Clone)]
pub(super) struct StyleEnergy {
    pub(super) map: FeatureMap,
    pub(super) experts: Vec<Expert>,
    pub(super) has_limits: bool,
    pub(super) pulls: Vec<PosePull>,
    /// Where a pose keeps the body's place.
    pub(super) place_slot: usize,
    measured: Measured,
    features: Vec<f64>,
    by_feature: FeatureModel,
}

impl StyleEnergy {
    pub(super) fn new(map: FeatureMap, experts: Vec<Expert>) -> Self {
        Self {
            measured: map.measured(),
            features: vec![0.0; map.n_features()],
            by_feature: FeatureModel::default(),
            map,
            experts,
            has_limits: true,
            pulls: Vec::new(),
            place_slot: 0,
        }
    }

    /// Which joints are no features although they move: they were not captured.
    pub(super) fn loose_joints(&self) -> Vec<bool> {
        let each = self.map.blocks().iter().map(|block| {
            let strayed = (block.high - block.low).amax();
            block.is_live == [false; 3] && strayed > 1.0
        });
        each.collect()
    }

    /// Chain rule: from coordinates of one joint to its turn.
    fn add_joint(&self, joint: usize, model: &mut Quadratic) {
        let block = &self.map.blocks()[joint];
        if block.kind == BlockKind::Fixed {
            return;
        }
        let coordinates = &self.measured.coordinates[joint];
        let jacobian = &self.measured.jacobians[joint];
        let places = self.map.feature_of(joint);
        let n = model.n_latent;
        let width = 3 * model.blocks.len();
        let mut grad = Vec3::zeros();
        let mut weight = Vec3::zeros();
        for (axis, place) in places.into_iter().enumerate() {
            let (g, w) = if let Some(feature) = place {
                let by = &self.by_feature;
                (by.grad[feature], by.diagonal[feature])
            } else {
                let strayed = STRAY_SHARE * (block.high[axis] - block.low[axis]);
                let w = HELD_DEVIATION_RAD.max(strayed).powi(-2);
                model.cost += 0.5 * w * coordinates[axis] * coordinates[axis];
                (w * coordinates[axis], w)
            };
            grad[axis] += g;
            weight[axis] += w;
            if self.has_limits && block.kind == BlockKind::Turn && place.is_some() {
                let slack = SLACK_RAD + SLACK_SHARE * (block.high[axis] - block.low[axis]);
                let (low, high) = (block.low[axis] - slack, block.high[axis] + slack);
                let beyond = coordinates[axis] - coordinates[axis].clamp(low, high);
                if beyond != 0.0 {
                    let w = LIMIT_DEVIATION_RAD.powi(-2);
                    model.cost += 0.5 * w * beyond * beyond;
                    grad[axis] += w * beyond;
                    weight[axis] += w;
                }
            }
            if let Some(feature) = place {
                let row = jacobian.row(axis);
                let n_features = self.features.len();
                for a in 0..n {
                    let mixed = self.by_feature.mixed[a * n_features + feature];
                    for k in 0..3 {
                        model.mixed[a * width + 3 * joint + k] += mixed * row[k];
                    }
                }
            }
        }
        model.grad[joint] += jacobian.tr_mul(&grad);
        model.blocks[joint] += jacobian.tr_mul(&(Matrix3::from_diagonal(&weight) * jacobian));
    }

    fn add_pull(&self, pull: &PosePull, pose: PoseRef<'_>, model: &mut Quadratic) {
        for (joint, &weight) in pull.turns.iter().enumerate() {
            if weight == 0.0 || self.map.blocks()[joint].kind == BlockKind::Fixed {
                continue;
            }
            let away = (pull.pose.rotations[joint].inverse() * pose.rotations[joint]).scaled_axis();
            // The right Jacobian is the transpose of the left one.
            let jacobian = inverse_left_jacobian(&away).transpose();
            model.cost += 0.5 * weight * away.norm_squared();
            model.grad[joint] += weight * jacobian.tr_mul(&away);
            model.blocks[joint] += weight * jacobian.tr_mul(&jacobian);
        }
        let away = pose.translations[self.place_slot] - pull.pose.translations[self.place_slot];
        let last = model.blocks.len() - 1;
        model.cost += 0.5 * pull.place * away.norm_squared();
        model.grad[last] += pull.place * away;
        model.blocks[last] += Matrix3::identity() * pull.place;
    }

    /// How many latent coordinates all styles have together.
    pub(super) fn n_latent(&self) -> usize {
        self.experts.last().map_or(0, Expert::end)
    }

    /// Which version of the styles judges.
    pub(super) fn set_sharpness(&mut self, sharpness: Sharpness) {
        for expert in &mut self.experts {
            expert.sharpness = sharpness;
        }
    }

    /// The cost of the styles alone, without springs, limits and pulls.
    pub(super) fn style_cost(&mut self, pose: PoseRef<'_>, latent: &[f64]) -> f64 {
        self.map.encode(pose, &mut self.features);
        self.by_feature.clear(self.features.len(), latent.len());
        for expert in &mut self.experts {
            expert.add(&self.features, latent, &mut self.by_feature);
        }
        self.by_feature.cost
    }

    /// Latent points for a pose that is known.
    pub(super) fn latent_of(&mut self, pose: PoseRef<'_>) -> Vec<f64> {
        self.map.encode(pose, &mut self.features);
        let mut latent = vec![0.0; self.n_latent()];
        for member in self.experts.iter().flat_map(|e| &e.members) {
            let n = member.model.n_latent();
            let part = &mut latent[member.first..][..n];
            member.model.latent_of(&self.features, part);
        }
        latent
    }
}

impl Energy for StyleEnergy {
    fn evaluate(&mut self, pose: PoseRef<'_>, latent: &[f64], model: &mut Quadratic) {
        let n_joints = pose.rotations.len();
        model.clear(n_joints, latent.len());
        self.map.measure(pose, &mut self.measured);
        self.map.gather(&self.measured, &mut self.features);
        self.by_feature.clear(self.features.len(), latent.len());
        for expert in &mut self.experts {
            expert.add(&self.features, latent, &mut self.by_feature);
        }
        model.cost = self.by_feature.cost;
        model
            .grad_latent
            .copy_from_slice(&self.by_feature.grad_latent);
        model.latent.copy_from_slice(&self.by_feature.latent);
        for joint in 0..n_joints {
            self.add_joint(joint, model);
        }
        for pull in &self.pulls {
            self.add_pull(pull, pose, model);
        }
    }
}
