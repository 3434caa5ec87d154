//! The window that benches draw.

use egui_kittest::Harness;
use kinfolk::app::{App, Setup};

/// The demo's window of this size, once the demo is there and nothing runs.
pub(crate) fn demo_window(size: [f32; 2]) -> Harness<'static, App> {
    let setup = Setup {
        data_folder: None,
        open: Vec::new(),
        ..Setup::default()
    };
    let mut window = Harness::builder()
        .with_size(size)
        .with_step_dt(1.0 / 60.0)
        .build_eframe(move |creation| App::new(creation, setup));
    while window.state().shell.document().n_clips() == 0 {
        window.step();
        std::thread::yield_now();
    }
    settle(&mut window);
    window
}

/// Draws until no job runs any more.
pub(crate) fn settle(window: &mut Harness<'static, App>) {
    window.run_steps(2);
    while !window.state().shell.work.is_idle() {
        window.step();
        std::thread::yield_now();
    }
    window.run_steps(2);
}
