//! How natural a pose is, in the eyes of a style, and which joints look odd.
//!
//! A latent model explains its own poses almost exactly, so they are no measure for others. What is compared with are
//! poses halfway between neighbouring training poses: natural, but never seen.

use std::sync::Arc;

use crate::motion::PoseRef;
use crate::style::gplvm::{LatentProjection, LatentTerms};
use crate::style::{PriorKind, Sharpness, Style};

/// What is thought of a pose.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// From 0, nothing like the clips, to 1, as they are.
    pub level: f64,
    /// Joints that look odd, each with how odd from 0 to 1.
    pub odd: Vec<(usize, f64)>,
    /// The pose's place in the latent space; empty without one.
    pub latent: Vec<f64>,
}

impl Judgement {
    /// The verdict as the panel shows it.
    pub fn words(&self) -> &'static str {
        match self.level {
            l if l > 0.85 => "natural",
            l if l > 0.55 => "a little unusual",
            l if l > 0.25 => "unusual",
            _ => "nothing like the clips",
        }
    }
}

/// A style that judges, with what it is used to.
#[derive(Debug)]
pub struct PoseJudge {
    style: Arc<Style>,
    /// Cost that nine of ten natural poses stay below.
    usual_cost: f64,
    /// For each joint the deviation that nine of ten natural poses stay below.
    usual_joints: Vec<f64>,
    last: Vec<f64>,
    terms: LatentTerms,
    features: Vec<f64>,
}

impl PoseJudge {
    /// Gets to know what natural poses cost.
    pub fn new(style: Arc<Style>) -> Self {
        /// Enough for a percentile, and done within a moment.
        const MOST: usize = 60;
        let n_joints = style.map().blocks().len();
        let mut judge = Self {
            usual_cost: 0.0,
            usual_joints: vec![0.0; n_joints],
            last: Vec::new(),
            terms: LatentTerms::default(),
            features: vec![0.0; style.map().n_features()],
            style,
        };
        let between = judge.between_neighbours(MOST);
        let mut costs = Vec::with_capacity(between.len());
        let mut joints = vec![Vec::with_capacity(between.len()); n_joints];
        for y in &between {
            let (cost, _) = judge.cost(y, None);
            costs.push(cost);
            for (joint, deviation) in judge.by_joint().into_iter().enumerate() {
                joints[joint].push(deviation);
            }
        }
        judge.usual_cost = most_of(&mut costs);
        judge.usual_joints = joints
            .iter_mut()
            .map(|values| most_of(values.as_mut_slice()))
            .collect();
        judge
    }

    /// Whose judgement it is.
    pub fn style(&self) -> &Arc<Style> {
        &self.style
    }

    /// What it thinks of a pose of the style's structure. `is_near` to the last one makes it quick.
    pub fn judge(&mut self, pose: PoseRef<'_>, is_near: bool) -> Judgement {
        let mut y = std::mem::take(&mut self.features);
        self.style.map().encode(pose, &mut y);
        let start = std::mem::take(&mut self.last);
        let start = (is_near && !start.is_empty()).then_some(start);
        let (cost, latent) = self.cost(&y, start.as_deref());
        let n = y.len().max(1) as f64;
        let level = (-(cost - self.usual_cost).max(0.0) / (2.0 * n)).exp();
        let by_joint = self.by_joint().into_iter().zip(&self.usual_joints);
        let odd = by_joint.enumerate().filter_map(|(joint, (now, usual))| {
            /// Below this many deviations nothing is odd.
            const ODD: f64 = 3.0;
            let over = now / usual.max(ODD) - 1.0;
            (over > 0.25).then(|| (joint, (over / 2.0).min(1.0)))
        });
        let odd = odd.collect();
        self.features = y;
        self.last.clone_from(&latent);
        Judgement { level, odd, latent }
    }

    /// Cost of features at their latent point, which is looked for from `start` or from the nearest training poses.
    fn cost(&mut self, y: &[f64], start: Option<&[f64]>) -> (f64, Vec<f64>) {
        let style = Arc::clone(&self.style);
        let Some(model) = style.latent() else {
            let mut terms = crate::style::Terms::default();
            let prior = style.prior(PriorKind::Gaussian);
            prior.evaluate(Sharpness::Sharp, &[], y, &mut terms);
            self.terms.residuals = deviations(&style, y);
            return (terms.cost, Vec::new());
        };
        let LatentProjection { x, cost } = match start.filter(|x| x.len() == model.n_latent()) {
            Some(start) => model.project_from(y, start, &mut self.terms),
            None => model.project(y, &mut self.terms),
        };
        model.evaluate(Sharpness::Sharp, &x, y, &mut self.terms);
        (cost, x)
    }

