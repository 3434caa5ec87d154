//! One transition: from a displayed pose and velocity to an action (Peng 2007, section 5).
//!
//! Three means are there, and measured against each other:
//! - **Direct**: the action is joined at once, over a length that is chosen by measurement.
//! - **Path**: a candidate path of the graph, drawn in proportion to 1 / cost; along it greedily the short clip whose
//!   first frame is nearest, joined at the best place of the 10 x 25 grid; then the action.
//! - **Bezier**: poses through cluster centres ([`super::bezier`]), then the action.
//!
//! Departures: the paper takes a path where there is one, and interpolates where there is none. On real clips a direct
//! join is often better than either, so the best by [`Quality::penalty`] is taken. The grid also places the join into
//! the action itself, but only over its first tenth: what was asked for is not cut away.

use std::ops::Range;
use std::sync::Arc;

use super::bezier::{self, CurveEnds};
use super::choice::{Quality, posture};
use super::error::TransitionError;
use super::graph::TransitionGraph;
use crate::motion::Pose;
use crate::motion::join::report::{JoinReport, Norms};
use crate::motion::join::{
    JoinClip, JoinKind, JoinSettings, JoinShape, Joined, Match, Strip, feet,
};
use crate::numerics::random::Stream;

/// Poses nearer than this are joined directly, if that is good: in the pilot a path never paid below it.
const NEAR_POSES: f64 = 1.0;
/// Frames of an action, at 30 a second, after which the longest join is over and its feet are measured.
const SETTLED: f64 = 45.0;
/// Frames, at 30 a second, in which the correction of a lifted foot is gone.
const FADED: f64 = 10.0;

/// How a transition is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TransitionMethod {
    /// The best of all, as measured.
    #[default]
    Best,
    /// A direct join of the two clips.
    Direct,
    /// Along a path of the graph, where there is one.
    Path,
    /// A Bezier curve through cluster centres.
    Bezier,
    /// As the paper has it, for comparison: along a path, a clip for each edge, cross-faded; without a path by its
    /// Bezier curve, whose ends meet no velocity. Feet are not locked.
    Paper,
    /// By linear interpolation, for comparison (the paper's Fig. 11). Feet are not locked.
    Linear,
}

/// How transitions are made.
#[derive(Debug, Clone, PartialEq)]
pub struct TransitionSettings {
    /// The kind of transition.
    pub means: TransitionMethod,
    /// How poses are blended; by default measured.
    pub kind: Option<JoinKind>,
    /// Over how long; by default measured.
    pub secs: Option<f64>,
    /// What goes on in the world.
    pub matching: Match,
    /// sigma of Eq. (2): distance by frame (at 30 a second) of an interpolation.
    pub sigma: f64,
    /// Whether feet are locked.
    pub lock_feet: bool,
    /// Which candidate path is taken where one is, the cheapest is 0; by default one is drawn.
    pub path: Option<usize>,
    /// What else is asked of the join into the action.
    pub shape: JoinShape,
}

impl Default for TransitionSettings {
    fn default() -> Self {
        Self {
            means: TransitionMethod::Best,
            kind: None,
            secs: None,
            matching: Match::Auto,
            sigma: 0.1,
            lock_feet: true,
            path: None,
            shape: JoinShape::default(),
        }
    }
}

/// How a transition was made.
#[derive(Debug, Clone, PartialEq)]
pub enum TransitionKind {
    /// A direct join, blended in this way.
    Direct(JoinKind),
    /// A path of the graph, through these clusters.
    Path(Vec<u32>),
    /// A Bezier curve through the centres of these clusters.
    Bezier(Vec<u32>),
    /// Interpolated in a straight line.
    Linear,
}

impl TransitionKind {
    /// One word for tables and JSON.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Direct(JoinKind::Dead) => "dead",
            Self::Direct(JoinKind::Quintic) => "quintic",
            Self::Direct(JoinKind::Fade) => "fade",
            Self::Path(_) => "path",
            Self::Bezier(_) => "bezier",
            Self::Linear => "linear",
        }
    }
}

/// A transition that was made.
#[derive(Debug, Clone, PartialEq)]
pub struct Transition {
    /// How it was made.
    pub kind: TransitionKind,
    /// The first frame of the strip that is not the source's.
    pub at: usize,
    /// Until here frames are blended, interpolated, or of clips in between.
    pub frames: usize,
    /// Where the action is in the strip, blended frames included.
    pub action: Range<usize>,
    /// The frame of the action it begins with.
    pub enter: usize,
    /// From this frame of the strip on the action is as in its clip, only moved.
    pub settled: usize,
    /// Distance of the poses that meet (direct), cost of the path (Eq. 1), or length of the way through centres.
    pub cost: f64,
    /// Jumps, jerk, overshoot and foot sliding as measured.
    pub quality: Quality,
    /// Joins within it: first frame and length.
    pub joins: Vec<Joined>,
}

