//! Pictures of the whole window, drawn in software. They are judged by what is to be seen where, not pixel by pixel:
//! rasterisers differ.

use egui::{Color32, Rect};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use image::RgbaImage;
use kinfolk::app::render::{Backdrop, Offscreen, RenderError, Samples};
use kinfolk::app::shell::pane::Pane;
use kinfolk::app::shell::session::Framing;
use kinfolk::app::shell::theme::Colours;
use kinfolk::app::{App, Setup};

use super::repair::panel;
use super::{STEP_SECS, Window, walk};

/// A window that is drawn, with one clip; none where there is nothing to draw with.
fn drawn() -> Option<Window> {
    if let Err(RenderError::NoAdapter(why)) = Offscreen::new(Samples::One) {
        crate::data::skipped(&why);
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.bvh");
    std::fs::write(&path, walk()).unwrap();
    let setup = Setup {
        data_folder: None,
        open: vec![path],
        ..Setup::default()
    };
    let harness = Harness::builder()
        .with_size([960.0, 600.0])
        .with_step_dt(STEP_SECS)
        .wgpu()
        .build_eframe(move |creation| App::new(creation, setup));
    let mut window = Window { harness, folder };
    window.until("imported", |app| app.shell.document().n_clips() == 1);
    window.until_idle();
    Some(window)
}

pub(super) fn picture(window: &mut Window) -> RgbaImage {
    window.harness.run_steps(2);
    window.harness.render().unwrap()
}

/// The share of pixels in a place that are about like this colour, in hue and brightness.
pub(super) fn share(picture: &RgbaImage, place: Rect, is_it: impl Fn([i32; 3]) -> bool) -> f64 {
    let (mut all, mut n) = (0.0, 0.0);
    for (x, y, pixel) in picture.enumerate_pixels() {
        if place.contains(egui::pos2(x as f32 + 0.5, y as f32 + 0.5)) {
            all += 1.0;
            let [r, g, b, _] = pixel.0.map(i32::from);
            n += f64::from(u8::from(is_it([r, g, b])));
        }
    }
    n / f64::max(all, 1.0)
}

pub(super) fn blue([r, _, b]: [i32; 3]) -> bool {
    b > r + 50
}

fn about(colour: Color32) -> impl Fn([i32; 3]) -> bool {
    let wanted = [colour.r(), colour.g(), colour.b()].map(i32::from);
    move |found| found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 12)
}

#[test]
fn the_main_layout_looks_as_it_should_in_both_themes() {
    let Some(mut window) = drawn() else { return };
    window.app_mut().shell.session.playhead_secs = 1.0;
    window.app_mut().shell.session.framing = Some(Framing::Selection);
    let dark = picture(&mut window);
    let view = window.view();
    let timeline = window.harness.get_by_label("Timeline").rect();
    let character = share(&dark, view, blue);
    assert!(
        (0.01..0.4).contains(&character),
        "{character} of the view is the character"
    );
    // The playhead is the one orange line, in the middle of the track.
    let (left, right) = window.app().timeline.track;
    let x = 0.5 * (left + right);
    let at = Rect::from_center_size(egui::pos2(x, timeline.center().y), egui::vec2(3.0, 20.0));
    let beside = at.translate(egui::vec2(9.0, 0.0));
    let orange = |[r, _, b]: [i32; 3]| r > b + 80;
    assert!(share(&dark, at, orange) > 0.3, "no playhead at {x}");
    assert!(share(&dark, beside, orange) < 0.05, "only there");
    let table = window.harness.get_by_label("Clip a").rect();
    let chosen = about(Colours::DARK.selected_ground);
    assert!(share(&dark, table, chosen) > 0.4, "the row is selected");

    window.app_mut().shell.preferences.is_light = true;
    let light = picture(&mut window);
    let brightness =
        |picture: &RgbaImage| share(picture, Rect::EVERYTHING, |c| c.iter().sum::<i32>() > 500);
    let (d, l) = (brightness(&dark), brightness(&light));
    assert!(d < 0.1 && l > 0.6, "dark {d}, light {l}");
    assert!(share(&light, view, blue) > 0.01, "the character is there");
}

