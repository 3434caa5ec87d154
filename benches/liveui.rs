//! What live play promises: a frame with the transition graph in front, the palette beside it and actions that are
//! interrupted under 6 ms of the window's own time. Frames are made on a thread of their own, and the graphics card's
//! work is not counted.

#[path = "common/demo_window.rs"]
mod demo_window;

use std::sync::Arc;

use divan::{Bencher, black_box};
use egui_kittest::Harness;
use kinfolk::app::App;
use kinfolk::app::sequence::state::Request as SequenceRequest;
use kinfolk::app::shell::pane::Pane;
use kinfolk::app::shell::preferences::Workspace;

use demo_window::{demo_window, settle};

fn main() {
    divan::main();
}

/// The demo library as a graph, played live with its picture in front.
fn playing() -> Harness<'static, App> {
    let mut window = demo_window([1600.0, 1000.0]);
    let app = window.state_mut();
    app.shell.preferences.workspace = Workspace::Sequence;
    let document = app.shell.document();
    // Takes of one skeleton and rate only.
    let first = Arc::clone(document.clips().next().expect("the demo has clips").1);
    let ids = document
        .clips()
        .filter(|(_, clip)| {
            clip.skeleton() == first.skeleton() && (clip.fps() - first.fps()).abs() < 1e-6
        })
        .map(|(id, _)| id)
        .collect();
    app.sequence.ask(SequenceRequest::BuildGraph(ids));
    settle(&mut window);
    for pane in [Pane::Graph, Pane::Live] {
        window.state_mut().shell.wanted_pane = Some(pane);
        settle(&mut window);
    }
    let app = window.state_mut();
    app.sequence.start_live(&mut app.shell);
    settle(&mut window);
    assert!(window.state().sequence.graph().is_some(), "it was built");
    window
}

/// Logic, all panels, and triangles for the graphics card; every second another action interrupts.
#[divan::bench]
fn frame_with_graph_and_live_play(bencher: Bencher<'_, '_>) {
    let mut window = playing();
    let mut n = 0;
    bencher.bench_local(|| {
        n += 1;
        if n % 60 == 0 {
            window.state_mut().sequence.trigger(n / 60 % 7, false);
        }
        window.step();
        let output = window.output();
        let shapes = output.shapes.clone();
        black_box(window.ctx.tessellate(shapes, output.pixels_per_point).len())
    });
}
