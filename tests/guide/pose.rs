//! Takes repaired, and a character posed from a picture.

use egui::{Key, Modifiers};
use image::RgbaImage;
use kinfolk::app::pose::handles::rig::Rig;
use kinfolk::app::render::Size;
use kinfolk::app::shell::session::Framing;
use kinfolk::demo::{self, Action};
use kinfolk::document::Seen;
use kinfolk::motion::{Body, Dim, WorldPose, rotation};

use super::*;

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
    let kick = demo::make(Action::FrontKick, 3, 0).clip;
    let jabs: Vec<Clip> = (0..3)
        .map(|i| demo::make(Action::FrontKick, 3, i + 1).clip)
        .collect();
    let clips: Vec<(&str, &Clip)> = ["kick_1", "kick_2", "kick_3"]
        .into_iter()
        .zip(&jabs)
        .collect();
    let clips = [vec![("photographed", &kick)], clips].concat();
    let Some(mut window) = with_clips(&clips) else {
        return;
    };
    let secs = 0.55 * kick.seconds();
    select(&mut window, &["photographed"]);
    at(&mut window, secs);
    window.app_mut().shell.session.framing = Some(Framing::Selection);
    window.app_mut().shell.preferences.view.shows_names = false;
    window.app_mut().shell.preferences.view.shows_contacts = false;
    window.harness.run_steps(4);
    let view = window.view();
    let whole = window.harness.render().unwrap();
    // The middle of the view, upright as photos are.
    let (width, height) = (0.6 * view.height(), view.height() - 60.0);
    let part = egui::Rect::from_center_size(
        view.center() + egui::vec2(0.0, 30.0),
        egui::vec2(width, height),
    );
    let photo: RgbaImage = image::imageops::crop_imm(
        &whole,
        part.min.x as u32,
        part.min.y as u32,
        width as u32,
        height as u32,
    )
    .to_image();
    let camera = window.app().shell.session.camera.unwrap();
    let world = WorldPose::of(kick.skeleton(), kick.pose_at(secs * kick.fps()).as_ref());
    let marks: Vec<Seen> = Rig::of(kick.skeleton())
        .handles()
        .iter()
        .map(|handle| {
            let size = Size::of(view.width(), view.height());
            let place = world.site(kick.skeleton(), handle.site);
            let seen = camera.project(&place, size).unwrap();
            let at = view.min + egui::vec2(seen.x as f32, seen.y as f32) - part.center();
            Seen {
                site: handle.site,
                at: [
                    f64::from(2.0 * at.x / height),
                    f64::from(-2.0 * at.y / height),
                ],
                is_on_floor: handle.name.contains("foot"),
            }
        })
        .collect();
    window.app_mut().shell.preferences.view.shows_names = true;
    select(&mut window, &["kick_1", "kick_2", "kick_3"]);
    go_to(&mut window, Workspace::Pose, Pane::Styles);
    window.type_in("Style name", "kicks");
    window.click("Learn from 3 clips");
    window.until("a character", |app| app.shell.document().posed().len() == 1);
    window.until_idle();
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
