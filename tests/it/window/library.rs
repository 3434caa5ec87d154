//! From raw takes to clean sets of clips, through the real window.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Key, Modifiers, Pos2, vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use kinfolk::app::library::cleaning::slide_of;
use kinfolk::app::shell::previews::Preview;
use kinfolk::app::shell::requests::Request;
use kinfolk::demo::{self, Action};
use kinfolk::document::{ClipId, Document};
use kinfolk::file::bvh::{WriteSettings, write};
use kinfolk::motion::cycles::{CutStart, CycleSettings, find_cycles};
use kinfolk::motion::{Clip, edit};

use super::{Window, on_disk, walk};
use crate::command::read;

/// A long demo walk as a converter would leave it: a T-pose first, and strides a little longer than the feet mean, so
/// that standing feet slide.
fn raw_take(index: u64) -> Clip {
    let take = demo::make(Action::WalkTake, 11, index).clip;
    let mut motion = take.motion().clone();
    let n_moving = take.skeleton().translating().len();
    for root in motion.translations.iter_mut().step_by(n_moving) {
        root.x *= 1.05;
        root.z *= 1.05;
    }
    let slid = Clip::new(take.info.clone(), Arc::clone(take.skeleton()), motion).unwrap();
    edit::prepend_tpose(&slid).unwrap()
}

pub(super) fn text_of(clip: &Clip) -> String {
    String::from_utf8(write(clip, &WriteSettings::default()).bytes).unwrap()
}

/// Clips that the program makes itself, with names.
pub(super) fn demo_clips(action: Action, indices: std::ops::Range<u64>) -> Vec<(String, Clip)> {
    let clip = |index| {
        let name = format!("{action:?}_{index}").to_lowercase();
        (name, demo::make(action, 3, index).clip)
    };
    indices.map(clip).collect()
}

/// A workspace with these clips, all of them selected.
pub(super) fn workspace(tab: &str, clips: &[(String, Clip)]) -> Window {
    let clips: Vec<(&str, &Clip)> = clips.iter().map(|(n, c)| (n.as_str(), c)).collect();
    let mut window = with(&clips);
    let tab = window.harness.get_by_role_and_label(Role::Tab, tab);
    tab.click();
    window.harness.run_steps(3);
    window
}

/// A window with these clips, called as given.
pub(super) fn with(clips: &[(&str, &Clip)]) -> Window {
    let texts: Vec<(String, String)> = clips
        .iter()
        .map(|(name, clip)| (format!("takes/{name}.bvh"), text_of(clip)))
        .collect();
    let files: Vec<(&str, &str)> = texts
        .iter()
        .map(|(n, t)| (n.as_str(), t.as_str()))
        .collect();
    let mut window = Window::open(&files, &["takes"]);
    let n = clips.len();
    window.until("imported", |app| app.shell.document().n_clips() == n);
    window.until_idle();
    window
}

fn document(window: &Window) -> &Document {
    window.app().shell.document()
}

fn selected(window: &Window) -> Vec<ClipId> {
    window
        .app()
        .shell
        .session
        .selection
        .iter()
        .copied()
        .collect()
}

/// The lines of the list of proposals that are in view.
fn lines(window: &Window) -> Vec<String> {
    let boxes = window.harness.get_all_by_role(Role::CheckBox);
    let labels = boxes.filter_map(|node| node.accesskit_node().label());
    labels
        .filter(|l| l.contains(" cm off") || l.contains("Loop quality "))
        .collect()
}

