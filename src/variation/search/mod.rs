//! Finding out who depends on whom (section 5.1).

mod folds;
mod greedy;
mod worth;

pub(super) use folds::Folds;
pub(super) use greedy::{Rules, full, random, search};
pub(super) use worth::{score, worths};
