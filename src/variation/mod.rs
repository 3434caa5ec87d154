//! Variation.
mod alone;
mod calibrate;
mod course;
mod error;
mod examples;
mod model;
mod network;
mod noise;
mod prior;
mod prior_search;
mod sample;
mod score;
mod search;
mod settings;
mod structure;

pub use course::Course;
pub use error::LearnError;
pub use examples::{Examples, FEWEST_FRAMES, Take};
pub use model::{Manner, Model};
pub use sample::Sampler;
pub use search::{SearchReport, Step, score_of};
pub use settings::{LearnSettings, SampleSettings, Track};
pub use structure::{Parent, Seen, Structure};