#[test]
fn raw_takes_become_a_clean_set_of_clips() {
    let takes: Vec<Clip> = (0..2).map(raw_take).collect();
    let mut window = with(&[("take_a", &takes[0]), ("take_b", &takes[1])]);
    // One cycle of the first take is marked at the playhead.
    let settings = CycleSettings {
        start: CutStart::LeftFootAhead,
        ..CycleSettings::default()
    };
    let cycle = find_cycles(&takes[0], &settings).unwrap().cuts[0]
        .frames
        .clone();
    window.click("Clip take_a");
    let fps = takes[0].fps();
    window.app_mut().shell.session.playhead_secs = cycle.start as f64 / fps;
    window.press(Modifiers::NONE, Key::I);
    window.app_mut().shell.session.playhead_secs = (cycle.end - 1) as f64 / fps;
    window.press(Modifiers::SHIFT, Key::I);
    window.click("Cut");
    window.click("Use as query");
    let pattern = window.app().library.cut.pattern.as_ref().unwrap();
    assert_eq!(pattern.frames, cycle);
    // Repeats of it in all takes, the nearest first: the marked one itself.
    window.click("Find repeats in 2 clips");
    window.until_idle();
    let found = window.app().library.cut.proposals.as_ref().unwrap();
    assert!(found.list.len() >= 8, "{} found", found.list.len());
    assert!(found.list.is_sorted_by(|a, b| a.value <= b.value), "sorted");
    assert!(
        found.list[0].frames.start.abs_diff(cycle.start) < 4,
        "itself"
    );
    let from_b = found.list.iter().filter(|p| p.take.info.name == "take_b");
    assert!(from_b.count() > 0, "in other takes, too");
    // Pointing at a line shows it over the marked stretch; eight are kept.
    window.click("Tick none");
    let lines = lines(&window);
    window.harness.get_by_label(&lines[1]).hover();
    window.until("a preview", |app| {
        matches!(app.shell.previews.shown(), Some(Preview::Instead(clips)) if clips.len() == 2)
    });
    assert_eq!(document(&window).n_clips(), 2, "only to look at");
    for line in &lines[..8] {
        window.click(line);
    }
    window.click("in a new set");
    window.type_in("Name of the new set", "cycles");
    window.click("Keep 8 clips");
    window.until("cut", |app| app.shell.document().n_clips() == 10);
    window.until_idle();
    assert_eq!(document(&window).sets()[0].clips.len(), 8);
    assert_eq!(selected(&window), document(&window).sets()[0].clips);
    clean_feet(&mut window);
    export_and_read_back(&mut window);
    // To the start and to the end again.
    let end = document(&window).clone();
    let mut steps = 0;
    while window.app().shell.undo_label().is_some() {
        window.press(Modifiers::COMMAND, Key::Z);
        steps += 1;
    }
    assert_eq!(
        (steps, document(&window).n_clips()),
        (3, 0),
        "import, cut, clean"
    );
    while window.app().shell.redo_label().is_some() {
        window.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    }
    assert_eq!(*document(&window), end);
}

/// The selected clips, in the panel, with the result in view before it is done.
fn clean_feet(window: &mut Window) {
    let before: Vec<Arc<Clip>> = window
        .app()
        .shell
        .selected_clips()
        .into_iter()
        .map(|c| c.1)
        .collect();
    window.click("Clean");
    window.until_idle();
    window.click("Foot lock");
    window.until("a preview", |app| {
        matches!(app.shell.previews.shown(), Some(Preview::Changed(clips)) if clips.len() == 8)
    });
    let now: Vec<Arc<Clip>> = window
        .app()
        .shell
        .selected_clips()
        .into_iter()
        .map(|c| c.1)
        .collect();
    assert_eq!(now, before, "nothing is done yet");
    window.click("Clean 8 clips");
    window.until("cleaned", |app| {
        app.shell.undo_label() == Some("clean 8 clips")
    });
    let after = window.app().shell.selected_clips();
    for (before, (_, after)) in before.iter().zip(&after) {
        let (was, is) = (slide_of(before).unwrap(), slide_of(after).unwrap());
        assert!(is < 0.5 * was, "{}: {was} to {is}", after.info.name);
    }
    let said = window.said();
    let told = said
        .iter()
        .any(|s| s.starts_with("8 clips cleaned") && s.contains("cm/s"));
    assert!(told, "{said:?}");
    window.until_idle();
}

