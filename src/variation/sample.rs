//! Unrolling the network (section 6): one frame after another, each a little different from all that was seen.
//!
//! The paper adds to every change of every node white noise with the spread of the neighbours' changes. On real clips
//! that leaves the data within seconds, and trembles, because neighbours in *time* differ as well as neighbours in
//! *other takes*: at a take-off the spread is large although all takes agree. Here instead:
//!
//! - **What varies is what differs between takes.** With `W_c` the weight of take c among the neighbours of a node and `m_c`
//!   its own mean, the node goes to `m + sum_c g_c sqrt(W_c) (m_c - m)` with standard normal `g_c`: the
//!   mean and variance of Eq. (6) over takes, and `g_c` beyond 1 goes further than any take did.
//! - **Moods, not noise.** `g` are smooth random curves. Values and changes follow the same `g`, so a variant is as smooth
//!   as what it is mixed from. Each is the sum of a mood of the node's own and of one that all nodes have in common: a
//!   person differs as a whole, and a body whose joints all differ by themselves has no such pose. How much of each is
//!   calibrated ([`super::Manner::together`]). Parents carry a mood from node to node, as in the paper.
//! - **A pull** towards the neighbours' values keeps a stream on the data for as long as it runs.
//! - **Detail** that averaging takes away (impacts, the liveliness of capture) comes back from one take at a time, frame
//!   by frame, so it has the shape of real detail. Its strength is found by calibration: jerk like the takes'.
//! - **Pace** is mixed from the times of the takes ([`super::timing`]); it multiplies all changes, so a faster variant is
//!   faster as a whole.

use std::sync::Arc;

use super::course::Course;
use super::error::LearnError;
use super::model::Model;
use super::network::{Moment, Network, Scratch};
use super::noise::SmoothNoise;
use super::prior::Start;
use super::settings::SampleSettings;
use crate::numerics::random::Stream;

/// A sampled pace is never more than twice, or less than half, the usual.
const SLOWNESS: (f64, f64) = (0.5, 2.0);
/// The mood of the pace lasts for about so many runs through the motion, or rounds: whoever is quick stays quick.
const PACE_RUNS: f64 = 4.0;
/// With few takes among the neighbours the variance between them is known badly: it is raised by this at most.
const MOST_CORRECTION: f64 = 4.0;
/// Detail is taken from the same stretch of a take until that is so many frames out of step.
const DETAIL_SLACK: usize = 2;
/// A variant of a motion with an end is cut off here at the latest, in mean lengths of the takes.
const LONGEST: f64 = 4.0;

/// Names the random numbers of common moods.
const COMMON: u64 = 1;

/// Makes one variant, a frame at a time. Small: the last two frames and the moods.
#[derive(Debug, Clone)]
pub(super) struct Unrolled {
    model: Arc<Model>,
    network: Arc<Network>,
    settings: SampleSettings,
    stream: Stream,
    /// For what all nodes have in common; apart, so that models that know nothing of it go on as they did.
    common_stream: Stream,
    moods: Moods,
    before: Vec<f64>,
    now: Vec<f64>,
    /// What the network expected of each node before variation: the mean of Eq. (7).
    expected: Vec<f64>,
    progress: f64,
    pace: f64,
    /// Frames made so far.
    n_made: usize,
    /// By node, the strength of detail.
    details: Vec<f64>,
    /// The instance that detail comes from.
    detail_from: Option<usize>,
    /// How far the first frames were from where the moods want to be; forgotten bit by bit.
    start_offset: Vec<f64>,
    scratch: Scratch,
    by_take: Vec<TakeSum>,
}

/// The smooth random curves of a variant.
#[derive(Debug, Clone)]
struct Moods {
    /// By take and node.
    each: SmoothNoise,
    /// By take, in which all nodes agree.
    all: SmoothNoise,
    /// By take, for whose detail is taken.
    lead: SmoothNoise,
    /// For the pace: changes slowly, because whoever is quick today stays quick for a while.
    pace: SmoothNoise,
}

/// What the neighbours from one take say.
#[derive(Debug, Clone, Copy, Default)]
struct TakeSum {
    weight: f64,
    change: f64,
    now: f64,
}

