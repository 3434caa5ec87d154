//! A character posed by its handles, through the real window.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use kinfolk::app::App;
use kinfolk::app::pose::handles::draft::Grab;
use kinfolk::app::pose::handles::symmetry::place_across;
use kinfolk::app::pose::handles::tools::flipped;
use kinfolk::app::render::Size;
use kinfolk::demo::Action;
use kinfolk::document::{PinMode, Posed};
use kinfolk::file::read_clip;
use kinfolk::motion::{Clip, Side, Site, Vec3, WorldPose};
use kinfolk::style::LearnSettings;

use super::library::{demo_clips, workspace};
use super::projects::save_as;
use super::{Window, on_disk};

fn posed(window: &Window) -> &Posed {
    &window.app().shell.document().posed()[0].1
}

#[test]
fn a_character_is_made_from_a_moment_of_a_clip_and_is_there_again() {
    let mut window = workspace("Pose", &demo_clips(Action::Walk, 0..1));
    window.app_mut().shell.session.playhead_secs = 0.5;
    window.click("New character from this clip");
    window.until_idle();
    let clip = Arc::clone(window.app().shell.active_clip().unwrap());
    assert_eq!(posed(&window).pose, clip.pose_at(0.5 * clip.fps()));
    let held = posed(&window).pins.iter();
    assert!(
        held.clone().count() > 0 && held.clone().all(|pin| pin.position == PinMode::Hard),
        "feet stand: {:?}",
        posed(&window).pins
    );
    let path = window.path("posed.kinfolk");
    save_as(&mut window, "posed.kinfolk");
    let (here, there) = (window.app().shell.document().clone(), on_disk(&path));
    assert_eq!(here.posed(), there.posed(), "bit by bit");
    window.press(Modifiers::COMMAND, Key::Z);
    assert!(
        window.app().shell.document().posed().is_empty(),
        "one step back"
    );
}

#[test]
fn a_pose_is_exported_as_it_stands() {
    let mut window = workspace("Pose", &demo_clips(Action::Walk, 0..1));
    window.app_mut().shell.session.playhead_secs = 0.5;
    window.click("New character from this clip");
    window.until_idle();
    let out = window.path("out");
    window.click("Export pose…");
    window.type_in("Folder", &out.display().to_string());
    window.press(Modifiers::NONE, Key::Enter);
    window.until_idle();
    let name = format!("{} pose", posed(&window).name).replace(' ', "_");
    let written = read_clip(&out.join(format!("{name}.bvh"))).unwrap();
    assert_eq!(written.n_frames(), 1);
    let [there, here] = [written.frame(0), posed(&window).pose.as_ref()];
    for (there, here) in there.rotations.iter().zip(here.rotations) {
        assert!(there.angle_to(here) < 1e-5, "{:?}", window.said());
    }
}

/// Learned within a moment.
fn quick() -> LearnSettings {
    LearnSettings {
        n_fitted: 60,
        n_active: 40,
        n_latent: 2,
        n_steps: 20,
        ..LearnSettings::default()
    }
}

/// A style of the selected clips, and with it a character.
fn learned(clips: &[(String, Clip)]) -> Window {
    let mut window = workspace("Pose", clips);
    window.app_mut().pose.learn.settings = quick();
    window.type_in("Style name", "stroll");
    let n = clips.len();
    let words = if n == 1 { "clip" } else { "clips" };
    window.click(&format!("Learn from {n} {words}"));
    window.until("a character", |app| app.shell.document().posed().len() == 1);
    window.until_idle();
    rest(&mut window);
    window
}

/// Until nothing is in the hand and the pose was judged.
#[track_caller]
fn rest(window: &mut Window) {
    window.until("at rest", |app| {
        let pose = &app.pose;
        let judged = pose.handles.thought.as_ref().map(|thought| &thought.of);
        let now = app.shell.document().posed().first();
        let is_judged = judged
            .zip(now)
            .is_some_and(|(of, (_, now))| Arc::ptr_eq(of, now));
        pose.handles.grab.is_none() && is_judged
    });
}

