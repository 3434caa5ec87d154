//! A broken take is rebuilt through the real window.

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use kinfolk::app::pose::repair::view::Compare;
use kinfolk::app::pose::repair::{Gap, with_all_below};
use kinfolk::app::shell::pane::Pane;
use kinfolk::app::shell::previews::Preview;
use kinfolk::demo::{self, Action};
use kinfolk::document::ClipId;
use kinfolk::motion::{Body, Clip, Dim, WorldPose, rotation};
use kinfolk::style::{LearnSettings, Method};

use super::Window;
use super::library::with;

/// A long walk, as it was and with an elbow turned the wrong way for a while.
pub(super) fn broken() -> (Clip, Clip, usize) {
    let good = demo::make(Action::WalkTake, 11, 0).clip;
    let elbow = Body::of(good.skeleton()).arms[0].middle;
    let mut motion = good.motion().clone();
    let n = good.skeleton().n_joints();
    for frame in BAD {
        motion.rotations[frame * n + elbow] *= rotation::about(Dim::Z, 1.4);
    }
    let bad = Clip::new(good.info.clone(), Arc::clone(good.skeleton()), motion).unwrap();
    (good, bad, elbow)
}

const BAD: std::ops::Range<usize> = 60..72;

fn farthest(a: &Clip, b: &Clip) -> f64 {
    let skeleton = a.skeleton();
    let off = a.frames().zip(b.frames()).map(|(a, b)| {
        let (a, b) = (WorldPose::of(skeleton, a), WorldPose::of(skeleton, b));
        let pairs = a.positions.iter().zip(&b.positions);
        pairs.map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
    });
    off.fold(0.0, f64::max)
}

/// The pose workspace with this panel in front.
pub(super) fn panel(window: &mut Window, pane: Pane) {
    let tab = |window: &Window| {
        let tab = window.harness.get_by_role_and_label(Role::Tab, "Pose");
        tab.click();
    };
    tab(window);
    window.harness.run_steps(3);
    window.app_mut().shell.wanted_pane = Some(pane);
    window.harness.run_steps(3);
}

fn active(window: &Window) -> Arc<Clip> {
    Arc::clone(window.app().shell.active_clip().unwrap())
}

#[test]
fn a_broken_elbow_is_found_rebuilt_compared_and_kept() {
    let (good, bad, elbow) = broken();
    let mut window = with(&[("take", &bad)]);
    panel(&mut window, Pane::Repair);
    let before = active(&window);
    let id = window.app().shell.session.active.unwrap();
    window.click("Propose bad joints");
    window.until_idle();
    let mut below = with_all_below(before.skeleton(), elbow);
    below.remove(&elbow);
    let gaps = window.app().pose.repair.gaps_of(id).to_vec();
    let found = gaps.iter().find(|gap| gap.joints == below);
    let Some(gap) = found.cloned() else {
        panic!("{gaps:?}; it said {:?}", window.said());
    };
    assert!(
        gap.frames.start <= BAD.start && gap.frames.end >= BAD.end && gap.frames.len() < 24,
        "{gap:?}"
    );
    // Whatever else it found odd is unmarked.
    let marked = vec![gap.clone()];
    window.app_mut().pose.repair.gaps.insert(id, marked);
    window.app_mut().pose.repair.settings = LearnSettings {
        method: Method::Gaussian,
        ..LearnSettings::default()
    };
    window.click("Rebuild");
    window.until("rebuilt", |app| app.pose.repair.rebuilt.is_some());
    let rebuilt = window.app().pose.repair.rebuilt.clone().unwrap();
    let (was, is) = (farthest(&good, &bad), farthest(&good, &rebuilt.after));
    assert!(is < 0.35 * was, "the hand was {was} off, and is {is}");
    let numbers = rebuilt.numbers;
    assert!(
        numbers.oddness_after < 0.5 * numbers.oddness_before,
        "{numbers:?}"
    );
    for frame in (0..bad.n_frames()).filter(|f| !gap.frames.contains(f)) {
        assert_eq!(rebuilt.after.frame(frame), before.frame(frame), "{frame}");
    }
    // Both are on stage, then one of them.
    window.harness.run_steps(2);
    assert_eq!(window.app().shell.on_stage().len(), 2);
    window.click("after");
    assert_eq!(window.app().pose.repair.compare, Compare::After);
    assert_eq!(window.app().shell.on_stage().len(), 1);
    let shown = window.app().shell.previews.shown().cloned();
    assert!(matches!(shown, Some(Preview::Family(_))), "{shown:?}");
    assert!(
        Arc::ptr_eq(&active(&window), &before),
        "nothing is kept yet"
    );
    window.click("Keep");
    assert_eq!(window.undo_label(), "repair take");
    let history = active(&window).info.history.last().cloned().unwrap();
    assert!(history.starts_with("rebuilt "), "{history}");
    window.press(Modifiers::COMMAND, Key::Z);
    assert!(Arc::ptr_eq(&active(&window), &before), "undone");
}

