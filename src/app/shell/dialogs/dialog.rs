//! The dialog that is open, and what it remembers.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::shell::actions::Action;
use crate::app::shell::dialogs::guide::GuideBox;
use crate::app::shell::files::contents::Contents;
use crate::app::shell::files::order::Export;
use crate::app::shell::requests::Then;
use crate::app::shell::retarget::choice::TargetChoice;
use crate::app::shell::retarget::map_sides::MapBox;
use crate::document::SetId;
use crate::file::export::Format;
use crate::file::preset::Preset;
use crate::file::project::Recovery;
use crate::motion::{Clip, Stroke};

/// The dialog that is open.
#[derive(Debug)]
pub enum Dialog {
    /// The command palette: find an action by its name and do it.
    Palette(Palette),
    /// All actions with their keys, which can be changed.
    Shortcuts {
        /// The action whose new keys are awaited.
        listening: Option<Action>,
    },
    /// The user guide, from Help.
    Guide(GuideBox),
    /// What the program is.
    About,
    /// Type or pick a path.
    Path(PathBox),
    /// What to write where.
    Export(ExportBox),
    /// Where strokes are written, and as what.
    Strokes(StrokesBox),
    /// Where a table or picture goes.
    File(FileBox),
    /// What became of imported files.
    ImportReport,
    /// Which joint of one skeleton moves which of another.
    BoneMap(Box<MapBox>),
    /// Brings the selected clips to another frame rate.
    Resample {
        /// The frame rate that is typed, in frames per second.
        fps: f64,
    },
    /// Files that would be replaced.
    Replace {
        /// What was to be written.
        export: Export,
        /// Names of the files that are there.
        existing: Vec<String>,
    },
    /// A project that would be replaced.
    ReplaceProject {
        /// The folder of the project.
        path: PathBuf,
    },
    /// Work that is not saved.
    Unsaved {
        /// What was asked for.
        then: Then,
    },
    /// A project that somebody else has open.
    InUse {
        /// The folder of the project.
        path: PathBuf,
        /// User and machine that have it open.
        owner: String,
    },
    /// What a crash left.
    Recovery {
        /// The unsaved projects that were found, newest first.
        found: Vec<Recovery>,
    },
}

/// Export of clips: formats, rate, names, skeleton, folder.
#[derive(Debug, Clone)]
pub struct ExportBox {
    /// None for the selected clips.
    pub(super) set: Option<SetId>,
    /// Motions that are in no library, with the name of the whole; then nothing else can be chosen.
    pub(super) apart: Option<(String, Vec<Arc<Clip>>)>,
    pub(super) preset: Option<Preset>,
    pub(super) format: Format,
    pub(super) folder: String,
    pub(super) pattern: String,
    pub(super) fps: Option<f64>,
    /// Another skeleton; none leaves each clip on its own.
    pub(super) onto: TargetChoice,
    pub(super) is_in_place: bool,
    pub(super) has_manifest: bool,
}

/// Where one file is to be written.
#[derive(Debug, Clone)]
pub struct FileBox {
    pub(super) path: String,
    pub(super) contents: Arc<Contents>,
    /// A file is there already; then the button says what it does.
    pub(in crate::app) is_there: bool,
    pub(super) has_focus: bool,
}

/// What the path is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathPurpose {
    /// Motion files or folders.
    Import,
    /// The folder of a project to open.
    Open,
    /// Where the project goes.
    SaveAs,
}

impl PathPurpose {
    pub(in crate::app) const fn title(self) -> &'static str {
        match self {
            Self::Import => "Import clips",
            Self::Open => "Open project",
            Self::SaveAs => "Save project as",
        }
    }

    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::Import => {
                "A .bvh, .fbx or .amc file, a .csv file with a stroke (t, x, y), or a folder with all such files below it. Each take of an FBX file becomes a clip."
            }
            Self::Open => "The folder of a project, usually called name.kinfolk.",
            Self::SaveAs => {
                "A folder for the project; it is made if it is missing. Clips are kept in it as BVH files."
            }
        }
    }

    pub(super) const fn button(self) -> &'static str {
        match self {
            Self::Import => "Import",
            Self::Open => "Open",
            Self::SaveAs => "Save here",
        }
    }
}

/// A path that is typed or picked.
#[derive(Debug, Clone)]
pub struct PathBox {
    pub(in crate::app) purpose: PathPurpose,
    pub(super) text: String,
    pub(super) has_focus: bool,
}

/// Export of strokes: the folder and which of them.
#[derive(Debug, Clone)]
pub struct StrokesBox {
    pub(super) folder: String,
    pub(super) strokes: Vec<Arc<Stroke>>,
}

/// What is typed and chosen so far.
#[derive(Debug, Clone, Default)]
pub struct Palette {
    pub(in crate::app::shell) text: String,
    pub(in crate::app::shell) chosen: usize,
    pub(in crate::app::shell) has_focus: bool,
}
