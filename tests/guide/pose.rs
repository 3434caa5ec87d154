//! Takes repaired, and a character posed from a picture.

use std::sync::Arc;

use egui::{Key, Modifiers};
use image::RgbaImage;
use kinfolk::app::pose::handles::rig::BodyHandles;
use kinfolk::app::render::Size;
use kinfolk::app::shell::pane::Pane;
use kinfolk::app::shell::preferences::Workspace;
use kinfolk::app::shell::requests::Request;
use kinfolk::app::shell::session::Framing;
use kinfolk::demo::{self, Action};
use kinfolk::document::{Command, Posed, SeenSite};
use kinfolk::motion::{Body, Clip, Dim, WorldPose, rotation};

use super::{at, go_to, keep, select, show, with_clips};
use crate::driver::Window;

#[test]
fn a_broken_elbow_is_rebuilt() {
    let good = demo::make(Action::WalkTake, 11, 0).clip;
    let elbow = Body::of(good.skeleton()).arms[0].middle;
    let mut motion = good.motion().clone();
    let n = good.skeleton().n_joints();
    for frame in 60..72 {
        motion.rotations[frame * n + elbow] *= rotation::about(Dim::Z, 1.4);
    }
    let bad = Clip::new(good.info.clone(), Arc::clone(good.skeleton()), motion).unwrap();
    let Some(mut window) = with_clips(&[("take", &bad)]) else {
        return;
    };
    go_to(&mut window, Workspace::Pose, Pane::Repair);
    window.click("Propose bad joints");
    window.until_idle();
    window.click("Rebuild");
    window.until("rebuilt", |app| app.pose.repair.rebuilt.is_some());
    at(&mut window, 66.0 / good.fps());
    window.app_mut().shell.session.framing = Some(Framing::Selection);
    keep(&mut window, "pose-repair");
}

/// A picture of a demo motion, seen by the window's own renderer, stands for the photo.
#[test]
fn a_character_takes_the_pose_of_a_picture() {
    let throws: Vec<Clip> = (0..4)
        .map(|i| demo::make(Action::Throw, 3, i).clip)
        .collect();
    let names = ["photographed", "throw_1", "throw_2", "throw_3"];
    let clips: Vec<(&str, &Clip)> = names.into_iter().zip(&throws).collect();
    let Some(mut window) = with_clips(&clips) else {
        return;
    };
    let throw = &throws[0];
    let secs = 0.5 * throw.seconds();
    select(&mut window, &["photographed"]);
    at(&mut window, secs);
    window.app_mut().shell.session.framing = Some(Framing::Selection);
    window.app_mut().shell.preferences.view.shows_names = false;
    window.app_mut().shell.preferences.view.shows_contacts = false;
    window.until_idle();
    window.harness.run_steps(4);
    let view = window.view();
    let whole = window.harness.render().unwrap();
    // The middle of the view, below its buttons.
    let size = egui::vec2(0.72 * view.height(), view.height() - 44.0);
    let middle = view.center() + egui::vec2(0.0, 22.0);
    let part = egui::Rect::from_center_size(middle, size);
    let corner = [part.min.x, part.min.y, size.x, size.y].map(|v| v as u32);
    let [x, y, width, height] = corner;
    let photo: RgbaImage = image::imageops::crop_imm(&whole, x, y, width, height).to_image();
    let camera = window.app().shell.session.camera.unwrap();
    let pose = throw.pose_at(secs * throw.fps());
    let world = WorldPose::of(throw.skeleton(), pose.as_ref());
    let rig = BodyHandles::of(throw.skeleton());
    let marks = rig.handles().iter().map(|handle| {
        let place = world.site(throw.skeleton(), handle.site);
        let seen = camera.project(&place, Size::of(view.width(), view.height()));
        let seen = seen.unwrap();
        let off = view.min + egui::vec2(seen.x as f32, seen.y as f32) - part.center();
        let half = f64::from(0.5 * size.y);
        SeenSite {
            site: handle.site,
            at: [f64::from(off.x) / half, -f64::from(off.y) / half],
            is_on_floor: handle.name.contains("foot"),
        }
    });
    let marks: Vec<SeenSite> = marks.collect();
    window.app_mut().shell.preferences.view.shows_names = true;
    select(&mut window, &names[1..]);
    go_to(&mut window, Workspace::Pose, Pane::Styles);
    window.type_in("Style name", "throws");
    window.click("Learn from 3 clips");
    window.until("a character", |app| app.shell.document().posed().len() == 1);
    window.until_idle();
    window.harness.set_size(egui::vec2(1280.0, 960.0));
    show(&mut window, Pane::Picture);
    let file = window.path("photo.png");
    photo.save(&file).unwrap();
    window.type_in("Picture path", &file.display().to_string());
    window.click("Load picture");
    window.until_idle();
    let app = window.app_mut();
    app.pose
        .edit_picture(&mut app.shell, "mark parts of", |picture| {
            for mark in &marks {
                picture.set_seen(*mark);
            }
        });
    window.harness.run_steps(2);
    window.click("Pose from picture");
    window.until_idle();
    window.press(Modifiers::NONE, Key::Home);
    keep(&mut window, "pose-photo");
}

/// A throw from four keyed poses.
#[test]
fn a_throw_is_keyed() {
    let throws: Vec<Clip> = (0..5)
        .map(|i| demo::make(Action::Throw, 3, i).clip)
        .collect();
    let names = ["throw_1", "throw_2", "throw_3", "throw_4", "keyed"];
    let clips: Vec<(&str, &Clip)> = names.into_iter().zip(&throws).collect();
    let Some(mut window) = with_clips(&clips) else {
        return;
    };
    select(&mut window, &names[..4]);
    go_to(&mut window, Workspace::Pose, Pane::Styles);
    window.type_in("Style name", "throws");
    window.click("Learn from 4 clips");
    window.until("a character", |app| app.shell.document().posed().len() == 1);
    window.until_idle();
    show(&mut window, Pane::Keys);
    let clip = &throws[4];
    let n = clip.n_frames() as f64;
    for (frame, share) in [(0, 0.25), (14, 0.48), (28, 0.62), (44, 0.85)] {
        let now = |window: &Window| window.app().pose.posed_now(&window.app().shell).unwrap();
        let keying = window.app().pose.keying_now(&window.app().shell).unwrap();
        at(&mut window, f64::from(frame) / keying.1.fps);
        let (id, before) = now(&window);
        let after = Posed {
            pose: clip.frame((share * n) as usize).to_pose(),
            ..Posed::clone(&before)
        };
        let command = Command::ChangePosed {
            what: "pose".to_owned(),
            id,
            posed: Arc::new(after),
        };
        window.app_mut().shell.ask(Request::Edit(command));
        window.harness.run_steps(2);
        window.press(Modifiers::NONE, Key::I);
    }
    window.until_idle();
    window.click("Onion skins");
    window.click("right hand");
    at(&mut window, 0.7);
    window.press(Modifiers::NONE, Key::Home);
    keep(&mut window, "pose-keys");
}