/// A transition to be made: where the source may be left, and for which action.
#[derive(Debug, Clone)]
pub struct JoinTask<'a> {
    /// Frames of the strip after which the source may be left; the last is the latest.
    pub leaves: Range<usize>,
    /// What is played next.
    pub action: &'a JoinClip,
    /// Frames of the action that are played.
    pub frames: Range<usize>,
    /// Whether the first frames may be left out.
    pub may_skip: bool,
}

/// A plan that can be carried out on a strip.
#[derive(Debug, Clone)]
pub(super) struct JoinPlan {
    pub(super) kind: TransitionKind,
    pub(super) cost: f64,
    pub(super) steps: Vec<JoinStep>,
}

/// A plan that was carried out on a copy of the strip's last frames.
struct PlanTrial {
    /// The frame of the strip that the copy begins with.
    from: usize,
    strip: Strip,
    /// The transition, with frames counted from `from`.
    transition: Transition,
    /// The frame of the action that follows the copy's last.
    next: usize,
}

impl PlanTrial {
    /// The one with the least penalty; of equal ones this. What keeps to the limits is not given up for what breaks
    /// them.
    fn or_better(self, other: Self, norms: &Norms) -> Self {
        let rank = |trial: &Self| {
            let quality = &trial.transition.quality;
            (!quality.keeps_limits(norms), quality.penalty(norms))
        };
        if rank(&other) < rank(&self) {
            other
        } else {
            self
        }
    }
}

#[derive(Debug, Clone)]
pub(super) enum JoinStep {
    /// Joins a clip of the database.
    PathSegment {
        leave: usize,
        clip: Arc<JoinClip>,
        frames: Range<usize>,
        settings: JoinSettings,
    },
    /// Joins the action itself.
    Action {
        leave: usize,
        enter: usize,
        settings: JoinSettings,
    },
    /// Goes through an interpolation into the action.
    Curve {
        leave: usize,
        enter: usize,
        visited: Vec<u32>,
        n: usize,
    },
}

impl TransitionGraph {
    /// Goes on from the strip to an action by the best means, and says what was done. Deterministic by the stream.
    pub fn transit(
        &self,
        strip: &mut Strip,
        task: &JoinTask<'_>,
        settings: &TransitionSettings,
        stream: &mut Stream,
    ) -> Result<Transition, TransitionError> {
        let trial = match settings.means {
            TransitionMethod::Best => self.best(strip, task, settings, stream)?,
            means => self.asked_for(means, strip, task, settings, stream)?,
        };
        strip.splice(trial.from, &trial.strip);
        strip.extend(task.action, trial.next..task.frames.end);
        let mut made = trial.transition.moved_on(trial.from);
        made.settled = trial.from + trial.strip.n_frames();
        made.action.end = strip.n_frames();
        if let Some(last) = made.joins.last_mut() {
            last.clip.end = strip.n_frames();
        }
        Ok(made)
    }

    /// The best of all means. What cannot win is not tried: other lengths where one breaks no limit, a path where the
    /// poses are near and the direct join is good, the curve where anything is good.
    fn best(
        &self,
        strip: &Strip,
        task: &JoinTask<'_>,
        settings: &TransitionSettings,
        stream: &mut Stream,
    ) -> Result<PlanTrial, TransitionError> {
        let norms = self.norms();
        let direct = self.direct(strip, task, settings);
        let mut best = self.first_good(strip, task, direct, settings)?;
        let is_good = |trial: &PlanTrial| trial.transition.quality.keeps_limits(norms);
        if is_good(&best) && best.transition.cost < NEAR_POSES {
            return Ok(best);
        }
        if let Some(plan) = self.path(strip, task, settings, stream) {
            best = best.or_better(self.tried(strip, task, plan, settings)?, norms);
        }
        if !is_good(&best)
            && let Some(plan) = self.bezier(strip, task, settings)
        {
            best = best.or_better(self.tried(strip, task, plan, settings)?, norms);
        }
        if !is_good(&best) {
            for plan in self.last_resorts(strip, task, settings, stream) {
                best = best.or_better(self.tried(strip, task, plan, settings)?, norms);
                if is_good(&best) {
                    break;
                }
            }
        }
        Ok(best)
    }

