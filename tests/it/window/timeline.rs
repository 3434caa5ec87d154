//! The timeline by hand: trim, contacts, zoom, play range, and several clips together.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Key, Modifiers, PointerButton, Pos2, pos2, vec2};
use egui_kittest::kittest::Queryable as _;
use kinfolk::app::shell::requests::Request;
use kinfolk::app::shell::sync::{SyncMode, TimeMap};
use kinfolk::document::{ClipId, Command};
use kinfolk::motion::Contact;

use super::{Window, walk};
use crate::command::small_walk;

/// A clip of 60 frames at 30 frames a second, of which the left foot touches from frame 10 up to 20.
fn with_a_contact() -> (Window, ClipId, usize) {
    let mut window = Window::open(&[("a.bvh", &walk())], &["a.bvh"]);
    window.until("imported", |app| app.shell.document().n_clips() == 1);
    window.until_idle();
    let (id, clip) = window.app().shell.document().clips().next().unwrap();
    let joint = clip.skeleton().find("LeftFoot").unwrap();
    let frames = 10..20;
    let touching = clip.as_ref().clone();
    let touching = touching.with_contacts(vec![Contact { joint, frames }]);
    let planted = Command::ReplaceClips {
        what: "plant".to_owned(),
        clips: vec![(id, Arc::new(touching.unwrap()))],
    };
    window.app_mut().shell.ask(Request::Edit(planted));
    window.harness.run_steps(2);
    window.until_idle();
    (window, id, joint)
}

/// The place of a moment on the ruler.
fn on_ruler(window: &Window, secs: f64) -> Pos2 {
    let rect = window.harness.get_by_label("Timeline").rect();
    let (left, right) = window.app().timeline.track;
    let width = right - left;
    let length = window.app().shell.length_secs();
    let share = (secs / length) as f32;
    pos2(left + share * width, rect.top() + 8.0)
}

/// The same in the first row: its bar is number 0, its lanes follow.
fn in_row(window: &Window, secs: f64, lane: usize) -> Pos2 {
    let rows = window.harness.get_by_label("Timeline rows").rect();
    let top = if lane == 0 {
        11.0
    } else {
        22.0 + 14.0 * (lane as f32 - 0.5)
    };
    pos2(on_ruler(window, secs).x, rows.top() + 2.0 + top)
}

fn drag(window: &mut Window, from: Pos2, to: Pos2) {
    window.drag(PointerButton::Primary, Modifiers::NONE, from, to);
    window.until_idle();
}

fn contacts(window: &Window, id: ClipId) -> Vec<(usize, usize)> {
    let clip = window.app().shell.document().clip(id).unwrap();
    let frames = clip.contacts().iter();
    frames.map(|c| (c.frames.start, c.frames.end)).collect()
}

#[test]
fn the_ends_of_a_clip_are_dragged_to_trim_it_in_one_step() {
    let (mut window, id, _) = with_a_contact();
    let frames = |w: &Window| w.app().shell.document().clip(id).unwrap().n_frames();
    let (end, to) = (in_row(&window, 2.0, 0), in_row(&window, 1.5, 0));
    drag(&mut window, end, to);
    assert_eq!(frames(&window), 45);
    assert_eq!(window.undo_label(), "trim a");
    window.app_mut().shell.session.playhead_secs = 1.0;
    let (start, to) = (in_row(&window, 0.0, 0), in_row(&window, 0.5, 0));
    drag(&mut window, start, to);
    assert_eq!(frames(&window), 30);
    assert_eq!(contacts(&window, id), [(0, 5)], "contacts go along");
    let playhead = window.app().shell.session.playhead_secs;
    assert!(
        (playhead - 0.5).abs() < 1e-9,
        "the pose under the playhead stays: {playhead}"
    );
    window.press(Modifiers::COMMAND, Key::Z);
    window.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(frames(&window), 60, "two drags were two steps");
    let nowhere = in_row(&window, 2.0, 0);
    let before = window.undo_label().to_owned();
    drag(&mut window, nowhere, nowhere + vec2(30.0, 0.0));
    assert_eq!(window.undo_label(), before, "a drag that changes nothing");
}

#[test]
fn contacts_are_moved_drawn_and_deleted_in_one_step_each() {
    let (mut window, id, joint) = with_a_contact();
    let secs = |frame: usize| frame as f64 / 30.0;
    let lane = |w: &Window, frame: usize| in_row(w, secs(frame), 1);
    let (end, to) = (lane(&window, 20), lane(&window, 26));
    drag(&mut window, end, to);
    assert_eq!(contacts(&window, id), [(10, 26)]);
    assert_eq!(window.undo_label(), "move contact of a");
    let (from, to) = (lane(&window, 40), lane(&window, 50));
    drag(&mut window, from, to);
    assert_eq!(contacts(&window, id), [(10, 26), (40, 50)]);
    assert_eq!(window.undo_label(), "add contact to a");
    let (middle, to) = (lane(&window, 18), lane(&window, 13));
    drag(&mut window, middle, to);
    assert_eq!(contacts(&window, id), [(5, 21), (40, 50)], "all of it");
    for (frame, left) in [(45, vec![(5, 21)]), (13, vec![])] {
        let at = lane(&window, frame);
        window.drag(PointerButton::Primary, Modifiers::NONE, at, at);
        let pick = window.app().shell.session.contact.unwrap();
        assert_eq!((pick.clip, pick.joint), (id.into(), joint));
        window.press(Modifiers::NONE, Key::Delete);
        window.until_idle();
        assert_eq!(contacts(&window, id), left);
    }
    let clip = Arc::clone(window.app().shell.document().clip(id).unwrap());
    let facts = window.app().shell.analyses.of(id, &clip).unwrap();
    assert!(facts.contacts.is_empty(), "none are found in their place");
    assert_eq!(window.names(), ["a"], "the clip itself was not deleted");
    for _ in 0..5 {
        window.press(Modifiers::COMMAND, Key::Z);
    }
    assert_eq!(contacts(&window, id), [(10, 20)]);
}

