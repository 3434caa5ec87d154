//! What the window does, on the real window ([`driver`]).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use kinfolk::app::App;
use kinfolk::app::shell::dialogs::Dialog;
use kinfolk::app::shell::messages::Severity;
use kinfolk::app::shell::work::Shown;
use kinfolk::file::project::{Access, ProjectFolder};

use self::driver::{STEP_SECS, Window};
use crate::command::small_walk;

mod demo;
mod driver;
mod inspector;
mod keys;
mod library;
mod live_path;
mod picture;
mod pictures;
mod pose;
mod pose_library;
mod projects;
mod recovery;
mod repair;
mod retarget;
mod same_models;
mod sequence;
mod study;
mod time;
mod timeline;
mod variation;
mod variation_craft;
mod view;

fn walk() -> String {
    small_walk(60)
}

#[test]
fn the_first_start_plays_the_demo_and_the_timeline_scrubs() {
    let mut window = Window::open(&[], &[]);
    window.until("the demo", |app| app.shell.document().n_clips() > 20);
    window.until_idle();
    assert!(window.app().shell.session.is_playing, "it plays");
    assert!(!window.app().shell.has_unsaved_work(), "nothing to lose");
    let before = window.app().shell.session.playhead_secs;
    window.harness.step();
    let after = window.app().shell.session.playhead_secs;
    let moved = (after - before).rem_euclid(window.app().shell.length_secs());
    assert!(
        (moved - f64::from(STEP_SECS)).abs() < 1e-6,
        "moved by {moved}"
    );
    window.press(Modifiers::NONE, Key::Space);
    assert!(!window.app().shell.session.is_playing, "space pauses");
    let rect = window.harness.get_by_label("Timeline").rect();
    let middle = rect.center();
    window.harness.drag_at(middle);
    window.harness.hover_at(middle + egui::vec2(10.0, 0.0));
    window.harness.run_steps(2);
    let at = window.app().shell.session.playhead_secs;
    window.harness.hover_at(middle + egui::vec2(100.0, 0.0));
    window.harness.run_steps(2);
    let later = window.app().shell.session.playhead_secs;
    window.harness.drop_at(middle + egui::vec2(100.0, 0.0));
    window.harness.run_steps(2);
    assert!(later > at, "dragged from {at} to {later}");
}

#[test]
fn keys_step_frames_and_jump_to_the_ends() {
    let mut window = Window::open(&[("a.bvh", &walk())], &["a.bvh"]);
    window.until("imported", |app| app.shell.document().n_clips() == 1);
    window.until_idle();
    let frame = |w: &Window| (w.app().shell.session.playhead_secs * 30.0).round() as i64;
    window.press(Modifiers::NONE, Key::ArrowRight);
    assert_eq!(frame(&window), 1);
    window.press(Modifiers::NONE, Key::ArrowUp);
    assert_eq!(frame(&window), 11);
    window.press(Modifiers::SHIFT, Key::ArrowRight);
    assert_eq!(frame(&window), 59, "the last frame, not after it");
    window.press(Modifiers::NONE, Key::ArrowRight);
    assert_eq!(frame(&window), 59);
    window.press(Modifiers::SHIFT, Key::ArrowLeft);
    assert_eq!(frame(&window), 0);
}

#[test]
fn a_folder_with_a_broken_file_is_imported_and_the_report_names_it() {
    let files = [
        ("takes/good.bvh", walk()),
        ("takes/deep/other.bvh", walk()),
        ("takes/broken.bvh", "HIERARCHY\nROOT".to_owned()),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(n, t)| (*n, t.as_str())).collect();
    let mut window = Window::open(&files, &["takes"]);
    window.until("a report", |app| {
        matches!(app.shell.dialog, Some(Dialog::ImportReport))
    });
    assert_eq!(window.names(), ["other", "good"]);
    window.harness.get_by_label("broken.bvh");
    let report = window.app().shell.last_import.as_ref().unwrap();
    assert_eq!((report.files.len(), report.n_failed()), (3, 1));
    window.click("Close");
    assert!(window.app().shell.dialog.is_none(), "closed");
    assert_eq!(window.app().shell.session.selection.len(), 2);
}

