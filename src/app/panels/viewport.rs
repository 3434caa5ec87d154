//! The 3D view: the selected clips at the playhead, seen with the habits of Blender or Maya.

use egui::{Align2, FontId, PointerButton, Rect, Sense, pos2, vec2};

use super::Stage;
use super::scene::{Actor, actors, facing, followed, scene, whole_way};
use crate::app::preferences::Navigation;
use crate::app::session::Framing;
use crate::app::studio::{Studio, counted};
use crate::app::theme::Colours;
use crate::app::viewport::{Camera, Character, Samples, Scene, Size, picking};

/// Draws it.
pub fn viewport_ui(
    ui: &mut egui::Ui,
    studio: &mut Studio,
    stage: &mut Stage,
    gpu: Option<&egui_wgpu::RenderState>,
) {
    let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "3D view"));
    let pixels = rect.size() * ui.ctx().pixels_per_point();
    let size = Size {
        width: pixels.x.round().max(1.0) as u32,
        height: pixels.y.round().max(1.0) as u32,
    };
    let actors = actors(studio);
    let is_dark = ui.visuals().dark_mode;
    let Some(mut scene) = scene(studio, &actors, size, is_dark, studio.session.camera) else {
        nothing_ui(ui, studio, rect);
        return;
    };
    navigate(ui, &response, studio, size, &mut scene.camera);
    aim(studio, &actors, size, &mut scene);
    studio.session.camera = Some(scene.camera);
    if response.clicked() {
        pick(&response, rect, studio, &actors, size, &scene);
    }
    let samples = if studio.preferences.is_smooth {
        Samples::Four
    } else {
        Samples::One
    };
    match gpu.and_then(|gpu| stage.picture(gpu, &scene, size, samples)) {
        Some(texture) => {
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            ui.painter()
                .image(texture, rect, whole, egui::Color32::WHITE);
        }
        None => words_ui(ui, rect, "The 3D view needs a graphics driver"),
    }
    labels_ui(ui, studio, &actors, rect);
}

fn nothing_ui(ui: &egui::Ui, studio: &Studio, rect: Rect) {
    ui.painter().rect_filled(rect, 0.0, Colours::of(ui).ground);
    if studio.session.active.is_none() {
        words_ui(ui, rect, "Select clips to see them move");
    }
}

fn words_ui(ui: &egui::Ui, rect: Rect, words: &str) {
    let font = FontId::proportional(14.0);
    let colour = Colours::of(ui).weak;
    ui.painter()
        .text(rect.center(), Align2::CENTER_CENTER, words, font, colour);
}

/// Names in the upper corner, and what is not shown.
fn labels_ui(ui: &egui::Ui, studio: &Studio, actors: &[Actor], rect: Rect) {
    let colours = Colours::of(ui);
    let n_selected = studio.session.selection.len();
    let first = actors.first().map_or("", |actor| &actor.clip.info.name);
    let shown = match actors.len() {
        0 | 1 => first.to_owned(),
        n => format!("{first} and {} more", n - 1),
    };
    let words = if n_selected > actors.len() {
        let hidden = counted(n_selected - actors.len(), "selected clip");
        format!("{shown} ({hidden} not shown: too many, or another axis up)")
    } else {
        shown
    };
    let font = FontId::proportional(13.0);
    let at = rect.left_top() + vec2(10.0, 8.0);
    ui.painter()
        .text(at, Align2::LEFT_TOP, words, font, colours.text);
}

/// Turns, moves and zooms with the mouse.
fn navigate(
    ui: &egui::Ui,
    response: &egui::Response,
    studio: &mut Studio,
    size: Size,
    camera: &mut Camera,
) {
    const TURN_RAD: f64 = 0.008;
    let held = ui.input(|input| input.modifiers);
    let by = response.drag_motion() * ui.ctx().pixels_per_point();
    let (right, down) = (f64::from(by.x), f64::from(by.y));
    let with = |button| response.dragged_by(button);
    let (turns, pans, zooms) = match studio.preferences.navigation {
        Navigation::Blender => {
            let middle = with(PointerButton::Middle);
            // Without handles to drag, the left button may turn too: laptops have no middle one.
            let left = with(PointerButton::Primary);
            (
                (middle && !held.shift && !held.command) || (left && !held.shift),
                (middle || left) && held.shift,
                middle && held.command,
            )
        }
        Navigation::Maya => (
            held.alt && with(PointerButton::Primary),
            held.alt && with(PointerButton::Middle),
            held.alt && with(PointerButton::Secondary),
        ),
    };
    if zooms {
        *camera = camera.zoomed((0.006 * (down - right)).exp());
    } else if pans {
        *camera = camera.panned(right, down, size);
        studio.session.is_following &= right == 0.0 && down == 0.0;
    } else if turns {
        *camera = camera.orbited(-right * TURN_RAD, down * TURN_RAD);
    }
    if response.hovered() {
        let scroll = ui.input(egui::InputState::smooth_scroll_delta).y;
        if scroll != 0.0 {
            *camera = camera.zoomed(f64::from(-scroll * 0.0025).exp());
        }
    }
}

/// Does what was wished for, and follows.
fn aim(studio: &mut Studio, actors: &[Actor], size: Size, scene: &mut Scene) {
    match studio.session.framing.take() {
        Some(Framing::Selection) => {
            let balls: Vec<_> = scene.characters.iter().flat_map(Character::balls).collect();
            scene.camera = scene.camera.framing(&balls, size);
        }
        Some(Framing::All) => {
            let balls = whole_way(actors, studio.length_secs());
            scene.camera = scene.camera.framing(&balls, size);
        }
        Some(Framing::From(view)) => {
            if let Some((heading, _)) = facing(actors) {
                scene.camera = scene.camera.seen(view, heading);
            }
        }
        None => {}
    }
    if studio.session.is_following
        && let Some(target) = followed(actors, studio.stage_secs())
    {
        scene.camera = scene.camera.following(target);
    }
}

/// Makes the character under the pointer the active one.
fn pick(
    response: &egui::Response,
    rect: Rect,
    studio: &mut Studio,
    actors: &[Actor],
    size: Size,
    scene: &Scene,
) {
    let Some(at) = response.interact_pointer_pos() else {
        return;
    };
    let at = (at - rect.min) * response.ctx.pixels_per_point();
    let ray = scene.camera.ray(f64::from(at.x), f64::from(at.y), size);
    let hit = picking::hits(scene, &ray).into_iter().next();
    let clip = hit.and_then(|hit| actors.get(hit.character));
    let id = clip.and_then(|actor| {
        let mut clips = studio.document().clips();
        clips.find(|(_, clip)| std::sync::Arc::ptr_eq(clip, &actor.clip))
    });
    if let Some((id, _)) = id {
        studio.session.active = Some(id);
    }
}
