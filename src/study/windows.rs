//! Every second of some clips, and which one of them is most like another, as an eye sees it: wherever the body stands, wherever it
//! faces, whatever the moment at which a clip begins.
//!
//! Clips are looked at thirty times a second by where their telling joints are ([`crate::motion::features`]). Two windows are as far
//! apart as the root mean square distance of these joints over their frames, in body heights: 0.01 is 1.7 cm on a tall person.
//! The second window may lie between frames, so that copies cut or resampled elsewhere are still copies. The nearest of many
//! is found by sketches ([`NearestPoint`]) and not by comparing all with all.
//!
//! Left out: copies that are played faster or slower, and mirrored ones.

use crate::motion::Clip;
use crate::motion::features::{FeatureError, FeatureSpace};
use crate::numerics::projection::NearestPoint;
use crate::numerics::rows::{Rows, squared_distance};

/// Clips are looked at so many times a second.
pub(super) const FPS: f64 = 30.0;
/// Rows that a window is as long as, if no clip is shorter.
pub(super) const WINDOW: usize = 30;
/// A window is no shorter than this.
pub(super) const SHORTEST: usize = 10;
/// A sketch is made from the means of so many parts of a window.
const BLOCKS: usize = 5;

/// The rows of one clip.
pub(super) struct Track {
    pub(super) rows: Rows,
    /// Frames of the clip in a row.
    frames_per_row: f64,
    n_frames: usize,
}

impl Track {
    fn of(space: &FeatureSpace, clip: &Clip) -> Result<Self, FeatureError> {
        let features = space.fitted_to(clip)?.features_at(clip, FPS)?;
        Ok(Self {
            rows: features.rows,
            frames_per_row: clip.fps() / features.fps,
            n_frames: clip.n_frames(),
        })
    }

    /// The frame of the clip at a row.
    pub(super) fn frame(&self, row: usize) -> usize {
        let frame = (row as f64 * self.frames_per_row).round() as usize;
        frame.min(self.n_frames - 1)
    }

    /// The frames that rows stand for.
    pub(super) fn frames(&self, rows: std::ops::Range<usize>) -> std::ops::Range<usize> {
        let end = self.frame(rows.end.saturating_sub(1)) + 1;
        self.frame(rows.start)..end
    }
}

/// A window that is most like another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Match {
    pub(super) clip: usize,
    /// The row of its clip at which the window begins.
    pub(super) row: usize,
    /// How far apart the windows are, in body heights.
    pub(super) distance: f64,
}

/// All windows of some clips.
pub(super) struct Windows {
    pub(super) space: FeatureSpace,
    pub(super) tracks: Vec<Track>,
    /// Rows of a window.
    pub(super) size: usize,
    /// Clip and first row of every window.
    places: Vec<(u32, u32)>,
    index: NearestPoint,
}

impl Windows {
    /// Of clips whose bodies have the same parts, at least one; `size` rows each.
    pub(super) fn of(clips: &[&Clip], size: usize) -> Result<Self, FeatureError> {
        let first = *clips.first().ok_or(FeatureError::NoClips)?;
        let space = FeatureSpace::learn(&[first])?;
        Self::in_space(space, clips, size)
    }

    fn in_space(space: FeatureSpace, clips: &[&Clip], size: usize) -> Result<Self, FeatureError> {
        let tracks = clips
            .iter()
            .map(|clip| Track::of(&space, clip))
            .collect::<Result<Vec<Track>, FeatureError>>()?;
        let mut places = Vec::new();
        for (clip, track) in tracks.iter().enumerate() {
            let n = (track.rows.len() + 1).saturating_sub(size);
            places.extend((0..n).map(|row| (clip as u32, row as u32)));
        }
        let index = NearestPoint::among(places.len(), |at| {
            let (clip, row) = places[at];
            point(&tracks[clip as usize].rows, row as usize, size)
        });
        Ok(Self {
            space,
            tracks,
            size,
            places,
            index,
        })
    }

    /// Another clip, to be looked for in these.
    pub(super) fn track(&self, clip: &Clip) -> Result<Track, FeatureError> {
        Track::of(&self.space, clip)
    }

