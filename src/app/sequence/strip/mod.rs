//! The strip: actions in their order, with the transitions between them.

mod edit;
mod edits;
mod evaluate;
mod evaluation;
mod export;
mod export_ui;
mod layout;
mod paint;
mod pieces;
mod rounds;
mod toolbar_ui;
mod touch;
pub mod ui;
mod view;

pub use crate::app::sequence::strip::edit::Edit;
pub use crate::app::sequence::strip::pieces::Export;
pub(in crate::app::sequence) use edits::called;
pub use evaluation::{Evaluated, Measured};
pub(in crate::app::sequence) use touch::carried_ui;
pub use view::{Draft, StripView};
