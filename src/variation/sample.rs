//! Unrolling the network (section 6): one frame after another, each a little different from all that was seen.
//!
//! Where takes are in step, [`super::in_step`] makes the frames, otherwise, and for joints that leap, [`super::by_neighbours`]; both say how they depart from
//! the paper and why. Common to both:
//!
//! - **Moods, not noise** ([`super::moods`]): what is random are smooth curves. Each is the sum of a mood of the node's own and of
//!   one that all nodes have in common: a person differs as a whole, and a body whose joints all differ by themselves
//!   has no such pose. How much of each is calibrated ([`super::Manner::together`]).
//! - **Detail** that averaging takes away (impacts, the liveliness of capture) comes back from the takes, frame
//!   by frame, so it has the shape of real detail. Its strength is found by calibration: jerk like the takes'.
//! - **Pace** is mixed from the times of the takes ([`super::timing`]); it multiplies all changes, so a faster variant is
//!   faster as a whole.

use std::sync::Arc;

use super::between::Between;
use super::by_neighbours::{ByNeighbours, Pace};
use super::course::Course;
use super::error::LearnError;
use super::in_step::InStep;
use super::model::Model;
use super::moods::{Moods, Today};
use super::network::{Moment, Network, Scratch};
use super::prior::Start;
use super::settings::SampleSettings;

/// A sampled pace is never more than twice, or less than half, the usual.
const SLOWNESS: (f64, f64) = (0.5, 2.0);
/// Detail is taken from the same stretch of a take until that is so many frames out of step.
const DETAIL_SLACK: usize = 2;
/// A variant of a motion with an end is cut off here at the latest, in mean lengths of the takes.
const LONGEST: f64 = 4.0;

/// Makes one variant, a frame at a time. Small: the last two frames, the moods, and the company it keeps.
#[derive(Debug, Clone)]
pub(super) struct Unrolled {
    model: Arc<Model>,
    network: Arc<Network>,
    settings: SampleSettings,
    moods: Moods,
    before: Vec<f64>,
    now: Vec<f64>,
    /// What was to be expected of each node before its mood changed: the mean of Eq. (7).
    expected: Vec<f64>,
    progress: f64,
    pace: f64,
    /// Frames made so far.
    n_made: usize,
    /// By node, the strength of detail.
    details: Vec<f64>,
    /// By take, the instance that detail comes from.
    detail_from: Vec<Option<usize>>,
    /// Makes frames where takes are in step.
    in_step: Option<InStep>,
    /// Makes what is left: all nodes, or those that leap.
    by_neighbours: ByNeighbours,
    scratch: Scratch,
}

impl Unrolled {
    pub(super) fn new(
        model: &Arc<Model>,
        settings: &SampleSettings,
        variant: u64,
    ) -> Result<Self, LearnError> {
        let (n_takes, n_dofs) = (model.examples().n_takes(), model.examples().n_dofs());
        settings.check(n_dofs)?;
        let mut moods = Moods::new(model, settings, variant);
        let Start {
            mut before,
            mut now,
            progress,
        } = model.draw_start(settings, &mut moods.stream);
        fix(settings, 0, &mut before);
        fix(settings, 1, &mut now);
        let mut made = Self {
            model: Arc::clone(model),
            network: model.network(),
            settings: settings.clone(),
            moods,
            expected: before.clone(),
            before,
            now,
            progress,
            pace: 1.0,
            n_made: 0,
            details: model.manner().detail(settings.amount),
            detail_from: vec![None; n_takes],
            in_step: None,
            by_neighbours: ByNeighbours::new((0..n_dofs).collect(), n_takes),
            scratch: Scratch::default(),
        };
        // The first two frames are given, but already have their pace.
        let step = made.draw_pace();
        if let Some(between) = model.between() {
            made.begin_in_step(between, step);
        }
        Ok(made)
    }

