//! `kinfolk style`: pose models learned from clips.

use std::fmt::Write as _;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use serde_json::json;

use super::inputs::{expand, for_each_motion};
use super::progress::{Watched, ticket_for_ctrl_c};
use super::{
    Common, End, TO_STRING, check_file, print, print_json, style_compare, whole, write_file,
};
use crate::file::style_file;
use crate::motion::Clip;
use crate::style::{LearnSettings, MapView, Method, Sharpness, Style, StyleError};

/// Learns a style, or compares one with other methods
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Learn(LearnArgs),
    Compare(style_compare::Args),
}

/// Learns a pose model from clips on one skeleton
#[derive(Debug, clap::Args)]
struct LearnArgs {
    /// Files, or folders with all .bvh files below
    #[arg(required = true, value_name = "CLIP")]
    clips: Vec<PathBuf>,
    /// The style file to write
    #[arg(long, value_name = "STYLE.ron")]
    out: PathBuf,
    /// Active set size: how many training poses are kept at most; more are slower to solve with
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = whole(3, 2000))]
    active: usize,
    /// Dimensions of the latent space; more than ten explain nothing that fewer do not
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = whole(1, 10))]
    latent: usize,
    /// Fit more poses for longer: a better model, after a minute instead of a second
    #[arg(long)]
    full: bool,
    /// The quick method of the paper's appendix B, which alternates between kernel and active set
    #[arg(long, conflicts_with_all = ["full", "gaussian"])]
    heuristic: bool,
    /// Learn only a Gaussian over all joints, without a latent space
    #[arg(long, conflicts_with = "full")]
    gaussian: bool,
    /// Also draw the latent space: bright where poses are likely, dots for the poses that are kept
    #[arg(long, value_name = "PICTURE.png")]
    map: Option<PathBuf>,
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    match &args.command {
        Command::Learn(args) => learn(args, common),
        Command::Compare(args) => style_compare::run(args, common),
    }
}

fn settings(args: &LearnArgs, common: &Common) -> LearnSettings {
    let base = if args.full {
        LearnSettings::thorough()
    } else {
        LearnSettings::default()
    };
    LearnSettings {
        method: match (args.heuristic, args.gaussian) {
            (true, _) => Method::ActiveSet,
            (_, true) => Method::Gaussian,
            _ => Method::Full,
        },
        n_active: args.active,
        n_latent: args.latent,
        seed: common.seed,
        ..base
    }
}

fn learn(args: &LearnArgs, common: &Common) -> anyhow::Result<End> {
    let ticket = ticket_for_ctrl_c()?;
    let settings = settings(args, common);
    settings.check()?;
    for file in std::iter::once(&args.out).chain(&args.map) {
        check_file(file, common)?;
    }
    let inputs = expand(&args.clips, common, &ticket)?;
    let results = for_each_motion(&inputs, common, &ticket, |_, clip| Ok(clip));
    if results.is_cancelled {
        return Ok(End::Cancelled);
    }
    let end = results.end();
    let clips: Vec<Clip> = results.each.into_iter().flatten().collect();
    anyhow::ensure!(!clips.is_empty(), "none of the clips can be used");
    let start = Instant::now();
    let refs: Vec<&Clip> = clips.iter().collect();
    let watched = Watched::start("learning", &ticket, common.quiet);
    let learned = Style::learn(&refs, &settings, &ticket);
    watched.finish();
    let style = match learned {
        Err(StyleError::Cancelled(_)) => return Ok(End::Cancelled),
        learned => learned?,
    };
    let watched = Watched::start("trying it on clips left out", &ticket, common.quiet);
    let tried = style.cross_validated(&refs, &ticket);
    watched.finish();
    let style = match tried {
        Err(StyleError::Cancelled(_)) => return Ok(End::Cancelled),
        tried => tried?,
    };
    let seconds = start.elapsed().as_secs_f64();
    write_file(&args.out, style_file::write(&style)?.as_bytes(), common)?;
    if let Some(picture) = &args.map {
        write_map(&style, picture, common)?;
    }
    report(&style, &args.out, seconds, common)?;
    Ok(end)
}

fn report(style: &Style, out: &Path, seconds: f64, common: &Common) -> anyhow::Result<()> {
    let origin = style.origin();
    let latent = style.latent();
    let sharp = latent.map(|model| model.kernel(Sharpness::Sharp));
    if common.json {
        print_json(&json!({
            "file": out, "frames": origin.n_frames, "fitted": origin.n_fitted,
            "active": style.active().len(), "features": style.map().n_features(),
            "latent": latent.map_or(0, crate::style::Gplvm::n_latent),
            "beta": sharp.map(|k| k.beta), "gamma": sharp.map(|k| k.gamma),
            "seconds": seconds, "log_likelihood": origin.log_likelihood,
            "left_out": style.cross_validation().map(|found| json!({
                "folds": found.n_folds,
                "latent_error_heights": found.latent_error,
                "gaussian_error_heights": found.gaussian_error,
                "trusted": if found.trusts_latent() { "latent" } else { "gaussian" },
            })),
        }))?;
        return Ok(());
    }
    let mut text = String::new();
    writeln!(
        text,
        "{} frames, {} features, {} poses kept; log-likelihood {:.0}, {seconds:.2} s\n{}",
        origin.n_frames,
        style.map().n_features(),
        style.active().len(),
        origin.log_likelihood,
        out.display()
    )
    .expect(TO_STRING);
    if let Some(found) = style.cross_validation() {
        writeln!(text, "{}", found.sentence()).expect(TO_STRING);
    }
    Ok(print(&text)?)
}

/// Sides of the picture of the latent space.
const MAP_PIXELS: usize = 640;

/// Grey by likelihood, from the 2nd percentile to the best; kept poses as yellow dots.
fn write_map(style: &Style, path: &Path, common: &Common) -> anyhow::Result<()> {
    let model = style
        .latent()
        .context("a Gaussian has no latent space to draw")?;
    let view = MapView::whole(model);
    let image = model.likelihood_image(Sharpness::Sharp, &view, MAP_PIXELS, MAP_PIXELS);
    let mut sorted = image.values.clone();
    sorted.sort_by(f64::total_cmp);
    let low = sorted[sorted.len() / 50];
    let span = (sorted[sorted.len() - 1] - low).max(f64::MIN_POSITIVE);
    let mut pixels: Vec<u8> = Vec::with_capacity(image.values.len() * 3);
    for value in &image.values {
        let grey = (255.0 * ((value - low) / span).clamp(0.0, 1.0)) as u8;
        pixels.extend([grey; 3]);
    }
    let side = MAP_PIXELS as f64;
    for active in 0..model.n_active() {
        let [across, down] = view.place(model.latent(active)).map(|p| p * side);
        for (dx, dy) in (-2..=2).flat_map(|dx| (-2..=2).map(move |dy| (dx, dy))) {
            let (x, y) = (across + f64::from(dx), down + f64::from(dy));
            if (0.0..side).contains(&x) && (0.0..side).contains(&y) && dx * dx + dy * dy <= 5 {
                let at = 3 * (y as usize * MAP_PIXELS + x as usize);
                pixels[at..at + 3].copy_from_slice(&[250, 200, 40]);
            }
        }
    }
    let sides = MAP_PIXELS as u32;
    let picture = image::RgbImage::from_raw(sides, sides, pixels)
        .context("the picture has another size than its pixels")?;
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, image::ImageFormat::Png)?;
    write_file(path, bytes.get_ref(), common)?;
    Ok(())
}
