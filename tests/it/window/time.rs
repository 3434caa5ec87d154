//! Each thing has a playhead of its own, and what belongs to one project or place is gone with it.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use kinfolk::app::shell::messages::Severity;
use kinfolk::app::shell::pane::Pane;
use kinfolk::app::shell::requests::{Request, Then};
use kinfolk::app::shell::session::{Click, Subject};
use kinfolk::app::shell::view_options::Arrangement;
use kinfolk::demo::{self, Action};
use kinfolk::motion::Pose;

use super::library::with;
use super::pose_library::{character, pose_as};
use super::projects::{save_as, with_a_clip};
use super::repair::panel;
use super::{Window, walk};
use crate::command::small_walk;

fn tab(window: &mut Window, name: &str) {
    window
        .harness
        .get_by_role_and_label(Role::Tab, name)
        .click();
    window.harness.run_steps(3);
}

fn secs(window: &Window) -> f64 {
    window.app().shell.session.playhead_secs
}

fn scrub(window: &mut Window, secs: f64) {
    window.app_mut().shell.session.playhead_secs = secs;
    window.harness.run_steps(2);
}

fn pose_now(window: &Window) -> Pose {
    let (_, posed) = window.app().pose.posed_now(&window.app().shell).unwrap();
    posed.pose.clone()
}

#[test]
fn clips_and_the_posed_shot_have_playheads_of_their_own() {
    // A take that is longer than the shot of two seconds.
    let take = demo::make(Action::WalkTake, 11, 0).clip;
    assert!(take.seconds() > 3.0, "{}", take.seconds());
    let mut window = with(&[("walk", &take)]);
    window.app_mut().shell.session.is_playing = false;
    panel(&mut window, Pane::Keys);
    let app = window.app_mut();
    app.pose.new_character(&mut app.shell);
    window.until_idle();
    scrub(&mut window, 0.5);
    let subject = window.app().shell.session.subject();
    assert!(matches!(subject, Subject::Own("shot", _)), "{subject:?}");
    // The panel for repairs shows the take.
    panel(&mut window, Pane::Repair);
    assert_eq!(window.app().shell.session.subject(), Subject::Clips);
    scrub(&mut window, 2.53);
    panel(&mut window, Pane::Picture);
    assert_eq!(secs(&window), 0.5, "where the shot was left");
    tab(&mut window, "Library");
    assert_eq!(secs(&window), 2.53, "where the take was left");
    let id = window.app().shell.document().clip_order()[0];
    window.app_mut().shell.session.select([id]);
    window.app_mut().shell.show_from_start();
    window.harness.run_steps(2);
    tab(&mut window, "Pose");
    assert_eq!(secs(&window), 0.5, "selecting clips does not move it");
}

#[test]
fn an_unkeyed_pose_is_not_lost_by_moving_the_playhead_or_by_posing_elsewhere() {
    let (mut window, clip) = character(Pane::Keys);
    let at = |window: &mut Window, frame: usize| scrub(window, frame as f64 / 30.0);
    let pose = |frame: usize| clip.frame(frame).to_pose();
    for (frame, of) in [(0, 2), (40, 9)] {
        at(&mut window, frame);
        pose_as(&mut window, pose(of));
        window.press(Modifiers::NONE, Key::I);
    }
    window.until_idle();
    let unkeyed = |window: &Window| {
        let mut frames = window.app().pose.unkeyed_frames(&window.app().shell);
        frames.sort_unstable();
        frames
    };
    assert!(unkeyed(&window).is_empty(), "all keyed");
    at(&mut window, 20);
    pose_as(&mut window, pose(14));
    assert_eq!(pose_now(&window), pose(14));
    at(&mut window, 30);
    assert_ne!(pose_now(&window), pose(14), "the motion is seen there");
    at(&mut window, 20);
    assert_eq!(pose_now(&window), pose(14), "it is there again");
    // Another workspace and back.
    tab(&mut window, "Library");
    tab(&mut window, "Pose");
    assert_eq!(pose_now(&window), pose(14), "and after a look elsewhere");
    at(&mut window, 30);
    pose_as(&mut window, pose(17));
    assert_eq!(unkeyed(&window), [20, 30]);
    at(&mut window, 20);
    assert_eq!(pose_now(&window), pose(14), "posing elsewhere left it");
    window.press(Modifiers::NONE, Key::I);
    window.until_idle();
    assert_eq!(unkeyed(&window), [30]);
    let (_, keying) = window.app().pose.keying_now(&window.app().shell).unwrap();
    assert_eq!(keying.key(20).map(|key| &key.pose), Some(&pose(14)));
}

