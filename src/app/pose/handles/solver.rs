//! The solver on a thread of its own: always at work on the newest target, always giving back the newest pose.
//!
//! The window leaves an [`SolverOrder`] and goes on; one that is not begun yet gives way to a newer one. While nothing new
//! comes, a change that is being eased into goes on, and once the mouse rests a better pose is looked for.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::app::pose::handles::judge::{Judgement, PoseJudge};
use crate::app::pose::handles::rig::BodyHandles;
use crate::app::pose::handles::targets::{anchors, brought_to, is_planted};
use crate::document::Posed;
use crate::jobs::{Job, Outcome, Ticket};
use crate::motion::{Pose, Skeleton};
use crate::style::Style;
use crate::style::solve::{Constraint, DragSolver, SolveError, SolveSettings, Solved, Solver};

/// A step of a drag takes no longer: a frame of the window is 16 ms.
const STEP: Duration = Duration::from_millis(8);
/// Between two steps of a change that is eased into, as long as a frame.
const EASE: Duration = Duration::from_millis(14);
/// The mouse rests when nothing came for so long.
const REST: Duration = Duration::from_millis(150);

/// With fewer wishes than these a better pose may well be one that faces the other way: none is looked for.
const ENOUGH: usize = 3;

/// Who judges poses, and on which bones.
#[derive(Debug, Clone)]
pub struct SolverSetup {
    /// The skeleton of the character.
    pub skeleton: Arc<Skeleton>,
    /// The handles of the character.
    pub rig: Arc<BodyHandles>,
    /// Styles that share their features, each with its weight.
    pub styles: Vec<(Arc<Style>, f64)>,
    /// The style whose map and meter are shown.
    pub judge: Arc<Style>,
}

impl SolverSetup {
    /// Whether the same styles are blended on the same bones, whatever their weights.
    fn is_like(&self, other: &Self) -> bool {
        let mut styles = self.styles.iter().zip(&other.styles);
        Arc::ptr_eq(&self.skeleton, &other.skeleton)
            && self.styles.len() == other.styles.len()
            && styles.all(|(a, b)| Arc::ptr_eq(&a.0, &b.0))
    }

    fn weights(&self) -> Vec<f64> {
        self.styles.iter().map(|(_, weight)| *weight).collect()
    }
}

/// What kind of pose is asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum Aim {
    /// The pose of before, moved on to other wishes.
    Follow,
    /// The most natural pose that meets the wishes, whatever was before.
    Fresh,
    /// The pose at a place of the judge's latent space, bent by the pins: what is hard is met, what is soft pulls.
    Browse(Vec<f64>),
    /// No other pose: only what is thought of this one.
    Judge,
}

/// What is to be solved. Every order says everything, so that any may be passed over for a newer one.
#[derive(Debug, Clone)]
pub struct SolverOrder {
    /// Counts up; the answer has the same.
    pub number: u64,
    /// Names the drag it belongs to.
    pub drag: u64,
    /// Styles, limits and settings to solve with.
    pub setup: Arc<SolverSetup>,
    /// The character when the drag began.
    pub start: Arc<Posed>,
    /// What it was asked for then.
    pub first: Vec<Constraint>,
    /// What it is asked for now.
    pub constraints: Vec<Constraint>,
    /// How the pose is looked for.
    pub aim: Aim,
}

impl SolverOrder {
    /// Whether another order asks for the same pose.
    pub fn asks_the_same_as(&self, other: &Self) -> bool {
        self.drag == other.drag
            && self.aim == other.aim
            && self.constraints == other.constraints
            && self.setup.is_like(&other.setup)
            && self.setup.weights() == other.setup.weights()
    }
}

/// What came of it.
#[derive(Debug, Clone)]
pub struct SolverAnswer {
    /// The number of the order that is answered.
    pub number: u64,
    /// The number of the drag that the order was of.
    pub drag: u64,
    /// The pose, or why there is none.
    pub pose: Result<Pose, SolveError>,
    /// Whether a nearer pose is on its way: a change is still being eased into, or time ran out.
    pub is_easing: bool,
    /// What the judge thinks, once it can tell.
    pub judgement: Option<Judgement>,
}