    /// The first of several plans that breaks no limit, else the one with the least penalty.
    fn first_good(
        &self,
        strip: &Strip,
        task: &JoinTask<'_>,
        plans: Vec<JoinPlan>,
        settings: &TransitionSettings,
    ) -> Result<PlanTrial, TransitionError> {
        let norms = self.norms();
        let mut best: Option<PlanTrial> = None;
        for plan in plans {
            let trial = self.tried(strip, task, plan, settings)?;
            if trial.transition.quality.keeps_limits(norms) {
                return Ok(trial);
            }
            best = Some(match best {
                Some(before) => before.or_better(trial, norms),
                None => trial,
            });
        }
        Ok(best.expect("a direct join is always there"))
    }

    /// What one means would make, without making it: the transition as it would be measured.
    pub(super) fn measured(
        &self,
        strip: &Strip,
        task: &JoinTask<'_>,
        settings: &TransitionSettings,
        stream: &mut Stream,
    ) -> Result<Transition, TransitionError> {
        let trial = self.asked_for(settings.means, strip, task, settings, stream)?;
        Ok(trial.transition.moved_on(trial.from))
    }

    /// A transition by one means; where the graph has no path, by the curve.
    fn asked_for(
        &self,
        means: TransitionMethod,
        strip: &Strip,
        task: &JoinTask<'_>,
        settings: &TransitionSettings,
        stream: &mut Stream,
    ) -> Result<PlanTrial, TransitionError> {
        let by_path = match means {
            TransitionMethod::Path | TransitionMethod::Paper => {
                self.path(strip, task, settings, stream)
            }
            _ => None,
        };
        let one = match means {
            TransitionMethod::Direct | TransitionMethod::Best => None,
            _ => by_path.or_else(|| self.bezier(strip, task, settings)),
        };
        if let Some(plan) = one {
            return self.tried(strip, task, plan, settings);
        }
        let direct = self.direct(strip, task, settings);
        self.first_good(strip, task, direct, settings)
    }

    /// Carries a plan out on a copy of what it touches: the frames that joins look back at, and the action until the
    /// feet that stand after the join have been lifted. From there on the action is only moved.
    fn tried(
        &self,
        strip: &Strip,
        task: &JoinTask<'_>,
        plan: JoinPlan,
        settings: &TransitionSettings,
    ) -> Result<PlanTrial, TransitionError> {
        let rig = self.rig();
        let from = task.leaves.start.saturating_sub(rig.frames_at_30(4.0) + 4);
        let task = JoinTask {
            leaves: task.leaves.start - from..task.leaves.end - from,
            ..task.clone()
        };
        let steps = plan.steps.into_iter().map(|step| step.moved_back(from));
        let plan = JoinPlan {
            steps: steps.collect(),
            ..plan
        };
        // Feet are measured some time after the join, and corrections fade.
        let measured = task.frames.start + rig.frames_at_30(SETTLED);
        let lifted = task.action.contacts_end(measured.min(task.frames.end - 1));
        let end = (lifted + rig.frames_at_30(FADED)).min(task.frames.end);
        let mut tail = strip.tail(from);
        let (transition, next) = self.carried_out(&mut tail, &task, plan, settings, end)?;
        Ok(PlanTrial {
            from,
            strip: tail,
            transition,
            next,
        })
    }

