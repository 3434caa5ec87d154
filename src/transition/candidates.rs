//! All ways of making one transition, measured, so that an animator can choose among them.

use super::error::TransitionError;
use super::graph::TransitionGraph;
use super::synthesis::{
    JoinTask, Transition, TransitionKind, TransitionMethod, TransitionSettings,
};
use crate::motion::join::{JoinKind, Strip};
use crate::numerics::random::Stream;

/// One way of making a transition, with what would come of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The settings that make it.
    pub settings: TransitionSettings,
    /// What it would be.
    pub transition: Transition,
    /// The lower the better.
    pub penalty: f64,
    /// Whether it is nowhere rougher than the clips.
    pub keeps_limits: bool,
}

impl TransitionGraph {
    /// A direct join of each kind, each candidate path, and the curve; where the settings say which kind, only that.
    /// Paths that cannot be followed within a fair time are left out.
    pub fn candidates(
        &self,
        strip: &Strip,
        task: &JoinTask<'_>,
        settings: &TransitionSettings,
    ) -> Result<Vec<Candidate>, TransitionError> {
        let with = |means| TransitionSettings {
            means,
            path: None,
            ..settings.clone()
        };
        let kinds = match settings.kind {
            Some(kind) => vec![kind],
            None => vec![JoinKind::Dead, JoinKind::Quintic, JoinKind::Fade],
        };
        let direct = kinds.into_iter().map(|kind| TransitionSettings {
            kind: Some(kind),
            ..with(TransitionMethod::Direct)
        });
        let n_paths = self.task_paths(strip, task).len();
        let paths = (0..n_paths).map(|path| TransitionSettings {
            path: Some(path),
            ..with(TransitionMethod::Path)
        });
        let curve = std::iter::once(with(TransitionMethod::Bezier));
        let mut candidates = Vec::new();
        for settings in direct.chain(paths).chain(curve) {
            // A chosen path draws nothing, nor do the others.
            let mut stream = Stream::named(0, &[]);
            let transition = self.measured(strip, task, &settings, &mut stream)?;
            let is_path = matches!(transition.kind, TransitionKind::Path(_));
            if settings.means == TransitionMethod::Path && !is_path {
                continue;
            }
            candidates.push(Candidate {
                penalty: transition.quality.penalty(self.norms()),
                keeps_limits: transition.quality.keeps_limits(self.norms()),
                settings,
                transition,
            });
        }
        Ok(candidates)
    }
}
