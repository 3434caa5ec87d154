//! Models of clips: from bodies to numbers and back.
//!
//! Takes are brought to one frame rate (at most 60 a second, as in the paper), turned into standardised curves by a
//! [`DofChart`] and handed to the [`Model`].

use std::sync::Arc;

use super::contact::by_hand::{self, HeldSpan};
use super::contact::foot_lock::{self, Footing, Held};
use super::contact::sway::Sway;
use super::drawn::Drawn;
use super::error::LearnError;
use super::loops::Closing;
use super::model::{Model, Sampler};
use super::settings::{LearnSettings, SampleSettings};
use super::takes::{Anatomy, Examples, MotionType, Take};
use crate::jobs::Ticket;
use crate::motion::body::uncaptured_fingers;
use crate::motion::chart::{RootState, Start};
use crate::motion::metrics::{MOST_FPS, common_fps};
use crate::motion::{
    Body, ChartSettings, Clip, ClipInfo, Curves, DofChart, Pose, Vec3, WorldPose, edit,
};

/// More frames than these, four and a half hours at 60 a second, are not made in one clip: each takes some kilobytes on the way.
pub const MOST_FRAMES: usize = 1_000_000;

/// Hands and feet of variants are at most so many times as fast as the fastest of all takes, if one of these attempts is.
const MOST_SPEED: f64 = 1.05;
const MOST_ATTEMPTS: u64 = 8;

/// A model of clips on one skeleton.
#[derive(Debug, Clone, PartialEq)]
pub struct ClipModel {
    chart: DofChart,
    model: Arc<Model>,
    footing: Footing,
    /// The fastest that a hand or foot gets in any take, units a second.
    peak_speed: f64,
    /// How the takes close, if they are loops.
    closing: Option<Closing>,
    /// How feet move while they stand; it follows from the takes.
    sway: Sway,
}

/// How long a variant is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Length {
    /// One run through the motion, or one round.
    #[default]
    Once,
    /// So many frames; only motions without an end go on for so long.
    Frames(usize),
}

/// A variant with what is known about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Variant {
    /// The motion of the variant.
    pub clip: Clip,
    /// Mean log-likelihood of a value under the model; not for streams, which leave any first two frames behind.
    pub log_likelihood: Option<f64>,
    /// What became of the holds of feet and hands, if there were any.
    pub held: Option<Held>,
}

impl ClipModel {
    /// Learns from two or more clips on one skeleton.
    pub fn learn(
        clips: &[&Clip],
        settings: &LearnSettings,
        ticket: &Ticket,
    ) -> Result<Self, LearnError> {
        if clips.is_empty() {
            return Err(LearnError::NoTakes);
        }
        let even = at_one_rate(clips, common_fps(clips.iter().copied(), MOST_FPS))?;
        let even: Vec<&Clip> = even.iter().collect();
        let settings_of_chart = ChartSettings {
            limb_lines: true,
            ..ChartSettings::default()
        };
        let chart = DofChart::learn(&even, &settings_of_chart)?
            .without_joints(&uncaptured_fingers(even[0]));
        let takes = takes(&chart, &even)?;
        let frame_secs = even[0].frame_secs();
        let examples = Examples::new(chart.n_dofs(), frame_secs, &takes, settings.motion_type)?
            .on_body(Anatomy::of(&chart))?;
        let footing = Footing::learn(&even);
        let model = Model::learn(examples, settings, ticket)?;
        Self::from_parts(chart, model, footing)
    }

    /// A model as it was, after checking that its parts fit together.
    pub fn from_parts(chart: DofChart, model: Model, footing: Footing) -> Result<Self, LearnError> {
        if chart.n_dofs() != model.examples().n_dofs() {
            return Err(LearnError::Width {
                take: "chart".to_owned(),
                expected: model.examples().n_dofs(),
                found: chart.n_dofs(),
            });
        }
        footing.check(model.examples(), chart.skeleton())?;
        let mut made = Self {
            chart,
            model: Arc::new(model),
            footing,
            peak_speed: 0.0,
            closing: None,
            sway: Sway::default(),
        };
        made.sway = Sway::learn(&made, &made.footing)?;
        let examples = made.model.examples();
        let takes = (0..examples.n_takes())
            .map(|take| made.clip_of(examples.take(take), ClipInfo::named(examples.name(take))))
            .collect::<Result<Vec<Clip>, LearnError>>()?;
        made.closing = match examples.motion_type() {
            MotionType::Cyclic => Closing::of(&takes),
            MotionType::OneShot | MotionType::Unaligned => None,
        };
        made.peak_speed = takes.iter().map(peak_speed).fold(0.0, f64::max);
        Ok(made)
    }

