//! `kinfolk repeats`: finds and cuts all stretches like a marked one.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::json;

use super::inputs::{Input, expand, for_each_clip, load};
use super::progress::ticket_for_ctrl_c;
use super::{Common, End, FrameRange, positive, print, print_json, write_file};
use crate::file::{bvh, csv};
use crate::motion::repeats::{Found, Marked, RepeatSettings};
use crate::motion::{Clip, body, edit};

/// Finds and cuts stretches like the marked one
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The clip with the marked stretch
    #[arg(value_name = "CLIP")]
    clip: PathBuf,
    /// The marked stretch: frames A up to, not including, B
    #[arg(long, value_name = "A..B")]
    range: FrameRange,
    /// Where to look: files, or folders with all .bvh files below
    #[arg(long = "in", required = true, num_args = 1.., value_name = "CLIP")]
    takes: Vec<PathBuf>,
    /// Folder for the cut clips and their manifest.csv
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// How different a stretch may be at most: mean distance of joints in units of the file [default: judged by how
    /// much the marked stretch moves]
    #[arg(long, value_name = "LENGTH", value_parser = positive)]
    threshold: Option<f64>,
    /// Found stretches last at most this many times as long as the marked one, or as many times shorter (up to 2)
    #[arg(long, default_value_t = 1.25, value_name = "FACTOR", value_parser = positive)]
    stretch: f64,
    /// Keep only this many, the nearest
    #[arg(long, value_name = "N")]
    most: Option<usize>,
}

/// One stretch in one of the inputs.
struct Hit<'a> {
    input: &'a Input,
    found: Found,
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    let ticket = ticket_for_ctrl_c()?;
    let clip = load(&args.clip, common.fps).with_context(|| args.clip.display().to_string())?;
    let height = body::height(&clip);
    let settings = RepeatSettings {
        stretch: args.stretch,
        threshold: args.threshold.map(|units| units / height),
    };
    let marked = Marked::new(&clip, args.range.within(clip.n_frames()), &settings)?;
    let inputs = expand(&args.takes);
    // Takes are let go as soon as they are searched: hours of them would not fit in memory.
    let results = for_each_clip(
        &inputs,
        common,
        &ticket,
        |_, take| Ok(marked.search(&take)?),
    );
    if results.is_cancelled {
        return Ok(End::Cancelled);
    }
    let mut hits: Vec<Hit<'_>> = inputs
        .iter()
        .zip(&results.each)
        .flat_map(|(input, found)| found.iter().flatten().map(move |f| (input, f)))
        .map(|(input, found)| Hit {
            input,
            found: found.clone(),
        })
        .collect();
    hits.sort_by(|a, b| a.found.distance.total_cmp(&b.found.distance));
    hits.truncate(args.most.unwrap_or(usize::MAX));
    let stem = args.clip.file_stem().unwrap_or_default().to_string_lossy();
    let files = cut_all(&hits, &stem, height, args, common)?;
    report(&hits, &files, height, marked.threshold(), common)?;
    Ok(results.end())
}

/// Writes the cut clips, numbered by distance, and last the manifest that lists them.
fn cut_all(
    hits: &[Hit<'_>],
    stem: &str,
    height: f64,
    args: &Args,
    common: &Common,
) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::with_capacity(hits.len());
    let mut manifest = "file,source,from,to,distance\n".to_owned();
    let mut last: Option<(&Path, Clip)> = None;
    for (rank, hit) in hits.iter().enumerate() {
        let path = hit.input.path.as_path();
        // Neighbours in rank often come from one take; others are read again, which is quick.
        let take = match last.take() {
            Some((of, take)) if of == path => take,
            _ => load(path, common.fps).with_context(|| path.display().to_string())?,
        };
        let cut = edit::trim(&take, hit.found.frames.clone())?;
        let name = format!("{stem}_{rank:03}.bvh");
        let written = bvh::write(&cut, &bvh::WriteSettings::default());
        files.push(write_file(&args.out.join(&name), &written.bytes, common)?);
        let (from, to) = (hit.found.frames.start, hit.found.frames.end);
        let source = csv::field(path.display().to_string());
        let distance = hit.found.distance * height;
        writeln!(manifest, "{name},{source},{from},{to},{distance:.6}")?;
        last = Some((path, take));
    }
    write_file(&args.out.join("manifest.csv"), manifest.as_bytes(), common)?;
    Ok(files)
}

fn report(
    hits: &[Hit<'_>],
    files: &[PathBuf],
    height: f64,
    threshold: f64,
    common: &Common,
) -> std::io::Result<()> {
    if common.json {
        let found: Vec<_> = hits
            .iter()
            .zip(files)
            .map(|(hit, cut)| {
                json!({
                    "file": hit.input.path.display().to_string(),
                    "from": hit.found.frames.start, "to": hit.found.frames.end,
                    "distance": hit.found.distance * height,
                    "cut": cut.display().to_string(),
                })
            })
            .collect();
        return print_json(&json!({ "found": found, "threshold": threshold * height }));
    }
    print(&format!(
        "{:>10} {:>8} {:>8}  file\n",
        "distance", "from", "to"
    ))?;
    for hit in hits {
        print(&format!(
            "{:>10.4} {:>8} {:>8}  {}\n",
            hit.found.distance * height,
            hit.found.frames.start,
            hit.found.frames.end,
            hit.input.path.display()
        ))?;
    }
    Ok(())
}
