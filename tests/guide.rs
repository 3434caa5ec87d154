//! The pictures of the window in README and guide: the real window is led as the guide says, and drawn.
//!
//! Apart from `it` because `packaging/pictures.sh` runs it alone: with `KINFOLK_PICTURES=FOLDER` the pictures are written
//! there. Without, what is tested is that the guide's steps can be taken, and that each picture shows something.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

#[expect(
    dead_code,
    reason = "what drives the window serves other tests as well"
)]
#[path = "it/window/driver.rs"]
mod driver;

#[path = "guide/demo.rs"]
mod demo;
#[path = "guide/library.rs"]
mod library;
#[path = "guide/pose.rs"]
mod pose;
#[path = "guide/retarget.rs"]
mod retarget;

#[expect(dead_code, reason = "other tests need all of it")]
#[path = "it/data.rs"]
mod data;
#[expect(dead_code, reason = "other tests need all of it")]
#[path = "it/rigs.rs"]
mod rigs;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use kinfolk::app::App;
use kinfolk::app::render::{Offscreen, RenderError, Samples};
use kinfolk::app::shell::demo_models::DemoScope;
use kinfolk::app::shell::pane::Pane;
use kinfolk::app::shell::preferences::Workspace;
use kinfolk::file::bvh;
use kinfolk::motion::Clip;

use crate::driver::Window;

/// A window that is drawn, with these clips in it; none where there is nothing to draw with.
fn with_clips(clips: &[(&str, &Clip)]) -> Option<Window> {
    let folder = tempfile::tempdir().unwrap();
    let takes = folder.path().join("takes");
    std::fs::create_dir(&takes).unwrap();
    for (name, clip) in clips {
        let text = bvh::write(clip, &bvh::WriteSettings::default()).bytes;
        std::fs::write(takes.join(format!("{name}.bvh")), text).unwrap();
    }
    let mut window = open(folder, vec![takes], DemoScope::Clips)?;
    let n = clips.len();
    window.until("imported", |app| app.shell.document().n_clips() == n);
    window.until_idle();
    Some(window)
}

fn open(folder: tempfile::TempDir, files: Vec<PathBuf>, demo: DemoScope) -> Option<Window> {
    if let Err(RenderError::NoAdapter(why)) = Offscreen::new(Samples::One) {
        data::skipped(&why);
        return None;
    }
    let setup = driver::setup(&folder, files, demo);
    let builder = driver::builder().wgpu();
    let harness = builder.build_eframe(move |creation| App::new(creation, setup));
    Some(Window { harness, folder })
}

fn go_to(window: &mut Window, workspace: Workspace, pane: Pane) {
    window.app_mut().shell.preferences.workspace = workspace;
    window.harness.run_steps(3);
    show(window, pane);
}

fn show(window: &mut Window, pane: Pane) {
    window.app_mut().shell.wanted_pane = Some(pane);
    window.harness.run_steps(3);
}

/// Selects clips by their names.
#[track_caller]
fn select(window: &mut Window, names: &[&str]) {
    let clips = window.app().shell.document().clips();
    let chosen = clips.filter(|(_, clip)| names.contains(&clip.info.name.as_str()));
    let chosen: Vec<_> = chosen.map(|(id, _)| id).collect();
    assert_eq!(chosen.len(), names.len(), "{names:?}");
    window.app_mut().shell.session.select(chosen);
    window.harness.run_steps(3);
}

/// Still, at this moment.
fn at(window: &mut Window, secs: f64) {
    let session = &mut window.app_mut().shell.session;
    session.is_playing = false;
    session.playhead_secs = secs;
    window.harness.run_steps(3);
}

/// Where the pictures go; none if they are only tried.
fn folder() -> Option<PathBuf> {
    std::env::var_os("KINFOLK_PICTURES").map(PathBuf::from)
}

/// Takes the picture of this name, with the pointer out of the way.
#[track_caller]
fn keep(window: &mut Window, name: &str) {
    window.harness.remove_cursor();
    keep_pointed(window, name);
}

/// With what is under the pointer.
#[track_caller]
fn keep_pointed(window: &mut Window, name: &str) {
    window.until_idle();
    // Messages go after some seconds; for a picture that is looked at, that is waited for.
    let n_steps = if folder().is_some() { 160 } else { 4 };
    window.harness.run_steps(n_steps);
    let picture = window.harness.render().unwrap();
    write(&picture, name);
}

/// Writes a picture for the pages, or looks whether they have it.
#[track_caller]
fn write(picture: &image::RgbaImage, name: &str) {
    let colours: BTreeSet<[u8; 4]> = picture.pixels().map(|pixel| pixel.0).collect();
    assert!(
        colours.len() > 500,
        "{name}: nothing is drawn, {} colours",
        colours.len()
    );
    let own = format!("{name}.png");
    if let Some(folder) = folder() {
        picture.save(folder.join(own)).unwrap();
    } else {
        let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("resources/pictures");
        assert!(pages.join(&own).exists(), "the pages lack {own}");
    }
}
