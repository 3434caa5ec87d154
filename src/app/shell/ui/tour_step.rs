//! Where the tour is.

/// How far the tour has come.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tour {
    pub(super) step: usize,
    /// Whether the workspace of the step was opened.
    pub(super) is_shown: bool,
}
