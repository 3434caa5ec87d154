//! Finds all repeats of a query, a range of frames, in hours of takes.
//!
//! The query is slid along every take by subsequence dynamic time warping of the [features](super::features),
//! so it is found faster or slower (by a quarter as it comes), anywhere on the stage, facing anywhere, on bodies of
//! other sizes. To get through millions of frames, a first pass compares means of short blocks, a tenth of a second or
//! so; only where these come near enough is every frame looked at. Means of blocks are never further apart than the
//! frames they stand for, but blocks of a take begin at other moments than those of the query. How much that
//! can add is measured on the query itself, and allowed for.
//!
//! Distances are mean distances of the telling joints in body heights: 0.01 is 1.7 cm on a tall person. Speed over the
//! ground and turning do not count. Places are as exact as the rate of comparing, a sixtieth of a second.

use std::ops::Range;

use rayon::prelude::*;

use super::Clip;
use super::features::{FeatureError, FeatureSpace};
use crate::numerics::dtw::{Subsequence, SubsequenceMatch};
use crate::numerics::rows::Rows;

/// Takes are compared at no more frames per second than these.
const COMPARE_FPS: f64 = 60.0;
/// The first pass looks at about so many blocks per second,
const BLOCKS_PER_SEC: f64 = 10.0;
/// and at no fewer than these in the query.
const FEWEST_BLOCKS: usize = 8;
/// Neighbours may share so much of the shorter one before one of them is dropped; what they share is then divided.
const MAX_SHARED: f64 = 0.2;
/// The default threshold: so much of how far the query moves about its own mean pose,
const OWN_SPREAD: f64 = 0.3;
/// but at least this: captures of a held pose differ by so much.
const LEAST_THRESHOLD: f64 = 0.01;

/// Settings of a search for repeats.
#[derive(Debug, Clone, PartialEq)]
pub struct RepeatSettings {
    /// Repeats last at most so many times as long as the query, or as many times shorter; at most 2.
    pub stretch: f64,
    /// The largest mean distance in body heights; by default judged by how much the query moves.
    pub threshold: Option<f64>,
}

impl Default for RepeatSettings {
    fn default() -> Self {
        Self {
            stretch: 1.25,
            threshold: None,
        }
    }
}

/// Why a search for repeats could not start.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RepeatError {
    /// The poses cannot be described or compared.
    #[error(transparent)]
    Features(#[from] FeatureError),
    /// The range is too short or reaches beyond the clip.
    #[error(
        "frames {from}..{to} cannot be looked for in a clip of {n_frames} frames: mark at least {needed} frames inside it"
    )]
    Range {
        /// First frame of the range.
        from: usize,
        /// One past the last.
        to: usize,
        /// Length of the clip.
        n_frames: usize,
        /// Fewest frames that a query can have.
        needed: usize,
    },
    /// A setting makes no sense.
    #[error("{name} must be {wanted}, found {found}")]
    Setting {
        /// Name of the field.
        name: &'static str,
        /// The values that are allowed.
        wanted: &'static str,
        /// The value that was given.
        found: f64,
    },
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
}

/// A range of frames similar to the query.
#[derive(Debug, Clone, PartialEq)]
pub struct Repeat {
    /// Frames of the take.
    pub frames: Range<usize>,
    /// Mean distance in body heights.
    pub distance: f64,
}

/// A range of frames similar to the query, in one of several takes.
#[derive(Debug, Clone, PartialEq)]
pub struct RepeatInTake {
    /// Index of the take.
    pub take: usize,
    /// Where in it, and how near.
    pub found: Repeat,
}

/// The results of a search in many takes.
#[derive(Debug, Clone, PartialEq)]
pub struct RepeatsInTakes {
    /// All matches by rising distance.
    pub found: Vec<RepeatInTake>,
    /// Takes that were left out because their bodies cannot be compared with the query.
    pub skipped: Vec<(usize, FeatureError)>,
}

/// A range of frames as a query, ready to be searched for.
#[derive(Debug, Clone)]
pub struct RepeatQuery {
    space: FeatureSpace,
    fps: f64,
    rows: Rows,
    block: usize,
    blocks: Rows,
    /// What the first pass may be off by.
    slack: f64,
    threshold: f64,
    stretch: f64,
}

