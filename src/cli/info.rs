//! `kinfolk info`: what is in each file, and what the reader noticed.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::inputs::{Input, Results, expand, for_each_clip};
use super::progress::ticket_for_ctrl_c;
use super::{Common, End, TO_STRING, print, print_json, reason};
use crate::motion::Clip;

/// Shows what is in each file, and what the reader noticed
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files, or folders with all .bvh files below
    #[arg(required = true, value_name = "CLIP")]
    clips: Vec<PathBuf>,
}

struct Summary {
    joints: usize,
    channels: usize,
    frames: usize,
    fps: f64,
    seconds: f64,
    notes: Vec<String>,
}

impl Summary {
    fn of(clip: &Clip) -> Self {
        let joints = clip.skeleton().joints();
        Self {
            joints: joints.len(),
            channels: joints.iter().map(|j| j.channels.len()).sum(),
            frames: clip.n_frames(),
            fps: clip.fps(),
            seconds: clip.seconds(),
            notes: clip.info.notes.iter().map(ToString::to_string).collect(),
        }
    }
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    let ticket = ticket_for_ctrl_c()?;
    let inputs = expand(&args.clips, common, &ticket)?;
    let results = for_each_clip(&inputs, common, &ticket, |_, clip| Ok(Summary::of(&clip)));
    if results.is_cancelled {
        return Ok(End::Cancelled);
    }
    if common.json {
        print_json(&json!({ "clips": as_json(&inputs, &results) }))?;
    } else {
        print(&as_text(&inputs, &results, common.quiet))?;
    }
    Ok(results.end())
}

fn as_json(inputs: &[Input], results: &Results<Summary>) -> Vec<Value> {
    inputs
        .iter()
        .zip(&results.each)
        .map(|(input, result)| {
            let file = input.path.display().to_string();
            match result {
                Ok(s) => json!({
                    "file": file, "joints": s.joints, "channels": s.channels, "frames": s.frames,
                    "fps": s.fps, "seconds": s.seconds, "notes": s.notes, "error": null,
                }),
                Err(error) => json!({
                    "file": file, "joints": null, "channels": null, "frames": null,
                    "fps": null, "seconds": null, "notes": [], "error": reason(error),
                }),
            }
        })
        .collect()
}

fn as_text(inputs: &[Input], results: &Results<Summary>, quiet: bool) -> String {
    let mut text = format!(
        "{:>6} {:>8} {:>8} {:>8} {:>9}  file\n",
        "joints", "channels", "frames", "fps", "seconds"
    );
    for (input, result) in inputs.iter().zip(&results.each) {
        let Ok(s) = result else { continue };
        let fps = (s.fps * 100.0).round() / 100.0;
        let line = writeln!(
            text,
            "{:>6} {:>8} {:>8} {:>8} {:>9.2}  {}",
            s.joints,
            s.channels,
            s.frames,
            fps,
            s.seconds,
            input.path.display()
        );
        line.expect(TO_STRING);
        for note in s.notes.iter().filter(|_| !quiet) {
            writeln!(text, "{:>43}  - {note}", "").expect(TO_STRING);
        }
    }
    text
}