    /// The coordinates in which the clips are learned.
    pub fn chart(&self) -> &DofChart {
        &self.chart
    }

    /// The model that is sampled.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// When feet and hands stand in the takes.
    pub fn footing(&self) -> &Footing {
        &self.footing
    }

    pub(super) fn sway(&self) -> &Sway {
        &self.sway
    }

    /// Frames per second of what it makes.
    pub fn fps(&self) -> f64 {
        1.0 / self.model.examples().frame_secs()
    }

    /// The same model of other clips: one is enough, since structure and spread are known (section 8). Variants have the
    /// bones of the first of these clips, who may be another person.
    pub fn for_clips(&self, clips: &[&Clip]) -> Result<Self, LearnError> {
        let even = at_one_rate(clips, self.fps())?;
        let even: Vec<&Clip> = even.iter().collect();
        let chart = match even.first() {
            Some(first) => self.chart.on_body_of(first)?,
            None => return Err(LearnError::NoTakes),
        };
        let takes = takes(&chart, &even)?;
        let examples = self.model.examples();
        let examples = Examples::new(
            chart.n_dofs(),
            examples.frame_secs(),
            &takes,
            Some(examples.motion_type()),
        )?
        .on_body(Anatomy::of(&chart))?;
        let footing = Footing::learn(&even);
        Self::from_parts(chart, self.model.for_takes(examples)?, footing)
    }

    /// The same model with other edges.
    pub fn with_structure(&self, structure: &super::Structure) -> Result<Self, LearnError> {
        let model = self.model.with_structure(structure)?;
        Self::from_parts(self.chart.clone(), model, self.footing.clone())
    }

    /// A clip in the units of the model, at its frame rate.
    pub fn take(&self, clip: &Clip) -> Result<Take, LearnError> {
        let even = at_one_rate(&[clip], self.fps())?;
        Ok(takes(&self.chart, &[&even[0]])?.remove(0))
    }

    /// One variant. The same settings and number give the same motion, on any machine and number of threads.
    pub fn vary(
        &self,
        settings: &SampleSettings,
        variant: u64,
        length: Length,
        hold: foot_lock::Hold,
    ) -> Result<Variant, LearnError> {
        self.vary_and(settings, variant, length, |drawn, info| {
            match self.closing_of(settings, length) {
                Some(closing) => self.hold_round(drawn, closing, info, hold),
                None => foot_lock::hold(self, drawn, info, hold),
            }
        })
    }

    /// The same variant, its feet and hands held during these spans and no others.
    pub fn vary_by_hand(
        &self,
        settings: &SampleSettings,
        variant: u64,
        length: Length,
        spans: &[HeldSpan],
    ) -> Result<Variant, LearnError> {
        self.vary_and(settings, variant, length, |drawn, info| {
            by_hand::hold(self, drawn, info, spans)
        })
    }

    fn vary_and(
        &self,
        settings: &SampleSettings,
        variant: u64,
        length: Length,
        hold: impl FnOnce(&Drawn, ClipInfo) -> Result<(Clip, Option<Held>), LearnError>,
    ) -> Result<Variant, LearnError> {
        let drawn = self.draw(settings, variant, length)?;
        let name = format!("variant {variant}");
        let mut info = ClipInfo::named(name);
        info.history.push(format!(
            "made from {} takes with seed {} and amount {}",
            self.model.examples().n_takes(),
            settings.seed,
            settings.amount
        ));
        let log_likelihood = match length {
            Length::Once => Some(
                self.model
                    .likelihood_of(&drawn.rows, Some(&drawn.progress))?
                    .mean(),
            ),
            Length::Frames(_) => None,
        };
        let (clip, held) = hold(&drawn, info)?;
        Ok(Variant {
            clip,
            log_likelihood,
            held,
        })
    }

