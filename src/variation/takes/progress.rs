//! How a motion runs, and how far along it is.
//!
//! To a network that sees two frames, standing before a jump and standing after it are the same: variants stall, or
//! turn back in the middle. So every frame is also given its *progress*. It is found by bringing the takes into step
//! (dynamic time warping, see [`crate::motion::alignment`]), so that the same moment of the motion has the same
//! progress in all takes and each take has its own pace through it. The paper (Lau et al. 2009) has no such variable;
//! it notes that neighbours may be out of phase.
//!
//! The network works along progress ([`super::phases`]); how fast it grows is a node of the network, and never nothing. So
//! every variant runs through to its end.

use super::examples::Examples;
use crate::motion::alignment::{AlignSettings, align_rows, align_to};
use crate::numerics::rows::Rows;
use crate::variation::error::LearnError;

/// How a motion runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MotionType {
    /// From a beginning to an end: a jump, a throw.
    OneShot,
    /// Each take is one cycle, which leads into the next: a step, a stroke.
    Cyclic,
    /// Takes begin and end anywhere, or have several cycles; the network itself has to see where it is, as in the
    /// paper.
    Unaligned,
}

/// Along any take progress grows at least by this share of its mean pace, so that nothing ever stalls.
const SLOWEST_PACE: f64 = 0.25;
/// What a file tells of progress grows at least by this from frame to frame: times are divided by it.
const LEAST_STEP: f64 = 1e-12;
/// Takes close if the gap is at most so many times what their beginnings are apart, and so much of what their halves are
/// apart. Over eight choices of four takes each, walks, kicks and strokes have 0.7 to 1.3 of the first and 0.4 to 0.8 of the
/// second; jumps, cheers and golf swings have 1.4 and more of the first, throws and jumping jacks 0.8 and more of the second.
const CLOSED_BETWEEN: f64 = 1.32;
const CLOSED_WITHIN: f64 = 0.75;
/// The same for a single take, which has no others to be compared with: who stands before and after a jump comes near to where he
/// was, but not as near as a step does.
const CLOSED_ALONE: f64 = 0.3;

/// How far along every row is.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::variation) struct Progress {
    pub(in crate::variation) motion_type: MotionType,
    /// Mean time of one run through or round.
    pub(in crate::variation) secs: f64,
    /// By row, 0 to 1; never falling within a take. Empty if free.
    pub(in crate::variation) at: Vec<f64>,
}

impl Progress {
    pub(in crate::variation) fn none() -> Self {
        Self {
            motion_type: MotionType::Unaligned,
            secs: 1.0,
            at: Vec::new(),
        }
    }

    /// Progress as it was found before; checked, because files lie.
    pub(in crate::variation) fn known(
        motion_type: MotionType,
        secs: f64,
        takes: &[std::ops::Range<usize>],
        progress: &[Vec<f64>],
    ) -> Result<Self, LearnError> {
        let wrong = |what: &str| Err(LearnError::Structure(format!("progress {what}")));
        if !(secs > 0.0 && secs.is_finite()) {
            return wrong("must take some time");
        }
        if motion_type == MotionType::Unaligned {
            return Ok(Self {
                secs,
                ..Self::none()
            });
        }
        if progress.len() != takes.len() {
            return wrong("must be known for all takes");
        }
        let mut at = Vec::new();
        for (rows, along) in takes.iter().zip(progress) {
            let grows = along.windows(2).all(|w| w[1] - w[0] > LEAST_STEP);
            let fits = along.iter().all(|p| (0.0..=1.0 + 1e-9).contains(p));
            if along.len() != rows.len() || !grows || !fits {
                return wrong("must grow from 0 to 1, frame by frame");
            }
            at.extend_from_slice(along);
        }
        Ok(Self {
            motion_type,
            secs,
            at,
        })
    }

