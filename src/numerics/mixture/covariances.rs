//! Covariances of the parts of a mixture.

/// Which covariances the components may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Covariance {
    /// One variance per column, the same in all components.
    TiedDiagonal,
    /// One variance per column and component.
    Diagonal,
    /// One matrix per component.
    Full,
}

/// Covariances in the form of their kind.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Covariances {
    /// One variance per column.
    Tied(Vec<f64>),
    /// The same for each component, row by row.
    Diagonal(Vec<f64>),
    /// One full matrix per component.
    Full(Vec<update::FullCovariance>),
}
