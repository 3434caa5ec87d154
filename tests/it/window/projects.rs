//! Saving, opening, exporting and quitting through the window.

use std::sync::Arc;

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use kinfolk::app::shell::dialogs::Dialog;
use kinfolk::app::shell::requests::{Request, Then};
use kinfolk::app::shell::work::Shown;
use kinfolk::document::Command;
use kinfolk::file::project::Access;
use kinfolk::motion::{Clip, Contact, WorldPose};

use super::{Window, on_disk, walk};
use crate::command::read;

/// A window with one clip.
pub(super) fn with_a_clip() -> Window {
    let mut window = Window::open(&[("a.bvh", &walk())], &["a.bvh"]);
    window.until("imported", |app| app.shell.document().n_clips() == 1);
    window.until_idle();
    window
}

/// Saves through the dialog, in a folder of this name.
pub(super) fn save_as(window: &mut Window, name: &str) {
    window.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::S);
    let path = window.path(name).display().to_string();
    window.type_in("Path", &path);
    window.click("Save here");
    window.until_idle();
}

/// Every joint in the same place in every frame; files keep twelve decimals.
fn assert_same_frames(a: &Clip, b: &Clip) {
    assert_eq!(a.n_frames(), b.n_frames(), "frames");
    assert_eq!(a.fps(), b.fps(), "frames per second");
    for frame in 0..a.n_frames() {
        let place = |clip: &Clip| WorldPose::of(clip.skeleton(), clip.frame(frame)).positions;
        for (joint, (a, b)) in place(a).iter().zip(place(b)).enumerate() {
            let off = (a - b).norm();
            assert!(off < 1e-9, "frame {frame}, joint {joint}: off by {off}");
        }
    }
}

#[test]
fn a_project_is_saved_and_opened_again_equal() {
    let mut window = with_a_clip();
    assert!(window.app().shell.has_unsaved_work(), "just imported");
    let (id, clip) = window.app().shell.document().clips().next().unwrap();
    let contact = Contact {
        joint: 3,
        frames: 7..21,
    };
    let touching = clip.as_ref().clone().with_contacts(vec![contact]).unwrap();
    let edit = Command::ReplaceClips {
        what: "plant".to_owned(),
        clips: vec![(id, Arc::new(touching))],
    };
    window.app_mut().shell.ask(Request::Edit(edit));
    window.until_idle();
    save_as(&mut window, "hero.kinfolk");
    assert!(!window.app().shell.has_unsaved_work(), "saved");
    let saved = window.app().shell.document().clone();
    assert_eq!(saved.name(), "hero");
    assert_eq!(on_disk(&window.path("hero.kinfolk")).n_clips(), 1);

    window.press(Modifiers::COMMAND, Key::N);
    window.until_idle();
    assert_eq!(window.app().shell.document().n_clips(), 0);
    window.click("File");
    window.click("Open recent");
    window.click("hero");
    window.until("opened", |app| app.shell.document().n_clips() == 1);
    let opened = window.app().shell.document();
    assert_eq!(opened.name(), saved.name());
    let (before, after) = (
        saved.clips().next().unwrap(),
        opened.clips().next().unwrap(),
    );
    assert_eq!(before.0, after.0);
    assert_eq!(before.1.info, after.1.info);
    assert_eq!(before.1.contacts(), after.1.contacts());
    assert_eq!(before.1.contacts().len(), 1);
    assert_same_frames(before.1, after.1);
    assert!(!window.app().shell.has_unsaved_work(), "as on disk");
}