impl RepeatQuery {
    /// Marks frames of a clip.
    pub fn new(
        clip: &Clip,
        frames: Range<usize>,
        settings: &RepeatSettings,
    ) -> Result<Self, RepeatError> {
        const FEWEST: usize = 3;
        let stride = ((clip.fps() / COMPARE_FPS).round() as usize).max(1);
        let needed = FEWEST * stride;
        if frames.end > clip.n_frames() || frames.len() < needed {
            return Err(RepeatError::Range {
                from: frames.start,
                to: frames.end,
                n_frames: clip.n_frames(),
                needed,
            });
        }
        if !(1.0..=2.0).contains(&settings.stretch) {
            return Err(RepeatError::Setting {
                name: "stretch",
                wanted: "between 1 and 2",
                found: settings.stretch,
            });
        }
        if let Some(found) = settings.threshold.filter(|t| !(t.is_finite() && *t >= 0.0)) {
            return Err(RepeatError::Setting {
                name: "threshold",
                wanted: "zero or more body heights",
                found,
            });
        }
        let space = FeatureSpace::learn(&[clip])?;
        let all = space.features(clip)?.rows.slice(frames);
        let picked: Vec<f64> = (0..all.len().div_ceil(stride))
            .map(|i| (i * stride) as f64)
            .collect();
        let rows = all.at(&picked);
        let fps = clip.fps() / stride as f64;
        let block = ((fps / BLOCKS_PER_SEC).round() as usize)
            .min(rows.len() / FEWEST_BLOCKS)
            .max(1);
        let blocks = rows.block_means(block, 0);
        Ok(Self {
            slack: block_slack(&rows, &blocks, block),
            threshold: settings
                .threshold
                .unwrap_or_else(|| (OWN_SPREAD * spread(&rows)).max(LEAST_THRESHOLD)),
            stretch: settings.stretch,
            space,
            fps,
            rows,
            block,
            blocks,
        })
    }

    /// The largest mean distance that still counts as like, in body heights.
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// Looks through one take; the nearest first, without overlaps. The query itself is found, too.
    pub fn search(&self, take: &Clip) -> Result<Vec<Repeat>, RepeatError> {
        let space = self.space.fitted_to(take)?;
        let rows = space.features_at(take, self.fps)?.rows;
        let near: Vec<SubsequenceMatch> = self
            .near_parts(&rows)
            .into_par_iter()
            .flat_map_iter(|part| self.look_closely(&rows, part))
            .collect();
        let step = take.fps() / self.fps;
        let place = |row: usize| ((row as f64 * step).round() as usize).min(take.n_frames());
        let found = apart(near).into_iter().map(|(rows, distance)| Repeat {
            frames: place(rows.start)..place(rows.end),
            distance,
        });
        Ok(found.filter(|f| !f.frames.is_empty()).collect())
    }

    /// The first pass: parts of a take, in rows, where the query may be.
    fn near_parts(&self, rows: &Rows) -> Vec<Range<usize>> {
        let blocks = rows.block_means(self.block, 0);
        let margin = 2 * self.block;
        let mut parts: Vec<Range<usize>> = Vec::new();
        Subsequence::new(&self.blocks).scan(&blocks, |s| {
            if s.cost > self.threshold + self.slack {
                return;
            }
            let from = (s.first * self.block).saturating_sub(margin);
            let to = ((s.last + 1) * self.block + margin).min(rows.len());
            // A later end can begin earlier: take in all parts that it touches.
            let mut part = from..to;
            while let Some(last) = parts.pop_if(|last| last.end >= part.start) {
                part.start = part.start.min(last.start);
                part.end = part.end.max(last.end);
            }
            parts.push(part);
        });
        parts
    }

    /// Every row of a part: where a similar range ends better than a row before or after.
    fn look_closely(&self, rows: &Rows, part: Range<usize>) -> Vec<SubsequenceMatch> {
        let series = rows.slice(part.clone());
        let fewest = (self.rows.len() as f64 / self.stretch).floor() as usize;
        let most = (self.rows.len() as f64 * self.stretch).ceil() as usize;
        let mut all: Vec<SubsequenceMatch> = Vec::new();
        Subsequence::new(&self.rows).scan(&series, |s| {
            let length = s.last + 1 - s.first;
            if s.cost <= self.threshold && (fewest..=most).contains(&length) {
                all.push(SubsequenceMatch {
                    first: s.first + part.start,
                    last: s.last + part.start,
                    cost: s.cost,
                });
            }
        });
        let is_best = |i: usize| {
            let neighbours = [i.checked_sub(1), Some(i + 1)];
            neighbours
                .into_iter()
                .flatten()
                .filter_map(|j| all.get(j))
                .all(|other| other.last.abs_diff(all[i].last) > 1 || other.cost >= all[i].cost)
        };
        (0..all.len())
            .filter(|&i| is_best(i))
            .map(|i| all[i])
            .collect()
    }
}

