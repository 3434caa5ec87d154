//! Do the systems tell what comes next? Predictions of clips that were held back, beside those of simpler means.
//!
//! Everybody knows the last two states of a clip as they were, without smoothing: that would look into the future.
//! What the states leave out goes on as it was in the last frame, for all alike. Errors are those of Eq. (7): degrees
//! of a joint.

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use super::corpus::{Corpus, LabelledClip};
use super::error::TextureError;
use super::graph::FrameId;
use super::model::Texture;
use super::prediction::Judge;
use super::system::Deviation;
use crate::jobs::Ticket;
use crate::motion::Curves;
use crate::numerics::linear_system::Ar2;
use crate::numerics::linear_system::ridge::SystemPrior;
use crate::numerics::linear_system::state_space::{EmSettings, StateSpace};
use crate::numerics::mixture::{Mixture, MixtureSettings};
use crate::numerics::random::Stream;

/// How many frames ahead predictions are judged.
pub const HORIZONS: [usize; 3] = [1, 5, 15];
/// Passing takes that are averaged.
const NEIGHBOURS: usize = 8;
/// The ridge of the paper's systems towards that of the corpus, as in the pilot.
const RIDGE: f64 = 30.0;

/// One way to predict.
#[derive(Debug, Clone, PartialEq)]
pub struct Predicted {
    /// Which predictor it is.
    pub name: String,
    /// Mean error at each of [`HORIZONS`]; degrees.
    pub error_deg: [f64; 3],
}

/// A moment of a held-back clip.
struct Moment {
    clip: usize,
    frame: usize,
    last: DVector<f64>,
    before: DVector<f64>,
}

/// A way to predict: the states at 1, 2, ... frames after a moment.
type Way<'a> = Box<dyn Fn(&Moment) -> Vec<DVector<f64>> + Sync + 'a>;

/// Learns from some clips and predicts others, every `stride`-th frame.
pub fn predictions(
    learned: &Texture,
    held_back: &[LabelledClip],
    stride: usize,
    ticket: &Ticket,
) -> Result<Vec<Predicted>, TextureError> {
    let corpus = learned.corpus();
    let test = Test::new(corpus, held_back, stride)?;
    let neighbours = Neighbours::new(corpus);
    let whole = corpus_ar2(&neighbours.states)?;
    let clusters = PaperSystems::learn(corpus, &neighbours, &whole, 0)?;
    let with_em = PaperSystems::learn(corpus, &neighbours, &whole, 8)?;
    let steps = HORIZONS[HORIZONS.len() - 1];
    let constant = |m: &Moment, velocity: f64| {
        let step = (&m.last - &m.before) * velocity;
        (1..=steps).map(|h| &m.last + &step * h as f64).collect()
    };
    let of = |ar2: &Ar2, m: &Moment| {
        let states = ar2.predict(m.last.as_slice(), m.before.as_slice(), steps);
        let rows = states.chunks_exact(corpus.n_dims());
        rows.map(DVector::from_column_slice).collect()
    };
    let passing =
        |m: &Moment, advance: &dyn Fn(FrameId, &mut Deviation)| neighbours.mean(m, steps, advance);
    let damped = |share: f64| move |_: FrameId, d: &mut Deviation| d.last *= share;
    let foreign = |at: FrameId| {
        // A system of somewhere else, the same for every frame.
        let mut stream = Stream::named(1, &[at.clip as u64, at.frame as u64]);
        &learned.systems()[stream.below(learned.systems().len())]
    };
    let ways: Vec<(&str, Way<'_>)> = vec![
        ("the last frame again", Box::new(|m| constant(m, 0.0))),
        ("constant velocity", Box::new(|m| constant(m, 1.0))),
        ("one AR(2) for the corpus", Box::new(|m| of(&whole, m))),
        (
            "the paper: a system for each cluster, drawn towards the corpus",
            Box::new(|m| of(clusters.at(m), m)),
        ),
        (
            "the same with 8 rounds of EM",
            Box::new(|m| of(with_em.at(m), m)),
        ),
        (
            "8 passing takes, residual damped by 0.8",
            Box::new(|m| passing(m, &damped(0.8))),
        ),
        (
            "8 passing takes, residual damped by 0.95",
            Box::new(|m| passing(m, &damped(0.95))),
        ),
        (
            "8 passing takes, system of the corpus",
            Box::new(|m| passing(m, &|_, d| learned.corpus_system().advance(d))),
        ),
        (
            "8 passing takes, their systems",
            Box::new(|m| passing(m, &|at, d| learned.system_at(at).advance(d))),
        ),
        (
            "8 passing takes, systems of other sections",
            Box::new(|m| passing(m, &|at, d| foreign(at).advance(d))),
        ),
    ];
    let mut rows = Vec::with_capacity(ways.len());
    for (name, way) in ways {
        ticket.check()?;
        rows.push(Predicted {
            name: name.to_owned(),
            error_deg: test.errors(&way),
        });
    }
    Ok(rows)
}

