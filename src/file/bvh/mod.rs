//! BVH: the text format that most motion capture is exchanged in.
//!
//! A skeleton with offsets and channels, then one row of numbers per frame. There is no standard, only exporters, so
//! the reader takes what they really write and notes on the clip whatever it had to mend or guess. It refuses only
//! what cannot be meant, and says at which place. The writer keeps to what all of them read.
//!
//! Left out: scale channels (their columns are skipped, with a note) and further skeletons in one file (likewise).

#[cfg(feature = "bvh_anim")]
pub mod interchange;
mod names;
mod read;
mod write;
mod write_plan;

pub use crate::file::bvh::write_plan::WriteSettings;
pub(super) use names::names;
pub use read::read;
pub(super) use write::write_exactly;
pub use write::{PieceWriter, Written, write};

/// How to read a BVH file where the format leaves it open.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReadSettings {
    /// What the root's position channels mean when the root has an offset too.
    pub root_offset: RootOffset,
}

/// What the root's position channels mean when the root has an offset too.
///
/// Position channels of other joints always replace the offset, axis by axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RootOffset {
    /// They replace the offset, as nearly all exporters mean it, unless the file looks like one of the depth cameras: a
    /// root offset far larger than the body and positions that stay around zero. A note says when it was taken for one.
    #[default]
    Guess,
    /// They are the place of the root.
    Replace,
    /// They are relative to the offset.
    Add,
}
