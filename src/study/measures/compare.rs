//! Sets beside each other.

use rayon::prelude::*;

use super::super::clones::{self, CloneSettings};
use super::super::windows::window_for;
use super::clip::Against;
use super::gait::{Lag, lags, spread};
use super::{
    ClipReadings, ClipSet, Comparison, Measure, MeasureError, Range, Reading, Role, Scope,
    SetReadings,
};
use crate::jobs::Ticket;
use crate::motion::metrics::{MOST_FPS, MeasureSettings, Report, common_fps, measure};
use crate::motion::{Clip, body};
use crate::variation::ClipModel;

/// Inputs are compared with each other by leaving some out in turn, in at most so many turns.
const FOLDS: usize = 12;
/// What real clips have as a set is asked of at most so many sets of them,
const SUBSETS: usize = 8;
/// each of at least so many.
const FEWEST: usize = 3;

/// What all sets are measured with.
struct Frame<'a> {
    inputs: &'a [&'a Clip],
    real: &'a [&'a Clip],
    fps: f64,
    window: usize,
    model: Option<&'a ClipModel>,
    settings: MeasureSettings,
}

/// Compares sets with the inputs they came from. `real` are clips of the same kind that were held back, if there are any; with a model
/// the likelihood of every clip is measured, too.
pub fn compare(
    inputs: &[&Clip],
    real: &[&Clip],
    sets: &[ClipSet<'_>],
    model: Option<&ClipModel>,
    ticket: &Ticket,
) -> Result<Comparison, MeasureError> {
    if inputs.is_empty() {
        return Err(MeasureError::Empty("inputs".to_owned()));
    }
    if let Some(empty) = sets.iter().find(|set| set.clips.is_empty()) {
        return Err(MeasureError::Empty(empty.name.clone()));
    }
    let asked = sets.iter().flat_map(|set| &set.clips);
    let all: Vec<&Clip> = inputs.iter().chain(real).chain(asked).copied().collect();
    let frame = Frame {
        inputs,
        real,
        fps: common_fps(all.iter().copied(), MOST_FPS),
        window: window_for(&all),
        model,
        settings: MeasureSettings::default(),
    };
    let mut made = Vec::new();
    let steps = sets.len() as f64 + 2.0;
    if inputs.len() > 1 {
        made.push(frame.inputs_row()?);
    }
    ticket.step(1.0 / steps)?;
    let against = Against::new(inputs, frame.fps, frame.window, model)?;
    if !real.is_empty() {
        made.push(frame.row(&against, Role::Real, "real, unseen", real, ticket)?);
    }
    for (at, set) in sets.iter().enumerate() {
        ticket.step((2.0 + at as f64) / steps)?;
        made.push(frame.row(&against, Role::Asked, &set.name, &set.clips, ticket)?);
    }
    let ranges = frame.ranges(&made)?;
    ticket.step(1.0)?;
    Ok(Comparison {
        sets: made,
        ranges,
        height: body::height(inputs[0]),
    })
}

impl Frame<'_> {
    /// A set against the inputs.
    fn row(
        &self,
        against: &Against<'_>,
        role: Role,
        name: &str,
        clips: &[&Clip],
        ticket: &Ticket,
    ) -> Result<SetReadings, MeasureError> {
        // Real clips are not compared with themselves.
        let real = if role == Role::Real { &[] } else { self.real };
        let report = measure(self.inputs, clips, real, &self.settings)?;
        let steps: Vec<Vec<Lag>> = clips.par_iter().map(|clip| lags(clip)).collect();
        let each = clips.par_iter().zip(&report.variants).zip(&steps);
        let readings = each
            .map(|((clip, known), lags)| {
                ticket.check()?;
                against.readings(clip, known, lags)
            })
            .collect::<Result<Vec<_>, MeasureError>>()?;
        let mut set = set_of(name, role, clips, readings);
        let mut put = |measure: Measure, value| set.values[measure.index()] = value;
        for (measure, value) in of_set(&report) {
            put(measure, value);
        }
        put(Measure::GaitSpread, gait_spread(&steps));
        let clones = clones::find(clips, CloneSettings::default(), ticket)?;
        put(Measure::Clones, clones.median.map(|_| clones.share));
        Ok(set)
    }

    /// Each input against the others, in turns; and the inputs as a set.
    fn inputs_row(&self) -> Result<SetReadings, MeasureError> {
        let n = self.inputs.len();
        let folds = n.min(FOLDS);
        let mut readings: Vec<Vec<Option<Reading>>> = vec![Vec::new(); n];
        let mut steps: Vec<Vec<Lag>> = vec![Vec::new(); n];
        for fold in 0..folds {
            let is_out = |at: &usize| at % folds == fold;
            let out: Vec<usize> = (0..n).filter(is_out).collect();
            let others = (0..n).filter(|at| !is_out(at)).map(|at| self.inputs[at]);
            let others: Vec<&Clip> = others.collect();
            let own: Vec<&Clip> = out.iter().map(|&at| self.inputs[at]).collect();
            let against = Against::new(&others, self.fps, self.window, self.model)?;
            let report = measure(&others, &own, &[], &self.settings)?;
            for (&at, known) in out.iter().zip(&report.variants) {
                steps[at] = lags(self.inputs[at]);
                readings[at] = against.readings(self.inputs[at], known, &steps[at])?;
            }
        }
        let mut set = set_of("inputs", Role::Inputs, self.inputs, readings);
        let report = measure(self.inputs, self.inputs, &[], &self.settings)?;
        set.values[Measure::Diversity.index()] = report.diversity;
        set.values[Measure::GaitSpread.index()] = gait_spread(&steps);
        let clones = clones::find(self.inputs, CloneSettings::default(), &Ticket::default())?;
        set.values[Measure::Clones.index()] = clones.median.map(|_| clones.share);
        Ok(set)
    }

    /// What real clips have: those held back and the inputs, each against the (other) inputs.
    fn ranges(&self, sets: &[SetReadings]) -> Result<Vec<Option<Range>>, MeasureError> {
        let real: Vec<&SetReadings> = sets.iter().filter(|set| set.role != Role::Asked).collect();
        let mut as_sets = self.subsets(self.real, false)?;
        as_sets.extend(self.subsets(self.inputs, true)?);
        let range = |measure: Measure| match measure.scope() {
            Scope::Clip => {
                let clips = real.iter().flat_map(|set| &set.clips);
                let all = clips.filter_map(|clip| clip.get(measure));
                Range::of(all.map(|reading| reading.value))
            }
            Scope::Set => {
                let own = as_sets.iter().filter_map(|values| values[measure.index()]);
                Range::of(own.chain(real.iter().filter_map(|set| set.get(measure))))
            }
        };
        Ok(Measure::ALL.into_iter().map(range).collect())
    }

    /// What sets of real clips have, each of about as many as there are inputs: clips that follow each other in the list.
    fn subsets(
        &self,
        clips: &[&Clip],
        is_inputs: bool,
    ) -> Result<Vec<Vec<Option<f64>>>, MeasureError> {
        let n = clips.len();
        if n <= FEWEST {
            return Ok(Vec::new());
        }
        let size = self.inputs.len().clamp(FEWEST, n - 1);
        let steps: Vec<Vec<Lag>> = clips.par_iter().map(|clip| lags(clip)).collect();
        (0..n)
            .step_by(n.div_ceil(SUBSETS))
            .map(|first| {
                let chosen: Vec<usize> = (first..first + size).map(|at| at % n).collect();
                let own: Vec<&Clip> = chosen.iter().map(|&at| clips[at]).collect();
                let report = measure(self.inputs, &own, &[], &self.settings)?;
                let mut values = vec![None; Measure::ALL.len()];
                for (measure, value) in of_set(&report) {
                    // Only how inputs differ from each other says something: they cover and correlate with themselves.
                    if !is_inputs || measure == Measure::Diversity {
                        values[measure.index()] = value;
                    }
                }
                let steps: Vec<Vec<Lag>> = chosen.iter().map(|&at| steps[at].clone()).collect();
                values[Measure::GaitSpread.index()] = gait_spread(&steps);
                Ok(values)
            })
            .collect()
    }
}