#[test]
fn an_existing_project_is_not_replaced_without_a_word() {
    let mut window = with_a_clip();
    save_as(&mut window, "one.kinfolk");
    window.press(Modifiers::COMMAND, Key::N);
    window.until_idle();
    save_as(&mut window, "one.kinfolk");
    let asked = matches!(
        window.app().shell.dialog,
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
            let asked = matches!(window.app().shell.dialog, Some(Dialog::Replace { .. }));
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
    window.app_mut().shell.ask(Request::Leave(Then::Quit));
    window.harness.run_steps(3);
    window.harness.get_by_label("Unsaved work");
    window.click("Cancel");
    assert_eq!(window.names(), ["a"]);
    assert!(!window.app().shell.may_quit, "it stays open");
    window.app_mut().shell.ask(Request::Leave(Then::New));
    window.harness.run_steps(3);
    window.click("Discard changes");
    assert!(window.names().is_empty(), "discarded");
}

#[test]
fn saving_before_leaving_leaves_when_it_is_saved() {
    let mut window = with_a_clip();
    save_as(&mut window, "w.kinfolk");
    window.press(Modifiers::NONE, Key::Delete);
    window.app_mut().shell.ask(Request::Leave(Then::Quit));
    window.harness.run_steps(3);
    window.click("Save");
    window.until("allowed to quit", |app| app.shell.may_quit);
    assert_eq!(on_disk(&window.path("w.kinfolk")).n_clips(), 0);
}

#[test]
fn a_save_that_was_cancelled_does_not_quit_later() {
    let mut window = with_a_clip();
    window.app_mut().shell.ask(Request::Leave(Then::Quit));
    window.harness.run_steps(3);
    window.click("Save");
    window.harness.get_by_label("Save project as");
    window.press(Modifiers::NONE, Key::Escape);
    assert!(window.app().shell.dialog.is_none(), "closed");
    save_as(&mut window, "later.kinfolk");
    assert!(!window.app().shell.has_unsaved_work(), "saved");
    assert!(!window.app().shell.may_quit, "and still open");
}

#[test]
fn a_project_that_is_open_elsewhere_is_noticed() {
    let mut first = with_a_clip();
    save_as(&mut first, "p.kinfolk");
    let path = first.path("p.kinfolk");
    let mut second = Window::on(tempfile::tempdir().unwrap(), vec![path]);
    second.until("a notice", |app| {
        matches!(app.shell.dialog, Some(Dialog::InUse { .. }))
    });
    second.click("Open read-only");
    second.until("opened", |app| app.shell.document().n_clips() == 1);
    let place = second.app().shell.projects.place.as_ref().unwrap();
    assert!(place.is_read_only, "only to look at");
}

#[test]
fn saving_elsewhere_is_no_step_to_undo() {
    let mut window = with_a_clip();
    save_as(&mut window, "one.kinfolk");
    let label = window.app().shell.undo_label();
    assert_eq!(label, Some("add a"));
    assert_eq!(window.app().shell.document().name(), "one");
    save_as(&mut window, "two.kinfolk");
    window.press(Modifiers::COMMAND, Key::Z);
    assert!(window.names().is_empty(), "the import was taken back");
    assert_eq!(window.app().shell.document().name(), "two");
    assert_eq!(on_disk(&window.path("two.kinfolk")).name(), "two");
    assert_eq!(on_disk(&window.path("one.kinfolk")).name(), "one");
}

#[test]
fn nothing_is_changed_while_a_project_is_being_opened() {
    let mut window = with_a_clip();
    save_as(&mut window, "p.kinfolk");
    let path = window.path("p.kinfolk");
    let shell = &mut window.app_mut().shell;
    let id = shell.session.active.unwrap();
    // The window polls its jobs between frames: until the next one this is being opened, however quick the disk is.
    shell.open_project(path, Access::TakeOver);
    shell.ask(Request::Edit(Command::RenameClip {
        id,
        name: "lost".to_owned(),
    }));
    window.app_mut().answer_all();
    let last = window.app().shell.messages.last().unwrap();
    assert!(last.text.contains("being opened"), "{last:?}");
    window.until_idle();
    assert_eq!(window.names(), ["a"]);
    assert!(!window.app().shell.has_unsaved_work(), "as on disk");
}

#[test]
fn work_for_a_project_that_was_closed_is_not_put_into_the_next() {
    let mut window = with_a_clip();
    let shell = &mut window.app_mut().shell;
    shell.start("dawdle", Shown::InBar, |_| {
        let delivery: kinfolk::app::shell::context::Delivery = Box::new(|shell| {
            shell.session.search = "late".to_owned();
        });
        Ok(delivery)
    });
    shell.ask(Request::LeaveUnsaved(Then::New));
    window.app_mut().answer_all();
    window.until_idle();
    assert_eq!(window.app().shell.session.search, "");
    let said = window.said();
    let is_said = said.iter().any(|s| s.starts_with("dawdle ended when"));
    assert!(is_said, "{said:?}");
}

#[test]
fn the_close_button_of_the_window_asks_about_unsaved_work() {
    let mut window = with_a_clip();
    let info = window
        .harness
        .input_mut()
        .viewports
        .entry(egui::ViewportId::ROOT);
    info.or_default().events.push(egui::ViewportEvent::Close);
    window.harness.run_steps(3);
    window.harness.get_by_label("Unsaved work");
    assert!(!window.app().shell.may_quit, "it stays open");
}

#[test]
fn a_second_export_keeps_the_choices_and_adds_to_the_list() {
    let mut window = with_a_clip();
    let out = window.path("out");
    window.press(Modifiers::COMMAND, Key::E);
    window.type_in("Folder", &out.display().to_string());
    window.click("CSV of joint positions");
    window.click("in place");
    window.click("manifest.csv");
    window.click("Export 1 clip");
    window.until_idle();
    let id = window.app().shell.document().clip_order()[0];
    let name = "old man".to_owned();
    let rename = Command::RenameClip { id, name };
    window.app_mut().shell.ask(Request::Edit(rename));
    window.harness.run_steps(2);
    window.press(Modifiers::COMMAND, Key::E);
    window.click("manifest.csv");
    window.click("Export 1 clip");
    window.until_idle();
    assert!(window.app().shell.dialog.is_none(), "no question");
    assert!(
        out.join("old_man.csv").is_file(),
        "the same folder and format, no spaces"
    );
    let list = std::fs::read_to_string(out.join("manifest.csv")).unwrap();
    let files: Vec<&str> = list.lines().filter_map(|l| l.split(',').next()).collect();
    assert_eq!(files, ["file", "a.csv", "old_man.csv"]);
    assert!(window.app().shell.preferences.export.is_in_place, "kept");
}

#[test]
fn the_status_bar_of_a_new_project_says_nothing_of_the_old_one() {
    let mut window = with_a_clip();
    save_as(&mut window, "p.kinfolk");
    let in_status = |window: &Window| {
        let message = window.app().shell.messages.in_status();
        message.map(|message| message.text.clone())
    };
    window.app_mut().shell.ask(Request::Leave(Then::New));
    window.until_idle();
    assert_eq!(in_status(&window).as_deref(), Some("New project"));
}
