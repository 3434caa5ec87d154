//! Handles and the solver that answers to them.

pub mod draft;
pub mod grab;
pub mod judge;
pub mod rig;
pub mod solver;
pub mod symmetry;
pub mod targets;
pub mod tools;
pub mod ui;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::app::pose::Figure;
use crate::app::pose::handles::draft::{Grab, Thought};
use crate::app::pose::handles::solver::SolverThread;
use crate::app::pose::handles::ui::mouse::Mouse;
use crate::document::Posed;
use crate::motion::{Site, Skeleton};
use crate::style::Style;

/// What is remembered of handles and solver.
#[derive(Debug, Default)]
pub struct HandlesState {
    /// Skins and handles of skeletons.
    pub figures: Vec<Figure>,
    /// Skeletons that cannot be drawn.
    pub no_figures: Vec<Arc<Skeleton>>,
    /// Handles that are selected.
    pub selected: BTreeSet<Site>,
    /// Whether handles are turned instead of moved.
    pub is_turning: bool,
    /// Whether joints turn alone, without the solver.
    pub is_fk: bool,
    /// Whether the other side of the body does the same.
    pub is_symmetric: bool,
    /// What is in the animator's hand.
    pub grab: Option<Grab>,
    /// How the mouse moves it.
    pub(in crate::app::pose) mouse: Option<Mouse>,
    /// Whether the selected handles should follow the pointer without a button, and turn.
    pub wants_modal: Option<bool>,
    /// The solver, once it is needed.
    pub solver: Option<SolverThread>,
    /// What was last thought of a pose.
    pub thought: Option<Thought>,
    /// The pose that was last given to be judged, and to whom.
    pub judged: Option<Arc<Posed>>,
    /// The style by which that pose was judged.
    pub judge: Option<Arc<Style>>,
    /// Of the order for it.
    pub judged_number: u64,
    /// Counts orders and drags.
    pub n_orders: u64,
    /// A pose that was copied, with its bones.
    pub copied: Option<Arc<Posed>>,
}