/// Looks through many takes on all processors.
///
/// `progress` is told how much is done, and stops the search by answering `false`.
pub fn search_all(
    query: &RepeatQuery,
    takes: &[&Clip],
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<RepeatsInTakes, RepeatError> {
    /// Takes between two reports.
    const BATCH: usize = 16;
    let mut all = RepeatsInTakes {
        found: Vec::new(),
        skipped: Vec::new(),
    };
    for (batch, some) in takes.chunks(BATCH).enumerate() {
        if !progress((batch * BATCH) as f64 / takes.len() as f64) {
            return Err(RepeatError::Stopped);
        }
        let results: Vec<_> = some.par_iter().map(|take| query.search(take)).collect();
        for (i, result) in results.into_iter().enumerate() {
            let take = batch * BATCH + i;
            match result {
                Ok(list) => {
                    let found = list.into_iter().map(|found| RepeatInTake { take, found });
                    all.found.extend(found);
                }
                Err(RepeatError::Features(why)) => all.skipped.push((take, why)),
                Err(other) => return Err(other),
            }
        }
    }
    all.found
        .sort_by(|a, b| a.found.distance.total_cmp(&b.found.distance));
    Ok(all)
}

/// Root mean square distance of the rows from their mean.
fn spread(rows: &Rows) -> f64 {
    let mean = rows.block_means(rows.len(), 0);
    let squares = (0..rows.len()).map(|i| f64::from(rows.distance(i, &mean, 0)).powi(2));
    (squares.sum::<f64>() / rows.len() as f64).sqrt()
}

/// How far blocks that begin elsewhere are from those of the same motion, at the worst.
fn block_slack(rows: &Rows, blocks: &Rows, block: usize) -> f64 {
    (1..block)
        .map(|first| {
            let shifted = rows.block_means(block, first);
            let n = shifted.len().min(blocks.len()).max(1);
            let sum: f64 = (0..n.min(shifted.len()))
                .map(|i| {
                    let near = |j: usize| f64::from(shifted.distance(i, blocks, j));
                    near(i).min(near((i + 1).min(blocks.len() - 1)))
                })
                .sum();
            sum / n as f64
        })
        .fold(0.0, f64::max)
}

/// The nearest of all that overlap; the little that neighbours share is divided between them.
fn apart(mut all: Vec<SubsequenceMatch>) -> Vec<(Range<usize>, f64)> {
    all.sort_by(|a, b| a.cost.total_cmp(&b.cost).then(a.first.cmp(&b.first)));
    let mut kept: std::collections::BTreeMap<usize, SubsequenceMatch> =
        std::collections::BTreeMap::new();
    for s in all {
        let shares_too_much = |other: &SubsequenceMatch| {
            let shared = (s.last.min(other.last) + 1).saturating_sub(s.first.max(other.first));
            let shorter = (s.last - s.first).min(other.last - other.first) + 1;
            shared as f64 > MAX_SHARED * shorter as f64
        };
        let before = kept.range(..=s.first).next_back();
        let after = kept.range(s.first..).next();
        if !before
            .into_iter()
            .chain(after)
            .any(|(_, other)| shares_too_much(other))
        {
            kept.insert(s.first, s);
        }
    }
    let mut ranges: Vec<(Range<usize>, f64)> = kept
        .values()
        .map(|s| (s.first..s.last + 1, s.cost))
        .collect();
    for i in 1..ranges.len() {
        let (end, start) = (ranges[i - 1].0.end, ranges[i].0.start);
        if end > start {
            let middle = usize::midpoint(start, end);
            ranges[i - 1].0.end = middle;
            ranges[i].0.start = middle;
        }
    }
    ranges.sort_by(|a, b| a.1.total_cmp(&b.1));
    ranges
}
