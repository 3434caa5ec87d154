//! What the crowd preview promises: one frame of the window with 200 characters under 8 ms of the program's own time.
//! The graphics card's work is not counted; what is sent to it is (`made_ready`).

#[path = "common/demo_window.rs"]
mod demo_window;

use std::sync::Arc;

use divan::{Bencher, black_box};
use egui_kittest::Harness;
use kinfolk::app::App;
use kinfolk::app::render::{Frame, Size};
use kinfolk::app::shell::preferences::Workspace;
use kinfolk::app::study::crowd::Crowd;
use kinfolk::app::study::sets::Source;
use kinfolk::demo::Action;

use demo_window::{demo_window, settle};

fn main() {
    divan::main();
}

/// The demo's window with a crowd of this many that plays.
fn crowd(n: usize) -> Harness<'static, App> {
    let mut window = demo_window([1920.0, 1080.0]);
    let app = window.state_mut();
    let walks = app.shell.document().clips();
    let name = format!("{:?}", Action::Walk).to_lowercase();
    let walks = walks.filter(|(_, clip)| clip.info.name.to_lowercase().starts_with(&name));
    let walks: Vec<_> = walks.map(|(id, _)| id).collect();
    assert!(walks.len() > 4, "the demo has walks");
    app.shell.preferences.workspace = Workspace::Study;
    app.study
        .sets
        .add("takes", Source::Library(walks[..4].to_vec()));
    app.study
        .sets
        .add("walks", Source::Library(walks[4..].to_vec()));
    app.study.crowd.count = n;
    app.study.crowd.lights_repeated = true;
    app.study.gather_crowd(&mut app.shell);
    settle(&mut window);
    assert!(window.state().study.crowd.crowd.is_some(), "gathered");
    window.step();
    window
}

/// Logic, all panels, poses of everybody, and triangles for the graphics card.
#[divan::bench(args = [50, 200, 500])]
fn frame_with_a_crowd(bencher: Bencher<'_, '_>, n: usize) {
    let mut window = crowd(n);
    bencher.bench_local(|| {
        black_box(&mut window).step();
        let output = window.output();
        let shapes = output.shapes.clone();
        window.ctx.tessellate(shapes, output.pixels_per_point).len()
    });
}

/// Poses of everybody and the buffers that are sent.
#[divan::bench(args = [50, 200, 500])]
fn made_ready(bencher: Bencher<'_, '_>, n: usize) {
    const SIZE: Size = Size {
        width: 1280,
        height: 720,
    };
    let window = crowd(n);
    let study = &window.state().study;
    let crowd: Arc<Crowd> = study.crowd.crowd.clone().expect("gathered");
    let mut frame = Frame::default();
    bencher.bench_local(|| {
        let scene = crowd.scene(black_box(&study.crowd), None, SIZE, true);
        frame.build(&scene, SIZE);
        frame.n_bytes()
    });
}
