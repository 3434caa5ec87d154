//! Styles made fit to be blended.

use std::sync::Arc;

use crate::style::Style;

/// Styles that were learned apart, and the same on features that they share; none if that did not work.
#[derive(Debug, Clone)]
pub struct Shared {
    pub(super) from: Vec<Arc<Style>>,
    pub(super) to: Option<Vec<Arc<Style>>>,
}

/// How far some styles are on their way to be blended.
#[derive(Debug, Clone)]
pub enum Fitted {
    /// In the order they were asked for in.
    Together(Vec<Arc<Style>>),
    /// Nothing was tried for these styles yet.
    NotYet,
    /// It was cancelled, or the styles cannot share a map.
    Refused,
}

impl Shared {
    /// The shared styles in the order of `wanted`; none if these are others.
    pub(super) fn of(&self, wanted: &[Arc<Style>]) -> Option<Fitted> {
        let place = |style: &Arc<Style>| self.from.iter().position(|own| Arc::ptr_eq(own, style));
        let places: Option<Vec<usize>> = wanted.iter().map(place).collect();
        let places = places.filter(|places| places.len() == self.from.len())?;
        Some(match &self.to {
            Some(to) => {
                Fitted::Together(places.into_iter().map(|at| Arc::clone(&to[at])).collect())
            }
            None => Fitted::Refused,
        })
    }
}