/// Until the pose is all that the solver makes of where the hand is. How long that takes is up to the machine, and a
/// window that waits no longer takes what is there.
#[track_caller]
fn settle(window: &mut Window) {
    window.until("a settled pose", |app| {
        let grab = app.pose.handles.grab.as_ref();
        grab.is_none_or(Grab::is_settled)
    });
}

/// Drags, and lets go of what has settled.
#[track_caller]
fn pull(window: &mut Window, from: egui::Pos2, to: egui::Pos2) {
    let primary = egui::PointerButton::Primary;
    window.drag_and_hold(primary, Modifiers::NONE, from, to);
    settle(window);
    window.let_go(primary, Modifiers::NONE, to);
    rest(window);
}

/// The joint of a handle.
fn joint(window: &Window, name: &str) -> usize {
    let posed = posed(window);
    let figure = window.app().pose.figure(&posed.skeleton).unwrap();
    let handle = figure.rig.handles().iter().find(|h| h.name == name);
    posed.skeleton.carrier(handle.unwrap().site)
}

fn place(window: &Window, name: &str) -> Vec3 {
    let posed = posed(window);
    WorldPose::of(&posed.skeleton, posed.pose.as_ref()).positions[joint(window, name)]
}

/// Where a place is seen in the window.
fn seen(window: &Window, place: &Vec3) -> egui::Pos2 {
    let view = window.view();
    let size = Size::of(view.width(), view.height());
    let camera = window.app().shell.session.camera.unwrap();
    let seen = camera.project(place, size).unwrap();
    view.min + egui::vec2(seen.x as f32, seen.y as f32)
}

#[test]
fn a_hand_is_dragged_pins_hold_and_undo_brings_back_the_exact_pose() {
    let mut window = learned(&demo_clips(Action::Walk, 0..3));
    assert_eq!(window.undo_label(), "learn style stroll");
    let before = posed(&window).clone();
    let tall = window
        .app()
        .pose
        .figure(&before.skeleton)
        .unwrap()
        .mannequin
        .height();
    let held: Vec<usize> = before
        .pins
        .iter()
        .map(|pin| before.skeleton.carrier(pin.site))
        .collect();
    assert!(!held.is_empty(), "a foot stands");
    let at = |posed: &Posed, joint: usize| {
        WorldPose::of(&posed.skeleton, posed.pose.as_ref()).positions[joint]
    };
    let hand = place(&window, "left hand");
    let from = seen(&window, &hand);
    let to = from + egui::vec2(25.0, -60.0);
    pull(&mut window, from, to);
    let after = posed(&window).clone();
    assert_eq!(window.undo_label(), "move left hand of walk_0");
    // A free handle that is put somewhere stays there softly: near, not exactly.
    let got = seen(&window, &place(&window, "left hand"));
    assert!(got.distance(to) < 12.0, "wanted {to}, got {got}");
    let hand_pin = after
        .pins
        .iter()
        .find(|pin| pin.site == Site::Joint(joint(&window, "left hand")));
    assert_eq!(hand_pin.map(|pin| pin.position), Some(PinMode::Soft));
    for joint in &held {
        let slid = (at(&before, *joint) - at(&after, *joint)).norm();
        assert!(slid < 0.002 * tall, "a pinned foot slid by {slid}");
    }
    let elbow = joint(&window, "left elbow");
    let followed = (at(&before, elbow) - at(&after, elbow)).norm();
    assert!(followed > 0.01 * tall, "the body follows: {followed}");
    window.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(*posed(&window), before, "exactly as it was, in one step");
    window.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert_eq!(*posed(&window), after, "and again");
}

#[test]
fn a_hand_that_rests_asks_for_nothing_new_so_that_a_better_pose_can_be_looked_for() {
    let mut window = learned(&demo_clips(Action::Walk, 0..3));
    let from = seen(&window, &place(&window, "left hand"));
    window.harness.hover_at(from);
    window.harness.step();
    window.harness.drag_at(from);
    window.harness.step();
    window.harness.hover_at(from + egui::vec2(25.0, -40.0));
    window.harness.run_steps(2);
    let is_answered = |app: &App| {
        let grab = app.pose.handles.grab.as_ref();
        grab.is_some_and(Grab::is_answered)
    };
    window.until("answered", is_answered);
    for frame in 0..20 {
        window.harness.step();
        assert!(is_answered(window.app()), "asked again in frame {frame}");
    }
}

