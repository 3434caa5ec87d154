//! Paths on the floor, between the document and `project.ron`.

use std::sync::Arc;

use super::{PROJECT_FILE, Problem, v1};
use crate::document::{DrawnPath, Learned, Model, ModelId, PathId};
use crate::motion::path::PathPoint;

pub(super) fn path_to(id: PathId, path: &DrawnPath) -> v1::FloorPath {
    let point = |point: &PathPoint| {
        let action = point.action.clone().unwrap_or_default();
        (point.at.x, point.at.y, action)
    };
    v1::FloorPath {
        id: id.0,
        name: path.name.clone(),
        texture: path.texture.map(|id| id.0),
        points: path.points.iter().map(point).collect(),
        actions: path.actions.clone(),
        radius: path.radius,
        amount: path.amount,
        seed: path.seed,
    }
}

/// The paths; those that cannot be are left out and named. One whose texture could not be read waits for another.
pub(super) fn paths_from(
    mirrors: Vec<v1::FloorPath>,
    models: &[Model],
    problems: &mut Vec<Problem>,
) -> Vec<(PathId, Arc<DrawnPath>)> {
    let is_texture = |id: u64| {
        let mut models = models.iter();
        models.any(|m| m.id.0 == id && matches!(m.learned, Learned::Texture(_)))
    };
    let mut paths = Vec::with_capacity(mirrors.len());
    for mirror in mirrors {
        let texture = mirror.texture.filter(|id| is_texture(*id));
        let point = |(x, y, action): (f64, f64, String)| PathPoint {
            action: (!action.is_empty()).then_some(action),
            ..PathPoint::at(x, y)
        };
        let path = DrawnPath {
            name: mirror.name,
            texture: texture.map(ModelId),
            points: mirror.points.into_iter().map(point).collect(),
            actions: mirror.actions,
            radius: mirror.radius,
            amount: mirror.amount,
            seed: mirror.seed,
        };
        let said = if let Some(why) = path.flaw() {
            Some(format!("path \"{}\" is left out: {why}", path.name))
        } else {
            let has_lost = mirror.texture.is_some() && path.texture.is_none();
            let text = format!("path \"{}\": its motion texture is missing", path.name);
            paths.push((PathId(mirror.id), Arc::new(path)));
            has_lost.then_some(text)
        };
        problems.extend(said.map(|text| Problem::new(PROJECT_FILE, text)));
    }
    paths
}
