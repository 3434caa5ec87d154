//! Whether a style's latent model or its Gaussian finds poses that neither has seen.
//!
//! Near its training poses a latent model tells much more than one Gaussian does. Far from them it knows nothing, and
//! where poses are few or strange the next clip is far from them. Which of the two it is shows when clips are left out:
//! in turn one clip is kept back, both are learned from the others, and poses of it are solved from a few handles. What
//! comes nearer to the true poses judges poses from then on ([`super::Style::trusted_latent`]).
//!
//! Not in the paper. It tells of other clips of these performers, not of other performers; a style of one clip leaves
//! out thirds of it. All folds share the features of the style itself, and are fitted to fewer poses in fewer steps.

use super::score::CrossValidation;
use super::solve::{SolveError, SolveSettings, Solver, handle_sites, joint_error, pins};
use super::{LearnSettings, PriorKind, Style, StyleError};
use crate::jobs::Ticket;
use crate::motion::{Clip, body, edit};

/// Clips that are left out at most, spread over all.
const MOST_FOLDS: usize = 6;

/// Poses of each that are solved.
const POSES_PER_FOLD: usize = 16;

/// Feet, hands, head and root, as `style compare` and the first character of the window have them.
const N_HANDLES: usize = 6;
/// Poses and steps of the models of a fold, at most: a fold takes a sixth to a quarter of the time of the style.
const MOST_FITTED: usize = 200;

const MOST_STEPS: usize = 50;

/// A single clip is cut into so many parts, of at least so many frames.
const PARTS: usize = 3;

const LEAST_FRAMES: usize = 8;

impl Style {
    /// The style with its cross-validation, made with the clips that it was learned from. Without a latent model, or
    /// with too little to leave anything out, there is none.
    pub fn cross_validated(mut self, clips: &[&Clip], ticket: &Ticket) -> Result<Self, StyleError> {
        self.cross_validation = None;
        if self.latent().is_none() {
            return Ok(self);
        }
        let parts = match clips {
            [single] => parts_of(single),
            _ => Vec::new(),
        };
        let parts: Vec<&Clip> = match clips {
            [_] => parts.iter().collect(),
            _ => clips.to_vec(),
        };
        let n_folds = parts.len().min(MOST_FOLDS);
        if n_folds < 2 {
            return Ok(self);
        }
        let folds = ticket.each(0..n_folds, |fold| {
            self.fold(&parts, fold * parts.len() / n_folds, ticket)
        })?;
        let mut errors = Vec::with_capacity(n_folds);
        for fold in folds {
            errors.extend(fold?);
        }
        let mean =
            |of: usize| errors.iter().map(|e: &[f64; 2]| e[of]).sum::<f64>() / errors.len() as f64;
        self.cross_validation = (errors.len() > 1).then(|| CrossValidation {
            n_folds: errors.len(),
            latent_error: mean(0),
            gaussian_error: mean(1),
        });
        Ok(self)
    }

    /// Errors of both on one clip, learned from the others; none where these hold too few poses.
    fn fold(
        &self,
        clips: &[&Clip],
        left_out: usize,
        ticket: &Ticket,
    ) -> Result<Option<[f64; 2]>, StyleError> {
        let others = clips.iter().enumerate().filter(|(at, _)| *at != left_out);
        let others: Vec<&Clip> = others.map(|(_, clip)| *clip).collect();
        let own = &self.origin().settings;
        let settings = LearnSettings {
            n_fitted: own.n_fitted.min(MOST_FITTED),
            n_steps: own.n_steps.min(MOST_STEPS),
            ..own.clone()
        };
        let learned = Self::learn_on(self.map(), &others, &settings, &ticket.part());
        let style = match learned {
            Ok(style) => style,
            Err(StyleError::Cancelled(cancelled)) => return Err(cancelled.into()),
            // Others alone may be too few or too much alike to learn from.
            Err(_) => return Ok(None),
        };
        let each = [SolveSettings::default().prior, PriorKind::Gaussian]
            .map(|prior| mean_error(&style, clips[left_out], prior, ticket));
        match each {
            [Ok(latent), Ok(gaussian)] => Ok(Some([latent, gaussian])),
            [Err(TrialError::Cancelled(cancelled)), _]
            | [_, Err(TrialError::Cancelled(cancelled))] => Err(cancelled.into()),
            // A body that cannot be solved says nothing about either.
            _ => Ok(None),
        }
    }
}

#[derive(Debug, thiserror::Error)]
enum TrialError {
    #[error(transparent)]
    Solve(#[from] SolveError),
    #[error("{0}")]
    Cancelled(#[from] crate::jobs::Cancelled),
}

/// Mean distance of joints from poses that are solved from their own handles, in body heights.
fn mean_error(
    style: &Style,
    clip: &Clip,
    prior: PriorKind,
    ticket: &Ticket,
) -> Result<f64, TrialError> {
    let settings = SolveSettings {
        prior,
        ..SolveSettings::default()
    };
    let skeleton = clip.skeleton();
    let mut solver = Solver::new(style, settings)?.on_skeleton(skeleton)?;
    let sites = handle_sites(skeleton, style.map().root(), N_HANDLES);
    let n = clip.n_frames().min(POSES_PER_FOLD);
    let mut sum = 0.0;
    for at in 0..n {
        ticket.check()?;
        let pose = clip.frame(at * clip.n_frames() / n);
        let solved = solver.solve(&pins(skeleton, pose, &sites), &mut || true)?;
        sum += joint_error(skeleton, solved.pose.as_ref(), pose);
    }
    Ok(sum / n as f64 / body::height(clip))
}

/// A single clip in parts, one after another; none if it is too short.
fn parts_of(clip: &Clip) -> Vec<Clip> {
    let n = clip.n_frames();
    if n < PARTS * LEAST_FRAMES {
        return Vec::new();
    }
    let bounds = |part: usize| part * n / PARTS;
    let parts = (0..PARTS).map(|part| edit::trim(clip, bounds(part)..bounds(part + 1)));
    parts.filter_map(Result::ok).collect()
}
