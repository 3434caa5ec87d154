//! `kinfolk texture learn`: labelled clips become a texture file.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;
use serde_json::json;

use super::labels::Labels;
use crate::cli::consistent_clips::{at_one_rate, on_one_skeleton, with_motion, with_own_names};
use crate::cli::inputs::load_all;
use crate::cli::onto::OntoArgs;
use crate::cli::progress::{Watched, ticket_for_ctrl_c};
use crate::cli::{
    Common, End, TO_STRING, check_file, positive, print, print_json, whole, write_file,
};
use crate::file::texture_file::{self, MOST_EM_ROUNDS};
use crate::jobs::Ticket;
use crate::motion::Clip;
use crate::texture::search::LabelRoutes;
use crate::texture::{FrameId, LabelledClip, Texture, TextureSettings};

/// Learns a texture: systems for the actions of labelled clips, and where one may go over into another
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Clips on one skeleton. Files, or folders with all .bvh files below
    #[arg(required = true, value_name = "CLIP")]
    clips: Vec<PathBuf>,
    #[command(flatten)]
    onto: OntoArgs,
    /// The file to write; it holds the clips, too
    #[arg(long, value_name = "TEXTURE.ron")]
    out: PathBuf,
    /// A table with the columns file, relative to the table, and label [default: a clip is called by its name without
    /// the numbers behind it: `kick_l_24_1` is a `kick_l`]
    #[arg(long, value_name = "LABELS.csv")]
    labels: Option<PathBuf>,
    /// Motions may go over into each other up to this distance: cross entropy in nats a degree of freedom [default:
    /// such that three of four takes that pass each other are linked]
    #[arg(long, value_name = "T", value_parser = positive)]
    threshold: Option<f64>,
    /// A stretch counts as covered if its system predicts other takes within so many degrees of a joint
    #[arg(long, value_name = "DEG", default_value_t = TextureSettings::default().most_error_deg, value_parser = positive)]
    max_error: f64,
    /// Rounds of expectation maximisation for each system, after the closed form
    #[arg(long, value_name = "ROUNDS", default_value_t = TextureSettings::default().em_rounds, value_parser = whole(0, MOST_EM_ROUNDS))]
    em: usize,
}

/// A texture and how it came about.
struct Made {
    texture: Texture,
    /// Whether no clip and no row of the labels had to be left out.
    all_used: bool,
    seconds: f64,
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    let ticket = ticket_for_ctrl_c()?;
    check_file(&args.out, common)?;
    let made = learned(args, common, &ticket)?;
    let text = texture_file::write(&made.texture.parts())?;
    let reachable = label_pairs_reachable(&made.texture, &ticket)?;
    ticket.check()?;
    write_file(&args.out, text.as_bytes(), common)?;
    if common.json {
        print_json(&as_json(args, &made, reachable))?;
    } else {
        print(&as_text(args, &made, reachable))?;
    }
    Ok(if made.all_used {
        End::Done
    } else {
        End::SomeFailed
    })
}

fn learned(args: &Args, common: &Common, ticket: &Ticket) -> anyhow::Result<Made> {
    let mut all_used = true;
    let labels = Labels::read(args.labels.as_deref(), &mut all_used)?;
    let mut set = load_all(&args.clips, common, ticket)?;
    set.clips = args.onto.bring(set.clips)?;
    all_used &= set.all_read;
    let clips = labels.labelled(set.clips, &mut all_used);
    let clips = on_one_skeleton(with_motion(clips, &mut all_used), &mut all_used)?;
    let first = clips.first().context("none of the clips can be used")?;
    let fps = first.fps();
    let clips = at_one_rate(clips, fps, "texture", &mut all_used, common);
    let clips = with_labels(clips, &labels, common);
    let settings = TextureSettings {
        seed: common.seed,
        most_error_deg: args.max_error,
        threshold: args.threshold,
        em_rounds: args.em,
    };
    let started = Instant::now();
    let watched = Watched::start("learning", ticket, common.quiet);
    let texture = Texture::learn(&clips, &settings, ticket);
    watched.finish();
    Ok(Made {
        texture: texture?,
        all_used,
        seconds: started.elapsed().as_secs_f64(),
    })
}

/// Clips get names of their own after their labels, which a number behind a name would change.
fn with_labels(clips: Vec<Clip>, labels: &Labels, common: &Common) -> Vec<LabelledClip> {
    let called: Vec<String> = clips
        .iter()
        .map(|clip| labels.of(clip).unwrap_or_default())
        .collect();
    let clips = with_own_names(clips, &[], "texture", common);
    let pairs = clips.into_iter().zip(called);
    pairs
        .map(|(clip, label)| LabelledClip {
            clip: Arc::clone(&clip),
            label,
        })
        .collect()
}

