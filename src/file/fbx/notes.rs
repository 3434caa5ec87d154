//! What was not read, and what was changed on the way.

use ufbx::Scene;

use super::bones::Found;
use super::scene::quat;
use crate::motion::{Axis, Dim, Note, NoteKind, Vec3};

/// Names in a note; more are counted.
const MOST_NAMES: usize = 4;

pub(super) fn dropped(scene: &Scene, found: &Found<'_>) -> Vec<Note> {
    let noticed = |text: String| Note::new(NoteKind::Noticed, text);
    let mut notes = vec![noticed(axes_and_units(scene))];
    let counts = [
        (scene.meshes.len(), "mesh", "meshes"),
        (scene.blend_channels.len(), "blend shape", "blend shapes"),
        (scene.cameras.len(), "camera", "cameras"),
        (scene.lights.len(), "light", "lights"),
    ];
    let left_out: Vec<String> = counts
        .into_iter()
        .filter(|(n, _, _)| *n > 0)
        .map(|(n, one, many)| format!("{n} {}", if n == 1 { one } else { many }))
        .collect();
    if !left_out.is_empty() {
        notes.push(noticed(format!("not read: {}", left_out.join(", "))));
    }
    let n_constraints = scene.constraints.len();
    if n_constraints > 0 {
        notes.push(noticed(format!(
            "{n_constraints} constraints are not carried out: what they would move stands as it is keyed"
        )));
    }
    if !found.loose.is_empty() {
        let names: Vec<String> = found
            .loose
            .iter()
            .take(MOST_NAMES)
            .map(|node| format!("\"{}\"", node.element.name))
            .collect();
        let more = match found.loose.len() - names.len() {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        let names = names.join(", ");
        notes.push(noticed(format!(
            "bones beside the skeleton are left out: {names}{more}"
        )));
    }
    if found.is_without_bones {
        let text = "the file has no bones; its animated objects are taken as joints";
        notes.push(Note::new(NoteKind::Guessed, text));
    }
    notes
}

fn axes_and_units(scene: &Scene) -> String {
    let (rotation, scale) = (
        quat(&scene.metadata.root_rotation),
        scene.metadata.root_scale,
    );
    let turned = if rotation.angle() < 1e-9 {
        "Y is up".to_owned()
    } else {
        // Where up was before the scene was turned.
        let was = rotation.inverse() * Vec3::y();
        let dim = Dim::ALL[was.abs().imax()];
        let axis = Axis {
            dim,
            negative: was[dim.index()] < 0.0,
        };
        format!("{axis} was up and is Y now")
    };
    let unit = if (scale - 1.0).abs() < 1e-9 {
        "lengths are centimetres".to_owned()
    } else {
        format!("lengths were units of {scale:.4} cm and are centimetres now")
    };
    format!("{turned}, {unit}")
}
