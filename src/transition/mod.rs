//! From any pose to any action: clusters, transition graph, joins, sequences, a live player (Peng 2007).
//!
//! [`TransitionGraph::build`] clusters the frames of a database by the pose metric in two passes, keeps runs of frames
//! in one cluster as short clips, and makes an edge where a clip goes over from one cluster into another. At run time
//! a transition from any displayed pose and velocity to an action is made in every way that may be good: a direct
//! join, joins along a candidate path of the graph, an interpolation through cluster centres; all are measured, and
//! the best is taken ([`TransitionKind`] names them). Sequences, endless play and interruption are built on that.
//!
//! Where this departs from the paper, and why, is said in each module; `resources/transition.md` has the numbers.
//!
//! ```
//! use std::sync::Arc;
//!
//! use kinfolk::demo::{Action, make};
//! use kinfolk::jobs::Ticket;
//! use kinfolk::transition::{GraphSettings, SequenceAction, SequenceSettings, TransitionGraph, sequence};
//!
//! let clips = [Action::Walk, Action::Jab, Action::Squat].map(|action| Arc::new(make(action, 1, 0).clip));
//! let graph = TransitionGraph::build(&clips, &GraphSettings::default(), &Ticket::default())?;
//! let actions: Vec<_> = graph.clips().map(|(_, clip)| SequenceAction::whole(clip)).collect();
//! let made = sequence(&graph, &actions, &SequenceSettings::default(), &Ticket::default())?;
//! assert_eq!(made.transitions.len(), 2);
//! # Ok::<(), kinfolk::transition::TransitionError>(())
//! ```

mod bezier;
mod candidates;
mod choice;
mod clusters;
mod connection;
mod error;
mod graph;
mod join_plans;
pub mod parametric;
mod parts;
mod player;
mod postures;
mod random_play;
mod sequence;
mod summary;
mod synthesis;

pub use candidates::Candidate;
pub use choice::Quality;
pub use error::TransitionError;
pub use graph::{Cluster, Edge, GraphSettings, TransitionGraph, TransitionInstance};
pub use parts::GraphParts;
pub use player::Player;
pub use random_play::RandomPlay;
pub use sequence::{Leave, SequenceAction, SequenceSettings, Sequenced, sequence};
pub use summary::GraphSummary;
pub use synthesis::{JoinTask, Transition, TransitionKind, TransitionMethod, TransitionSettings};
