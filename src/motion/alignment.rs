//! Bringing clips into step: the same moment of a motion at the same frame of all of them.
//!
//! Two clips are aligned by dynamic time warping of their [features](super::features). A set is brought to a common
//! phase: every clip is aligned to the one in the middle of the set (the medoid), the aligned clips are averaged, and
//! aligned to that average again a few times (DTW barycentre averaging, Petitjean et al. 2011). Departures: clips are
//! first stretched to one length, so that any lengths go together; the warps are smoothed, because warping by whole
//! frames makes a clip stutter; and the common phase is at last set so that it runs evenly for the average of all
//! clips, since no single clip's timing should be the law.

use super::features::{FeatureError, FeatureSpace, Features};
use super::{Clip, ClipError, Motion};
use crate::numerics::dtw::{self, DtwError, WarpPath};
use crate::numerics::rows::Rows;
use crate::numerics::smoothing::running_mean;

/// With more clips than these, only so many are tried as the middle of the set.
const MAX_MEDOID_CANDIDATES: usize = 24;

/// Clips could not be brought into step.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AlignError {
    /// Their poses have no common measure.
    #[error(transparent)]
    Features(#[from] FeatureError),
    /// Their times cannot be matched.
    #[error(transparent)]
    Time(#[from] DtwError),
    /// The curves given do not belong to the clips that were aligned.
    #[error("{what}: expected {expected}, found {found}")]
    Curves {
        /// The noun that is counted, for the message: clips, frames.
        what: &'static str,
        /// As many as there should be.
        expected: usize,
        /// The number that was given.
        found: usize,
    },
    /// The warped numbers make no clip.
    #[error(transparent)]
    Clip(#[from] ClipError),
}

/// How a set is brought into step.
#[derive(Debug, Clone, PartialEq)]
pub struct AlignSettings {
    /// Frames of the common phase; by default the median length of the clips.
    pub n_phases: Option<usize>,
    /// How often the average is made anew. Three are enough: later ones move warps by less than a frame.
    pub rounds: usize,
    /// Warps are averaged over so large a part of the whole, about two frames in a second.
    pub smooth_share: f64,
}

impl Default for AlignSettings {
    fn default() -> Self {
        Self {
            n_phases: None,
            rounds: 3,
            smooth_share: 0.04,
        }
    }
}

/// Clips aligned in time: time warps onto a common phase and their mean.
#[derive(Debug, Clone, PartialEq)]
pub struct Aligned {
    /// The clip in the middle of the set.
    pub medoid: usize,
    /// For each clip its moment, in frames, at every phase; the ends are its first and last frame, and it never turns
    /// back.
    pub warps: Vec<Vec<f64>>,
    /// The average of all clips, as features on the common phase.
    pub mean: Rows,
    /// For each clip the mean distance from that average, in body heights.
    pub distances: Vec<f64>,
    /// The mean time from first to last frame.
    pub seconds: f64,
}

/// Average and spread of curves along the phase.
#[derive(Debug, Clone, PartialEq)]
pub struct CurveStatistics {
    /// How many coordinates there are at each phase.
    pub n_dims: usize,
    /// Means of all coordinates, phase by phase.
    pub mean: Vec<f64>,
    /// Standard deviations (over n - 1), laid out like `mean`; zero for a single clip.
    pub deviation: Vec<f64>,
}

/// Curves of one clip: frame by frame, `n_dims` numbers each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrameCurves<'a> {
    /// How many coordinates each frame has.
    pub n_dims: usize,
    /// All frames in order.
    pub values: &'a [f64],
}

/// Which frame of one clip goes with which of another; the cost is in body heights. Clips on different skeletons do,
/// if their bodies have the same parts. Neither may be more than twice as long in time.
pub fn align_pair(a: &Clip, b: &Clip) -> Result<WarpPath, AlignError> {
    let space = match FeatureSpace::learn(&[a, b]) {
        Ok(space) => space,
        Err(_) => FeatureSpace::learn(&[a])?,
    };
    let features_a = space.features(a)?;
    let features_b = space.fitted_to(b)?.features(b)?;
    if features_a.fps == features_b.fps {
        return Ok(dtw::align(&features_a.rows, &features_b.rows)?);
    }
    // Slopes are limited in time, not in frames: compare at one rate, then count in frames again.
    let at_rate = space.fitted_to(b)?.features_at(b, features_a.fps)?;
    let mut path = dtw::align(&features_a.rows, &at_rate.rows)?;
    let step = features_b.fps / features_a.fps;
    for (_, frame) in &mut path.pairs {
        *frame = ((*frame as f64 * step).round() as usize).min(b.n_frames() - 1);
    }
    Ok(path)
}

/// Brings a set of clips on one skeleton to a common phase.
pub fn align_set(clips: &[&Clip], settings: &AlignSettings) -> Result<Aligned, AlignError> {
    let space = FeatureSpace::learn(clips)?;
    let features = clips
        .iter()
        .map(|clip| space.features(clip))
        .collect::<Result<Vec<Features>, _>>()?;
    let series: Vec<Rows> = features.into_iter().map(|f| f.rows).collect();
    let times = clips.iter().map(|c| (c.n_frames() - 1) as f64 / c.fps());
    let seconds = times.sum::<f64>() / clips.len() as f64;
    align_rows(&series, seconds, settings)
}

/// [`align_set`] for any rows of one width, such as pen strokes or degrees of freedom; `seconds` is the mean time from
/// first to last row, and distances are in the rows' own units.
pub fn align_rows(
    series: &[Rows],
    seconds: f64,
    settings: &AlignSettings,
) -> Result<Aligned, AlignError> {
    if series.is_empty() || series.iter().any(Rows::is_empty) {
        return Err(DtwError::Empty.into());
    }
    let mut lengths: Vec<usize> = series.iter().map(Rows::len).collect();
    lengths.sort_unstable();
    let n = settings
        .n_phases
        .unwrap_or(lengths[lengths.len() / 2])
        .max(2);
    if n.saturating_mul(n) > dtw::MAX_CELLS {
        return Err(DtwError::TooLong { a: n, b: n }.into());
    }
    let even: Vec<Rows> = series.iter().map(|rows| rows.resampled(n)).collect();
    let medoid = medoid(&even)?;
    let smooth = ((settings.smooth_share * n as f64) as usize).max(1);
    let mut mean = even[medoid].clone();
    let mut warps = Vec::new();
    for _ in 0..=settings.rounds {
        warps = even
            .iter()
            .map(|rows| {
                Ok(smoothed(
                    &moments(&dtw::align(&mean, rows)?.pairs, n),
                    smooth,
                ))
            })
            .collect::<Result<Vec<Vec<f64>>, DtwError>>()?;
        mean = average(&even, &warps);
    }
    even_out(&mut warps);
    let warped: Vec<Rows> = even.iter().zip(&warps).map(|(e, w)| e.at(w)).collect();
    let mean = average(&even, &warps);
    let distances = warped
        .iter()
        .map(|rows| {
            (0..n)
                .map(|i| f64::from(rows.distance(i, &mean, i)))
                .sum::<f64>()
                / n as f64
        })
        .collect();
    let steps = (n - 1) as f64;
    for (warp, rows) in warps.iter_mut().zip(series) {
        let last = (rows.len() - 1) as f64;
        for moment in warp.iter_mut() {
            *moment = (*moment * last / steps).min(last);
        }
    }
    Ok(Aligned {
        medoid,
        warps,
        mean,
        distances,
        seconds,
    })
}

/// The moment of a series, in its rows, at every row of a mean that others were brought to.
pub fn align_to(mean: &Rows, series: &Rows, smooth_share: f64) -> Result<Vec<f64>, AlignError> {
    let n = mean.len().max(2);
    let even = series.resampled(n);
    let smooth = ((smooth_share * n as f64) as usize).max(1);
    let mut warp = smoothed(&moments(&dtw::align(mean, &even)?.pairs, n), smooth);
    let last = (series.len().max(1) - 1) as f64;
    for moment in &mut warp {
        *moment = (*moment * last / (n - 1) as f64).min(last);
    }
    Ok(warp)
}

impl Aligned {
    /// Frames of the common phase.
    pub fn n_phases(&self) -> usize {
        self.mean.len()
    }

    /// Average and spread of any curves of the clips: joint positions, degrees of freedom.
    pub fn spread(&self, curves: &[FrameCurves<'_>]) -> Result<CurveStatistics, AlignError> {
        let wrong = |what, expected, found| AlignError::Curves {
            what,
            expected,
            found,
        };
        if curves.len() != self.warps.len() {
            return Err(wrong("clips with curves", self.warps.len(), curves.len()));
        }
        let n_dims = curves[0].n_dims;
        let n_values = self.n_phases() * n_dims;
        let mut mean = vec![0.0; n_values];
        let mut squares = vec![0.0; n_values];
        for (k, (curve, warp)) in curves.iter().zip(&self.warps).enumerate() {
            if curve.n_dims != n_dims {
                return Err(wrong("curves of a clip", n_dims, curve.n_dims));
            }
            let last = warp.last().map_or(0, |m| m.round() as usize);
            if curve.values.len() != (last + 1) * n_dims {
                let found = curve.values.len().checked_div(n_dims).unwrap_or(0);
                return Err(wrong("frames of curves", last + 1, found));
            }
            // Welford's way: no large squares are subtracted.
            let share = 1.0 / (k + 1) as f64;
            for (phase, moment) in warp.iter().enumerate() {
                let before = *moment as usize;
                let after = (before + 1).min(last);
                for dim in 0..n_dims {
                    let [a, b] = [before, after].map(|f| curve.values[f * n_dims + dim]);
                    let value = a + (b - a) * moment.fract();
                    let at = phase * n_dims + dim;
                    let off = value - mean[at];
                    mean[at] += off * share;
                    squares[at] += off * (value - mean[at]);
                }
            }
        }
        let freedom = curves.len().saturating_sub(1).max(1) as f64;
        Ok(CurveStatistics {
            n_dims,
            mean,
            deviation: squares.iter().map(|s| (s / freedom).sqrt()).collect(),
        })
    }

    /// The clips on the common phase, all of the same length and in step, lasting the mean time. Contacts are carried
    /// along.
    pub fn warped(&self, clips: &[&Clip]) -> Result<Vec<Clip>, AlignError> {
        if clips.len() != self.warps.len() {
            return Err(AlignError::Curves {
                what: "clips",
                expected: self.warps.len(),
                found: clips.len(),
            });
        }
        let frame_secs = self.seconds / (self.n_phases() - 1) as f64;
        clips
            .iter()
            .zip(&self.warps)
            .map(|(clip, warp)| {
                let frame_secs = if frame_secs > 0.0 {
                    frame_secs
                } else {
                    clip.frame_secs()
                };
                warp_clip(clip, warp, frame_secs)
            })
            .collect()
    }
}

/// A clip played at these moments (in frames, never turning back).
pub fn warp_clip(clip: &Clip, moments: &[f64], frame_secs: f64) -> Result<Clip, AlignError> {
    let mut motion = Motion::with_capacity(clip.skeleton(), frame_secs, moments.len());
    for &moment in moments {
        motion.push(clip.pose_at(moment).as_ref());
    }
    let mut info = clip.info.clone();
    info.history.push(format!(
        "warped in time from {} to {} frames",
        clip.n_frames(),
        moments.len()
    ));
    let contacts = clip.contacts().iter().filter_map(|c| {
        let first = moments.partition_point(|&m| m < c.frames.start as f64 - 0.5);
        let end = moments.partition_point(|&m| m < c.frames.end as f64 - 0.5);
        (first < end).then_some(super::Contact {
            joint: c.joint,
            frames: first..end,
        })
    });
    let warped = Clip::new(info, std::sync::Arc::clone(clip.skeleton()), motion)?;
    Ok(warped.with_contacts(contacts.collect())?)
}

/// The one with the least sum of distances to all others.
fn medoid(sets: &[Rows]) -> Result<usize, DtwError> {
    let stride = sets.len().div_ceil(MAX_MEDOID_CANDIDATES);
    let tried: Vec<usize> = (0..sets.len()).step_by(stride).collect();
    let mut sums = vec![0.0; tried.len()];
    for (i, &a) in tried.iter().enumerate() {
        for (j, &b) in tried.iter().enumerate().skip(i + 1) {
            let cost = dtw::align(&sets[a], &sets[b])?.cost;
            sums[i] += cost;
            sums[j] += cost;
        }
    }
    let best = (0..tried.len()).min_by(|&i, &j| sums[i].total_cmp(&sums[j]));
    Ok(best.map_or(0, |i| tried[i]))
}

/// For each row of the first series the mean of its partners in the second.
fn moments(pairs: &[(usize, usize)], n: usize) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); n];
    for &(i, j) in pairs {
        sums[i].0 += j as f64;
        sums[i].1 += 1.0;
    }
    sums.iter().map(|(sum, count)| sum / count).collect()
}

