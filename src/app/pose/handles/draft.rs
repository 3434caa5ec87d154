//! The character that is dragged: a draft beside the document.

use std::sync::Arc;

use crate::app::pose::handles::judge::Judgement;
use crate::app::pose::handles::solver::{SolverOrder, SolverSetup};
use crate::app::pose::handles::targets::HeldHandles;
use crate::document::{Posed, PosedId};
use crate::style::solve::Constraint;

/// What is being done to a character, until it is one step.
#[derive(Debug)]
pub struct Grab {
    /// The character whose handles are held.
    pub id: PosedId,
    /// The character as it was when the drag began, for the undo step and for cancelling.
    pub before: Arc<Posed>,
    /// As it is seen.
    pub draft: Arc<Posed>,
    /// What is in the hand.
    pub held: HeldHandles,
    pub(super) what: String,
    pub(super) drag: u64,
    pub(super) first: Vec<Constraint>,
    /// What keeps the body in place where no pin does.
    pub(super) rests: Vec<Constraint>,
    pub(super) setup: Option<Arc<SolverSetup>>,
    pub(super) revision: u64,
    pub(super) asked: Option<SolverOrder>,
    pub(super) answered: u64,
    pub(super) is_easing: bool,
    pub(super) let_go_secs: Option<f64>,
}

impl Grab {
    /// Whether the solver has answered to the newest target.
    pub fn is_answered(&self) -> bool {
        let asked = self.asked.as_ref();
        asked.is_none_or(|order| self.answered >= order.number)
    }

    /// Whether the pose is all that the solver makes of the newest target.
    pub fn is_settled(&self) -> bool {
        (self.is_answered() || self.setup.is_none()) && !self.is_easing
    }
}

/// What was last thought of a pose.
#[derive(Debug, Clone)]
pub struct Thought {
    /// Of this character, as it was then.
    pub of: Arc<Posed>,
    /// How natural the pose is, by which style.
    pub judgement: Judgement,
}
