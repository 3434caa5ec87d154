//! What a project keeps in files of its own: motions and models.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{SaveError, clip_file, file_names, poses, studies};
use crate::document::{
    ClipId, Document, KeptPose, Learned, ModelId, PictureFile, PictureKind, PoseId, PosedId,
    Stimuli, StudyId,
};
use crate::file::{style_file, texture_file, variation_model};
use crate::motion::Clip;
use crate::texture::Texture;

/// Where in the project's folder files of one kind are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Subfolder {
    Clips,
    Models,
    Poses,
    Pictures,
    Studies,
}

impl Subfolder {
    pub(super) const ALL: [Self; 5] = [
        Self::Clips,
        Self::Models,
        Self::Poses,
        Self::Pictures,
        Self::Studies,
    ];

    pub(super) const fn folder(self) -> &'static str {
        match self {
            Self::Clips => "clips",
            Self::Models => "models",
            Self::Poses => "poses",
            Self::Pictures => "pictures",
            Self::Studies => "studies",
        }
    }

    const fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Clips => &[".bvh"],
            Self::Models | Self::Poses | Self::Studies => &[".ron"],
            Self::Pictures => &[".png", ".jpg"],
        }
    }

    /// Whether every project has its folder.
    pub(super) const fn is_always_there(self) -> bool {
        matches!(self, Self::Clips | Self::Models)
    }

    /// Whether a file of this name may be in it.
    pub(super) fn takes(self, file: &str) -> bool {
        let mut endings = self.endings().iter();
        endings.any(|ending| file_names::is_plain(file, ending))
    }
}

/// One file of a project.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct StoredPath {
    pub(super) subfolder: Subfolder,
    /// File name without its folder.
    pub(super) file: String,
}

impl StoredPath {
    /// The place that a line of the list of unfinished work names; none if it leads elsewhere.
    pub(super) fn parse(line: &str) -> Option<Self> {
        // Older programs kept clips alone, and wrote their names alone.
        let (folder, file) = line.split_once('/').unwrap_or(("clips", line));
        let subfolder = Subfolder::ALL.into_iter().find(|d| d.folder() == folder)?;
        subfolder.takes(file).then(|| Self {
            subfolder,
            file: file.to_owned(),
        })
    }

    pub(super) fn within(&self, project: &Path) -> PathBuf {
        project.join(self.subfolder.folder()).join(&self.file)
    }
}

impl fmt::Display for StoredPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.subfolder.folder(), self.file)
    }
}

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FileOwner {
    Clip(ClipId),
    Model(ModelId),
    Poses,
    Picture(PosedId),
    Study(StudyId),
}

/// What a file holds.
#[derive(Debug, Clone)]
pub(super) enum FileContent {
    Motion(Arc<Clip>),
    Model(Learned),
    Poses(Vec<(PoseId, Arc<KeptPose>)>),
    Picture(Arc<PictureFile>),
    Study(Arc<Stimuli>),
}

impl FileContent {
    /// Everything in a document that has a file, with its name.
    pub(super) fn all(document: &Document) -> impl Iterator<Item = (FileOwner, &str, Self)> {
        let motions = document.clips().map(|(id, clip)| {
            let name = clip.info.name.as_str();
            (FileOwner::Clip(id), name, Self::Motion(Arc::clone(clip)))
        });
        let models = document.models().iter().map(|model| {
            let learned = Self::Model(model.learned.clone());
            (FileOwner::Model(model.id), model.name.as_str(), learned)
        });
        let poses = document.poses();
        let poses = (!poses.is_empty()).then(|| {
            let kept = Self::Poses(poses.to_vec());
            (FileOwner::Poses, "poses", kept)
        });
        let pictures = document.pictures().map(|(id, picture)| {
            let kept = Self::Picture(Arc::clone(&picture.file));
            (FileOwner::Picture(id), picture.file.name.as_str(), kept)
        });
        let studies = document.studies().iter().map(|(id, study)| {
            let shown = Self::Study(Arc::clone(&study.stimuli));
            (FileOwner::Study(*id), study.plan().title(), shown)
        });
        let kept = motions.chain(models).chain(poses);
        kept.chain(pictures).chain(studies)
    }

