//! Learned models as RON files: takes, structure, and how strongly it varies.
//!
//! Version 1. Numbers are written so that they come back bit for bit; everything is checked on the way in, because a
//! file may be broken, newer, or made to do harm. Memory follows the length of the file.

mod chart;
mod v1;

use std::path::Path;

use serde::Deserialize;

use super::open::bytes_of;
use super::ron_text::{parse, pretty};
use crate::file::{ReadError, RonError};
use crate::motion::{ChartError, Contact};
use crate::variation::{
    ClipModel, Course, Examples, Footing, LearnError, LearnSettings, Manner, Model, Parent, Seen,
    StrokeModel, Structure, Take,
};

/// What is written today.
const VERSION: u32 = 1;

/// A model of any kind.
#[derive(Debug, Clone, PartialEq)]
pub enum AnyModel {
    /// Of clips.
    Clips(Box<ClipModel>),
    /// Of pen strokes.
    Strokes(Box<StrokeModel>),
}

/// Why a file is no model.
#[derive(Debug, thiserror::Error)]
pub enum ModelFileError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The text makes no sense at one place.
    #[error(transparent)]
    Syntax(#[from] RonError),
    /// Written by a later version of the program.
    #[error("this model was written by a newer version (file version {found}, known {VERSION})")]
    Newer {
        /// Its version.
        found: u32,
    },
    /// Well-formed, but its parts make no model.
    #[error("not a whole model: {0}")]
    Broken(#[from] LearnError),
    /// Well-formed, but its coordinates make no sense.
    #[error("not a whole model: {0}")]
    Chart(#[from] ChartError),
    /// It is something else that is written in the same way.
    #[error("this is a style, a model of poses; variants need what `kinfolk learn` writes")]
    Style,
    /// It is a transition graph.
    #[error("this is a transition graph; variants need what `kinfolk learn` writes")]
    Graph,
    /// A word that is not known here.
    #[error("not a whole model: {0}")]
    Word(String),
    /// It is a model of something else.
    #[error("this is a model of {found}, not of {wanted}")]
    Kind {
        /// What it is of.
        found: &'static str,
        /// What was asked for.
        wanted: &'static str,
    },
    /// The text cannot be made; a bug if it ever happens.
    #[error("cannot be written: {0}")]
    Text(#[from] ron::Error),
}

impl AnyModel {
    /// The model of clips in it.
    pub fn into_clips(self) -> Result<ClipModel, ModelFileError> {
        match self {
            Self::Clips(model) => Ok(*model),
            Self::Strokes(_) => Err(ModelFileError::Kind {
                found: "strokes",
                wanted: "clips",
            }),
        }
    }

    /// The model of strokes in it.
    pub fn into_strokes(self) -> Result<StrokeModel, ModelFileError> {
        match self {
            Self::Strokes(model) => Ok(*model),
            Self::Clips(_) => Err(ModelFileError::Kind {
                found: "clips",
                wanted: "strokes",
            }),
        }
    }
}

/// Reads a file.
pub fn read_file(path: &Path) -> Result<AnyModel, ModelFileError> {
    read(&bytes_of(path)?)
}

/// Reads a model.
pub fn read(bytes: &[u8]) -> Result<AnyModel, ModelFileError> {
    #[derive(Deserialize)]
    #[serde(rename = "Variation")]
    struct Header {
        version: u32,
        /// Styles have this and models of motion do not.
        #[serde(default)]
        features: Option<serde::de::IgnoredAny>,
        /// Transition graphs have this.
        #[serde(default)]
        rig: Option<serde::de::IgnoredAny>,
    }
    let Header {
        version,
        features,
        rig,
    } = parse(bytes)?;
    if features.is_some() {
        return Err(ModelFileError::Style);
    }
    if rig.is_some() {
        return Err(ModelFileError::Graph);
    }
    if version != VERSION {
        return Err(ModelFileError::Newer { found: version });
    }
    let file: v1::Variation = parse(bytes)?;
    let (model, footing) = model_from(&file)?;
    match &file.of {
        v1::Of::Clips(chart) => {
            let model = ClipModel::from_parts(chart::from(chart)?, model, footing)?;
            Ok(AnyModel::Clips(Box::new(model)))
        }
        v1::Of::Strokes { mean, scale } => {
            let model = StrokeModel::from_parts(*mean, *scale, model)?;
            Ok(AnyModel::Strokes(Box::new(model)))
        }
    }
}

/// The text of a model of clips.
pub fn write_clips(model: &ClipModel) -> Result<String, ModelFileError> {
    let of = v1::Of::Clips(chart::to(model.chart()));
    Ok(pretty(
        &model_to(model.model(), Some(model.footing()), of),
        3,
    )?)
}

/// The text of a model of strokes.
pub fn write_strokes(model: &StrokeModel) -> Result<String, ModelFileError> {
    let of = v1::Of::Strokes {
        mean: model.mean,
        scale: model.scale,
    };
    Ok(pretty(&model_to(model.model(), None, of), 3)?)
}

fn model_to(model: &Model, footing: Option<&Footing>, of: v1::Of) -> v1::Variation {
    let examples = model.examples();
    let n = examples.n_dofs();
    let parent = |p: &Parent| (p.dof, p.seen == Seen::Now);
    let contacts = |take: usize| {
        let of_take = footing.and_then(|f| f.takes.get(take));
        let contact = |c: &Contact| (c.joint, c.frames.start, c.frames.end);
        of_take.map_or_else(Vec::new, |all| all.iter().map(contact).collect())
    };
    let settings = model.settings();
    let manner = model.manner();
    v1::Variation {
        version: VERSION,
        of,
        settings: v1::Settings {
            neighbours: settings.neighbours,
            width: settings.width,
            speed_weight: settings.speed_weight,
            phase_secs: settings.phase_secs,
            pull_secs: settings.pull_secs,
            mood_secs: settings.mood_secs,
            start_secs: settings.start_secs,
            most_shared: settings.most_shared,
            most_own: settings.most_own,
            restarts: settings.restarts,
            seed: settings.seed,
            course: settings.course.map(course_to),
        },
        manner: v1::Manner {
            scale: manner.scale,
            together: manner.together,
            details: [0.0; 4],
            calms: [0.0; 4],
            node_details: manner.details.to_vec(),
            node_calms: manner.calms.to_vec(),
            spread: manner.spread.clone(),
            pace_spread: 0.0,
        },
        frame_secs: examples.frame_secs(),
        dofs: n,
        course: course_to(examples.course()),
        run_secs: examples.run_secs(),
        steady_secs: footing.map_or(0.0, |f| f.steady_secs),
        transition: (0..n)
            .map(|node| model.structure().parents(node).iter().map(parent).collect())
            .collect(),
        prior: model.structure().prior().to_vec(),
        takes: (0..examples.n_takes())
            .map(|take| v1::Take {
                name: examples.name(take).to_owned(),
                contacts: contacts(take),
                progress: examples.take_progress(take).to_vec(),
                values: examples.take(take).to_vec(),
            })
            .collect(),
    }
}

fn model_from(file: &v1::Variation) -> Result<(Model, Footing), ModelFileError> {
    let takes: Vec<Take> = file
        .takes
        .iter()
        .map(|take| Take {
            name: take.name.clone(),
            values: take.values.clone(),
        })
        .collect();
    let progress: Vec<Vec<f64>> = file.takes.iter().map(|t| t.progress.clone()).collect();
    let examples = Examples::with_progress(
        file.dofs,
        file.frame_secs,
        &takes,
        course_from(file.course),
        file.run_secs,
        &progress,
    )?;
    let parents = |all: &Vec<(usize, bool)>| {
        let parent = |&(dof, is_now): &(usize, bool)| Parent {
            dof,
            seen: if is_now { Seen::Now } else { Seen::Before },
        };
        all.iter().map(parent).collect()
    };
    let transition = file.transition.iter().map(parents).collect();
    let structure = Structure::from_edges(transition, file.prior.clone())?;
    let s = &file.settings;
    let settings = LearnSettings {
        course: s.course.map(course_from),
        neighbours: s.neighbours,
        width: s.width,
        speed_weight: s.speed_weight,
        phase_secs: s.phase_secs,
        pull_secs: s.pull_secs,
        mood_secs: s.mood_secs,
        start_secs: s.start_secs,
        most_shared: s.most_shared,
        most_own: s.most_own,
        restarts: s.restarts,
        seed: s.seed,
    };
    let manner = Manner {
        scale: file.manner.scale,
        together: file.manner.together,
        details: by_node(&file.manner.node_details, file.manner.details, file.dofs)?,
        calms: by_node(&file.manner.node_calms, file.manner.calms, file.dofs)?,
        spread: file.manner.spread.clone(),
    };
    let contact = |&(joint, start, end): &(usize, usize, usize)| Contact {
        joint,
        frames: start..end,
    };
    let footing = Footing {
        takes: file
            .takes
            .iter()
            .map(|t| t.contacts.iter().map(contact).collect())
            .collect(),
        steady_secs: file.steady_secs,
    };
    let model = Model::from_parts(examples, structure, settings, Some(manner))?;
    Ok((model, footing))
}

/// What is known by node, or once for all of them, at four amounts.
fn by_node(
    known: &[Vec<f64>],
    for_all: [f64; 4],
    n_nodes: usize,
) -> Result<[Vec<f64>; 4], ModelFileError> {
    if known.is_empty() {
        return Ok(for_all.map(|strength| vec![strength; n_nodes]));
    }
    let four = <[Vec<f64>; 4]>::try_from(known.to_vec());
    four.map_err(|found| {
        let what = format!(
            "strengths are known at {} amounts instead of four",
            found.len()
        );
        LearnError::Structure(what).into()
    })
}

fn course_to(course: Course) -> v1::Course {
    match course {
        Course::Through => v1::Course::Through,
        Course::Around => v1::Course::Around,
        Course::Free => v1::Course::Free,
    }
}

fn course_from(course: v1::Course) -> Course {
    match course {
        v1::Course::Through => Course::Through,
        v1::Course::Around => Course::Around,
        v1::Course::Free => Course::Free,
    }
}
