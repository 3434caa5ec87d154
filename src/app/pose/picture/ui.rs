//! Posing over a picture: mark where parts of the body are seen, and the character takes that pose.

use std::sync::Arc;

use egui::{Pos2, Rect, Sense, Stroke, pos2, vec2};
use egui_material_icons::icons::{ICON_CHECK, ICON_RADIO_BUTTON_UNCHECKED};

use crate::app::pose::handles::rig::BodyHandles;
use crate::app::pose::picture::{FEWEST_MARKS, LOAD, POSE, camera_of};
use crate::app::pose::state::PoseWorkspace;
use crate::app::render::{Camera, Size};
use crate::app::shell::context::UiContext;
use crate::app::shell::requests::Request;
use crate::app::shell::theme::Colours;
use crate::app::shell::words::counted;
use crate::document::{Command, Picture, PictureFile, Posed, SeenSite};
use crate::motion::heading::{forward, left};
use crate::motion::{Site, Vec3, WorldPose};

/// Draws the panel in which joints are marked on a photo.
pub(in crate::app) fn picture_ui(ui: &mut egui::Ui, cx: &mut UiContext, pose: &mut PoseWorkspace) {
    let Some((_, posed)) = pose.posed_now(cx) else {
        ui.weak("Make a character first. Then load a photo, click where its hands, feet and head are, and the character takes the pose.");
        return;
    };
    let Some((_, picture)) = pose.picture_now(cx) else {
        load_ui(ui, cx, pose);
        return;
    };
    let rig = BodyHandles::of(&posed.skeleton);
    egui::Panel::bottom("picture result").show(ui, |ui| pose_ui(ui, cx, pose, &picture));
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| {
            parts_ui(ui, pose, &rig, &picture);
            canvas_ui(ui, cx, pose, &rig, (&posed, &picture));
            camera_ui(ui, cx, pose, &picture);
        });
}

fn load_ui(ui: &mut egui::Ui, cx: &mut UiContext, pose: &mut PoseWorkspace) {
    ui.weak("A PNG or JPEG picture of the pose. It is kept in the project.");
    if cx.work.is_running(LOAD) {
        ui.spinner();
        return;
    }
    let edit = egui::TextEdit::singleline(&mut pose.picture.path)
        .id(egui::Id::unique("picture path"))
        .hint_text("path of the picture")
        .desired_width(f32::INFINITY);
    let response = ui.add(edit);
    let value = pose.picture.path.clone();
    response.widget_info(|| {
        let mut info = egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Picture path");
        info.current_text_value = Some(value.clone());
        info
    });
    ui.horizontal(|ui| {
        let path = pose.picture.path.trim().to_owned();
        let load = ui.add_enabled(!path.is_empty(), egui::Button::new("Load picture"));
        if load.clicked() {
            pose.load_picture(cx, path.into());
        }
        if ui.button("Browse…").clicked() {
            pose.browse_for_picture(cx);
        }
    });
}

/// What the next click marks.
fn parts_ui(ui: &mut egui::Ui, pose: &mut PoseWorkspace, rig: &BodyHandles, picture: &Picture) {
    ui.label("Choose a part, then click where it is in the picture");
    // The first click should mark something.
    if picture.seen.is_empty() && pose.picture.site.is_none() {
        pose.picture.site = rig.handles().first().map(|handle| handle.site);
    }
    ui.horizontal_wrapped(|ui| {
        for handle in rig.handles() {
            let is_seen = picture.seen.iter().any(|seen| seen.site == handle.site);
            // As wide marked as not: the picture below must not jump while it is marked.
            let sign = if is_seen {
                ICON_CHECK
            } else {
                ICON_RADIO_BUTTON_UNCHECKED
            };
            let words = format!("{} {}", handle.name, sign.codepoint);
            let is_chosen = pose.picture.site == Some(handle.site);
            let label = ui.selectable_label(is_chosen, words);
            label.widget_info(|| {
                let name = handle.name.as_str();
                egui::WidgetInfo::selected(egui::Role::Button, true, is_chosen, name)
            });
            if label.clicked() {
                pose.picture.site = (!is_chosen).then_some(handle.site);
            }
        }
    });
}

/// From the picture's own coordinates to the screen and back.
fn on_screen(rect: Rect, at: [f64; 2]) -> Pos2 {
    let half = 0.5 * rect.size();
    rect.center() + vec2(at[0] as f32 * half.x, -at[1] as f32 * half.y)
}

