//! `kinfolk demo`: the tour without a window, on the motions that the program makes itself.
//!
//! The motions are written and measured here; everything else is made by the program's own commands ([`commands`]), and
//! told on one page ([`sections`]).

mod commands;
mod sections;

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use rayon::prelude::*;
use serde_json::json;

use super::{Common, End, TO_STRING, check_folder, print, print_json, write_file};
use crate::demo::{DemoClip, library};
use crate::file::{bvh, tour_page};
use crate::motion::body;
use crate::motion::metrics::{FootLevels, foot_slide, jerk, penetration};

/// The whole tour: similar clips, variants, poses, transitions, a path, measures, and a page with all of it
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Folder for the results
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Write only the motions, their labels and measures
    #[arg(long)]
    motions: bool,
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    check_folder(&args.out)?;
    let clips = library();
    let mut files = clips
        .par_iter()
        .map(|demo| {
            let written = bvh::write(&demo.clip, &bvh::WriteSettings::default());
            write_file(&args.out.join(place(demo)), &written.bytes, common)
        })
        .collect::<anyhow::Result<Vec<PathBuf>>>()?;
    let tables = [
        ("labels.csv", labels(&clips)),
        ("measures.csv", measures(&clips)?),
    ];
    for (name, text) in tables {
        files.push(write_file(&args.out.join(name), text.as_bytes(), common)?);
    }
    if args.motions {
        let (n_clips, out) = (clips.len(), args.out.display());
        return told(
            &files,
            &format!("{n_clips} clips in {out}, labels in labels.csv, metrics in measures.csv"),
            common,
        );
    }
    let made = sections::Tour::of(&args.out, &clips, common)?.make()?;
    files.extend(made.files);
    let page = tour_page::page(&made.sections)?;
    let index = write_file(&args.out.join("index.html"), page.as_bytes(), common)?;
    let (n_files, out) = (files.len() + 1, args.out.display());
    let text = format!(
        "{n_files} files in {out}; open {} in a browser",
        index.display()
    );
    files.push(index);
    told(&files, &text, common)
}

fn told(files: &[PathBuf], text: &str, common: &Common) -> anyhow::Result<End> {
    if common.json {
        let names: Vec<String> = files.iter().map(|f| f.display().to_string()).collect();
        print_json(&json!({ "files": names }))?;
    } else {
        print(&format!("{text}\n"))?;
    }
    Ok(End::Done)
}

fn place(demo: &DemoClip) -> String {
    format!("clips/{}.bvh", demo.clip.info.name)
}

fn labels(clips: &[DemoClip]) -> String {
    let mut text = "file,label,fits,seconds\n".to_owned();
    for demo in clips {
        let fits = if demo.fits { "yes" } else { "no" };
        let (label, seconds) = (demo.action.name(), demo.clip.seconds());
        writeln!(text, "{},{label},{fits},{seconds:.3}", place(demo)).expect(TO_STRING);
    }
    text
}

/// Lengths in centimetres, the unit of the demo body.
fn measures(clips: &[DemoClip]) -> anyhow::Result<String> {
    let rows = clips
        .par_iter()
        .map(|demo| {
            let clip = &demo.clip;
            let (height, fps) = (body::height(clip), clip.fps());
            let ground = FootLevels::learn(&[clip])?;
            let slide = foot_slide(clip, &ground, fps)?;
            let depth = penetration(clip, &ground, fps)?;
            let jerk = jerk(clip, fps)?;
            Ok(format!(
                "{},{:.3},{:.3},{:.1}\n",
                clip.info.name,
                slide.speed * height,
                depth.depth * height,
                jerk.value
            ))
        })
        .collect::<anyhow::Result<Vec<String>>>()
        .context("measuring the demo motions")?;
    let header = "name,foot_slide_cm_per_s,penetration_cm,jerk_heights_per_s3\n";
    Ok([header, &rows.concat()].concat())
}