/// Other joints for the first gap of a take.
fn mark(window: &mut Window, id: ClipId, joints: BTreeSet<usize>) {
    let gaps = &mut window.app_mut().pose.repair.gaps;
    gaps.get_mut(&id).unwrap()[0].joints = joints;
}

#[test]
fn joints_and_frames_are_marked_by_hand_and_the_result_is_kept_beside_the_take() {
    let (_, bad, elbow) = broken();
    let mut window = with(&[("take", &bad)]);
    panel(&mut window, Pane::Repair);
    let id = window.app().shell.session.active.unwrap();
    let fps = bad.fps();
    window.app_mut().shell.session.range_secs = Some((60.0 / fps, 72.0 / fps));
    window.harness.run_steps(2);
    let side = match Body::of(bad.skeleton()).arms[0].side {
        kinfolk::motion::Side::Left => "Left arm",
        _ => "Right arm",
    };
    window.click(side);
    let arm = with_all_below(bad.skeleton(), elbow);
    window.click(&format!("Mark {} joints in frames 60 to 72", arm.len()));
    let gaps = window.app().pose.repair.gaps_of(id).to_vec();
    let gap = Gap {
        frames: BAD,
        joints: arm.clone(),
    };
    assert_eq!(gaps, [gap]);
    // Every joint marked leaves nothing to go by: the button says so.
    mark(&mut window, id, (0..bad.skeleton().n_joints()).collect());
    window.harness.run_steps(2);
    window.click("Rebuild");
    window.until_idle();
    assert_eq!(window.app().pose.repair.gaps_of(id).len(), 1, "refused");
    mark(&mut window, id, arm);
    window.app_mut().pose.repair.settings.n_fitted = 60;
    window.app_mut().pose.repair.settings.n_steps = 10;
    window.harness.run_steps(2);
    window.click("Rebuild");
    window.until("rebuilt", |app| app.pose.repair.rebuilt.is_some());
    window.click("Keep as new clip");
    assert_eq!(window.names(), ["take", "take repaired"]);
}

#[test]
fn clips_are_seen_as_before_after_a_look_at_one_take() {
    let walks = [0, 1, 2].map(|index| demo::make(Action::Walk, 3, index).clip);
    let mut window = with(&[("a", &walks[0]), ("b", &walks[1]), ("c", &walks[2])]);
    let ids = window.app().shell.document().clip_order().to_vec();
    window.app_mut().shell.session.select(ids);
    window.app_mut().shell.show_from_start();
    window.harness.run_steps(3);
    let camera = |window: &Window| window.app().shell.session.camera.unwrap();
    let before = camera(&window);
    panel(&mut window, Pane::Repair);
    window.harness.run_steps(3);
    assert_ne!(camera(&window), before, "one take fills the view");
    for place in ["Library", "Variation"] {
        window
            .harness
            .get_by_role_and_label(Role::Tab, place)
            .click();
        window.harness.run_steps(6);
        assert_eq!(camera(&window), before, "{place}");
    }
}
