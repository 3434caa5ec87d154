//! The 3D view: the selected clips at the playhead, seen with the habits of Blender or Maya.

use egui::{Align2, FontId, PointerButton, Rect, Sense, UiBuilder, pos2, vec2};

use crate::app::render::{Camera, Character, Projected, Samples, Scene, Size, picking};
use crate::app::shell::context::UiContext;
use crate::app::shell::preferences::{Navigation, Workspace};
use crate::app::shell::session::{Framing, JointPick};
use crate::app::shell::stage::StageId;
use crate::app::shell::theme::Colours;
use crate::app::shell::ui::empty::no_clips_ui;
use crate::app::shell::words::counted;
use crate::app::viewport::options_ui::view_options_ui;
use crate::app::viewport::pins;
use crate::app::viewport::scene::{Actor, actors, facing_rad, followed, scene, whole_way};
use crate::app::viewport::stage::Stage;
use crate::app::viewport::state::{Request, ViewportState};
use crate::motion::{Axis, Vec3};

/// What was drawn, for those who draw over it.
pub(in crate::app) struct Drawn {
    /// Who is on stage.
    pub(in crate::app) actors: Vec<Actor>,
    /// As the graphics card draws it; its first characters are the actors.
    pub(in crate::app) scene: Scene,
    /// The part of the window that the view fills.
    pub(in crate::app) rect: Rect,
    /// The size of the view in pixels.
    pub(in crate::app) size: Size,
}

/// Draws it; none where nothing is to be seen.
pub(in crate::app) fn viewport_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    viewport: &mut ViewportState,
    stage: &mut Stage,
    gpu: Option<&egui_wgpu::RenderState>,
) -> Option<Drawn> {
    let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "3D view"));
    let pixels = rect.size() * ui.ctx().pixels_per_point();
    let size = Size::of(pixels.x, pixels.y);
    let actors = actors(cx);
    let is_dark = ui.visuals().dark_mode;
    let Some(mut scene) = scene(cx, viewport, &actors, size, is_dark, cx.session.camera) else {
        nothing_ui(ui, cx, rect);
        return None;
    };
    let pins = pins::pins(cx, &actors);
    scene.handles = pins::handles(&pins);
    let camera = scene.camera;
    let on_stage = (actors.as_slice(), pins.as_slice());
    if !pins::drag(ui, &response, viewport, on_stage, (rect, size), &camera) {
        // Without a pin under it the left button may turn too: laptops have no middle one.
        navigate(ui, &response, cx, size, &mut scene.camera, true);
    }
    aim(cx, &actors, size, &mut scene);
    cx.session.camera = Some(scene.camera);
    if response.clicked() {
        pick(&response, rect, cx, viewport, &actors, size, &scene);
    }
    paint_scene(ui, cx, stage, gpu, (&scene, size, rect));
    if cx.preferences.view.shows_names && actors.len() > 1 {
        names_ui(ui, &actors, &scene, rect, size);
    }
    let right = view_options_ui(ui, cx, rect);
    corner_ui(ui, cx, &actors, rect.with_max_x(right - 8.0));
    Some(Drawn {
        actors,
        scene,
        rect,
        size,
    })
}

/// The scene as the graphics card draws it.
pub(in crate::app) fn paint_scene(
    ui: &egui::Ui,
    cx: &UiContext,
    stage: &mut Stage,
    gpu: Option<&egui_wgpu::RenderState>,
    (scene, size, rect): (&Scene, Size, Rect),
) {
    let samples = if cx.preferences.is_smooth {
        Samples::Four
    } else {
        Samples::One
    };
    paint_sampled(ui, stage, gpu, (scene, size, rect), samples);
}

/// The same, as smooth as is asked for.
pub(in crate::app) fn paint_sampled(
    ui: &egui::Ui,
    stage: &mut Stage,
    gpu: Option<&egui_wgpu::RenderState>,
    (scene, size, rect): (&Scene, Size, Rect),
    samples: Samples,
) {
    match gpu.and_then(|gpu| stage.picture(gpu, scene, size, samples)) {
        Some(texture) => {
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            ui.painter()
                .image(texture, rect, whole, egui::Color32::WHITE);
        }
        None => words_ui(ui, rect, "The 3D view needs a graphics driver"),
    }
}

