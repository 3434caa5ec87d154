//! Poses are kept, found, put on and there again, through the real window.

use std::sync::Arc;

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use kinfolk::app::pose::poses::PoseRegion;
use kinfolk::app::shell::pane::Pane;
use kinfolk::app::shell::requests::Request;
use kinfolk::demo::{self, Action};
use kinfolk::document::{Command, Posed, PosedId};
use kinfolk::motion::{Clip, Pose};

use super::library::with;
use super::projects::save_as;
use super::repair::panel;
use super::{Window, on_disk};

/// A character made of a demo walk, with this panel in front.
pub(super) fn character(pane: Pane) -> (Window, Clip) {
    let clip = demo::make(Action::Walk, 3, 0).clip;
    let mut window = with(&[("walk", &clip)]);
    panel(&mut window, pane);
    window.app_mut().shell.session.is_playing = false;
    let app = window.app_mut();
    app.pose.new_character(&mut app.shell);
    window.until_idle();
    (window, clip)
}

pub(super) fn posed(window: &Window) -> (PosedId, Arc<Posed>) {
    let (id, posed) = &window.app().shell.document().posed()[0];
    (*id, Arc::clone(posed))
}

/// As if the animator had posed it so.
pub(super) fn pose_as(window: &mut Window, pose: Pose) {
    let (id, before) = posed(window);
    let after = Posed {
        pose,
        ..Posed::clone(&before)
    };
    window
        .app_mut()
        .shell
        .ask(Request::Edit(Command::ChangePosed {
            what: "pose".to_owned(),
            id,
            posed: Arc::new(after),
        }));
    window.harness.run_steps(2);
}

#[test]
fn poses_are_kept_searched_put_on_in_part_renamed_and_there_again() {
    let (mut window, clip) = character(Pane::Poses);
    window.type_in("Pose name", "contact");
    window.click("Save pose");
    assert_eq!(window.undo_label(), "save pose contact");
    let first = posed(&window).1.pose.clone();
    let other = clip.frame(clip.n_frames() / 4).to_pose();
    pose_as(&mut window, other.clone());
    window.type_in("Pose name", "passing");
    window.click("Save pose");
    window.until_idle();
    // Half of the first pose for one arm; the rest stays.
    window.click("Pose contact");
    window.app_mut().pose.library.percent = 50;
    window.app_mut().pose.library.region = PoseRegion::Arm(0);
    window.harness.run_steps(2);
    window.click("Apply");
    assert_eq!(window.undo_label(), "apply pose contact to walk");
    let now = posed(&window).1.pose.clone();
    let arm = kinfolk::motion::Body::of(clip.skeleton()).arms[0].clone();
    for joint in 0..clip.skeleton().n_joints() {
        let whole = other.rotations[joint].angle_to(&first.rotations[joint]);
        let part = other.rotations[joint].angle_to(&now.rotations[joint]);
        if joint == arm.upper || joint == arm.middle {
            assert!((part - 0.5 * whole).abs() < 1e-6, "joint {joint}");
        } else if joint == 0 {
            assert!(part < 1e-9, "the root stays");
        }
    }
    window.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(posed(&window).1.pose, other, "one step");
    window.type_in("Search poses", "pass");
    assert!(
        window.harness.query_by_label("Pose contact").is_none(),
        "not found"
    );
    window.click("Pose passing");
    window.type_in("New pose tag", "walk");
    window.press(Modifiers::NONE, Key::Enter);
    window.click("Rename");
    window.type_in("New pose name", "midstance");
    window.press(Modifiers::NONE, Key::Enter);
    window.type_in("Search poses", "walk");
    window.harness.get_by_label("Pose midstance");
    save_as(&mut window, "kept.kinfolk");
    let path = window.path("kept.kinfolk");
    let back = on_disk(&path);
    let kept = window.app().shell.document().poses().to_vec();
    assert_eq!(back.poses(), kept, "bit by bit");
    assert_eq!(kept.len(), 2);
    let file = path.join("poses/poses.ron");
    assert!(file.is_file(), "a file of its own");
    window.click("Delete pose");
    assert_eq!(window.app().shell.document().poses().len(), 1);
    window.press(Modifiers::COMMAND, Key::S);
    window.until_idle();
    assert_eq!(on_disk(&path).poses().len(), 1, "saved anew");
    // A library that cannot be read is named and stays where it is.
    let files: Vec<_> = std::fs::read_dir(path.join("poses")).unwrap().collect();
    let file = files[0].as_ref().unwrap().path();
    std::fs::write(&file, "(version: 99)").unwrap();
    let opened =
        kinfolk::file::project::ProjectFolder::open(&path, kinfolk::file::project::Access::Read)
            .unwrap();
    assert!(opened.document.poses().is_empty(), "none");
    let problems = format!("{:?}", opened.problems);
    assert!(problems.contains("newer Kinfolk"), "{problems}");
}
