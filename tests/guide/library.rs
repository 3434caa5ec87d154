//! From raw takes to a clean set.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Key, Modifiers, vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use kinfolk::app::shell::docks::Pane;
use kinfolk::app::shell::preferences::Workspace;
use kinfolk::app::shell::previews::Preview;
use kinfolk::app::shell::session::Framing;
use kinfolk::app::shell::view_options::Arrangement;
use kinfolk::demo::{self, Action};
use kinfolk::motion::cycles::{CutStart, CycleSettings, find_cycles};
use kinfolk::motion::{Body, Clip, Dim, edit, rotation};

use super::{at, go_to, keep, keep_pointed, with_clips};
use crate::driver::Window;

/// A long walk as a converter would leave it: a T-pose first, and strides a little longer than the feet mean, so that
/// standing feet slide; a forearm jumps for single frames.
fn raw_take(index: u64) -> Clip {
    let take = demo::make(Action::WalkTake, 11, index).clip;
    let mut motion = take.motion().clone();
    let n_moving = take.skeleton().translating().len();
    for root in motion.translations.iter_mut().step_by(n_moving) {
        root.x *= 1.05;
        root.z *= 1.05;
    }
    let elbow = Body::of(take.skeleton()).arms[0].middle;
    for frame in [120, 260] {
        motion.rotations[frame * take.skeleton().n_joints() + elbow] *=
            rotation::about(Dim::Z, 1.2);
    }
    let slid = Clip::new(take.info.clone(), Arc::clone(take.skeleton()), motion).unwrap();
    edit::prepend_tpose(&slid).unwrap()
}

#[test]
fn repeats_of_one_cycle() {
    let takes: Vec<Clip> = (0..2).map(raw_take).collect();
    let Some(mut window) = with_clips(&[("take_a", &takes[0]), ("take_b", &takes[1])]) else {
        return;
    };
    let settings = CycleSettings {
        start: CutStart::LeftFootAhead,
        ..CycleSettings::default()
    };
    let cycle = find_cycles(&takes[0], &settings).unwrap().cuts[0]
        .frames
        .clone();
    window.click("Clip take_a");
    let fps = takes[0].fps();
    at(&mut window, cycle.start as f64 / fps);
    window.press(Modifiers::NONE, Key::I);
    at(&mut window, (cycle.end - 1) as f64 / fps);
    window.press(Modifiers::SHIFT, Key::I);
    window.click("Cut");
    window.click("Use as query");
    window.click("Find repeats in 2 clips");
    window.until_idle();
    // Pointing at a line shows it over the query: the third is one of another place.
    let boxes = window.harness.get_all_by_role(Role::CheckBox);
    let lines = boxes.filter_map(|node| node.accesskit_node().label());
    let line = lines
        .filter(|label| label.contains(" cm off"))
        .nth(2)
        .unwrap();
    window.harness.get_by_label(&line).hover();
    window.until("a preview", |app| {
        matches!(app.shell.previews.shown(), Some(Preview::Instead(clips)) if clips.len() == 2)
    });
    window.app_mut().shell.session.framing = Some(Framing::Selection);
    window.harness.run_steps(4);
    keep_pointed(&mut window, "repeats");
}

#[test]
fn cleaning_with_the_result_in_view() {
    let take = raw_take(0);
    let Some(mut window) = with_clips(&[("take_a", &take)]) else {
        return;
    };
    window.click("Clean");
    window.until_idle();
    for step in ["Remove spikes", "Foot lock"] {
        window.click(step);
    }
    window.until("a preview", |app| {
        matches!(app.shell.previews.shown(), Some(Preview::Changed(_)))
    });
    at(&mut window, 2.2);
    window.app_mut().shell.session.framing = Some(Framing::Selection);
    keep(&mut window, "cleaning");
}

#[test]
fn a_set_with_an_outlier() {
    let walks: Vec<(String, Clip)> = (0..6)
        .map(|i| (format!("walk_{i}"), demo::make(Action::Walk, 3, i).clip))
        .chain([(
            "walk_odd".to_owned(),
            demo::make(Action::WalkBigArms, 3, 0).clip,
        )])
        .collect();
    let walks: Vec<(&str, &Clip)> = walks.iter().map(|(n, c)| (n.as_str(), c)).collect();
    let Some(mut window) = with_clips(&walks) else {
        return;
    };
    window.press(Modifiers::COMMAND, Key::G);
    window.until("a look", |app| app.library.sets.look.is_some());
    window.until_idle();
    window.click("Align phase in the 3D view");
    window.until("all in step", |app| {
        matches!(app.shell.previews.shown(), Some(Preview::Instead(clips)) if clips.len() == 7)
    });
    at(&mut window, 0.3);
    window.app_mut().shell.preferences.view.arrangement = Arrangement::SideBySide;
    window.harness.run_steps(3);
    window.app_mut().shell.session.framing = Some(Framing::All);
    keep(&mut window, "set");
}

/// Draws one line on the pad, a step of the clock for each point; places are shares of its height from its middle.
fn draw(window: &mut Window, line: impl Iterator<Item = (f32, f32)>) {
    let pad = window.harness.get_by_label("Stroke pad").rect();
    let points: Vec<egui::Pos2> = line
        .map(|(x, y)| pad.center() + vec2(x, -y) * pad.height())
        .collect();
    window.harness.hover_at(points[0]);
    window.harness.step();
    window.harness.drag_at(points[0]);
    window.harness.step();
    for point in &points[1..] {
        window.harness.hover_at(*point);
        window.harness.step();
    }
    window.harness.drop_at(points[points.len() - 1]);
    window.harness.run_steps(3);
}

/// The digit 3, never twice the same.
fn three(round: usize) -> impl Iterator<Item = (f32, f32)> {
    const N: usize = 36;
    let wobble = [[0.0, 0.0], [0.05, -0.02], [-0.04, 0.03], [0.02, 0.04]][round];
    (0..N).map(move |i| {
        let t = i as f32 / (N - 1) as f32;
        // Two bows over each other, both open to the left.
        let (bow, s) = if t < 0.5 {
            (0.0, 2.0 * t)
        } else {
            (1.0, 2.0 * t - 1.0)
        };
        let angle = (0.75 - 1.25 * s) * std::f32::consts::PI;
        let radius = 0.14 + 0.03 * bow + 0.3 * wobble[0] * (1.0 - 2.0 * bow);
        let centre = 0.16 - (0.31 + wobble[1]) * bow;
        (
            0.9 * radius * angle.cos() + wobble[0],
            radius * angle.sin() + centre + 0.5 * wobble[1],
        )
    })
}

#[test]
fn strokes_and_a_family_of_them() {
    let walk = demo::make(Action::Walk, 3, 0).clip;
    let Some(mut window) = with_clips(&[("walk", &walk)]) else {
        return;
    };
    window.click("Strokes");
    for round in 0..4 {
        draw(&mut window, three(round));
    }
    keep(&mut window, "strokes");
    go_to(&mut window, Workspace::Variation, Pane::Strokes);
    window.click("Learn from 4 strokes");
    window.until("learned", |app| {
        app.library.stroke_model(&app.shell).is_some()
    });
    window.until_idle();
    keep(&mut window, "crowd-strokes");
}
