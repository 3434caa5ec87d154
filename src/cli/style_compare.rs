//! `kinfolk style compare`: poses found again from a few handles, with the style and without.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use serde_json::json;

use super::inputs::load_all;
use super::progress::{Progress, ticket_for_ctrl_c};
use super::styles::open;
use super::{Common, End, TO_STRING, print, print_json};
use crate::motion::{Clip, PoseRef, Site, body};
use crate::style::solve::{
    IkStart, SolveError, SolveSettings, Solver, handle_sites, joint_error, pins,
};
use crate::style::{PriorKind, Style};

/// Reconstructs held-out poses from a few handles: the style against inverse kinematics without a style
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The style, made by `kinfolk style learn`
    #[arg(value_name = "STYLE.ron")]
    style: PathBuf,
    /// Held-out clips: files, or folders with all .bvh files below
    #[arg(required = true, value_name = "CLIP")]
    clips: Vec<PathBuf>,
    /// How many joints are given: feet, hands, head and root, in this order
    #[arg(long, default_value_t = 6, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=6))]
    handles: u8,
    /// How many poses are tried at most, spread over all frames
    #[arg(long, default_value_t = 200, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    poses: u32,
}

/// Mean distances of joints, in units of the clips, and times.
#[derive(Debug, Default)]
struct StyleComparison {
    n_poses: usize,
    style: f64,
    gaussian: f64,
    plain: f64,
    plain_nearest: f64,
    ms: Vec<f64>,
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    let ticket = ticket_for_ctrl_c()?;
    let style = open(&args.style)?;
    let set = load_all(&args.clips, common, &ticket)?;
    let n_read = set.clips.len();
    let n_handles = usize::from(args.handles);
    let clips = those_that_fit(set.clips, &style, n_handles)?;
    let total: usize = clips.iter().map(Clip::n_frames).sum();
    let stride = total.div_ceil(args.poses as usize).max(1);
    let progress = Progress::start("posing", total.div_ceil(stride), common.quiet);
    let mut found = StyleComparison::default();
    let mut frame = 0;
    for clip in &clips {
        let mut comparer = PoseComparer::new(&style, clip, n_handles)?;
        for pose in clip.frames() {
            if frame % stride == 0 {
                ticket.check()?;
                comparer.pose(pose, &mut found)?;
                progress.tick();
            }
            frame += 1;
        }
    }
    progress.finish();
    report(args, common, &clips, found)?;
    Ok(if set.all_read && clips.len() == n_read {
        End::Done
    } else {
        End::SomeFailed
    })
}

/// The clips that the style can pose; the others are named.
fn those_that_fit(clips: Vec<Clip>, style: &Style, n_handles: usize) -> anyhow::Result<Vec<Clip>> {
    let mut fit = Vec::with_capacity(clips.len());
    for clip in clips {
        match PoseComparer::new(style, &clip, n_handles) {
            Ok(_) => fit.push(clip),
            Err(error) => {
                let file = clip
                    .info
                    .file
                    .as_deref()
                    .unwrap_or(Path::new(&clip.info.name));
                tell!("error: {}: {error}", file.display());
            }
        }
    }
    anyhow::ensure!(!fit.is_empty(), "none of the clips can be used");
    Ok(fit)
}

/// Solvers on the bones of one clip.
struct PoseComparer {
    style: Solver,
    gaussian: Solver,
    sites: Vec<Site>,
}

impl PoseComparer {
    fn new(style: &Style, clip: &Clip, n_handles: usize) -> Result<Self, SolveError> {
        let solver = |settings| Solver::new(style, settings)?.on_skeleton(clip.skeleton());
        let gaussian = SolveSettings {
            prior: PriorKind::Gaussian,
            ..SolveSettings::default()
        };
        Ok(Self {
            style: solver(SolveSettings::default())?,
            gaussian: solver(gaussian)?,
            sites: handle_sites(clip.skeleton(), style.map().root(), n_handles),
        })
    }

    fn pose(&mut self, pose: PoseRef<'_>, found: &mut StyleComparison) -> Result<(), SolveError> {
        let skeleton = Arc::clone(self.style.skeleton());
        let handles = pins(&skeleton, pose, &self.sites);
        let start = Instant::now();
        let solved = self.style.solve(&handles, &mut || true)?;
        found.ms.push(start.elapsed().as_secs_f64() * 1e3);
        let error = |other: PoseRef<'_>| joint_error(&skeleton, other, pose);
        found.n_poses += 1;
        found.style += error(solved.pose.as_ref());
        let gaussian = self.gaussian.solve(&handles, &mut || true)?;
        found.gaussian += error(gaussian.pose.as_ref());
        let plain = self.style.damped_ik(IkStart::Mean, &handles)?;
        found.plain += error(plain.as_ref());
        let nearest = self.style.damped_ik(IkStart::Nearest, &handles)?;
        found.plain_nearest += error(nearest.as_ref());
        Ok(())
    }
}

fn report(
    args: &Args,
    common: &Common,
    clips: &[Clip],
    mut found: StyleComparison,
) -> anyhow::Result<()> {
    let n = found.n_poses as f64;
    let height = clips.first().map_or(1.0, body::height);
    found.ms.sort_by(f64::total_cmp);
    let percentile = |p: usize| found.ms[(found.ms.len() - 1) * p / 100];
    if common.json {
        print_json(&json!({
            "poses": found.n_poses, "handles": args.handles,
            "style_error": found.style / n, "gaussian_error": found.gaussian / n,
            "plain_error": found.plain / n, "plain_nearest_error": found.plain_nearest / n,
            "height": height,
            "solve_ms_p50": percentile(50), "solve_ms_p99": percentile(99),
        }))?;
        return Ok(());
    }
    let mut text = format!(
        "{} poses from {} handles; mean distance of all joints, in units of the clips and in mm of a body of 1.7 m\n",
        found.n_poses, args.handles
    );
    for (name, sum) in [
        ("style", found.style),
        ("one Gaussian", found.gaussian),
        ("plain, from the nearest training pose", found.plain_nearest),
        ("plain, from the mean pose", found.plain),
    ] {
        let error = sum / n;
        let mm = error / height * 1700.0;
        writeln!(text, "{name:<38} {error:>9.4} {mm:>8.1}").expect(TO_STRING);
    }
    let (p50, p99) = (percentile(50), percentile(99));
    writeln!(
        text,
        "a pose takes {p50:.2} ms, at most {p99:.2} ms in 99 of 100"
    )
    .expect(TO_STRING);
    Ok(print(&text)?)
}