#[test]
fn pins_are_seen_and_cycled_and_the_figure_mirrors_the_view() {
    let mut window = learned(&demo_clips(Action::Walk, 0..1));
    window.click("Handle left hand");
    let site = Site::Joint(joint(&window, "left hand"));
    assert!(
        window.app().pose.handles.selected.contains(&site),
        "selected"
    );
    let mode = |window: &Window| {
        posed(window)
            .pin(site)
            .map(|pin| (pin.position, pin.rotation))
    };
    for wanted in [PinMode::Soft, PinMode::Hard] {
        window.press(Modifiers::NONE, Key::P);
        assert_eq!(mode(&window), Some((wanted, PinMode::Free)));
    }
    window.press(Modifiers::SHIFT, Key::P);
    assert_eq!(mode(&window), Some((PinMode::Hard, PinMode::Soft)));
    window.click("Position free");
    window.click("Rotation free");
    assert_eq!(mode(&window), None, "a handle of the body needs no pin");
    // A click into the view selects the same handles.
    let at = seen(&window, &place(&window, "right hand"));
    window.drag(egui::PointerButton::Primary, Modifiers::NONE, at, at);
    let right = Site::Joint(joint(&window, "right hand"));
    let selected: Vec<Site> = window.app().pose.handles.selected.iter().copied().collect();
    assert_eq!(selected, [right], "clicked in the view");
    // A box around everything takes all handles.
    let view = window.view();
    let (from, to) = (
        view.left_bottom() + egui::vec2(8.0, -8.0),
        view.right_top() + egui::vec2(-8.0, 60.0),
    );
    window.drag(egui::PointerButton::Primary, Modifiers::NONE, from, to);
    let n = window.app().pose.handles.selected.len();
    assert!(n > 8, "a box took {n} handles");
    assert_eq!(
        window.undo_label(),
        "free handles of walk_0",
        "looking changes nothing"
    );
}

#[test]
fn keys_move_turn_mirror_flip_copy_and_reset() {
    let mut window = learned(&demo_clips(Action::Walk, 0..1));
    window.click("Handle right hand");
    let before = posed(&window).clone();
    let from = seen(&window, &place(&window, "right hand"));
    window.harness.hover_at(from);
    window.harness.step();
    window.press(Modifiers::NONE, Key::G);
    window.harness.hover_at(from + egui::vec2(-20.0, -30.0));
    window.harness.run_steps(3);
    assert!(window.app().pose.handles.grab.is_some(), "in the hand");
    window.press(Modifiers::NONE, Key::Escape);
    assert_eq!(*posed(&window), before, "Escape puts it back");
    window.press(Modifiers::SHIFT, Key::X);
    assert_eq!(window.undo_label(), "flip walk_0");
    window.press(Modifiers::NONE, Key::X);
    assert_eq!(window.undo_label(), "mirror walk_0");
    // Left is the image of right: seen in the mirror, the left side is as it was.
    let figure = window.app().pose.figure(&before.skeleton).unwrap().clone();
    let image = flipped(posed(&window), &figure.rig).unwrap();
    let sides = figure.rig.body().side.iter().enumerate();
    for (joint, _) in sides.filter(|(_, side)| **side == Side::Left) {
        let off = image.rotations[joint].angle_to(&posed(&window).pose.rotations[joint]);
        assert!(off < 1e-6, "joint {joint} is off by {off}");
    }
    let left = place(&window, "left hand");
    window.harness.event(egui::Event::Copy);
    window.harness.run_steps(2);
    window.app_mut().pose.handles.selected.clear();
    window.harness.run_steps(2);
    window.click("Reset pose");
    let is_rest = posed(&window).pose.rotations.iter().skip(1);
    let n_still = is_rest.filter(|turn| turn.angle() < 1e-12).count();
    assert!(n_still > 10, "{n_still} joints at rest");
    window
        .harness
        .event(egui::Event::Paste("anything".to_owned()));
    window.harness.run_steps(2);
    assert_eq!(window.undo_label(), "paste a pose to walk_0");
    assert_eq!(place(&window, "left hand"), left, "as it was copied");
    // Forward kinematics: one joint turns, the solver has no say.
    window.click("FK mode");
    window.click("Handle left elbow");
    let elbow = seen(&window, &place(&window, "left elbow"));
    let shoulder = posed(&window).pose.rotations.clone();
    let arm = joint(&window, "left elbow");
    pull(
        &mut window,
        elbow + egui::vec2(4.0, 0.0),
        elbow + egui::vec2(0.0, 40.0),
    );
    let turned: Vec<usize> = (0..shoulder.len())
        .filter(|j| shoulder[*j] != posed(&window).pose.rotations[*j])
        .collect();
    assert_eq!(turned, [arm], "only the elbow turned");
}

