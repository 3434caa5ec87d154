//! The 3D view of the pose workspace: the character, its handles, and the mouse.

use egui::{Key, PointerButton, Pos2, Rect, Sense, Stroke, StrokeKind};

use super::sites::is_site;
use crate::app::pose::handles::ui::eye::Eye;
use crate::app::pose::handles::ui::gizmo::Grip;
use crate::app::pose::handles::ui::handles::{Look, Spot};
use crate::app::pose::handles::ui::mouse::Mouse;
use crate::app::pose::handles::ui::{gizmo, handles, hands, meter, stage, toolbar};
use crate::app::pose::keys::paths_ui;
use crate::app::pose::picture::ui as picture;
use crate::app::pose::requests::Request as PoseRequest;
use crate::app::pose::state::PoseWorkspace;
use crate::app::render::{Character, Scene, Size, picking};
use crate::app::shell::context::UiContext;
use crate::app::shell::preferences::Navigation;
use crate::app::shell::session::Framing;
use crate::app::shell::theme::Colours;
use crate::app::viewport::options_ui::view_options_ui;
use crate::app::viewport::stage::Stage;
use crate::app::viewport::ui::{navigate, paint_scene, words_ui};
use crate::document::{Posed, PosedId};
use crate::motion::{Site, Vec3, WorldPose};

/// Handles, gizmo and toolbar over the 3D view; drags of them.
pub(in crate::app) fn view_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    pose: &mut PoseWorkspace,
    stage: &mut Stage,
    gpu: Option<&egui_wgpu::RenderState>,
) {
    let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "3D view"));
    let pixels_per_point = ui.ctx().pixels_per_point();
    let pixels = rect.size() * pixels_per_point;
    let size = Size::of(pixels.x, pixels.y);
    let Some((id, posed)) = pose.posed_now(cx) else {
        return;
    };
    let is_dark = ui.visuals().dark_mode;
    let Some((mut scene, ids)) = stage::scene(cx, pose, (id, &posed), size, is_dark) else {
        words_ui(ui, rect, "Making the character…");
        return;
    };
    if pose.framed != Some(id) {
        pose.framed = Some(id);
        pose.repair.framed = None;
        cx.session.framing = Some(Framing::Selection);
    }
    if let Some(camera) = picture::through(cx, pose, &posed, size) {
        scene.camera = camera;
    } else {
        navigate(ui, &response, cx, size, &mut scene.camera, false);
        aim(cx, pose, &mut scene, size);
        cx.session.camera = Some(scene.camera);
    }
    let eye = Eye {
        camera: scene.camera,
        size,
        rect,
        pixels_per_point,
    };
    let is_playing = pose.extras.shown().instead.is_some();
    let is_path = !is_playing && paths_ui::touch(cx, pose, &response, &eye);
    if !is_playing && !is_path {
        touch(ui, &response, cx, pose, &eye, (&scene, &ids));
    }
    paint_scene(ui, cx, stage, gpu, (&scene, size, rect));
    picture::over_ui(ui, cx, pose, rect, size);
    if !is_playing {
        overlay_ui(ui, &response, cx, pose, &eye);
        paths_ui::path_ui(ui, cx, pose, &eye);
    }
    let right = view_options_ui(ui, cx, rect);
    toolbar::toolbar_ui(ui, cx, rect.with_max_x(right - 8.0));
    meter::meter_ui(ui, pose, rect);
}

/// Does what was wished for.
fn aim(cx: &mut UiContext, pose: &mut PoseWorkspace, scene: &mut Scene, size: Size) {
    let Some((_, posed)) = pose.posed_now(cx) else {
        return;
    };
    match cx.session.framing.take() {
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
            if let Some(figure) = pose.figure(&posed.skeleton) {
                let world = WorldPose::of(&posed.skeleton, posed.pose.as_ref());
                let heading = figure.rig.heading_rad(&world, posed.up);
                scene.camera = scene.camera.seen(view, heading);
            }
        }
        None => {}
    }
}

/// The handles of the character as they are seen now.
pub(in crate::app::pose) fn spots_now(
    pose: &PoseWorkspace,
    eye: &Eye,
    posed: &Posed,
    world: &WorldPose,
) -> Vec<Spot> {
    let Some(figure) = pose.figure(&posed.skeleton) else {
        return Vec::new();
    };
    handles::spots(eye, posed, world, figure.rig.handles_of(posed))
}

/// In the middle of the selected handles; none without any.
fn gizmo_centre(pose: &PoseWorkspace, posed: &Posed, world: &WorldPose) -> Option<Vec3> {
    let selected = &pose.handles.selected;
    let places = selected.iter().filter(|site| is_site(posed, **site));
    let places: Vec<Vec3> = places
        .map(|site| world.site(&posed.skeleton, *site))
        .collect();
    (!places.is_empty()).then(|| places.iter().sum::<Vec3>() / places.len() as f64)
}