    /// Of the two frames that are given the first is changed so that it leads to the second as frames will do from then on: two
    /// frames that are drawn say little about speeds, and a false one is a jolt.
    fn begin_in_step(&mut self, between: &Arc<Between>, step: f64) {
        self.look();
        let model = Arc::clone(&self.model);
        let (manner, frame_secs) = (model.manner(), model.examples().frame_secs);
        let drawn = self.before.clone();
        let mut way = InStep::begin(between, &self.network, &self.scratch, frame_secs);
        let today = Today::new(&self.moods, manner, &self.settings);
        way.place(self.progress - step, 0.0, today, &mut self.before);
        self.moods.advance();
        let today = Today::new(&self.moods, manner, &self.settings);
        way.place(self.progress, 0.0, today, &mut self.expected);
        way.start_from(&self.now, &self.expected);
        for ((before, now), expected) in self.before.iter_mut().zip(&self.now).zip(&self.expected) {
            *before += now - expected;
        }
        let n_takes = model.examples().n_takes();
        self.by_neighbours = ByNeighbours::new(between.leaping().to_vec(), n_takes);
        for &node in self.by_neighbours.nodes() {
            self.before[node] = drawn[node];
        }
        fix(&self.settings, 0, &mut self.before);
        self.expected.clone_from(&self.before);
        self.in_step = Some(way);
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

    /// What was to be expected of the last frame, before its mood changed: near to this constraints are met.
    pub(super) fn expected(&self) -> &[f64] {
        &self.expected
    }

    /// The mean of the takes in the last frame; empty if they are not in step.
    pub(super) fn means(&self) -> &[f64] {
        let way = self.in_step.as_ref();
        way.map_or(&[], |way| way.means(self.n_made == 1))
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
        self.look();
        let step = self.draw_pace();
        let detail = self.follow_detail();
        let model = Arc::clone(&self.model);
        let frame_secs = model.examples().frame_secs;
        let pull = model.settings().pull(frame_secs);
        let start = self.start_memory();
        self.progress += step;
        let (manner, settings) = (model.manner(), &self.settings);
        if let Some(way) = &mut self.in_step {
            way.keep_company(&self.network, &self.scratch);
            way.add_detail(&detail, pull);
            let today = Today::new(&self.moods, manner, settings);
            way.place(self.progress, start, today, &mut self.expected);
        }
        self.moods.advance();
        let today = Today::new(&self.moods, manner, settings);
        if let Some(way) = &mut self.in_step {
            way.place(self.progress, start, today, &mut self.before);
        }
        let pace = Pace {
            pace: self.pace,
            pull,
            start,
            detail: &detail,
        };
        self.by_neighbours.go_on(
            (&self.network, &self.scratch),
            pace,
            today,
            &self.now,
            [&mut self.before, &mut self.expected],
        );
        std::mem::swap(&mut self.before, &mut self.now);
        fix(&self.settings, self.n_made - 1, &mut self.now);
    }

    /// Has the network look at the last two frames.
    fn look(&mut self) {
        let phase = self
            .model
            .examples()
            .progress
            .features(self.progress, self.model.settings().phase_secs);
        let moment = Moment {
            before: &self.before,
            now: &self.now,
            phase,
        };
        self.network.look(moment, None, &mut self.scratch);
    }

    /// How much of the first frames still counts: 1 at first, smoothly down to 0 within two moods.
    fn start_memory(&self) -> f64 {
        let secs = (self.n_made - 2) as f64 * self.model.examples().frame_secs;
        let u = (secs / (2.0 * self.model.settings().mood_secs)).min(1.0);
        (1.0 - u) * (1.0 - u) * (1.0 + 2.0 * u)
    }

    /// How much progress grows, and by what that differs from the usual. Times are mixed, not speeds: they add up to a length.
    fn draw_pace(&mut self) -> f64 {
        let timing = self.model.timing();
        let Some(usual) = timing.usual(self.progress) else {
            return 0.0;
        };
        let between = timing.mixed(self.progress, self.moods.of_pace());
        let slowness = 1.0 + self.settings.amount * between;
        self.pace = slowness.clamp(SLOWNESS.0, SLOWNESS.1).recip();
        self.pace / usual
    }

    /// The detail of this frame, by node: mixed from the takes, going on frame by frame in each while in step.
    fn follow_detail(&mut self) -> Vec<f64> {
        let instances = &self.network.instances;
        let mut mixed = vec![0.0; instances.n_dofs];
        for (take, lead) in self.moods.leads().into_iter().enumerate() {
            let range = instances.of_take[take].clone();
            let nearest = self.scratch.nearest_of(range.clone());
            let is_in_step =
                |next: &usize| range.contains(next) && next.abs_diff(nearest) <= DETAIL_SLACK;
            let next = self.detail_from[take].map(|last| last + 1);
            let from = next.filter(is_in_step).unwrap_or(nearest);
            self.detail_from[take] = Some(from);
            let detail = &instances.detail[from * instances.stride..];
            for (mixed, detail) in mixed.iter_mut().zip(detail) {
                *mixed += lead * f64::from(*detail);
            }
        }
        for (mixed, strength) in mixed.iter_mut().zip(&self.details) {
            *mixed *= strength;
        }
        mixed
    }
}

/// Puts what is given in its place.
pub(super) fn fix(settings: &SampleSettings, frame: usize, row: &mut [f64]) {
    for track in &settings.fixed {
        if let Some(value) = track.values.get(frame).or(track.values.last()) {
            row[track.dof] = *value;
        }
    }
}