    /// The window most like the one that begins at a row, of those that count (asked by clip and first row).
    pub(super) fn nearest(
        &self,
        rows: &Rows,
        row: usize,
        counts: impl Fn(usize, usize) -> bool,
    ) -> Option<Match> {
        let own = point(rows, row, self.size);
        let found = self.index.nearest(&own, |at, bound| {
            let (clip, start) = self.place(at);
            if counts(clip, start) {
                apart(rows, row, &self.tracks[clip].rows, start, self.size, bound)
            } else {
                f32::INFINITY
            }
        });
        let (clip, start) = self.place(found?.0);
        Some(self.compare(rows, row, clip, start))
    }

    fn place(&self, at: usize) -> (usize, usize) {
        let (clip, row) = self.places[at];
        (clip as usize, row as usize)
    }

    /// How far a window is from one of these, between whose frames it may lie. Both must be whole.
    pub(super) fn compare(&self, rows: &Rows, row: usize, clip: usize, start: usize) -> Match {
        let other = &self.tracks[clip].rows;
        let mut best = squared(rows, row, other, start, self.size);
        let neighbours = [start.checked_sub(1), Some(start + 1)];
        for next in neighbours.into_iter().flatten() {
            if next + self.size <= other.len() {
                best = best.min(between(rows, row, other, (start, next), self.size));
            }
        }
        let per_point = f64::from(rows.per_point()) / self.size as f64;
        Match {
            clip,
            row: start,
            distance: (best * per_point).sqrt(),
        }
    }

    /// How far the joints get from their mean places within a window, root mean square: body heights.
    pub(super) fn motion(&self, rows: &Rows, row: usize) -> f64 {
        let window = rows.slice(row..row + self.size);
        let mean = window.block_means(self.size, 0);
        let squares = window
            .iter()
            .map(|r| f64::from(squared_distance(r, mean.row(0))));
        (squares.sum::<f64>() * f64::from(rows.per_point()) / self.size as f64).sqrt()
    }
}

/// A window as the means of its parts, scaled so that their distance is never more than that of the windows.
fn point(rows: &Rows, row: usize, size: usize) -> Vec<f32> {
    let mut values = Vec::with_capacity(BLOCKS * rows.n_dims());
    for block in 0..BLOCKS {
        let (from, to) = (block * size / BLOCKS, (block + 1) * size / BLOCKS);
        let mean = rows.slice(row + from..row + to).block_means(to - from, 0);
        let scale = ((to - from) as f32).sqrt();
        values.extend(mean.row(0).iter().map(|x| x * scale));
    }
    values
}

/// Distance of two windows in the sketches' space, or anything over the bound.
fn apart(a: &Rows, row: usize, b: &Rows, start: usize, size: usize, bound: f32) -> f32 {
    let limit = bound * bound;
    let mut sum = 0.0;
    for i in 0..size {
        sum += squared_distance(a.row(row + i), b.row(start + i));
        if sum > limit {
            return f32::MAX;
        }
    }
    sum.sqrt()
}

fn squared(a: &Rows, row: usize, b: &Rows, start: usize, size: usize) -> f64 {
    let each = (0..size).map(|i| f64::from(squared_distance(a.row(row + i), b.row(start + i))));
    each.sum()
}

/// The same for the best moment on the straight line between two neighbouring starts: `|a - b - t (c - b)|` is least at
/// `t = (a - b)(c - b) / |c - b|`.
fn between(a: &Rows, row: usize, b: &Rows, starts: (usize, usize), size: usize) -> f64 {
    let (mut base, mut dot, mut length) = (0.0_f64, 0.0_f64, 0.0_f64);
    for i in 0..size {
        let (own, near) = (a.row(row + i), b.row(starts.0 + i));
        for (x, (y, z)) in own.iter().zip(near.iter().zip(b.row(starts.1 + i))) {
            let (off, step) = (f64::from(x - y), f64::from(z - y));
            base += off * off;
            dot += off * step;
            length += step * step;
        }
    }
    if length <= 0.0 {
        return base;
    }
    let t = (dot / length).clamp(0.0, 1.0);
    (base - 2.0 * t * dot + t * t * length).max(0.0)
}

/// Rows of windows that fit into all of these clips.
pub(super) fn window_for(clips: &[&Clip]) -> usize {
    let rows = |clip: &&Clip| ((clip.n_frames() - 1) as f64 / clip.fps() * FPS + 1e-6) as usize + 1;
    let shortest = clips.iter().map(rows).min().unwrap_or(WINDOW);
    shortest.clamp(SHORTEST, WINDOW)
}