/// What the mouse does to handles.
fn touch(
    ui: &egui::Ui,
    response: &egui::Response,
    cx: &mut UiContext,
    pose: &mut PoseWorkspace,
    eye: &Eye,
    (scene, ids): (&Scene, &[PosedId]),
) {
    let Some((_, posed)) = pose.posed_now(cx) else {
        return;
    };
    let world = WorldPose::of(&posed.skeleton, posed.pose.as_ref());
    if pose.handles.mouse.is_some() {
        go_on(ui, response, cx, pose, eye, &posed, &world);
        return;
    }
    if let Some(is_turning) = pose.handles.wants_modal.take()
        && let Some(at) = response
            .hover_pos()
            .or_else(|| ui.input(|i| i.pointer.latest_pos()))
    {
        hands::begin_modal(cx, pose, eye, &posed, &world, (at, is_turning));
        return;
    }
    let (shift, alt) = ui.input(|input| (input.modifiers.shift, input.modifiers.alt));
    // There Alt and the left button turn the view, wherever they begin.
    let is_maya_turn = alt && cx.preferences.navigation == Navigation::Maya;
    if response.drag_started_by(PointerButton::Primary) {
        let at = ui.input(|input| input.pointer.press_origin());
        let Some(at) = at.or_else(|| response.interact_pointer_pos()) else {
            return;
        };
        if is_maya_turn {
            return;
        }
        if !press(cx, pose, eye, (&posed, &world), at, shift) {
            pose.handles.mouse = Some(Mouse::Box(at));
        }
        if pose.handles.mouse.is_some() {
            go_on(ui, response, cx, pose, eye, &posed, &world);
        }
    } else if response.clicked() || response.double_clicked() {
        let Some(at) = response.interact_pointer_pos() else {
            return;
        };
        let spots = spots_now(pose, eye, &posed, &world);
        if let Some(spot) = handles::spot_at(&spots, at) {
            select(pose, spot.handle.site, shift);
        } else {
            let on_body = picking::hits(scene, &eye.ray(at)).into_iter().next();
            match on_body.filter(|hit| hit.character < ids.len()) {
                Some(hit) if hit.character > 0 => {
                    pose.requests.ask(PoseRequest::Choose(ids[hit.character]));
                    pose.framed = Some(ids[hit.character]);
                }
                Some(hit) if response.double_clicked() => {
                    pose.requests
                        .ask(PoseRequest::ToggleHandle(Site::Joint(hit.joint)));
                }
                _ if !shift => pose.handles.selected.clear(),
                _ => {}
            }
        }
    }
}

/// A click or a press on a handle.
pub(in crate::app::pose) fn select(pose: &mut PoseWorkspace, site: Site, adds: bool) {
    let selected = &mut pose.handles.selected;
    if !adds {
        selected.clear();
        selected.insert(site);
    } else if !selected.remove(&site) {
        selected.insert(site);
    }
}

/// Takes hold of what is under the pointer; whether there was something.
fn press(
    cx: &mut UiContext,
    pose: &mut PoseWorkspace,
    eye: &Eye,
    (posed, world): (&Posed, &WorldPose),
    at: Pos2,
    shift: bool,
) -> bool {
    let is_turning = pose.handles.is_turning || pose.handles.is_fk;
    let spots = spots_now(pose, eye, posed, world);
    let under = handles::spot_at(&spots, at).map(|spot| spot.handle.site);
    let pieces = gizmo_centre(pose, posed, world)
        .map(|centre| gizmo::pieces(eye, &centre, is_turning))
        .unwrap_or_default();
    let grip = match under {
        Some(site) => {
            if shift || !pose.handles.selected.contains(&site) {
                select(pose, site, shift);
                pose.handles.selected.insert(site);
            }
            Some(if is_turning { Grip::Roll } else { Grip::View })
        }
        None => gizmo::grip_at(&pieces, at),
    };
    match grip {
        Some(grip) => {
            hands::begin(cx, pose, eye, posed, world, (at, grip, false));
            true
        }
        None => false,
    }
}

