//! The demo project, workspace by workspace.

use std::sync::Arc;

use egui::{Key, Modifiers, PointerButton, pos2, vec2};
use egui_kittest::kittest::Queryable as _;
use kinfolk::app::pose::handles::draft::Grab;
use kinfolk::app::render::Size;
use kinfolk::app::shell::demo_models::DemoScope;
use kinfolk::app::shell::docks::Pane;
use kinfolk::app::shell::preferences::Workspace;
use kinfolk::app::shell::session::Framing;
use kinfolk::app::shell::view_options::Arrangement;
use kinfolk::app::variation::network::links;
use kinfolk::document::Posed;
use kinfolk::motion::{Body, Vec3, WorldPose};

use super::{at, go_to, keep, open, select, show, write};
use crate::driver::Window;

#[test]
fn the_demo_project_in_all_workspaces() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut window) = open(folder, Vec::new(), DemoScope::Project) else {
        return;
    };
    window.until("measured", |app| app.study.measure.found.is_some());
    window.until_idle();
    window.click("Skip the tour");
    library(&mut window);
    variants(&mut window);
    held_hand(&mut window);
    network(&mut window);
    pose(&mut window);
    fight(&mut window);
    path(&mut window);
    study(&mut window);
    learning(&mut window);
}

fn frame_selection(window: &mut Window) {
    window.app_mut().shell.session.framing = Some(Framing::Selection);
    window.harness.run_steps(3);
}

fn arrange(window: &mut Window, arrangement: Arrangement) {
    window.app_mut().shell.preferences.view.arrangement = arrangement;
    window.harness.run_steps(3);
}

fn library(window: &mut Window) {
    go_to(window, Workspace::Library, Pane::Clips);
    let shown = [
        "walk_01",
        "jump_01",
        "front_kick_01",
        "throw_01",
        "cheer_01",
    ];
    select(window, &shown);
    arrange(window, Arrangement::SideBySide);
    at(window, 0.7);
    frame_selection(window);
    keep(window, "window");
}

fn variants(window: &mut Window) {
    go_to(window, Workspace::Variation, Pane::Variants);
    arrange(window, Arrangement::Grid);
    at(window, 0.35);
    frame_selection(window);
    keep(window, "crowd-variants");
    family(window);
    show(window, Pane::Compare);
    window.click("Compare 15 variants with noise");
    window.until("compared", |app| app.variation.compare.found.is_some());
    frame_selection(window);
    keep(window, "crowd-compare");
}

/// The node of an arm with the most parents, of the one variant that is shown.
fn network(window: &mut Window) {
    show(window, Pane::Network);
    let app = window.app();
    let (_, model) = app.variation.chosen_model(&app.shell).unwrap();
    let all = links(&model);
    let n_parents = |node: usize| all.iter().filter(|link| link.to == node).count();
    let arms = (0..model.n_nodes()).filter(|node| model.node_name(*node).contains("Arm"));
    let node = arms.max_by_key(|node| n_parents(*node)).unwrap();
    let name = model.node_name(node);
    window.click(&format!("Node {name}"));
    show(window, Pane::Node);
    frame_selection(window);
    keep(window, "network");
}

/// The 3D view alone, large, without words.
fn family(window: &mut Window) {
    window.harness.set_size(vec2(2600.0, 1100.0));
    window.app_mut().shell.preferences.view.shows_names = false;
    window.harness.run_steps(4);
    frame_selection(window);
    window.until_idle();
    window.harness.run_steps(4);
    let picture = window.harness.render().unwrap();
    // Below the buttons.
    let view = window.view();
    let [x, y, width, height] = [
        view.min.x,
        view.min.y + 50.0,
        view.width(),
        view.height() - 50.0,
    ]
    .map(|side| side as u32);
    let part = image::imageops::crop_imm(&picture, x, y, width, height).to_image();
    write(&part, "family");
    window.app_mut().shell.preferences.view.shows_names = true;
    window.harness.set_size(vec2(1280.0, 800.0));
    window.harness.run_steps(4);
}

