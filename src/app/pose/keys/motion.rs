//! From keys to a motion: paths between them, solved in the styles of each range, or joints turned evenly without any.

use std::sync::Arc;

use crate::app::pose::keys::recipe::Recipe;
use crate::jobs::{Cancelled, Ticket};
use crate::motion::{Clip, ClipInfo, Motion, Pose};
use crate::style::solve::{
    FrameConstraints, MotionSolveError, MotionSolveSettings, PoseSpline, SolveError, SolveSettings,
    Solver, Trajectory, frames_of, on_shared_features,
};
use crate::style::{Style, StyleError};

/// The motion of keys, from the first to the last.
#[derive(Debug, Clone)]
pub struct KeyMotion {
    pub(in crate::app::pose) recipe: Recipe,
    /// The recipe's styles as they were solved with; empty without any.
    pub(in crate::app::pose) shared: Vec<Arc<Style>>,
    /// The frame of the first pose.
    pub first: usize,
    /// One for each frame.
    pub poses: Vec<Pose>,
    /// The paths that handles follow.
    pub curves: Vec<Trajectory>,
}

impl KeyMotion {
    /// The pose at a moment; before the first key and after the last it stands still.
    pub fn at(&self, frame: f64) -> Pose {
        let last = self.poses.len() - 1;
        let at = (frame - self.first as f64).clamp(0.0, last as f64);
        let before = (at.floor() as usize).min(last);
        let after = (before + 1).min(last);
        Pose::between(
            self.poses[before].as_ref(),
            self.poses[after].as_ref(),
            at - before as f64,
        )
    }
}

/// Why keys make no motion.
#[derive(Debug, thiserror::Error)]
pub(in crate::app::pose) enum KeyError {
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    #[error("the styles cannot be used together: {0}")]
    Style(StyleError),
    #[error("{0}")]
    Solve(String),
}

/// Makes the motion of a recipe. Its styles on features that they share are learned, unless they are known.
pub(in crate::app::pose) fn solved(
    recipe: &Recipe,
    known: Option<Vec<Arc<Style>>>,
    ticket: &Ticket,
) -> Result<KeyMotion, KeyError> {
    let keying = &recipe.keying;
    let nothing = || KeyError::Solve("there are no keys".to_owned());
    let span = keying.keyed_frames().ok_or_else(nothing)?;
    let (first, last) = (*span.start(), *span.end());
    let paths = keying.paths.iter();
    let curves: Vec<Trajectory> = paths
        .filter_map(|path| keying.curve(&recipe.skeleton, path.site))
        .collect();
    let keys = keying.keys.iter();
    let mut shared = Vec::new();
    let poses = if recipe.styles.is_empty() || first == last {
        let keys = keys.map(|key| (key.frame as f64, key.pose.clone()));
        let spline = PoseSpline::new(keys.collect()).ok_or_else(nothing)?;
        span.map(|frame| spline.at(frame as f64)).collect()
    } else {
        shared = match known {
            Some(known) => known,
            None => learned_together(recipe, ticket)?,
        };
        let solver = solver(recipe, &shared)?;
        let mut frames: Vec<FrameConstraints> = frames_of(&curves, last + 1).split_off(first);
        if recipe.styles.len() > 1 {
            for (at, frame) in frames.iter_mut().enumerate() {
                frame.weights = recipe.weights(first + at);
            }
        }
        let keys: Vec<(usize, Pose)> = keys
            .map(|key| (key.frame - first, key.pose.clone()))
            .collect();
        let settings = MotionSolveSettings::at(keying.fps);
        match solver.inbetween(&keys, &frames, &settings, ticket) {
            Err(MotionSolveError::Cancelled(cancelled)) => return Err(cancelled.into()),
            poses => poses.map_err(|error| KeyError::Solve(error.to_string()))?,
        }
    };
    Ok(KeyMotion {
        recipe: recipe.clone(),
        shared,
        first,
        poses,
        curves,
    })
}

