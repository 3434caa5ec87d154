//! The 3D view by hand: what is clicked, how the camera goes, and the switches in its corner.

use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use egui::{Key, Modifiers, PointerButton, Pos2, pos2, vec2};
use kinfolk::app::render::{Camera, Size};
use kinfolk::app::shell::preferences::Navigation;
use kinfolk::app::shell::requests::Request;
use kinfolk::app::shell::view_options::Arrangement;
use kinfolk::document::{ClipId, Command};
use kinfolk::motion::{Axis, Site, Vec3, WorldPose, edit};

use super::{Window, walk};

fn with_clips(names: &[&str]) -> Window {
    let text = walk();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (*name, text.as_str())).collect();
    let mut window = Window::open(&files, names);
    let n = names.len();
    window.until("imported", |app| app.shell.document().n_clips() == n);
    window.until_idle();
    window.harness.run_steps(2);
    window
}

fn camera(window: &Window) -> Camera {
    window.app().shell.session.camera.unwrap()
}

/// Where a point of the scene is on the screen.
fn on_screen(window: &Window, place: &Vec3) -> Pos2 {
    let rect = window.view();
    let size = Size {
        width: rect.width().round() as u32,
        height: rect.height().round() as u32,
    };
    let seen = camera(window).project(place, size).unwrap();
    pos2(rect.left() + seen.x as f32, rect.top() + seen.y as f32)
}

fn click_at(window: &mut Window, at: Pos2) {
    window.drag(PointerButton::Primary, Modifiers::NONE, at, at);
}

/// The middle of the head of a clip's first frame.
fn head(window: &Window, id: ClipId) -> (usize, Vec3) {
    let clip = window.app().shell.document().clip(id).unwrap();
    let skeleton = clip.skeleton();
    let world = WorldPose::of(skeleton, clip.frame(0));
    let joint = skeleton.find("Head").unwrap();
    let tip = skeleton.ends_of(joint).start;
    let tip = world.site(skeleton, Site::End(tip));
    (joint, 0.5 * (world.positions[joint] + tip))
}

#[test]
fn a_click_lights_up_a_joint_and_the_camera_can_turn_about_it() {
    let mut window = with_clips(&["a.bvh"]);
    let id = window.app().shell.session.active.unwrap();
    let (joint, place) = head(&window, id);
    let at = on_screen(&window, &place);
    click_at(&mut window, at);
    let pick = window.app().shell.session.joint.expect("something was hit");
    assert_eq!((pick.clip, pick.joint), (id.into(), joint));
    let before = camera(&window);
    window.press(Modifiers::NONE, Key::Period);
    let after = camera(&window);
    let clip = window.app().shell.document().clip(id).unwrap();
    let world = WorldPose::of(clip.skeleton(), clip.frame(0));
    let off = (after.target - world.positions[joint]).norm();
    assert!(off < 1e-9, "it turns about a place {off} away");
    assert_eq!(
        (after.yaw_rad, after.distance),
        (before.yaw_rad, before.distance)
    );
    let corner = window.view().left_bottom();
    click_at(&mut window, corner + vec2(150.0, -8.0));
    assert_eq!(window.app().shell.session.joint, None, "beside the body");
}

#[test]
fn named_views_look_from_where_they_say() {
    let mut window = with_clips(&["a.bvh"]);
    let heading = 5.0_f64.to_radians();
    for (key, yaw, pitch) in [
        (Key::Num1, 0.0, 0.08),
        (Key::Num3, FRAC_PI_2, 0.08),
        (Key::Num7, 0.0, FRAC_PI_2),
    ] {
        window.press(Modifiers::NONE, key);
        let found = camera(&window);
        assert!(
            (found.yaw_rad - yaw - heading).abs() < 0.05,
            "{key:?}: {found:?}"
        );
        assert!((found.pitch_rad - pitch).abs() < 1e-9, "{key:?}: {found:?}");
    }
    window.press(Modifiers::NONE, Key::O);
    window.press(Modifiers::SHIFT, Key::ArrowRight);
    let target = camera(&window).target;
    assert!(
        (target.z - 59.0 * 4.0).abs() < 1.0,
        "it follows to {target}"
    );
}