#[test]
fn a_shorter_clip_has_no_playhead_behind_its_end() {
    let long = small_walk(120);
    let files = [("long.bvh", long.as_str()), ("short.bvh", &walk())];
    let mut window = Window::open(&files, &["long.bvh", "short.bvh"]);
    window.until("imported", |app| app.shell.document().n_clips() == 2);
    window.until_idle();
    window.app_mut().shell.session.is_looping = false;
    scrub(&mut window, 4.0);
    let order: Vec<_> = window.app().shell.document().clip_order().to_vec();
    let short = order[1];
    window.app_mut().shell.session.active = Some(short);
    let session = &mut window.app_mut().shell.session;
    session.click(short, Click::Only, &order);
    window.harness.run_steps(2);
    assert!((secs(&window) - 2.0).abs() < 1e-9, "{}", secs(&window));
}

#[test]
fn search_range_camera_and_grid_go_with_the_project() {
    let mut window = with_a_clip();
    save_as(&mut window, "p.kinfolk");
    let shell = &mut window.app_mut().shell;
    shell.session.search = "nothing fits this".to_owned();
    shell.session.range_secs = Some((0.2, 0.5));
    shell.session.is_following = true;
    shell.preferences.view.arrangement = Arrangement::Grid;
    window.harness.run_steps(2);
    let path = window.path("p.kinfolk");
    let open = Then::Open(path, kinfolk::file::project::Access::TakeOver);
    window.app_mut().shell.ask(Request::Leave(open));
    window.harness.run_steps(2);
    window.until_idle();
    let shell = &window.app().shell;
    assert_eq!(shell.session.search, "");
    assert_eq!(shell.session.range_secs, None);
    assert!(!shell.session.is_following, "nobody to follow");
    assert_eq!(shell.preferences.view.arrangement, Arrangement::Overlaid);
}

#[test]
fn what_was_imported_is_seen_in_the_table() {
    let mut window = with_a_clip();
    window.type_in("Search clips", "nothing fits this");
    window.harness.get_by_label("No clip fits the search.");
    let folder = window.path("many");
    std::fs::create_dir(&folder).unwrap();
    for n in 0..80 {
        std::fs::write(folder.join(format!("z{n:02}.bvh")), walk()).unwrap();
    }
    window.app_mut().shell.ask(Request::Import(vec![folder]));
    window.until("imported", |app| app.shell.document().n_clips() == 81);
    window.until_idle();
    assert_eq!(window.app().shell.session.search, "", "given up");
    let last = window.path("late.bvh");
    std::fs::write(&last, walk()).unwrap();
    window.app_mut().shell.ask(Request::Import(vec![last]));
    window.until("imported", |app| app.shell.document().n_clips() == 82);
    window.until_idle();
    let row = window.harness.get_by_label("Clip late").rect();
    let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(1280.0, 800.0));
    assert!(screen.contains_rect(row), "{row:?}");
}

#[test]
fn the_timeline_keeps_its_height_and_shows_every_foot() {
    let take = demo::make(Action::Walk, 3, 0).clip;
    let mut window = with(&[("walk", &take)]);
    let tall = |window: &Window| {
        let rows = window.harness.get_by_label("Timeline rows");
        rows.rect().height()
    };
    let before = tall(&window);
    let id = window.app().shell.session.active.unwrap();
    let clip = Arc::clone(window.app().shell.active_clip().unwrap());
    let facts = window.app().shell.analyses.of(id, &clip).unwrap();
    let rows = 22.0 + 14.0 * facts.feet.len() as f32 + 4.0;
    assert!(
        facts.feet.len() >= 4 && before >= rows,
        "{before} of {rows}"
    );
    window.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::A);
    window.harness.run_steps(5);
    window.app_mut().shell.session.select([id]);
    window.harness.run_steps(3);
    assert!((tall(&window) - before).abs() < 1.0, "{}", tall(&window));
}

#[test]
fn a_range_is_told_in_what_the_ruler_counts() {
    let mut window = with_a_clip();
    window.app_mut().shell.session.range_secs = Some((0.2, 0.5));
    window.harness.run_steps(2);
    window.harness.get_by_label("range 6 to 14");
    window.click("Seconds");
    window.harness.get_by_label("range 0.20 to 0.50 s");
}