/// A set as numbered files with a list, which are the clips of the document.
fn export_and_read_back(window: &mut Window) {
    window.click("Sets");
    window.click("Set cycles");
    window.until_idle();
    window.click("Export set…");
    let out = window.path("out");
    window.type_in("Folder", &out.display().to_string());
    window.harness.get_by_label("cycles_000.bvh");
    window.click("Export 8 clips");
    window.until_idle();
    let members = document(window).sets()[0].clips.clone();
    for (number, id) in members.iter().enumerate() {
        let back = read(&out.join(format!("cycles_{number:03}.bvh")));
        let clip = document(window).clip(*id).unwrap();
        assert_eq!(back.n_frames(), clip.n_frames(), "clip {number}");
        let (a, b) = (back.motion(), clip.motion());
        let places = a.translations.iter().zip(&b.translations);
        let off = places.map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        assert!(off < 1e-4, "clip {number} is off by {off}");
    }
    let manifest = std::fs::read_to_string(out.join("manifest.csv")).unwrap();
    assert_eq!(manifest.lines().count(), 9, "{manifest}");
    assert!(manifest.contains("cycles_007.bvh,take_"), "{manifest}");
}

#[test]
fn cycles_are_listed_looped_and_cut() {
    let take = demo::make(Action::WalkTake, 11, 0).clip;
    let mut window = with(&[("take", &take)]);
    window.click("Cut");
    window.click("Find cycles in 1 clip");
    window.until_idle();
    let found = window.app().library.cut.proposals.as_ref().unwrap();
    let (n, n_ticked) = (found.list.len(), found.n_ticked());
    assert!(n_ticked >= 2 && n_ticked <= n, "{n_ticked} of {n}");
    assert!(
        found.list.is_sorted_by(|a, b| a.value >= b.value),
        "the best first"
    );
    let period = found.list[0].frames.len();
    let line = lines(&window)[0].clone();
    window.harness.get_by_label(&line).hover();
    window.until("the loop", |app| {
        matches!(app.shell.previews.shown(), Some(Preview::Instead(clips)) if clips[0].n_frames() == 4 * period)
    });
    let at = window.app().shell.stage_secs();
    window.harness.run_steps(3);
    let later = window.app().shell.stage_secs();
    assert!(later != at, "it plays by itself");
    assert_eq!(window.app().shell.session.playhead_secs, 0.0);
    window.click("Seamless loop");
    window.click(&format!("Keep {n_ticked} clips"));
    window.until("cut", |app| app.shell.document().n_clips() == 1 + n_ticked);
    let first = selected(&window)[0];
    let history = &document(&window).clip(first).unwrap().info.history;
    assert!(
        history.iter().any(|step| step.contains("loop")),
        "{history:?}"
    );
}

#[test]
fn clips_are_split_and_copied_at_the_playhead() {
    let clip = demo::make(Action::Walk, 3, 0).clip;
    let n = clip.n_frames();
    let mut window = with(&[("walk", &clip)]);
    window.app_mut().shell.session.playhead_secs = 20.0 / clip.fps();
    window.press(Modifiers::COMMAND, Key::K);
    assert_eq!(window.names(), ["walk_1", "walk_2"]);
    let frames: Vec<usize> = document(&window)
        .clips()
        .map(|(_, c)| c.n_frames())
        .collect();
    assert_eq!(frames, [20, n - 20]);
    assert_eq!(window.app().shell.undo_label(), Some("split walk"));
    window.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(window.names(), ["walk"]);
    window.app_mut().shell.session.range_secs = Some((5.0 / clip.fps(), 15.0 / clip.fps()));
    window.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::T);
    assert_eq!(window.names(), ["walk", "walk_0005"]);
    window.app_mut().shell.session.playhead_secs = 0.0;
    window.press(Modifiers::COMMAND, Key::K);
    let said = window.said().join("; ");
    assert!(said.contains("leaves nothing on one side"), "{said}");
}

