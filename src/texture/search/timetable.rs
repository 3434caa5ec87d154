//! What the rest of a path costs from any frame, wherever on the path it is shown.
//!
//! Whether an action is shown when its part of the path begins is decided long before: a sneak that leads nowhere has
//! to be left in time. Everything that a path costs but for its shape (wrong actions, jumps, waiting, feet that
//! slide) depends on the frame and on how far along the path that is shown. So the least of it from every frame and
//! arc length to the end is found once, backwards, by dynamic programming; of each motion the beam search then knows
//! what it will have to pay, not only what it has paid.

use super::SearchCorpus;
use crate::texture::FrameId;

/// Arc length between two columns; metres. What lies between is interpolated.
const SPACING: f64 = 0.25;
/// Longer paths have wider columns.
const MOST_COLUMNS: f64 = 200.0;
/// Rounds through all frames for each column: a jump that leads on by less than a column leads to frames of the same
/// one.
const ROUNDS: usize = 2;
/// What it costs to be where a clip ends and nothing leads on.
const LOST: f32 = 60.0;

/// What it costs to show frames, beside where they lead.
pub(super) trait FrameCosts {
    /// Parts of the path: each has costs of its own.
    fn n_parts(&self) -> usize;
    /// The part at an arc length.
    fn part_at(&self, arc: f64) -> usize;
    /// To show a frame in a part, for as long as a frame lasts.
    fn frame_cost(&self, part: usize, at: FrameId) -> f64;
    /// To take a transition of this distance.
    fn jump_cost(&self, distance: f64) -> f64;
}

/// Least costs to the end of a path.
#[derive(Debug)]
pub(super) struct Timetable {
    spacing: f64,
    n_columns: usize,
    frames: Frames,
    /// Arc length by arc length, a number for each frame.
    to_go: Vec<f32>,
}

/// The frames of all clips that a search may enter, counted through.
#[derive(Debug)]
struct Frames {
    /// Where each clip begins; none for those that are not entered.
    firsts: Vec<Option<usize>>,
    total: usize,
}

impl Frames {
    fn of(corpus: &SearchCorpus<'_>) -> Self {
        let mut total = 0;
        let mut firsts = Vec::with_capacity(corpus.tracks.len());
        for (clip, track) in corpus.tracks.iter().enumerate() {
            let mut frames = (0..track.n_frames()).map(|frame| FrameId { clip, frame });
            let is_entered = frames.any(|at| corpus.allows(at));
            firsts.push(is_entered.then_some(total));
            total += if is_entered { track.n_frames() } else { 0 };
        }
        Self { firsts, total }
    }

    fn index(&self, at: FrameId) -> Option<usize> {
        Some(self.firsts[at.clip]? + at.frame)
    }
}

/// Frames that are shown one after the other.
#[derive(Clone, Copy)]
struct Stretch {
    first: usize,
    last: usize,
    /// How far they lead along the path, in whole columns and a share of one.
    columns: usize,
    share: f32,
}

impl Stretch {
    /// From one frame to another, both included, with the columns that all frames up to each lead on.
    fn new(columns: &Sums, first: usize, last: usize) -> Self {
        let on = columns.over(first, last);
        Self {
            first,
            last,
            columns: on as usize,
            share: on.fract() as f32,
        }
    }
}

/// A transition and the frames that are blended after it.
struct Jump {
    leave: usize,
    blended: Stretch,
    cost: f32,
}

/// Sums over all frames up to each, so that those of a stretch are one difference.
struct Sums(Vec<f64>);

impl Sums {
    fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut sums = vec![0.0];
        let mut sum = 0.0;
        sums.extend(values.map(|value| {
            sum += value;
            sum
        }));
        Self(sums)
    }

    /// From one frame to another, both included.
    fn over(&self, first: usize, last: usize) -> f64 {
        self.0[last + 1] - self.0[first]
    }
}

