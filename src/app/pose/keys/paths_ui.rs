//! The path of a handle in the 3D view: a curve with its keys and tangents, to be dragged.

use egui::{Color32, Pos2, Stroke, vec2};

use super::path_hold::{Grip, PathHold};
use crate::app::pose::handles::ui::eye::Eye;
use crate::app::pose::state::PoseWorkspace;
use crate::app::shell::context::UiContext;
use crate::app::shell::theme::Colours;
use crate::document::{HandlePathKey, Keying};
use crate::motion::{Site, Vec3};
use crate::style::solve::Trajectory;

/// A point to drag.
struct Spot {
    frame: usize,
    grip: Grip,
    place: Vec3,
    at: Pos2,
}

/// The chosen path as it is seen: its site, its keys and its curve; none where there is nothing to drag.
fn shown(cx: &UiContext, pose: &PoseWorkspace) -> Option<(Site, Keying, Trajectory)> {
    if !pose.keys.shows_ways || cx.session.is_playing {
        return None;
    }
    let site = pose.keys.site?;
    let (_, posed) = pose.active_posed(cx)?;
    let (_, keying) = pose.keying_now(cx)?;
    let hold = pose.keys.path_hold.as_ref();
    let keying = match hold.filter(|hold| hold.site == site) {
        Some(hold) => hold.draft.clone(),
        None => Keying::clone(&keying),
    };
    let curve = keying.curve(&posed.skeleton, site)?;
    Some((site, keying, curve))
}

/// Lets the chosen path be dragged. Whether the pointer is taken by it.
pub(in crate::app::pose) fn touch(
    cx: &mut UiContext,
    pose: &mut PoseWorkspace,
    response: &egui::Response,
    eye: &Eye,
) -> bool {
    let Some((site, keying, curve)) = shown(cx, pose) else {
        return false;
    };
    let spots = spots(eye, &keying, &curve);
    drag(cx, pose, response, eye, (site, &keying, &spots))
}

/// Draws the chosen path.
pub(in crate::app::pose) fn path_ui(
    ui: &egui::Ui,
    cx: &UiContext,
    pose: &PoseWorkspace,
    eye: &Eye,
) {
    if let Some((_, keying, curve)) = shown(cx, pose) {
        let spots = spots(eye, &keying, &curve);
        paint(ui, eye, &keying, &curve, &spots);
    }
}

/// How far ahead of a key its tangent is drawn, in frames: as in a Bezier curve, a third of the path to the next.
fn reach(curve: &Trajectory, key: usize) -> f64 {
    let keys = curve.keys();
    let next = keys.get(key + 1).map(|next| next.frame - keys[key].frame);
    let last = key.checked_sub(1).map(|k| keys[key].frame - keys[k].frame);
    let gap = match (last, next) {
        (Some(a), Some(b)) => a.min(b),
        (a, b) => a.or(b).unwrap_or(3.0),
    };
    (gap / 3.0).max(0.5)
}

fn spots(eye: &Eye, keying: &Keying, curve: &Trajectory) -> Vec<Spot> {
    let mut spots = Vec::new();
    for (k, key) in curve.keys().iter().enumerate() {
        let frame = key.frame as usize;
        let arm = curve.tangent(k) * reach(curve, k);
        let is_last = k + 1 == curve.keys().len();
        let mut push = |grip: Grip, place: Vec3| {
            spots.extend(eye.seen(&place).map(|at| Spot {
                frame,
                grip,
                place,
                at,
            }));
        };
        if !is_last {
            push(Grip::Ahead, key.place + arm);
        }
        if k > 0 {
            push(Grip::Back, key.place - arm);
        }
        // A keyed pose says itself where it is.
        if keying.key(frame).is_none() {
            push(Grip::Place, key.place);
        }
    }
    spots
}

