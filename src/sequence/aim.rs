//! An action is made so that it meets its target from wherever it comes to stand.

use std::sync::Arc;

use super::evaluate::Evaluation;
use super::made::MadeReach;
use super::reach::{Reach, ReachHit};
use super::step::{Due, Planned};
use super::{JoinChoice, JoinMethod};
use crate::jobs::Ticket;
use crate::motion::join::JoinClip;
use crate::transition::parametric::{ActionSpan, Aimed, Landing, ParametricError, Reached};
use crate::transition::{TransitionError, TransitionGraph, TransitionMethod, TransitionSettings};

#[derive(Debug, thiserror::Error)]
enum AimError {
    #[error(transparent)]
    Action(#[from] ParametricError),
    #[error(transparent)]
    Join(#[from] TransitionError),
}

impl Evaluation {
    /// The action that meets its target from behind the last one, by the best of all ways to join it. Why there is
    /// none, otherwise.
    pub(super) fn aimed(
        &mut self,
        graph: &TransitionGraph,
        due: &Due,
        reach: &Reach,
        ticket: &Ticket,
    ) -> Result<Result<MadeReach, String>, TransitionError> {
        let before = self.steps.last().map(|step| step.chain);
        let is_it = |made: &&MadeReach| made.is_of(due, reach, before);
        if let Some(known) = self.reaches.iter().find(is_it) {
            return Ok(Ok(known.clone()));
        }
        let mut best: Option<(f64, Planned)> = None;
        for how in reach.action.means(&due.choice.settings(), before.is_none()) {
            ticket.check()?;
            let choice = chosen(due.choice, &how);
            let join = |reached, round| self.landed(graph, (due, reach), choice, reached, round);
            let aimed = match reach.action.aim(&reach.target, join) {
                Ok(aimed) => aimed,
                Err(AimError::Join(TransitionError::Cancelled(cancelled))) => {
                    return Err(cancelled.into());
                }
                Err(why) => {
                    self.restore_last();
                    return Ok(Err(why.to_string()));
                }
            };
            let score = aimed.score(aimed.joined.1, graph.rig().metric.metres);
            if best.as_ref().is_none_or(|(least, _)| score < *least) {
                best = Some((score, with_hit(aimed, reach)));
            }
        }
        self.restore_last();
        let made = best.map(|(_, planned)| MadeReach {
            action: Arc::clone(&reach.action),
            target: reach.target,
            of: (due.entry, due.repeat, due.seed),
            trim: due.trim,
            choice: due.choice,
            before,
            planned,
        });
        Ok(made.ok_or_else(|| "it cannot be joined".to_owned()))
    }

    /// Joins an action on trial: it, the penalty of its join, and where it came to stand.
    fn landed(
        &mut self,
        graph: &TransitionGraph,
        (due, reach): (&Due, &Reach),
        choice: JoinChoice,
        reached: Reached,
        round: usize,
    ) -> Result<((Planned, f64), Landing), AimError> {
        let rig = graph.rig();
        let effect = reached.effect_frame;
        let mut clip = reached.clip;
        clip.info.name.clone_from(&reach.name);
        let clip = JoinClip::new(rig, &Arc::new(clip)).map_err(TransitionError::from)?;
        let mut planned = due.planned(rig, Arc::new(clip));
        planned.choice = choice;
        // However much is cut off, the moment of effect is played.
        let frames = &mut planned.frames;
        frames.start = frames.start.min(effect.saturating_sub(1));
        frames.end = frames.end.max(effect + 2).min(planned.clip.n_frames());
        let step = self.tried(graph, planned.clone())?;
        let (start, enter, blended, _) = step.marks();
        let span = ActionSpan {
            start: step.start + start,
            enter,
            blended: step.start + blended,
        };
        let strip = self.strip.as_ref().expect("a step was put on it");
        let site = reach.action.site();
        let mut landing = Landing::read(strip, &planned.clip, span, (site, effect));
        if self.steps.is_empty() && round == 0 {
            landing.turn_rad = reach.home.heading_rad;
            landing.shift = reach.home.place;
        }
        let made = step.transition.as_ref();
        let penalty = made.map_or(0.0, |t| t.quality.penalty(graph.norms()));
        Ok(((planned, penalty), landing))
    }
}

/// The choice of the animator, with the means that is tried.
fn chosen(asked: JoinChoice, how: &TransitionSettings) -> JoinChoice {
    JoinChoice {
        method: match how.means {
            TransitionMethod::Direct => JoinMethod::Direct,
            TransitionMethod::Path => JoinMethod::Path(how.path.unwrap_or(0)),
            TransitionMethod::Bezier => JoinMethod::Fallback,
            _ => asked.method,
        },
        secs: how.secs,
        ..asked
    }
}

fn with_hit(aimed: Aimed<(Planned, f64)>, reach: &Reach) -> Planned {
    let hit = ReachHit {
        target: reach.target,
        missed: aimed.missed,
        is_reachable: aimed.is_reachable,
        start: aimed.start,
        effect_frame: aimed.effect_frame,
    };
    Planned {
        hit: Some(hit),
        ..aimed.joined.0
    }
}
