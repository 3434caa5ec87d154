//! `kinfolk pose`: one pose from a style and a few handles.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;
use serde_json::{Map, json};

use super::progress::ticket_for_ctrl_c;
use super::styles::{self, Blended, site, vector, write_bvh};
use super::{Common, End, TO_STRING, check_file, print, print_json, usage};
use crate::motion::{Clip, ClipInfo, LONGEST, Motion, Vec3};
use crate::style::solve::{
    Constraint, ConstraintMode, Goal, SolveSettings, Solved, Solver, on_floor,
};

/// Solves one pose with a style, from a few handles
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The style, made by `kinfolk style learn`
    #[arg(value_name = "STYLE.ron")]
    style: PathBuf,
    /// Position handle: where a joint or end site is, in units of the clips
    #[arg(long, num_args = 1.., value_name = "JOINT=x,y,z")]
    handle: Vec<HandleArg>,
    /// Ray constraint: the ray that a joint lies on, as from a click into a picture
    #[arg(long, num_args = 1.., value_name = "JOINT=ox,oy,oz:dx,dy,dz")]
    ray: Vec<RayArg>,
    /// Floor constraint: the height of a joint, free to slide, such as a foot on the floor
    #[arg(long, num_args = 1.., value_name = "JOINT=level")]
    floor: Vec<FloorArg>,
    /// Look-at constraint: the position that a joint, such as the head, looks at
    #[arg(long, num_args = 1.., value_name = "JOINT=x,y,z")]
    look: Vec<HandleArg>,
    /// Soft constraints, weighed against the style instead of met exactly; over 1 more strictly
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "1", value_name = "WEIGHT", value_parser = super::positive)]
    soft: Option<f64>,
    /// Another style and its weight; may be given several times
    #[arg(long, value_name = "S2.ron:0.3")]
    blend: Vec<Blended>,
    /// The pose to write, as a clip of one frame
    #[arg(long, value_name = "POSE.bvh")]
    out: PathBuf,
}

#[derive(Debug, Clone)]
struct HandleArg {
    joint: String,
    place: Vec3,
}

#[derive(Debug, Clone)]
struct RayArg {
    joint: String,
    origin: Vec3,
    direction: Vec3,
}

#[derive(Debug, Clone)]
struct FloorArg {
    joint: String,
    level: f64,
}

impl FromStr for HandleArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // Joint names may hold an equals sign; numbers do not.
        let parts = text.rsplit_once('=').map(|(j, v)| (j, vector(v)));
        match parts {
            Some((joint, Some(place))) => Ok(Self {
                joint: joint.to_owned(),
                place,
            }),
            _ => Err(format!(
                "expected JOINT=x,y,z, each below {LONGEST:e}, found \"{text}\""
            )),
        }
    }
}

impl FromStr for RayArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!("expected JOINT=ox,oy,oz:dx,dy,dz, a place and a direction, found \"{text}\"")
        };
        let (joint, line) = text.rsplit_once('=').ok_or_else(wrong)?;
        let (origin, direction) = line.split_once(':').ok_or_else(wrong)?;
        Ok(Self {
            joint: joint.to_owned(),
            origin: vector(origin).ok_or_else(wrong)?,
            direction: vector(direction)
                .filter(|d| d.norm() > 0.0)
                .ok_or_else(wrong)?,
        })
    }
}

