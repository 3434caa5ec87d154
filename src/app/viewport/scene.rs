//! The selected clips at the playhead as a scene for the renderer.
//!
//! The first of them gives floor, units and up axis; others are turned, scaled and put on its floor where they differ,
//! for display only.

use std::sync::Arc;

use crate::app::render::{
    Backdrop, Camera, Character, Colour, Mark, Placement, Scene, Size, Trail, View, arrange,
};
use crate::app::shell::clips::analysis::ClipAnalysis;
use crate::app::shell::context::UiContext;
use crate::app::shell::previews::Preview;
use crate::app::shell::stage::StageId;
use crate::app::shell::sync::TimeMap;
use crate::app::shell::ui::tints::tint;
use crate::app::shell::view_options::{Arrangement, ViewOptions};
use crate::app::viewport::state::ViewportState;
use crate::motion::heading::{forward, left, turn};
use crate::motion::rotation::align;
use crate::motion::{Axis, Clip, Quat, Vec3, WorldPose};
use crate::sequence::Carry;

/// What a motion is compared with does not hide it.
const GHOST_OPACITY: f32 = 0.4;

/// A clip with what is known about it, and how it is shown.
pub(in crate::app) struct Actor {
    pub(in crate::app) id: StageId,
    pub(in crate::app) clip: Arc<Clip>,
    pub(in crate::app) analysis: Arc<ClipAnalysis>,
    pub(in crate::app) time_map: TimeMap,
    pub(in crate::app) placement: Placement,
    pub(in crate::app) is_active: bool,
    /// In a grid each group has rows of its own.
    group: usize,
    /// Onto the up axis of the first.
    turn: Option<Quat>,
    colour: Colour,
}

impl Actor {
    fn pose_at_frame(&self, frame: f64) -> WorldPose {
        let pose = self.clip.pose_at(frame);
        let mut world = WorldPose::of(self.clip.skeleton(), pose.as_ref());
        if let Some(turn) = &self.turn {
            for place in &mut world.positions {
                *place = turn * *place;
            }
            for rotation in &mut world.rotations {
                *rotation = turn * *rotation;
            }
        }
        world
    }

    fn pose_at(&self, secs: f64) -> WorldPose {
        self.pose_at_frame(self.time_map.frame_at(secs))
    }

    /// A place of the clip, in the scene.
    pub(in crate::app) fn place(&self, place: &Vec3) -> Vec3 {
        match &self.turn {
            Some(turn) => self.placement.apply(&(turn * place)),
            None => self.placement.apply(place),
        }
    }

    /// A place of the scene, in the clip.
    pub(in crate::app) fn unplace(&self, place: &Vec3) -> Vec3 {
        let place = (place - self.placement.offset) / self.placement.scale;
        self.turn.map_or(place, |turn| turn.inverse() * place)
    }

    /// Where a motion that is played on and on has got to.
    fn carry(&mut self, by: &Carry) {
        let turn = self.turn.unwrap_or_else(Quat::identity);
        self.turn = Some(by.turn * turn);
        self.placement.offset = by.turn * self.placement.offset + by.shift;
    }

    fn root_at(&self, secs: f64) -> Vec3 {
        let world = self.pose_at(secs);
        let place = world.positions.get(self.analysis.root).copied();
        self.placement.apply(&place.unwrap_or_default())
    }

    fn character(&self, pose: WorldPose, opacity: f32) -> Character {
        Character {
            mannequin: Arc::clone(&self.analysis.mannequin),
            pose,
            placement: self.placement,
            colour: self.colour,
            opacity,
            highlight: None,
        }
    }
}

/// What is on stage and of which enough is known.
pub(in crate::app) fn actors(cx: &UiContext) -> Vec<Actor> {
    let shown = cx.on_stage();
    let is_shown = |active: &StageId| shown.iter().any(|(id, _)| id == active);
    let first = shown.first().map(|(id, _)| *id);
    let active = cx.stage_lead();
    let lead = active.filter(is_shown).or(first);
    let mut actors: Vec<Actor> = shown
        .into_iter()
        .filter_map(|(id, clip)| actor(cx, id, clip, Some(id) == lead))
        .collect();
    bring_together(&mut actors, &cx.preferences.view);
    if let Some(Preview::Played(played)) = cx.previews.shown()
        && let Some(by) = &played.carried
    {
        for actor in &mut actors {
            actor.carry(by);
        }
    }
    actors
}

