//! Bytes into values and back; the only room that knows file formats.

mod error;

pub use error::{ReadError, SyntaxError, WriteError};