#[test]
fn both_sides_move_as_mirror_images() {
    let mut window = learned(&demo_clips(Action::Jump, 0..2));
    // Something that is the same on both sides to begin with.
    window.press(Modifiers::NONE, Key::X);
    rest(&mut window);
    let before = posed(&window).clone();
    let figure = window.app().pose.figure(&before.skeleton).cloned();
    let figure = figure.unwrap();
    let tall = figure.mannequin.height();
    window.click("Symmetry");
    let from = seen(&window, &place(&window, "left hand"));
    let to = from + egui::vec2(20.0, -45.0);
    pull(&mut window, from, to);
    let after = posed(&window).clone();
    assert_eq!(window.undo_label(), "move left hand of jump_0");
    let world = |posed: &Posed| WorldPose::of(&posed.skeleton, posed.pose.as_ref());
    let at = |posed: &Posed, name: &str| world(posed).positions[joint(&window, name)];
    for hand in ["left hand", "right hand"] {
        let moved = (at(&before, hand) - at(&after, hand)).norm();
        assert!(moved > 0.05 * tall, "the {hand} moved by {moved}");
    }
    // Both are wished at mirror images of each other, and got near them.
    let pin = |name: &str| *after.pin(Site::Joint(joint(&window, name))).unwrap();
    let (left, right) = (pin("left hand"), pin("right hand"));
    assert_eq!(right.position, PinMode::Soft, "it stays where it was put");
    let image = place_across(&world(&before), &figure.rig, after.up, &left.place);
    let off = (image - right.place).norm();
    assert!(off < 1e-6 * tall, "the other side is off by {off}");
    for (name, pin) in [("left hand", left), ("right hand", right)] {
        let off = (at(&after, name) - pin.place).norm();
        assert!(off < 0.03 * tall, "the {name} is off by {off}");
    }
    // Turned together, too: about the line of sight, by the ring's own key.
    window.click("Handle left hand");
    let at_hand = seen(&window, &place(&window, "left hand"));
    window.harness.hover_at(at_hand + egui::vec2(50.0, 0.0));
    window.harness.step();
    window.press(Modifiers::NONE, Key::R);
    window.harness.hover_at(at_hand + egui::vec2(35.0, 35.0));
    window.harness.run_steps(3);
    settle(&mut window);
    window.press(Modifiers::NONE, Key::Enter);
    rest(&mut window);
    let turned = |name: &str| {
        let joint = joint(&window, name);
        let (a, b) = (world(&after), world(posed(&window)));
        a.rotations[joint].angle_to(&b.rotations[joint])
    };
    let (left, right) = (turned("left hand"), turned("right hand"));
    assert!(left > 0.3, "the left hand turned by {left}");
    assert!((left - right).abs() < 0.15, "the right one by {right}");
    // And without the switch the other side stays.
    window.click("Symmetry");
    window.press(Modifiers::COMMAND, Key::Z);
    window.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(*posed(&window), before, "each was one step");
}

