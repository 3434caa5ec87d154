//! `kinfolk texture list`: what actions a texture has, and what was learned of each.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::json;

use super::annotate::span_json;
use super::open;
use crate::cli::progress::ticket_for_ctrl_c;
use crate::cli::{Common, End, TO_STRING, print, print_json};
use crate::texture::{Fit, Texture};

/// Tells what can be asked of a texture, and what its systems are
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// What `kinfolk texture learn` wrote
    #[arg(value_name = "TEXTURE.ron")]
    texture: PathBuf,
}

/// One system, as it is listed.
struct Told<'a> {
    labels: BTreeSet<&'a str>,
    n_sections: usize,
    n_frames: usize,
    /// Mean prediction error over the frames for which there is one, degrees.
    error_deg: Option<f64>,
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    let ticket = ticket_for_ctrl_c()?;
    let texture = open(&args.texture, common, &ticket)?;
    ticket.check()?;
    if common.json {
        print_json(&as_json(&texture))?;
    } else {
        print(&as_text(&texture))?;
    }
    Ok(End::Done)
}

fn systems(texture: &Texture) -> Vec<Told<'_>> {
    let corpus = texture.corpus();
    let one = |system: usize| {
        let own = texture.sections().iter().filter(|s| s.system == system);
        let mut told = Told {
            labels: BTreeSet::new(),
            n_sections: 0,
            n_frames: 0,
            error_deg: None,
        };
        let (mut sum, mut weight) = (0.0, 0);
        for section in own {
            let label = corpus.clips[section.clip].label;
            told.labels.insert(corpus.labels[label].as_str());
            told.n_sections += 1;
            told.n_frames += section.frames.len();
            if let Fit::Predicted(deg) | Fit::TooFar(deg) = section.fit {
                sum += deg * section.frames.len() as f64;
                weight += section.frames.len();
            }
        }
        told.error_deg = (weight > 0).then(|| sum / weight as f64);
        told
    };
    (0..texture.systems().len()).map(one).collect()
}

fn as_json(texture: &Texture) -> serde_json::Value {
    let corpus = texture.corpus();
    let commands = texture.commands();
    let commands = commands.iter().map(|command| {
        json!({
            "name": command.name,
            "frames": command.n_frames,
            "seconds": command.n_frames as f64 / corpus.fps(),
            "by_hand": corpus.label(&command.name).is_none(),
        })
    });
    let systems = systems(texture);
    let systems = systems.iter().map(|told| {
        json!({
            "labels": told.labels,
            "sections": told.n_sections,
            "frames": told.n_frames,
            "error_deg": told.error_deg,
        })
    });
    let clips = corpus.clips.iter().map(|clip| {
        json!({
            "name": clip.join.clip.info.name,
            "label": corpus.labels[clip.label],
            "frames": clip.curves.n_frames(),
        })
    });
    let annotations = texture.annotations().iter().map(|annotation| {
        let spans = annotation.spans.iter().map(|s| span_json(s, texture));
        json!({"name": annotation.name, "spans": spans.collect::<Vec<_>>()})
    });
    json!({
        "fps": corpus.fps(),
        "frames": corpus.n_frames(),
        "transitions": texture.graph().transitions().len(),
        "threshold": texture.threshold(),
        "commands": commands.collect::<Vec<_>>(),
        "systems": systems.collect::<Vec<_>>(),
        "clips": clips.collect::<Vec<_>>(),
        "annotations": annotations.collect::<Vec<_>>(),
    })
}

fn as_text(texture: &Texture) -> String {
    let corpus = texture.corpus();
    let mut text = "frames  seconds  command\n".to_owned();
    for command in texture.commands() {
        let secs = command.n_frames as f64 / corpus.fps();
        let (n, name) = (command.n_frames, &command.name);
        let by_hand = if corpus.label(name).is_none() {
            " (by hand)"
        } else {
            ""
        };
        writeln!(text, "{n:>6}  {secs:>7.1}  {name}{by_hand}").expect(TO_STRING);
    }
    text.push_str("\nsystem  sections  frames  error  labels\n");
    for (at, told) in systems(texture).iter().enumerate() {
        let labels: Vec<&str> = told.labels.iter().copied().collect();
        let error = told.error_deg.map_or("-".to_owned(), |e| format!("{e:.1}"));
        writeln!(
            text,
            "{at:>6}  {:>8}  {:>6}  {error:>5}  {}",
            told.n_sections,
            told.n_frames,
            labels.join(", ")
        )
        .expect(TO_STRING);
    }
    writeln!(
        text,
        "\n{} transitions up to a distance of {:.2}; errors are degrees of a joint, - where no other take passes",
        texture.graph().transitions().len(),
        texture.threshold()
    )
    .expect(TO_STRING);
    text
}
