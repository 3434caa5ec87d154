//! A sequence as an animator edits it: actions in an order, and how each is reached from the one before.
//!
//! [`ActionList`] is the value that is kept, edited and undone. It knows its sources by whatever name the caller uses
//! (a clip of the library, a model, an action with a target), so it holds no motion. [`Evaluation`] makes the motion,
//! and makes again only what a change touches.

mod aim;
mod closing;
mod distances;
mod evaluate;
mod former;
mod join_choice;
mod list;
mod made;
mod plays;
mod reach;
mod round;
mod step;

pub use closing::MotionError;
pub use distances::DistanceGrid;
pub use evaluate::Evaluation;
pub use join_choice::{JoinChoice, JoinMethod};
pub use list::{ActionList, Entry, EntryId, Trim};
pub use plays::{JoinSide, Play};
pub use reach::{Reach, ReachHit};
pub use round::{Carry, Round};
pub use step::Source;