/// The mouse is at something: on with it, to its end or back.
fn go_on(
    ui: &egui::Ui,
    response: &egui::Response,
    cx: &mut UiContext,
    pose: &mut PoseWorkspace,
    eye: &Eye,
    posed: &Posed,
    world: &WorldPose,
) {
    let Some(mut mouse) = pose.handles.mouse.take() else {
        return;
    };
    let (pointer, held) = ui.input(|input| (input.pointer.latest_pos(), input.modifiers));
    let in_depth = match cx.preferences.navigation {
        Navigation::Blender => held.alt,
        Navigation::Maya => held.command,
    };
    let is_modal = mouse.is_modal();
    let is_cancelled = ui.input(|input| {
        input.key_pressed(Key::Escape) || (is_modal && input.pointer.secondary_pressed())
    });
    let is_done = if is_modal {
        ui.input(|input| input.pointer.primary_pressed() || input.key_pressed(Key::Enter))
    } else {
        !ui.input(|input| input.pointer.primary_down())
    };
    if is_cancelled {
        pose.cancel_grab();
        return;
    }
    let at = pointer.or_else(|| response.interact_pointer_pos());
    if let Some(at) = at {
        match &mut mouse {
            Mouse::Move(moving) => {
                let places = moving.moved(eye, at, in_depth);
                pose.move_held(cx, &places, &[]);
            }
            Mouse::Turn(turning) => {
                let turns = turning.turned(eye, at);
                hands::turn(cx, pose, &turns);
            }
            Mouse::Box(from) if is_done => {
                let spots = spots_now(pose, eye, posed, world);
                let around = Rect::from_two_pos(*from, at);
                if !held.shift {
                    pose.handles.selected.clear();
                }
                let inside = spots.iter().filter(|spot| around.contains(spot.at));
                pose.handles
                    .selected
                    .extend(inside.map(|spot| spot.handle.site));
            }
            Mouse::Box(_) => {}
        }
    }
    if is_done {
        pose.end_grab(cx);
    } else {
        pose.handles.mouse = Some(mouse);
    }
}

/// Handles, gizmo, odd joints and the box, over the picture.
fn overlay_ui(
    ui: &egui::Ui,
    response: &egui::Response,
    cx: &mut UiContext,
    pose: &mut PoseWorkspace,
    eye: &Eye,
) {
    // As it is after what the mouse did in this frame.
    let Some((_, posed)) = pose.posed_now(cx) else {
        return;
    };
    let painter = ui.painter().with_clip_rect(eye.rect);
    let world = WorldPose::of(&posed.skeleton, posed.pose.as_ref());
    if let Some(thought) = &pose.handles.thought {
        let colours = Colours::of(ui);
        let odd = &thought.judgement.odd;
        handles::paint_odd(&painter, eye, &posed, &world, odd, &colours);
    }
    let held: Vec<Site> = pose
        .handles
        .grab
        .as_ref()
        .map_or_else(Vec::new, |grab| grab.held.places.iter().copied().collect());
    handles::paint_missed(&painter, eye, &posed, &world, &held);
    let spots = spots_now(pose, eye, &posed, &world);
    let pointer = response
        .hover_pos()
        .filter(|_| pose.handles.mouse.is_none());
    let hovered = pointer.and_then(|at| handles::spot_at(&spots, at));
    let hovered = hovered.map(|spot| spot.handle.site);
    pose.handles.selected.retain(|site| is_site(&posed, *site));
    if let Some(centre) = gizmo_centre(pose, &posed, &world) {
        let is_turning = pose.handles.is_turning || pose.handles.is_fk;
        let pieces = gizmo::pieces(eye, &centre, is_turning);
        let under = pointer.filter(|_| hovered.is_none());
        let lit = under.and_then(|at| gizmo::grip_at(&pieces, at));
        gizmo::paint(&painter, &pieces, lit);
    }
    for spot in &spots {
        let look = Look {
            is_selected: pose.handles.selected.contains(&spot.handle.site),
            is_hovered: hovered == Some(spot.handle.site),
        };
        handles::paint(&painter, spot.at, spot.pin.as_ref(), look);
    }
    if let Some(spot) = spots.iter().find(|spot| Some(spot.handle.site) == hovered) {
        name_ui(ui, &painter, spot);
    }
    if let Some(Mouse::Box(from)) = &pose.handles.mouse
        && let Some(to) = ui.input(|input| input.pointer.latest_pos())
    {
        let edge = handles::selection_ink(&painter);
        let around = Rect::from_two_pos(*from, to);
        let fill = edge.gamma_multiply(0.12);
        painter.rect(
            around,
            0.0,
            fill,
            Stroke::new(1.0, edge),
            StrokeKind::Middle,
        );
    }
}

/// Which handle the pointer is on, and how it is held.
fn name_ui(ui: &egui::Ui, painter: &egui::Painter, spot: &Spot) {
    let colours = Colours::of(ui);
    let held = spot.pin.map_or(String::new(), |pin| {
        let (place, turn) = (pin.position.name(), pin.rotation.name());
        if pin.rotation == crate::document::PinMode::Free {
            format!(": {place}")
        } else {
            format!(": {place}, rotation {turn}")
        }
    });
    let words = format!("{}{held}", spot.handle.name);
    let font = egui::FontId::proportional(12.0);
    let galley = painter.layout_no_wrap(words, font, colours.text);
    let at = spot.at + egui::vec2(14.0, -galley.size().y - 6.0);
    let ground = Rect::from_min_size(at, galley.size()).expand2(egui::vec2(5.0, 2.0));
    painter.rect_filled(ground, 3.0, colours.raised);
    painter.galley(at, galley, colours.text);
}