#[derive(Debug)]
struct Dropped(PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        Err("only its path is wanted".to_owned())
    }
}

#[test]
fn paths_can_be_typed_and_files_dropped() {
    let mut window = Window::open(&[("a.bvh", &walk()), ("b.bvh", &walk())], &["a.bvh"]);
    window.until("imported", |app| app.shell.document().n_clips() == 1);
    window.press(Modifiers::COMMAND, Key::I);
    let path = window.path("b.bvh").display().to_string();
    window.type_in("Path", &path);
    window.click("Import");
    window.until("the typed one", |app| app.shell.document().n_clips() == 2);
    let dropped = Dropped(window.path("a.bvh"));
    window
        .harness
        .input_mut()
        .dropped_files
        .push(Arc::new(dropped));
    window.until("the dropped one", |app| app.shell.document().n_clips() == 3);
    assert_eq!(window.names(), ["a", "b", "a"]);
}

#[test]
fn a_clip_is_renamed_in_place_undone_and_done_again() {
    let mut window = Window::open(&[("a.bvh", &walk())], &["a.bvh"]);
    window.until("imported", |app| app.shell.document().n_clips() == 1);
    window.until_idle();
    window.press(Modifiers::NONE, Key::F2);
    window.type_in("New name", "hero walk");
    window.press(Modifiers::NONE, Key::Enter);
    assert_eq!(window.names(), ["hero walk"]);
    window.click("Edit");
    window.click("Undo rename a");
    assert_eq!(window.names(), ["a"]);
    window.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert_eq!(window.names(), ["hero walk"]);
    window.press(Modifiers::COMMAND, Key::Z);
    window.press(Modifiers::COMMAND, Key::Z);
    assert!(window.names().is_empty(), "also the import");
    window.harness.get_by_label("No clips yet");
}

#[test]
fn operations_are_one_step_each() {
    let mut window = Window::open(
        &[("a.bvh", &walk()), ("b.bvh", &walk())],
        &["a.bvh", "b.bvh"],
    );
    window.until("imported", |app| app.shell.document().n_clips() == 2);
    window.until_idle();
    let before = window.app().shell.document().clone();
    window.press(Modifiers::COMMAND, Key::M);
    window.until_idle();
    let label = window.undo_label();
    assert_eq!(label, "mirror 2 clips");
    assert_ne!(*window.app().shell.document(), before);
    window.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(*window.app().shell.document(), before);
    window.app_mut().shell.session.range_secs = Some((0.5, 1.0));
    window.press(Modifiers::COMMAND, Key::T);
    window.until_idle();
    let clips = window.app().shell.document().clips();
    let frames: Vec<usize> = clips.map(|(_, clip)| clip.n_frames()).collect();
    assert_eq!(frames, [15, 15]);
}

#[test]
fn tags_come_and_go() {
    let mut window = Window::open(&[("a.bvh", &walk())], &["a.bvh"]);
    window.until("imported", |app| app.shell.document().n_clips() == 1);
    window.until_idle();
    window.type_in("New tag", "calm");
    window.press(Modifiers::NONE, Key::Enter);
    assert!(
        window.app().shell.document().tags().contains("calm"),
        "tagged"
    );
    window.click("Remove tag calm");
    assert!(window.app().shell.document().tags().is_empty(), "untagged");
}

#[test]
fn a_long_import_can_be_cancelled() {
    let text = small_walk(4000);
    let folder = tempfile::tempdir().unwrap();
    // One file under many names: seconds of reading, so that it is still going on when it is cancelled.
    let first = folder.path().join("000.bvh");
    std::fs::write(&first, &text).unwrap();
    for n in 1..600 {
        std::fs::hard_link(&first, folder.path().join(format!("{n:03}.bvh"))).unwrap();
    }
    let open = vec![folder.path().to_owned()];
    let mut window = Window::on(folder, open);
    window.harness.run_steps(2);
    let running = window
        .app()
        .shell
        .work
        .shown()
        .next()
        .map(|r| r.name.clone());
    let name = running.expect("the import takes longer than two frames");
    window.click(&format!("Cancel {name}"));
    window.until_idle();
    assert!(window.names().is_empty(), "nothing was added");
    assert!(
        window.said().iter().any(|s| s.ends_with("cancelled")),
        "{:?}",
        window.said()
    );
}

