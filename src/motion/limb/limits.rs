//! Limits of foot lock: how much more abruptly knees and the whole body may move than before.

use super::plan::LimbPlan;
use super::{RelaxReason, SolvedMotion};
use crate::motion::setting::{BadSetting, check_least};
use crate::motion::{Body, Clip, Limb, Motion, PoseRef, Skeleton, Vec3, WorldPose, body};

/// The most that a solved clip may be rougher than the given one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// The largest turn of each knee from one frame to the next may grow by this much. A pop is seen from about here
    /// on.
    pub knee_step_more_rad: f64,
    /// Jerk of the body (third differences of all joints in the world, root mean square over time, mean over joints)
    /// may grow to this many times what it was.
    pub jerk_times: f64,
    /// Below this jerk, in body heights per second cubed, a clip counts as smooth, however smooth it was.
    /// Made motions can have next to none, and a share of nothing would allow nothing.
    pub jerk_unseen: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            knee_step_more_rad: 2.0_f64.to_radians(),
            jerk_times: 1.05,
            jerk_unseen: JERK_UNSEEN,
        }
    }
}

/// Half of the least jerk of 400 captured clips, an actor slowly raising the arms.
const JERK_UNSEEN: f64 = 3.0;

impl Limits {
    /// A limit without end is none.
    pub(super) fn check(&self) -> Result<(), BadSetting> {
        let fields = [
            ("knee_step_more_rad", self.knee_step_more_rad, 0.0),
            ("jerk_times", self.jerk_times, 1.0),
            ("jerk_unseen", self.jerk_unseen, 0.0),
        ];
        check_least(
            fields
                .into_iter()
                .filter(|field| field.1 < f64::INFINITY || field.1.is_nan()),
        )
    }
}

/// A frame at which a limit is exceeded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LimitViolation {
    /// The plan that can mend it; none stands for all, when it is the body or a leg that nothing holds.
    pub plan: Option<usize>,
    pub frame: usize,
    pub why: RelaxReason,
}

/// The given clip, measured once.
pub(super) struct SourceMotion<'a> {
    skeleton: &'a Skeleton,
    legs: Vec<Limb>,
    /// For each joint the plan that moves it, if any.
    plan_of_joint: Vec<Option<usize>>,
    /// The joints that plans move, with those above them.
    moved: Vec<usize>,
    /// For each leg the plan that moves it, if any.
    plan_of_leg: Vec<Option<usize>>,
    n_plans: usize,
    /// Squared third differences, frame by frame, joint by joint.
    jerks: Vec<f64>,
    /// Of each joint over time.
    jerk_rms: Vec<f64>,
    /// What the jerk of the body may be, as a sum over joints.
    most_jerk: f64,
    /// What the largest step of each knee may be.
    most_steps: Vec<f64>,
}

impl<'a> SourceMotion<'a> {
    pub(super) fn of(clip: &'a Clip, limbs: &Body, plans: &[LimbPlan], limits: Limits) -> Self {
        let skeleton = clip.skeleton();
        let legs = limbs.legs.clone();
        let plan_of = |joint: usize| {
            let mut above = skeleton.ancestors(joint);
            above.find_map(|a| plans.iter().position(|p| p.limb.upper == a))
        };
        let all: Vec<usize> = (0..skeleton.n_joints()).collect();
        let measured = MotionMeasures::of(skeleton, &legs, clip.motion(), &all);
        let jerk_rms = measured.jerk_rms(skeleton.n_joints());
        let per_frame_cubed = body::height(clip) / clip.fps().powi(3);
        let unseen = limits.jerk_unseen * per_frame_cubed * skeleton.n_joints() as f64;
        let plan_of_joint: Vec<Option<usize>> = all.iter().map(|&j| plan_of(j)).collect();
        let moved = all.iter().filter(|&&j| plan_of_joint[j].is_some());
        let knees = legs.iter().map(|leg| leg.end);
        Self {
            skeleton,
            moved: skeleton.with_ancestors(moved.copied().chain(knees)),
            plan_of_joint,
            plan_of_leg: legs.iter().map(|leg| plan_of(leg.upper)).collect(),
            n_plans: plans.len(),
            most_jerk: (limits.jerk_times * jerk_rms.iter().sum::<f64>()).max(unseen),
            most_steps: measured
                .knee_steps
                .iter()
                .map(|steps| steps.iter().copied().fold(0.0, f64::max) + limits.knee_step_more_rad)
                .collect(),
            jerks: measured.jerks,
            jerk_rms,
            legs,
        }
    }

    /// Where a solved motion breaks the limits; none if it keeps them. While the body stays, only planned limbs are
    /// looked at again.
    pub(super) fn violations(&self, solved: &SolvedMotion) -> Vec<LimitViolation> {
        let measured = if solved.shifts.is_empty() {
            let mut some =
                MotionMeasures::of(self.skeleton, &self.legs, &solved.motion, &self.moved);
            let n_joints = self.skeleton.n_joints();
            for (at, jerk) in some.jerks.iter_mut().enumerate() {
                if self.plan_of_joint[at % n_joints].is_none() {
                    *jerk = self.jerks[at];
                }
            }
            some
        } else {
            let all: Vec<usize> = (0..self.skeleton.n_joints()).collect();
            MotionMeasures::of(self.skeleton, &self.legs, &solved.motion, &all)
        };
        let mut violations = self.popping(&measured);
        violations.extend(self.jerking(&measured));
        violations
    }

