//! Keyframes and pictures of posed characters, between the document and `project.ron`.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::posed::{pose_from, pose_to, site_from, site_to, turn_from, turn_to};
use super::{PROJECT_FILE, Problem, v1};
use crate::document::{
    HandlePath, HandlePathKey, Keying, Learned, Model, ModelId, PhotoCamera, Picture, PictureFile,
    PoseKey, Posed, PosedId, SeenSite, StyleRange,
};
use crate::motion::Vec3;

pub(super) fn keying_to(id: PosedId, keying: &Keying) -> v1::Keying {
    let path_key = |key: &HandlePathKey| v1::WayKey {
        frame: key.frame,
        place: key.place.map(Into::into),
        tangent: key.tangent.map(Into::into),
    };
    let path = |path: &HandlePath| v1::Way {
        site: site_to(path.site),
        keys: path.keys.iter().map(path_key).collect(),
    };
    let range = |range: &StyleRange| v1::Stretch {
        from: range.from,
        styles: range.styles.iter().map(|(id, w)| (id.0, *w)).collect(),
    };
    v1::Keying {
        character: id.0,
        fps: keying.fps,
        frames: keying.n_frames,
        keys: keying
            .keys
            .iter()
            .map(|key| (key.frame, pose_to(&key.pose)))
            .collect(),
        ways: keying.paths.iter().map(path).collect(),
        stretches: keying.style_ranges.iter().map(range).collect(),
    }
}

/// The keyframes of the characters that are there; those that cannot be are left out and named.
pub(super) fn keyings_from(
    mirrors: Vec<v1::Keying>,
    posed: &[(PosedId, Arc<Posed>)],
    models: &[Model],
    problems: &mut Vec<Problem>,
) -> BTreeMap<PosedId, Arc<Keying>> {
    let mut keyings = BTreeMap::new();
    for mirror in mirrors {
        let id = PosedId(mirror.character);
        let Some((_, character)) = posed.iter().find(|(other, _)| *other == id) else {
            let text = "keyframes are left out: their character is not there";
            problems.push(Problem::new(PROJECT_FILE, text));
            continue;
        };
        let keying = keying_from(mirror, models).and_then(|keying| {
            let flaw = keying.flaw(&character.skeleton);
            flaw.map_or(Ok(keying), Err)
        });
        match keying {
            Ok(keying) => {
                keyings.insert(id, Arc::new(keying));
            }
            Err(why) => {
                let text = format!("keyframes of \"{}\" are left out: {why}", character.name);
                problems.push(Problem::new(PROJECT_FILE, text));
            }
        }
    }
    keyings
}

fn keying_from(mirror: v1::Keying, models: &[Model]) -> Result<Keying, &'static str> {
    let key = |(frame, pose): (usize, v1::Pose)| {
        let pose = pose_from(&pose)?;
        Ok(PoseKey { frame, pose })
    };
    let path_key = |key: v1::WayKey| HandlePathKey {
        frame: key.frame,
        place: key.place.map(Vec3::from),
        tangent: key.tangent.map(Vec3::from),
    };
    let path = |path: v1::Way| HandlePath {
        site: site_from(path.site),
        keys: path.keys.into_iter().map(path_key).collect(),
    };
    // A style that could not be read leaves its range to the others.
    let is_style = |id: u64| {
        let mut models = models.iter();
        models.any(|m| m.id.0 == id && matches!(m.learned, Learned::Style(_)))
    };
    let range = |range: v1::Stretch| StyleRange {
        from: range.from,
        styles: range
            .styles
            .into_iter()
            .filter(|(id, _)| is_style(*id))
            .map(|(id, weight)| (ModelId(id), weight))
            .collect(),
    };
    let keys: Result<Vec<PoseKey>, &'static str> = mirror.keys.into_iter().map(key).collect();
    Ok(Keying {
        fps: mirror.fps,
        n_frames: mirror.frames,
        keys: keys?,
        paths: mirror.ways.into_iter().map(path).collect(),
        style_ranges: mirror.stretches.into_iter().map(range).collect(),
    })
}

pub(super) fn picture_to(id: PosedId, picture: &Picture, file: &str) -> v1::Picture {
    let seen = |seen: &SeenSite| v1::Seen {
        site: site_to(seen.site),
        at: seen.at,
        on_floor: seen.is_on_floor,
    };
    v1::Picture {
        character: id.0,
        name: picture.file.name.clone(),
        file: file.to_owned(),
        eye: picture.lens.eye.into(),
        turn: turn_to(&picture.lens.rotation),
        field_of_view: picture.lens.field_of_view_rad,
        seen: picture.seen.iter().map(seen).collect(),
    }
}

pub(super) fn picture_from(
    mirror: &v1::Picture,
    file: Arc<PictureFile>,
    posed: &Posed,
) -> Result<Picture, &'static str> {
    let seen = |seen: &v1::Seen| SeenSite {
        site: site_from(seen.site),
        at: seen.at,
        is_on_floor: seen.on_floor,
    };
    let picture = Picture {
        file,
        lens: PhotoCamera {
            eye: Vec3::from(mirror.eye),
            rotation: turn_from(&mirror.turn).ok_or("its camera is turned nowhere")?,
            field_of_view_rad: mirror.field_of_view,
        },
        seen: mirror.seen.iter().map(seen).collect(),
    };
    match picture.flaw(&posed.skeleton) {
        Some(why) => Err(why),
        None => Ok(picture),
    }
}
