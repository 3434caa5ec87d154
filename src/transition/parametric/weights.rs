//! The weights that bring the site to a target.
//!
//! Kovar and Gleicher 2004 (section 5.2) mix the weights of the nearest sampled blends by inverse distance, which
//! comes near a target. Here the same preference for near examples is kept, but the target is gone for: those weights
//! are taken for which `sum c_k w_k^2 + |miss|^2 / slack^2` is least, where `c_k` is the squared distance of example
//! `k`'s own point from the target, over the mean of all. Without the miss these would be inverse squared distances
//! (Shepard 1968). At an example's own point they are that example alone, and they follow the target without jumps,
//! which weights read from the nearest sample do not.
//!
//! The site's place is not quite linear in the weights, so the problem is solved some times over with its slopes (Gauss
//! and Newton). Each time it has one weight per example, a box for each, and four conditions (the place, and a sum of
//! 1); its dual has just four unknowns and is solved by Newton steps, however many examples there are.

use nalgebra::{Matrix4, Vector4};

use super::effect::EffectPose;
use crate::motion::Vec3;

/// Example costs never fall below this share of their mean: 1/1000 of the mean distance.
const LEAST_COST: f64 = 1e-6;
/// In body heights: a miss of this size weighs as much as the preference for near examples. 1 cm of a grown-up. Exact
/// weights (1e-5) turned over by 0.8 for targets 2 mm apart where the region is thin; with this, by 0.08 at most over
/// eight sets of captured punches and kicks, and the median miss grew from 0 to 0.3 mm where there are many examples.
const SLACK_HEIGHTS: f64 = 6e-3;
/// Weights that change by less than this have settled.
const SETTLED: f64 = 1e-7;
/// Shorter parts of a step are not tried.
const LEAST_SHARE: f64 = 1e-3;
/// Newton steps of the dual; it ends after about five.
const MAX_DUAL_STEPS: usize = 40;

/// Refined weights and the point that blending alone reaches.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Refined {
    /// One for each example; the sum is 1.
    pub(super) weights: Vec<f64>,
    /// Where they bring the site.
    pub(super) point: Vec3,
}

/// Looks for weights; keeps its buffers from target to target.
#[derive(Debug, Clone)]
pub(super) struct Refiner<'a> {
    effect: &'a EffectPose,
    /// Height of the body, the unit in which lengths are compared.
    body_height: f64,
    /// Least and largest weight.
    bounds: (f64, f64),
    max_steps: usize,
    slopes: Vec<Vec3>,
    costs: Vec<f64>,
    rows: Vec<Vector4<f64>>,
    /// Of the last step; the next one starts there.
    dual: Vector4<f64>,
}

/// Least and largest weight. Extrapolation is shared by all but one example, so that weights below zero never sum to
/// more than it, however many examples there are.
pub(super) fn bounds(n_examples: usize, extrapolation: f64) -> (f64, f64) {
    let others = n_examples.saturating_sub(1).max(1) as f64;
    (-extrapolation / others, 1.0 + extrapolation)
}

impl<'a> Refiner<'a> {
    pub(super) fn new(
        effect: &'a EffectPose,
        body_height: f64,
        extrapolation: f64,
        max_steps: usize,
    ) -> Self {
        Self {
            effect,
            body_height,
            bounds: bounds(effect.points.len(), extrapolation),
            max_steps,
            slopes: Vec::new(),
            costs: Vec::new(),
            rows: Vec::new(),
            dual: Vector4::zeros(),
        }
    }

    /// From these weights to those that bring the site to the target, or as near as weights within bounds do.
    pub(super) fn refine(&mut self, target: &Vec3, start: &[f64]) -> Refined {
        self.set_costs(target);
        let mut weights = start.to_vec();
        let mut tried = weights.clone();
        let mut point = self.effect.point_and_slopes(&weights, &mut self.slopes);
        let mut worth = self.objective(&weights, &(target - point));
        self.dual = Vector4::zeros();
        for _ in 0..self.max_steps {
            let next = self.step(&(target - point), &weights);
            let change = next.iter().zip(&weights).map(|(a, b)| (a - b).abs());
            if change.fold(0.0, f64::max) < SETTLED {
                break;
            }
            // A whole step may lead too far where the slopes change quickly: then half of it, and so on.
            let mut share = 1.0;
            while share > LEAST_SHARE {
                for ((tried, from), to) in tried.iter_mut().zip(&weights).zip(&next) {
                    *tried = from + (to - from) * share;
                }
                let reached = self.effect.point(&tried);
                let found = self.objective(&tried, &(target - reached));
                if found < worth {
                    weights.clone_from(&tried);
                    worth = found;
                    break;
                }
                share *= 0.5;
            }
            if share <= LEAST_SHARE {
                break;
            }
            point = self.effect.point_and_slopes(&weights, &mut self.slopes);
        }
        Refined { weights, point }
    }

