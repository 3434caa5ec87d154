//! Posed characters, between the document and `project.ron`. Numbers come back bit by bit.

use std::sync::Arc;

use super::{PROJECT_FILE, Problem, v1};
use crate::document::{Learned, Model, ModelId, Pin, PinMode, Posed, PosedId};
use crate::motion::{Axis, Pose, Quat, Site, Skeleton, Vec3};

pub(super) fn posed_to(id: PosedId, posed: &Posed, skeleton: usize) -> v1::Posed {
    let pin = |pin: &Pin| v1::Pin {
        site: site_to(pin.site),
        position: mode_to(pin.position),
        rotation: mode_to(pin.rotation),
        place: pin.place.into(),
        turn: turn_to(&pin.turn),
    };
    v1::Posed {
        id: id.0,
        name: posed.name.clone(),
        skeleton,
        up: posed.up.to_string(),
        floor: posed.floor,
        pose: pose_to(&posed.pose),
        pins: posed.pins.iter().map(pin).collect(),
        styles: posed.styles.iter().map(|(id, w)| (id.0, *w)).collect(),
    }
}

pub(super) fn pose_to(pose: &Pose) -> v1::Pose {
    v1::Pose {
        translations: pose.translations.iter().map(|t| (*t).into()).collect(),
        rotations: pose.rotations.iter().map(turn_to).collect(),
    }
}

/// Whether it fits a skeleton is checked by the document.
pub(super) fn pose_from(mirror: &v1::Pose) -> Result<Pose, &'static str> {
    let rotations = mirror.rotations.iter().map(turn_from);
    let rotations: Option<Vec<Quat>> = rotations.collect();
    Ok(Pose {
        translations: mirror.translations.iter().map(|t| Vec3::from(*t)).collect(),
        rotations: rotations.ok_or("a joint's turn is no turn")?,
    })
}

/// The characters; those that cannot be are left out and named.
pub(super) fn all_from(
    mirrors: Vec<v1::Posed>,
    skeletons: &[MaybeSkeleton],
    models: &[Model],
    problems: &mut Vec<Problem>,
) -> Vec<(PosedId, Arc<Posed>)> {
    let mut all = Vec::with_capacity(mirrors.len());
    for mirror in mirrors {
        let mut say = |text: String| {
            let text = format!("character \"{}\" {text}", mirror.name);
            problems.push(Problem::new(PROJECT_FILE, text));
        };
        match one_from(&mirror, skeletons) {
            Ok(mut posed) => {
                let is_style = |id: ModelId| {
                    let style = models.iter().find(|model| model.id == id);
                    style.is_some_and(|model| matches!(model.learned, Learned::Style(_)))
                };
                if !posed.styles.iter().all(|(id, _)| is_style(*id)) {
                    say("has lost a style that could not be read".to_owned());
                    posed.styles.retain(|(id, _)| is_style(*id));
                }
                all.push((PosedId(mirror.id), Arc::new(posed)));
            }
            Err(why) => say(format!("is left out: {why}")),
        }
    }
    all
}

fn one_from(mirror: &v1::Posed, skeletons: &[MaybeSkeleton]) -> Result<Posed, String> {
    let skeleton = match skeletons.get(mirror.skeleton) {
        Some(Ok(skeleton)) => Arc::clone(skeleton),
        Some(Err(why)) => return Err(format!("its skeleton is broken: {why}")),
        None => return Err(format!("there is no skeleton {}", mirror.skeleton)),
    };
    let pin = |pin: &v1::Pin| {
        Some(Pin {
            site: site_from(pin.site),
            position: mode_from(pin.position),
            rotation: mode_from(pin.rotation),
            place: Vec3::from(pin.place),
            turn: turn_from(&pin.turn)?,
        })
    };
    let pins: Option<Vec<Pin>> = mirror.pins.iter().map(pin).collect();
    let mut pins = pins.ok_or("a pin's turn is no turn")?;
    pins.sort_by_key(|pin| pin.site);
    let styles = mirror.styles.iter();
    let posed = Posed {
        name: mirror.name.clone(),
        skeleton,
        up: mirror
            .up
            .parse::<Axis>()
            .map_err(|error| error.to_string())?,
        floor: mirror.floor,
        pose: pose_from(&mirror.pose)?,
        pins,
        styles: styles.map(|(id, weight)| (ModelId(*id), *weight)).collect(),
    };
    match posed.flaw() {
        Some(why) => Err(why.to_owned()),
        None => Ok(posed),
    }
}

pub(super) const fn site_to(site: Site) -> v1::Site {
    match site {
        Site::Joint(joint) => v1::Site::Joint(joint),
        Site::End(end) => v1::Site::End(end),
    }
}

pub(super) const fn site_from(site: v1::Site) -> Site {
    match site {
        v1::Site::Joint(joint) => Site::Joint(joint),
        v1::Site::End(end) => Site::End(end),
    }
}

pub(super) fn turn_to(turn: &Quat) -> [f64; 4] {
    [turn.w, turn.i, turn.j, turn.k]
}

/// Bit by bit if it is one; anything near is made one.
pub(super) fn turn_from(&[w, x, y, z]: &[f64; 4]) -> Option<Quat> {
    let turn = nalgebra::Quaternion::new(w, x, y, z);
    let norm = turn.norm();
    if (norm - 1.0).abs() < 1e-9 {
        Some(Quat::new_unchecked(turn))
    } else {
        (norm.is_finite() && norm > 1e-3).then(|| Quat::new_normalize(turn))
    }
}

const fn mode_to(mode: PinMode) -> v1::PinMode {
    match mode {
        PinMode::Free => v1::PinMode::Free,
        PinMode::Soft => v1::PinMode::Soft,
        PinMode::Hard => v1::PinMode::Hard,
    }
}

const fn mode_from(mode: v1::PinMode) -> PinMode {
    match mode {
        v1::PinMode::Free => PinMode::Free,
        v1::PinMode::Soft => PinMode::Soft,
        v1::PinMode::Hard => PinMode::Hard,
    }
}

pub(super) type MaybeSkeleton = Result<Arc<Skeleton>, String>;