/// A hand of the variant that is looked at stays where it is for a quarter of a second.
fn held_hand(window: &mut Window) {
    window.app_mut().variation.is_solo = true;
    window.app_mut().variation.shows_inputs = false;
    arrange(window, Arrangement::Overlaid);
    show(window, Pane::Holding);
    window.until_idle();
    let app = window.app();
    let batch = app.variation.batches.values().next().unwrap();
    let clip = Arc::clone(&batch.made[batch.looked_at.unwrap()].clip);
    let body = Body::of(clip.skeleton());
    let mut lanes: Vec<usize> = body.foot_joints().collect();
    lanes.extend(body.arms.iter().map(|arm| arm.end));
    lanes.sort_unstable();
    lanes.dedup();
    let lane = lanes.iter().position(|joint| *joint == body.arms[0].end);
    let (left, right) = app.timeline.track;
    let rows = window.harness.get_by_label("Timeline rows").rect();
    let place = |frame: f64| {
        let share = (frame / clip.fps() / app.shell.length_secs()) as f32;
        let top = 22.0 + 14.0 * (lane.unwrap() as f32 + 0.5);
        pos2(left + share * (right - left), rows.top() + 2.0 + top)
    };
    let (from, to) = (place(8.0), place(24.0));
    window.drag(PointerButton::Primary, Modifiers::NONE, from, to);
    window.until_idle();
    at(window, 16.0 / clip.fps());
    frame_selection(window);
    keep(window, "crowd-hold");
}

fn posed(window: &Window) -> Arc<Posed> {
    let app = window.app();
    app.pose.posed_now(&app.shell).unwrap().1
}

/// Where a place is seen in the window.
fn seen(window: &Window, place: &Vec3) -> egui::Pos2 {
    let view = window.view();
    let size = Size::of(view.width(), view.height());
    let camera = window.app().shell.session.camera.unwrap();
    let seen = camera.project(place, size).unwrap();
    view.min + vec2(seen.x as f32, seen.y as f32)
}

/// The boxer, whose right hand is dragged.
fn pose(window: &mut Window) {
    go_to(window, Workspace::Pose, Pane::Body);
    show(window, Pane::Styles);
    window.until_idle();
    window.click("Handle right hand");
    let posed = posed(window);
    let body = Body::of(posed.skeleton.as_ref());
    let world = WorldPose::of(&posed.skeleton, posed.pose.as_ref());
    let hand = world.positions[body.arms[1].end];
    let from = seen(window, &hand);
    let to = from + vec2(26.0, -30.0);
    let primary = PointerButton::Primary;
    window.drag_and_hold(primary, Modifiers::NONE, from, to);
    window.until("a settled pose", |app| {
        let grab = app.pose.handles.grab.as_ref();
        grab.is_none_or(Grab::is_settled)
    });
    window.let_go(primary, Modifiers::NONE, to);
    window.until("judged", |app| app.pose.handles.thought.is_some());
    keep(window, "pose-window");
}

/// Six moves, and one of their joins.
fn fight(window: &mut Window) {
    go_to(window, Workspace::Sequence, Pane::Actions);
    show(window, Pane::Join);
    window.until("joined", |app| app.sequence.strip.shown().is_some());
    let plays = &window.app().sequence.strip.shown().unwrap().plays;
    let (entry, start) = (plays[3].entry, plays[3].shown.start);
    let fps = window.app().sequence.strip.shown().unwrap().graph.rig().fps;
    at(window, (start as f64 + 10.0) / fps);
    window.app_mut().sequence.join.chosen = Some((entry, 0));
    window.until("measured", |app| {
        let shown = app.sequence.strip.shown();
        shown.is_some_and(|shown| shown.candidates.is_some() && shown.grid.is_some())
    });
    window.press(Modifiers::NONE, Key::Home);
    keep(window, "fight");
}

fn path(window: &mut Window) {
    show(window, Pane::Path);
    window.until("walked", |app| app.sequence.is_walk_current(&app.shell));
    at(window, 4.0);
    window.press(Modifiers::NONE, Key::Num7);
    window.press(Modifiers::NONE, Key::Home);
    keep(window, "walk-path");
}

fn study(window: &mut Window) {
    go_to(window, Workspace::Study, Pane::Measures);
    window.click("Nearest pose of walk variants");
    frame_selection(window);
    keep(window, "study-window");
}

/// Last, because the new model takes the place of the demo's.
fn learning(window: &mut Window) {
    select(window, &["walk_01", "walk_02", "walk_03", "walk_04"]);
    go_to(window, Workspace::Variation, Pane::Takes);
    window.app_mut().variation.network.selected = None;
    window.click("Learn from 4 takes");
    window.until_idle();
    show(window, Pane::Models);
    arrange(window, Arrangement::SideBySide);
    at(window, 0.35);
    frame_selection(window);
    keep(window, "crowd-learn");
}
