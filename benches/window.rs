//! What the window promises: one frame with 16 playing characters under 4 ms of the program's own time, and all of the
//! shared motion-capture set read from cold under 2 s. The graphics card's work is not counted; what is sent to it is
//! (`frame_of_characters` in `viewport`).

use std::path::PathBuf;

use divan::{Bencher, black_box};
use egui_kittest::Harness;
use kinfolk::app::shell::view_options::Arrangement;
use kinfolk::app::{App, Setup};

fn main() {
    divan::main();
}

fn window(open: Vec<PathBuf>) -> Harness<'static, App> {
    let setup = Setup {
        data_folder: None,
        open,
        ..Setup::default()
    };
    Harness::builder()
        .with_size([1920.0, 1080.0])
        .with_step_dt(1.0 / 60.0)
        .build_eframe(move |creation| App::new(creation, setup))
}

/// Steps until nothing runs any more and there are clips.
fn settle(window: &mut Harness<'static, App>) {
    let is_busy = |app: &App| !app.shell.work.is_idle() || app.shell.document().n_clips() == 0;
    while is_busy(window.state()) {
        window.step();
        std::thread::yield_now();
    }
}

/// The demo with this many clips playing side by side.
fn playing(n: usize) -> Harness<'static, App> {
    let mut window = window(Vec::new());
    settle(&mut window);
    let shell = &mut window.state_mut().shell;
    // Different actions, not sixteen walks.
    let every = (shell.document().n_clips() / n).clamp(1, 8);
    let some: Vec<_> = shell
        .document()
        .clip_order()
        .iter()
        .copied()
        .step_by(every)
        .take(n)
        .collect();
    assert_eq!(some.len(), n, "the demo has too few clips");
    shell.session.select(some);
    shell.show_from_start();
    shell.session.is_playing = true;
    shell.preferences.view.arrangement = Arrangement::SideBySide;
    window.step();
    settle(&mut window);
    window
}

/// Logic, all panels, and triangles for the graphics card.
fn one_frame(window: &mut Harness<'static, App>) -> usize {
    window.step();
    let output = window.output();
    let shapes = output.shapes.clone();
    window.ctx.tessellate(shapes, output.pixels_per_point).len()
}

#[divan::bench(args = [1, 16, 64])]
fn frame_with_characters(bencher: Bencher<'_, '_>, n: usize) {
    let mut window = playing(n);
    bencher.bench_local(|| one_frame(black_box(&mut window)));
}

#[divan::bench]
fn frame_with_16_trails_ghosts_and_names(bencher: Bencher<'_, '_>) {
    let mut window = playing(16);
    let sights = &mut window.state_mut().shell.preferences.view;
    sights.shows_trails = true;
    sights.shows_ghosts = true;
    sights.has_own_colours = true;
    window.step();
    settle(&mut window);
    bencher.bench_local(|| one_frame(black_box(&mut window)));
}

/// From nothing to a library with everything that can be read, looked at and ready to play. The program is cold; the
/// disk's cache is not, after the first round. Without the set, nothing is read.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn import_of_the_shared_set(bencher: Bencher<'_, '_>) {
    let folder = PathBuf::from("../shared/data");
    bencher
        .with_inputs(|| window(vec![folder.clone()]))
        .bench_local_values(|mut window| {
            if folder.is_dir() {
                settle(&mut window);
            }
            window.state().shell.document().n_clips()
        });
}
