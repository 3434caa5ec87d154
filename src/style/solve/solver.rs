//! Poses from a style and constraints.

use std::ops::Range;
use std::sync::Arc;

use super::align_bones::align_bones;
use super::constraint::{Constraint, ConstraintError, ConstraintSet, Placing, Tolerances};
use super::descent::{Descent, DescentSettings, SolveState};
use super::energy::{PosePull, StyleEnergy};
use super::expert::Expert;
use super::model::LatentModel;
use super::start::{StartFit, StartPose, fit, placed};
use crate::motion::heading::forward;
use crate::motion::{
    Axis, Clip, ClipInfo, Motion, Pose, PoseRef, Quat, Site, Skeleton, Vec3, WorldPose, body,
};
use crate::style::{Gplvm, PriorKind, Sharpness, Style};

/// Settings of the solver.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolveSettings {
    /// Which parts of the style judge.
    pub prior: PriorKind,
    /// Whether joints resist going far beyond the training poses.
    pub has_limits: bool,
    /// How many training poses to start from; the cheapest result is kept.
    pub n_starts: usize,
    /// Walk from the smooth model to the sharp one (section 6.1.1) when starting afresh.
    pub is_annealed: bool,
    /// Steps of the last descent.
    pub max_iterations: usize,
    /// Stop when a step gains less than this share.
    pub tolerance: f64,
}

impl Default for SolveSettings {
    fn default() -> Self {
        Self {
            // Chosen on jumping jacks, sneaks, runs, hops and crouches, not on the kinds that are reported: best of 0,
            // 0.03, 0.1, 0.3 and 1 by the geometric mean over handle counts and seen and unseen clips, by 1 to 4 per
            // cent.
            prior: PriorKind::Both {
                gaussian_weight: 0.1,
            },
            has_limits: true,
            // Of 3, 5 and 8 on ten kinds of motion: 5 has most of what 8 gains over 3, in less time.
            n_starts: 5,
            is_annealed: false,
            max_iterations: 60,
            tolerance: 1e-3,
        }
    }
}

/// Why no pose could be asked for.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SolveError {
    /// A constraint that means nothing.
    #[error(transparent)]
    Constraint(#[from] ConstraintError),
    /// The list of styles is empty.
    #[error("at least one style is needed")]
    NoStyle,
    /// Blending needs common features.
    #[error("style {index} was not learned on the same features as the first: learn both together")]
    OtherMap {
        /// Place in the list, from 0.
        index: usize,
    },
    /// Weights that cannot be weights.
    #[error("weights of styles must be numbers from 0 that do not all vanish")]
    Weights,
    /// Bones that the style does not know.
    #[error("the skeleton has other joints than the style")]
    Skeleton,
    /// A pose that does not fit the skeleton.
    #[error("the pose has other joints than the style")]
    Pose,
}

/// A pose, and how well it does.
#[derive(Debug, Clone, PartialEq)]
pub struct Solved {
    /// On the solver's skeleton.
    pub pose: Pose,
    /// The latent points behind it, for warm starts.
    pub latent: Vec<f64>,
    /// Half the sum of all squares: style, springs, limits and constraints.
    pub cost: f64,
    /// Minus the style's share of the cost; higher is more natural.
    pub log_likelihood: f64,
    /// For each constraint how far it is from being met: a length, or radians.
    pub errors: Vec<f64>,
    /// Whether all hard constraints are met within a millimetre of a body of 1.7 m.
    pub is_met: bool,
    /// Levenberg-Marquardt iterations that were taken.
    pub n_iterations: usize,
    /// False if time ran out before the pose stood still.
    pub has_settled: bool,
}

/// Solves poses of one style, or of a blend. Keeps its buffers: make one and use it for many poses.
#[derive(Debug, Clone)]
pub struct Solver {
    pub(super) skeleton: Arc<Skeleton>,
    pub(super) placing: Arc<Placing>,
    pub(super) tolerances: Tolerances,
    pub(super) height: f64,
    pub(super) up: Vec3,
    pub(super) energy: StyleEnergy,
    candidates: Vec<StartPose>,
    /// For each style its own among the candidates.
    candidates_of: Vec<Range<usize>>,
    pub(super) descent: Descent,
    settings: SolveSettings,
}