fn actor(cx: &UiContext, id: StageId, clip: Arc<Clip>, is_active: bool) -> Option<Actor> {
    let analysis = Arc::clone(cx.analyses.to_draw(id, &clip)?);
    let own = tint(cx, id);
    let is_played = cx.played_on_stage(id).is_some();
    let is_one_of_many =
        !is_played && (cx.session.selection.len() > 1 || cx.variant_on_stage(id).is_some());
    let colour = if is_active && is_one_of_many {
        // Among several the active one stands out; its name is in the corner.
        own.mix(Colour::SELECTED, 0.55)
    } else {
        own
    };
    Some(Actor {
        id,
        time_map: cx.time_map(id, &clip),
        clip,
        analysis,
        placement: Placement::as_is(),
        is_active,
        group: group(cx, id),
        turn: None,
        colour,
    })
}

/// Takes, variants, then each kind of motion that they are compared with.
fn group(cx: &UiContext, id: StageId) -> usize {
    match cx.compared_on_stage(id) {
        Some(kind) => 2 + kind as usize,
        None => usize::from(cx.variant_on_stage(id).is_some()),
    }
}

/// Brings all to the units, the up axis and the floor of the first, and sets them out.
fn bring_together(actors: &mut [Actor], options: &ViewOptions) {
    let Some(first) = actors.first() else {
        return;
    };
    let up = first.clip.info.up;
    let analysis = Arc::clone(&first.analysis);
    for actor in actors.iter_mut() {
        let scale = in_units_of(&analysis, &actor.analysis);
        let turn = onto(actor.clip.info.up, up);
        // Where a clip lies as it is, its own height counts: it may be on a step.
        let is_as_is = scale == 1.0 && turn.is_none();
        let lift = if is_as_is && options.arrangement == Arrangement::Overlaid {
            0.0
        } else {
            analysis.floor - scale * actor.analysis.floor
        };
        actor.turn = turn;
        actor.placement = Placement {
            offset: up.vector() * lift,
            scale,
        };
    }
    let steps = match options.arrangement {
        Arrangement::Overlaid => return,
        Arrangement::SideBySide => arrange::side_by_side(actors.len()),
        Arrangement::Grid => {
            let groups = actors.chunk_by(|a, b| a.group == b.group);
            arrange::grouped(&groups.map(<[Actor]>::len).collect::<Vec<usize>>())
        }
    };
    set_out(actors, &steps, &analysis, up);
}

/// How much larger a clip has to be; bodies of about the same size stay as they are.
fn in_units_of(first: &ClipAnalysis, analysis: &ClipAnalysis) -> f64 {
    const OTHER_UNIT: f64 = 2.0;
    let ratio = first.mannequin.height() / analysis.mannequin.height();
    let is_other = ratio.is_finite() && !(1.0 / OTHER_UNIT..=OTHER_UNIT).contains(&ratio);
    if is_other { ratio } else { 1.0 }
}

/// The turn from one up axis to another that keeps forward forward.
fn onto(from: Axis, to: Axis) -> Option<Quat> {
    let from_y = |axis: Axis| align(&Vec3::y(), &axis.vector());
    (from != to).then(|| from_y(to) * from_y(from).inverse())
}

/// All start in rows across the way the first one faces.
fn set_out(actors: &mut [Actor], steps: &[arrange::GridOffset], first: &ClipAnalysis, up: Axis) {
    let space = 0.75 * first.mannequin.height();
    let across = turn(up, first.heading_rad) * left(up);
    let ahead = turn(up, first.heading_rad) * forward(up);
    for (actor, step) in actors.iter_mut().zip(steps) {
        let start = actor.root_at(0.0);
        let flat = start - up.vector() * up.along(&start);
        // Seen from the front, the character's left is on the right of the picture.
        let aside = across * (step.right * space) + ahead * (step.front * 1.3 * space);
        actor.placement.offset += aside - flat;
    }
}

