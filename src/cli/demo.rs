//! `kinfolk demo`: the tour without a window, on the motions that the program makes itself.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use rayon::prelude::*;
use serde_json::json;

use super::{Common, End, TO_STRING, print, print_json, write_file};
use crate::demo::{DemoClip, library};
use crate::file::bvh;
use crate::motion::body;
use crate::motion::metrics::{FootLevels, foot_slide, jerk, penetration};

/// Writes the demo motions and measures them
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Folder for the results
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
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
    let names: Vec<String> = files.iter().map(|f| f.display().to_string()).collect();
    if common.json {
        print_json(&json!({ "files": names }))?;
    } else {
        print(&format!(
            "{} clips in {}, labels in labels.csv, metrics in measures.csv\n",
            clips.len(),
            args.out.display()
        ))?;
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
