//! What to do when: keys in seconds, centimetres and degrees, for an average take.

mod fight;
mod leap;
mod stand;

pub(super) use fight::{cross, dodge, front_kick, hook, jab, round_kick};
pub(super) use leap::{HOP_CM, JUMP_CM, THROW_CM, hop, jump, throw};
pub(super) use stand::{cheer, idle, squat, wave};