    /// Aligns the takes; without a given type looks whether they close.
    pub(in crate::variation) fn learn(
        examples: &Examples,
        motion_type: Option<MotionType>,
    ) -> Result<Self, LearnError> {
        let motion_type = motion_type.unwrap_or_else(|| guess(examples));
        if motion_type == MotionType::Unaligned {
            return Ok(Self::none());
        }
        let series: Vec<Rows> = (0..examples.n_takes())
            .map(|take| {
                let values = examples.take(take).iter().map(|&x| x as f32).collect();
                Rows::new(examples.n_dofs, values)
            })
            .collect();
        let n_takes = examples.n_takes() as f64;
        // Round a cycle the last frame leads to the first; running through, it is the end.
        let beyond = usize::from(motion_type == MotionType::Cyclic && !repeats_first(examples));
        let frames = |take: usize| examples.take_frames(take) - 1 + beyond;
        let n_steps = (0..examples.n_takes()).map(frames).sum::<usize>() as f64;
        let secs = n_steps / n_takes * examples.frame_secs;
        if let [only] = series.as_slice() {
            // A single take is in step with itself; to find that out would take time with the square of its length.
            let last = (only.len() - 1 + beyond) as f64;
            return Ok(Self {
                motion_type,
                secs,
                at: (0..only.len()).map(|frame| frame as f64 / last).collect(),
            });
        }
        let aligned = align_rows(&series, secs, &AlignSettings::default())?;
        let n_phases = (aligned.n_phases() - 1 + beyond) as f64;
        let mut at = Vec::with_capacity(examples.n_frames());
        for (take, warp) in aligned.warps.iter().enumerate() {
            let n = examples.take_frames(take);
            let along = along(warp, n, n_phases);
            at.extend(along);
        }
        Ok(Self {
            motion_type,
            secs,
            at,
        })
    }

    /// Where takes end: 1 running through, about a step less round a cycle.
    pub(in crate::variation) fn end(&self, takes: &[std::ops::Range<usize>]) -> f64 {
        let ends = takes.iter().map(|rows| self.of(rows.end - 1));
        ends.sum::<f64>() / takes.len() as f64
    }

    /// Progress of a row; 0 if free.
    pub(in crate::variation) fn of(&self, row: usize) -> f64 {
        self.at.get(row).copied().unwrap_or(0.0)
    }

    /// Progress in the units that distances are measured in: one for every `phase_secs`.
    pub(in crate::variation) fn features(&self, progress: f64, phase_secs: f64) -> [f32; 2] {
        let units = self.secs / phase_secs;
        match self.motion_type {
            MotionType::Unaligned => [0.0; 2],
            MotionType::OneShot => [(progress * units) as f32, 0.0],
            MotionType::Cyclic => {
                // On a circle, so that the end of a round is beside its beginning; arcs are as long as progress.
                let (sin, cos) = (progress * std::f64::consts::TAU).sin_cos();
                let radius = units / std::f64::consts::TAU;
                [(radius * cos) as f32, (radius * sin) as f32]
            }
        }
    }

    pub(in crate::variation) fn n_features(&self) -> usize {
        match self.motion_type {
            MotionType::Unaligned => 0,
            MotionType::OneShot => 1,
            MotionType::Cyclic => 2,
        }
    }

    /// [`Self::features`] of these rows as columns.
    pub(in crate::variation) fn columns(&self, rows: &[usize], phase_secs: f64) -> Vec<Vec<f32>> {
        let feature = |row: usize, which: usize| self.features(self.of(row), phase_secs)[which];
        (0..self.n_features())
            .map(|which| rows.iter().map(|&row| feature(row, which)).collect())
            .collect()
    }

    /// Of these rows only.
    pub(in crate::variation) fn at_rows(&self, rows: &[usize]) -> Self {
        let at = |row: &usize| self.at.get(*row).copied();
        Self {
            motion_type: self.motion_type,
            secs: self.secs,
            at: rows.iter().filter_map(at).collect(),
        }
    }
}