/// A running mean over `reach` rows either way that shrinks towards the ends, so that these stay and the curve never
/// turns back.
fn smoothed(warp: &[f64], reach: usize) -> Vec<f64> {
    let n = warp.len();
    // The ends of a path may rest on two rows; pin them.
    let mut pinned = warp.to_vec();
    pinned[0] = 0.0;
    pinned[n - 1] = (n - 1) as f64;
    running_mean(&pinned, reach)
}

fn average(sets: &[Rows], warps: &[Vec<f64>]) -> Rows {
    let n_dims = sets[0].n_dims();
    let mut sums = vec![0.0_f64; warps[0].len() * n_dims];
    for (rows, warp) in sets.iter().zip(warps) {
        let warped = rows.at(warp);
        for (sum, value) in sums.iter_mut().zip(warped.iter().flatten()) {
            *sum += f64::from(*value);
        }
    }
    let share = 1.0 / sets.len() as f64;
    Rows::new(n_dims, sums.iter().map(|s| (s * share) as f32).collect())
}

/// Counts the phase anew so that it runs evenly for the average of all warps.
fn even_out(warps: &mut [Vec<f64>]) {
    let n = warps[0].len();
    let share = 1.0 / warps.len() as f64;
    let mean: Vec<f64> = (0..n)
        .map(|i| warps.iter().map(|w| w[i]).sum::<f64>() * share)
        .collect();
    // Where the mean warp passes each whole number.
    let places: Vec<f64> = (0..n)
        .map(|i| {
            let after = mean.partition_point(|&m| m < i as f64).clamp(1, n - 1);
            let (low, high) = (mean[after - 1], mean[after]);
            let share = if high > low {
                ((i as f64 - low) / (high - low)).clamp(0.0, 1.0)
            } else {
                1.0
            };
            (after - 1) as f64 + share
        })
        .collect();
    for warp in warps {
        *warp = places
            .iter()
            .map(|&p| {
                let before = p as usize;
                let after = (before + 1).min(n - 1);
                warp[before] + (warp[after] - warp[before]) * p.fract()
            })
            .collect();
    }
}