    /// What is made least: `sum c w^2 + |miss|^2 / slack^2`.
    fn objective(&self, weights: &[f64], miss: &Vec3) -> f64 {
        let preference = weights.iter().zip(&self.costs).map(|(w, c)| c * w * w);
        let slack = SLACK_HEIGHTS * self.body_height;
        preference.sum::<f64>() + miss.norm_squared() / (slack * slack)
    }

    fn set_costs(&mut self, target: &Vec3) {
        let points = &self.effect.points;
        self.costs.clear();
        self.costs
            .extend(points.iter().map(|p| (p - target).norm_squared()));
        let mean = self.costs.iter().sum::<f64>() / points.len() as f64;
        for cost in &mut self.costs {
            *cost = if mean > 0.0 {
                (*cost / mean).max(LEAST_COST)
            } else {
                1.0
            };
        }
    }

    /// The weights that make the objective least if the site's place were linear; within bounds, sum 1.
    fn step(&mut self, rest: &Vec3, weights: &[f64]) -> Vec<f64> {
        let scale = 1.0 / self.body_height;
        let mut wanted = Vector4::new(rest.x * scale, rest.y * scale, rest.z * scale, 1.0);
        self.rows.clear();
        for (slope, weight) in self.slopes.iter().zip(weights) {
            let s = slope * scale;
            wanted += Vector4::new(s.x, s.y, s.z, 0.0) * *weight;
            self.rows.push(Vector4::new(s.x, s.y, s.z, 1.0));
        }
        let slack = SLACK_HEIGHTS * SLACK_HEIGHTS;
        self.solve_dual(&wanted, &Vector4::new(slack, slack, slack, 0.0));
        self.settle_sum();
        let dual = self.dual;
        (0..self.rows.len())
            .map(|k| self.weight(k, &dual))
            .collect()
    }

    /// Sets the last multiplier so that the sum is 1 to the last digit: it grows with it, so halving finds it.
    fn settle_sum(&mut self) {
        let off = |dual: &Vector4<f64>| {
            let weights = (0..self.rows.len()).map(|k| self.weight(k, dual));
            weights.sum::<f64>() - 1.0
        };
        let mut dual = self.dual;
        if off(&dual).abs() < 1e-12 {
            return;
        }
        // Large enough that all weights are at a bound, whatever pulls at them.
        let pulls = self.rows.iter().zip(&self.costs);
        let most = pulls.map(|(row, cost)| row.dot(&dual).abs() + 2.0 * cost);
        let reach = most.fold(0.0, f64::max) + dual.w.abs();
        let (mut low, mut high) = (dual.w - reach, dual.w + reach);
        for _ in 0..200 {
            dual.w = 0.5 * (low + high);
            let off = off(&dual);
            if off.abs() < 1e-12 {
                break;
            }
            if off > 0.0 {
                high = dual.w;
            } else {
                low = dual.w;
            }
        }
        self.dual = dual;
    }

    fn weight(&self, k: usize, dual: &Vector4<f64>) -> f64 {
        (self.rows[k].dot(dual) / self.costs[k]).clamp(self.bounds.0, self.bounds.1)
    }