#[test]
fn a_job_that_panics_is_shown_and_the_window_lives_on() {
    let mut window = Window::open(&[("a.bvh", &walk())], &["a.bvh"]);
    window.until("imported", |app| app.shell.document().n_clips() == 1);
    window.until_idle();
    let shell = &mut window.app_mut().shell;
    shell.start("juggle", Shown::InBar, |_| panic!("dropped a ball"));
    window.until_idle();
    let last = window.app().shell.messages.last().cloned().unwrap();
    assert_eq!(last.severity, Severity::Error);
    assert!(
        last.text.contains("juggle crashed") && last.text.contains("dropped a ball"),
        "{last:?}"
    );
    window.press(Modifiers::NONE, Key::ArrowRight);
    assert!(window.app().shell.session.playhead_secs > 0.0, "it goes on");
}

#[test]
fn the_palette_finds_and_does() {
    let mut window = Window::open(&[("a.bvh", &walk())], &["a.bvh"]);
    window.until("imported", |app| app.shell.document().n_clips() == 1);
    window.until_idle();
    window.press(Modifiers::COMMAND, Key::P);
    window.type_in("What do you want to do?", "loop");
    window.press(Modifiers::NONE, Key::Enter);
    assert!(!window.app().shell.session.is_looping, "switched off");
    assert!(window.app().shell.dialog.is_none(), "and closed");
}

#[test]
fn keys_can_be_changed() {
    let mut window = Window::open(&[("a.bvh", &walk())], &["a.bvh"]);
    window.until("imported", |app| app.shell.document().n_clips() == 1);
    window.until_idle();
    window.press(Modifiers::NONE, Key::F1);
    window
        .harness
        .get_by_label("Keys of Loop")
        .click_accesskit();
    window.harness.run_steps(2);
    window.press(Modifiers::COMMAND, Key::K);
    window.press(Modifiers::NONE, Key::Escape);
    assert!(window.app().shell.dialog.is_none(), "closed");
    window.press(Modifiers::NONE, Key::L);
    assert!(
        window.app().shell.session.is_looping,
        "the old key does nothing"
    );
    window.press(Modifiers::COMMAND, Key::K);
    assert!(
        !window.app().shell.session.is_looping,
        "the new one does it"
    );
}

#[test]
fn every_workspace_and_theme_can_be_drawn() {
    let mut window = Window::open(&[("a.bvh", &walk())], &["a.bvh"]);
    window.until("imported", |app| app.shell.document().n_clips() == 1);
    let tab = |h: &Harness<'static, App>| h.get_by_role_and_label(Role::Tab, "Variation").click();
    tab(&window.harness);
    window.harness.run_steps(3);
    window.harness.get_by_label_contains("No takes yet");
    let tab = |h: &Harness<'static, App>| h.get_by_role_and_label(Role::Tab, "Pose").click();
    tab(&window.harness);
    window.harness.run_steps(3);
    window.harness.get_by_label("New character from this clip");
    for (name, words) in [("Sequence", "Line up actions"), ("Study", "No sets yet")] {
        let tab = |h: &Harness<'static, App>| h.get_by_role_and_label(Role::Tab, name).click();
        tab(&window.harness);
        window.harness.run_steps(3);
        window.harness.get_by_label_contains(words);
        window.app_mut().shell.preferences.is_light ^= true;
        window.harness.run_steps(2);
    }
    let tab = |h: &Harness<'static, App>| h.get_by_role_and_label(Role::Tab, "Library").click();
    tab(&window.harness);
    window.harness.run_steps(3);
    window.harness.get_by_label("Clip a");
}

/// What is in a project on disk.
pub(crate) fn on_disk(path: &Path) -> kinfolk::document::Document {
    ProjectFolder::open(path, Access::Read).unwrap().document
}
