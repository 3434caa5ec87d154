//! Variants: made in the background, looked at one by one, kept, exported, streamed.

pub mod again;
pub mod batch;
pub mod live;
pub mod make;
pub(in crate::app) mod making_ui;
mod manifest;
pub mod ranges;
pub mod recipe;
pub mod stream;
pub(in crate::app) mod ui;