    /// The motion that all takes have in common (sigma = 0).
    pub fn mean_motion(&self) -> Result<Clip, LearnError> {
        let settings = SampleSettings {
            amount: 0.0,
            ..SampleSettings::default()
        };
        let drawn = self.draw(&settings, 0, Length::Once)?;
        self.clip_of(&drawn.rows, ClipInfo::named("mean motion"))
    }

    /// A stream of poses that goes on for as long as it is asked.
    pub fn stream(&self, settings: &SampleSettings, variant: u64) -> Result<Stream, LearnError> {
        Ok(Stream {
            sampler: self.model.sampler(settings, variant)?,
            root: RootState::begin(&Start::origin(), self.model.examples().frame_secs()),
            chart: self.chart.clone(),
            row: Vec::new(),
        })
    }

    /// Draws a variant. One whose hands or feet outrun those of all takes is drawn again: four takes tell little about the
    /// tails of a distribution, and speed is what eyes notice first.
    pub(super) fn draw(
        &self,
        settings: &SampleSettings,
        variant: u64,
        length: Length,
    ) -> Result<Drawn, LearnError> {
        let mut slowest: Option<(f64, Drawn)> = None;
        let is_bounded = length == Length::Once && settings.amount <= 1.0;
        for attempt in 0..if is_bounded { MOST_ATTEMPTS } else { 1 } {
            let drawn = self.draw_once(settings, variant + (attempt << 48), length)?;
            if !is_bounded {
                return Ok(drawn);
            }
            let speed = peak_speed(&self.clip_of(&drawn.rows, ClipInfo::named("speed"))?);
            if speed <= MOST_SPEED * self.peak_speed {
                return Ok(drawn);
            }
            if slowest.as_ref().is_none_or(|(least, _)| speed < *least) {
                slowest = Some((speed, drawn));
            }
        }
        Ok(slowest.map(|(_, drawn)| drawn).unwrap_or_default())
    }

    fn draw_once(
        &self,
        settings: &SampleSettings,
        variant: u64,
        length: Length,
    ) -> Result<Drawn, LearnError> {
        let mut sampler = self.model.sampler(settings, variant)?;
        let most = self.check_length(length)?;
        let mut drawn = Drawn::default();
        loop {
            drawn.rows.extend_from_slice(sampler.next_row());
            drawn.progress.push(sampler.progress());
            let is_over = length == Length::Once && sampler.is_over();
            if is_over || drawn.progress.len() >= most {
                break;
            }
        }
        match self.closing_of(settings, length) {
            Some(closing) => self.closed(drawn, closing),
            None => Ok(drawn),
        }
    }

    /// The same round, its end leading into its beginning.
    fn closed(&self, drawn: Drawn, closing: Closing) -> Result<Drawn, LearnError> {
        let clip = self.clip_of(&drawn.rows, ClipInfo::named("round"))?;
        let rounds = closing.rounds(&clip)?;
        let rows = takes(&self.chart, &[&rounds])?.remove(0).values;
        // Steps from the round before and to the one after are those of a round in the middle.
        let middle = closing.middle(clip.n_frames());
        let n_dofs = self.chart.n_dofs();
        Ok(Drawn {
            rows: rows[middle.start * n_dofs..middle.end * n_dofs].to_vec(),
            progress: drawn.progress,
        })
    }

    /// Holds feet and hands of a closed round as in the middle of others.
    fn hold_round(
        &self,
        drawn: &Drawn,
        closing: Closing,
        info: ClipInfo,
        hold: foot_lock::Hold,
    ) -> Result<(Clip, Option<Held>), LearnError> {
        let rounds = closing.thrice(drawn);
        let (clip, held) = foot_lock::hold(self, &rounds, info.clone(), hold)?;
        let mut clip = edit::trim(&clip, closing.middle(drawn.progress.len()))?;
        clip.info = info;
        let held = held.map(|held| Held {
            n_holds: held.n_holds.div_ceil(3),
            n_misses: held.n_misses.div_ceil(3),
        });
        Ok((clip, held))
    }