/// Where the active character is.
pub(in crate::app) fn followed(actors: &[Actor], secs: f64) -> Option<Vec3> {
    let active = actors.iter().find(|actor| actor.is_active);
    active.map(|actor| actor.root_at(secs))
}

/// Balls around the joints of all on their whole way, from some moments of it.
pub(in crate::app) fn whole_way(actors: &[Actor], length_secs: f64) -> Vec<(Vec3, f64)> {
    const MOMENTS: usize = 24;
    let moments = (0..=MOMENTS).map(|i| length_secs * i as f64 / MOMENTS as f64);
    let balls = moments.flat_map(|secs| {
        actors.iter().flat_map(move |actor| {
            let radius = 0.06 * actor.analysis.mannequin.height() * actor.placement.scale;
            let places = actor.pose_at(secs).positions;
            let place = move |p: &Vec3| (actor.placement.apply(p), radius);
            places.iter().map(place).collect::<Vec<_>>()
        })
    });
    balls.collect()
}

/// The scene at the playhead. Its first characters are the actors, in their order; ghosts come behind them.
pub(in crate::app) fn scene(
    cx: &UiContext,
    viewport: &ViewportState,
    actors: &[Actor],
    size: Size,
    is_dark: bool,
    camera: Option<Camera>,
) -> Option<Scene> {
    let first = actors.first()?;
    let options = &cx.preferences.view;
    let secs = cx.stage_secs();
    let characters: Vec<Character> = actors
        .iter()
        .map(|actor| {
            let is_faint = !actor.is_active && actors.len() > 1;
            let opacity = if cx.ghost_on_stage(actor.id).is_some() {
                GHOST_OPACITY
            } else if is_faint {
                options.others_opacity
            } else {
                1.0
            };
            let mut character = actor.character(actor.pose_at(secs), opacity.clamp(0.05, 1.0));
            let picked = cx.session.joint.filter(|pick| pick.clip == actor.id);
            character.highlight = picked.map(|pick| pick.joint);
            character
        })
        .collect();
    let marks: Vec<Mark> = if options.shows_contacts {
        let both = actors.iter().zip(&characters);
        // What plays live is one frame, of which nobody knows which feet stand.
        let known = both.filter(|(actor, _)| actor.clip.n_frames() > 1);
        known
            .flat_map(|(actor, character)| marks_of(actor, character, secs, is_dark))
            .collect()
    } else {
        Vec::new()
    };
    let up = first.clip.info.up;
    let heading = first.analysis.heading_rad;
    // Ghosts are left out here, so that switching them on does not move the first camera.
    let view = View::ThreeQuarter;
    let mut scene = Scene::of(characters, up, first.analysis.floor, view, heading, size);
    scene.marks = marks;
    scene.trails = actors
        .iter()
        .flat_map(|actor| trails_of((cx, viewport), actor, secs, is_dark))
        .chain(
            actors
                .iter()
                .filter_map(|actor| root_way(cx, actor, is_dark)),
        )
        .collect();
    if options.shows_ghosts {
        let active = actors.iter().filter(|actor| actor.is_active);
        let ghosts = active.flat_map(|actor| ghosts_of(actor, options, secs));
        scene.characters.extend(ghosts);
    }
    // After a clip with another axis up the old camera would lie on its side.
    if let Some(camera) = camera.filter(|camera| camera.up == up) {
        scene.camera = camera;
    }
    scene.backdrop = Backdrop::of(is_dark);
    scene.ground.is_shown = options.shows_floor;
    Some(scene)
}