impl Unrolled {
    pub(super) fn new(
        model: &Arc<Model>,
        settings: &SampleSettings,
        variant: u64,
    ) -> Result<Self, LearnError> {
        let examples = model.examples();
        settings.check(examples.n_dofs())?;
        let mut stream = Stream::named(settings.seed, &[variant]);
        let mut common_stream = Stream::named(settings.seed, &[variant, COMMON]);
        let knot_frames = model.settings().mood_secs / examples.frame_secs;
        let n_takes = examples.n_takes();
        let moods = Moods {
            lead: SmoothNoise::new(n_takes, knot_frames, &mut stream),
            pace: SmoothNoise::new(
                model.timing().n_moods(),
                PACE_RUNS * examples.n_frames() as f64 / n_takes as f64,
                &mut stream,
            ),
            each: SmoothNoise::new(n_takes * examples.n_dofs, knot_frames, &mut stream),
            all: SmoothNoise::new(n_takes, knot_frames, &mut common_stream),
        };
        let Start {
            mut before,
            mut now,
            progress,
        } = model.draw_start(settings, &mut stream);
        fix(settings, 0, &mut before);
        fix(settings, 1, &mut now);
        let mut made = Self {
            model: Arc::clone(model),
            network: model.network(),
            settings: settings.clone(),
            stream,
            common_stream,
            moods,
            expected: before.clone(),
            before,
            now,
            progress,
            pace: 1.0,
            n_made: 0,
            details: model.manner().detail(settings.amount),
            detail_from: None,
            start_offset: Vec::new(),
            scratch: Scratch::default(),
            by_take: vec![TakeSum::default(); n_takes],
        };
        // The first two frames are given, but already have their pace.
        made.draw_pace();
        Ok(made)
    }

    /// The next frame, in the units of the model's takes.
    pub(super) fn next_row(&mut self) -> &[f64] {
        self.n_made += 1;
        match self.n_made {
            1 => &self.before,
            2 => {
                self.expected.clone_from(&self.now);
                &self.now
            }
            _ => {
                self.advance();
                &self.now
            }
        }
    }

    /// What the network expected in the last frame, before anything varied: near to this constraints are met.
    pub(super) fn expected(&self) -> &[f64] {
        &self.expected
    }

    /// How far along the motion is, 0 to 1; beyond 1 for further rounds of a cycle. 0 if that is not known.
    pub(super) fn progress(&self) -> f64 {
        self.progress
    }

    /// By how much the last frame moved on against the usual pace there.
    pub(super) fn pace(&self) -> f64 {
        self.pace
    }

    /// Whether one run through the motion, or one round, is complete.
    pub(super) fn is_over(&self) -> bool {
        let examples = self.model.examples();
        let mean_frames = examples.n_frames() as f64 / examples.n_takes() as f64;
        match examples.course() {
            Course::Free => self.n_made as f64 >= mean_frames,
            Course::Through | Course::Around => {
                // The frame nearest to the end is the last.
                let half_a_step = 0.5 / mean_frames;
                self.progress + half_a_step >= self.model.end_progress()
                    || self.n_made as f64 >= LONGEST * mean_frames
            }
        }
    }

    fn advance(&mut self) {
        let network = Arc::clone(&self.network);
        let model = Arc::clone(&self.model);
        let phase = model
            .examples()
            .progress
            .features(self.progress, model.settings().phase_secs);
        let moment = Moment {
            before: &self.before,
            now: &self.now,
            phase,
        };
        network.look(moment, None, &mut self.scratch);
        let step = self.draw_pace();
        let detail = self.follow_detail(&network);
        self.move_nodes(&network, detail);
        std::mem::swap(&mut self.before, &mut self.now);
        fix(&self.settings, self.n_made - 1, &mut self.now);
        self.progress += step;
        self.moods.each.advance(&mut self.stream);
        self.moods.all.advance(&mut self.common_stream);
        self.moods.lead.advance(&mut self.stream);
        self.moods.pace.advance(&mut self.stream);
    }

    /// How much progress grows, and by what that differs from the usual. Times are mixed, not speeds: they add up to a length.
    fn draw_pace(&mut self) -> f64 {
        let timing = self.model.timing();
        let Some(usual) = timing.usual(self.progress) else {
            return 0.0;
        };
        let between = timing.mixed(self.progress, &self.moods.pace.values);
        let slowness = 1.0 + self.settings.amount * between;
        self.pace = slowness.clamp(SLOWNESS.0, SLOWNESS.1).recip();
        self.pace / usual
    }

