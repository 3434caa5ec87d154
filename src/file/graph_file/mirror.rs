//! Conversion between a graph's parts and its file, by hand, so that either can change without the other.

use std::sync::Arc;

use super::{GraphFileError, MOST_PATHS, VERSION, v1};
use crate::file::inline_clip::{self, SharedClipData, quat_from};
use crate::file::project::Skeletons;
use crate::motion::join::Rig;
use crate::motion::{Axis, HeadingFrame, PoseMetric, PoseMetricSettings, Skeleton};
use crate::transition::{GraphParts, GraphSettings};

/// Places and bones, for a body of 1.75 m, that are larger than this many metres are mistakes: sums of them lose all
/// digits.
const FAR_METRES: f64 = 1e7;

pub(super) fn to(parts: &GraphParts) -> v1::Graph {
    let mut skeletons = Skeletons::default();
    let rig = rig_to(&parts.rig, &mut skeletons);
    let clips = parts.clips.iter();
    let clips = clips.map(|clip| inline_clip::to(clip, &mut skeletons));
    v1::Graph {
        version: VERSION,
        settings: settings_to(&parts.settings),
        threshold: parts.threshold,
        rig,
        clips: clips.collect(),
        skeletons: skeletons.list,
    }
}

pub(super) fn from(mirror: v1::Graph) -> Result<GraphParts, GraphFileError> {
    let settings = settings_from(&mirror.settings)?;
    let threshold = over_zero("the threshold", mirror.threshold)?;
    let skeletons = inline_clip::skeletons_from(&mirror.skeletons);
    let skeletons = skeletons.map_err(|(name, what)| part(name, what))?;
    let rig = rig_from(&mirror.rig, &skeletons, &settings.metric)?;
    if mirror.clips.is_empty() {
        return Err(part("clips", "there is none"));
    }
    let common = SharedClipData {
        whole: "graph",
        skeleton: rig.skeleton(),
        up: rig.metric.heading.up,
        fps: rig.fps,
        far: FAR_METRES / rig.metric.metres,
    };
    let mut clips = Vec::with_capacity(mirror.clips.len());
    for (at, clip) in mirror.clips.into_iter().enumerate() {
        let name = inline_clip::part_name(at, &clip);
        let clip = inline_clip::from(clip, &skeletons, &common);
        let clip = clip.map_err(|what| part(name, what))?;
        clips.push(Arc::new(clip));
    }
    Ok(GraphParts {
        settings,
        threshold,
        rig: Arc::new(rig),
        clips,
    })
}

fn part(part: impl Into<String>, what: impl Into<String>) -> GraphFileError {
    GraphFileError::Part {
        part: part.into(),
        what: what.into(),
    }
}

fn over_zero(what: &str, found: f64) -> Result<f64, GraphFileError> {
    if found > 0.0 && found.is_finite() {
        Ok(found)
    } else {
        Err(part(
            what,
            format!("expected a number over zero, found {found}"),
        ))
    }
}

fn settings_to(settings: &GraphSettings) -> v1::Settings {
    v1::Settings {
        velocity_secs: settings.metric.velocity_secs,
        weights: settings.metric.weights.clone(),
        threshold: settings.threshold,
        undirected: settings.is_undirected,
        paths: settings.n_paths,
        cost_limit: settings.cost_limit,
    }
}

/// Weights are checked where they are used.
fn settings_from(mirror: &v1::Settings) -> Result<GraphSettings, GraphFileError> {
    if !(1..=MOST_PATHS).contains(&mirror.paths) {
        let found = mirror.paths;
        let what = format!("expected a number from 1 to {MOST_PATHS}, found {found}");
        return Err(part("the number of paths", what));
    }
    if let Some(threshold) = mirror.threshold {
        over_zero("the threshold of the settings", threshold)?;
    }
    Ok(GraphSettings {
        metric: PoseMetricSettings {
            velocity_secs: mirror.velocity_secs,
            weights: mirror.weights.clone(),
        },
        threshold: mirror.threshold,
        is_undirected: mirror.undirected,
        n_paths: mirror.paths,
        cost_limit: over_zero("the limit of a path's cost", mirror.cost_limit)?,
    })
}

fn rig_to(rig: &Rig, skeletons: &mut Skeletons) -> v1::Rig {
    let metric = &rig.metric;
    v1::Rig {
        fps: rig.fps,
        skeleton: skeletons.index(rig.skeleton()),
        up: metric.heading.up.to_string(),
        root: metric.heading.root,
        upright: metric.heading.upright.coords.into(),
        metres: metric.metres,
        carrier: rig.carrier(),
    }
}

fn rig_from(
    mirror: &v1::Rig,
    skeletons: &[Arc<Skeleton>],
    settings: &PoseMetricSettings,
) -> Result<Rig, GraphFileError> {
    let wrong = |what: String| part("the rig", what);
    let skeleton = skeletons.get(mirror.skeleton);
    let skeleton = skeleton.ok_or_else(|| wrong(format!("no skeleton {}", mirror.skeleton)))?;
    let up: Axis = mirror
        .up
        .parse()
        .map_err(|error| wrong(format!("{error}")))?;
    let n_joints = skeleton.n_joints();
    if mirror.root >= n_joints {
        let root = mirror.root;
        return Err(wrong(format!("its root is joint {root} of {n_joints}")));
    }
    let carrier = mirror.carrier;
    if carrier >= n_joints || skeleton.translation_slot(carrier).is_none() {
        return Err(wrong(format!(
            "the body is moved by joint {carrier}, which cannot be moved"
        )));
    }
    let upright = quat_from(mirror.upright);
    let heading = HeadingFrame {
        root: mirror.root,
        up,
        upright: upright.ok_or_else(|| wrong("the upright hold is not a rotation".to_owned()))?,
    };
    let fps = over_zero("the frame rate", mirror.fps)?;
    let metres = over_zero("the scale", mirror.metres)?;
    let metric = PoseMetric::new(heading, Arc::clone(skeleton), metres, settings)?;
    Ok(Rig::new(metric, fps, carrier))
}