fn in_picture(rect: Rect, at: Pos2) -> [f64; 2] {
    let half = 0.5 * rect.size();
    let by = at - rect.center();
    [f64::from(by.x / half.x), f64::from(-by.y / half.y)]
}

fn canvas_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    pose: &mut PoseWorkspace,
    rig: &BodyHandles,
    (posed, picture): (&Posed, &Picture),
) {
    let file = &picture.file;
    let aspect = file.width.max(1) as f32 / file.height.max(1) as f32;
    let wide = ui.available_width().min(420.0 * aspect).max(80.0);
    let size = vec2(wide, wide / aspect);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Picture"));
    let colours = Colours::of(ui);
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 0.0, colours.sunken);
    if let Some(texture) = texture(ui, cx, pose, file) {
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        painter.image(texture, rect, whole, egui::Color32::WHITE);
    }
    act(cx, pose, &response, rect, (rig, picture));
    bones(&painter, rect, (posed, picture), colours);
    let hold = pose.picture.hold;
    for seen in &picture.seen {
        let held = hold.filter(|hold| hold.0 == seen.site);
        let at = on_screen(rect, held.map_or(seen.at, |hold| hold.1));
        let is_chosen = pose.picture.site == Some(seen.site);
        let colour = if is_chosen {
            colours.selected
        } else {
            colours.generated
        };
        painter.circle(at, 5.5, colour, Stroke::new(1.5, colours.ground));
        if seen.is_on_floor {
            let below = at + vec2(0.0, 9.0);
            painter.hline(
                below.x - 8.0..=below.x + 8.0,
                below.y,
                Stroke::new(2.0, colour),
            );
        }
        let name = rig.name_of(&posed.skeleton, seen.site);
        let font = egui::FontId::proportional(11.0);
        let at = at + vec2(8.0, -6.0);
        // Legible on any photo.
        let shade = egui::Color32::from_black_alpha(200);
        painter.text(
            at + vec2(1.0, 1.0),
            egui::Align2::LEFT_CENTER,
            &name,
            font.clone(),
            shade,
        );
        painter.text(
            at,
            egui::Align2::LEFT_CENTER,
            &name,
            font,
            egui::Color32::WHITE,
        );
    }
}

/// The character as the camera sees it, as lines.
fn bones(
    painter: &egui::Painter,
    rect: Rect,
    (posed, picture): (&Posed, &Picture),
    colours: Colours,
) {
    let camera = camera_of(picture);
    let world = WorldPose::of(&posed.skeleton, posed.pose.as_ref());
    let at = |joint: usize| {
        let seen = camera.project(&world.positions[joint])?;
        // Far outside the picture the painter need not know exactly.
        Some(on_screen(rect, seen.map(|x| x.clamp(-9.0, 9.0))))
    };
    for (joint, named) in posed.skeleton.joints().iter().enumerate() {
        if let Some(ends) = named.parent.and_then(|parent| at(parent).zip(at(joint))) {
            let ends = [ends.0, ends.1];
            painter.line_segment(ends, Stroke::new(4.0, egui::Color32::from_black_alpha(110)));
            painter.line_segment(ends, Stroke::new(2.0, colours.given));
        }
    }
}

