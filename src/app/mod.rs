//! The window, by workspace.
//!
//! [`shell`] holds what all share: document and history, session, preferences, jobs, dialogs. Each workspace
//! ([`library`], [`variation`], [`pose`], [`sequence`], [`study`]) has its state, its work and its panels in one
//! folder and knows no other; [`timeline`] and [`viewport`] are what they show things on; [`render`] makes pictures,
//! also without a window. [`App`] knows all of them: once per frame everything that was asked for is done, then
//! everything is drawn. Panels change no more than the session and their own state; the document changes by commands,
//! and whatever takes time runs in the background and comes back as one step.

mod commands;
mod demo;
mod displays;
pub mod library;
mod panes;
pub mod pose;
pub mod render;
pub mod sequence;
pub mod shell;
pub mod study;
pub mod timeline;
pub mod variation;
pub mod viewport;
mod window;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use shell::demo_models::DemoScope;
pub use window::{App, Setup};

/// Opens the window with a project or clips, and returns when it is closed. Where a driver or window system fails,
/// `warn` hears why, and the next way is tried.
pub fn run(open: &[PathBuf], warn: &dyn Fn(&str)) -> anyhow::Result<()> {
    let has_begun = Arc::new(AtomicBool::new(false));
    let ended = catch_unwind(AssertUnwindSafe(|| show(open.to_vec(), &has_begun)));
    let error = match ended {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(error)) => {
            let why = displays::without_place(&error.to_string());
            anyhow::anyhow!("the window cannot be opened: {why}")
        }
        Err(panic) if has_begun.load(Ordering::Relaxed) => resume_unwind(panic),
        Err(_panic) => anyhow::anyhow!("the graphics driver fails while the window is opened"),
    };
    if has_begun.load(Ordering::Relaxed) {
        return Err(error);
    }
    displays::try_next(&error, open, warn)
}

/// `has_begun` is set once there is something that draws.
fn show(open: Vec<PathBuf>, has_begun: &Arc<AtomicBool>) -> eframe::Result {
    let folders = directories::ProjectDirs::from("", "", "kinfolk");
    let setup = Setup {
        data_folder: folders.map(|folders| folders.data_local_dir().to_owned()),
        open,
        demo: DemoScope::Project,
        is_on_wayland: displays::is_on_wayland(),
    };
    let mut options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_app_id("kinfolk")
            .with_title("Kinfolk")
            .with_inner_size([1280.0, 800.0])
            .with_min_inner_size([800.0, 500.0]),
        ..Default::default()
    };
    if let egui_wgpu::WgpuSetup::CreateNew(setup) = &mut options.wgpu_options.wgpu_setup {
        setup.device_descriptor = Arc::new(render::device_wish);
    }
    let has_begun = Arc::clone(has_begun);
    let make = move |creation: &eframe::CreationContext<'_>| {
        has_begun.store(true, Ordering::Relaxed);
        let app: Box<dyn eframe::App> = Box::new(App::new(creation, setup));
        Ok(app)
    };
    eframe::run_native("kinfolk", options, Box::new(make))
}