    pub(super) fn subfolder(&self) -> Subfolder {
        match self {
            Self::Motion(_) => Subfolder::Clips,
            Self::Model(_) => Subfolder::Models,
            Self::Poses(_) => Subfolder::Poses,
            Self::Picture(_) => Subfolder::Pictures,
            Self::Study(_) => Subfolder::Studies,
        }
    }

    pub(super) fn ending(&self) -> &'static str {
        match self {
            Self::Motion(_) => ".bvh",
            Self::Model(_) | Self::Poses(_) | Self::Study(_) => ".ron",
            Self::Picture(file) => match file.kind {
                PictureKind::Png => ".png",
                PictureKind::Jpeg => ".jpg",
            },
        }
    }

    /// Whether a file that holds this needs no change to hold the other.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Motion(a), Self::Motion(b)) => a.same_motion(b),
            (Self::Model(a), Self::Model(b)) => a == b,
            (Self::Poses(a), Self::Poses(b)) => a == b,
            (Self::Picture(a), Self::Picture(b)) => Arc::ptr_eq(a, b) || a == b,
            (Self::Study(a), Self::Study(b)) => Arc::ptr_eq(a, b) || a == b,
            _ => false,
        }
    }

    pub(super) fn encode(&self, name: &str) -> Result<Vec<u8>, SaveError> {
        match self {
            Self::Motion(clip) => clip_file::encode(clip).map_err(|why| SaveError::Clip {
                clip: name.to_owned(),
                why,
            }),
            Self::Model(learned) => match write_model(learned) {
                Ok(text) => Ok(text.into_bytes()),
                Err(why) => Err(SaveError::Model {
                    model: name.to_owned(),
                    why,
                }),
            },
            Self::Poses(poses) => Ok(poses::write(poses)?.into_bytes()),
            Self::Picture(file) => Ok(file.bytes.clone()),
            Self::Study(shown) => Ok(studies::write(shown)?.into_bytes()),
        }
    }
}

fn write_model(learned: &Learned) -> Result<String, String> {
    match learned {
        Learned::Variation(model) => variation_model::write_clips(model).map_err(in_words),
        Learned::Strokes(model) => variation_model::write_strokes(model).map_err(in_words),
        Learned::Style(style) => style_file::write(style).map_err(in_words),
        Learned::Texture(texture) => texture_file::write(&texture.parts()).map_err(in_words),
    }
}

/// Reads a model of this kind, as [`Learned::kind`] calls it.
pub(super) fn read_model(kind: &str, path: &Path) -> Result<Learned, String> {
    let varies = || variation_model::read_file(path).map_err(in_words);
    match kind {
        "variation" => match varies()?.into_clips() {
            Ok(model) => Ok(Learned::Variation(Arc::new(model))),
            Err(error) => Err(in_words(error)),
        },
        "strokes" => match varies()?.into_strokes() {
            Ok(model) => Ok(Learned::Strokes(Arc::new(model))),
            Err(error) => Err(in_words(error)),
        },
        "style" => match style_file::read(path) {
            Ok(style) => Ok(Learned::Style(Arc::new(style))),
            Err(error) => Err(in_words(error)),
        },
        "texture" => {
            let parts = texture_file::read(path).map_err(in_words)?;
            match Texture::reopened(&parts) {
                Ok(texture) => Ok(Learned::Texture(Arc::new(texture))),
                Err(error) => Err(in_words(error)),
            }
        }
        other => Err(format!("this Kinfolk knows no models called \"{other}\"")),
    }
}

fn in_words(error: impl fmt::Display) -> String {
    error.to_string()
}
