//! A rating study as a folder: `page/` for raters, and beside it what they must not see.
//!
//! `page/index.html` runs in any browser; `clips/` has every stimulus under its blind name; `key.csv` and `study.ron`
//! say what was shown. The folder is what `kinfolk study make` writes and the window packs.

use std::path::PathBuf;

use super::bvh;
use super::study_page::page;
use super::study_plan::{self, StudyFileError};
use crate::motion::Clip;
use crate::motion::edit::EditError;
use crate::study::session::Plan;

/// The folder for raters.
pub const PAGE_FOLDER: &str = "page";

/// A study cannot be packed.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// A clip cannot be shown on the page.
    #[error(transparent)]
    Page(#[from] EditError),
    /// What was shown cannot be written down.
    #[error(transparent)]
    Key(#[from] StudyFileError),
}

/// Where its files go, below the folder; what makes it a study comes last, so that a folder with it is whole.
pub fn paths(plan: &Plan) -> Vec<PathBuf> {
    let clips = plan.stimuli().iter();
    let clips = clips.map(|stimulus| PathBuf::from("clips").join(format!("{}.bvh", stimulus.id)));
    let others = [
        PathBuf::from(PAGE_FOLDER).join("index.html"),
        PathBuf::from("key.csv"),
        PathBuf::from("study.ron"),
    ];
    clips.chain(others).collect()
}

/// Its files with their places, in the order of [`paths`]. Clips come in the order of the stimuli.
pub fn files(plan: &Plan, clips: &[&Clip]) -> Result<Vec<(PathBuf, Vec<u8>)>, PackError> {
    let mut contents: Vec<Vec<u8>> = clips
        .iter()
        .map(|clip| bvh::write(clip, &bvh::WriteSettings::default()).bytes)
        .collect();
    contents.push(page(plan, clips)?.into_bytes());
    contents.push(study_plan::key_csv(plan).into_bytes());
    contents.push(study_plan::write(plan)?.into_bytes());
    Ok(paths(plan).into_iter().zip(contents).collect())
}
