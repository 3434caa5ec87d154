//! Feet and hands that stay where they stand (section 7).

pub(super) mod by_hand;
pub(super) mod foot_lock;
pub(super) mod root_follow;
pub(super) mod root_height;
pub(super) mod sway;
