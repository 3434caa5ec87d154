//! What the pose workspace promises: from a move of the mouse to the new pose in the window under 16 ms, 99 times of
//! 100, with the window drawing. The graphics card's work is not counted.
//!
//! `cargo bench --bench poseui`.
#![expect(clippy::print_stdout, reason = "prints a table")]

#[path = "common/demo_window.rs"]
mod demo_window;

use std::time::{Duration, Instant};

use egui::accesskit::Role;
use egui::{Event, Modifiers, PointerButton, Pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use kinfolk::app::App;
use kinfolk::app::pose::handles::draft::Grab;
use kinfolk::app::render::Size;
use kinfolk::app::shell::preferences::Workspace;
use kinfolk::motion::WorldPose;

use demo_window::demo_window;

/// Moves of the mouse, in circles about where it began.
const MOVES: usize = 600;

/// Learning takes a second or two.
const LONGEST: Duration = Duration::from_mins(1);
/// Until the camera has come to rest.
const REST_FRAMES: usize = 120;

type Window = Harness<'static, App>;

fn main() {
    let mut window = posing();
    println!("mouse event to new pose, {MOVES} moves each, in ms");
    println!("| handle | median | 99 of 100 | slowest |\n|---|---|---|---|");
    for name in ["left hand", "hips", "left foot", "head"] {
        let mut took = drag(&mut window, name);
        took.sort_unstable();
        let ms = |share: f64| {
            let at = ((took.len() - 1) as f64 * share) as usize;
            took[at].as_secs_f64() * 1e3
        };
        println!(
            "| {name} | {:.2} | {:.2} | {:.2} |",
            ms(0.5),
            ms(0.99),
            ms(1.0)
        );
    }
}

fn until(window: &mut Window, holds: impl Fn(&App) -> bool) {
    let began = Instant::now();
    while !holds(window.state()) {
        assert!(began.elapsed() < LONGEST, "the window does not answer");
        window.step();
        std::thread::yield_now();
    }
}

/// A character with a style of four walks of the demo.
fn posing() -> Window {
    let mut window = demo_window([1920.0, 1080.0]);
    let app = window.state_mut();
    let shell = &mut app.shell;
    shell.session.is_playing = false;
    shell.preferences.workspace = Workspace::Pose;
    let document = shell.document();
    let walks = document
        .clips()
        .filter(|(_, clip)| clip.info.name.contains("walk"));
    let walks: Vec<_> = walks.map(|(id, _)| id).take(4).collect();
    shell.session.select(walks);
    app.pose.learn_style(shell);
    until(&mut window, |app| {
        app.shell.work.is_idle() && app.pose.handles.thought.is_some()
    });
    window.run_steps(REST_FRAMES);
    window
}

/// Where a handle is seen.
fn seen(window: &Window, name: &str) -> Pos2 {
    let App { shell, pose, .. } = window.state();
    let (_, posed) = pose.posed_now(shell).expect("a character is on stage");
    let figure = pose.figure(&posed.skeleton).expect("it is drawn");
    let mut handles = figure.rig.handles().iter();
    let handle = handles
        .find(|handle| handle.name == name)
        .expect("a handle");
    let world = WorldPose::of(&posed.skeleton, posed.pose.as_ref());
    let place = world.site(&posed.skeleton, handle.site);
    let view = window.get_by_role_and_label(Role::Canvas, "3D view").rect();
    let camera = shell.session.camera.expect("a camera");
    let size = Size::of(view.width(), view.height());
    let seen = camera.project(&place, size).expect("before the eye");
    view.min + vec2(seen.x as f32, seen.y as f32)
}

fn press(at: Pos2, pressed: bool) -> Event {
    Event::PointerButton {
        pos: at,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    }
}

fn drag(window: &mut Window, name: &str) -> Vec<Duration> {
    let from = seen(window, name);
    window.hover_at(from);
    window.step();
    window.event(press(from, true));
    window.step();
    let mut took = Vec::with_capacity(MOVES);
    let mut at = from;
    for step in 0..MOVES {
        let angle = step as f32 * 0.05;
        at = from + 45.0 * vec2(angle.sin(), angle.cos() - 1.0) + vec2(8.0, 0.0);
        let began = Instant::now();
        window.hover_at(at);
        window.step();
        let is_answered = |app: &App| {
            let grab = app.pose.handles.grab.as_ref();
            grab.is_some_and(Grab::is_answered)
        };
        // The pose is in the window when the frame after the answer is drawn.
        until(window, is_answered);
        took.push(began.elapsed());
    }
    window.event(press(at, false));
    window.step();
    until(window, |app| app.pose.handles.grab.is_none());
    took
}
