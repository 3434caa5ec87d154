//! The window, by workspace.
//!
//! [`shell`] holds what all share: document and history, session, preferences, jobs, dialogs. Each workspace
//! ([`library`], [`variation`], [`pose`], [`sequence`], [`study`]) has its state, its work and its panels in one
//! folder and knows no other; [`timeline`] and [`viewport`] are what they show things on; [`render`] makes pictures,
//! also without a window. [`App`] knows all of them: once per frame everything that was asked for is done, then
//! everything is drawn. Panels change no more than the session and their own state; the document changes by commands,
//! and whatever takes time runs in the background and comes back as one step.

mod commands;
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

use std::path::PathBuf;

pub use window::{App, Setup};

/// Opens the window with a project or clips, and returns when it is closed.
pub fn run(open: Vec<PathBuf>) -> anyhow::Result<()> {
    let folders = directories::ProjectDirs::from("", "", "kinfolk");
    let setup = Setup {
        data_folder: folders.map(|folders| folders.data_local_dir().to_owned()),
        open,
    };
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_app_id("kinfolk")
            .with_title("Kinfolk")
            .with_inner_size([1280.0, 800.0])
            .with_min_inner_size([800.0, 500.0]),
        ..Default::default()
    };
    let make = move |creation: &eframe::CreationContext<'_>| {
        let app: Box<dyn eframe::App> = Box::new(App::new(creation, setup));
        Ok(app)
    };
    eframe::run_native("kinfolk", options, Box::new(make))
        .map_err(|error| anyhow::anyhow!("the window cannot be opened: {error}"))
}
