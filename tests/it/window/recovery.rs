//! Crashes: what is offered afterwards, what is not, and where it goes.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use kinfolk::app::shell::dialogs::Dialog;
use kinfolk::app::shell::requests::{Request, Then};
use kinfolk::document::Command;
use kinfolk::file::project::{Recovery, find_recovery};

use super::projects::{save_as, with_a_clip};
use super::{STEP_SECS, Window, on_disk};

/// Gives the first clip another name.
fn rename(window: &mut Window, name: &str) {
    let shell = &mut window.app_mut().shell;
    let id = shell.document().clip_order()[0];
    shell.ask(Request::Edit(Command::RenameClip {
        id,
        name: name.to_owned(),
    }));
    window.harness.run_steps(2);
}

/// Lets seconds of the window's clock go by.
fn wait(window: &mut Window, secs: f32) {
    window.harness.run_steps((secs / STEP_SECS) as usize);
    window.until_idle();
}

/// The window is gone without a farewell; what could be recovered then.
fn crash(window: Window) -> (tempfile::TempDir, Vec<Recovery>) {
    let Window { harness, folder } = window;
    drop(harness);
    let found = find_recovery(&folder.path().join("data")).unwrap();
    (folder, found)
}

/// The next start, with what it offers.
fn offered(folder: tempfile::TempDir) -> Window {
    let mut window = Window::on(folder, Vec::new());
    window.until("an offer", |app| {
        matches!(app.shell.dialog, Some(Dialog::Recovery { .. }))
    });
    window.until_idle();
    window
}

fn names_in(recovery: &Recovery) -> Vec<String> {
    let document = recovery.open().unwrap().document;
    let clips = document.clips();
    clips.map(|(_, clip)| clip.info.name.clone()).collect()
}

#[test]
fn what_a_crash_left_is_offered_with_its_date_and_size_and_comes_back() {
    let mut window = with_a_clip();
    wait(&mut window, 5.0);
    let (folder, found) = crash(window);
    assert_eq!(found.len(), 1);
    let mut window = offered(folder);
    window.harness.get_by_label_contains("); 1 clip, ");
    window.harness.get_by_label_contains("KB; never saved");
    window.click("Recover Untitled");
    window.until("it back", |app| app.shell.document().n_clips() == 1);
    assert_eq!(window.names(), ["a"]);
    let is_unsaved = window.app().shell.has_unsaved_work();
    assert!(is_unsaved, "not saved anywhere yet");
    save_as(&mut window, "back.kinfolk");
    let (_folder, found) = crash(window);
    assert_eq!(found, [], "not needed any more");
}

#[test]
fn a_rename_is_on_disk_within_five_seconds() {
    let mut window = with_a_clip();
    wait(&mut window, 5.0);
    rename(&mut window, "hero");
    // Nothing but the clock: no large work, no save.
    wait(&mut window, 4.5);
    let (_folder, found) = crash(window);
    assert_eq!(names_in(&found[0]), ["hero"]);
}

#[test]
fn unsaved_work_is_kept_at_once_before_more_is_done() {
    let mut window = with_a_clip();
    rename(&mut window, "hero");
    window.press(Modifiers::COMMAND, Key::M);
    // Less than autosaves wait for otherwise.
    wait(&mut window, 0.2);
    let (_folder, found) = crash(window);
    assert_eq!(names_in(&found[0]), ["hero"]);
}

#[test]
fn discarded_and_undone_work_is_not_offered_after_a_crash() {
    let mut window = with_a_clip();
    wait(&mut window, 5.0);
    window.app_mut().shell.ask(Request::Leave(Then::New));
    window.harness.run_steps(3);
    window.click("Discard changes");
    window.until_idle();
    let (_folder, found) = crash(window);
    assert_eq!(found, [], "discarded");

    let mut window = with_a_clip();
    save_as(&mut window, "p.kinfolk");
    rename(&mut window, "hero");
    wait(&mut window, 5.0);
    window.press(Modifiers::COMMAND, Key::Z);
    window.until_idle();
    let (_folder, found) = crash(window);
    assert_eq!(found, [], "undone: as on disk");
}

