//! The clips on a command line: files and folders, read in parallel, the bad ones named.

use std::convert::Infallible;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::progress::Progress;
use super::{Common, End, reason};
use crate::file;
use crate::jobs::Ticket;
use crate::motion::{Clip, edit};

/// One clip to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Input {
    /// Path of the file.
    pub(super) path: PathBuf,
    /// Where its results belong below an output folder: its name, or its place below the folder that was given;
    /// without ending.
    pub(super) place: PathBuf,
}

impl Input {
    fn file(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            place: path
                .file_stem()
                .map_or_else(|| "clip".into(), PathBuf::from),
        }
    }
}

/// Files as they are; of folders every `.bvh` below, sorted. A folder that cannot be listed, or holds none, stays in
/// the list and fails when it is read, like any other bad input.
pub(super) fn expand(paths: &[PathBuf]) -> Vec<Input> {
    let mut inputs = Vec::new();
    for path in paths {
        let found = if path.is_dir() {
            clips_below(path)
        } else {
            Vec::new()
        };
        if found.is_empty() {
            inputs.push(Input::file(path));
        }
        inputs.extend(found.into_iter().map(|clip| {
            let below = clip.strip_prefix(path).unwrap_or(&clip);
            Input {
                place: below.with_extension(""),
                path: clip,
            }
        }));
    }
    inputs
}

/// All `.bvh` files below a folder, as the command line promises.
fn clips_below(folder: &Path) -> Vec<PathBuf> {
    let is_clip = |path: &Path| file::has_ending(path, &["bvh"]);
    let Ok(clips) = file::files_below(folder, is_clip, || Ok::<(), Infallible>(()));
    clips
}

/// What became of each input, in order.
pub(super) struct Results<T> {
    /// One result per input.
    pub(super) each: Vec<anyhow::Result<T>>,
    /// Whether Ctrl-C stopped the work.
    pub(super) is_cancelled: bool,
}

impl<T> Results<T> {
    /// How the subcommand ended.
    pub(super) fn end(&self) -> End {
        if self.is_cancelled {
            End::Cancelled
        } else if self.each.iter().any(Result::is_err) {
            End::SomeFailed
        } else {
            End::Done
        }
    }
}

/// Reads every input and does `work` with it, on all threads; then names those that failed.
pub(super) fn for_each_clip<T: Send>(
    inputs: &[Input],
    common: &Common,
    ticket: &Ticket,
    work: impl Fn(&Input, Clip) -> anyhow::Result<T> + Sync,
) -> Results<T> {
    for_each(inputs, common, ticket, |input| {
        work(input, load(&input.path, common.fps)?)
    })
}

/// [`for_each_clip`] for what is learned from, measured or compared: see [`load_motion`].
pub(super) fn for_each_motion<T: Send>(
    inputs: &[Input],
    common: &Common,
    ticket: &Ticket,
    work: impl Fn(&Input, Clip) -> anyhow::Result<T> + Sync,
) -> Results<T> {
    for_each(inputs, common, ticket, |input| {
        work(input, load_motion(&input.path, common.fps, common)?)
    })
}

fn for_each<T: Send>(
    inputs: &[Input],
    common: &Common,
    ticket: &Ticket,
    work: impl Fn(&Input) -> anyhow::Result<T> + Sync,
) -> Results<T> {
    let progress = Progress::start("reading", inputs.len(), common.quiet);
    let each = inputs
        .par_iter()
        .map(|input| {
            ticket.check()?;
            let result = work(input);
            progress.tick();
            result
        })
        .collect();
    progress.finish();
    let results = Results {
        each,
        is_cancelled: ticket.check().is_err(),
    };
    if !results.is_cancelled {
        for (input, result) in inputs.iter().zip(&results.each) {
            if let Err(error) = result {
                eprintln!("error: {}: {}", input.path.display(), reason(error));
            }
        }
    }
    results
}

/// A set of clips, all in memory.
pub(super) struct LoadedClips {
    pub(super) clips: Vec<Clip>,
    /// Whether none had to be left out.
    pub(super) all_read: bool,
}

impl LoadedClips {
    pub(super) fn refs(&self) -> Vec<&Clip> {
        self.clips.iter().collect()
    }
}

/// Reads all motions; those that cannot be read are named and left out. Paths without a single good clip are an error.
pub(super) fn load_all(
    paths: &[PathBuf],
    common: &Common,
    ticket: &Ticket,
) -> anyhow::Result<LoadedClips> {
    let results = for_each_motion(&expand(paths), common, ticket, |_, clip| Ok(clip));
    ticket.check()?;
    let n_inputs = results.each.len();
    let clips: Vec<Clip> = results.each.into_iter().flatten().collect();
    anyhow::ensure!(
        !clips.is_empty() || n_inputs == 0,
        "none of the clips can be used"
    );
    Ok(LoadedClips {
        all_read: clips.len() == n_inputs,
        clips,
    })
}

/// One clip, at the rate that was asked for.
pub(super) fn load(path: &Path, fps: Option<f64>) -> anyhow::Result<Clip> {
    at_rate(file::read_clip(path)?, fps)
}

/// One clip without the T-pose that converters put before the motion, and which no model should take for a part of it;
/// a note says so. It goes before the rate is changed, since frames between it and the motion would be neither.
pub(super) fn load_motion(path: &Path, fps: Option<f64>, common: &Common) -> anyhow::Result<Clip> {
    let clip = file::read_clip(path)?;
    let motion = edit::drop_tpose(&clip)?;
    let n_dropped = clip.n_frames() - motion.n_frames();
    if n_dropped > 0 && !common.quiet {
        let path = path.display();
        let frames = match n_dropped {
            1 => "first frame".to_owned(),
            n => format!("first {n} frames"),
        };
        eprintln!("note: {path}: a T-pose in the {frames} is left out");
    }
    at_rate(motion, fps)
}

fn at_rate(clip: Clip, fps: Option<f64>) -> anyhow::Result<Clip> {
    Ok(match fps {
        Some(fps) => edit::resample(&clip, fps)?,
        None => clip,
    })
}