impl FromStr for FloorArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("expected JOINT=level, found \"{text}\"");
        let (joint, level) = text.rsplit_once('=').ok_or_else(wrong)?;
        let level: Option<f64> = level.trim().parse().ok();
        Ok(Self {
            joint: joint.to_owned(),
            level: level.filter(|l| l.abs() < LONGEST).ok_or_else(wrong)?,
        })
    }
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    let ticket = ticket_for_ctrl_c()?;
    check_file(&args.out, common)?;
    let mut solver = styles::solver(&args.style, &args.blend, SolveSettings::default(), &ticket)?;
    let constraints = constraints(args, &solver)?;
    let start = Instant::now();
    let solved = solver.solve(&constraints, &mut || ticket.check().is_ok())?;
    let ms = start.elapsed().as_secs_f64() * 1e3;
    if ticket.check().is_err() {
        return Ok(End::Cancelled);
    }
    write_bvh(&clip_of(args, &solver, &solved)?, &args.out, common)?;
    report(args, common, &solver, &constraints, &solved, ms)?;
    Ok(End::Done)
}

fn constraints(args: &Args, solver: &Solver) -> anyhow::Result<Vec<Constraint>> {
    let skeleton = solver.skeleton();
    let mode = args.soft.map_or(ConstraintMode::Hard, ConstraintMode::Soft);
    let mut list = Vec::new();
    for HandleArg { joint, place } in &args.handle {
        let goal = Goal::Position(*place);
        let site = site(skeleton, joint)?;
        list.push(Constraint { site, goal, mode });
    }
    for ray in &args.ray {
        let goal = Goal::Ray {
            origin: ray.origin,
            direction: ray.direction,
        };
        let site = site(skeleton, &ray.joint)?;
        list.push(Constraint { site, goal, mode });
    }
    for floor in &args.floor {
        let site = site(skeleton, &floor.joint)?;
        let on_floor = on_floor(site, solver.up(), floor.level);
        list.push(Constraint { mode, ..on_floor });
    }
    for look in &args.look {
        let site = site(skeleton, &look.joint)?;
        let goal = Goal::LookAt {
            axis: solver.forward_axis(site),
            target: look.place,
        };
        list.push(Constraint { site, goal, mode });
    }
    anyhow::ensure!(
        !list.is_empty(),
        usage("at least one --handle, --ray, --floor or --look is needed")
    );
    Ok(list)
}

fn clip_of(args: &Args, solver: &Solver, solved: &Solved) -> anyhow::Result<Clip> {
    let name = args.out.file_stem().unwrap_or_default().to_string_lossy();
    let mut info = ClipInfo::named(name);
    info.up = solver.up();
    info.history.push("posed with a style".to_owned());
    let mut motion = Motion::with_capacity(solver.skeleton(), 1.0 / 30.0, 1);
    motion.push(solved.pose.as_ref());
    Clip::new(info, Arc::clone(solver.skeleton()), motion).context("the pose is no pose")
}

fn report(
    args: &Args,
    common: &Common,
    solver: &Solver,
    constraints: &[Constraint],
    solved: &Solved,
    ms: f64,
) -> anyhow::Result<()> {
    let names = constraints
        .iter()
        .map(|c| solver.skeleton().site_name(c.site));
    let errors: Vec<(String, f64)> = names.zip(solved.errors.iter().copied()).collect();
    if common.json {
        let mut by_joint = Map::new();
        for (name, error) in errors {
            // A joint with two constraints shows the larger error.
            let worst = by_joint.get(&name).and_then(serde_json::Value::as_f64);
            by_joint.insert(name, json!(error.max(worst.unwrap_or(0.0))));
        }
        print_json(&json!({
            "file": args.out, "errors": by_joint, "is_met": solved.is_met,
            "log_likelihood": solved.log_likelihood, "ms": ms,
            "iterations": solved.n_iterations,
        }))?;
        return Ok(());
    }
    let mut text = String::new();
    for (name, error) in errors {
        writeln!(text, "{name:<24} {error:>10.4} off").expect(TO_STRING);
    }
    if args.soft.is_none() && !solved.is_met {
        text.push_str("out of reach: as near as the body can\n");
    }
    let path = args.out.display();
    writeln!(
        text,
        "log-likelihood {:.1}, {ms:.2} ms\n{path}",
        solved.log_likelihood
    )
    .expect(TO_STRING);
    Ok(print(&text)?)
}
