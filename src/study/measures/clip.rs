//! What is measured of one clip against the inputs, beside what [`crate::motion::metrics`] does.

use super::super::windows::{Match, Track, Windows};
use super::gait::{self, Lag};
use super::npss::{MOST_FRAMES, Spectra, npss};
use super::single::Reference;
use super::{Measure, MeasureError, Reading};
use crate::motion::metrics::{self, ClipReport, Worst, common_fps, in_space};
use crate::motion::{ChartSettings, Clip, DofChart, HeadingFrame, edit};
use crate::variation::ClipModel;

/// Clips of fewer windows than this cannot be looked at for repeating themselves.
const WITHIN_WINDOWS: usize = 2;

/// The inputs, ready to measure against.
pub(super) struct Against<'a> {
    fps: f64,
    heading: HeadingFrame,
    windows: Windows,
    single: Option<Reference>,
    chart: DofChart,
    /// Joint angles of each input.
    curves: Vec<Vec<Vec<f64>>>,
    model: Option<&'a ClipModel>,
}

impl<'a> Against<'a> {
    /// Inputs on one skeleton; windows of `size` rows.
    pub(super) fn new(
        inputs: &[&Clip],
        fps: f64,
        size: usize,
        model: Option<&'a ClipModel>,
    ) -> Result<Self, MeasureError> {
        let chart = DofChart::learn(inputs, &ChartSettings::default())?;
        let mut made = Self {
            fps,
            heading: HeadingFrame::learn(inputs),
            windows: Windows::of(inputs, size)?,
            single: Reference::new(inputs),
            chart,
            curves: Vec::new(),
            model,
        };
        for input in inputs {
            let curves = made.curves_of(input)?;
            made.curves.push(curves);
        }
        Ok(made)
    }

    /// All readings of a clip whose numbers by [`crate::motion::metrics`] are known.
    pub(super) fn readings(
        &self,
        clip: &Clip,
        known: &ClipReport,
        lags: &[Lag],
    ) -> Result<Vec<Option<Reading>>, MeasureError> {
        let mut all: Vec<Option<Reading>> = vec![None; Measure::ALL.len()];
        let mut set = |measure: Measure, reading: Option<Reading>| all[measure.index()] = reading;
        let at = |value: f64, worst: &Worst| Reading {
            value,
            frame: Some(worst.frame),
            joint: Some(worst.joint),
        };
        set(Measure::NearestPose, Some(at(known.nn, &known.nn_worst)));
        set(Measure::Jerk, Some(at(known.jerk_ratio, &known.jerk_worst)));
        let slide = known.foot_slide.zip(known.foot_slide_worst.as_ref());
        set(
            Measure::FootSlide,
            slide.map(|(value, worst)| at(value, worst)),
        );
        let depth = known.penetration.zip(known.penetration_worst.as_ref());
        set(
            Measure::Penetration,
            depth.map(|(value, worst)| at(value, worst)),
        );
        let gap = known
            .loop_gap
            .map(|value| frame(value, clip.n_frames() - 1));
        set(Measure::LoopGap, gap);
        let jerk = metrics::jerk(clip, self.fps)?;
        set(Measure::SpaceJerk, Some(at(jerk.value, &jerk.worst)));
        let space = in_space(clip, &self.heading, self.fps)?;
        let has_ends = !space.peaks.is_empty();
        set(
            Measure::PeakSpeed,
            has_ends.then(|| at(space.fastest.value, &space.fastest)),
        );
        let track = self.windows.track(clip)?;
        set(Measure::Novelty, self.novelty(&track));
        set(Measure::Within, self.within(clip, &track)?);
        set(Measure::Npss, self.npss(clip)?);
        set(Measure::GaitPhase, gait_phase(lags));
        set(Measure::Likelihood, self.likelihood(clip));
        if let Some(single) = &self.single {
            let found = single.measure(clip);
            let reading = |value: f64| Reading {
                value,
                frame: found.furthest_frame,
                joint: None,
            };
            set(Measure::LocalDiversity, found.local_diversity.map(reading));
            set(
                Measure::GlobalDiversity,
                found.global_diversity.map(reading),
            );
            set(Measure::WindowCoverage, found.coverage.map(whole));
        }
        Ok(all)
    }

