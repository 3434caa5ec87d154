//! A family of motions from a few clips: they vary as a person does from one day to the next.
//!
//! Lau, Bar-Joseph and Kuffner 2009, "Modeling Spatial and Temporal Variation in Motion Data": a dynamic Bayesian
//! network over the degrees of freedom, learned from about four takes of one motion.
//!
//! | Step | Here | Paper |
//! |---|---|---|
//! | takes as numbers, in step with each other, on a common phase | `takes` | 5 |
//! | the conditional distribution of a node; fit, likelihood, conditioning | `network` | 5.2 |
//! | finding out who depends on whom; what edges are worth | `search` | 5.1, Eqs. 3 and 4 |
//! | unrolling it, frame after frame | [`Sampler`], `sample` | 6 |
//! | feet and hands | [`Footing`], `contact` | 7, Eq. 7 |
//! | which clips go together | [`similar`] | 9 |
//! | noise and cycle animation, to compare with | [`baseline`] | 8 |
//! | pen strokes and circles | [`StrokeModel`], [`Circles`] | 8, Fig. 7 |
//! | the paper's own recipe, to compare with | [`PaperModel`], `paper` | 5.2, Eqs. 5 and 6 |
//!
//! One model does everything: the search scores the conditional distributions that the sampler draws from, the likelihood evaluates
//! and the inspector shows. What is not the network is small: the alignment of the takes, their mean motion, a bounded tail, and
//! detail. Where this departs from the paper, the module that does so says why.
//!
//! Left out: bone lengths of several people in one model; events (a hand that grasps); choice of takes by meaning.
//!
//! ```
//! use kinfolk::demo::{Action, make};
//! use kinfolk::jobs::Ticket;
//! use kinfolk::variation::{ClipModel, Hold, LearnSettings, Length, SampleSettings};
//!
//! let walks: Vec<_> = (0..4).map(|take| make(Action::Walk, 1, take).clip).collect();
//! let takes: Vec<_> = walks.iter().collect();
//! let model = ClipModel::learn(&takes, &LearnSettings::default(), &Ticket::default())?;
//! let vary = |number| model.vary(&SampleSettings::default(), number, Length::Once, Hold::Feet);
//! let (first, second) = (vary(0)?.clip, vary(1)?.clip);
//! assert!(!first.same_motion(&second), "never the same twice");
//! # Ok::<(), kinfolk::variation::LearnError>(())
//! ```

pub mod baseline;
mod clips;
mod contact;
mod drawn;
mod error;
mod explain;
mod likelihood;
mod long;
mod loops;
mod model;
mod network;
mod noise;
mod one_take;
mod paper;
mod sample;
mod search;
mod select;
mod settings;
mod strokes;
mod takes;

pub use clips::{ClipModel, Length, MOST_FRAMES, Stream, Variant};
pub use contact::by_hand::HeldSpan;
pub use contact::foot_lock::{Footing, Held, Hold};
pub use error::LearnError;
pub use explain::{Explained, Told};
pub use likelihood::{Likelihood, Remade, Unlikely};
pub use long::Pieces;
pub use model::{KnownEdges, Model, Sampler};
pub use network::conditional::{Conditional, log_density};
pub use network::fit::Network;
pub use network::structure::Structure;
pub use one_take::{OneTake, one_or_more, repeats_of};
pub use paper::{PaperModel, PaperSettings, PaperStructure, Parent, SearchReport, Seen, Step};
pub use select::similar;
pub use settings::{LearnSettings, Method, SampleSettings, StructureKind, Track};
pub use strokes::{Circles, STROKE_FPS, StrokeModel};
pub use takes::{
    Anatomy, Checked, Concern, Examples, FEWEST_FRAMES, MotionType, NodeKind, Rate, Take,
    check_takes,
};
