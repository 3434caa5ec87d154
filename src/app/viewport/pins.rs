//! Dots in the 3D view at feet and hands that are held now: drag one to pin it elsewhere.

use egui::{PointerButton, Rect};

use super::pin::Pin;
use crate::app::render::{Backdrop, Camera, Colour, Handle, Size, picking};
use crate::app::shell::context::UiContext;
use crate::app::shell::preferences::Workspace;
use crate::app::viewport::scene::Actor;
use crate::app::viewport::state::{Request, ViewportState};
use crate::motion::{Vec3, WorldPose};

/// How easily a dot is grabbed, in pixels around it.
const SLACK_PX: f64 = 6.0;

/// The dots of the looked-at variant at the playhead; none where nothing can be changed.
pub(in crate::app) fn pins(cx: &UiContext, actors: &[Actor]) -> Vec<Pin> {
    if cx.preferences.workspace != Workspace::Variation {
        return Vec::new();
    }
    let lead = actors.iter().find(|actor| actor.is_active);
    let Some(actor) = lead.filter(|actor| cx.variant_on_stage(actor.id).is_some()) else {
        return Vec::new();
    };
    let Some(holds) = cx.looked_at_holds().filter(|holds| holds.can_change) else {
        return Vec::new();
    };
    let last = actor.clip.n_frames() - 1;
    let now = (actor.time_map.frame_at(cx.stage_secs()) as usize).min(last);
    let here = holds.spans.iter().filter(|span| span.frames.contains(&now));
    here.filter_map(|span| {
        // Where it is held: in the middle of the span it is there, at its ends it may still come or go.
        let middle = usize::midpoint(span.frames.start, span.frames.end).min(last);
        let at_rest = || {
            let world = WorldPose::of(actor.clip.skeleton(), actor.clip.frame(middle));
            world.positions.get(span.joint).copied()
        };
        let place = span.pin.or_else(at_rest)?;
        let (colour, radius_px) = match span.pin {
            Some(_) => (Backdrop::of(!cx.preferences.is_light).ink, 8.0),
            None => (Colour::GENERATED.mix(Colour::SELECTED, 0.5), 5.5),
        };
        Some(Pin {
            joint: span.joint,
            frame: span.frames.start,
            is_foot: actor.analysis.feet.contains(&span.joint),
            handle: Handle {
                place: actor.place(&place),
                radius_px,
                colour,
            },
        })
    })
    .collect()
}

/// The balls that stand for pins in the scene.
pub(in crate::app) fn handles(pins: &[Pin]) -> Vec<Handle> {
    pins.iter().map(|pin| pin.handle).collect()
}

/// Follows a drag that began on a dot; whether there is one, so that the camera stays where it is.
pub(in crate::app) fn drag(
    ui: &egui::Ui,
    response: &egui::Response,
    viewport: &mut ViewportState,
    (actors, pins): (&[Actor], &[Pin]),
    (rect, size): (Rect, Size),
    camera: &Camera,
) -> bool {
    let scale = ui.ctx().pixels_per_point();
    let pixel = |at: egui::Pos2| {
        let at = (at - rect.min) * scale;
        (f64::from(at.x), f64::from(at.y))
    };
    if response.drag_started_by(PointerButton::Primary)
        && let Some(from) = ui.input(|input| input.pointer.press_origin())
    {
        let under = picking::handle_at(&handles(pins), camera, size, pixel(from), SLACK_PX);
        viewport.pin = under.map(|at| pins[at].clone());
    }
    let Some(held) = viewport.pin.clone() else {
        return false;
    };
    let lead = actors.iter().find(|actor| actor.is_active);
    if let (Some(at), Some(actor)) = (response.interact_pointer_pos(), lead) {
        let is_shift = ui.input(|input| input.modifiers.shift);
        let is_over_floor = held.is_foot ^ is_shift;
        let normal = if is_over_floor {
            actor.clip.info.up.vector()
        } else {
            camera.target - camera.eye()
        };
        let (x, y) = pixel(at);
        let meets = camera
            .ray(x, y, size)
            .meets_plane(&held.handle.place, &normal);
        if let Some(place) = meets.filter(|place| is_near(place, actor, &held)) {
            viewport.requests.ask(Request::Pin {
                joint: held.joint,
                frame: held.frame,
                place: actor.unplace(&place),
            });
        }
    }
    if !response.dragged() {
        viewport.pin = None;
    }
    true
}

/// Near the horizon a pixel is a mile: no limb is meant to go there.
fn is_near(place: &Vec3, actor: &Actor, held: &Pin) -> bool {
    let height = actor.analysis.mannequin.height() * actor.placement.scale;
    (place - held.handle.place).norm() < 3.0 * height
}