    /// The multipliers of the four conditions: where the dual function, convex and of pieces of parabolas, is least.
    fn solve_dual(&mut self, wanted: &Vector4<f64>, slack: &Vector4<f64>) {
        let (low, high) = self.bounds;
        let mut dual = self.dual;
        let mut value = self.dual_value(&dual, wanted, slack);
        for _ in 0..MAX_DUAL_STEPS {
            let mut gradient = dual.component_mul(slack) - wanted;
            let mut bend = Matrix4::from_diagonal(slack);
            for (row, cost) in self.rows.iter().zip(&self.costs) {
                let free = row.dot(&dual) / cost;
                gradient += row * free.clamp(low, high);
                if free > low && free < high {
                    bend += row * row.transpose() / *cost;
                }
            }
            // Where all weights are at their bounds the sum does not bend at all; a little keeps steps sane.
            bend.m44 += 1e-3 * slack.x;
            let step = bend.cholesky().map(|c| c.solve(&gradient));
            let Some(step) = step else { break };
            let slope = gradient.dot(&step);
            if slope.is_nan() || slope <= 1e-16 {
                break;
            }
            let mut share = 1.0;
            while share > 1e-9 {
                let tried = dual - step * share;
                let reached = self.dual_value(&tried, wanted, slack);
                if reached <= value - 1e-4 * share * slope {
                    (dual, value) = (tried, reached);
                    break;
                }
                share *= 0.5;
            }
            if share <= 1e-9 {
                break;
            }
        }
        self.dual = dual;
    }

    fn dual_value(&self, dual: &Vector4<f64>, wanted: &Vector4<f64>, slack: &Vector4<f64>) -> f64 {
        let (low, high) = self.bounds;
        let mut value = 0.5 * dual.component_mul(slack).dot(dual) - wanted.dot(dual);
        for (row, cost) in self.rows.iter().zip(&self.costs) {
            let pull = row.dot(dual);
            // The integral of the clamped weight along the pull.
            let weight = (pull / cost).clamp(low, high);
            value += weight * (pull - 0.5 * cost * weight);
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::super::effect::tests::arm;
    use super::*;
    use crate::numerics::random::Stream;

    #[test]
    fn weights_stay_in_their_bounds_and_sum_to_one() {
        let effect = arm(6);
        let mut refiner = Refiner::new(&effect, 4.0, 0.2, 12);
        let (low, high) = bounds(6, 0.2);
        let mut stream = Stream::named(1, &[]);
        for _ in 0..200 {
            let target = Vec3::from_fn(|_, _| stream.between(-6.0, 6.0));
            let found = refiner.refine(&target, &[1.0 / 6.0; 6]);
            let sum: f64 = found.weights.iter().sum();
            assert!((sum - 1.0).abs() < 1e-9, "sum {sum}");
            for w in &found.weights {
                assert!(*w >= low - 1e-9 && *w <= high + 1e-9, "{:?}", found.weights);
            }
            let below: f64 = found.weights.iter().map(|w| w.min(0.0)).sum();
            assert!(below > -0.2 - 1e-9, "{below}");
            assert!(
                (effect.point(&found.weights) - found.point).norm() < 1e-12,
                "told"
            );
        }
    }

    #[test]
    fn a_blend_is_found_again() {
        let effect = arm(4);
        let mut refiner = Refiner::new(&effect, 4.0, 0.2, 20);
        let mut stream = Stream::named(2, &[]);
        for _ in 0..100 {
            let mut planted: Vec<f64> = (0..4).map(|_| stream.between(0.1, 1.0)).collect();
            let sum: f64 = planted.iter().sum();
            for w in &mut planted {
                *w /= sum;
            }
            let target = effect.point(&planted);
            let found = refiner.refine(&target, &[0.25; 4]);
            let miss = (found.point - target).norm();
            // A hundredth of the height: slack.
            assert!(miss < 0.04, "{planted:?} {:?}: {miss}", found.weights);
        }
    }

    #[test]
    fn no_change_of_weights_makes_it_better() {
        let effect = arm(7);
        let mut refiner = Refiner::new(&effect, 4.0, 0.2, 50);
        let target = (effect.points[0] + effect.points[3] + effect.points[5]) / 3.0;
        let found = refiner.refine(&target, &[1.0 / 7.0; 7]);
        let best = refiner.objective(&found.weights, &(target - found.point));
        let (low, high) = bounds(7, 0.2);
        for from in 0..7 {
            for to in 0..7 {
                let mut other = found.weights.clone();
                other[from] -= 1e-3;
                other[to] += 1e-3;
                if other.iter().all(|w| (low..=high).contains(w)) {
                    let miss = target - effect.point(&other);
                    let value = refiner.objective(&other, &miss);
                    assert!(value > best - 1e-6, "{from} to {to}: {value} under {best}");
                }
            }
        }
    }
}
