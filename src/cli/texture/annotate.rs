//! `kinfolk texture annotate`: gives parts of clips names by hand, to be played by.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::Context as _;
use serde_json::json;

use super::open;
use crate::cli::consistent_clips::no_clip;
use crate::cli::progress::ticket_for_ctrl_c;
use crate::cli::{Common, End, FrameRange, check_file, print, print_json, usage, write_file};
use crate::file::texture_file;
use crate::texture::{Span, Texture};

/// Gives frames of clips a name of their own, also for compound actions such as "walk, then turn right"
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// What `kinfolk texture learn` wrote
    #[arg(value_name = "TEXTURE.ron")]
    texture: PathBuf,
    /// The texture with the name
    #[arg(long, value_name = "NEW.ron")]
    out: PathBuf,
    /// What the frames are called; a name that was given before is given to these frames instead
    #[arg(long)]
    name: String,
    /// Frames A up to, not including, B of a clip, at the rate of the texture; may be given several times
    #[arg(long, required = true, num_args = 1.., value_name = "CLIP:A..B")]
    span: Vec<NamedSpan>,
}

/// A part of a clip, written `CLIP:A..B`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct NamedSpan {
    clip: String,
    frames: FrameRange,
}

impl FromStr for NamedSpan {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.rsplit_once(':').filter(|(clip, _)| !clip.is_empty());
        let (clip, frames) = parts.ok_or_else(|| {
            format!("expected a clip and frames such as walk_01:10..50, found \"{text}\"")
        })?;
        Ok(Self {
            clip: clip.to_owned(),
            frames: frames.parse()?,
        })
    }
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    let ticket = ticket_for_ctrl_c()?;
    check_file(&args.out, common)?;
    let name = args.name.trim();
    anyhow::ensure!(!name.is_empty(), usage("--name is empty"));
    let texture = open(&args.texture, common, &ticket)?;
    anyhow::ensure!(
        texture.corpus().label(name).is_none(),
        "\"{name}\" is what whole clips are called already; another name is needed"
    );
    let spans = args.span.iter().map(|span| found(span, &texture));
    let spans = spans.collect::<anyhow::Result<Vec<Span>>>()?;
    let texture = texture.annotated(name, spans.clone())?;
    let command = texture.command(name)?;
    ticket.check()?;
    let text = texture_file::write(&texture.parts())?;
    write_file(&args.out, text.as_bytes(), common)?;
    let seconds = command.n_frames as f64 / texture.corpus().fps();
    if common.json {
        print_json(&json!({
            "file": args.out.display().to_string(),
            "name": name,
            "frames": command.n_frames,
            "seconds": seconds,
            "spans": spans.iter().map(|s| span_json(s, &texture)).collect::<Vec<_>>(),
        }))?;
    } else {
        let n = command.n_frames;
        let file = args.out.display();
        print(&format!("\"{name}\": {n} frames, {seconds:.1} s\n{file}\n"))?;
    }
    Ok(End::Done)
}

pub(super) fn span_json(span: &Span, texture: &Texture) -> serde_json::Value {
    json!({
        "clip": texture.corpus().clips[span.clip].join.clip.info.name,
        "from": span.frames.start,
        "to": span.frames.end,
    })
}

/// A clip by its name, or by the file it came from.
fn found(span: &NamedSpan, texture: &Texture) -> anyhow::Result<Span> {
    let clips = texture.corpus().clips.iter().map(|c| &*c.join.clip);
    let at = |name: &str| clips.clone().position(|clip| clip.info.name == name);
    let stem = Path::new(&span.clip).file_stem().unwrap_or_default();
    let clip = at(&span.clip).or_else(|| at(&stem.to_string_lossy()));
    let clip = clip.with_context(|| no_clip("texture", &span.clip, clips.clone()))?;
    let n_frames = texture.corpus().clips[clip].curves.n_frames();
    Ok(Span {
        clip,
        frames: span.frames.within(n_frames),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_read() {
        let span: NamedSpan = "c:/walk_01:10..50".parse().unwrap();
        assert_eq!(span.clip, "c:/walk_01");
        assert_eq!(span.frames.within(80), 10..50);
        for wrong in ["walk_01", "walk_01:", "walk_01:5", ":1..2", "walk_01:a..b"] {
            wrong.parse::<NamedSpan>().unwrap_err();
        }
    }
}