/// Held-back clips in the coordinates of the corpus.
struct Test<'a> {
    corpus: &'a Corpus,
    clips: Vec<(Curves, DMatrix<f64>)>,
    moments: Vec<Moment>,
}

impl<'a> Test<'a> {
    fn new(
        corpus: &'a Corpus,
        held_back: &[LabelledClip],
        stride: usize,
    ) -> Result<Self, TextureError> {
        let most = HORIZONS[HORIZONS.len() - 1];
        let mut clips = Vec::new();
        let mut moments = Vec::new();
        for (clip, given) in Corpus::prepare(held_back)?.0.iter().enumerate() {
            let curves = corpus.chart.curves(&given.clip)?;
            let states = corpus.latent.states(&corpus.chart, &curves);
            for frame in (1..curves.n_frames().saturating_sub(most)).step_by(stride) {
                moments.push(Moment {
                    clip,
                    frame,
                    last: states.column(frame).into_owned(),
                    before: states.column(frame - 1).into_owned(),
                });
            }
            clips.push((curves, states));
        }
        Ok(Self {
            corpus,
            clips,
            moments,
        })
    }

    fn errors(&self, way: &Way<'_>) -> [f64; 3] {
        let each: Vec<[f64; 3]> = self
            .moments
            .par_iter()
            .map_init(
                || Judge::new(self.corpus),
                |judge, moment| {
                    let states = way(moment);
                    HORIZONS.map(|h| self.error(judge, moment, h, &states[h - 1]))
                },
            )
            .collect();
        let n = each.len().max(1) as f64;
        std::array::from_fn(|h| each.iter().map(|e| e[h]).sum::<f64>() / n)
    }

    /// The predicted frame is the last one moved by the change of state.
    fn error(&self, judge: &mut Judge<'_>, m: &Moment, ahead: usize, state: &DVector<f64>) -> f64 {
        let curves = &self.clips[m.clip].0;
        let mut row = curves.row(m.frame).to_vec();
        let change = state - &m.last;
        self.corpus
            .latent
            .add(&self.corpus.chart, &change, &mut row);
        judge.rows_deg(&row, curves.row(m.frame + ahead))
    }
}

/// Finds takes that pass through a state.
struct Neighbours {
    /// Of the corpus, as they were; a column for each frame.
    states: Vec<DMatrix<f64>>,
    frames: Vec<FrameId>,
    /// States and velocities of these frames, one after another.
    rows: Vec<f64>,
    velocity: f64,
}

impl Neighbours {
    fn new(corpus: &Corpus) -> Self {
        let most = HORIZONS[HORIZONS.len() - 1];
        let velocity = super::passes::VELOCITY_SECS * corpus.fps();
        let clips = corpus.clips.iter();
        let states: Vec<DMatrix<f64>> = clips
            .map(|c| corpus.latent.states(&corpus.chart, &c.curves))
            .collect();
        let (mut frames, mut rows) = (Vec::new(), Vec::new());
        for (clip, states) in states.iter().enumerate() {
            let is_clean = &corpus.clips[clip].is_clean;
            for frame in 1..states.ncols().saturating_sub(most) {
                if is_clean[frame - 1..=frame + most].iter().all(|c| *c) {
                    frames.push(FrameId { clip, frame });
                    let (last, before) = (states.column(frame), states.column(frame - 1));
                    rows.extend(last.iter());
                    rows.extend(
                        last.iter()
                            .zip(before.iter())
                            .map(|(a, b)| (a - b) * velocity),
                    );
                }
            }
        }
        Self {
            states,
            frames,
            rows,
            velocity,
        }
    }