impl Timetable {
    /// For a path of this length, in metres; so many frames are blended after a jump.
    pub(super) fn new(
        corpus: &SearchCorpus<'_>,
        costs: &impl FrameCosts,
        length: f64,
        blend: usize,
    ) -> Self {
        let spacing = SPACING.max(length / MOST_COLUMNS);
        let frames = Frames::of(corpus);
        let all = || {
            let entered = (0..corpus.tracks.len()).filter(|&clip| frames.firsts[clip].is_some());
            entered.flat_map(|clip| {
                let n = corpus.tracks[clip].n_frames();
                (0..n).map(move |frame| FrameId { clip, frame })
            })
        };
        let on = |at: FrameId| corpus.tracks[at.clip].speeds[at.frame] / corpus.fps / spacing;
        let columns = Sums::of(all().map(on));
        let next = all().enumerate().map(|(index, at)| {
            let is_last = at.frame + 1 == corpus.tracks[at.clip].n_frames();
            (!is_last).then(|| Stretch::new(&columns, index + 1, index + 1))
        });
        let column = Column {
            next: next.collect(),
            jumps: jumps(corpus, costs, &frames, all(), &columns, blend),
        };
        let parts = (0..costs.n_parts()).map(|part| {
            let sums = Sums::of(all().map(|at| costs.frame_cost(part, at)));
            column.costs(&sums)
        });
        let parts: Vec<PartCosts> = parts.collect();
        let n_columns = (length / spacing).ceil() as usize + 1;
        let n = frames.total;
        // At the end nothing is left to pay.
        let mut to_go = vec![0.0; n * n_columns];
        for at in (0..n_columns - 1).rev() {
            let (here, beyond) = to_go[at * n..].split_at_mut(n);
            column.fill(&parts[costs.part_at(at as f64 * spacing)], here, beyond);
        }
        Self {
            spacing,
            n_columns,
            frames,
            to_go,
        }
    }

    /// The least cost from a frame that is the last one shown at this arc length.
    pub(super) fn to_go(&self, at: FrameId, arc: f64) -> f64 {
        let Some(index) = self.frames.index(at) else {
            return f64::from(LOST);
        };
        let column = (arc / self.spacing).clamp(0.0, (self.n_columns - 1) as f64);
        let (before, share) = (column as usize, column.fract());
        let after = (before + 1).min(self.n_columns - 1);
        let value = |column: usize| f64::from(self.to_go[column * self.frames.total + index]);
        value(before) * (1.0 - share) + value(after) * share
    }
}

/// How frames lead to others, at any arc length.
struct Column {
    /// The frame after each; none after the last of a clip.
    next: Vec<Option<Stretch>>,
    /// By the frame that is left.
    jumps: Vec<Jump>,
}

/// What it costs to go on in a part of the path.
struct PartCosts {
    /// For each frame, to show the next.
    next: Vec<f32>,
    /// For each transition, with what is blended after it.
    jumps: Vec<f32>,
}

impl Column {
    /// From the costs of all frames up to each.
    fn costs(&self, sums: &Sums) -> PartCosts {
        let of = |s: &Stretch| sums.over(s.first, s.last) as f32;
        PartCosts {
            next: self
                .next
                .iter()
                .map(|n| n.as_ref().map_or(0.0, of))
                .collect(),
            jumps: self.jumps.iter().map(|j| j.cost + of(&j.blended)).collect(),
        }
    }

    /// The costs of all frames here, from those further along the path.
    fn fill(&self, costs: &PartCosts, here: &mut [f32], beyond: &[f32]) {
        here.copy_from_slice(&beyond[..here.len()]);
        for _ in 0..ROUNDS {
            let jumps = self.jumps.iter().zip(&costs.jumps);
            let mut jumps = jumps.rev().peekable();
            for index in (0..here.len()).rev() {
                let mut least = LOST;
                if let Some(next) = &self.next[index] {
                    least = least.min(costs.next[index] + to_go_after(next, here, beyond));
                }
                while let Some((jump, cost)) = jumps.next_if(|(jump, _)| jump.leave == index) {
                    least = least.min(cost + to_go_after(&jump.blended, here, beyond));
                }
                here[index] = least;
            }
        }
    }
}

/// What is left to pay after a stretch; nothing beyond the end of the path.
fn to_go_after(shown: &Stretch, here: &[f32], beyond: &[f32]) -> f32 {
    let n = here.len();
    let ahead = |column: usize| beyond.get(column * n + shown.last).copied();
    let after = ahead(shown.columns).unwrap_or(0.0);
    let before = match shown.columns.checked_sub(1) {
        None => here[shown.last],
        Some(column) => ahead(column).unwrap_or(0.0),
    };
    before * (1.0 - shown.share) + after * shown.share
}

fn jumps(
    corpus: &SearchCorpus<'_>,
    costs: &impl FrameCosts,
    frames: &Frames,
    all: impl Iterator<Item = FrameId>,
    columns: &Sums,
    blend: usize,
) -> Vec<Jump> {
    let mut jumps = Vec::new();
    for (leave, at) in all.enumerate() {
        for transition in corpus.graph.leaving(at) {
            let to = transition.to;
            let last = to.frame + blend.max(1) - 1;
            let fits = last < corpus.tracks[to.clip].n_frames() && corpus.allows(to);
            let Some(enter) = frames.index(to).filter(|_| fits) else {
                continue;
            };
            jumps.push(Jump {
                leave,
                blended: Stretch::new(columns, enter, enter + last - to.frame),
                cost: costs.jump_cost(transition.distance) as f32,
            });
        }
    }
    jumps
}
