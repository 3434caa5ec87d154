//! One transition: how it was made, what else was tried, and what the animator chose about it.

pub mod ui;

/// What the join editor remembers.
#[derive(Debug, Default)]
pub struct JoinView;
