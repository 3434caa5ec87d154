//! The real window, driven without a screen: widgets are found by their labels, time is moved by hand.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use kinfolk::app::shell::demo_models::DemoScope;
use kinfolk::app::shell::dialogs::Dialog;
use kinfolk::app::shell::messages::Severity;
use kinfolk::app::shell::work::Shown;
use kinfolk::app::{App, Setup};
use kinfolk::file::project::{Access, ProjectFolder};

use crate::command::small_walk;

mod demo;
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

/// The window on a screen of 1280 x 800.
pub(crate) struct Window {
    pub(crate) harness: Harness<'static, App>,
    pub(crate) folder: tempfile::TempDir,
}

const STEP_SECS: f32 = 0.05;

impl Window {
    /// With these files from a folder of the test's own open; none gives the demo.
    pub(crate) fn open(files: &[(&str, &str)], names: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let open = names.iter().map(|name| folder.path().join(name)).collect();
        Self::on(folder, open)
    }

    pub(crate) fn on(folder: tempfile::TempDir, open: Vec<PathBuf>) -> Self {
        Self::with(folder, open, DemoScope::Clips)
    }

    fn with(folder: tempfile::TempDir, open: Vec<PathBuf>, demo: DemoScope) -> Self {
        let data_folder = Some(folder.path().join("data"));
        let setup = Setup {
            data_folder,
            open,
            demo,
            ..Setup::default()
        };
        let harness = Harness::builder()
            .with_size([1280.0, 800.0])
            .with_step_dt(STEP_SECS)
            .build_eframe(move |creation| App::new(creation, setup));
        Self { harness, folder }
    }

    /// Presses at one place, moves to another in some steps and lets go.
    pub(crate) fn drag(
        &mut self,
        button: egui::PointerButton,
        modifiers: Modifiers,
        from: egui::Pos2,
        to: egui::Pos2,
    ) {
        self.drag_and_hold(button, modifiers, from, to);
        self.let_go(button, modifiers, to);
    }

    /// Presses at one place and moves to another in some steps.
    pub(crate) fn drag_and_hold(
        &mut self,
        button: egui::PointerButton,
        modifiers: Modifiers,
        from: egui::Pos2,
        to: egui::Pos2,
    ) {
        self.harness.event(egui::Event::ModifiersChanged(modifiers));
        self.harness.hover_at(from);
        self.harness.step();
        self.harness
            .event(pointer_button(button, modifiers, from, true));
        self.harness.step();
        for share in [0.3, 0.6, 1.0] {
            self.harness.hover_at(from + share * (to - from));
            self.harness.step();
        }
    }

    /// Lets go of what is dragged.
    pub(crate) fn let_go(
        &mut self,
        button: egui::PointerButton,
        modifiers: Modifiers,
        at: egui::Pos2,
    ) {
        self.harness
            .event(pointer_button(button, modifiers, at, false));
        self.harness.step();
        self.harness
            .event(egui::Event::ModifiersChanged(Modifiers::NONE));
        self.harness.remove_cursor();
        self.harness.run_steps(3);
    }

    /// Where the 3D view is; its tab has the same name.
    pub(crate) fn view(&self) -> egui::Rect {
        let view =
            |h: &Harness<'static, App>| h.get_by_role_and_label(Role::Canvas, "3D view").rect();
        view(&self.harness)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn app(&self) -> &App {
        self.harness.state()
    }

    pub(crate) fn app_mut(&mut self) -> &mut App {
        self.harness.state_mut()
    }

    /// Steps until this holds; background work takes as long as it takes. What never holds is told before CI gives up.
    #[track_caller]
    pub(crate) fn until(&mut self, what: &str, holds: impl Fn(&App) -> bool) {
        let deadline = Instant::now() + Duration::from_mins(10);
        while !holds(self.app()) {
            let said: Vec<&str> = self.said();
            assert!(Instant::now() < deadline, "never {what}; it said {said:?}");
            self.harness.step();
            // The work gets the processor, not the drawing of frames in which nothing happens.
            std::thread::sleep(Duration::from_millis(4));
        }
        self.harness.run_steps(2);
    }

    /// Until no work runs, nor begins in the next frames because of what has ended.
    #[track_caller]
    pub(crate) fn until_idle(&mut self) {
        self.harness.run_steps(2);
        for _ in 0..50 {
            self.until("idle", |app| app.shell.work.is_idle());
            if self.app().shell.work.is_idle() {
                return;
            }
        }
        panic!("work begins again and again; it said {:?}", self.said());
    }

    pub(crate) fn said(&self) -> Vec<&str> {
        let all = self.app().shell.messages.all();
        all.iter().map(|message| message.text.as_str()).collect()
    }

    /// What the menu offers to undo; empty for nothing.
    pub(crate) fn undo_label(&self) -> &str {
        let label = self.app().shell.undo_label();
        label.unwrap_or_default()
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let clips = self.app().shell.document().clips();
        clips.map(|(_, clip)| clip.info.name.clone()).collect()
    }

    #[track_caller]
    pub(crate) fn click(&mut self, label: &str) {
        self.harness.get_by_label(label);
        assert!(self.try_click(label), "\"{label}\" was there and is gone");
    }

    /// Clicks what may be gone by now because work has ended; whether it was still there.
    #[track_caller]
    pub(crate) fn try_click(&mut self, label: &str) -> bool {
        self.click_on(|harness| Some(harness.query_by_label(label)?.rect()))
    }

    /// Clicks on what is found, unless nothing is; whether it was.
    ///
    /// What background work brings moves what is drawn below it. So the pointer follows the widget until it stands
    /// still, and button down and up come in one frame, which asks the frame before for what is under the pointer.
    pub(crate) fn click_on(
        &mut self,
        find: impl Fn(&Harness<'static, App>) -> Option<egui::Rect>,
    ) -> bool {
        let mut at = None;
        // What never stands still is clicked where it is.
        for _ in 0..100 {
            let Some(place) = find(&self.harness) else {
                return false;
            };
            if at.replace(place.center()) == Some(place.center()) {
                break;
            }
            self.harness.hover_at(place.center());
            self.harness.step();
        }
        let Some(at) = at else {
            return false;
        };
        let click = [true, false].map(|pressed| {
            let primary = egui::PointerButton::Primary;
            pointer_button(primary, Modifiers::NONE, at, pressed)
        });
        self.harness.input_mut().events.extend(click);
        self.harness.run_steps(3);
        true
    }

    pub(crate) fn press(&mut self, modifiers: Modifiers, key: Key) {
        self.harness.key_press_modifiers(modifiers, key);
        self.harness.run_steps(3);
    }

    /// Puts text in a box in place of what is there.
    #[track_caller]
    pub(crate) fn type_in(&mut self, label: &str, text: &str) {
        let field = |h: &Harness<'static, App>| {
            h.get_by_role_and_label(Role::TextInput, label).focus();
        };
        field(&self.harness);
        self.harness.run_steps(2);
        self.harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
        self.harness.run_steps(2);
        self.harness
            .get_by_role_and_label(Role::TextInput, label)
            .type_text(text);
        self.harness.run_steps(2);
    }
}

fn pointer_button(
    button: egui::PointerButton,
    modifiers: Modifiers,
    pos: egui::Pos2,
    pressed: bool,
) -> egui::Event {
    egui::Event::PointerButton {
        pos,
        button,
        pressed,
        modifiers,
    }
}

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