/// What a report says of the set as a whole.
fn of_set(report: &Report) -> [(Measure, Option<f64>); 4] {
    [
        (Measure::Diversity, report.diversity),
        (Measure::PoseCoverage, report.coverage),
        (Measure::CorrelationInside, report.correlation_inside),
        (Measure::CorrelationBetween, report.correlation_between),
    ]
}

fn gait_spread(steps: &[Vec<Lag>]) -> Option<f64> {
    let all: Vec<f64> = steps.iter().flatten().map(|lag| lag.share).collect();
    spread(&all)
}

/// A set with the means of its clips' readings.
fn set_of(
    name: &str,
    role: Role,
    clips: &[&Clip],
    readings: Vec<Vec<Option<Reading>>>,
) -> SetReadings {
    let named = clips.iter().zip(readings);
    let clips: Vec<ClipReadings> = named
        .map(|(clip, readings)| ClipReadings {
            name: clip.info.name.clone(),
            readings,
        })
        .collect();
    let mean = |measure: Measure| {
        let all = clips.iter().filter_map(|clip| clip.get(measure));
        let all: Vec<f64> = all.map(|reading| reading.value).collect();
        (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
    };
    SetReadings {
        name: name.to_owned(),
        role,
        values: Measure::ALL.into_iter().map(mean).collect(),
        clips,
    }
}