    fn carried_out(
        &self,
        strip: &mut Strip,
        task: &JoinTask<'_>,
        plan: JoinPlan,
        settings: &TransitionSettings,
        end: usize,
    ) -> Result<(Transition, usize), TransitionError> {
        let locks_feet = settings.lock_feet
            && !matches!(
                settings.means,
                TransitionMethod::Paper | TransitionMethod::Linear
            );
        let mut joins: Vec<Joined> = Vec::new();
        let mut last_report = None;
        let (mut entered, mut next) = (0, end);
        let mut action = 0..0;
        let until = |enter: usize| end.max(enter + 2).min(task.frames.end);
        for step in &plan.steps {
            let joined = match step {
                JoinStep::PathSegment {
                    leave,
                    clip,
                    frames,
                    settings,
                } => strip.join(*leave, clip, frames.clone(), settings),
                JoinStep::Action {
                    leave,
                    enter,
                    settings,
                } => {
                    (entered, next) = (*enter, until(*enter));
                    strip.join(*leave, task.action, entered..next, settings)
                }
                JoinStep::Curve {
                    leave,
                    enter,
                    visited,
                    n,
                } => {
                    (entered, next) = (*enter, until(*enter));
                    let poses =
                        self.curve(strip, *leave, task, *enter, visited, *n, settings.means);
                    let join = JoinSettings {
                        kind: JoinKind::Dead,
                        frames: *n,
                        matching: settings.matching,
                        shape: settings.shape,
                    };
                    strip.follow(*leave, &poses, task.action, entered..next, &join)
                }
            };
            last_report = if locks_feet {
                Some(feet::lock(strip, &joined, self.norms())?)
            } else {
                None
            };
            action = joined.clip.clone();
            joins.push(joined);
        }
        let at = joins.iter().map(|j| j.at).min().unwrap_or(0);
        // A join may have been cut short by the next one.
        let last = joins.last().map_or(at, |j| j.at + j.frames);
        // Earlier joins are measured again, since later ones may have cut them; the last was measured when feet were
        // locked.
        let n_earlier = joins.len() - usize::from(last_report.is_some());
        let earlier = joins[..n_earlier]
            .iter()
            .filter(|j| j.at < strip.n_frames());
        let report = earlier
            .map(|j| self.norms().report(strip, j))
            .chain(last_report)
            .reduce(worst)
            .expect("a plan has steps");
        let skipped = task.leaves.end - 1 - joins.first().map_or(0, |j| j.at - 1);
        let seconds = (action.start as f64 - at as f64
            + (entered - task.frames.start) as f64
            + skipped as f64)
            / self.rig().fps;
        let transition = Transition {
            kind: plan.kind,
            quality: Quality {
                report,
                posture: posture(self, strip, at..last.min(strip.n_frames())),
                seconds: seconds.max(0.0),
            },
            at,
            frames: last - at,
            action,
            enter: entered,
            settled: strip.n_frames(),
            cost: plan.cost,
            joins,
        };
        Ok((transition, next))
    }

    fn curve(
        &self,
        strip: &Strip,
        leave: usize,
        task: &JoinTask<'_>,
        enter: usize,
        visited: &[u32],
        n: usize,
        means: TransitionMethod,
    ) -> Vec<Pose> {
        let rig = self.rig();
        let [before, from] = strip.moving_pose(leave);
        let to = task.action.pose_at_origin(rig, enter);
        let after = task
            .action
            .pose_at_origin(rig, (enter + 1).min(task.frames.end - 1));
        let is_c1 = !matches!(means, TransitionMethod::Paper | TransitionMethod::Linear);
        let ends = CurveEnds {
            from: &from,
            to: &to,
            velocities: is_c1.then_some([&before, &after]),
        };
        let inner = match means {
            TransitionMethod::Linear => Vec::new(),
            TransitionMethod::Paper => bezier::halves(&bezier::centres(self, visited)),
            _ => bezier::centres(self, visited),
        };
        bezier::curve(&ends, &inner, n)
    }
}

impl JoinStep {
    /// The same on a strip that begins at a later frame.
    fn moved_back(mut self, by: usize) -> Self {
        match &mut self {
            Self::PathSegment { leave, .. }
            | Self::Action { leave, .. }
            | Self::Curve { leave, .. } => {
                *leave -= by;
            }
        }
        self
    }
}

/// The worse of each number.
fn worst(a: JoinReport, b: JoinReport) -> JoinReport {
    JoinReport {
        pose_jump_deg: a.pose_jump_deg.max(b.pose_jump_deg),
        velocity_jump_deg: a.velocity_jump_deg.max(b.velocity_jump_deg),
        jerk_ratio: a.jerk_ratio.max(b.jerk_ratio),
        space_jerk_ratio: a.space_jerk_ratio.max(b.space_jerk_ratio),
        overshoot_deg: a.overshoot_deg.max(b.overshoot_deg),
        foot_slide: a.foot_slide.max(b.foot_slide),
        root_step: a.root_step.max(b.root_step),
        heading_step_deg: a.heading_step_deg.max(b.heading_step_deg),
    }
}

impl Transition {
    /// The same, counted from an earlier frame.
    #[must_use]
    pub fn moved_on(self, by: usize) -> Self {
        self.recounted(by, 0)
    }

    /// The same, counted from `on` frames earlier and then from `back` frames later, which it is not before.
    #[must_use]
    pub fn recounted(mut self, on: usize, back: usize) -> Self {
        let moved = |frame: usize| (frame + on).saturating_sub(back);
        let both = |frames: &Range<usize>| moved(frames.start)..moved(frames.end);
        self.at = moved(self.at);
        self.settled = moved(self.settled);
        self.action = both(&self.action);
        for join in &mut self.joins {
            join.at = moved(join.at);
            join.clip = both(&join.clip);
        }
        self
    }
}
