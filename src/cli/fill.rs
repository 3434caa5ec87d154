//! `kinfolk fill`: a take rebuilt from the joints that were seen.

use std::path::PathBuf;

use anyhow::Context as _;
use serde_json::json;

use super::inputs::load;
use super::progress::{Watched, ticket_for_ctrl_c};
use super::styles::{open, site, write_bvh};
use super::{Common, End, FrameRange, check_file, print, print_json};
use crate::motion::{Site, body};
use crate::style::solve::{FillError, MotionSolveError, SolveSettings, Solver, fill};

/// Rebuilds a clip from the positions of the joints that are not missing
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The style, made by `kinfolk style learn`, for example from the good part of the same take
    #[arg(value_name = "STYLE.ron")]
    style: PathBuf,
    /// The clip to rebuild
    #[arg(value_name = "CLIP")]
    clip: PathBuf,
    /// Joints to rebuild, whose positions are missing or wrong
    #[arg(long, required = true, value_delimiter = ',', value_name = "JOINT,...")]
    missing: Vec<String>,
    /// Only these frames: A up to, not including, B [default: all]
    #[arg(long, value_name = "A..B")]
    range: Option<FrameRange>,
    /// The whole take, rebuilt where joints were missing
    #[arg(long, value_name = "CLIP.bvh")]
    out: PathBuf,
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    let ticket = ticket_for_ctrl_c()?;
    check_file(&args.out, common)?;
    let style = open(&args.style)?;
    let clip = load(&args.clip, common.fps).with_context(|| args.clip.display().to_string())?;
    let mut missing = vec![false; clip.skeleton().n_joints()];
    for name in &args.missing {
        match site(clip.skeleton(), name.trim())? {
            Site::Joint(joint) => missing[joint] = true,
            Site::End(_) => anyhow::bail!(
                "\"{}\" is the tip of a bone and goes where its joint goes; name the joint",
                name.trim()
            ),
        }
    }
    let frames = match args.range {
        Some(range) => range.within(clip.n_frames()),
        None => 0..clip.n_frames(),
    };
    let solver = Solver::new(&style, SolveSettings::default())?;
    let is_missing = |_: usize, joint: usize| missing[joint];
    let watched = Watched::start("rebuilding", &ticket, common.quiet);
    let filled = fill(&solver, &clip, frames.clone(), &is_missing, &ticket);
    watched.finish();
    let filled = match filled {
        Err(FillError::Take(MotionSolveError::Cancelled(_))) => return Ok(End::Cancelled),
        filled => filled.with_context(|| args.clip.display().to_string())?,
    };
    write_bvh(&filled.clip, &args.out, common)?;
    if common.json {
        print_json(&json!({
            "file": args.out, "frames": frames.len(),
            "mean_error": filled.mean_error, "max_error": filled.max_error,
            "mean_error_heights": filled.mean_error / body::height(&clip),
            "max_seen_error": filled.max_seen_error,
            "max_seen_error_heights": filled.max_seen_error / body::height(&clip),
        }))?;
    } else {
        print(&format!(
            "{} frames rebuilt; missing joints are {:.3} from the clip on average, {:.3} at most; the others are \
             within {:.4}\n{}\n",
            frames.len(),
            filled.mean_error,
            filled.max_error,
            filled.max_seen_error,
            args.out.display()
        ))?;
    }
    Ok(End::Done)
}