impl Solver {
    /// For one style, on its own skeleton.
    pub fn new(style: &Style, settings: SolveSettings) -> Result<Self, SolveError> {
        Self::blend(&[(style, 1.0)], settings)
    }

    /// For several styles that share their features, with weights (Eq. 9; see the module for how they mix).
    pub fn blend(styles: &[(&Style, f64)], settings: SolveSettings) -> Result<Self, SolveError> {
        let (first, _) = styles.first().ok_or(SolveError::NoStyle)?;
        if let Some(index) = styles.iter().position(|(s, _)| s.map() != first.map()) {
            return Err(SolveError::OtherMap { index });
        }
        let skeleton = Arc::clone(first.skeleton());
        let placing = Arc::new(Placing::new(&skeleton, first.map().root()));
        let mut energy = StyleEnergy::new(first.map().clone(), experts(styles, settings.prior));
        energy.place_slot = placing.slot(&skeleton);
        energy.has_limits = settings.has_limits;
        let mut solver = Self {
            placing,
            tolerances: Tolerances { millimetre: 1.0 },
            height: 1.0,
            up: first.map().parts().heading.up.vector(),
            energy,
            candidates: Vec::new(),
            candidates_of: Vec::new(),
            descent: Descent::new(skeleton.n_joints()),
            settings,
            skeleton: Arc::clone(&skeleton),
        };
        for (style, _) in styles {
            let poses = style.active().iter().cloned();
            let first = solver.candidates.len();
            let each = poses.map(|pose| carried_out(&skeleton, pose));
            solver.candidates.extend(each);
            solver.candidates_of.push(first..solver.candidates.len());
        }
        solver.measure_body();
        let weights: Vec<f64> = styles.iter().map(|(_, w)| *w).collect();
        solver.set_weights(&weights)?;
        Ok(solver)
    }

    /// The same style on other bones of the same structure.
    pub fn on_skeleton(mut self, skeleton: &Arc<Skeleton>) -> Result<Self, SolveError> {
        if !self.skeleton.same_structure(skeleton) {
            return Err(SolveError::Skeleton);
        }
        self.skeleton = Arc::clone(skeleton);
        for candidate in &mut self.candidates {
            *candidate = carried_out(skeleton, candidate.pose.clone());
        }
        self.measure_body();
        Ok(self)
    }
}

impl Solver {
    /// Other weights for the styles of a blend.
    pub fn set_weights(&mut self, weights: &[f64]) -> Result<(), SolveError> {
        let sum: f64 = weights.iter().sum();
        let are_fine = weights.iter().all(|w| *w >= 0.0) && sum > 0.0 && sum.is_finite();
        let n = self.energy.experts.iter().map(|e| e.members.len());
        if !are_fine || n.into_iter().any(|n| n != weights.len()) {
            return Err(SolveError::Weights);
        }
        for expert in &mut self.energy.experts {
            for (member, weight) in expert.members.iter_mut().zip(weights) {
                member.share = weight / sum;
            }
        }
        Ok(())
    }

    /// The bones that poses are solved on.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// The up axis of the style's clips.
    pub fn up(&self) -> Axis {
        self.energy.map.parts().heading.up
    }

    /// The axis of the joint that carries a site, in its own space, that points forward when the body stands in its
    /// mean pose: what a head looks along.
    pub fn forward_axis(&self, site: Site) -> Vec3 {
        let mean = WorldPose::of(&self.skeleton, self.energy.map.mean_pose().as_ref());
        mean.rotations[self.skeleton.carrier(site)].inverse() * forward(self.up())
    }

    /// How tall the body is.
    pub fn height(&self) -> f64 {
        self.height
    }

    /// One millimetre of a body of 1.7 m, in units of this body.
    pub fn millimetre(&self) -> f64 {
        self.tolerances.millimetre
    }

    /// How many styles are blended.
    pub fn n_styles(&self) -> usize {
        self.energy.experts.first().map_or(0, |e| e.members.len())
    }

    /// The share of each style; they sum to one.
    pub fn weights(&self) -> Vec<f64> {
        let members = self.energy.experts.first().map(|e| e.members.iter());
        members.into_iter().flatten().map(|m| m.share).collect()
    }

