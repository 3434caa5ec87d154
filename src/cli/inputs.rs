//! The clips on a command line: files and folders, read in parallel, the bad ones named.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::progress::Progress;
use super::{Common, End, reason, usage};
use crate::file;
use crate::jobs::Ticket;
use crate::motion::{Clip, edit};

/// One clip to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Input {
    /// Path of the file.
    pub(super) path: PathBuf,
    /// Which take of the file, counted from 0; files without takes have one.
    take: usize,
    /// Where its results belong below an output folder: its name, or its place below the folder that was given;
    /// without ending.
    pub(super) place: PathBuf,
}

impl Input {
    fn file(path: &Path) -> Self {
        let place = path.file_stem();
        Self::at(
            path.to_owned(),
            place.map_or_else(|| "clip".into(), PathBuf::from),
        )
    }

    /// The only take of a file.
    pub(super) fn at(path: PathBuf, place: PathBuf) -> Self {
        Self {
            path,
            take: 0,
            place,
        }
    }

    /// One for each take of a file that may hold several; a file that cannot be read stays one and fails later.
    fn each_take(self) -> Vec<Self> {
        let names = file::take_names(&self.path).unwrap_or_default();
        if names.len() < 2 {
            return vec![self];
        }
        names
            .iter()
            .enumerate()
            .map(|(take, name)| {
                let mut place = self.place.clone().into_os_string();
                place.push("_");
                // A name may hold anything, also what leads out of the folder.
                place.push(name.replace(|c: char| !(c.is_alphanumeric() || c == '-'), "_"));
                // Takes of one name must not write over each other.
                let n_before = names[..take].iter().filter(|other| *other == name).count();
                if n_before > 0 {
                    place.push(format!("_{}", n_before + 1));
                }
                Self {
                    path: self.path.clone(),
                    take,
                    place: place.into(),
                }
            })
            .collect()
    }
}

/// Files as they are; of folders every motion file below, sorted. Files with several takes are as many clips. A folder
/// that cannot be listed, or holds none, stays in the list and fails when it is read, like any other bad input.
pub(super) fn expand(
    paths: &[PathBuf],
    common: &Common,
    ticket: &Ticket,
) -> anyhow::Result<Vec<Input>> {
    let mut inputs = Vec::new();
    for path in paths {
        let found = if path.is_dir() {
            clips_below(path, common, ticket)?
        } else {
            Vec::new()
        };
        if found.is_empty() {
            inputs.push(Input::file(path));
        }
        inputs.extend(found.into_iter().map(|clip| {
            let below = clip.strip_prefix(path).unwrap_or(&clip);
            let place = below.with_extension("");
            Input::at(clip, place)
        }));
    }
    Ok(inputs.into_iter().flat_map(Input::each_take).collect())
}

/// Nobody keeps clips in more folders; whoever names `/` means something else.
const MOST_FOLDERS: usize = 100_000;

fn clips_below(folder: &Path, common: &Common, ticket: &Ticket) -> anyhow::Result<Vec<PathBuf>> {
    const TELL_EVERY: Duration = Duration::from_secs(2);
    let mut n_folders = 0;
    let mut told = Instant::now();
    file::files_below(folder, file::is_motion_of_folder, || {
        ticket.check()?;
        n_folders += 1;
        if n_folders > MOST_FOLDERS {
            let place = folder.display();
            return Err(usage(format!(
                "{place}: more than {MOST_FOLDERS} folders lie below; name one that is nearer to the clips"
            )));
        }
        if !common.quiet && told.elapsed() >= TELL_EVERY {
            told = Instant::now();
            tell!("searching {}: {n_folders} folders", folder.display());
        }
        Ok(())
    })
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
    for_each(inputs, common, ticket, |input, clip| {
        work(input, at_rate(clip, common.fps)?)
    })
}

/// [`for_each_clip`] for what is learned from, measured or compared: see [`load_motion`].
pub(super) fn for_each_motion<T: Send>(
    inputs: &[Input],
    common: &Common,
    ticket: &Ticket,
    work: impl Fn(&Input, Clip) -> anyhow::Result<T> + Sync,
) -> Results<T> {
    for_each(inputs, common, ticket, |input, clip| {
        work(input, motion_of(&clip, &input.path, common.fps, common)?)
    })
}

fn for_each<T: Send>(
    inputs: &[Input],
    common: &Common,
    ticket: &Ticket,
    work: impl Fn(&Input, Clip) -> anyhow::Result<T> + Sync,
) -> Results<T> {
    let progress = Progress::start("reading", inputs.len(), common.quiet);
    let do_one = |input: &Input, clip: anyhow::Result<Clip>| {
        ticket.check()?;
        let result = clip.and_then(|clip| work(input, clip));
        progress.tick();
        result
    };
    // Takes of one file come one after another, and are read together.
    let files: Vec<&[Input]> = inputs
        .chunk_by(|a, b| a.path == b.path && a.take < b.take)
        .collect();
    let each = files
        .par_iter()
        .flat_map_iter(|takes| match takes {
            [input] => vec![do_one(input, read_take(input))],
            takes => match file::read_clips(&takes[0].path) {
                Ok(clips) if clips.len() == takes.len() => {
                    let both = takes.iter().zip(clips);
                    both.map(|(take, clip)| do_one(take, Ok(clip))).collect()
                }
                _ => takes
                    .iter()
                    .map(|take| do_one(take, read_take(take)))
                    .collect(),
            },
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
                tell!("error: {}: {}", input.path.display(), reason(error));
            }
        }
    }
    results
}

fn read_take(input: &Input) -> anyhow::Result<Clip> {
    let mut clips = file::read_clips(&input.path)?;
    let (wanted, found) = (input.take, clips.len());
    anyhow::ensure!(wanted < found, file::ReadError::NoTake { wanted, found });
    Ok(clips.swap_remove(wanted))
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
    let inputs = expand(paths, common, ticket)?;
    let results = for_each_motion(&inputs, common, ticket, |_, clip| Ok(clip));
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
    motion_of(&file::read_clip(path)?, path, fps, common)
}

fn motion_of(clip: &Clip, path: &Path, fps: Option<f64>, common: &Common) -> anyhow::Result<Clip> {
    let motion = edit::drop_tpose(clip)?;
    let n_dropped = clip.n_frames() - motion.n_frames();
    if n_dropped > 0 && !common.quiet {
        let path = path.display();
        let frames = match n_dropped {
            1 => "first frame".to_owned(),
            n => format!("first {n} frames"),
        };
        tell!("note: {path}: a T-pose in the {frames} is left out");
    }
    at_rate(motion, fps)
}

fn at_rate(clip: Clip, fps: Option<f64>) -> anyhow::Result<Clip> {
    Ok(match fps {
        Some(fps) => edit::resample(&clip, fps)?,
        None => clip,
    })
}
