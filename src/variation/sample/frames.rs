//! From phases to frames: when each phase is reached, and where the body is by then.

use std::collections::VecDeque;
use std::sync::Arc;

use super::knot_process::Fixed;
use super::phase_rows::{PhaseRow, PhaseRows};
use super::tables::Tables;
use crate::numerics::interpolate::six_points;
use crate::variation::calibrate::DetailGain;
use crate::variation::error::LearnError;
use crate::variation::network::condition::Given;
use crate::variation::network::phase_model::PhaseModel;
use crate::variation::settings::SampleSettings;
use crate::variation::takes::root_path::{Course, rates_between};
use crate::variation::takes::{MotionType, NodeKind};

/// Phases before and after that a value is interpolated from.
const BEFORE: isize = 2;
const AFTER: isize = 3;
/// A motion with an end is cut off here at the latest, in phases for each frame.
const LONGEST: f64 = 4.0;

/// Makes one variant, a frame at a time.
#[derive(Debug, Clone)]
pub(in crate::variation) struct NetworkSampler {
    model: Arc<PhaseModel>,
    settings: SampleSettings,
    rows: PhaseRows,
    /// Phases around the frame; the first has this number. With each the frame at which it is reached.
    buffer: VecDeque<(PhaseRow, f64)>,
    first: isize,
    /// The phase before the frame.
    base: isize,
    n_made: usize,
    phase: f64,
    course: Course,
    /// Heading and place of the last frame.
    last: Option<(f64, [f64; 2])>,
    /// The frame after this one, already made: rates of the first frame are those of the second.
    ahead: Option<Vec<f64>>,
    row: Vec<f64>,
    shown_phase: f64,
    /// As many frames as what is given lasts.
    fixed_frames: Option<usize>,
}

impl NetworkSampler {
    pub(in crate::variation) fn new(
        (model, tables, gain): (&Arc<PhaseModel>, &Arc<Tables>, &DetailGain),
        settings: &SampleSettings,
        variant: u64,
    ) -> Result<Self, LearnError> {
        settings.check(model.phases.n_dofs())?;
        Self::with_gain((model, tables), settings, gain.at(settings.amount), variant)
    }

    /// With a strength of detail that is known.
    pub(in crate::variation) fn with_gain(
        (model, tables): (&Arc<PhaseModel>, &Arc<Tables>),
        settings: &SampleSettings,
        gain: f64,
        variant: u64,
    ) -> Result<Self, LearnError> {
        let fixed = fixed(model, settings)?;
        let fixed_frames = fixed_frames(model, settings);
        let rows = PhaseRows::new((model, tables), settings, (gain, fixed), variant, -BEFORE);
        Ok(Self {
            model: Arc::clone(model),
            settings: settings.clone(),
            rows,
            buffer: VecDeque::new(),
            first: -BEFORE,
            base: 0,
            n_made: 0,
            phase: 0.0,
            course: Course::default(),
            last: None,
            ahead: None,
            row: Vec::new(),
            shown_phase: 0.0,
            fixed_frames,
        })
    }

    /// One run through the motion, or one round.
    pub(in crate::variation) fn run(mut self) -> Vec<f64> {
        let mut rows = Vec::new();
        loop {
            rows.extend_from_slice(self.next_row());
            if self.is_over() {
                return rows;
            }
        }
    }

    /// The next frame, in the units of the model's takes.
    pub(in crate::variation) fn next_row(&mut self) -> &[f64] {
        if self.n_made == 0 {
            let mut first = self.make_frame();
            self.shown_phase = self.phase;
            let second = self.make_frame();
            if let Some(rates) = &self.model.phases.anatomy.rates {
                for dof in rates.iter().filter_map(|rate| rate.dof) {
                    first[dof] = second[dof];
                }
            }
            self.row = first;
            self.ahead = Some(second);
        } else {
            self.row = match self.ahead.take() {
                Some(row) => row,
                None => self.make_frame(),
            };
            self.shown_phase = self.phase;
        }
        let frame = self.n_made;
        self.n_made += 1;
        if self.fixed_frames.is_some_and(|n| frame < n) {
            for track in &self.settings.fixed {
                if let Some(value) = track.values.get(frame).or(track.values.last()) {
                    self.row[track.dof] = *value;
                }
            }
        }
        &self.row
    }

    /// How far along the motion is, 0 to 1; beyond 1 for further rounds of a cycle.
    pub(in crate::variation) fn progress(&self) -> f64 {
        self.shown_phase * self.model.phases.end / (self.model.phases.n - 1) as f64
    }

    /// Whether one run through the motion, or one round, is complete.
    pub(in crate::variation) fn is_over(&self) -> bool {
        let end = (self.model.phases.n - 1) as f64;
        if let Some(frames) = self.fixed_frames {
            return self.n_made >= frames;
        }
        // The frame nearest to the end is the last.
        self.shown_phase + 0.5 * self.speed() >= end || self.n_made as f64 > LONGEST * end
    }

    /// Phases that go by in a frame now.
    fn speed(&self) -> f64 {
        let at = (self.base - self.first).max(0) as usize;
        self.buffer
            .get(at)
            .map_or(1.0, |(row, _)| (-row.time).exp())
    }

    fn row_at(&self, phase: isize) -> &(PhaseRow, f64) {
        &self.buffer[(phase - self.first) as usize]
    }