/// Many small clips under names of their own.
fn with_named(names: &[&str]) -> Window {
    let text = walk();
    let files: Vec<(String, &str)> = names
        .iter()
        .map(|n| (format!("c/{n}.bvh"), text.as_str()))
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(n, t)| (n.as_str(), *t)).collect();
    let mut window = Window::open(&files, &["c"]);
    let n = names.len();
    window.until("imported", |app| app.shell.document().n_clips() == n);
    window.until_idle();
    window
}

fn shown(window: &Window) -> Vec<String> {
    let rows = window.app().library.listing.rows().iter();
    let names = rows.map(|id| document(window).clip(*id).unwrap().info.name.clone());
    names.collect()
}

#[test]
fn search_and_tags_narrow_the_table_and_what_all_means() {
    let mut window = with_named(&["jog_1", "walk_1", "walk_10", "walk_2"]);
    window.type_in("Search clips", "walk");
    assert_eq!(shown(&window), ["walk_1", "walk_10", "walk_2"]);
    let made = window.app().library.listing.n_made;
    window.harness.run_steps(5);
    assert_eq!(window.app().library.listing.n_made, made, "cached");
    window.harness.get_by_label("1 selected clip not shown");
    window.click("Sort by Name");
    assert_eq!(shown(&window), ["walk_1", "walk_2", "walk_10"]);
    window.click("Sort by Name");
    assert_eq!(shown(&window), ["walk_10", "walk_2", "walk_1"]);
    window.click("Clip walk_10");
    window.press(Modifiers::COMMAND, Key::A);
    assert_eq!(selected(&window).len(), 3, "all that are shown");
    window.type_in("New tag", "calm");
    window.press(Modifiers::NONE, Key::Enter);
    assert_eq!(
        window.app().shell.undo_label(),
        Some("tag 3 clips \"calm\"")
    );
    window.type_in("Search clips", "tag:calm");
    assert_eq!(shown(&window).len(), 3);
    window.click("Clip walk_2");
    window.click("Remove tag calm");
    assert_eq!(shown(&window), ["walk_10", "walk_1"]);
    window.type_in("Search clips", "nothing like this");
    window.harness.get_by_label("No clip fits the search.");
}

#[test]
fn rows_are_selected_as_in_a_file_manager() {
    let mut window = with_named(&["a", "b", "c", "d", "e"]);
    let names = |window: &Window| -> String {
        let clips = window.app().shell.selected_clips().into_iter();
        clips.map(|(_, clip)| clip.info.name.clone()).collect()
    };
    window.click("Clip b");
    assert_eq!(names(&window), "b");
    window.press(Modifiers::NONE, Key::ArrowDown);
    assert_eq!(names(&window), "c", "arrows belong to the table");
    assert_eq!(window.app().shell.session.playhead_secs, 0.0);
    window.press(Modifiers::SHIFT, Key::ArrowDown);
    assert_eq!(names(&window), "cd");
    window.press(Modifiers::SHIFT, Key::ArrowDown);
    assert_eq!(names(&window), "cde");
    window.press(Modifiers::NONE, Key::Home);
    assert_eq!(names(&window), "a");
    let click_with = |window: &mut Window, modifiers: Modifiers, label: &str| {
        window
            .harness
            .get_by_label(label)
            .click_modifiers(modifiers);
        window.harness.run_steps(3);
    };
    click_with(&mut window, Modifiers::COMMAND, "Clip d");
    assert_eq!(names(&window), "ad");
    click_with(&mut window, Modifiers::SHIFT, "Clip b");
    assert_eq!(names(&window), "bcd");
    // After a click on the timeline the arrows are frames again.
    let timeline = window.harness.get_by_label("Timeline").rect().center();
    window.harness.drag_at(timeline);
    window.harness.run_steps(2);
    window.harness.drop_at(timeline);
    window.harness.run_steps(2);
    let at = window.app().shell.session.playhead_secs;
    window.press(Modifiers::NONE, Key::ArrowUp);
    assert!(
        window.app().shell.session.playhead_secs > at,
        "ten frames on"
    );
    assert_eq!(names(&window), "bcd");
}