fn nothing_ui(ui: &mut egui::Ui, cx: &mut UiContext, rect: Rect) {
    ui.painter().rect_filled(rect, 0.0, Colours::of(ui).ground);
    // In the library the table says it.
    let is_library = cx.preferences.workspace == Workspace::Library;
    if cx.document().n_clips() == 0 && !is_library {
        let mut over = ui.new_child(UiBuilder::new().max_rect(rect));
        no_clips_ui(&mut over, cx);
    } else if cx.session.active.is_none() {
        words_ui(ui, rect, "Select clips to see them move");
    }
}

pub(in crate::app) fn words_ui(ui: &egui::Ui, rect: Rect, words: &str) {
    let font = FontId::proportional(14.0);
    let colour = Colours::of(ui).weak;
    ui.painter()
        .text(rect.center(), Align2::CENTER_CENTER, words, font, colour);
}

/// What is active, in the upper corner, and what is not shown.
fn corner_ui(ui: &egui::Ui, cx: &UiContext, actors: &[Actor], rect: Rect) {
    let colours = Colours::of(ui);
    let lead = actors.iter().find(|actor| actor.is_active);
    let is_named = |actor: &&Actor| cx.ghost_on_stage(actor.id).is_none();
    let n_shown = actors.iter().filter(is_named).count();
    let mut words = match (lead.map(|actor| &actor.clip), n_shown) {
        (Some(clip), 0 | 1) => clip.info.name.clone(),
        (Some(clip), n) => format!("{} and {} more", clip.info.name, n - 1),
        (None, _) => String::new(),
    };
    if let Some(pick) = cx.session.joint
        && let Some(clip) = cx.clip_on_stage(pick.clip)
        && let Some(joint) = clip.skeleton().joints().get(pick.joint)
    {
        words = format!("{words}: {}", joint.name);
    }
    let n_hidden = cx
        .session
        .selection
        .len()
        .saturating_sub(UiContext::MOST_SHOWN);
    if n_hidden > 0 {
        let hidden = counted(n_hidden, "selected clip");
        words = format!("{words} ({hidden} not shown: too many)");
    }
    let font = FontId::proportional(13.0);
    let at = rect.left_top() + vec2(10.0, 8.0);
    // Beside the switches there may be little room: then in two lines, nothing cut off.
    let width = (rect.right() - at.x).max(60.0);
    let galley = ui.painter().layout(words, font, colours.text, width);
    ui.painter().galley(at, galley, colours.text);
}

/// The names of several, each over its head. In a crowd the nearest ones are seen, and the active one.
fn names_ui(ui: &egui::Ui, actors: &[Actor], scene: &Scene, rect: Rect, size: Size) {
    let colours = Colours::of(ui);
    let painter = ui.painter().with_clip_rect(rect);
    let per_pixel = 1.0 / ui.ctx().pixels_per_point();
    let heads = actors.iter().zip(&scene.characters);
    let mut heads: Vec<(&Actor, Projected)> = heads
        .filter_map(|(actor, character)| {
            let over = over_head(character, scene.ground.up)?;
            Some((actor, scene.camera.project(&over, size)?))
        })
        .collect();
    heads.sort_by(|(a, seen_a), (b, seen_b)| {
        let by_depth = seen_a.depth.total_cmp(&seen_b.depth);
        b.is_active.cmp(&a.is_active).then(by_depth)
    });
    let mut taken: Vec<Rect> = Vec::with_capacity(heads.len());
    for (actor, seen) in heads {
        let at = rect.min + vec2(seen.x as f32, seen.y as f32) * per_pixel;
        let colour = if actor.is_active {
            colours.selected
        } else {
            colours.text
        };
        let font = FontId::proportional(11.5);
        let galley = painter.layout_no_wrap(actor.clip.info.name.clone(), font, colour);
        let place = Align2::CENTER_BOTTOM.anchor_size(at, galley.size());
        let ground = place.expand2(vec2(4.0, 1.0));
        if taken.iter().any(|other| other.intersects(ground)) {
            continue;
        }
        painter.rect_filled(ground, 3.0, colours.ground.gamma_multiply(0.6));
        painter.galley(place.min, galley, colour);
        taken.push(ground);
    }
}

