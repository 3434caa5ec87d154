//! `kinfolk cycles`: cuts walks, jogs, hops and the like into single cycles.

use std::path::PathBuf;

use serde_json::json;

use super::cuts::{CutRange, Cuts};
use super::inputs::{expand, for_each_clip};
use super::progress::ticket_for_ctrl_c;
use super::{Common, End, check_folder, count, print, print_json};
use crate::motion::cycles::{CutStart, CycleCut, CycleSettings, find_cycles, make_loop};
use crate::motion::{Clip, body, edit};

/// Cuts cyclic motions (walks, jogs, hops) into single cycles
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Takes: files, or folders with all .bvh files below
    #[arg(required = true, value_name = "CLIP")]
    clips: Vec<PathBuf>,
    /// Folder for the cut clips and their manifest.csv
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Begin each cycle where the left foot is furthest ahead, instead of where the loop quality is best
    #[arg(long)]
    left_foot: bool,
    /// Make each cycle a seamless loop
    #[arg(long)]
    seamless: bool,
    /// Keep only the N best of each take
    #[arg(long, value_name = "N", value_parser = count)]
    most: Option<usize>,
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    let ticket = ticket_for_ctrl_c()?;
    check_folder(&args.out)?;
    let settings = CycleSettings {
        start: if args.left_foot {
            CutStart::LeftFootAhead
        } else {
            CutStart::Anywhere
        },
        ..CycleSettings::default()
    };
    let inputs = expand(&args.clips, common, &ticket)?;
    let results = for_each_clip(&inputs, common, &ticket, |_, clip| {
        let clip = edit::drop_tpose(&clip)?;
        let found = find_cycles(&clip, &settings)?;
        Ok((cycles_apart(found.cuts, args.most), body::height(&clip)))
    });
    if results.is_cancelled {
        return Ok(End::Cancelled);
    }
    let ranges = inputs
        .iter()
        .zip(&results.each)
        .filter_map(|(input, found)| found.as_ref().ok().map(|f| (input, f)))
        .flat_map(|(input, (cuts, height))| {
            cuts.iter().map(move |cut| CutRange {
                input,
                frames: cut.frames.clone(),
                value: cut.gap * height,
            })
        })
        .collect();
    let cuts = Cuts {
        ranges,
        value_name: "gap",
        stem: "cycle",
    };
    let files = cuts.write(&args.out, common, |take, frames| {
        let take = edit::drop_tpose(take)?;
        cut_out(&take, frames, args.seamless)
    })?;
    if common.json {
        print_json(&json!({ "found": cuts.json(&files) }))?;
    } else {
        print(&cuts.text())?;
    }
    Ok(results.end())
}

/// The best cuts that share no frame, in the order of time.
fn cycles_apart(cuts: Vec<CycleCut>, most: Option<usize>) -> Vec<CycleCut> {
    let mut kept: Vec<CycleCut> = Vec::new();
    for cut in cuts {
        let is_apart = kept
            .iter()
            .all(|k| k.frames.end <= cut.frames.start || cut.frames.end <= k.frames.start);
        if is_apart && kept.len() < most.unwrap_or(usize::MAX) {
            kept.push(cut);
        }
    }
    kept.sort_by_key(|cut| cut.frames.start);
    kept
}

fn cut_out(take: &Clip, frames: std::ops::Range<usize>, seamless: bool) -> anyhow::Result<Clip> {
    Ok(if seamless {
        make_loop(take, &frames)?.clip
    } else {
        edit::trim(take, frames)?
    })
}
