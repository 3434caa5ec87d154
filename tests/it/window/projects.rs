//! Saving, opening, exporting and quitting through the window.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use kinfolk::app::dialogs::Dialog;
use kinfolk::app::studio::{Request, Then};
use kinfolk::file::project::find_recovery;

use super::{Window, on_disk, walk};
use crate::command::read;

/// A window with one clip.
fn with_a_clip() -> Window {
    let mut window = Window::open(&[("a.bvh", &walk())], &["a.bvh"]);
    window.until("imported", |app| app.studio.document().n_clips() == 1);
    window.until_idle();
    window
}

/// Saves through the dialog, in a folder of this name.
fn save_as(window: &mut Window, name: &str) {
    window.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::S);
    let path = window.path(name).display().to_string();
    window.type_in("Path", &path);
    window.click("Save here");
    window.until_idle();
}

#[test]
fn a_project_is_saved_and_opened_again_equal() {
    let mut window = with_a_clip();
    assert!(window.app().studio.has_unsaved_work(), "just imported");
    save_as(&mut window, "hero.kinfolk");
    assert!(!window.app().studio.has_unsaved_work(), "saved");
    let saved = window.app().studio.document().clone();
    assert_eq!(saved.name(), "hero");
    assert_eq!(on_disk(&window.path("hero.kinfolk")).n_clips(), 1);

    window.press(Modifiers::COMMAND, Key::N);
    window.until_idle();
    assert_eq!(window.app().studio.document().n_clips(), 0);
    window.click("File");
    window.click("Open recent");
    window.click("hero");
    window.until("opened", |app| app.studio.document().n_clips() == 1);
    let opened = window.app().studio.document();
    assert_eq!(opened.name(), saved.name());
    let (before, after) = (
        saved.clips().next().unwrap(),
        opened.clips().next().unwrap(),
    );
    assert_eq!(before.1.info, after.1.info);
    assert_eq!(before.1.n_frames(), after.1.n_frames());
    assert!(!window.app().studio.has_unsaved_work(), "as on disk");
}

#[test]
fn an_existing_project_is_not_replaced_without_a_word() {
    let mut window = with_a_clip();
    save_as(&mut window, "one.kinfolk");
    window.press(Modifiers::COMMAND, Key::N);
    window.until_idle();
    save_as(&mut window, "one.kinfolk");
    let asked = matches!(
        window.app().studio.dialog,
        Some(Dialog::ReplaceProject { .. })
    );
    assert!(asked, "{:?}", window.said());
    window.click("Cancel");
    assert_eq!(on_disk(&window.path("one.kinfolk")).n_clips(), 1);
}

#[test]
fn clips_are_exported_and_read_back_and_replaced_only_when_allowed() {
    let mut window = with_a_clip();
    let out = window.path("out");
    for round in 0..2 {
        window.press(Modifiers::COMMAND, Key::E);
        window.type_in("Folder", &out.display().to_string());
        window.click("Export 1 clip");
        window.until_idle();
        if round == 1 {
            let asked = matches!(window.app().studio.dialog, Some(Dialog::Replace { .. }));
            assert!(asked, "{:?}", window.said());
            window.click("Replace 1 file");
            window.until_idle();
        }
        let clip = read(&out.join("a.bvh"));
        assert_eq!(clip.n_frames(), 60);
    }
    let n_files = std::fs::read_dir(&out).unwrap().count();
    assert_eq!(n_files, 1, "no temporary files stay");
}

#[test]
fn leaving_unsaved_work_asks_and_cancel_keeps_it() {
    let mut window = with_a_clip();
    window.app_mut().studio.ask(Request::Leave(Then::Quit));
    window.harness.run_steps(3);
    window.harness.get_by_label("Unsaved work");
    window.click("Cancel");
    assert_eq!(window.names(), ["a"]);
    assert!(!window.app().studio.may_quit, "it stays open");
    window.app_mut().studio.ask(Request::Leave(Then::New));
    window.harness.run_steps(3);
    window.click("Discard changes");
    assert!(window.names().is_empty(), "discarded");
}

#[test]
fn saving_before_leaving_leaves_when_it_is_saved() {
    let mut window = with_a_clip();
    save_as(&mut window, "w.kinfolk");
    window.press(Modifiers::NONE, Key::Delete);
    window.app_mut().studio.ask(Request::Leave(Then::Quit));
    window.harness.run_steps(3);
    window.click("Save");
    window.until("allowed to quit", |app| app.studio.may_quit);
    assert_eq!(on_disk(&window.path("w.kinfolk")).n_clips(), 0);
}

#[test]
fn a_save_that_was_cancelled_does_not_quit_later() {
    let mut window = with_a_clip();
    window.app_mut().studio.ask(Request::Leave(Then::Quit));
    window.harness.run_steps(3);
    window.click("Save");
    window.harness.get_by_label("Save project as");
    window.press(Modifiers::NONE, Key::Escape);
    assert!(window.app().studio.dialog.is_none(), "closed");
    save_as(&mut window, "later.kinfolk");
    assert!(!window.app().studio.has_unsaved_work(), "saved");
    assert!(!window.app().studio.may_quit, "and still open");
}

#[test]
fn what_a_crash_left_is_offered_and_comes_back() {
    let mut window = with_a_clip();
    window.app_mut().studio.autosave_now();
    window.until_idle();
    let Window { harness, folder } = window;
    // Dropped without a farewell, as in a crash: the autosave stays.
    drop(harness);
    let data = folder.path().join("data");
    assert_eq!(find_recovery(&data).unwrap().len(), 1);
    let mut window = Window::on(folder, Vec::new());
    window.until("an offer", |app| {
        matches!(app.studio.dialog, Some(Dialog::Recovery { .. }))
    });
    window.until_idle();
    window.click("Recover Untitled");
    window.until("it back", |app| app.studio.document().n_clips() == 1);
    assert_eq!(window.names(), ["a"]);
    assert!(
        window.app().studio.has_unsaved_work(),
        "not saved anywhere yet"
    );
    save_as(&mut window, "back.kinfolk");
    window.until_idle();
    assert!(
        find_recovery(&window.path("data")).unwrap().is_empty(),
        "not needed any more"
    );
}

#[test]
fn a_project_that_is_open_elsewhere_is_noticed() {
    let mut first = with_a_clip();
    save_as(&mut first, "p.kinfolk");
    let path = first.path("p.kinfolk");
    let mut second = Window::on(tempfile::tempdir().unwrap(), vec![path]);
    second.until("a notice", |app| {
        matches!(app.studio.dialog, Some(Dialog::InUse { .. }))
    });
    second.click("Open read-only");
    second.until("opened", |app| app.studio.document().n_clips() == 1);
    let place = second.app().studio.projects.place.as_ref().unwrap();
    assert!(place.is_read_only, "only to look at");
}
