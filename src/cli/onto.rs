//! `--to SKELETON`: clips brought onto one skeleton, before they are learned from or before they are written.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use rayon::prelude::*;

use crate::file;
use crate::motion::Clip;
use crate::retarget::{Character, ReferencePose, RetargetSettings, onto};

/// For commands that read clips which have to be on one skeleton.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct OntoArgs {
    /// Bring every clip onto the skeleton of this BVH or FBX file first
    #[arg(long, value_name = "SKELETON")]
    to: Option<PathBuf>,
}

impl OntoArgs {
    /// All clips on the skeleton that was asked for, or as they are.
    pub(super) fn bring(&self, clips: Vec<Clip>) -> anyhow::Result<Vec<Clip>> {
        bring_all(clips, self.to.as_deref())
    }

    /// The skeleton that was asked for.
    pub(super) fn character(&self) -> anyhow::Result<Option<Character>> {
        character(self.to.as_deref())
    }
}

/// All clips on the skeleton of a file, if one was given.
pub(super) fn bring_all(clips: Vec<Clip>, to: Option<&Path>) -> anyhow::Result<Vec<Clip>> {
    let Some(target) = character(to)? else {
        return Ok(clips);
    };
    let each = clips.par_iter().map(|clip| bring(clip, Some(&target)));
    each.collect()
}

/// The character of a file that was given with `--to`.
pub(super) fn character(to: Option<&Path>) -> anyhow::Result<Option<Character>> {
    let Some(path) = to else { return Ok(None) };
    let found = file::read_clip(path)
        .map_err(anyhow::Error::new)
        .and_then(|clip| Ok(Character::of(&clip, ReferencePose::Found)?));
    Ok(Some(found.with_context(|| path.display().to_string())?))
}

/// A clip on another character, or as it is.
pub(super) fn bring(clip: &Clip, target: Option<&Character>) -> anyhow::Result<Clip> {
    let Some(target) = target else {
        return Ok(clip.clone());
    };
    let brought = onto(clip, target, &RetargetSettings::default());
    Ok(brought.with_context(|| clip.info.name.clone())?.clip)
}
