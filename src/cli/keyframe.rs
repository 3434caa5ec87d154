//! `kinfolk keyframe`: a motion from the curves of a few joints.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;
use serde_json::json;

use super::progress::{Watched, ticket_for_ctrl_c};
use super::styles::{self, Blended, site, weights, write_bvh};
use super::{Common, End, check_file, print, print_json};
use crate::file::bytes_of;
use crate::file::trajectory;
use crate::motion::{Clip, ClipInfo, Motion, Site, Skeleton};
use crate::style::solve::{
    MotionSolveError, MotionSolveSettings, SolveSettings, Solved, Solver, Trajectory,
    TrajectoryKey, frames_of,
};

/// Makes a motion from keyframed trajectories of a few joints
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The style, made by `kinfolk style learn`
    #[arg(value_name = "STYLE.ron")]
    style: PathBuf,
    /// Keys with the columns frame, joint, x, y, z; between keys the trajectory of a joint is smooth
    #[arg(value_name = "TRAJ.csv")]
    trajectory: PathBuf,
    /// The motion, at 30 frames a second or at --fps
    #[arg(long, value_name = "CLIP.bvh")]
    out: PathBuf,
    /// Another style and its weight, or its weights at the first and the last frame: S2.ron:0..1
    #[arg(long, value_name = "S2.ron:0.3")]
    blend: Vec<Blended>,
}

const DEFAULT_FPS: f64 = 30.0;
/// Keys may be any number of frames apart; memory is bounded by this.
const MOST_FRAMES: f64 = 200_000.0;

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    let ticket = ticket_for_ctrl_c()?;
    check_file(&args.out, common)?;
    let solver = styles::solver(&args.style, &args.blend, SolveSettings::default(), &ticket)?;
    let (curves, n_frames) = read_curves(args, solver.skeleton())
        .with_context(|| args.trajectory.display().to_string())?;
    let mut frames = frames_of(&curves, n_frames);
    if !args.blend.is_empty() {
        for (at, frame) in frames.iter_mut().enumerate() {
            let share = at as f64 / (n_frames.max(2) - 1) as f64;
            frame.weights = weights(&args.blend, share);
        }
    }
    let fps = common.fps.unwrap_or(DEFAULT_FPS);
    let start = Instant::now();
    let watched = Watched::start("solving", &ticket, common.quiet);
    let solved = solver.solve_motion(&frames, &MotionSolveSettings::at(fps), &ticket);
    watched.finish();
    let solved = match solved {
        Err(MotionSolveError::Cancelled(_)) => return Ok(End::Cancelled),
        solved => solved?,
    };
    let ms = start.elapsed().as_secs_f64() * 1e3 / n_frames as f64;
    write_bvh(&clip_of(args, &solver, &solved, fps)?, &args.out, common)?;
    let errors = solved.iter().flat_map(|s| s.errors.iter().copied());
    let max_error = errors.fold(0.0, f64::max);
    if common.json {
        print_json(&json!({
            "file": args.out, "frames": n_frames, "fps": fps,
            "max_error": max_error, "ms_per_frame": ms,
        }))?;
    } else {
        let path = args.out.display();
        print(&format!(
            "{n_frames} frames, largest distance from the trajectories {max_error:.4}, {ms:.2} ms a frame\n{path}\n"
        ))?;
    }
    Ok(End::Done)
}

fn read_curves(args: &Args, skeleton: &Skeleton) -> anyhow::Result<(Vec<Trajectory>, usize)> {
    let bytes = bytes_of(&args.trajectory)?;
    let mut keys: BTreeMap<Site, Vec<TrajectoryKey>> = BTreeMap::new();
    let mut last = 0.0_f64;
    for row in trajectory::parse(&bytes)? {
        let line = row.line;
        let site = site(skeleton, &row.joint).with_context(|| format!("line {line}"))?;
        anyhow::ensure!(
            (0.0..MOST_FRAMES).contains(&row.frame),
            "line {line}: expected a frame from 0 up to {MOST_FRAMES}, found {}",
            row.frame
        );
        last = last.max(row.frame);
        keys.entry(site).or_default().push(TrajectoryKey {
            frame: row.frame,
            place: row.place,
            tangent: None,
        });
    }
    let curves: Result<Vec<Trajectory>, _> = keys
        .into_iter()
        .map(|(site, keys)| {
            Trajectory::new(site, keys)
                .with_context(|| format!("joint {}", skeleton.site_name(site)))
        })
        .collect();
    Ok((curves?, last as usize + 1))
}

fn clip_of(args: &Args, solver: &Solver, solved: &[Solved], fps: f64) -> anyhow::Result<Clip> {
    let name = args.out.file_stem().unwrap_or_default().to_string_lossy();
    let mut info = ClipInfo::named(name);
    info.up = solver.up();
    info.history
        .push("made from trajectories with a style".to_owned());
    let mut motion = Motion::with_capacity(solver.skeleton(), 1.0 / fps, solved.len());
    for frame in solved {
        motion.push(frame.pose.as_ref());
    }
    Ok(Clip::new(info, Arc::clone(solver.skeleton()), motion)?)
}
