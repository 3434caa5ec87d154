//! Which frames to play, so that the body gets where it shall and does what it shall.
//!
//! One beam search ([`beam`]) over the frames of the corpus: in steps of less than half a second a motion goes on in
//! its clip or takes one of the nearest transitions. What is wanted is a [`Goal`]: a curve on the floor (`follow`), a
//! direction and speed (`steer`), or only actions one after the other (`order`). Which actions are wanted when is
//! told by label; ways through other labels are allowed but cost, the more the longer they take.
//!
//! Gao and Hong 2007, section 4, fit "the goal position along the desired trajectory and root position projected on the
//! floor" without saying how. The costs here are those of a pilot on the same corpus; lengths are metres of a body of
//! 1.75 m, so that they mean the same on any rig.

mod beam;
mod corpus;
mod error;
mod floor_track;
mod follow;
mod goal;
mod order;
mod routes;
mod settings;
mod steer;
#[cfg(test)]
mod tests;
mod timetable;

pub use crate::texture::search::error::FollowError;
pub use crate::texture::search::floor_track::FloorTrack;
pub use beam::beam;
pub use corpus::SearchCorpus;
pub use follow::{Bend, Followed, Following, OffLabel, PathGoal, Section, follow_path};
pub use goal::{Found, Goal, Start, Visit};
pub use order::{InOrder, OrderGoal, OrderPart};
pub use routes::LabelRoutes;
pub use settings::{Rough, SearchSettings};
pub use steer::SteerGoal;