/// Progress of every frame of a take: the warp (frame by phase) turned round, and kept from standing still.
fn along(warp: &[f64], n_frames: usize, n_phases: f64) -> Vec<f64> {
    let end = (warp.len() - 1) as f64 / n_phases;
    let least = SLOWEST_PACE * end / (n_frames - 1) as f64;
    let mut made: Vec<f64> = (0..n_frames)
        .map(|frame| {
            let frame = frame as f64;
            let after = warp
                .partition_point(|&m| m < frame)
                .clamp(1, warp.len() - 1);
            let (low, high) = (warp[after - 1], warp[after]);
            let share = if high > low {
                ((frame - low) / (high - low)).clamp(0.0, 1.0)
            } else {
                1.0
            };
            ((after - 1) as f64 + share) / n_phases
        })
        .collect();
    made[0] = 0.0;
    for frame in 1..n_frames {
        made[frame] = made[frame].max(made[frame - 1] + least);
    }
    // Lifting may have gone beyond the end: draw all back a little.
    let shrink = end / made[n_frames - 1];
    for progress in &mut made {
        *progress *= shrink;
    }
    made
}

/// Progress of every row of a motion that is brought into step with a mean; it ends at `end` as the mean does.
pub(in crate::variation) fn progress_along(
    mean: &Rows,
    rows: &Rows,
    end: f64,
) -> Result<Vec<f64>, LearnError> {
    let warp = align_to(mean, rows, AlignSettings::default().smooth_share)?;
    let n_phases = (warp.len() - 1) as f64 / end;
    Ok(along(&warp, rows.len(), n_phases))
}

/// Root mean square difference of two rows.
fn apart(a: &[f64], b: &[f64]) -> f64 {
    let sum: f64 = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum();
    (sum / a.len() as f64).sqrt()
}

/// Gap between a take's first frame and its last, and the frame that would follow its last.
fn gaps(examples: &Examples, take: usize) -> [f64; 2] {
    let rows = &examples.takes[take];
    let [first, before, last] = [rows.start, rows.end - 2, rows.end - 1].map(|r| examples.row(r));
    let next: Vec<f64> = last.iter().zip(before).map(|(l, b)| 2.0 * l - b).collect();
    [apart(last, first), apart(&next, first)]
}

/// Whether the last frames repeat the first ones, as some cutters leave them.
fn repeats_first(examples: &Examples) -> bool {
    let sum = (0..examples.n_takes()).map(|take| gaps(examples, take));
    let [same, next] = sum.fold([0.0; 2], |sum, gap| [sum[0] + gap[0], sum[1] + gap[1]]);
    same < next
}

/// Around if takes close: their ends are about as near to their own beginnings as their beginnings are to each other, and
/// nearer than most moments of a take are to each other.
fn guess(examples: &Examples) -> MotionType {
    let takes = 0..examples.n_takes();
    let n = takes.len() as f64;
    let gap = takes.clone().map(|take| {
        let [same, next] = gaps(examples, take);
        same.min(next)
    });
    let gap = gap.sum::<f64>() / n;
    let (mut between, mut pairs) = (0.0, 0.0);
    for a in takes.clone() {
        for b in a + 1..takes.end {
            let [a, b] = [a, b].map(|take| examples.row(examples.takes[take].start));
            between += apart(a, b);
            pairs += 1.0;
        }
    }
    let between = if pairs > 0.0 {
        between / pairs
    } else {
        f64::INFINITY
    };
    // Half a take apart is about as far as moments of it get.
    let half = takes.map(|take| {
        let rows = &examples.takes[take];
        let (half, n) = (rows.len() / 2, rows.len() - rows.len() / 2);
        let moments = rows.start..rows.start + n;
        moments
            .map(|row| apart(examples.row(row), examples.row(row + half - 1)))
            .sum::<f64>()
            / n as f64
    });
    let half = half.sum::<f64>() / n;
    let within = if pairs > 0.0 {
        CLOSED_WITHIN
    } else {
        CLOSED_ALONE
    };
    if gap < CLOSED_BETWEEN * between && gap < within * half {
        MotionType::Cyclic
    } else {
        MotionType::OneShot
    }
}