#[test]
fn recovered_work_is_saved_where_it_came_from() {
    let mut window = with_a_clip();
    save_as(&mut window, "p.kinfolk");
    rename(&mut window, "hero");
    wait(&mut window, 5.0);
    let (folder, found) = crash(window);
    assert_eq!(found[0].project, Some(folder.path().join("p.kinfolk")));
    let mut window = offered(folder);
    window.click("Recover p");
    window.until("it back", |app| app.shell.document().n_clips() == 1);
    assert!(
        window.app().shell.has_unsaved_work(),
        "recovered, not saved"
    );
    window.press(Modifiers::COMMAND, Key::S);
    window.until_idle();
    let dialog = &window.app().shell.dialog;
    assert!(dialog.is_none(), "no question: {dialog:?}");
    let saved = on_disk(&window.path("p.kinfolk"));
    assert_eq!(saved.clips().next().unwrap().1.info.name, "hero");
    let (_folder, found) = crash(window);
    assert_eq!(found, [], "saved");
}

#[test]
fn an_older_state_of_a_project_that_was_saved_since_is_not_offered() {
    let mut window = with_a_clip();
    save_as(&mut window, "p.kinfolk");
    rename(&mut window, "older");
    wait(&mut window, 5.0);
    let (folder, _) = crash(window);
    let mut window = offered(folder);
    window.click("Ask again next time");
    let path = window.path("p.kinfolk");
    let open = Then::Open(path, kinfolk::file::project::Access::Write);
    window.app_mut().shell.ask(Request::Leave(open));
    window.until("opened", |app| app.shell.document().n_clips() == 1);
    window.until_idle();
    rename(&mut window, "newer");
    window.press(Modifiers::COMMAND, Key::S);
    window.until_idle();
    let (folder, found) = crash(window);
    assert!(found[0].is_superseded, "{found:?}");
    let mut window = Window::on(folder, Vec::new());
    window.until_idle();
    assert!(window.app().shell.dialog.is_none(), "nothing to ask");
    // Who looks for it finds it, and does not write over what is newer.
    window.click("File");
    window.click("Recover unsaved work…");
    window.until_idle();
    window.click("Recover p");
    window.until("it back", |app| app.shell.document().n_clips() == 1);
    window.press(Modifiers::COMMAND, Key::S);
    window.harness.get_by_label("Save project as");
    let proposed = window.path("p recovered.kinfolk").display().to_string();
    let mut fields = window.harness.get_all_by_value(&proposed);
    assert!(fields.next().is_some(), "{proposed} is proposed");
}

#[test]
fn a_second_window_is_not_offered_what_the_first_uses() {
    let mut window = with_a_clip();
    wait(&mut window, 5.0);
    let (folder, _) = crash(window);
    let mut first = offered(folder);
    first.click("Recover Untitled");
    first.until("it back", |app| app.shell.document().n_clips() == 1);
    let data = first.path("data");
    assert_eq!(find_recovery(&data).unwrap(), [], "the first has it");
    // Nor is it lost when the first one crashes as well, with nothing done since.
    let (_folder, found) = crash(first);
    assert_eq!(names_in(&found[0]), ["a"]);
}

#[test]
fn the_newest_is_first_and_one_can_be_discarded() {
    let mut window = with_a_clip();
    wait(&mut window, 5.0);
    let (folder, _) = crash(window);
    let mut window = Window::on(folder, Vec::new());
    window.until_idle();
    window.click("Ask again next time");
    let path = window.path("a.bvh");
    window.app_mut().shell.ask(Request::Import(vec![path]));
    window.until("imported", |app| app.shell.document().n_clips() == 1);
    rename(&mut window, "later");
    wait(&mut window, 5.0);
    let (folder, found) = crash(window);
    let secs: Vec<u64> = found.iter().map(|f| f.written_unix_secs).collect();
    assert!(secs.len() == 2 && secs[0] >= secs[1], "{secs:?}");
    let mut window = offered(folder);
    let discard = window.harness.get_all_by_label("Discard Untitled").next();
    discard.unwrap().click();
    window.harness.run_steps(3);
    window.until_idle();
    assert!(window.app().shell.dialog.is_some(), "one is left");
    assert_eq!(find_recovery(&window.path("data")).unwrap().len(), 1);
}

#[test]
fn a_place_to_save_in_is_never_relative() {
    let mut window = with_a_clip();
    window.press(Modifiers::COMMAND, Key::S);
    let value = window
        .harness
        .get_by_role_and_label(egui::accesskit::Role::TextInput, "Path")
        .value();
    let path = std::path::PathBuf::from(value.unwrap());
    assert!(path.is_absolute(), "{}", path.display());
}
