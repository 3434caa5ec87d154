//! The 3D view with a crowd in it.

use std::sync::Arc;

use egui::{Align2, FontId, Rect, Sense, vec2};

use crate::app::render::{Samples, Scene, Size, picking};
use crate::app::shell::context::UiContext;
use crate::app::shell::session::Framing;
use crate::app::shell::theme::Colours;
use crate::app::study::crowd::Crowd;
use crate::app::study::state::StudyWorkspace;
use crate::app::viewport::options_ui::view_options_ui;
use crate::app::viewport::stage::Stage;
use crate::app::viewport::ui::{navigate, paint_sampled, paint_scene};
use crate::study::crowd::Casting;

/// More characters than this are drawn without smoothed edges where there is no graphics card.
const SMOOTH: usize = 60;

/// The crowd in the 3D view.
pub(in crate::app) fn crowd_view_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    study: &mut StudyWorkspace,
    stage: &mut Stage,
    gpu: Option<&egui_wgpu::RenderState>,
) {
    let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "3D view"));
    let Some(crowd) = study.crowd.crowd.clone() else {
        return;
    };
    let pixels = rect.size() * ui.ctx().pixels_per_point();
    let size = Size::of(pixels.x, pixels.y);
    let is_dark = ui.visuals().dark_mode;
    let mut scene = crowd.scene(&study.crowd, cx.session.camera, size, is_dark);
    scene.ground.is_shown = cx.preferences.view.shows_floor;
    navigate(ui, &response, cx, size, &mut scene.camera, true);
    aim(cx, &crowd, size, &mut scene);
    cx.session.camera = Some(scene.camera);
    if response.clicked() {
        pick(&response, rect, study, &crowd, size, &scene);
    }
    if scene.characters.len() > SMOOTH && gpu.is_some_and(is_software) {
        paint_sampled(ui, stage, gpu, (&scene, size, rect), Samples::One);
    } else {
        paint_scene(ui, cx, stage, gpu, (&scene, size, rect));
    }
    words_ui(ui, study, &crowd, &scene, (rect, size));
    view_options_ui(ui, cx, rect);
}

/// Whether a processor draws in place of a graphics card.
fn is_software(gpu: &egui_wgpu::RenderState) -> bool {
    gpu.adapter.get_info().device_type == wgpu::DeviceType::Cpu
}

/// Does what was wished for.
fn aim(cx: &mut UiContext, crowd: &Crowd, size: Size, scene: &mut Scene) {
    match cx.session.framing.take() {
        Some(Framing::All | Framing::Selection) => {
            scene.camera = scene.camera.framing(&crowd.balls(), size);
        }
        Some(Framing::From(view)) => scene.camera = scene.camera.seen(view, 0.0),
        Some(Framing::Pivot) | None => {}
    }
}

/// Lights all who play what the clicked one plays; a click beside all lights none.
fn pick(
    response: &egui::Response,
    rect: Rect,
    study: &mut StudyWorkspace,
    crowd: &Arc<Crowd>,
    size: Size,
    scene: &Scene,
) {
    let Some(at) = response.interact_pointer_pos() else {
        return;
    };
    let at = (at - rect.min) * response.ctx.pixels_per_point();
    let ray = scene.camera.ray(f64::from(at.x), f64::from(at.y), size);
    let hit = picking::hits(scene, &ray).into_iter().next();
    let clips = crowd.clips_at(study.crowd.secs);
    study.crowd.picked = hit.and_then(|hit| clips.get(hit.character).copied());
}

/// Who is who, over their heads, and what is picked, in the corner.
fn words_ui(
    ui: &egui::Ui,
    study: &StudyWorkspace,
    crowd: &Crowd,
    scene: &Scene,
    (rect, size): (Rect, Size),
) {
    let colours = Colours::of(ui);
    let painter = ui.painter().with_clip_rect(rect);
    let per_pixel = 1.0 / ui.ctx().pixels_per_point();
    let has_both = crowd.over(Casting::Cycled).is_some();
    for (casting, words) in [
        (Casting::Varied, "variants"),
        (Casting::Cycled, "cycle animation"),
    ] {
        let over = crowd.over(casting).filter(|_| has_both);
        let Some(seen) = over.and_then(|over| scene.camera.project(&over, size)) else {
            continue;
        };
        let at = rect.min + vec2(seen.x as f32, seen.y as f32) * per_pixel;
        let galley =
            painter.layout_no_wrap(words.to_owned(), FontId::proportional(13.0), colours.text);
        let place = Align2::CENTER_BOTTOM.anchor_size(at, galley.size());
        let ground = colours.ground.gamma_multiply(0.7);
        painter.rect_filled(place.expand2(vec2(5.0, 2.0)), 3.0, ground);
        painter.galley(place.min, galley, colours.text);
    }
    let words = match study.crowd.picked {
        Some(clip) => {
            let motions = crowd.motions_at(study.crowd.secs);
            let same = crowd.clips[clip].same_as;
            let n = motions.iter().filter(|motion| **motion == same).count();
            format!("{}: {n} play it now", crowd.clips[clip].name)
        }
        None => format!("{} characters", crowd.walkers.len()),
    };
    let font = FontId::proportional(13.0);
    painter.text(
        rect.left_top() + vec2(10.0, 8.0),
        Align2::LEFT_TOP,
        words,
        font,
        colours.text,
    );
}
