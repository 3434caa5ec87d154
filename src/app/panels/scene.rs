//! The selected clips at the playhead as a scene for the renderer.

use std::sync::Arc;

use crate::app::session::Arrangement;
use crate::app::studio::Studio;
use crate::app::viewport::{
    Backdrop, Camera, Character, Colour, Mark, Placement, Scene, Size, View, arrange,
};
use crate::app::work::facts::Facts;
use crate::document::ClipId;
use crate::motion::heading::{forward, left, turn};
use crate::motion::{Clip, Vec3, WorldPose};

/// A clip with what is known about it.
pub(super) struct Actor {
    pub(super) clip: Arc<Clip>,
    pub(super) facts: Arc<Facts>,
    pub(super) placement: Placement,
}

/// The selected clips that can be shown together: known, and with the same axis up as the active one, which is first.
pub(super) fn actors(studio: &Studio) -> Vec<Actor> {
    let known = |(id, clip): (ClipId, Arc<Clip>)| {
        let facts = Arc::clone(studio.facts.of(id, &clip)?);
        Some((clip, facts))
    };
    let mut shown = studio.on_stage().into_iter();
    let Some(first) = shown.next().and_then(known) else {
        return Vec::new();
    };
    let up = first.0.info.up;
    let others = shown
        .filter_map(known)
        .filter(|(clip, _)| clip.info.up == up);
    let mut actors: Vec<Actor> = std::iter::once(first.clone())
        .chain(others)
        .map(|(clip, facts)| Actor {
            placement: in_units_of(&first.1, &facts),
            clip,
            facts,
        })
        .collect();
    if studio.session.arrangement == Arrangement::SideBySide {
        in_a_row(&mut actors);
    }
    actors
}

/// Clips in other units are brought to the size of the first; bodies of about the same size stay as they are.
fn in_units_of(first: &Facts, facts: &Facts) -> Placement {
    const OTHER_UNIT: f64 = 2.0;
    let ratio = first.mannequin.height() / facts.mannequin.height();
    let is_other = ratio.is_finite() && !(1.0 / OTHER_UNIT..=OTHER_UNIT).contains(&ratio);
    Placement {
        scale: if is_other { ratio } else { 1.0 },
        ..Placement::as_is()
    }
}

/// All start in one row across the way the first one faces.
fn in_a_row(actors: &mut [Actor]) {
    let Some(first) = actors.first() else {
        return;
    };
    let up = first.clip.info.up;
    let space = 0.75 * first.facts.mannequin.height();
    let across = turn(up, first.facts.heading_rad) * left(up);
    let steps = arrange::side_by_side(actors.len());
    for (actor, step) in actors.iter_mut().zip(steps) {
        let start = root_at(actor, 0.0);
        let height = up.vector() * up.vector().dot(&start);
        // Seen from the front, the character's left is on the right of the picture.
        actor.placement.offset = across * (step.right * space) - (start - height);
    }
}

fn pose_at(actor: &Actor, secs: f64) -> WorldPose {
    let pose = actor.clip.pose_at(secs * actor.clip.fps());
    WorldPose::of(actor.clip.skeleton(), pose.as_ref())
}

fn root_at(actor: &Actor, secs: f64) -> Vec3 {
    let world = pose_at(actor, secs);
    let place = world.positions.get(actor.facts.root).copied();
    actor.placement.apply(&place.unwrap_or_default())
}

/// Where the active character is.
pub(super) fn followed(actors: &[Actor], secs: f64) -> Option<Vec3> {
    actors.first().map(|actor| root_at(actor, secs))
}

/// Balls around the joints of all on their whole way, from some moments of it.
pub(super) fn whole_way(actors: &[Actor], length_secs: f64) -> Vec<(Vec3, f64)> {
    const MOMENTS: usize = 24;
    let moments = (0..=MOMENTS).map(|i| length_secs * i as f64 / MOMENTS as f64);
    let balls = moments.flat_map(|secs| {
        actors.iter().flat_map(move |actor| {
            let scale = actor.placement.scale;
            let radius = 0.06 * actor.facts.mannequin.height() * scale;
            let places = pose_at(actor, secs).positions;
            let place = move |p: &Vec3| (actor.placement.apply(p), radius);
            places.iter().map(place).collect::<Vec<_>>()
        })
    });
    balls.collect()
}

/// The scene at a moment.
pub(super) fn scene(
    studio: &Studio,
    actors: &[Actor],
    size: Size,
    is_dark: bool,
    camera: Option<Camera>,
) -> Option<Scene> {
    let first = actors.first()?;
    let secs = studio.stage_secs();
    let characters: Vec<Character> = actors
        .iter()
        .map(|actor| Character {
            mannequin: Arc::clone(&actor.facts.mannequin),
            pose: pose_at(actor, secs),
            placement: actor.placement,
            colour: if Arc::ptr_eq(&actor.clip, &first.clip) && actors.len() > 1 {
                // Among several the active one stands out; its name is in the corner.
                Colour::GIVEN.mix(Colour::SELECTED, 0.55)
            } else {
                Colour::GIVEN
            },
            opacity: 1.0,
            highlight: None,
        })
        .collect();
    let marks = actors.iter().zip(&characters);
    let marks = marks.flat_map(|(actor, character)| marks_of(actor, character, secs));
    let marks: Vec<Mark> = marks.collect();
    let up = first.clip.info.up;
    let heading = first.facts.heading_rad;
    let mut scene = Scene::of(
        characters,
        up,
        first.facts.floor,
        View::ThreeQuarter,
        heading,
        size,
    );
    scene.marks = marks;
    // After a clip with another axis up the old camera would lie on its side.
    if let Some(camera) = camera.filter(|camera| camera.up == up) {
        scene.camera = camera;
    }
    scene.backdrop = if is_dark {
        Backdrop::DARK
    } else {
        Backdrop::LIGHT
    };
    Some(scene)
}

/// Rings under what touches the floor now.
fn marks_of<'a>(
    actor: &'a Actor,
    character: &'a Character,
    secs: f64,
) -> impl Iterator<Item = Mark> + 'a {
    let frame = (secs * actor.clip.fps()) as usize;
    let now = actor.facts.contacts.iter();
    now.filter(move |c| c.frames.contains(&frame))
        .filter_map(|c| {
            let place = character.pose.positions.get(c.joint)?;
            Some(Mark {
                place: actor.placement.apply(place),
                radius: 0.045 * character.height(),
                colour: Colour::SELECTED,
            })
        })
}

/// Where the first character faces, for views that have a name.
pub(super) fn facing(actors: &[Actor]) -> Option<(f64, Vec3)> {
    let first = actors.first()?;
    let up = first.clip.info.up;
    let heading = first.facts.heading_rad;
    Some((heading, turn(up, heading) * forward(up)))
}
