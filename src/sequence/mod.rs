//! A sequence as an animator edits it: actions in an order, and how each is reached from the one before.
//!
//! [`ActionList`] is the value that is kept, edited and undone. It knows its sources by whatever name the caller uses
//! (a clip of the library, a model, an action with a target), so it holds no motion. [`Evaluation`] makes the motion,
//! and makes again only what a change touches.

mod distances;
mod evaluate;
mod join_choice;
mod list;
mod reach;
mod round;

pub use distances::DistanceGrid;
pub use evaluate::{Evaluation, JoinSide, Play, Source};
pub use join_choice::{JoinChoice, JoinMethod};
pub use list::{ActionList, Entry, EntryId, Trim};
pub use reach::{Reach, ReachHit};
pub use round::{Carry, MotionError, Round};