#[test]
fn maya_and_blender_mice_do_what_they_do_there() {
    let mut window = with_clips(&["a.bvh"]);
    let rect = window.view();
    let (from, to) = (rect.center(), rect.center() + vec2(60.0, 0.0));
    let mut moved = |navigation, button, modifiers| {
        window.app_mut().shell.preferences.navigation = navigation;
        let before = camera(&window);
        window.drag(button, modifiers, from, to);
        let after = camera(&window);
        if after.yaw_rad != before.yaw_rad {
            "turns"
        } else if after.distance != before.distance {
            "zooms"
        } else if after.target != before.target {
            "pans"
        } else {
            "stays"
        }
    };
    use Navigation::{Blender, Maya};
    use PointerButton::{Middle, Primary, Secondary};
    assert_eq!(moved(Maya, Primary, Modifiers::ALT), "turns");
    assert_eq!(moved(Maya, Middle, Modifiers::ALT), "pans");
    assert_eq!(moved(Maya, Secondary, Modifiers::ALT), "zooms");
    assert_eq!(moved(Maya, Primary, Modifiers::NONE), "stays");
    assert_eq!(moved(Blender, Middle, Modifiers::NONE), "turns");
    assert_eq!(moved(Blender, Middle, Modifiers::SHIFT), "pans");
    assert_eq!(moved(Blender, Middle, Modifiers::COMMAND), "zooms");
}

#[test]
fn switches_in_the_corner_change_what_is_liked() {
    let mut window = with_clips(&["a.bvh", "b.bvh"]);
    window.click("Motion paths");
    window.until_idle();
    assert!(window.app().shell.preferences.view.shows_trails, "on");
    let (id, clip) = window.app().shell.document().clips().next().unwrap();
    let ways = window.app().viewport.paths.of(id, clip).unwrap();
    let feet: Vec<usize> = ["LeftFoot", "RightFoot"]
        .iter()
        .map(|name| clip.skeleton().find(name).unwrap())
        .collect();
    let found: Vec<usize> = ways.iter().map(|(joint, _)| *joint).collect();
    assert_eq!(found, feet, "hands are wanted too, but there are none");
    assert!(ways.iter().all(|(_, way)| way.len() == 60), "whole ways");
    window.click("Grid");
    let sights = &window.app().shell.preferences.view;
    assert_eq!(sights.arrangement, Arrangement::Grid);
    window.press(Modifiers::NONE, Key::B);
    let sights = &window.app().shell.preferences.view;
    assert_eq!(sights.arrangement, Arrangement::SideBySide);
    window.click("Onion skin");
    window.click("View options");
    window.click("A colour for each clip");
    let sights = &window.app().shell.preferences.view;
    assert!(sights.shows_ghosts && sights.has_own_colours, "{sights:?}");
}

#[test]
fn a_clip_with_another_axis_up_stands_beside_the_others() {
    let mut window = with_clips(&["a.bvh", "b.bvh"]);
    let ids: Vec<ClipId> = window
        .app()
        .shell
        .session
        .selection
        .iter()
        .copied()
        .collect();
    let clip = window.app().shell.document().clip(ids[1]).unwrap();
    let lying = edit::set_up(clip, Axis::Z).unwrap();
    window
        .app_mut()
        .shell
        .ask(Request::Edit(Command::ReplaceClips {
            what: "turn".to_owned(),
            clips: vec![(ids[1], Arc::new(lying))],
        }));
    window.harness.run_steps(2);
    window.until_idle();
    window.press(Modifiers::NONE, Key::B);
    window.press(Modifiers::NONE, Key::Num1);
    window.press(Modifiers::NONE, Key::F);
    // Clicks along a line at the height of the heads hit both of them.
    let (joint, place) = head(&window, ids[0]);
    let middle = window.view().center().x;
    let level = Vec3::new(camera(&window).target.x, place.y, place.z);
    let y = on_screen(&window, &level).y;
    let mut found = Vec::new();
    for step in -60..=60 {
        click_at(&mut window, pos2(middle + 4.0 * step as f32, y));
        found.extend(
            window
                .app()
                .shell
                .session
                .joint
                .map(|pick| (pick.clip, pick.joint)),
        );
    }
    for id in ids {
        assert!(
            found.contains(&(id.into(), joint)),
            "no head of {id:?} in {found:?}"
        );
    }
}
