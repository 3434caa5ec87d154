//! Actions as linear dynamical systems: annotated motion textures (Gao and Hong 2007).
//!
//! [`Texture::learn`] mends clips and brings them into common coordinates (`corpus`), clusters their frames by a
//! Gaussian mixture and cuts them into sections from coarse to fine (`sections`), fits a second-order system to each
//! cluster (`system`) from takes that pass through the same poses (`passes`), and links frames whose slices are near
//! by cross entropy (`transitions`). Names of clips, and those given by hand, are the command set (`annotation`).
//!
//! [`Texture::perform_order`], [`Texture::perform_path`] and [`Texture::perform_steering`] search the graph
//! ([`search`]), let the systems make the frames (`player`), join them as the transition engine does, bend them along
//! a path and lock feet.
//!
//! Where it departs from the paper: systems describe what *differs* between takes instead of the path itself, since
//! systems fitted to paths are unstable and predict worse (`resources/texture.md` has the numbers); a system is
//! judged by other takes than its own; Eq. (8) is used as a relative entropy should read, not as printed.
//!
//! ```
//! use std::sync::Arc;
//!
//! use kinfolk::demo::{Action, make};
//! use kinfolk::jobs::Ticket;
//! use kinfolk::motion::edit;
//! use kinfolk::texture::{LabelledClip, Ordered, PlaySettings, Texture, TextureSettings};
//!
//! let take = |index| -> Result<LabelledClip, Box<dyn std::error::Error>> {
//!     let clip = edit::resample(&make(Action::WalkTake, 1, index).clip, 30.0)?;
//!     Ok(LabelledClip { clip: Arc::new(clip), label: "walk".to_owned() })
//! };
//! let texture = Texture::learn(&[take(0)?, take(1)?], &TextureSettings::default(), &Ticket::default())?;
//! let walk = Ordered { action: "walk".to_owned(), secs: 2.0 };
//! let played = texture.perform_order(&[walk], &PlaySettings::default(), &Ticket::default())?;
//! assert!(played.clip.seconds() > 1.9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod annotation;
mod corpus;
mod error;
pub mod evaluation;
mod fallback;
pub mod graph;
mod latent;
pub mod likelihood;
mod live;
mod model;
mod packed;
mod passes;
mod perform;
mod player;
mod prediction;
mod rough;
pub mod search;
mod sections;
mod settings;
mod spread;
mod steer;
mod system;
mod transitions;
mod upper;

pub use crate::texture::steer::Steer;
pub use annotation::{Annotation, Command, Span};
pub use corpus::{Corpus, CorpusClip, LabelledClip};
pub use error::TextureError;
pub use graph::{FrameGraph, FrameId, Piece, Transition};
pub use latent::Latent;
pub use live::Live;
pub use model::{Texture, TextureParts, TextureSummary};
pub use packed::{pack, unpack};
pub use passes::{MOMENT_STEPS, Pass, Window};
pub use perform::{ACTION_SECS, Ordered, PathPerformance, Performance};
pub use player::{Bookmark, PlaySettings, PlayedJoin, Player, Source};
pub use sections::{Fit, Section};
pub use settings::TextureSettings;
pub use system::{Deviation, System};
pub use upper::{Corridor, SystemGraph};