#[test]
fn sets_are_made_renamed_and_looked_at() {
    let mut clips: Vec<(String, Clip)> = (0..6)
        .map(|i| (format!("walk_{i}"), demo::make(Action::Walk, 3, i).clip))
        .collect();
    clips.push((
        "walk_odd".to_owned(),
        demo::make(Action::WalkBigArms, 3, 0).clip,
    ));
    let clips: Vec<(&str, &Clip)> = clips.iter().map(|(n, c)| (n.as_str(), c)).collect();
    let mut window = with(&clips);
    window.press(Modifiers::COMMAND, Key::G);
    window.harness.run_steps(3);
    let set = document(&window).sets()[0].clone();
    assert_eq!((set.name.as_str(), set.clips.len()), ("walk_0", 7));
    window.until("a look", |app| app.library.sets.look.is_some());
    window.until_idle();
    let look = Arc::clone(window.app().library.sets.look.as_ref().unwrap());
    let similarity = &look.found.as_ref().unwrap().similarity;
    assert_eq!(similarity.outliers, [6]);
    window.harness.get_by_label("Distances");
    window.click("Align phase in the 3D view");
    window.until("all in step", |app| {
        matches!(app.shell.previews.shown(), Some(Preview::Instead(clips)) if clips.len() == 7)
    });
    window.click("Remove from set");
    assert_eq!(document(&window).sets()[0].clips.len(), 6);
    assert_eq!(document(&window).n_clips(), 7, "it stays in the library");
    window.until("another look", |app| {
        let look = app.library.sets.look.as_ref().unwrap();
        look.clips.len() == 6
    });
    window.click("Rename set walk_0");
    window.type_in("New set name", "calm walks");
    window.press(Modifiers::NONE, Key::Enter);
    assert_eq!(document(&window).sets()[0].name, "calm walks");
    window.click("Add 1 selected clip");
    assert_eq!(document(&window).sets()[0].clips.len(), 7);
    window.click("Delete set calm walks");
    assert!(document(&window).sets().is_empty(), "gone");
    window.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(document(&window).sets()[0].clips.len(), 7);
}

/// Draws one line on the pad by mouse events, a step of the clock for each point.
pub(super) fn draw(window: &mut Window, line: &[(f32, f32)]) {
    let pad = window.harness.get_by_label("Stroke pad").rect();
    let at = |(x, y): (f32, f32)| -> Pos2 { pad.left_bottom() + vec2(x, -y) * pad.height() };
    window.harness.hover_at(at(line[0]));
    window.harness.step();
    window.harness.drag_at(at(line[0]));
    window.harness.step();
    for point in &line[1..] {
        window.harness.hover_at(at(*point));
        window.harness.step();
    }
    window.harness.drop_at(at(line[line.len() - 1]));
    window.harness.run_steps(3);
}

