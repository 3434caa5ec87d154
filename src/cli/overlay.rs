//! Clips over each other at equal shares of their time: what a motion and its variants have in common, and what not.

use std::sync::Arc;

use super::scene_args::SceneArgs;
use crate::app::render::{Character, Colour, Mannequin, Placement, Scene};
use crate::motion::heading::{body_root, left, turn};
use crate::motion::{Clip, Vec3, edit};

/// So many moments stand side by side.
const MOMENTS: usize = 5;
/// From one to the next, in body heights.
const APART: f64 = 0.75;
/// Bodies shine through each other.
const OPACITY: f32 = 0.4;

/// The scene of given clips in blue and generated ones in orange. Every body begins over the same place, facing the
/// same way; travel is taken out.
pub(super) fn overlay(
    given: &[Clip],
    generated: &[Clip],
    seen: &SceneArgs,
) -> anyhow::Result<Scene> {
    let all = given.iter().map(|clip| (clip, Colour::GIVEN));
    let all = all.chain(generated.iter().map(|clip| (clip, Colour::GENERATED)));
    let Some(first) = given.first().or(generated.first()) else {
        anyhow::bail!("there is no clip to show");
    };
    let up = first.info.up;
    let empty = Scene::of(Vec::new(), up, 0.0, seen.view, 0.0, seen.size);
    // The right of the picture.
    let right = turn(up, empty.camera.yaw_rad) * left(up);
    let tall = Mannequin::of(first).height();
    let mut characters = Vec::new();
    for (clip, colour) in all {
        let clip = edit::set_up(clip, up)?;
        let clip = edit::align(&clip, &edit::Placement::at_origin(0))?;
        let mannequin = Arc::new(Mannequin::of(&clip));
        let floor = up.vector() * edit::find_floor(&clip).height;
        let root = body_root(&[&clip]);
        for moment in 0..MOMENTS {
            let share = moment as f64 / (MOMENTS - 1) as f64;
            let frame = (share * (clip.n_frames() - 1) as f64).round() as usize;
            let drawn = Character::new(&mannequin, clip.skeleton(), clip.frame(frame), colour);
            let place = drawn.pose.positions[root];
            let over: Vec3 = place - up.vector() * up.along(&place);
            let scale = tall / mannequin.height();
            characters.push(Character {
                placement: Placement {
                    offset: right * (moment as f64 * APART * tall) - (over + floor) * scale,
                    scale,
                },
                opacity: OPACITY,
                ..drawn
            });
        }
    }
    let scene = Scene::of(characters, up, 0.0, seen.view, 0.0, seen.size);
    Ok(Scene {
        backdrop: seen.backdrop,
        ..scene
    })
}