    /// How a variant is closed, if it is. What is given stays as it is, whether it closes or not.
    fn closing_of(&self, settings: &SampleSettings, length: Length) -> Option<Closing> {
        let is_free = length == Length::Once && settings.fixed.is_empty();
        self.closing.filter(|_| is_free)
    }

    /// How many frames are meant, if that many can be.
    pub(super) fn check_length(&self, length: Length) -> Result<usize, LearnError> {
        let Length::Frames(n) = length else {
            return Ok(MOST_FRAMES);
        };
        let has_end = self.model.examples().motion_type() == MotionType::OneShot;
        if has_end {
            return Err(LearnError::HasAnEnd);
        }
        if !(1..=MOST_FRAMES).contains(&n) {
            return Err(LearnError::Setting {
                field: "frames",
                expected: "1 to a million",
                found: n as f64,
            });
        }
        Ok(n)
    }

    /// Rows in the model's units as a clip.
    pub(super) fn clip_of(&self, rows: &[f64], info: ClipInfo) -> Result<Clip, LearnError> {
        let n = self.chart.n_dofs();
        let mut values = rows.to_vec();
        self.chart.destandardise(&mut values);
        let size = (rows.len() / n, n);
        let frame_secs = self.model.examples().frame_secs();
        let curves = Curves::new(Start::origin(), frame_secs, size, values)?;
        Ok(self.chart.clip(&curves, info)?)
    }
}

/// Poses that are drawn one after the other, without end.
#[derive(Debug, Clone)]
pub struct Stream {
    sampler: Sampler,
    root: RootState,
    chart: DofChart,
    row: Vec<f64>,
}

impl Stream {
    /// Draws the next pose.
    pub fn next_pose(&mut self) -> Result<Pose, LearnError> {
        let row = self.sampler.next_row();
        self.row.clear();
        self.row.extend_from_slice(row);
        self.chart.destandardise(&mut self.row);
        Ok(self.chart.pose_at(&self.row, &mut self.root)?)
    }
}

/// The fastest that a wrist or ankle gets, units a second; over two frames, since a single one is as much noise as speed.
fn peak_speed(clip: &Clip) -> f64 {
    let body = Body::of(clip.skeleton());
    let ends: Vec<usize> = body.arms.iter().chain(&body.legs).map(|l| l.end).collect();
    let moved = clip.skeleton().with_ancestors(ends.iter().copied());
    let mut world = WorldPose::of(clip.skeleton(), clip.frame(0));
    let mut before: Vec<Vec<Vec3>> = Vec::new();
    let mut fastest: f64 = 0.0;
    for pose in clip.frames() {
        world.update_some(clip.skeleton(), pose, &moved);
        let places: Vec<Vec3> = ends.iter().map(|&end| world.positions[end]).collect();
        if let [.., two, _] = before.as_slice() {
            let steps = places.iter().zip(two).map(|(a, b)| (a - b).norm());
            fastest = steps.fold(fastest, f64::max);
        }
        before.push(places);
        if before.len() > 2 {
            before.remove(0);
        }
    }
    fastest / (2.0 * clip.frame_secs())
}

/// All clips at this rate.
fn at_one_rate(clips: &[&Clip], fps: f64) -> Result<Vec<Clip>, LearnError> {
    clips
        .iter()
        .map(|clip| Ok(edit::resample(clip, fps)?))
        .collect()
}

/// Clips as standardised curves.
pub(super) fn takes(chart: &DofChart, clips: &[&Clip]) -> Result<Vec<Take>, LearnError> {
    clips
        .iter()
        .map(|clip| {
            let mut curves = chart.curves(clip)?;
            chart.standardise(curves.values_mut());
            Ok(Take {
                name: clip.info.name.clone(),
                values: curves.values().to_vec(),
            })
        })
        .collect()
}