#[test]
fn escape_lets_go_without_a_change() {
    let (mut window, id, _) = with_a_contact();
    let (from, to) = (in_row(&window, 20.0 / 30.0, 1), in_row(&window, 1.5, 1));
    window.harness.hover_at(from);
    window.harness.step();
    window.harness.drag_at(from);
    window.harness.step();
    window.harness.hover_at(to);
    window.harness.run_steps(2);
    assert!(window.app().timeline.drag.is_some(), "held");
    window.press(Modifiers::NONE, Key::Escape);
    window.harness.drop_at(to);
    window.harness.run_steps(3);
    assert_eq!(contacts(&window, id), [(10, 20)]);
}

#[test]
fn the_wheel_zooms_about_the_pointer_and_fit_shows_all() {
    let (mut window, ..) = with_a_contact();
    let at = on_ruler(&window, 0.5);
    window.harness.hover_at(at);
    window.harness.step();
    window.harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: vec2(0.0, 200.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Unknown,
        modifiers: Modifiers::NONE,
    });
    window.harness.run_steps(20);
    let span = window.app().shell.session.span.expect("zoomed in");
    assert!(span.wide_secs < 1.5, "{span:?}");
    let share = (0.5 - span.from_secs) / span.wide_secs;
    assert!(
        (share - 0.25).abs() < 0.01,
        "the moment under the pointer stays there: {share}"
    );
    window.click("Fit");
    assert_eq!(window.app().shell.session.span, None);
}

#[test]
fn a_double_click_plays_what_is_under_it() {
    let (mut window, ..) = with_a_contact();
    let twice = |window: &mut Window, at: Pos2| {
        window.harness.hover_at(at);
        window.harness.step();
        for pressed in [true, false, true, false] {
            window.harness.event(egui::Event::PointerButton {
                pos: at,
                button: PointerButton::Primary,
                pressed,
                modifiers: Modifiers::NONE,
            });
        }
        window.harness.run_steps(4);
        window.app().shell.session.range_secs
    };
    let on_contact = in_row(&window, 0.5, 1);
    let (from, to) = twice(&mut window, on_contact).unwrap();
    assert!(
        (from - 10.0 / 30.0).abs() < 1e-9 && (to - 20.0 / 30.0).abs() < 1e-9,
        "{from} to {to}"
    );
    let end = on_ruler(&window, to);
    let later = on_ruler(&window, 1.0);
    drag(&mut window, end, later);
    let (_, to) = window.app().shell.session.range_secs.unwrap();
    assert!((to - 1.0).abs() < 0.01, "its end was dragged to {to}");
    window.app_mut().shell.session.is_playing = true;
    for _ in 0..40 {
        window.harness.step();
        let at = window.app().shell.session.playhead_secs;
        assert!((0.3..=1.01).contains(&at), "played at {at}");
    }
    let on_ruler = on_ruler(&window, 1.6);
    assert_eq!(twice(&mut window, on_ruler), None, "everything again");
}

#[test]
fn several_clips_go_by_time_by_frame_or_in_step() {
    let (a, b) = (small_walk(60), small_walk(50).replace("0.0333333", "0.02"));
    let mut window = Window::open(&[("a.bvh", &a), ("b.bvh", &b)], &["a.bvh", "b.bvh"]);
    window.until("imported", |app| app.shell.document().n_clips() == 2);
    window.until_idle();
    let ids: Vec<ClipId> = window
        .app()
        .shell
        .session
        .selection
        .iter()
        .copied()
        .collect();
    assert_eq!(window.app().shell.session.active, Some(ids[0]));
    let time_map = |w: &Window| {
        let clip = w.app().shell.document().clip(ids[1]).unwrap();
        w.app().shell.time_map(ids[1], clip)
    };
    let length = |w: &Window| w.app().shell.length_secs();
    assert_eq!(time_map(&window), TimeMap::Even { fps: 50.0 });
    window.click("Frame");
    assert_eq!(time_map(&window), TimeMap::Even { fps: 30.0 });
    assert!((length(&window) - 2.0).abs() < 1e-9, "60 frames at 30");
    window.click("Time-warped");
    window.until_idle();
    assert_eq!(window.app().shell.session.sync, SyncMode::Aligned);
    let warped = time_map(&window);
    assert!(matches!(warped, TimeMap::Warped { .. }), "{warped:?}");
    assert_eq!(warped.frame_at(59.0 / 30.0), 49.0, "they end together");
    assert!(
        (length(&window) - 2.0).abs() < 1e-9,
        "as long as the active one"
    );
    window.click("Time");
    assert_eq!(time_map(&window), TimeMap::Even { fps: 50.0 });
}

#[test]
fn the_curve_of_loops_is_there_and_can_be_hidden() {
    let (mut window, id, _) = with_a_contact();
    let clip = Arc::clone(window.app().shell.document().clip(id).unwrap());
    let curve = window.app().timeline.match_curves.of(&clip);
    let curve = curve.expect("found in the background");
    let cycles = curve.as_ref().as_ref().expect("a walk repeats itself");
    assert_eq!(cycles.scores.len(), 60);
    let tall = |w: &Window| w.harness.get_by_label("Timeline").rect().height();
    let before = tall(&window);
    window.click("View");
    window.click("Cycle match");
    assert!(tall(&window) < before, "the rows move up");
    let rows = window
        .harness
        .get_by_role_and_label(Role::Canvas, "Timeline rows");
    assert!(rows.rect().height() > 20.0, "they are seen");
}