#[test]
fn every_menu_fits_on_a_small_screen() {
    let mut window = with_a_clip();
    let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(1280.0, 800.0));
    for (menu, last) in [
        ("File", "Quit"),
        ("Clip", "Draw strokes…"),
        ("Play", "Clear range"),
        ("View", "Workspace"),
        ("Help", "About Kinfolk…"),
    ] {
        window.click(menu);
        let title = window.harness.get_by_label(menu).rect();
        let entries = window.harness.get_all_by_label_contains(last);
        let rects: Vec<egui::Rect> = entries.map(|node| node.rect()).collect();
        let below = rects.iter().find(|rect| rect.top() > title.bottom() - 1.0);
        let rect = *below.expect(last);
        assert!(screen.contains_rect(rect), "{menu}: {rect:?}");
        window.press(Modifiers::NONE, Key::Escape);
        window.harness.run_steps(2);
    }
}

#[test]
fn the_window_is_called_like_the_project_and_the_status_bar_tells_steps() {
    let mut window = with_a_clip();
    assert_eq!(window.app().title(), "Untitled* - Kinfolk");
    save_as(&mut window, "hero.kinfolk");
    assert_eq!(window.app().title(), "hero - Kinfolk");
    window.harness.run_steps(3);
    window.press(Modifiers::NONE, Key::Delete);
    let step = format!("Done: {}", window.undo_label());
    window.harness.get_by_label(&step);
    assert_eq!(window.app().title(), "hero* - Kinfolk");
}

#[test]
fn the_guide_and_about_are_under_help() {
    let mut window = with_a_clip();
    window.click("Help");
    window.click("Guide…");
    window.harness.run_steps(3);
    // In the list on the left, then on the page.
    let place = |label: &str, number: usize| {
        let all: Vec<_> = window.harness.get_all_by_label(label).collect();
        all[number].rect()
    };
    let [first, next] = [0, 1].map(|number| place("The first five minutes", number));
    let later = place("From four takes to a crowd", 0);
    let title = place("Kinfolk, task by task", 0);
    assert!(later.top() > first.bottom(), "headings: {first} {later}");
    assert!(next.top() > title.bottom(), "the page: {title} {next}");
    assert!(title.left() > first.right(), "beside: {first} {title}");
    let screen = window.harness.ctx.content_rect();
    let close = place("Close", 0);
    for part in [first, later, title, close] {
        assert!(screen.contains_rect(part), "in sight: {part} of {screen}");
    }
    // Another window for the other entry.
    let mut window = with_a_clip();
    window.click("Help");
    window.click("About Kinfolk…");
    let version = format!("Version {}", env!("CARGO_PKG_VERSION"));
    window.harness.get_by_label(&version);
    window.harness.get_by_label_contains("Grochow");
}

#[test]
fn keys_are_called_as_they_are_printed() {
    let mut window = with_a_clip();
    window.press(Modifiers::NONE, Key::F1);
    let keys = |window: &Window, action: &str| {
        let label = format!("Keys of {action}");
        let node = window.harness.get_by_label(&label);
        node.accesskit_node().value()
    };
    assert_eq!(keys(&window, "Slower").as_deref(), Some("["));
    assert_eq!(keys(&window, "Redo").as_deref(), Some("Ctrl+Shift+Z"));
}

#[test]
fn what_is_said_can_be_read_to_its_end() {
    let mut window = with_a_clip();
    let words = "\"a take of many words\" was left out: its left toe flips at frame 93, which cannot be learned from; \
        clean it first, or leave it out";
    window.app_mut().shell.say(Severity::Warning, words);
    window.harness.run_steps(3);
    let said: Vec<egui::Rect> = window
        .harness
        .get_all_by_label(words)
        .map(|node| node.rect())
        .collect();
    // One is in the status bar, where there is one line.
    let tallest = said.iter().map(egui::Rect::height).fold(0.0, f32::max);
    let widest = said.iter().map(egui::Rect::width).fold(0.0, f32::max);
    assert!(tallest > 25.0, "several lines: {said:?}");
    assert!(widest < 1280.0, "{said:?}");
}

#[test]
fn the_timeline_is_as_high_in_every_workspace() {
    let mut window = with_a_clip();
    let bottom = window.view().bottom();
    for name in ["Variation", "Pose", "Sequence", "Library"] {
        tab(&mut window, name);
        assert_eq!(window.view().bottom(), bottom, "{name}");
    }
}
