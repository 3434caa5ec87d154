//! Three keyed poses become a motion, through the real window.

use std::sync::Arc;

use egui::{Key, Modifiers, PointerButton, pos2};
use egui_kittest::kittest::Queryable as _;
use kinfolk::app::shell::pane::Pane;
use kinfolk::app::shell::requests::Request;
use kinfolk::document::{Command, Keying, Learned};
use kinfolk::file::project::{Access, ProjectFolder};
use kinfolk::jobs::Ticket;
use kinfolk::motion::{Clip, Site, Vec3, WorldPose};
use kinfolk::style::{LearnSettings, Method, Style};

use super::pose_library::{character, pose_as, posed};
use super::projects::save_as;
use super::{Window, on_disk};

/// Knows the clip, and is learned in a moment; the character keeps to it.
pub(super) fn give_style(window: &mut Window, clip: &Clip) {
    let settings = LearnSettings {
        method: Method::Gaussian,
        ..LearnSettings::default()
    };
    let style = Style::learn(&[clip], &settings, &Ticket::default()).unwrap();
    let shell = &mut window.app_mut().shell;
    shell.ask(Request::Edit(Command::AddModel {
        name: "walking".to_owned(),
        learned: Learned::Style(Arc::new(style)),
    }));
    window.harness.run_steps(2);
    let model = window.app().shell.document().models()[0].id;
    let (id, character) = posed(window);
    let mut character = kinfolk::document::Posed::clone(&character);
    character.styles = vec![(model, 1.0)];
    window
        .app_mut()
        .shell
        .ask(Request::Edit(Command::ChangePosed {
            what: "choose style of".to_owned(),
            id,
            posed: Arc::new(character),
        }));
    window.harness.run_steps(2);
}

fn keying(window: &Window) -> Arc<Keying> {
    window.app().pose.keying_now(&window.app().shell).unwrap().1
}

fn go_to(window: &mut Window, frame: usize) {
    let fps = keying(window).fps;
    window.app_mut().shell.session.playhead_secs = frame as f64 / fps;
    window.harness.run_steps(2);
}

/// Keys moments of the clip at frames 0, 15 and 30.
fn keyed(window: &mut Window, clip: &Clip) {
    for (place, frame) in [0, 15, 30].into_iter().enumerate() {
        go_to(window, frame);
        pose_as(window, clip.frame(8 * place).to_pose());
        window.press(Modifiers::NONE, Key::I);
        let wanted = format!("key frame {frame} of walk");
        assert_eq!(window.undo_label(), wanted, "the step says what it did");
    }
    window.until_idle();
}

