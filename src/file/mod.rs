//! Bytes into values and back; the only room that knows file formats.

pub mod asf_amc;
pub mod atomic;
mod base64;
pub mod bvh;
pub mod csv;
mod decimal;
mod error;
pub mod export;
pub mod fbx;
mod folder;
pub mod gltf;
pub mod graph_file;
mod inline_clip;
pub mod map_file;
pub mod network;
mod open;
pub mod picture;
pub mod preset;
pub mod project;
mod ron_text;
pub mod stroke_csv;
pub mod study_manifest;
pub mod study_page;
pub mod study_plan;
pub mod study_ratings;
pub mod study_report;
pub mod style_file;
mod table;
pub mod texture_csv;
pub mod texture_file;
pub mod trajectory;
pub mod variation_model;

pub use error::{ReadError, SyntaxError, WriteError};
pub use folder::{files_below, has_ending, is_motion_of_folder};
pub use open::{MOTION_ENDINGS, read_clip, read_clips, take_names};
pub use ron_text::RonError;