    /// The instance whose detail is added: of the take whose mood leads, going on frame by frame while in step.
    fn follow_detail(&mut self, network: &Network) -> usize {
        let moods = &self.moods.lead.values;
        let lead = (0..moods.len()).max_by(|&a, &b| moods[a].total_cmp(&moods[b]));
        let range = network.instances.of_take[lead.unwrap_or(0)].clone();
        let nearest = self.scratch.nearest_of(range.clone());
        let next = match self.detail_from {
            Some(last)
                if range.contains(&(last + 1)) && (last + 1).abs_diff(nearest) <= DETAIL_SLACK =>
            {
                last + 1
            }
            _ => nearest,
        };
        self.detail_from = Some(next);
        next
    }

    /// Writes the next frame over the one before.
    fn move_nodes(&mut self, network: &Network, detail_from: usize) {
        let instances = &network.instances;
        let model = &self.model;
        let manner = model.manner();
        let n = instances.n_dofs;
        let is_first = self.start_offset.is_empty();
        self.start_offset.resize(n, 0.0);
        let memory = self.start_memory();
        let pull = model.settings().pull(model.examples().frame_secs);
        let (own, common) = ((1.0 - manner.together).sqrt(), manner.together.sqrt());
        for node in 0..n {
            let (near, weights) = self.scratch.of(node);
            self.by_take.fill(TakeSum::default());
            for (&instance, &weight) in near.iter().zip(weights) {
                let at = instance as usize * instances.stride + node;
                let weight = f64::from(weight);
                let sum = &mut self.by_take[instances.take[instance as usize] as usize];
                sum.weight += weight;
                sum.change += weight * f64::from(instances.change[at]);
                sum.now += weight * f64::from(instances.now[at]);
            }
            let change: f64 = self.by_take.iter().map(|s| s.change).sum();
            let value: f64 = self.by_take.iter().map(|s| s.now).sum();
            let part = self.settings.part_amounts.get(node).copied();
            let amount = self.settings.amount * part.unwrap_or(1.0);
            let (off_change, off_value) = if self.by_take.len() == 1 {
                (
                    0.0,
                    manner.spread[node] * f64::from(self.moods.each.values[node]),
                )
            } else {
                let (moods, all) = (&self.moods.each.values, &self.moods.all.values);
                let correction = correction(&self.by_take);
                let (c, v) = between_takes(&self.by_take, change, value, |take| {
                    own * f64::from(moods[take * n + node]) + common * f64::from(all[take])
                });
                (correction * c, correction * v)
            };
            let scale = amount * manner.scale;
            let target = value + scale * off_value;
            let now = self.now[node];
            if is_first {
                self.start_offset[node] = now - target;
            }
            let back = target + memory * self.start_offset[node] - now;
            let detail = f64::from(instances.detail[detail_from * instances.stride + node]);
            let usual = now + self.pace * change + self.details[node] * detail;
            self.expected[node] = usual + pull * (value - now);
            self.before[node] = usual + self.pace * scale * off_change + pull * back;
        }
    }

    /// How much of the first frames' offset still counts: 1 at first, smoothly down to 0 within two moods.
    fn start_memory(&self) -> f64 {
        let secs = (self.n_made - 2) as f64 * self.model.examples().frame_secs;
        let u = (secs / (2.0 * self.model.settings().mood_secs)).min(1.0);
        (1.0 - u) * (1.0 - u) * (1.0 + 2.0 * u)
    }
}

/// Eq. (6) divides by n - 1: with weights, by 1 - sum of their squares.
fn correction(takes: &[TakeSum]) -> f64 {
    let squares: f64 = takes.iter().map(|s| s.weight * s.weight).sum();
    (1.0 / (1.0 - squares).max(1.0 / MOST_CORRECTION)).sqrt()
}

/// Change and value mixed from what the takes have beside their mean.
fn between_takes(
    takes: &[TakeSum],
    change: f64,
    value: f64,
    mood: impl Fn(usize) -> f64,
) -> (f64, f64) {
    let (mut off_change, mut off_value) = (0.0, 0.0);
    for (take, sum) in takes.iter().enumerate() {
        if sum.weight > 0.0 {
            let strength = mood(take) * sum.weight.sqrt();
            off_change += strength * (sum.change / sum.weight - change);
            off_value += strength * (sum.now / sum.weight - value);
        }
    }
    (off_change, off_value)
}

/// Puts what is given in its place.
pub(super) fn fix(settings: &SampleSettings, frame: usize, row: &mut [f64]) {
    for track in &settings.fixed {
        if let Some(value) = track.values.get(frame).or(track.values.last()) {
            row[track.dof] = *value;
        }
    }
}
