//! What came of playing a texture, as text and as JSON.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use super::played::{Along, Played};
use crate::cli::join_json::with_report;
use crate::cli::{Common, TO_STRING, print_json};
use crate::motion::join::JoinKind;
use crate::texture::{PlayedJoin, Texture};

pub(super) fn print(
    played: &Played,
    texture: &Texture,
    out: &Path,
    common: &Common,
) -> anyhow::Result<()> {
    if common.json {
        print_json(&as_json(played, texture, out))?;
    } else {
        crate::cli::print(&as_text(played, texture, out))?;
    }
    Ok(())
}

/// What is shown, with the frame from which on.
pub(super) fn runs(played: &Played, texture: &Texture) -> Vec<(String, usize)> {
    let tracks = texture.search().tracks;
    let shown = played.motion.shown.iter();
    let marks = shown.map(|at| tracks[at.clip].labels[at.frame]);
    let mut runs: Vec<(String, usize)> = Vec::new();
    for (frame, mark) in marks.enumerate() {
        let name = texture.name_of_mark(mark);
        if runs.last().is_none_or(|(last, _)| last != name) {
            runs.push((name.to_owned(), frame));
        }
    }
    runs
}

fn as_json(played: &Played, texture: &Texture, out: &Path) -> Value {
    let motion = &played.motion;
    let metres = texture.corpus().rig.metric.metres;
    let skate = motion.skate.mean_metres_per_sec;
    let fit = played.along.as_ref().map(|a| a.fit);
    let joins = motion.joins.iter().map(|join| join_json(join, texture));
    let mut told = json!({
        "file": out.display().to_string(),
        "frames": motion.clip.n_frames(),
        "fps": motion.clip.fps(),
        "path_error_mean": fit.map(|f| f.mean),
        "path_error_p95": fit.map(|f| f.p95),
        "path_error_max": fit.map(|f| f.max),
        "hits": fit.map(|f| f.hits),
        "covered": fit.map(|f| f.covered),
        "foot_skate": skate / metres,
        "foot_skate_metres_per_sec": skate,
        "joins": joins.collect::<Vec<_>>(),
        "unreached": motion.unreached,
        "detours": motion.detours.iter().map(|(label, secs)| json!({"label": label, "secs": secs})).collect::<Vec<_>>(),
        "off_label": null,
        "bends": null,
        "labels": runs(played, texture),
        "ms_per_frame": played.ms_per_frame,
    });
    if let Some(along) = &played.along {
        tell_path(&mut told, along, texture);
    }
    told
}

/// What is only known of a path; lengths in units of the clips.
fn tell_path(told: &mut Value, along: &Along, texture: &Texture) {
    let metres = texture.corpus().rig.metric.metres;
    let path = &along.course.path;
    let bends = along.followed.bends.iter().map(|bend| {
        json!({
            "from": bend.arc.start / metres,
            "to": bend.arc.end / metres,
            "off": bend.off / metres,
        })
    });
    let off_label = along.followed.off_label.iter().map(|part| {
        json!({
            "label": texture.name_of_mark(part.label),
            "from": part.arc.start / metres,
            "to": part.arc.end / metres,
            "secs": part.secs,
        })
    });
    let hairpins = path.hairpins().iter();
    let hairpins = hairpins.map(|h| json!({"x": h.at.x, "z": h.at.y, "at": h.arc}));
    told["bends"] = bends.collect();
    told["off_label"] = off_label.collect();
    told["hairpins"] = hairpins.collect();
    told["path_length"] = path.length().into();
    told["radius"] = along.course.radius.into();
    told["left_drawn_by"] = path.left_drawn_by().into();
    told["stretch"] = along.stretch.into();
}

fn join_json(join: &PlayedJoin, texture: &Texture) -> Value {
    let name = |clip: usize| &texture.corpus().clips[clip].join.clip.info.name;
    let told = json!({
        "from": name(join.from.clip),
        "from_frame": join.from.frame,
        "to": name(join.to.clip),
        "to_frame": join.to.frame,
        "kind": word(join.kind),
        "fallback": join.is_fallback,
        "at": join.at,
        "frames": join.frames,
    });
    with_report(told, &join.report)
}

fn word(kind: JoinKind) -> &'static str {
    match kind {
        JoinKind::Dead => "dead",
        JoinKind::Quintic => "quintic",
        JoinKind::Fade => "fade",
    }
}