/// Other frames of the clip, fainter the farther they are from now.
fn ghosts_of(actor: &Actor, options: &ViewOptions, secs: f64) -> Vec<Character> {
    const STRONGEST: f32 = 0.42;
    let n = options.n_ghosts.clamp(1, ViewOptions::MOST_GHOSTS);
    let step = options.ghost_frames.max(1) as f64;
    let now = actor.time_map.frame_at(secs);
    let last = (actor.clip.n_frames() - 1) as f64;
    let away = (1..=n).flat_map(|number| [-1.0, 1.0].map(|side| (number, side)));
    away.filter_map(|(number, side)| {
        let frame = now + side * step * number as f64;
        let opacity = STRONGEST * (1.0 - (number - 1) as f32 / n as f32);
        (0.0..=last)
            .contains(&frame)
            .then(|| actor.character(actor.pose_at_frame(frame), opacity))
    })
    .collect()
}

/// The ways of the chosen joints around now.
fn trails_of(
    (cx, viewport): (&UiContext, &ViewportState),
    actor: &Actor,
    secs: f64,
    is_dark: bool,
) -> Vec<Trail> {
    let options = &cx.preferences.view;
    let ways = viewport.paths.of(actor.id, &actor.clip);
    let Some(ways) = ways.filter(|_| options.shows_trails) else {
        return Vec::new();
    };
    let reach_secs = options
        .trail_secs
        .clamp(0.0, ViewOptions::LONGEST_TRAIL_SECS);
    let reach = ((reach_secs * actor.clip.fps()) as usize).max(1);
    let now = actor.time_map.frame_at(secs).round() as usize;
    let now = now.min(actor.clip.n_frames() - 1);
    let from = now.saturating_sub(reach);
    ways.iter()
        .filter_map(|(_, points)| {
            let to = (now + reach + 1).min(points.len());
            let around = points.get(from..to)?;
            Some(Trail {
                points: around.iter().map(|place| actor.place(place)).collect(),
                colour: actor.colour.standing_out(is_dark),
                now: Some(now - from),
                width_px: 2.5,
            })
        })
        .collect()
}

/// Where the root of a played motion goes around the transition that is looked at, or would go on either side of it.
fn root_way(cx: &UiContext, actor: &Actor, is_dark: bool) -> Option<Trail> {
    let played = cx.played_on_stage(actor.id).map(|played| &played.way);
    let way = played.or_else(|| cx.ghost_on_stage(actor.id).map(|ghost| &ghost.way))?;
    (way.len() > 1).then(|| Trail {
        points: way.iter().map(|place| actor.place(place)).collect(),
        colour: actor.colour.standing_out(is_dark),
        now: None,
        width_px: 2.5,
    })
}

/// Rings under what touches the floor now.
fn marks_of<'a>(
    actor: &'a Actor,
    character: &'a Character,
    secs: f64,
    is_dark: bool,
) -> impl Iterator<Item = Mark> + 'a {
    let frame = actor.time_map.frame_at(secs) as usize;
    let frame = frame.min(actor.clip.n_frames() - 1);
    let now = actor.analysis.contacts.iter();
    now.filter(move |c| c.frames.contains(&frame))
        .filter_map(move |c| {
            let place = character.pose.positions.get(c.joint)?;
            Some(Mark {
                place: actor.placement.apply(place),
                radius: 0.045 * character.height(),
                colour: Backdrop::of(is_dark).ink,
            })
        })
}

/// Where the active character faces at the start, for views that have a name.
pub(in crate::app) fn facing_rad(actors: &[Actor]) -> Option<f64> {
    let active = actors.iter().find(|actor| actor.is_active);
    active.map(|actor| actor.analysis.heading_rad)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::edit;

    #[test]
    fn a_clip_of_another_up_axis_is_turned_as_the_edit_would() {
        let clip = crate::demo::make(crate::demo::Action::Walk, 1, 0).clip;
        for from in Axis::all() {
            let turned = edit::set_up(&clip, from).unwrap();
            let back = onto(from, clip.info.up);
            assert_eq!(back.is_none(), from == clip.info.up, "{from}");
            let pose = WorldPose::of(turned.skeleton(), turned.frame(20));
            let wanted = WorldPose::of(clip.skeleton(), clip.frame(20));
            for (place, wanted) in pose.positions.iter().zip(&wanted.positions) {
                let place = back.map_or(*place, |turn| turn * place);
                let off = (place - wanted).norm();
                assert!(off < 1e-9, "{from}: off by {off}");
            }
        }
    }
}