fn paint(ui: &egui::Ui, eye: &Eye, keying: &Keying, curve: &Trajectory, spots: &[Spot]) {
    let colours = Colours::of(ui);
    let painter = ui.painter_at(eye.rect);
    let (Some(first), Some(last)) = (curve.keys().first(), curve.keys().last()) else {
        return;
    };
    let n = ((last.frame - first.frame) * 4.0).min(4000.0) as usize;
    let moments = (0..=n).map(|i| first.frame + f64::from(i as u32) / 4.0);
    let points: Vec<Pos2> = moments
        .filter_map(|frame| eye.seen(&curve.at(frame)?))
        .collect();
    painter.add(egui::Shape::line(
        points,
        Stroke::new(2.0, colours.selected),
    ));
    for spot in spots.iter().filter(|spot| spot.grip != Grip::Place) {
        let key = curve.keys().iter().find(|k| k.frame as usize == spot.frame);
        if let Some(at) = key.and_then(|key| eye.seen(&key.place)) {
            painter.line_segment([at, spot.at], Stroke::new(1.2, colours.weak));
        }
        painter.circle(
            spot.at,
            4.0,
            colours.panel,
            Stroke::new(1.5, colours.selected),
        );
    }
    for key in curve.keys() {
        let Some(at) = eye.seen(&key.place) else {
            continue;
        };
        let is_pose = keying.key(key.frame as usize).is_some();
        // A pose key is a diamond as on the timeline, a key of the path alone a dot.
        if is_pose {
            diamond(&painter, at, 6.0, colours.selected);
        } else {
            painter.circle_filled(at, 5.0, colours.generated);
        }
    }
}

/// A diamond, as keys are drawn everywhere.
pub(in crate::app::pose) fn diamond(
    painter: &egui::Painter,
    at: Pos2,
    radius: f32,
    colour: Color32,
) {
    let points = vec![
        at + vec2(0.0, -radius),
        at + vec2(radius, 0.0),
        at + vec2(0.0, radius),
        at + vec2(-radius, 0.0),
    ];
    painter.add(egui::Shape::convex_polygon(points, colour, Stroke::NONE));
}

fn drag(
    cx: &mut UiContext,
    pose: &mut PoseWorkspace,
    response: &egui::Response,
    eye: &Eye,
    (site, keying, spots): (Site, &Keying, &[Spot]),
) -> bool {
    const NEAR: f32 = 9.0;
    let near = |at: Pos2| {
        let near = spots.iter().filter(|spot| spot.at.distance(at) < NEAR);
        near.min_by(|a, b| a.at.distance(at).total_cmp(&b.at.distance(at)))
    };
    let pressed = response.ctx.input(|input| input.pointer.press_origin());
    if response.drag_started_by(egui::PointerButton::Primary)
        && let Some(spot) = pressed.and_then(near)
    {
        pose.keys.path_hold = Some(PathHold {
            site,
            frame: spot.frame,
            grip: spot.grip,
            draft: keying.clone(),
        });
    }
    if let Some(mut hold) = pose.keys.path_hold.take() {
        if response
            .ctx
            .input(|input| input.key_pressed(egui::Key::Escape))
        {
            return true;
        }
        let spot = spots
            .iter()
            .find(|spot| spot.frame == hold.frame && spot.grip == hold.grip);
        let to = response.interact_pointer_pos().zip(spot);
        let to = to.and_then(|(at, spot)| eye.ray(at).meets_plane(&spot.place, &eye.back()));
        if let Some(to) = to.filter(|_| response.dragged()) {
            pull(cx, pose, &mut hold, &to);
        }
        if response.drag_stopped() {
            let draft = hold.draft;
            pose.edit_keys(cx, "shape a motion path of", |keying| *keying = draft);
        } else {
            pose.keys.path_hold = Some(hold);
        }
        return true;
    }
    response.hover_pos().is_some_and(|at| near(at).is_some())
}

/// Moves what is held to a place.
fn pull(cx: &UiContext, pose: &PoseWorkspace, hold: &mut PathHold, to: &Vec3) {
    let Some((_, posed)) = pose.active_posed(cx) else {
        return;
    };
    let Some(curve) = hold.draft.curve(&posed.skeleton, hold.site) else {
        return;
    };
    let keys = curve.keys();
    let Some(k) = keys.iter().position(|k| k.frame as usize == hold.frame) else {
        return;
    };
    let own = hold
        .draft
        .path(hold.site)
        .and_then(|path| path.at(hold.frame));
    let own = own.unwrap_or(HandlePathKey {
        frame: hold.frame,
        place: None,
        tangent: None,
    });
    let away = (to - keys[k].place) / reach(&curve, k);
    let key = match hold.grip {
        Grip::Place => HandlePathKey {
            place: Some(*to),
            ..own
        },
        Grip::Ahead => HandlePathKey {
            tangent: Some(away),
            ..own
        },
        Grip::Back => HandlePathKey {
            tangent: Some(-away),
            ..own
        },
    };
    hold.draft.set_path_key(hold.site, key);
}