#[test]
fn ghosts_trails_and_rings_are_seen_and_nothing_is_drawn_twice() {
    let Some(mut window) = drawn() else { return };
    window.app_mut().shell.session.playhead_secs = 1.0;
    let view = window.view();
    window.app_mut().shell.preferences.view.shows_contacts = false;
    let plain = share(&picture(&mut window), view, blue);
    let n_drawn = window.app().stage.n_drawn;
    window.harness.run_steps(5);
    assert_eq!(window.app().stage.n_drawn, n_drawn, "nothing changed");
    window.app_mut().shell.preferences.view.shows_ghosts = true;
    let ghosts = share(&picture(&mut window), view, blue);
    assert!(
        ghosts > 1.2 * plain,
        "{plain} of the view without ghosts, {ghosts} with them"
    );
    window.app_mut().shell.preferences.view.shows_ghosts = false;
    let before = picture(&mut window);
    window.app_mut().shell.preferences.view.shows_trails = true;
    window.until_idle();
    let after = picture(&mut window);
    let changed = before.pixels().zip(after.pixels());
    let changed = changed.filter(|(a, b)| a.0.iter().zip(b.0).any(|(x, y)| x.abs_diff(y) > 30));
    let n = changed.count();
    assert!((100..20_000).contains(&n), "trails changed {n} pixels");
}

/// As the W3C counts contrast: 1 is none, 21 is black on white.
fn contrast(a: [u8; 4], b: [u8; 4]) -> f32 {
    let light = |[r, g, b, _]: [u8; 4]| {
        let [r, g, b, _] = egui::Rgba::from(Color32::from_rgb(r, g, b)).to_array();
        0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
    };
    let (a, b) = (light(a), light(b));
    a.max(b) / a.min(b)
}

#[test]
fn motion_paths_stand_out_from_what_is_behind_them_in_both_themes() {
    let Some(mut window) = drawn() else { return };
    window.app_mut().shell.session.playhead_secs = 1.0;
    window.app_mut().shell.preferences.view.shows_contacts = false;
    for is_light in [false, true] {
        window.app_mut().shell.preferences.is_light = is_light;
        window.app_mut().shell.preferences.view.shows_trails = false;
        let before = picture(&mut window);
        window.app_mut().shell.preferences.view.shows_trails = true;
        window.until_idle();
        let after = picture(&mut window);
        let both = before.pixels().zip(after.pixels());
        let drawn: Vec<f32> = both
            .map(|(a, b)| contrast(a.0, b.0))
            .filter(|contrast| *contrast > 1.05)
            .collect();
        let n_clear = drawn.iter().filter(|contrast| **contrast >= 2.0).count();
        assert!(
            n_clear > 100 && 3 * n_clear > drawn.len(),
            "light: {is_light}; of {} pixels of the paths {n_clear} stand out",
            drawn.len()
        );
    }
}

#[test]
fn selected_handles_stand_out_in_both_themes() {
    let Some(mut window) = drawn() else { return };
    panel(&mut window, Pane::Body);
    window.app_mut().shell.session.is_playing = false;
    let app = window.app_mut();
    app.pose.new_character(&mut app.shell);
    window.until_idle();
    window.harness.run_steps(5);
    for is_light in [false, true] {
        window.app_mut().shell.preferences.is_light = is_light;
        window.app_mut().pose.handles.selected.clear();
        let before = picture(&mut window);
        window.click("Handle head");
        window.harness.remove_cursor();
        let after = picture(&mut window);
        let view = window.view();
        // The gizmo has colours of its own; the ring has that of marks, which stands out from the ground.
        let ink: Color32 = Backdrop::of(!is_light).ink.into();
        let is_ink = about(ink);
        let both = before.enumerate_pixels().zip(after.pixels());
        let n_clear = both
            .filter(|((x, y, _), _)| view.contains(egui::pos2(*x as f32, *y as f32)))
            .filter(|((_, _, a), b)| {
                let [r, g, blue, _] = b.0.map(i32::from);
                is_ink([r, g, blue]) && contrast(a.0, b.0) >= 1.5
            })
            .count();
        assert!(
            n_clear > 20,
            "light: {is_light}; {n_clear} pixels of the ring"
        );
    }
}

#[test]
fn a_complaint_of_the_graphics_driver_is_said_and_the_window_lives_on() {
    if let Err(RenderError::NoAdapter(why)) = Offscreen::new(Samples::One) {
        crate::data::skipped(&why);
        return;
    }
    let (send, device) = std::sync::mpsc::channel();
    let mut harness = Harness::builder()
        .with_size([640.0, 400.0])
        .wgpu()
        .build_eframe(move |creation| {
            let gpu = creation.wgpu_render_state.as_ref().unwrap();
            send.send(gpu.device.clone()).unwrap();
            App::new(creation, Setup::default())
        });
    let device = device.recv().unwrap();
    let limit = device.limits().max_texture_dimension_2d;
    let useless = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("far too wide"),
        size: wgpu::Extent3d {
            width: limit + 1,
            height: 1,
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    });
    drop(useless);
    harness.run_steps(3);
    let said = harness.state().shell.messages.all();
    let complaint = said.iter().find(|m| m.text.contains("graphics driver"));
    assert!(complaint.is_some(), "{said:?}");
}