/// A click marks the chosen part, a drag moves a mark, a click with the right button takes it away.
fn act(
    cx: &mut UiContext,
    pose: &mut PoseWorkspace,
    response: &egui::Response,
    rect: Rect,
    (rig, picture): (&BodyHandles, &Picture),
) {
    const NEAR: f32 = 10.0;
    let near = |at: Pos2| {
        let away = |seen: &&SeenSite| on_screen(rect, seen.at).distance(at);
        let near = picture.seen.iter().filter(|seen| away(seen) < NEAR);
        near.min_by(|a, b| away(a).total_cmp(&away(b))).copied()
    };
    let Some(at) = response.interact_pointer_pos() else {
        return;
    };
    let place = in_picture(rect, at).map(|x| x.clamp(-1.0, 1.0));
    let name = |site: Site| {
        let handle = rig.handles().iter().find(|handle| handle.site == site);
        handle.map_or("a joint", |handle| handle.name.as_str())
    };
    if response.drag_started_by(egui::PointerButton::Primary) {
        let from = response.ctx.input(|input| input.pointer.press_origin());
        let held = from.and_then(near);
        pose.picture.hold = held.map(|seen| (seen.site, seen.at));
        pose.picture.site = held.map(|seen| seen.site).or(pose.picture.site);
    }
    if response.dragged()
        && let Some((_, to)) = &mut pose.picture.hold
    {
        *to = place;
    }
    if response.drag_stopped()
        && let Some((site, to)) = pose.picture.hold.take()
    {
        pose.edit_picture(
            cx,
            format!("move {} on the picture of", name(site)),
            |picture| {
                let on_floor = picture.seen.iter().any(|s| s.site == site && s.is_on_floor);
                picture.set_seen(SeenSite {
                    site,
                    at: to,
                    is_on_floor: on_floor,
                });
            },
        );
    } else if response.secondary_clicked() {
        if let Some(seen) = near(at) {
            let what = format!("unmark {} on the picture of", name(seen.site));
            pose.edit_picture(cx, what, |picture| {
                picture.seen.retain(|other| other.site != seen.site);
            });
        }
    } else if response.clicked() {
        if let Some(seen) = near(at) {
            pose.picture.site = Some(seen.site);
        } else if let Some(site) = pose.picture.site {
            let seen = SeenSite {
                site,
                at: place,
                is_on_floor: picture.seen.iter().any(|s| s.site == site && s.is_on_floor),
            };
            let what = format!("mark {} on the picture of", name(site));
            pose.edit_picture(cx, what, |picture| picture.set_seen(seen));
            // On to the next part that is not marked yet.
            let mut rest = rig.handles().iter().map(|handle| handle.site);
            let is_seen = |other: Site| picture.seen.iter().any(|seen| seen.site == other);
            pose.picture.site = rest.find(|other| *other != site && !is_seen(*other));
        }
    }
}

fn camera_ui(ui: &mut egui::Ui, cx: &mut UiContext, pose: &mut PoseWorkspace, picture: &Picture) {
    ui.horizontal_wrapped(|ui| {
        ui.label("Field of view");
        let now = picture.lens.field_of_view_rad.to_degrees();
        let mut degrees = pose.picture.degrees.unwrap_or(now);
        let slider = egui::Slider::new(&mut degrees, 10.0..=100.0)
            // Only the words are rounded; the camera stays as it was found.
            .custom_formatter(|degrees, _| format!("{degrees:.0}"))
            .suffix("°");
        let response = ui.add(slider);
        let tip =
            "From the bottom of the picture to its top: a phone has about 55°, a portrait 25°";
        let response = response.on_hover_text(tip);
        if response.changed() {
            pose.picture.degrees = Some(degrees);
        }
        // A drag is one step.
        if !response.dragged()
            && let Some(degrees) = pose.picture.degrees.take()
        {
            pose.edit_picture(cx, "change the camera of", |picture| {
                picture.lens.field_of_view_rad = degrees.to_radians();
            });
        }
    });
    ui.horizontal(|ui| {
        let view = &mut pose.picture;
        ui.checkbox(&mut view.is_through, "Look through the camera")
            .on_hover_text("The 3D view sees the character as the picture's camera does, with the picture over it");
        if view.is_through {
            ui.add(egui::Slider::new(&mut view.opacity, 0.0..=1.0).show_value(false));
        }
    });
    let is_enough = picture.seen.len() >= FEWEST_MARKS;
    let button = ui.add_enabled(is_enough, egui::Button::new("Fit camera"));
    let tip = "Puts the camera where it sees the character, as it stands now, at the marks";
    if button.on_hover_text(tip).clicked() {
        pose.fit_picture_camera(cx);
    }
    let chosen = pose.picture.site;
    if let Some(seen) = picture.seen.iter().find(|s| Some(s.site) == chosen) {
        let mut is_on_floor = seen.is_on_floor;
        let tip = "A foot that stands says how far away the body is";
        if ui
            .checkbox(&mut is_on_floor, "It stands on the floor")
            .on_hover_text(tip)
            .changed()
        {
            let seen = SeenSite {
                is_on_floor,
                ..*seen
            };
            pose.edit_picture(cx, "change a mark on the picture of", |picture| {
                picture.set_seen(seen);
            });
        }
    }
}