    /// Phases as far as the frame needs them.
    fn fill(&mut self) {
        while self.first + (self.buffer.len().cast_signed()) <= self.base + AFTER {
            let row = self.rows.next();
            let phase = self.first + self.buffer.len().cast_signed();
            let reached = match self.buffer.back() {
                Some((before, at)) if phase > 0 => at + (0.5 * (before.time + row.time)).exp(),
                _ => 0.0,
            };
            self.buffer.push_back((row, reached));
        }
        while self.first < self.base - BEFORE {
            self.buffer.pop_front();
            self.first += 1;
        }
    }

    fn make_frame(&mut self) -> Vec<f64> {
        let frame = (self.n_made + usize::from(self.last.is_some() && self.n_made == 0)) as f64;
        self.fill();
        while self.row_at(self.base + 1).1 <= frame {
            self.base += 1;
            self.fill();
        }
        let (from, to) = (self.row_at(self.base), self.row_at(self.base + 1));
        let share = between(frame, (from.1, from.0.time), (to.1, to.0.time));
        let weights = six_points(share);
        let n_nodes = from.0.values.len();
        let mut values = vec![0.0; n_nodes];
        for (i, weight) in weights.into_iter().enumerate() {
            let row = &self.row_at(self.base + i.cast_signed() - BEFORE).0.values;
            for (value, x) in values.iter_mut().zip(row) {
                *value += weight * x;
            }
        }
        let phase = self.base as f64 + share;
        self.place(&mut values, phase);
        values.truncate(self.model.phases.n_dofs());
        values
    }

    /// Speeds and turn rate from where the body is now and was in the frame before.
    fn place(&mut self, values: &mut [f64], phase: f64) {
        let phases = &self.model.phases;
        let went = (phase - self.phase) / (phases.n - 1) as f64;
        self.phase = phase;
        let Some(rates) = &phases.anatomy.rates else {
            // Strokes are places already; that a frame was made is all there is to know.
            self.last = Some((0.0, [0.0; 2]));
            return;
        };
        let drift = std::array::from_fn(|at| {
            let node = phases.node(NodeKind::Drift(at));
            node.map_or(0.0, |node| values[node] * phases.path_scale[at])
        });
        let beside = std::array::from_fn(|at| {
            let dof = rates[at].dof;
            dof.map_or(0.0, |dof| values[dof] * phases.path_scale[at])
        });
        if self.last.is_some() {
            self.course.advance(went, drift);
        }
        let now = self.course.placed(beside);
        let found = rates_between([self.last.unwrap_or(now), now], phases.frame_secs);
        for (rate, value) in rates.iter().zip(found) {
            if let Some(dof) = rate.dof {
                values[dof] = (value - rate.mean) / rate.scale;
            }
        }
        self.last = Some(now);
    }
}

/// How far between two phases a frame is: time runs smoothly, at the pace of both.
fn between(frame: f64, (from, from_time): (f64, f64), (to, to_time): (f64, f64)) -> f64 {
    let whole = (to - from).max(1e-9);
    let t = ((frame - from) / whole).clamp(0.0, 1.0);
    let slopes = [from_time, to_time].map(|time| whole * (-time).exp());
    let (t2, t3) = (t * t, t * t * t);
    let share = (t3 - 2.0 * t2 + t) * slopes[0] + (3.0 * t2 - 2.0 * t3) + (t3 - t2) * slopes[1];
    share.clamp(0.0, 1.0)
}

/// How many frames what is given lasts. Tracks that are much shorter than the motion hold their last value.
fn fixed_frames(model: &PhaseModel, settings: &SampleSettings) -> Option<usize> {
    let longest = settings
        .fixed
        .iter()
        .map(|track| track.values.len())
        .max()?;
    let n = model.phases.n;
    Some(if 2 * longest < n { n } else { longest })
}

/// What the settings give, by phase: the tracks are brought into step with the mean, and their timing is given, too.
fn fixed(model: &Arc<PhaseModel>, settings: &SampleSettings) -> Result<Option<Fixed>, LearnError> {
    let Some(longest) = fixed_frames(model, settings) else {
        return Ok(None);
    };
    let phases = &model.phases;
    let n_dofs = phases.n_dofs();
    let dofs: Vec<usize> = settings.fixed.iter().map(|track| track.dof).collect();
    let mut rows = vec![0.0; longest * n_dofs];
    for track in &settings.fixed {
        for frame in 0..longest {
            let value = track.values.get(frame).or(track.values.last());
            rows[frame * n_dofs + track.dof] = value.copied().unwrap_or(0.0);
        }
    }
    let progress = model.progress_by(&rows, &dofs)?;
    let columns = phases.columns(&rows, &progress);
    let off = (columns - &model.mean).component_div(&model.spread);
    let values = model.knots.curves(&model.knots.slow(&off));
    let is_given: Vec<bool> = phases
        .kinds
        .iter()
        .map(|kind| match kind {
            NodeKind::Dof(dof) => dofs.contains(dof),
            NodeKind::Timing | NodeKind::Tempo => true,
            NodeKind::Drift(at) => {
                let rates = phases.anatomy.rates.as_ref();
                rates.is_some_and(|r| r[*at].dof.is_some_and(|dof| dofs.contains(&dof)))
            }
        })
        .collect();
    let block = |has_past: bool| {
        Given::new(&model.network, &is_given, model.knots.len(), has_past).map_err(
            |_not_positive| {
                LearnError::Structure("what is given leaves nothing to be drawn".to_owned())
            },
        )
    };
    let first = block(false)?;
    let then = match phases.motion_type {
        MotionType::Cyclic => block(true)?,
        MotionType::OneShot | MotionType::Unaligned => first.clone(),
    };
    Ok(Some(Fixed {
        is_given,
        values,
        blocks: Arc::new([first, then]),
    }))
}