    /// The mean of the takes that pass nearest, with what the motion lacks of each carried on.
    fn mean(
        &self,
        m: &Moment,
        steps: usize,
        advance: &dyn Fn(FrameId, &mut Deviation),
    ) -> Vec<DVector<f64>> {
        let width = 2 * m.last.len();
        let mut wanted: Vec<f64> = m.last.iter().copied().collect();
        wanted.extend((&m.last - &m.before).iter().map(|v| v * self.velocity));
        let mut near: Vec<(f64, usize)> = self
            .rows
            .chunks_exact(width)
            .map(|row| {
                row.iter()
                    .zip(&wanted)
                    .map(|(a, b)| (a - b) * (a - b))
                    .sum()
            })
            .enumerate()
            .map(|(i, d)| (d, i))
            .collect();
        let n = NEIGHBOURS.min(near.len());
        near.select_nth_unstable_by(n.saturating_sub(1), |a, b| a.0.total_cmp(&b.0));
        let mut mean = vec![DVector::zeros(m.last.len()); steps];
        for &(_, i) in &near[..n] {
            let FrameId { clip, frame } = self.frames[i];
            let states = &self.states[clip];
            let mut deviation = Deviation {
                last: &m.last - states.column(frame),
                before: &m.before - states.column(frame - 1),
            };
            for (ahead, mean) in mean.iter_mut().enumerate() {
                advance(
                    FrameId {
                        clip,
                        frame: frame + ahead,
                    },
                    &mut deviation,
                );
                *mean += (states.column(frame + ahead + 1) + &deviation.last) / n as f64;
            }
        }
        mean
    }
}

/// Eq. (4) fitted to all clips at once.
fn corpus_ar2(states: &[DMatrix<f64>]) -> Result<Ar2, TextureError> {
    let n = states.first().map_or(0, DMatrix::nrows);
    let sequences: Vec<&[f64]> = states.iter().map(DMatrix::as_slice).collect();
    let prior = SystemPrior {
        system: Ar2::constant_velocity(n, 1.0),
        ridge: RIDGE,
        pseudo_count: 0.0,
    };
    Ok(Ar2::fit(&sequences, &prior, 1e-6)?)
}

/// The paper's own: Eq. (4) fitted to the frames of each cluster.
struct PaperSystems {
    mixture: Mixture,
    systems: Vec<Ar2>,
}

impl PaperSystems {
    fn learn(
        corpus: &Corpus,
        neighbours: &Neighbours,
        whole: &Ar2,
        em_rounds: usize,
    ) -> Result<Self, TextureError> {
        let width = corpus.n_dims();
        let rows: Vec<f64> = neighbours
            .states
            .iter()
            .flat_map(|s| s.iter().copied())
            .collect();
        let n_clusters = (rows.len() / width) as f64 / (200.0 / 60.0 * corpus.fps());
        let settings = MixtureSettings::new((n_clusters.round() as usize).max(1));
        let go_on = |_: usize, _: f64| std::ops::ControlFlow::Continue(());
        let (mixture, _) = Mixture::fit(&rows, width, &settings, go_on)?;
        let labels = mixture.most_likely_each(&rows);
        let mut sequences: Vec<Vec<&[f64]>> = vec![Vec::new(); mixture.n_components()];
        let mut at = 0;
        for states in &neighbours.states {
            let own = &labels[at..at + states.ncols()];
            at += states.ncols();
            let mut from = 0;
            for run in own.chunk_by(|a, b| a == b) {
                // With the two frames before, from which the first of the run follows.
                let start = from - 2.min(from);
                let end = from + run.len();
                sequences[run[0]].push(&states.as_slice()[start * width..end * width]);
                from = end;
            }
        }
        let prior = SystemPrior {
            system: whole.clone(),
            ridge: RIDGE,
            pseudo_count: RIDGE,
        };
        let fitted = sequences.par_iter().map(|own| {
            let closed = Ar2::fit(own, &prior, 1e-6)?;
            if em_rounds == 0 {
                return Ok(closed);
            }
            let unit = DMatrix::identity(width, width);
            let settings = EmSettings {
                max_rounds: em_rounds,
                least_gain: 0.0,
                fix_observation: true,
                floor: 1e-6,
                noise_floor: 1e-6,
                prior: Some(prior.clone()),
            };
            let long: Vec<&[f64]> = own
                .iter()
                .copied()
                .filter(|s| s.len() > 3 * width)
                .collect();
            let start = StateSpace::start(&long, unit, &prior, 1e-6, 1e-6)?;
            Ok(start.fit(&long, &settings, go_on)?.0.dynamics)
        });
        let systems = fitted.collect::<Result<Vec<Ar2>, TextureError>>()?;
        Ok(Self { mixture, systems })
    }

    fn at(&self, m: &Moment) -> &Ar2 {
        &self.systems[self.mixture.most_likely(m.last.as_slice())]
    }
}
