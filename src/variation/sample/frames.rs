//! From phases to frames: when each phase is reached, and where the body is by then.

use std::collections::VecDeque;
use std::sync::Arc;

use super::detail::{DetailSource, detail_share};
use super::knot_process::Fixed;
use super::phase_rows::{PhaseRow, PhaseRows};
use super::tables::Tables;
use crate::numerics::interpolate::six_points;
use crate::numerics::random::Stream;
use crate::variation::error::LearnError;
use crate::variation::network::condition::Given;
use crate::variation::network::phase_model::PhaseModel;
use crate::variation::settings::SampleSettings;
use crate::variation::takes::root_path::Steps;
use crate::variation::takes::{MotionType, NodeKind};

/// Phases before and after that a value is interpolated from.
const BEFORE: isize = 2;
const AFTER: isize = 3;
/// Names the random numbers of detail.
const DETAIL: u64 = 0xDE7A;
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
    phase: Option<f64>,
    steps: Steps,
    detail: DetailSource,
    /// By degree of freedom, how much detail of takes it has; none of what is given.
    details: Vec<f64>,
    /// The frame after this one, already made: rates of the first frame are those of the second.
    ahead: Option<Vec<f64>>,
    row: Vec<f64>,
    shown_phase: f64,
    /// As many frames as what is given lasts.
    fixed_frames: Option<usize>,
}

impl NetworkSampler {
    pub(in crate::variation) fn new(
        (model, tables): (&Arc<PhaseModel>, &Arc<Tables>),
        settings: &SampleSettings,
        variant: u64,
    ) -> Result<Self, LearnError> {
        let phases = &model.phases;
        settings.check(phases.n_dofs())?;
        let fixed = fixed(model, settings)?;
        let fixed_frames = fixed_frames(model, settings);
        let rows = PhaseRows::new((model, tables), settings, fixed, variant, -BEFORE);
        let is_cyclic = phases.motion_type == MotionType::Cyclic;
        let period = is_cyclic.then(|| phases.period());
        let stream = Stream::named(settings.seed, &[DETAIL, variant]);
        let dofs = 0..phases.n_dofs();
        let detail = |dof: usize| {
            let is_given = settings.fixed.iter().any(|track| track.dof == dof);
            f64::from(u8::from(!is_given)) * detail_share(settings.amount_of(dof))
        };
        Ok(Self {
            model: Arc::clone(model),
            settings: settings.clone(),
            rows,
            buffer: VecDeque::new(),
            first: -BEFORE,
            base: 0,
            n_made: 0,
            phase: None,
            steps: Steps::default(),
            detail: DetailSource::new(&model.detail, period, phases.frame_secs, stream),
            details: dofs.map(detail).collect(),
            ahead: None,
            row: Vec::new(),
            shown_phase: 0.0,
            fixed_frames,
        })
    }

    /// The next frame, in the units of the model's takes.
    pub(in crate::variation) fn next_row(&mut self) -> &[f64] {
        if self.n_made == 0 {
            let mut first = self.make_frame(0);
            self.shown_phase = self.phase.unwrap_or(0.0);
            let second = self.make_frame(1);
            let phases = &self.model.phases;
            for dof in (0..phases.n_dofs()).filter(|&dof| phases.is_rate(dof)) {
                first[dof] = second[dof];
            }
            self.row = first;
            self.ahead = Some(second);
        } else {
            self.row = match self.ahead.take() {
                Some(row) => row,
                None => self.make_frame(self.n_made),
            };
            self.shown_phase = self.phase.unwrap_or(0.0);
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

    fn make_frame(&mut self, frame: usize) -> Vec<f64> {
        let frame = frame as f64;
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
        let phases = &self.model.phases;
        let before = self.phase.replace(phase).unwrap_or(phase);
        let went = (phase - before) / (phases.n - 1) as f64;
        phases.unplace(&mut values, &mut self.steps, went);
        values.truncate(phases.n_dofs());
        self.detail.next(phase);
        self.detail.add(&mut values, &self.details);
        values
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