fn as_text(played: &Played, texture: &Texture, out: &Path) -> String {
    let motion = &played.motion;
    let fps = motion.clip.fps();
    let mut text = String::new();
    let shown = runs(played, texture);
    let ends = shown.iter().skip(1).map(|(_, at)| *at);
    let ends = ends.chain([motion.shown.len()]);
    for ((name, from), to) in shown.iter().zip(ends) {
        let secs = (to - from) as f64 / fps;
        writeln!(text, "{from:>6}  {secs:>5.1} s  {name}").expect(TO_STRING);
    }
    for name in &motion.unreached {
        writeln!(
            text,
            "no transition leads to \"{name}\": it was joined directly"
        )
        .expect(TO_STRING);
    }
    for (name, secs) in &motion.detours {
        writeln!(text, "on the way \"{name}\" is shown for {secs:.1} s").expect(TO_STRING);
    }
    if let Some(along) = &played.along {
        path_text(&mut text, along, texture);
    }
    joins_text(&mut text, &motion.joins);
    let metres = texture.corpus().rig.metric.metres;
    let skate = motion.skate.mean_metres_per_sec;
    writeln!(
        text,
        "toes that are down move at {:.2} units a second ({:.1} cm/s of a body of 1.75 m)",
        skate / metres,
        100.0 * skate
    )
    .expect(TO_STRING);
    writeln!(
        text,
        "{} frames at {fps:.0} a second, {:.2} ms a frame\n{}",
        motion.clip.n_frames(),
        played.ms_per_frame,
        out.display()
    )
    .expect(TO_STRING);
    text
}

fn path_text(text: &mut String, along: &Along, texture: &Texture) {
    let metres = texture.corpus().rig.metric.metres;
    let (path, fit) = (&along.course.path, &along.fit);
    writeln!(
        text,
        "path of {:.2} units ({:.1} m of a body of 1.75 m); corners rounded to a radius of {:.3}, which leaves the drawn \
         line by up to {:.3}",
        path.length(),
        path.length() * metres,
        along.course.radius,
        path.left_drawn_by()
    )
    .expect(TO_STRING);
    for hairpin in path.hairpins() {
        writeln!(
            text,
            "at {:.2},{:.2} the line turns back on itself: it is walked as a loop",
            hairpin.at.x, hairpin.at.y
        )
        .expect(TO_STRING);
    }
    writeln!(
        text,
        "root off the path by {:.3} on average, {:.3} in 95 of 100 frames, {:.3} at most; {:.0} % of its points hit, \
         {:.0} % of it gone",
        fit.mean,
        fit.p95,
        fit.max,
        100.0 * fit.hits,
        100.0 * fit.covered
    )
    .expect(TO_STRING);
    if !along.followed.is_done {
        writeln!(
            text,
            "the clips lead no further than {:.2} along the path",
            along.followed.reached / metres
        )
        .expect(TO_STRING);
    }
    for bend in &along.followed.bends {
        writeln!(
            text,
            "from {:.2} to {:.2} the clips alone would leave the path by up to {:.2}: they are bent onto it",
            bend.arc.start / metres,
            bend.arc.end / metres,
            bend.off / metres
        )
        .expect(TO_STRING);
    }
    for part in &along.followed.off_label {
        writeln!(
            text,
            "from {:.2} to {:.2} \"{}\" is shown instead, for {:.1} s",
            part.arc.start / metres,
            part.arc.end / metres,
            texture.name_of_mark(part.label),
            part.secs
        )
        .expect(TO_STRING);
    }
}

/// One line for all joins: there may be dozens, and they are alike.
fn joins_text(text: &mut String, joins: &[PlayedJoin]) {
    if joins.is_empty() {
        return;
    }
    let most = |of: fn(&PlayedJoin) -> f64| joins.iter().map(of).fold(0.0, f64::max);
    writeln!(
        text,
        "{} joins; at most: pose {:.1} deg, velocity {:.0} deg/s, jerk {:.2}, over {:.1} deg, slide {:.2} m/s",
        joins.len(),
        most(|j| j.report.pose_jump_deg),
        most(|j| j.report.velocity_jump_deg),
        most(|j| j.report.jerk_ratio),
        most(|j| j.report.overshoot_deg),
        most(|j| j.report.foot_slide)
    )
    .expect(TO_STRING);
    let n_fallback = joins.iter().filter(|j| j.is_fallback).count();
    if n_fallback > 0 {
        writeln!(
            text,
            "{n_fallback} of them lead further than transitions do otherwise, for want of a nearer one"
        )
        .expect(TO_STRING);
    }
}
