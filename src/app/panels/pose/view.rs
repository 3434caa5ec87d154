//! The 3D view of the pose workspace: the character, its handles, and the mouse.

use egui::Sense;

use super::super::viewport::{navigate, paint_scene, words_ui};
use super::super::{Stage, sights::sights_ui};
use super::{stage, ways};
use crate::app::session::Framing;
use crate::app::studio::Studio;
use crate::app::viewport::{Character, Scene, Size};
use crate::motion::WorldPose;

/// Draws it.
pub(in crate::app::panels) fn view_ui(
    ui: &mut egui::Ui,
    studio: &mut Studio,
    stage: &mut Stage,
    gpu: Option<&egui_wgpu::RenderState>,
) {
    let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "3D view"));
    let pixels = rect.size() * ui.ctx().pixels_per_point();
    let size = Size::of(pixels.x, pixels.y);
    let Some((id, posed)) = studio.posed_now() else {
        return;
    };
    let is_dark = ui.visuals().dark_mode;
    let Some((mut scene, _ids)) = stage::scene(studio, (id, &posed), size, is_dark) else {
        words_ui(ui, rect, "Making the character…");
        return;
    };
    if studio.pose.framed != Some(id) {
        studio.pose.framed = Some(id);
        studio.session.framing = Some(Framing::Selection);
    }
    navigate(ui, &response, studio, size, &mut scene.camera, false);
    aim(studio, &mut scene, size);
    studio.session.camera = Some(scene.camera);
    paint_scene(ui, studio, stage, gpu, (&scene, size, rect));
    ways::overlay_ui(ui, studio, &response, (&scene.camera, size, rect));
    sights_ui(ui, studio, rect);
}

/// Does what was wished for.
fn aim(studio: &mut Studio, scene: &mut Scene, size: Size) {
    let Some((_, posed)) = studio.posed_now() else {
        return;
    };
    match studio.session.framing.take() {
        Some(Framing::Selection | Framing::Pivot) => {
            let active = scene.characters.iter().take(1);
            let balls: Vec<_> = active.flat_map(Character::balls).collect();
            scene.camera = scene.camera.framing(&balls, size);
        }
        Some(Framing::All) => {
            let balls: Vec<_> = scene.characters.iter().flat_map(Character::balls).collect();
            scene.camera = scene.camera.framing(&balls, size);
        }
        Some(Framing::From(view)) => {
            if let Some(figure) = studio.figure(&posed.skeleton) {
                let world = WorldPose::of(&posed.skeleton, posed.pose.as_ref());
                let heading = figure.rig.heading_rad(&world, posed.up);
                scene.camera = scene.camera.seen(view, heading);
            }
        }
        None => {}
    }
}