/// A little over the highest joint.
fn over_head(character: &Character, up: Axis) -> Option<Vec3> {
    let places = character.pose.positions.iter();
    let places = places.map(|place| character.placement.apply(place));
    let top = places.max_by(|a, b| up.along(a).total_cmp(&up.along(b)))?;
    Some(top + up.vector() * (0.13 * character.height()))
}

/// Turns, moves and zooms with the mouse. Where the left button does not turn, the right one does.
pub(in crate::app) fn navigate(
    ui: &egui::Ui,
    response: &egui::Response,
    cx: &mut UiContext,
    size: Size,
    camera: &mut Camera,
    left_turns: bool,
) {
    const TURN_RAD: f64 = 0.008;
    let held = ui.input(|input| input.modifiers);
    let by = response.drag_motion() * ui.ctx().pixels_per_point();
    let (right, down) = (f64::from(by.x), f64::from(by.y));
    let with = |button| response.dragged_by(button);
    let (turns, pans, zooms) = match cx.preferences.navigation {
        Navigation::Blender => {
            let middle = with(PointerButton::Middle);
            let left = left_turns && with(PointerButton::Primary);
            let right = !left_turns && with(PointerButton::Secondary);
            (
                ((middle || right) && !held.shift && !held.command) || (left && !held.shift),
                (middle || left || right) && held.shift,
                (middle || right) && held.command,
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
        cx.session.is_following &= right == 0.0 && down == 0.0;
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
fn aim(cx: &mut UiContext, actors: &[Actor], size: Size, scene: &mut Scene) {
    match cx.session.framing.take() {
        Some(Framing::Selection) => {
            let balls: Vec<_> = scene.characters.iter().flat_map(Character::balls).collect();
            scene.camera = scene.camera.framing(&balls, size);
        }
        Some(Framing::All) => {
            let balls = whole_way(actors, cx.length_secs());
            scene.camera = scene.camera.framing(&balls, size);
            // Some are still looked at: once more when they are there.
            if cx.analyses.is_looking() && actors.len() < cx.on_stage().len() {
                cx.session.framing = Some(Framing::All);
            }
        }
        Some(Framing::From(view)) => {
            if let Some(heading) = facing_rad(actors) {
                scene.camera = scene.camera.seen(view, heading);
            }
        }
        Some(Framing::Pivot) => {
            if let Some(target) = pivot(cx, actors, scene) {
                scene.camera = scene.camera.following(target);
            }
        }
        None => {}
    }
    if cx.session.is_following
        && let Some(target) = followed(actors, cx.stage_secs())
    {
        scene.camera = scene.camera.following(target);
    }
}

/// The clicked joint, or else the active character.
fn pivot(cx: &UiContext, actors: &[Actor], scene: &Scene) -> Option<Vec3> {
    let joint = cx.session.joint.and_then(|pick| {
        let place = actors.iter().position(|actor| actor.id == pick.clip)?;
        let character = scene.characters.get(place)?;
        let joint = character.pose.positions.get(pick.joint)?;
        Some(character.placement.apply(joint))
    });
    joint.or_else(|| followed(actors, cx.session.playhead_secs))
}

/// Makes the character under the pointer the active one and lights up the joint; beside all, none is lit.
fn pick(
    response: &egui::Response,
    rect: Rect,
    cx: &mut UiContext,
    viewport: &mut ViewportState,
    actors: &[Actor],
    size: Size,
    scene: &Scene,
) {
    let Some(at) = response.interact_pointer_pos() else {
        return;
    };
    let at = (at - rect.min) * response.ctx.pixels_per_point();
    let ray = scene.camera.ray(f64::from(at.x), f64::from(at.y), size);
    // Ghosts come after the actors, and cannot be picked.
    let mut hits = picking::hits(scene, &ray).into_iter();
    let hit = hits.find_map(|hit| Some((actors.get(hit.character)?.id, hit.joint)));
    cx.session.contact = None;
    cx.session.joint = hit.map(|(clip, joint)| JointPick { clip, joint });
    if let Some((id, _)) = hit {
        match (cx.variant_on_stage(id), id) {
            (Some(variant), _) => viewport.requests.ask(Request::LookAtVariant(variant)),
            (None, StageId::Clip(id) | StageId::Changed(id)) => cx.session.active = Some(id),
            (None, StageId::Preview(_)) => {}
        }
    }
}