    /// Mean distance of the clip's windows from the nearest of the inputs; the frame is where it is least.
    fn novelty(&self, track: &Track) -> Option<Reading> {
        mean_of(track, self.windows.size, |row| {
            self.windows.nearest(&track.rows, row, |_, _| true)
        })
    }

    /// The same within a clip that is long enough.
    fn within(&self, clip: &Clip, track: &Track) -> Result<Option<Reading>, MeasureError> {
        let size = self.windows.size;
        if track.rows.len() < (WITHIN_WINDOWS + 1) * size {
            return Ok(None);
        }
        let own = Windows::of(&[clip], size)?;
        let track = &own.tracks[0];
        Ok(mean_of(track, size, |row| {
            own.nearest(&track.rows, row, |_, start| start.abs_diff(row) >= size)
        }))
    }

    /// Angles of the joints that move, curve by curve, thirty times a second or as often as the clip has them.
    fn curves_of(&self, clip: &Clip) -> Result<Vec<Vec<f64>>, MeasureError> {
        let fps = common_fps([clip], 30.0);
        let even = edit::resample(clip, fps)?;
        let curves = self.chart.curves(&even)?;
        let angles = (0..curves.n_dofs()).filter(|&dof| !self.chart.dofs()[dof].kind.is_rate());
        Ok(angles.map(|dof| curves.column(dof).collect()).collect())
    }

    fn npss(&self, clip: &Clip) -> Result<Option<Reading>, MeasureError> {
        let own = self.curves_of(clip)?;
        let length = |curves: &[Vec<f64>]| curves.first().map_or(0, Vec::len);
        let each = self.curves.iter().filter_map(|input| {
            let n = length(&own).min(length(input)).min(MOST_FRAMES);
            npss(&Spectra::of(input, n), &Spectra::of(&own, n))
        });
        let each: Vec<f64> = each.collect();
        let mean = each.iter().sum::<f64>() / each.len() as f64;
        Ok((!each.is_empty()).then(|| whole(mean)))
    }

    /// What the model cannot judge, such as streams of many cycles, has no likelihood.
    fn likelihood(&self, clip: &Clip) -> Option<Reading> {
        let model = self.model?;
        let take = model.take(clip).ok()?;
        let likelihood = model.model().likelihood_of(&take.values, None).ok()?;
        let by_frame = likelihood.by_frame();
        let least = by_frame
            .iter()
            .enumerate()
            .min_by(|a, b| a.1.total_cmp(b.1));
        let at = least.map(|(row, _)| (row as f64 * clip.fps() / model.fps()).round() as usize);
        Some(Reading {
            value: likelihood.mean(),
            frame: at.map(|frame| frame.min(clip.n_frames() - 1)),
            joint: None,
        })
    }
}

/// About the whole clip.
fn whole(value: f64) -> Reading {
    Reading {
        value,
        frame: None,
        joint: None,
    }
}

fn frame(value: f64, frame: usize) -> Reading {
    Reading {
        value,
        frame: Some(frame),
        joint: None,
    }
}

/// Mean distance over every other window of a track, with the frame of the smallest.
fn mean_of(
    track: &Track,
    size: usize,
    nearest: impl Fn(usize) -> Option<Match>,
) -> Option<Reading> {
    let starts = (0..(track.rows.len() + 1).saturating_sub(size)).step_by(2);
    let found: Vec<(usize, f64)> = starts
        .filter_map(|row| Some((row, nearest(row)?.distance)))
        .collect();
    let (row, _) = found.iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
    let mean = found.iter().map(|(_, d)| d).sum::<f64>() / found.len() as f64;
    Some(frame(mean, track.frame(*row)))
}

fn gait_phase(lags: &[Lag]) -> Option<Reading> {
    let (mean, _) = gait::circular_mean(lags.iter().map(|lag| lag.share))?;
    // The step that is furthest from the others.
    let off = |lag: &Lag| ((lag.share - mean + 0.5).rem_euclid(1.0) - 0.5).abs();
    let odd = lags.iter().max_by(|a, b| off(a).total_cmp(&off(b)))?;
    // Which foot is first does not matter.
    Some(frame(mean.min(1.0 - mean), odd.frame))
}
