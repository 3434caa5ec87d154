//! The posed characters as a scene for the renderer.

use crate::app::pose::Figure;
use crate::app::pose::state::PoseWorkspace;
use crate::app::render::{Backdrop, Camera, Character, Colour, Scene, Size, View};
use crate::app::shell::context::UiContext;
use crate::document::{Posed, PosedId};
use crate::motion::{Pose, WorldPose};

/// The skin of a character that is being posed: calm, so that handles stand out on it.
const SKIN: Colour = Colour::rgb(0xc9, 0xb8, 0xa6);

/// The scene, and which of its characters is which; the active one comes first. None until it can be drawn.
pub(in crate::app::pose) fn scene(
    cx: &UiContext,
    pose: &PoseWorkspace,
    active: (PosedId, &Posed),
    size: Size,
    is_dark: bool,
) -> Option<(Scene, Vec<PosedId>)> {
    let (id, posed) = active;
    let figure = pose.figure(&posed.skeleton)?;
    let extra = pose.extras.shown();
    let fits = |pose: &&Pose| {
        pose.rotations.len() == posed.skeleton.n_joints()
            && pose.translations.len() == posed.skeleton.translating().len()
    };
    let shown = extra.instead.as_ref().filter(fits).unwrap_or(&posed.pose);
    let mut characters = vec![character(figure, posed, shown, SKIN, 1.0)];
    let mut ids = vec![id];
    for (other, posed) in cx.document().posed().iter().filter(|(o, _)| *o != id) {
        if let Some(figure) = pose.figure(&posed.skeleton) {
            let faint = cx.preferences.view.others_opacity.clamp(0.05, 1.0);
            characters.push(character(figure, posed, &posed.pose, Colour::GIVEN, faint));
            ids.push(*other);
        }
    }
    let world = WorldPose::of(&posed.skeleton, posed.pose.as_ref());
    let heading = figure.rig.heading_rad(&world, posed.up);
    let view = View::ThreeQuarter;
    let mut scene = Scene::of(characters, posed.up, posed.floor, view, heading, size);
    let ghosts = extra.ghosts.iter().filter(|ghost| fits(&&ghost.pose));
    let ghosts = ghosts.map(|g| character(figure, posed, &g.pose, g.colour, g.opacity));
    scene.characters.extend(ghosts);
    scene.trails.clone_from(&extra.trails);
    scene.light_yaw_rad = heading - 0.3;
    if let Some(camera) = usable(cx.session.camera, posed) {
        scene.camera = camera;
    }
    scene.backdrop = if is_dark {
        Backdrop::DARK
    } else {
        Backdrop::LIGHT
    };
    scene.ground.is_shown = cx.preferences.view.shows_floor;
    Some((scene, ids))
}

/// After a character with another axis up the old camera would lie on its side.
fn usable(camera: Option<Camera>, posed: &Posed) -> Option<Camera> {
    camera.filter(|camera| camera.up == posed.up)
}

fn character(
    figure: &Figure,
    posed: &Posed,
    pose: &Pose,
    colour: Colour,
    opacity: f32,
) -> Character {
    let mut character = Character::new(&figure.mannequin, &posed.skeleton, pose.as_ref(), colour);
    character.opacity = opacity;
    character
}
