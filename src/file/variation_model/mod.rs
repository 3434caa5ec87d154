//! Learned models as RON files: takes and edges.
//!
//! Version 2. Models of version 1, from before there was one network for everything, still open: as what they were, the
//! paper's regression on their takes, with the advice to learn them again. Numbers are written so that they come back
//! bit for bit; everything is checked on the way in, because a file may be broken, newer, or made to do harm. Memory
//! follows the length of the file.

mod chart;
mod error;
mod number;
mod v1;
mod v2;

use std::path::Path;

use super::kind::Header;
use super::open::bytes_of;
use super::ron_text::{parse, pretty};
use crate::file::FileKind;
use crate::motion::Contact;
use crate::variation::{
    Anatomy, ClipModel, Examples, Footing, KnownEdges, LearnError, LearnSettings, Method, Model,
    MotionType, PaperSettings, PaperStructure, Parent, Seen, StrokeModel, Structure, StructureKind,
    Take,
};
use error::VERSION;

pub use error::ModelFileError;

/// A model of any kind.
#[derive(Debug, Clone, PartialEq)]
pub enum AnyModel {
    /// A model of how clips vary.
    Clips(Box<ClipModel>),
    /// A model of how pen strokes vary.
    Strokes(Box<StrokeModel>),
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

/// Reads a model of clips or strokes from a file.
pub fn read_file(path: &Path) -> Result<AnyModel, ModelFileError> {
    read(&bytes_of(path)?)
}

/// Reads a model of clips or strokes from the bytes of a file.
pub fn read(bytes: &[u8]) -> Result<AnyModel, ModelFileError> {
    let header = Header::of(bytes)?;
    if let Some(other) = header.other_than(FileKind::VariationModel) {
        return Err(ModelFileError::Other(other));
    }
    let file: v2::Variation = match header.version()? {
        VERSION => parse(bytes)?,
        1 => from_v1(parse(bytes)?),
        found => return Err(ModelFileError::Newer { found }),
    };
    match &file.of {
        v1::Of::Clips(mirror) => {
            let chart = chart::from(mirror)?;
            let model = model_from(&file, Some(Anatomy::of(&chart)))?;
            let model = ClipModel::from_parts(chart, model, footing_from(&file))?;
            Ok(AnyModel::Clips(Box::new(model)))
        }
        v1::Of::Strokes { mean, scale } => {
            let model = StrokeModel::from_parts(*mean, *scale, model_from(&file, None)?)?;
            Ok(AnyModel::Strokes(Box::new(model)))
        }
    }
}

/// A model of version 1 as what it was: kernel regression along both of its networks.
fn from_v1(file: v1::Variation) -> v2::Variation {
    let s = file.settings;
    v2::Variation {
        version: VERSION,
        of: file.of,
        settings: v2::Settings {
            method: v2::Method::Paper,
            structure: v2::StructureKind::Learned,
            earlier: true,
            course: s.course,
            neighbours: s.neighbours,
            width: s.width,
            speed_weight: s.speed_weight,
            phase_secs: s.phase_secs,
            pull_secs: s.pull_secs,
            start_secs: s.start_secs,
            most_shared: s.most_shared,
            most_own: s.most_own,
            restarts: s.restarts,
            seed: s.seed,
        },
        frame_secs: file.frame_secs,
        dofs: file.dofs,
        course: file.course,
        run_secs: file.run_secs,
        edges: v2::Edges::Paper {
            transition: file.transition,
            prior: file.prior,
        },
        takes: file.takes,
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

fn model_to(model: &Model, footing: Option<&Footing>, of: v1::Of) -> v2::Variation {
    let examples = model.examples();
    let contacts = |take: usize| {
        let of_take = footing.and_then(|f| f.takes.get(take));
        let contact = |c: &Contact| (c.joint, c.frames.start, c.frames.end);
        of_take.map_or_else(Vec::new, |all| all.iter().map(contact).collect())
    };
    v2::Variation {
        version: VERSION,
        of,
        settings: settings_to(model.settings()),
        frame_secs: examples.frame_secs(),
        dofs: examples.n_dofs(),
        course: course_to(examples.motion_type()),
        run_secs: examples.run_secs(),
        edges: edges_to(&model.edges()),
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

fn settings_to(settings: &LearnSettings) -> v2::Settings {
    let paper = &settings.paper;
    v2::Settings {
        method: match settings.method {
            Method::Network => v2::Method::Network,
            Method::Paper => v2::Method::Paper,
        },
        structure: match settings.structure {
            StructureKind::Learned => v2::StructureKind::Learned,
            StructureKind::None => v2::StructureKind::None,
            StructureKind::Random => v2::StructureKind::Random,
            StructureKind::Full => v2::StructureKind::Full,
        },
        earlier: settings.is_of_earlier_version,
        course: settings.motion_type.map(course_to),
        neighbours: paper.neighbours,
        width: paper.width,
        speed_weight: paper.speed_weight,
        phase_secs: paper.phase_secs,
        pull_secs: paper.pull_secs,
        start_secs: paper.start_secs,
        most_shared: paper.most_shared,
        most_own: paper.most_own,
        restarts: paper.restarts,
        seed: paper.seed,
    }
}

fn settings_from(s: &v2::Settings) -> LearnSettings {
    LearnSettings {
        motion_type: s.course.map(course_from),
        method: match s.method {
            v2::Method::Network => Method::Network,
            v2::Method::Paper => Method::Paper,
        },
        structure: match s.structure {
            v2::StructureKind::Learned => StructureKind::Learned,
            v2::StructureKind::None => StructureKind::None,
            v2::StructureKind::Random => StructureKind::Random,
            v2::StructureKind::Full => StructureKind::Full,
        },
        is_of_earlier_version: s.earlier,
        paper: PaperSettings {
            neighbours: s.neighbours,
            width: s.width,
            speed_weight: s.speed_weight,
            phase_secs: s.phase_secs,
            pull_secs: s.pull_secs,
            start_secs: s.start_secs,
            most_shared: s.most_shared,
            most_own: s.most_own,
            restarts: s.restarts,
            seed: s.seed,
        },
    }
}

fn edges_to(edges: &KnownEdges) -> v2::Edges {
    match edges {
        KnownEdges::Network(structure) => v2::Edges::Network(
            (0..structure.n_nodes())
                .map(|node| structure.parents(node).to_vec())
                .collect(),
        ),
        KnownEdges::Paper(structure) => {
            let parent = |p: &Parent| (p.dof, p.seen == Seen::Now);
            let of = |node: usize| structure.parents(node).iter().map(parent).collect();
            v2::Edges::Paper {
                transition: (0..structure.n_dofs()).map(of).collect(),
                prior: structure.prior().to_vec(),
            }
        }
    }
}

fn edges_from(edges: &v2::Edges) -> Result<KnownEdges, LearnError> {
    Ok(match edges {
        v2::Edges::Network(parents) => {
            KnownEdges::Network(Structure::from_parents(parents.clone())?)
        }
        v2::Edges::Paper { transition, prior } => {
            let parent = |&(dof, is_now): &(usize, bool)| Parent {
                dof,
                seen: if is_now { Seen::Now } else { Seen::Before },
            };
            let of = |all: &Vec<(usize, bool)>| all.iter().map(parent).collect();
            let transition = transition.iter().map(of).collect();
            KnownEdges::Paper(PaperStructure::from_edges(transition, prior.clone())?)
        }
    })
}

fn model_from(file: &v2::Variation, anatomy: Option<Anatomy>) -> Result<Model, ModelFileError> {
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
    let examples = match anatomy {
        Some(anatomy) => examples.on_body(anatomy)?,
        None => examples,
    };
    let edges = edges_from(&file.edges)?;
    Ok(Model::from_parts(
        examples,
        edges,
        settings_from(&file.settings),
    )?)
}

fn footing_from(file: &v2::Variation) -> Footing {
    let contact = |&(joint, start, end): &(usize, usize, usize)| Contact {
        joint,
        frames: start..end,
    };
    Footing {
        takes: file
            .takes
            .iter()
            .map(|t| t.contacts.iter().map(contact).collect())
            .collect(),
    }
}

fn course_to(course: MotionType) -> v1::Course {
    match course {
        MotionType::OneShot => v1::Course::Through,
        MotionType::Cyclic => v1::Course::Around,
        MotionType::Unaligned => v1::Course::Free,
    }
}

fn course_from(course: v1::Course) -> MotionType {
    match course {
        v1::Course::Through => MotionType::OneShot,
        v1::Course::Around => MotionType::Cyclic,
        v1::Course::Free => MotionType::Unaligned,
    }
}