fn learned_together(recipe: &Recipe, ticket: &Ticket) -> Result<Vec<Arc<Style>>, KeyError> {
    let refs: Vec<&Style> = recipe.styles.iter().map(|(_, style)| &**style).collect();
    match on_shared_features(&refs, ticket) {
        Err(StyleError::Cancelled(cancelled)) => Err(cancelled.into()),
        shared => {
            let shared = shared.map_err(KeyError::Style)?;
            Ok(shared.into_iter().map(Arc::new).collect())
        }
    }
}

fn solver(recipe: &Recipe, shared: &[Arc<Style>]) -> Result<Solver, KeyError> {
    let wrong = |error: SolveError| KeyError::Solve(error.to_string());
    let weighted: Vec<(&Style, f64)> = shared.iter().map(|style| (&**style, 1.0)).collect();
    let solver = Solver::blend(&weighted, SolveSettings::default()).map_err(wrong)?;
    solver.on_skeleton(&recipe.skeleton).map_err(wrong)
}

/// The motion as a clip for the library.
pub(in crate::app::pose) fn clip_of(motion: &KeyMotion, name: &str) -> Result<Clip, String> {
    let recipe = &motion.recipe;
    let mut info = ClipInfo::named(format!("{name} keyed"));
    info.up = recipe.up;
    let n_keys = recipe.keying.keys.len();
    let how = if recipe.styles.is_empty() {
        "without a style"
    } else {
        "with a style"
    };
    info.history
        .push(format!("keyed with {n_keys} poses, {how}"));
    let frame_secs = 1.0 / recipe.keying.fps;
    let mut frames = Motion::with_capacity(&recipe.skeleton, frame_secs, motion.poses.len());
    for pose in &motion.poses {
        frames.push(pose.as_ref());
    }
    let clip = Clip::new(info, Arc::clone(&recipe.skeleton), frames);
    clip.map_err(|error| error.to_string())
}

#[cfg(test)]
pub(in crate::app::pose) mod tests {
    use super::*;
    use crate::app::pose::keys::default_paths;
    use crate::demo::{Action, make};
    use crate::document::{Keying, ModelId};
    use crate::motion::WorldPose;
    use crate::style::{LearnSettings, Method};

    pub(in crate::app::pose) fn recipe(with_style: bool) -> (Recipe, Clip) {
        let clip = make(Action::Walk, 1, 0).clip;
        let mut keying = Keying::new(30.0, 30, default_paths(clip.skeleton()));
        for frame in [2, 9, 20] {
            keying.set_key(frame, clip.frame(frame).to_pose());
        }
        let styles = if with_style {
            let settings = LearnSettings {
                method: Method::Gaussian,
                ..LearnSettings::default()
            };
            let style = Style::learn(&[&clip], &settings, &Ticket::default()).unwrap();
            vec![(ModelId(1), Arc::new(style))]
        } else {
            Vec::new()
        };
        let recipe = Recipe {
            keying: Arc::new(keying),
            skeleton: Arc::clone(clip.skeleton()),
            up: clip.info.up,
            own: styles.iter().map(|(id, _)| (*id, 1.0)).collect(),
            styles,
        };
        (recipe, clip)
    }

    #[test]
    fn the_motion_passes_through_its_keys_and_its_ways() {
        for with_style in [false, true] {
            let (recipe, clip) = recipe(with_style);
            let motion = solved(&recipe, None, &Ticket::default()).unwrap();
            assert_eq!((motion.first, motion.poses.len()), (2, 19));
            for key in &recipe.keying.keys {
                assert_eq!(motion.at(key.frame as f64), key.pose, "style {with_style}");
            }
            assert_eq!(motion.at(0.0), recipe.keying.keys[0].pose, "it waits");
            if !with_style {
                continue;
            }
            let tall = crate::motion::body::height(&clip);
            for (at, pose) in motion.poses.iter().enumerate() {
                let world = WorldPose::of(&recipe.skeleton, pose.as_ref());
                for curve in &motion.curves {
                    let wanted = curve.at((2 + at) as f64).unwrap();
                    let off = (world.site(&recipe.skeleton, curve.site) - wanted).norm();
                    assert!(off < 0.02 * tall, "frame {at}: {off}");
                }
            }
        }
    }
}