    fn popping(&self, measured: &MotionMeasures) -> Vec<LimitViolation> {
        let mut violations = Vec::new();
        for (leg, steps) in measured.knee_steps.iter().enumerate() {
            let broken = (0..steps.len()).filter(|f| steps[*f] > self.most_steps[leg]);
            // A step has two ends.
            violations.extend(broken.flat_map(|f| [f, f + 1]).map(|frame| LimitViolation {
                plan: self.plan_of_leg[leg],
                frame,
                why: RelaxReason::KneeStep,
            }));
        }
        violations
    }

    /// The moments that make the jerk too large: as few as carry all that is too much, the worst first.
    fn jerking(&self, measured: &MotionMeasures) -> Vec<LimitViolation> {
        let n_joints = self.skeleton.n_joints();
        let rms = measured.jerk_rms(n_joints);
        let too_much = rms.iter().sum::<f64>() - self.most_jerk;
        // Written so that a number that is none counts as no violation; making the clip then refuses it.
        if too_much <= 0.0 || too_much.is_nan() {
            return Vec::new();
        }
        let n_rows = self.jerks.len() / n_joints;
        // (a - b) = (a^2 - b^2) / (a + b): the growth of a root mean square is a sum over frames.
        let shares: Vec<f64> = rms
            .iter()
            .zip(&self.jerk_rms)
            .map(|(a, b)| 1.0 / ((a + b) * n_rows as f64))
            .map(|share| if share.is_finite() { share } else { 0.0 })
            .collect();
        let mut growths: Vec<(f64, LimitViolation)> = Vec::new();
        let mut of_plan = vec![0.0; self.n_plans + 1];
        for row in 0..n_rows {
            of_plan.fill(0.0);
            for joint in 0..n_joints {
                let at = row * n_joints + joint;
                let plan = self.plan_of_joint[joint].unwrap_or(self.n_plans);
                of_plan[plan] += (measured.jerks[at] - self.jerks[at]) * shares[joint];
            }
            let grown = of_plan
                .iter()
                .enumerate()
                .filter(|(_, growth)| **growth > 0.0);
            growths.extend(grown.map(|(plan, &growth)| {
                let plan = (plan < self.n_plans).then_some(plan);
                // The middle of the four frames of a third difference.
                let frame = row + 1;
                let why = RelaxReason::Jerk;
                (growth, LimitViolation { plan, frame, why })
            }));
        }
        growths.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut carried = 0.0;
        let mut violations = Vec::new();
        for (growth, violation) in growths {
            if carried > too_much {
                break;
            }
            carried += growth;
            let next = violation.frame + 1;
            violations.extend([
                violation,
                LimitViolation {
                    frame: next,
                    ..violation
                },
            ]);
        }
        violations
    }
}

/// What limits are about, of one motion.
struct MotionMeasures {
    /// Squared third differences of world positions: for each four frames in a row, for each joint.
    jerks: Vec<f64>,
    /// For each leg the turn of its knee from each frame to the next.
    knee_steps: Vec<Vec<f64>>,
}

impl MotionMeasures {
    /// Reads the joints that are named; those above them have to be among them, and so have the legs.
    fn of(skeleton: &Skeleton, legs: &[Limb], motion: &Motion, joints: &[usize]) -> Self {
        let (n_joints, n_slots) = (skeleton.n_joints(), skeleton.translating().len());
        let poses = motion.rotations.chunks(n_joints);
        let poses = poses.zip(motion.translations.chunks(n_slots));
        let mut jerks = Vec::with_capacity(motion.rotations.len());
        let mut knee_steps = vec![Vec::new(); legs.len()];
        let mut last_bends = vec![None; legs.len()];
        let mut world: Option<WorldPose> = None;
        // Positions of the last three frames, the oldest first.
        let mut past: [Vec<Vec3>; 3] = Default::default();
        for (rotations, translations) in poses {
            let pose = PoseRef {
                translations,
                rotations,
            };
            let world = world.get_or_insert_with(|| WorldPose::of(skeleton, pose));
            world.update_some(skeleton, pose, joints);
            let now = &world.positions;
            for (leg, limb) in legs.iter().enumerate() {
                let bend = bend_rad(now, limb);
                knee_steps[leg].extend(last_bends[leg].map(|last: f64| (bend - last).abs()));
                last_bends[leg] = Some(bend);
            }
            if !past[0].is_empty() {
                let start = jerks.len();
                jerks.resize(start + n_joints, 0.0);
                for &j in joints {
                    let third = now[j] - past[2][j] * 3.0 + past[1][j] * 3.0 - past[0][j];
                    jerks[start + j] = third.norm_squared();
                }
            }
            past.rotate_left(1);
            past[2].clone_from(now);
        }
        Self { jerks, knee_steps }
    }

    /// The root mean square over time of each joint.
    fn jerk_rms(&self, n_joints: usize) -> Vec<f64> {
        let mut sums = vec![0.0; n_joints];
        for row in self.jerks.chunks(n_joints) {
            for (sum, square) in sums.iter_mut().zip(row) {
                *sum += square;
            }
        }
        let n_rows = (self.jerks.len() / n_joints).max(1) as f64;
        sums.iter().map(|sum| (sum / n_rows).sqrt()).collect()
    }
}

/// The angle at a knee; straight is pi.
fn bend_rad(positions: &[Vec3], limb: &Limb) -> f64 {
    let knee = positions[limb.middle];
    (positions[limb.upper] - knee).angle(&(positions[limb.end] - knee))
}