    /// The most natural pose that meets the constraints. `go_on` is asked before every step; when it says no, the best
    /// pose so far is returned.
    pub fn solve(
        &mut self,
        constraints: &[Constraint],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Solved, SolveError> {
        if self.weights().iter().filter(|w| **w > 0.0).count() > 1 {
            self.solve_blend(constraints, go_on)
        } else {
            self.solve_single(constraints, go_on)
        }
    }

    /// From the training poses that suit best.
    pub(super) fn solve_single(
        &mut self,
        constraints: &[Constraint],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Solved, SolveError> {
        let (skeleton, placing) = self.stage();
        let set = ConstraintSet::new(&skeleton, &placing, constraints, self.tolerances)?;
        let mut best: Option<(SolveState, f64)> = None;
        let mut n_iterations = 0;
        for (candidate, fit) in self.starts(constraints) {
            let mut state = self.state_at(candidate, &fit);
            let (cost, n) = self.rough(&set, &mut state, go_on);
            n_iterations += n;
            if best.as_ref().is_none_or(|(_, least)| cost < *least) {
                best = Some((state, cost));
            }
            if !go_on() {
                break;
            }
        }
        let mut state = match best {
            Some((state, _)) => state,
            None => self.state_of(self.energy.map.mean_pose()),
        };
        let mut solved = self.finish(&set, &mut state, go_on);
        solved.n_iterations += n_iterations;
        Ok(solved)
    }

    /// The same, beginning at a pose that is already near: a step of a drag, the next frame of a motion.
    pub fn solve_from(
        &mut self,
        start: &Solved,
        constraints: &[Constraint],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Solved, SolveError> {
        if !self.fits(start.pose.as_ref()) || start.latent.len() != self.energy.n_latent() {
            return Err(SolveError::Pose);
        }
        let (skeleton, placing) = self.stage();
        let set = ConstraintSet::new(&skeleton, &placing, constraints, self.tolerances)?;
        let mut state = SolveState {
            pose: start.pose.clone(),
            latent: start.latent.clone(),
        };
        Ok(self.finish(&set, &mut state, go_on))
    }

    /// The same, beginning at any pose of the skeleton, such as one that the animator made by hand.
    pub fn solve_near(
        &mut self,
        pose: PoseRef<'_>,
        constraints: &[Constraint],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Solved, SolveError> {
        let (skeleton, placing) = self.stage();
        let set = ConstraintSet::new(&skeleton, &placing, constraints, self.tolerances)?;
        let mut state = self.state_near(pose)?;
        Ok(self.finish(&set, &mut state, go_on))
    }

    /// Any pose of the skeleton as a start.
    pub(super) fn state_near(&mut self, pose: PoseRef<'_>) -> Result<SolveState, SolveError> {
        if !self.fits(pose) {
            return Err(SolveError::Pose);
        }
        Ok(self.state_of(pose.to_pose()))
    }

    /// Bones and how they are placed, shared so that the solver's own parts stay free to change.
    pub(super) fn stage(&self) -> (Arc<Skeleton>, Arc<Placing>) {
        (Arc::clone(&self.skeleton), Arc::clone(&self.placing))
    }

    /// The mean pose where it suits the constraints best.
    pub(super) fn mean_start(&self, constraints: &[Constraint]) -> Pose {
        let mean = carried_out(&self.skeleton, self.energy.map.mean_pose());
        let fit = fit(&self.skeleton, &mean, constraints, &self.up, self.height);
        self.placed(&mean, &fit)
    }

    /// The training pose that suits the constraints best, where it does.
    pub(super) fn nearest_start(&self, constraints: &[Constraint]) -> Pose {
        match self.starts(constraints).first() {
            Some((candidate, fit)) => self.placed(&self.candidates[*candidate], fit),
            None => self.mean_start(constraints),
        }
    }

    fn placed(&self, candidate: &StartPose, fit: &StartFit) -> Pose {
        let turn = Quat::from_scaled_axis(self.up * fit.turn_rad);
        let pose = candidate.pose.as_ref();
        placed(&self.skeleton, &self.placing, pose, &turn, &fit.shift)
    }

    pub(super) fn fits(&self, pose: PoseRef<'_>) -> bool {
        pose.rotations.len() == self.skeleton.n_joints()
            && pose.translations.len() == self.skeleton.translating().len()
    }

    fn measure_body(&mut self) {
        let pose = self.candidates.first().map(|c| c.pose.as_ref());
        self.height = pose.map_or(1.0, |pose| height_of(&self.skeleton, pose));
        self.tolerances = Tolerances::of_height(self.height);
    }

    /// The training poses that suit best, each with heading and place.
    fn starts(&self, constraints: &[Constraint]) -> Vec<(usize, StartFit)> {
        // A style begins at its own poses; those of another would lead into minima that it does not have alone.
        let weights = self.weights();
        let own = self.candidates_of.iter().zip(&weights);
        let own = own
            .filter(|(_, w)| **w > 0.0)
            .flat_map(|(range, _)| range.clone());
        let mut fits: Vec<(usize, StartFit)> = own
            .map(|c| {
                let candidate = &self.candidates[c];
                let fit = fit(
                    &self.skeleton,
                    candidate,
                    constraints,
                    &self.up,
                    self.height,
                );
                (c, fit)
            })
            .collect();
        fits.sort_by(|a, b| a.1.cost.total_cmp(&b.1.cost));
        fits.truncate(self.settings.n_starts.max(1));
        fits
    }

    fn state_at(&mut self, candidate: usize, fit: &StartFit) -> SolveState {
        let pose = self.placed(&self.candidates[candidate], fit);
        self.state_of(pose)
    }

    pub(super) fn state_of(&mut self, pose: Pose) -> SolveState {
        let latent = self.energy.latent_of(pose.as_ref());
        SolveState { pose, latent }
    }

    fn descent_settings(&self, tolerance: f64, max_iterations: usize) -> DescentSettings {
        DescentSettings {
            max_iterations,
            tolerance,
            first_damping: 1.0,
            body_height: self.height,
        }
    }

    /// How the last descent goes, the one that is taken to its end.
    pub(super) fn last_descent(&self) -> DescentSettings {
        self.descent_settings(self.settings.tolerance, self.settings.max_iterations)
    }

    /// A few steps, enough to see which start is best.
    fn rough(
        &mut self,
        set: &ConstraintSet<'_>,
        state: &mut SolveState,
        go_on: &mut dyn FnMut() -> bool,
    ) -> (f64, usize) {
        const STEPS: usize = 8;
        align_bones(set.skeleton, set.placing, set.list, &mut state.pose);
        let settings = self.descent_settings(1e-2, STEPS);
        let mut n = 0;
        if self.settings.is_annealed {
            for sharpness in [Sharpness::Smooth, Sharpness::Middle] {
                self.energy.set_sharpness(sharpness);
                let run = self
                    .descent
                    .run(set, &mut self.energy, state, &settings, go_on);
                n += run.n_iterations;
            }
            self.energy.set_sharpness(Sharpness::Sharp);
        }
        let ended = self
            .descent
            .run(set, &mut self.energy, state, &settings, go_on);
        (ended.cost, n + ended.n_iterations)
    }

    pub(super) fn finish(
        &mut self,
        set: &ConstraintSet<'_>,
        state: &mut SolveState,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Solved {
        align_bones(set.skeleton, set.placing, set.list, &mut state.pose);
        let settings = self.last_descent();
        let ended = self
            .descent
            .run(set, &mut self.energy, state, &settings, go_on);
        let mut solved = self.report(set, state, EXACT_MM);
        solved.cost = ended.cost;
        solved.n_iterations = ended.n_iterations;
        solved.has_settled = ended.has_settled;
        solved
    }

    /// Meets the hard constraints exactly and reports costs and errors.
    pub(super) fn report(
        &mut self,
        set: &ConstraintSet<'_>,
        state: &mut SolveState,
        good_enough_mm: f64,
    ) -> Solved {
        let worst_mm =
            self.descent
                .meet_hard(set, &mut self.energy, state, self.height, good_enough_mm);
        let world = WorldPose::of(&self.skeleton, state.pose.as_ref());
        let errors = set.list.iter().map(|c| c.error(&self.skeleton, &world));
        let style_cost = self.energy.style_cost(state.pose.as_ref(), &state.latent);
        Solved {
            errors: errors.collect(),
            cost: style_cost + set.cost(&world),
            log_likelihood: -style_cost,
            is_met: worst_mm <= 1.0,
            n_iterations: 0,
            has_settled: false,
            pose: state.pose.clone(),
            latent: state.latent.clone(),
        }
    }

    /// Meets the hard constraints from this pose and reports on it.
    pub(super) fn meet(
        &mut self,
        constraints: &[Constraint],
        state: &mut SolveState,
    ) -> Result<Solved, SolveError> {
        let (skeleton, placing) = self.stage();
        let set = ConstraintSet::new(&skeleton, &placing, constraints, self.tolerances)?;
        Ok(self.report(&set, state, EXACT_MM))
    }

    /// The same from a pose near a solved one that is part of a motion.
    pub(super) fn met_from(
        &mut self,
        pose: &Pose,
        near: &Solved,
        constraints: &[Constraint],
    ) -> Result<Solved, SolveError> {
        let mut state = SolveState {
            pose: pose.clone(),
            latent: near.latent.clone(),
        };
        let (skeleton, placing) = self.stage();
        let set = ConstraintSet::new(&skeleton, &placing, constraints, self.tolerances)?;
        Ok(self.report(&set, &mut state, MOVING_MM))
    }

    /// Pulls towards poses, for motions that have to stay smooth. They hold until they are replaced.
    pub(super) fn set_pulls(&mut self, pulls: Vec<PosePull>) {
        self.energy.pulls = pulls;
    }
}

pub(super) fn height_of(skeleton: &Arc<Skeleton>, pose: PoseRef<'_>) -> f64 {
    let mut motion = Motion::with_capacity(skeleton, 1.0, 1);
    motion.push(pose);
    let clip = Clip::new(ClipInfo::named(""), Arc::clone(skeleton), motion);
    clip.map_or(1.0, |clip| body::height(&clip))
}

fn carried_out(skeleton: &Skeleton, pose: Pose) -> StartPose {
    StartPose {
        world: WorldPose::of(skeleton, pose.as_ref()),
        pose,
    }
}

/// Hard constraints of a single pose are met as nearly as this.
const EXACT_MM: f64 = 0.01;
/// Those of a frame of a motion: a tighter tolerance makes nearly straight limbs jitter, and is not visible.
const MOVING_MM: f64 = 0.3;

/// How many directions of the Gaussian are looked at beside a latent model.
const BESIDE_RANK: usize = 12;

/// The latent model that takes part: beside a Gaussian only one that is trusted.
fn latent_of(style: &Style, kind: PriorKind) -> Option<&Gplvm> {
    match kind {
        PriorKind::Both { .. } => style.trusted_latent(),
        PriorKind::Latent | PriorKind::Gaussian => style.latent(),
    }
}

/// One expert for the latent models, one for the Gaussians, or both. Where a style has no latent model, its Gaussian
/// takes its place.
fn experts(styles: &[(&Style, f64)], kind: PriorKind) -> Vec<Expert> {
    let has_latent = styles.iter().any(|(s, _)| latent_of(s, kind).is_some());
    // On its own the Gaussian is exact; beside a latent model its main directions are enough, and quicker.
    let rank = match kind {
        PriorKind::Both { .. } if has_latent => BESIDE_RANK,
        _ => usize::MAX,
    };
    let linear =
        |(style, share): &(&Style, f64)| (LatentModel::linear(style.gaussian(), rank), *share);
    let latent = |(style, share): &(&Style, f64)| match latent_of(style, kind) {
        Some(gplvm) => (LatentModel::latent(gplvm), *share),
        None => (LatentModel::linear(style.gaussian(), rank), *share),
    };
    let (latent_weight, gaussian_weight) = match kind {
        _ if !has_latent => (0.0, 1.0),
        PriorKind::Gaussian => (0.0, 1.0),
        PriorKind::Latent => (1.0, 0.0),
        PriorKind::Both { gaussian_weight } => (1.0, gaussian_weight),
    };
    let mut experts = Vec::new();
    let mut first = 0;
    if latent_weight > 0.0 {
        let expert = Expert::new(styles.iter().map(latent).collect(), first, latent_weight);
        first = expert.end();
        experts.push(expert);
    }
    if gaussian_weight > 0.0 {
        let models = styles.iter().map(linear).collect();
        experts.push(Expert::new(models, first, gaussian_weight));
    }
    experts
}