/// The camera of the 3D view that looks through the picture's, upright and with the whole picture in view.
pub(in crate::app::pose) fn through(
    cx: &UiContext,
    pose: &PoseWorkspace,
    posed: &Posed,
    size: Size,
) -> Option<Camera> {
    let (_, picture) = pose.picture_now(cx).filter(|_| pose.picture.is_through)?;
    let lens = &picture.lens;
    let up = posed.up;
    let world = WorldPose::of(&posed.skeleton, posed.pose.as_ref());
    let ahead = lens.rotation * -Vec3::z();
    let places = world.positions.iter();
    let depths: Vec<f64> = places.map(|p| (p - lens.eye).dot(&ahead)).collect();
    let depth = depths.iter().sum::<f64>() / depths.len().max(1) as f64;
    let distance = depth.max(1e-6);
    let back = -ahead;
    Some(Camera {
        up,
        target: lens.eye + ahead * distance,
        yaw_rad: back.dot(&left(up)).atan2(back.dot(&forward(up))),
        pitch_rad: up.along(&back).clamp(-1.0, 1.0).asin(),
        distance,
        fov_y_rad: 2.0 * half_height(&picture, size).atan(),
    })
}

/// The tangent of half the angle that the 3D view shows from bottom to top, so that the picture fits in.
fn half_height(picture: &Picture, size: Size) -> f64 {
    let camera = camera_of(picture);
    let half = (0.5 * camera.field_of_view_rad).tan();
    half * (camera.aspect / size.aspect()).max(1.0)
}

/// The picture over the 3D view, where its camera sees it.
pub(in crate::app::pose) fn over_ui(
    ui: &egui::Ui,
    cx: &mut UiContext,
    pose: &mut PoseWorkspace,
    rect: Rect,
    size: Size,
) {
    let Some((_, picture)) = pose.picture_now(cx).filter(|_| pose.picture.is_through) else {
        return;
    };
    let Some(texture) = texture(ui, cx, pose, &picture.file) else {
        return;
    };
    let camera = camera_of(&picture);
    let half = (0.5 * camera.field_of_view_rad).tan();
    let tall = f64::from(rect.height()) * half / half_height(&picture, size);
    let extent = vec2((tall * camera.aspect) as f32, tall as f32);
    let place = Rect::from_center_size(rect.center(), extent);
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    let tint = egui::Color32::WHITE.gamma_multiply(pose.picture.opacity.clamp(0.0, 1.0));
    ui.painter_at(rect).image(texture, place, whole, tint);
}

fn pose_ui(ui: &mut egui::Ui, cx: &mut UiContext, pose: &mut PoseWorkspace, picture: &Picture) {
    ui.checkbox(&mut pose.picture.fits_camera, "Fit the camera along")
        .on_hover_text("Camera and pose take turns until both fit");
    if let Some(running) = cx.work.named(POSE) {
        ui.horizontal(|ui| {
            ui.spinner();
            if ui.button("Cancel posing").clicked() {
                running.cancel();
            }
        });
        return;
    }
    let n = picture.seen.len();
    let button = egui::Button::new("Pose from picture");
    let button = ui.add_enabled(n >= FEWEST_MARKS, button);
    let few = format!("Mark at least {}", counted(FEWEST_MARKS, "part"));
    if button.on_disabled_hover_text(few).clicked() {
        pose.pose_from_picture(cx, pose.picture.fits_camera);
    }
    if ui.button("Take the picture away").clicked()
        && let Some((id, _)) = pose.picture_now(cx)
    {
        cx.ask(Request::Edit(Command::SetPicture {
            what: "take the picture away from".to_owned(),
            id,
            picture: None,
        }));
    }
}

pub(super) fn texture(
    ui: &egui::Ui,
    cx: &mut UiContext,
    pose: &mut PoseWorkspace,
    file: &Arc<PictureFile>,
) -> Option<egui::TextureId> {
    let pixels = pose.picture_pixels(cx, file)?;
    let known = &mut pose.picture.texture;
    if known
        .as_ref()
        .is_none_or(|(seen, _)| !Arc::ptr_eq(seen, &pixels))
    {
        let options = egui::TextureOptions::LINEAR;
        let handle = ui
            .ctx()
            .load_texture("picture", Arc::clone(&pixels), options);
        *known = Some((pixels, handle));
    }
    known.as_ref().map(|(_, handle)| handle.id())
}
