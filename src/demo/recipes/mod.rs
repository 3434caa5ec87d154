//! What to do when: keys in seconds, centimetres and degrees, for an average take.

// Tables of keys read better as rows, so these files are laid out by hand.
#[rustfmt::skip]
mod fight;
#[rustfmt::skip]
mod leap;
#[rustfmt::skip]
mod stand;

pub(super) use fight::{cross, dodge, front_kick, hook, jab, round_kick};
pub(super) use leap::{HOP_CM, JUMP_CM, THROW_CM, hop, jump, throw};
pub(super) use stand::{cheer, idle, squat, wave};