#[test]
fn three_keys_play_move_become_a_clip_and_are_there_again() {
    let (mut window, clip) = character(Pane::Keys);
    give_style(&mut window, &clip);
    keyed(&mut window, &clip);
    let motion = Arc::clone(window.app().pose.key_motion(&window.app().shell).unwrap());
    assert_eq!((motion.first, motion.poses.len()), (0, 31));
    for (place, frame) in [0, 15, 30].into_iter().enumerate() {
        assert_eq!(motion.poses[frame], clip.frame(8 * place).to_pose());
    }
    // Where the playhead goes, the character takes the pose of the motion; nothing is changed by that.
    let before = window.app().shell.document().clone();
    go_to(&mut window, 7);
    let now = window.app().pose.posed_now(&window.app().shell).unwrap().1;
    assert_eq!(now.pose, motion.poses[7]);
    assert_eq!(*window.app().shell.document(), before, "only looked at");
    window.press(Modifiers::NONE, Key::Space);
    window.harness.run_steps(3);
    assert!(
        window.app().pose.extras.shown().instead.is_some(),
        "it plays"
    );
    window.press(Modifiers::NONE, Key::Space);
    // A key is dragged along the timeline, in one step.
    let rect = window.harness.get_by_label("Timeline").rect();
    let names = 132.0_f32.min(0.2 * rect.width());
    let wide = rect.width() - names - 14.0;
    let at = |frame: f32| {
        let x = rect.left() + names + wide * frame / 60.0;
        pos2(x, rect.top() + 22.0 + 12.0)
    };
    window.drag(PointerButton::Primary, Modifiers::NONE, at(15.0), at(20.0));
    let frames = |window: &Window| -> Vec<usize> {
        keying(window).keys.iter().map(|key| key.frame).collect()
    };
    assert_eq!(frames(&window), [0, 20, 30]);
    assert_eq!(window.undo_label(), "move key 15 of walk");
    window.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(frames(&window), [0, 15, 30]);
    // A tangent of the hand's path.
    let site = keying(&window).paths.last().unwrap().site;
    let app = window.app_mut();
    app.pose
        .edit_keys(&mut app.shell, "shape a motion path of", |keying| {
            keying.set_path_key(
                site,
                kinfolk::document::HandlePathKey {
                    frame: 15,
                    place: None,
                    tangent: Some(Vec3::new(0.0, 3.0, 0.0)),
                },
            );
        });
    window.until_idle();
    let shaped = Arc::clone(window.app().pose.key_motion(&window.app().shell).unwrap());
    let place = |motion: &kinfolk::app::pose::keys::motion::KeyMotion, frame: usize| {
        let pose = &motion.poses[frame];
        WorldPose::of(clip.skeleton(), pose.as_ref()).site(clip.skeleton(), site)
    };
    let moved = (place(&shaped, 19) - place(&motion, 19)).norm();
    let tall = kinfolk::motion::body::height(&clip);
    assert!(moved > 0.02 * tall, "the path is another: {moved}");
    window.click("Make clip");
    assert_eq!(window.names(), ["walk", "walk keyed"]);
    let said = window.said().last().copied().unwrap_or_default().to_owned();
    assert!(said.contains("\"walk keyed\""), "{said}");
    window.click("Make clip");
    assert_eq!(window.names(), ["walk", "walk keyed", "walk keyed 2"]);
    window.press(Modifiers::COMMAND, Key::Z);
    save_as(&mut window, "keyed.kinfolk");
    let back = on_disk(&window.path("keyed.kinfolk"));
    let (id, _) = posed(&window);
    assert_eq!(back.keying(id), window.app().shell.document().keying(id));
    assert_eq!(back.n_clips(), 2);
    // Keys that cannot be are named and left out; the rest opens.
    let file = window.path("keyed.kinfolk").join("project.ron");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("frames: 60"), "the length of the shot");
    std::fs::write(&file, text.replace("frames: 60", "frames: 0")).unwrap();
    let opened = ProjectFolder::open(&window.path("keyed.kinfolk"), Access::Read).unwrap();
    assert_eq!(opened.document.keying(id), None);
    assert_eq!(opened.document.posed().len(), 1, "the character is there");
    let problems = format!("{:?}", opened.problems);
    assert!(problems.contains("keyframes of"), "{problems}");
}

#[test]
fn changes_key_themselves_and_styles_change_along_the_shot() {
    let (mut window, clip) = character(Pane::Keys);
    window.click("Auto-key");
    let before = window.app().shell.document().clone();
    pose_as(&mut window, clip.frame(5).to_pose());
    assert_eq!(keying(&window).keys.len(), 1, "keyed by itself");
    assert_eq!(window.undo_label(), "pose walk");
    window.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(
        *window.app().shell.document(),
        before,
        "pose and key at once"
    );
    window.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    go_to(&mut window, 20);
    pose_as(&mut window, clip.frame(12).to_pose());
    window.until_idle();
    // Without a style joints turn evenly.
    let plain = Arc::clone(window.app().pose.key_motion(&window.app().shell).unwrap());
    assert_eq!(plain.poses.len(), 21);
    window.click("Copy key");
    go_to(&mut window, 40);
    window.click("Paste key");
    assert_eq!(keying(&window).keys.len(), 3);
    give_style(&mut window, &clip);
    let model = window.app().shell.document().models()[0].id;
    let app = window.app_mut();
    app.pose
        .edit_keys(&mut app.shell, "change style of", |keying| {
            keying.set_style_range(20, Some(vec![(model, 1.0)]));
        });
    window.until_idle();
    let styled = Arc::clone(window.app().pose.key_motion(&window.app().shell).unwrap());
    assert_ne!(styled.poses[10], plain.poses[10], "the style has a say");
    window.app_mut().pose.keys.shows_onions = true;
    window.app_mut().pose.keys.site = Some(Site::Joint(0));
    go_to(&mut window, 10);
    let extra = window.app().pose.extras.shown();
    assert_eq!(extra.ghosts.len(), 3, "one key before, two after");
    assert!(!extra.trails.is_empty(), "paths are seen");
    // A style that is forgotten leaves its range to the character's own.
    window
        .app_mut()
        .shell
        .ask(Request::Edit(Command::RemoveModel(model)));
    window.until_idle();
    assert!(
        keying(&window).style_ranges[0].styles.is_empty(),
        "forgotten"
    );
    go_to(&mut window, 40);
    window.click("Delete key");
    assert_eq!(keying(&window).keys.len(), 2);
}
