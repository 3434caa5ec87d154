//! `kinfolk repeats`: finds and cuts all ranges similar to a query.

use std::path::PathBuf;

use anyhow::Context as _;
use serde_json::json;

use super::cuts::{CutRange, Cuts};
use super::inputs::{expand, for_each_clip, load};
use super::progress::ticket_for_ctrl_c;
use super::{Common, End, FrameRange, between, check_folder, count, positive, print, print_json};
use crate::motion::repeats::{RepeatQuery, RepeatSettings};
use crate::motion::{body, edit};

/// Finds and cuts all ranges similar to a query range
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The clip that contains the query
    #[arg(value_name = "CLIP")]
    clip: PathBuf,
    /// The query: frames A up to, not including, B
    #[arg(long, value_name = "A..B")]
    range: FrameRange,
    /// Where to look: files, or folders with all .bvh files below
    #[arg(long = "in", required = true, num_args = 1.., value_name = "CLIP")]
    takes: Vec<PathBuf>,
    /// Folder for the cut clips and their manifest.csv
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Largest distance from the query: mean distance of joints in units of the file [default: by how
    /// much the query moves]
    #[arg(long, value_name = "LENGTH", value_parser = positive)]
    threshold: Option<f64>,
    /// Repeats last at most this many times as long as the query, or as many times shorter (up to 2)
    #[arg(long, default_value_t = 1.25, value_name = "FACTOR", value_parser = between(1.0, 2.0))]
    stretch: f64,
    /// Keep only the N nearest
    #[arg(long, value_name = "N", value_parser = count)]
    most: Option<usize>,
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    let ticket = ticket_for_ctrl_c()?;
    check_folder(&args.out)?;
    let clip = load(&args.clip, common.fps).with_context(|| args.clip.display().to_string())?;
    let height = body::height(&clip);
    let settings = RepeatSettings {
        stretch: args.stretch,
        threshold: args.threshold.map(|units| units / height),
    };
    let query = RepeatQuery::new(&clip, args.range.within(clip.n_frames()), &settings)?;
    let inputs = expand(&args.takes, common, &ticket)?;
    // Takes are let go as soon as they are searched: hours of them would not fit in memory.
    let results = for_each_clip(&inputs, common, &ticket, |_, take| Ok(query.search(&take)?));
    if results.is_cancelled {
        return Ok(End::Cancelled);
    }
    let mut hits: Vec<CutRange<'_>> = inputs
        .iter()
        .zip(&results.each)
        .flat_map(|(input, found)| found.iter().flatten().map(move |f| (input, f)))
        .map(|(input, found)| CutRange {
            input,
            frames: found.frames.clone(),
            value: found.distance * height,
        })
        .collect();
    hits.sort_by(|a, b| a.value.total_cmp(&b.value));
    hits.truncate(args.most.unwrap_or(usize::MAX));
    let stem = args.clip.file_stem().unwrap_or_default().to_string_lossy();
    let cuts = Cuts {
        ranges: hits,
        value_name: "distance",
        stem: &stem,
    };
    let files = cuts.write(&args.out, common, |take, frames| {
        Ok(edit::trim(take, frames)?)
    })?;
    if common.json {
        let threshold = query.threshold() * height;
        print_json(&json!({ "found": cuts.json(&files), "threshold": threshold }))?;
    } else {
        print(&cuts.text())?;
    }
    Ok(results.end())
}
