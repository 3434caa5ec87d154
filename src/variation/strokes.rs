//! Pen strokes: the same models with two degrees of freedom, and circles of known truth (Figs. 1 and 7).

use std::sync::Arc;

use super::clips::{Length, MOST_FRAMES};
use super::error::LearnError;

use super::model::Model;
use super::settings::{LearnSettings, SampleSettings};
use super::takes::{Examples, MotionType, Take};
use crate::jobs::Ticket;
use crate::motion::Stroke;
use crate::numerics::random::Stream;

/// Points per second that strokes are learned at, if their own are not fewer.
pub const STROKE_FPS: f64 = 60.0;
/// Below this size, in the units that were drawn in, a stroke is a dot.
const SMALLEST: f64 = 1e-12;

/// A model of strokes.
#[derive(Debug, Clone, PartialEq)]
pub struct StrokeModel {
    /// Mean place over all strokes.
    pub mean: [f64; 2],
    /// Standard deviations of x and y.
    pub scale: [f64; 2],
    model: Arc<Model>,
}

impl StrokeModel {
    /// Learns from two or more strokes, resampled to `fps` points a second. Strokes have an end unless the settings say
    /// otherwise.
    pub fn learn(
        strokes: &[&Stroke],
        fps: f64,
        settings: &LearnSettings,
        ticket: &Ticket,
    ) -> Result<Self, LearnError> {
        if strokes.is_empty() {
            return Err(LearnError::NoTakes);
        }
        let even = strokes
            .iter()
            .map(|stroke| stroke.resampled(fps))
            .collect::<Result<Vec<Stroke>, _>>()?;
        let (mean, scale) = mean_and_scale(&even)?;
        let takes: Vec<Take> = even
            .iter()
            .map(|stroke| take(stroke, mean, scale))
            .collect();
        let motion_type = settings.motion_type.or(Some(MotionType::OneShot));
        let examples = Examples::new(2, 1.0 / fps, &takes, motion_type)?;
        let model = Model::learn(examples, settings, ticket)?;
        Self::from_parts(mean, scale, model)
    }

    /// A model as it was, after checking that its parts fit together.
    pub fn from_parts(mean: [f64; 2], scale: [f64; 2], model: Model) -> Result<Self, LearnError> {
        let fits = model.examples().n_dofs() == 2
            && mean.iter().all(|x| x.is_finite())
            && scale.iter().all(|x| *x > 0.0 && x.is_finite());
        if fits {
            Ok(Self {
                mean,
                scale,
                model: Arc::new(model),
            })
        } else {
            Err(LearnError::Structure(
                "a model of strokes has two degrees of freedom of some size".to_owned(),
            ))
        }
    }

    /// What is sampled: x and y.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Makes one variant of the strokes.
    pub fn vary(
        &self,
        settings: &SampleSettings,
        variant: u64,
        length: Length,
    ) -> Result<Stroke, LearnError> {
        let mut sampler = self.model.sampler(settings, variant)?;
        let frame_secs = self.model.examples().frame_secs();
        let most = match length {
            Length::Once => MOST_FRAMES,
            Length::Frames(_) if self.model.examples().motion_type() == MotionType::OneShot => {
                return Err(LearnError::HasAnEnd);
            }
            Length::Frames(n) => n.clamp(2, MOST_FRAMES),
        };
        let mut points = Vec::new();
        loop {
            let secs = points.len() as f64 * frame_secs;
            let row = sampler.next_row();
            let [x, y] = [0, 1].map(|i| row[i].mul_add(self.scale[i], self.mean[i]));
            points.push([secs, x, y]);
            let is_over = length == Length::Once && sampler.is_over();
            if is_over || points.len() >= most {
                let name = format!("variant {variant}");
                return Ok(Stroke::new(name, points)?);
            }
        }
    }
}

fn take(stroke: &Stroke, mean: [f64; 2], scale: [f64; 2]) -> Take {
    let rows = stroke.points().iter();
    Take {
        name: stroke.name().to_owned(),
        values: rows
            .flat_map(|&[_, x, y]| [(x - mean[0]) / scale[0], (y - mean[1]) / scale[1]])
            .collect(),
    }
}

fn mean_and_scale(strokes: &[Stroke]) -> Result<([f64; 2], [f64; 2]), LearnError> {
    let n = strokes.iter().map(Stroke::n_points).sum::<usize>() as f64;
    let all = |axis: usize| {
        strokes
            .iter()
            .flat_map(move |s| s.points().iter().map(move |p| p[axis]))
    };
    let mean = [1, 2].map(|axis| all(axis).map(|x| x / n).sum::<f64>());
    let deviation = |at: usize| {
        let squares = all(at + 1).map(|x| (x - mean[at]).powi(2) / n);
        squares.sum::<f64>().sqrt()
    };
    let scale = [0, 1].map(deviation);
    let largest = scale[0].max(scale[1]);
    if !(largest > SMALLEST && largest.is_finite()) {
        return Err(LearnError::NothingMoves);
    }
    // A straight line still has a little width.
    Ok((mean, scale.map(|s| s.max(1e-3 * largest))))
}

/// How the circles of the ground truth are drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Circles {
    /// The mean radius of the circles.
    pub radius: f64,
    /// Standard deviation of the radius from stroke to stroke.
    pub radius_deviation: f64,
    /// Standard deviation of the centre, in both directions.
    pub centre_deviation: f64,
    /// Standard deviation of the ratio of width to height.
    pub aspect_deviation: f64,
    /// Mean time of a stroke, and its standard deviation.
    pub secs: (f64, f64),
    /// How many points are drawn in a second.
    pub fps: f64,
}

impl Default for Circles {
    fn default() -> Self {
        Self {
            radius: 5.0,
            radius_deviation: 0.5,
            centre_deviation: 0.3,
            aspect_deviation: 0.05,
            secs: (1.2, 0.08),
            fps: STROKE_FPS,
        }
    }
}

impl Circles {
    /// One stroke: once round from the top, each of its numbers drawn from a normal distribution.
    pub fn draw(&self, seed: u64, index: u64) -> Result<Stroke, LearnError> {
        let mut stream = Stream::named(seed, &[0xC19C1E, index]);
        let mut around = |mean: f64, deviation: f64| mean + deviation * stream.normal_within(3.0);
        let radius = around(self.radius, self.radius_deviation);
        let centre = [
            around(0.0, self.centre_deviation),
            around(0.0, self.centre_deviation),
        ];
        let aspect = around(1.0, self.aspect_deviation);
        let secs = around(self.secs.0, self.secs.1).max(4.0 / self.fps);
        // The hand is quicker in one half than in the other.
        let uneven = around(0.0, 0.1);
        let n = (secs * self.fps).round() as usize;
        let points = (0..=n).map(|i| {
            let share = i as f64 / n as f64;
            let turn = std::f64::consts::TAU * share;
            let angle = turn + uneven * turn.sin();
            let (sin, cos) = angle.sin_cos();
            [
                i as f64 / self.fps,
                centre[0] + radius * aspect * sin,
                centre[1] + radius * cos,
            ]
        });
        Ok(Stroke::new(format!("circle {index}"), points.collect())?)
    }
}