#[test]
fn the_map_is_walked_with_pins_held_and_styles_blend() {
    let mut clips = demo_clips(Action::Walk, 0..2);
    clips.extend(demo_clips(Action::Jump, 0..2));
    let mut window = workspace("Pose", &clips);
    let names = window.names();
    assert_eq!(names, ["jump_0", "jump_1", "walk_0", "walk_1"]);
    window.app_mut().pose.learn.settings = quick();
    for (name, range) in [("stroll", 2..4), ("leap", 0..2)] {
        let ids = window.app().shell.document().clip_order()[range].to_vec();
        window.app_mut().pose.learn.chosen = ids;
        window.harness.run_steps(2);
        window.type_in("Style name", name);
        window.click("Learn from 2 clips");
        window.until("learned", |app| {
            app.shell.document().models().iter().any(|m| m.name == name)
        });
        window.until_idle();
    }
    rest(&mut window);
    // Over the map, with the foot held.
    let pinned: Vec<(usize, Vec3)> = posed(&window)
        .pins
        .iter()
        .map(|pin| (posed(&window).skeleton.carrier(pin.site), pin.place))
        .collect();
    assert!(!pinned.is_empty(), "a foot stands");
    let before = posed(&window).clone();
    window.until("drawn", |app| app.pose.map.image.is_some());
    let map = window
        .harness
        .get_by_role_and_label(Role::Canvas, "Pose map")
        .rect();
    let from = map.center() + egui::vec2(-0.2 * map.width(), 0.1 * map.height());
    pull(&mut window, from, map.center());
    assert_eq!(window.undo_label(), "browse poses of jump_0");
    assert_ne!(posed(&window).pose, before.pose);
    for (joint, place) in &pinned {
        let world = WorldPose::of(&posed(&window).skeleton, posed(&window).pose.as_ref());
        let off = (world.positions[*joint] - place).norm();
        let tall = window
            .app()
            .pose
            .figure(&before.skeleton)
            .unwrap()
            .mannequin
            .height();
        assert!(off < 0.004 * tall, "a pinned foot is off by {off}");
    }
    // A soft pin pulls, too: the same walk with the hand held softly where it was leaves it nearer.
    let hand = |window: &Window| place(window, "right hand");
    let was = {
        let world = WorldPose::of(&before.skeleton, before.pose.as_ref());
        world.positions[joint(&window, "right hand")]
    };
    let carried = (hand(&window) - was).norm();
    window.press(Modifiers::COMMAND, Key::Z);
    window.click("Handle right hand");
    window.press(Modifiers::NONE, Key::P);
    rest(&mut window);
    pull(&mut window, from, map.center());
    let held = (hand(&window) - was).norm();
    assert!(
        held < 0.5 * carried,
        "{held} with a soft pin, {carried} without"
    );
    // Two styles that were learned apart are fitted together, then blended.
    window.click("Blend in leap");
    window.until("fitted", |app| !app.pose.shared.is_empty());
    window.until_idle();
    rest(&mut window);
    let mut poses = Vec::new();
    for share in [0.0, 0.5, 1.0] {
        let slider = window.harness.get_by_label("Blend").rect();
        let at = slider.left_center() + egui::vec2(4.0 + share * (slider.width() - 8.0), 0.0);
        let away = at + egui::vec2(if share > 0.5 { -9.0 } else { 9.0 }, 0.0);
        pull(&mut window, away, at);
        poses.push(posed(&window).pose.clone());
        assert_eq!(window.undo_label(), "blend styles of jump_0");
    }
    let is_new = [poses[0] != poses[1], poses[1] != poses[2]];
    assert_eq!(is_new, [true, true], "the body follows the blend");
    let weights: Vec<f64> = posed(&window).styles.iter().map(|style| style.1).collect();
    assert!(weights[1] > 0.9, "{weights:?}");
    save_as(&mut window, "blend.kinfolk");
    let there = on_disk(&window.path("blend.kinfolk"));
    assert_eq!(there.posed(), window.app().shell.document().posed());
    assert_eq!(there.models().len(), 2, "both styles");
}
