//! Two stretches of motion that are nearly the same.

use std::ops::Range;

/// Stretches nearer than this in body heights are near clones.
///
/// It is three quarters of the least that a second of a real walk is away from the nearest second of another take of the
/// same person (`resources/study.md` has the table).
pub const NEAR: f64 = 0.006;

/// Stretches nearer than this are copies: 0.9 mm of a tall person, what files written with few decimals and other rates differ by.
pub const EXACT: f64 = 0.0005;

/// Every so many rows a window is looked for; stretches are whole windows anyway.
pub(super) const HOP: usize = 2;

/// How like two stretches are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CloneKind {
    /// The same motion, frame by frame.
    Exact,
    /// Nearer than real people repeat themselves.
    Near,
}

/// Some frames of one of the clips.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Index of the clip.
    pub clip: usize,
    /// The frames of the clip.
    pub frames: Range<usize>,
}

impl Span {
    /// What spans are sorted by.
    pub(super) fn place(&self) -> (usize, usize, usize) {
        (self.clip, self.frames.start, self.frames.end)
    }
}

/// Two stretches that are one motion to the eye.
#[derive(Debug, Clone, PartialEq)]
pub struct ClonePair {
    /// The span that comes earlier.
    pub first: Span,
    /// The one that repeats it.
    pub second: Span,
    /// Mean distance in body heights.
    pub distance: f64,
    /// Copied or only like it.
    pub kind: CloneKind,
}