    /// For each joint the root of its mean squared residual at the last cost.
    fn by_joint(&self) -> Vec<f64> {
        let map = self.style.map();
        let joints = (0..map.blocks().len()).map(|joint| {
            let features = map.feature_of(joint).into_iter().flatten();
            let squares = features.map(|f| self.terms.residuals[f].powi(2));
            let (n, sum) = squares.fold((0, 0.0), |(n, sum), r| (n + 1, sum + r));
            (sum / f64::from(n.max(1))).sqrt()
        });
        joints.collect()
    }

    /// Features halfway between kept poses and the pose that is most like each.
    fn between_neighbours(&self, most: usize) -> Vec<Vec<f64>> {
        let map = self.style.map();
        let rows: Vec<Vec<f64>> = self
            .style
            .active()
            .iter()
            .map(|pose| {
                let mut row = vec![0.0; map.n_features()];
                map.encode(pose.as_ref(), &mut row);
                row
            })
            .collect();
        let apart =
            |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum() };
        let step = rows.len().div_ceil(most).max(1);
        let each = rows.iter().enumerate().step_by(step);
        each.filter_map(|(at, row)| {
            let others = rows.iter().enumerate().filter(|(other, _)| *other != at);
            let near = others.map(|(_, other)| other);
            let near = near.min_by(|a, b| apart(row, a).total_cmp(&apart(row, b)))?;
            Some(row.iter().zip(near).map(|(a, b)| 0.5 * (a + b)).collect())
        })
        .collect()
    }
}

/// Each feature's distance from the mean in its own standard deviations.
fn deviations(style: &Style, y: &[f64]) -> Vec<f64> {
    let gaussian = style.gaussian();
    let each = y.iter().zip(gaussian.mean()).enumerate();
    each.map(|(f, (y, mean))| (y - mean) / gaussian.covariance()[(f, f)].max(1e-12).sqrt())
        .collect()
}

/// The value that nine of ten stay below.
fn most_of(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let last = values.len().saturating_sub(1);
    values.get(last * 9 / 10).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::{Action, make};
    use crate::jobs::Ticket;
    use crate::motion::Quat;
    use crate::motion::Vec3;
    use crate::style::{LearnSettings, Method};

    #[test]
    fn a_bent_back_knee_is_named_and_a_walk_is_natural() {
        let clips: Vec<_> = (0..2).map(|i| make(Action::Walk, 1, i).clip).collect();
        let refs: Vec<_> = clips.iter().collect();
        for method in [Method::Full, Method::Gaussian] {
            let settings = LearnSettings {
                method,
                n_fitted: 60,
                n_active: 40,
                n_steps: 30,
                ..LearnSettings::default()
            };
            let style = Style::learn(&refs, &settings, &Ticket::default()).unwrap();
            let mut judge = PoseJudge::new(Arc::new(style));
            let unseen = make(Action::Walk, 1, 7).clip;
            let levels: Vec<f64> = unseen
                .frames()
                .step_by(7)
                .map(|frame| judge.judge(frame, false).level)
                .collect();
            let mean = levels.iter().sum::<f64>() / levels.len() as f64;
            assert!(mean > 0.5, "{method:?}: an unseen walk has {mean}");
            let mut pose = unseen.frame(10).to_pose();
            let knee = crate::motion::Body::of(unseen.skeleton()).legs[0].middle;
            pose.rotations[knee] *= Quat::from_scaled_axis(Vec3::new(-1.5, 0.7, 0.0));
            let broken = judge.judge(pose.as_ref(), false);
            assert!(
                broken.level < 0.5,
                "{method:?}: broken is {}, {}",
                broken.words(),
                broken.level
            );
            let worst = broken.odd.iter().max_by(|a, b| a.1.total_cmp(&b.1));
            assert_eq!(worst.map(|odd| odd.0), Some(knee), "{method:?}: {broken:?}");
        }
    }
}
