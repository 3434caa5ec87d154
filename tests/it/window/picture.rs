//! A character takes the pose of a picture, through the real window.

use std::io::Cursor;
use std::sync::Arc;

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use image::{ImageFormat, RgbaImage};
use kinfolk::app::pose::handles::rig::BodyHandles;
use kinfolk::app::pose::picture::camera_of;
use kinfolk::app::shell::pane::Pane;
use kinfolk::document::{Picture, SeenSite};
use kinfolk::motion::WorldPose;

use super::keys::give_style;
use super::pose_library::{character, posed};
use super::projects::save_as;
use super::{Window, on_disk};

fn photo() -> Vec<u8> {
    let mut bytes = Vec::new();
    let image = RgbaImage::from_pixel(60, 80, image::Rgba([90, 120, 150, 255]));
    image
        .write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png)
        .unwrap();
    bytes
}

fn picture(window: &Window) -> Arc<Picture> {
    window
        .app()
        .pose
        .picture_now(&window.app().shell)
        .unwrap()
        .1
}

fn load(window: &mut Window, name: &str, bytes: &[u8]) {
    let path = window.path(name);
    std::fs::write(&path, bytes).unwrap();
    window.type_in("Picture path", &path.display().to_string());
    window.click("Load picture");
    window.until_idle();
}

#[test]
fn a_photo_is_marked_the_character_takes_its_pose_and_both_are_there_again() {
    let (mut window, clip) = character(Pane::Picture);
    give_style(&mut window, &clip);
    load(&mut window, "broken.png", &photo()[..40]);
    assert!(
        window.app().pose.picture_now(&window.app().shell).is_none(),
        "refused"
    );
    let said = window.said().join("; ");
    assert!(said.contains("picture is broken"), "{said}");
    load(&mut window, "photo.png", &photo());
    assert_eq!(window.undo_label(), "add a picture to walk");
    // A click marks the chosen part where it is.
    window.click("head");
    let rect = window
        .harness
        .get_by_role_and_label(egui::accesskit::Role::Canvas, "Picture")
        .rect();
    let at = rect.center() - egui::vec2(0.0, 0.3 * rect.height());
    window.harness.hover_at(at);
    window.harness.step();
    window.drag(
        egui::PointerButton::Primary,
        Modifiers::NONE,
        at,
        at + egui::vec2(0.5, 0.0),
    );
    let seen = picture(&window).seen.clone();
    assert_eq!(seen.len(), 1, "{seen:?}");
    assert!((seen[0].at[1] - 0.6).abs() < 0.02, "{seen:?}");
    assert_eq!(window.undo_label(), "mark head on the picture of walk");
    // The others as a moment of the clip is seen by the camera.
    let (_, before) = posed(&window);
    let target = clip.frame(clip.n_frames() / 3);
    let world = WorldPose::of(clip.skeleton(), target);
    let camera = camera_of(&picture(&window));
    let marks: Vec<SeenSite> = BodyHandles::of(clip.skeleton())
        .handles()
        .iter()
        .map(|handle| SeenSite {
            site: handle.site,
            at: camera
                .project(&world.site(clip.skeleton(), handle.site))
                .unwrap(),
            is_on_floor: false,
        })
        .collect();
    let app = window.app_mut();
    app.pose
        .edit_picture(&mut app.shell, "mark parts of", |picture| {
            for mark in &marks {
                picture.set_seen(*mark);
            }
        });
    window.app_mut().pose.picture.fits_camera = false;
    window.harness.run_steps(2);
    window.click("Pose from picture");
    window.until_idle();
    assert_eq!(window.undo_label(), "pose walk from picture");
    let (_, after) = posed(&window);
    assert_ne!(after.pose, before.pose);
    let now = WorldPose::of(clip.skeleton(), after.pose.as_ref());
    for mark in &marks {
        let at = camera
            .project(&now.site(clip.skeleton(), mark.site))
            .unwrap();
        let off = (at[0] - mark.at[0]).hypot(at[1] - mark.at[1]);
        assert!(off < 0.02, "{:?} is off by {off}", mark.site);
    }
    window.click("Fit camera");
    save_as(&mut window, "photo.kinfolk");
    let path = window.path("photo.kinfolk");
    let back = on_disk(&path);
    let (id, _) = posed(&window);
    assert_eq!(back.picture(id), window.app().shell.document().picture(id));
    let kept = std::fs::read(path.join("pictures/photo.png")).unwrap();
    assert_eq!(kept, photo(), "the file itself");
    window.press(Modifiers::COMMAND, Key::Z);
    window.click("Take the picture away");
    window.press(Modifiers::COMMAND, Key::S);
    window.until_idle();
    assert!(!path.join("pictures/photo.png").exists(), "swept");
}