/// The share of ordered pairs of different labels such that from some frame of the one the other is reached; none if
/// there is only one label.
fn label_pairs_reachable(texture: &Texture, ticket: &Ticket) -> anyhow::Result<Option<f64>> {
    let corpus = texture.search();
    let n_labels = texture.corpus().labels.len();
    if n_labels < 2 {
        return Ok(None);
    }
    let mut n_reached = 0;
    for to in 0..n_labels {
        ticket.check()?;
        let routes = LabelRoutes::to(&corpus, &[to]);
        let mut leads = vec![false; n_labels];
        for (clip, track) in corpus.tracks.iter().enumerate() {
            for (frame, &label) in track.labels.iter().enumerate() {
                leads[label] |= routes.secs(FrameId { clip, frame }).is_finite();
            }
        }
        leads[to] = false;
        n_reached += leads.iter().filter(|l| **l).count();
    }
    let n_pairs = n_labels * (n_labels - 1);
    Ok(Some(n_reached as f64 / n_pairs as f64))
}

fn as_json(args: &Args, made: &Made, reachable: Option<f64>) -> serde_json::Value {
    let texture = &made.texture;
    let (corpus, summary) = (texture.corpus(), texture.summary());
    json!({
        "file": args.out.display().to_string(),
        "clips": corpus.clips.len(),
        "fps": corpus.fps(),
        "frames": summary.n_frames,
        "systems": texture.systems().len(),
        "sections": summary.n_sections,
        "labels": corpus.labels.len(),
        "label_names": corpus.labels,
        "labels_from": if args.labels.is_some() { "table" } else { "names" },
        "transitions": texture.graph().transitions().len(),
        "covered_frames": summary.n_covered,
        "alone_frames": summary.n_alone,
        "too_far_frames": summary.n_too_far,
        "left_out_frames": summary.n_left_out,
        "mended": summary.n_mended,
        "error_deg": summary.error_deg,
        "dims": summary.n_dims,
        "threshold": texture.threshold(),
        "label_pairs_reachable": reachable,
        "seconds": made.seconds,
    })
}

fn as_text(args: &Args, made: &Made, reachable: Option<f64>) -> String {
    let texture = &made.texture;
    let (corpus, summary) = (texture.corpus(), texture.summary());
    let from = if args.labels.is_some() {
        ""
    } else {
        ", by the names of the clips"
    };
    let mut text = format!(
        "{} clips, {} frames at {:.0} a second; {} labels{from}: {}\n",
        corpus.clips.len(),
        summary.n_frames,
        corpus.fps(),
        corpus.labels.len(),
        corpus.labels.join(", ")
    );
    let percent = |n: usize| 100.0 * n as f64 / summary.n_frames.max(1) as f64;
    write!(
        text,
        "{} systems of {} numbers on {} sections; ",
        texture.systems().len(),
        summary.n_dims,
        summary.n_sections
    )
    .expect(TO_STRING);
    if summary.n_covered + summary.n_too_far > 0 {
        let error = summary.error_deg;
        writeln!(
            text,
            "other takes are predicted within {error:.1} degrees on average"
        )
    } else {
        writeln!(
            text,
            "no take passes another, so nothing is known of how takes differ"
        )
    }
    .expect(TO_STRING);
    writeln!(
        text,
        "{:.0} % of the frames covered, {:.0} % predicted worse than {} degrees, {:.0} % passed by no other take, {:.0} % left out",
        percent(summary.n_covered),
        percent(summary.n_too_far),
        args.max_error,
        percent(summary.n_alone),
        percent(summary.n_left_out)
    )
    .expect(TO_STRING);
    if summary.n_mended > 0 {
        let n = summary.n_mended;
        writeln!(text, "{n} frames of joints that jumped were mended").expect(TO_STRING);
    }
    write!(
        text,
        "{} transitions up to a distance of {:.2}",
        texture.graph().transitions().len(),
        texture.threshold()
    )
    .expect(TO_STRING);
    if let Some(share) = reachable {
        write!(
            text,
            "; {:.0} % of the pairs of labels lead from one to the other",
            100.0 * share
        )
        .expect(TO_STRING);
        if share < 1.0 {
            text.push_str(" (more clips that pass near both would help, a higher --threshold may)");
        }
    }
    writeln!(text, "\n{:.1} s\n{}", made.seconds, args.out.display()).expect(TO_STRING);
    text
}