#[derive(Debug, Default)]
struct Letters {
    order: Option<SolverOrder>,
    answer: Option<SolverAnswer>,
    is_closed: bool,
}

/// Where orders and answers are left; each newest one takes the place of the one before.
#[derive(Debug, Default)]
struct Mailbox {
    letters: Mutex<Letters>,
    came: Condvar,
}

impl Mailbox {
    fn letters(&self) -> MutexGuard<'_, Letters> {
        // Letters stay letters, whoever panicked while holding them.
        self.letters.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_order(&self) -> bool {
        let letters = self.letters();
        letters.order.is_some() || letters.is_closed
    }

    /// The next order; none if none came in this time. An error when nobody will ask any more.
    fn wait(&self, patience: Option<Duration>) -> Result<Option<SolverOrder>, Closed> {
        let until = patience.map(|patience| Instant::now() + patience);
        let mut letters = self.letters();
        loop {
            if letters.is_closed {
                return Err(Closed);
            }
            if let Some(order) = letters.order.take() {
                return Ok(Some(order));
            }
            let Some(until) = until else {
                letters = self
                    .came
                    .wait(letters)
                    .unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            let waited = self.came.wait_timeout(letters, left);
            letters = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

struct Closed;

/// The window's end of the thread, which ends with it.
#[derive(Debug)]
pub struct SolverThread {
    mailbox: Arc<Mailbox>,
    job: Job<(), std::convert::Infallible>,
}

impl SolverThread {
    /// Starts it; `wake` is called for every answer.
    pub fn start(wake: impl Fn() + Send + Clone + 'static) -> std::io::Result<Self> {
        let mailbox = Arc::new(Mailbox::default());
        let inner = Arc::clone(&mailbox);
        let at_end = wake.clone();
        let job = Job::spawn("pose solver", at_end, move |_: &Ticket| {
            serve(&inner, &wake);
            Outcome::Done(())
        })?;
        Ok(Self { mailbox, job })
    }

    /// Leaves an order, in place of one that was not begun yet.
    pub fn ask(&self, order: SolverOrder) {
        self.mailbox.letters().order = Some(order);
        self.mailbox.came.notify_one();
    }

    /// The newest answer, once.
    pub fn answer(&self) -> Option<SolverAnswer> {
        self.mailbox.letters().answer.take()
    }

    /// Why it has ended, if it has: only a bug ends it.
    pub fn crash(&self) -> Option<String> {
        match self.job.poll()? {
            Outcome::Crashed(why) => Some(why),
            Outcome::Done(()) | Outcome::Cancelled => None,
            Outcome::Failed(never) => match never {},
        }
    }
}

impl Drop for SolverThread {
    fn drop(&mut self) {
        self.mailbox.letters().is_closed = true;
        self.mailbox.came.notify_one();
    }
}

fn serve(mailbox: &Mailbox, wake: &impl Fn()) {
    let mut bench = Bench::default();
    while let Ok(order) = mailbox.wait(bench.patience()) {
        let answer = match order {
            Some(order) => Some(bench.answer(order)),
            None => bench.go_on(&|| mailbox.has_order()),
        };
        if let Some(answer) = answer {
            mailbox.letters().answer = Some(answer);
            wake();
        }
    }
}

/// The solver with what it is at.
#[derive(Default)]
pub struct Bench {
    setup: Option<Arc<SolverSetup>>,
    solver: Option<Solver>,
    judge: Option<PoseJudge>,
    drag: Option<(u64, DragSolver)>,
    last: Option<SolverOrder>,
    /// Whether the newest pose is one for which time ran out.
    is_cut_short: bool,
    /// What is left to be done while nothing new comes.
    rest: Rest,
}

/// What a solver does without orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Rest {
    /// Goes on with a change.
    Easing,
    /// Looks for a better pose.
    Unsettled,
    /// Gets to know the style, to judge by it.
    Unjudged,
    #[default]
    Done,
}

impl Bench {
    fn patience(&self) -> Option<Duration> {
        match self.rest {
            Rest::Easing => Some(EASE),
            Rest::Unsettled => Some(REST),
            Rest::Unjudged => Some(Duration::from_millis(1)),
            Rest::Done => None,
        }
    }

    /// Does what is asked for.
    pub fn answer(&mut self, order: SolverOrder) -> SolverAnswer {
        let pose = self.solve_in_a_step(&order);
        let is_easing = self.is_easing(&order);
        let judgement = pose
            .as_ref()
            .ok()
            .and_then(|pose| self.judgement(&order, pose));
        self.rest = match &order.aim {
            _ if pose.is_err() => Rest::Done,
            Aim::Follow | Aim::Browse(_) if is_easing => Rest::Easing,
            Aim::Follow if order.constraints.len() >= ENOUGH => Rest::Unsettled,
            _ if judgement.is_none() => Rest::Unjudged,
            Aim::Follow | Aim::Fresh | Aim::Browse(_) | Aim::Judge => Rest::Done,
        };
        let (number, drag) = (order.number, order.drag);
        self.last = Some(order);
        SolverAnswer {
            number,
            drag,
            pose,
            is_easing,
            judgement,
        }
    }

    fn is_easing(&self, order: &SolverOrder) -> bool {
        let drag = self.drag.as_ref();
        let is_spread = drag.is_some_and(|(_, drag)| drag.is_easing());
        self.is_cut_short || (order.aim == Aim::Follow && is_spread)
    }

    /// As near as one step gets. Where others have the processor that may be nowhere near, so it is remembered.
    fn solve_in_a_step(&mut self, order: &SolverOrder) -> Result<Pose, SolveError> {
        let until = Instant::now() + STEP;
        let mut is_cut_short = false;
        let pose = self.solve(order, &mut || {
            is_cut_short = Instant::now() >= until;
            !is_cut_short
        });
        self.is_cut_short = is_cut_short && pose.is_ok();
        pose
    }

    fn solve(
        &mut self,
        order: &SolverOrder,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Pose, SolveError> {
        if order.aim == Aim::Judge {
            self.drag = None;
            return Ok(order.start.pose.clone());
        }
        self.set_up(&order.setup)?;
        let solver = self.solver.as_mut().ok_or(SolveError::NoStyle)?;
        match &order.aim {
            Aim::Follow => {
                let is_same = self.drag.as_ref().is_some_and(|(id, _)| *id == order.drag);
                if !is_same {
                    let start = as_it_is(solver, &order.start.pose, &order.first)?;
                    let drag = DragSolver::new(solver.clone(), order.first.clone(), start);
                    self.drag = Some((order.drag, drag));
                }
                let (_, drag) = self.drag.as_mut().ok_or(SolveError::NoStyle)?;
                Ok(drag.step(&order.constraints, go_on)?.pose.clone())
            }
            Aim::Fresh => {
                self.drag = None;
                let mut constraints = order.constraints.clone();
                constraints.extend(anchors(&order.start.pose, &order.start, &order.setup.rig));
                Ok(solver.solve(&constraints, &mut || true)?.pose)
            }
            Aim::Browse(x) => {
                self.drag = None;
                let pose = order.setup.judge.pose_at(x).ok_or(SolveError::Pose)?;
                let (start, rig) = (&order.start, &order.setup.rig);
                let pose = brought_to(start, rig, &pose);
                let mut constraints = order.constraints.clone();
                if !is_planted(start) {
                    constraints.extend(anchors(&pose, start, rig));
                }
                Ok(solver.adjust(pose.as_ref(), &constraints, go_on)?.pose)
            }
            Aim::Judge => Ok(order.start.pose.clone()),
        }
    }

    /// Makes the solver ready; the same styles with other weights cost nothing.
    fn set_up(&mut self, setup: &Arc<SolverSetup>) -> Result<(), SolveError> {
        let is_ready = self.setup.as_ref().is_some_and(|old| old.is_like(setup));
        if let Some(solver) = self.solver.as_mut().filter(|_| is_ready) {
            solver.set_weights(&setup.weights())?;
        } else {
            let styles: Vec<(&Style, f64)> = setup.styles.iter().map(|(s, w)| (&**s, *w)).collect();
            let solver = Solver::blend(&styles, SolveSettings::default())?;
            self.solver = Some(solver.on_skeleton(&setup.skeleton)?);
            self.drag = None;
        }
        self.setup = Some(Arc::clone(setup));
        Ok(())
    }

    /// What the judge thinks; none while it does not know the style yet, which takes a moment.
    fn judgement(&mut self, order: &SolverOrder, pose: &Pose) -> Option<Judgement> {
        if !self.knows(&order.setup.judge) {
            return None;
        }
        let judge = self.judge.as_mut()?;
        let is_near = matches!(order.aim, Aim::Follow);
        Some(judge.judge(pose.as_ref(), is_near))
    }

    fn knows(&self, style: &Arc<Style>) -> bool {
        let judge = self.judge.as_ref();
        judge.is_some_and(|judge| Arc::ptr_eq(judge.style(), style))
    }

    /// What is left to do when nothing new came.
    fn go_on(&mut self, has_order: &dyn Fn() -> bool) -> Option<SolverAnswer> {
        let order = self.last.take()?;
        let answer = match self.rest {
            Rest::Done => None,
            Rest::Unjudged => {
                self.judge = Some(PoseJudge::new(Arc::clone(&order.setup.judge)));
                self.rest = Rest::Done;
                let pose = match (&order.aim, &self.drag) {
                    (Aim::Follow, Some((_, drag))) => Ok(drag.pose().pose.clone()),
                    _ => self.solve(&order, &mut || true),
                };
                Some(self.said(&order, pose))
            }
            Rest::Easing => {
                let pose = if order.aim == Aim::Follow {
                    self.solve_in_a_step(&order)
                } else {
                    // A pose of the map is bent from the start each time: what a step is too short for needs it whole.
                    let pose = self.solve(&order, &mut || !has_order());
                    self.is_cut_short = has_order() && pose.is_ok();
                    pose
                };
                self.rest = match &pose {
                    Ok(_) if self.is_easing(&order) => Rest::Easing,
                    Ok(_) if order.aim == Aim::Follow && order.constraints.len() >= ENOUGH => {
                        Rest::Unsettled
                    }
                    Ok(_) if !self.knows(&order.setup.judge) => Rest::Unjudged,
                    _ => Rest::Done,
                };
                Some(self.said(&order, pose))
            }
            Rest::Unsettled => {
                let (_, drag) = self.drag.as_mut()?;
                let settled = drag.settle(&mut || !has_order());
                let pose = settled.map(|solved| solved.pose.clone());
                self.rest = if self.is_easing(&order) {
                    Rest::Easing
                } else if !self.knows(&order.setup.judge) {
                    Rest::Unjudged
                } else {
                    Rest::Done
                };
                Some(self.said(&order, pose))
            }
        };
        self.last = Some(order);
        answer
    }

    fn said(&mut self, order: &SolverOrder, pose: Result<Pose, SolveError>) -> SolverAnswer {
        let judgement = pose
            .as_ref()
            .ok()
            .and_then(|pose| self.judgement(order, pose));
        SolverAnswer {
            number: order.number,
            drag: order.drag,
            pose,
            is_easing: self.is_easing(order),
            judgement,
        }
    }
}

/// A pose as it is, with what is firmly held met by the least change: no step towards the style is taken.
fn as_it_is(
    solver: &mut Solver,
    pose: &Pose,
    constraints: &[Constraint],
) -> Result<Solved, SolveError> {
    solver.solve_near(pose.as_ref(), constraints, &mut || false)
}
