//! Bytes into values and back; the only room that knows file formats.

pub mod bvh;
mod error;

pub use error::{ReadError, SyntaxError, WriteError};