#[test]
fn four_strokes_are_drawn_saved_and_opened_again() {
    let mut window = with_named(&["a"]);
    window.click("Strokes");
    for round in 0..4 {
        let turn = |i: usize| 0.3 * i as f32;
        let size = 0.15 + 0.04 * round as f32;
        let spiral = |i: usize| (0.33 + size * turn(i).cos(), 0.5 + size * turn(i).sin());
        draw(&mut window, &(0..20).map(spiral).collect::<Vec<_>>());
    }
    let strokes = document(&window).strokes().to_vec();
    let names: Vec<&str> = strokes.iter().map(|(_, s)| s.name()).collect();
    assert_eq!(names, ["stroke 1", "stroke 2", "stroke 3", "stroke 4"]);
    for (round, (_, stroke)) in strokes.iter().enumerate() {
        // A step of the test's clock between points, and where the pointer was.
        assert!(
            (stroke.seconds() - 19.0 * 0.05).abs() < 0.06,
            "{}",
            stroke.seconds()
        );
        let size = 0.15 + 0.04 * round as f64;
        let off = |p: &[f64; 3]| ((p[1] - 0.33).hypot(p[2] - 0.5) - size).abs();
        let worst = stroke.points().iter().map(off).fold(0.0, f64::max);
        assert!(worst < 0.01, "off the circle by {worst}");
        assert!(stroke.n_points() >= 19, "{} points", stroke.n_points());
    }
    window.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(document(&window).strokes().len(), 3, "a stroke is a step");
    window.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    window.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::S);
    let place = window.path("drawn.kinfolk");
    window.type_in("Path", &place.display().to_string());
    window.click("Save here");
    window.until_idle();
    assert_eq!(on_disk(&place).strokes(), strokes);
    window.click("Stroke stroke 2");
    window.click("Delete 1 stroke");
    assert_eq!(document(&window).strokes().len(), 3);
    window.press(Modifiers::COMMAND, Key::Z);
    // Out as CSV and in again: the same strokes once more.
    window.click("Export CSV…");
    let out = window.path("strokes");
    window.type_in("Folder", &out.display().to_string());
    window.click("Export 4 strokes");
    window.until_idle();
    window.press(Modifiers::COMMAND, Key::I);
    window.type_in("Path", &out.display().to_string());
    window.click("Import");
    window.until("read", |app| app.shell.document().strokes().len() == 8);
    let back = &document(&window).strokes()[4..];
    for ((_, a), (_, b)) in strokes.iter().zip(back) {
        let file = a.name().replace(' ', "_");
        assert_eq!((file.as_str(), a.points()), (b.name(), b.points()));
    }
}

#[test]
fn file_names_follow_a_pattern_and_are_shown_first() {
    let mut window = with_named(&["a", "b"]);
    window.press(Modifiers::COMMAND, Key::E);
    window.type_in("File names", "hero_{n:2}_{name}");
    window.harness.get_by_label("hero_00_a.bvh");
    window.harness.get_by_label("hero_01_b.bvh");
    window.type_in("File names", "hero_{number}");
    let refused = window.harness.query_by_label_contains("is no placeholder");
    assert!(refused.is_some(), "says what is wrong");
    window.type_in("File names", "same");
    window.harness.get_by_label("same_2.bvh");
    let out = window.path("out");
    window.type_in("Folder", &out.display().to_string());
    window.click("Export 2 clips");
    window.until_idle();
    let mut files: Vec<String> = std::fs::read_dir(&out)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    files.sort();
    assert_eq!(files, ["same.bvh", "same_2.bvh"]);
}

#[test]
fn typing_over_a_name_replaces_it() {
    let take = demo::make(Action::Walk, 3, 0).clip;
    let mut window = with(&[("take one", &take)]);
    window.press(Modifiers::NONE, Key::F2);
    window.harness.run_steps(2);
    window
        .harness
        .get_by_role_and_label(Role::TextInput, "New name")
        .type_text("hero");
    window.harness.run_steps(2);
    window.press(Modifiers::NONE, Key::Enter);
    assert_eq!(window.names(), ["hero"]);
}

#[test]
fn clips_are_tagged_with_the_names_of_their_folders_if_that_is_wished() {
    let files = [("moves/walk/a.bvh", walk()), ("moves/run/b.bvh", walk())];
    let files: Vec<(&str, &str)> = files.iter().map(|(n, t)| (*n, t.as_str())).collect();
    for (is_wished, expected) in [
        (true, [vec!["run"], vec!["walk"]]),
        (false, [vec![], vec![]]),
    ] {
        let mut window = Window::open(&files, &["moves/walk/a.bvh"]);
        window.until("imported", |app| app.shell.document().n_clips() == 1);
        window.until_idle();
        window.app_mut().shell.preferences.tags_folders = is_wished;
        let folder = window.path("moves");
        window.app_mut().shell.ask(Request::Import(vec![folder]));
        window.until("imported", |app| app.shell.document().n_clips() == 3);
        window.until_idle();
        let clips = window.app().shell.document().clips().skip(1);
        let tags: Vec<Vec<String>> = clips
            .map(|(_, clip)| clip.info.tags.iter().cloned().collect())
            .collect();
        assert_eq!(tags, expected, "{is_wished}");
    }
}
