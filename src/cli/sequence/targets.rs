//! Actions of a sequence that reach for a point ([`ParametricAction::aim`]).

use std::sync::Arc;

use anyhow::Context as _;

use super::made::{Target, TargetHit};
use super::{Args, SequenceClips};
use crate::cli::styles::site;
use crate::cli::usage;
use crate::jobs::Ticket;
use crate::motion::join::{JoinClip, Strip};
use crate::motion::{Clip, Site, Vec3, WorldPose};
use crate::transition::parametric::{
    ActionSpan, Landing, ParametricAction, ParametricError, ParametricSettings, Reached,
    is_same_action,
};
use crate::transition::{
    Leave, SequenceAction, SequenceSettings, Sequenced, Transition, TransitionError, sequence,
};

pub(super) fn is_cancelled(error: &anyhow::Error) -> bool {
    matches!(
        error.downcast_ref::<ParametricError>(),
        Some(ParametricError::Cancelled(_))
    )
}

/// An action that was made for a target.
pub(super) struct TargetAim {
    target: Target,
    site: Site,
    /// Name of the clip that it stands for.
    name: String,
    examples: Vec<String>,
    is_reachable: bool,
    effect_frame: usize,
}

impl TargetAim {
    /// Where the joint is at the moment of effect.
    pub(super) fn measure(&self, made: &Sequenced) -> TargetHit {
        let before = self.target.action.checked_sub(1);
        let transition = before.and_then(|at| made.transitions.get(at));
        let (start, enter) = entered(transition);
        let at = (start + self.effect_frame.saturating_sub(enter)).min(made.strip.n_frames() - 1);
        let place = place_of(&made.strip, self.site, at);
        TargetHit {
            target: self.target.clone(),
            name: self.name.clone(),
            examples: self.examples.clone(),
            is_reachable: self.is_reachable,
            at,
            missed: (place - self.target.place).norm(),
            place,
        }
    }
}

/// Replaces clips by actions that reach their targets.
pub(super) fn aim(
    args: &Args,
    cast: &mut SequenceClips<'_>,
    actions: &mut [SequenceAction],
    settings: &SequenceSettings,
    ticket: &Ticket,
) -> anyhow::Result<Vec<TargetAim>> {
    // In the order in which they are played: where an action starts depends on all before it.
    let mut targets = args.target.clone();
    targets.sort_by_key(|target| target.action);
    for pair in targets.windows(2) {
        anyhow::ensure!(
            pair[0].action != pair[1].action,
            usage(format!(
                "clip {} has two targets; one can be reached",
                pair[0].action
            ))
        );
    }
    let given = cast.find(&args.examples)?;
    let mut aims = Vec::with_capacity(targets.len());
    for target in targets {
        let (action, n) = (target.action, actions.len());
        let clip = actions.get(action).map(|a| Arc::clone(&a.clip));
        let clip = clip.ok_or_else(|| {
            let joint = &target.joint;
            usage(format!(
                "--target of {joint} at clip {action}: {n} clips are played, counted from 0"
            ))
        })?;
        let examples = if given.is_empty() {
            family(cast, &clip)
        } else {
            given.clone()
        };
        let refs: Vec<&Clip> = examples.iter().map(|e| &*e.clip).collect();
        let site = site(clip.clip.skeleton(), &target.joint)?;
        let parametric = ParametricSettings {
            seed: settings.seed,
            fps: Some(cast.graph.rig().fps),
            ..ParametricSettings::default()
        };
        let learned = ParametricAction::learn(&refs, site, &parametric, ticket);
        let learned = learned.with_context(|| {
            let name = &clip.clip.info.name;
            format!("--target at clip {action} (\"{name}\"), whose examples --examples names")
        })?;
        let aimer = Aimer {
            cast,
            learned,
            settings,
            ticket,
        };
        aims.push(aimer.aim(actions, &target, &clip)?);
    }
    Ok(aims)
}

/// Clips of the graph that are takes of the same action by their names, and the clip itself.
fn family(cast: &SequenceClips<'_>, clip: &Arc<JoinClip>) -> Vec<Arc<JoinClip>> {
    let name = &clip.clip.info.name;
    let known = cast.graph.clips().map(|(_, clip)| clip);
    let known = known.filter(|other| is_same_action(name, &other.clip.info.name));
    let mut family: Vec<Arc<JoinClip>> = known.map(Arc::clone).collect();
    if !family.iter().any(|other| other.clip.info.name == *name) {
        family.push(Arc::clone(clip));
    }
    family
}

/// The first frame of the strip that an action fills, and which of its own frames that is.
fn entered(transition: Option<&Transition>) -> (usize, usize) {
    transition.map_or((0, 0), |t| (t.action.start, t.enter))
}

fn place_of(strip: &Strip, site: Site, frame: usize) -> Vec3 {
    let skeleton = strip.rig().skeleton();
    WorldPose::of(skeleton, strip.pose(frame)).site(skeleton, site)
}

struct Aimer<'a, 'b> {
    cast: &'a SequenceClips<'b>,
    learned: ParametricAction,
    settings: &'a SequenceSettings,
    ticket: &'a Ticket,
}

/// An action for a target, as it came out.
struct AimTrial {
    /// The lower the better.
    score: f64,
    aim: TargetAim,
    entry: SequenceAction,
}

impl Aimer<'_, '_> {
    /// Reaches the action by all means that are allowed, and takes the best by how near it comes and how good its join
    /// is.
    fn aim(
        &self,
        actions: &mut [SequenceAction],
        target: &Target,
        clip: &Arc<JoinClip>,
    ) -> anyhow::Result<TargetAim> {
        let action = target.action;
        let mut best: Option<AimTrial> = None;
        for how in self.learned.means(&self.settings.transition, action == 0) {
            actions[action].reached = Some(how);
            let tried = self.tried(actions, target, clip)?;
            if best.as_ref().is_none_or(|best| tried.score < best.score) {
                best = Some(tried);
            }
        }
        let best = best.context("no means to reach an action")?;
        actions[action] = best.entry;
        Ok(best.aim)
    }

    /// By the means that the entry of the sequence says.
    fn tried(
        &self,
        actions: &mut [SequenceAction],
        target: &Target,
        clip: &Arc<JoinClip>,
    ) -> anyhow::Result<AimTrial> {
        let action = target.action;
        let name = &clip.clip.info.name;
        let (site, graph) = (self.learned.site(), self.cast.graph);
        let aimed = self.learned.aim(&target.place, |reached, round| {
            let effect_frame = reached.effect_frame;
            let made_for = self.join_clip(reached, name)?;
            put(&mut actions[action], made_for, effect_frame, action)?;
            let entry = actions[action].clone();
            let made = sequence(graph, &actions[..=action], self.settings, self.ticket)?;
            let join = made.transitions.last();
            let span = ActionSpan {
                start: entered(join).0,
                enter: entered(join).1,
                blended: join.map_or(0, |t| t.at + t.frames),
            };
            let effect = (site, effect_frame);
            let mut landing = Landing::read(&made.strip, &entry.clip, span, effect);
            if action == 0 && round == 0 {
                // The first clip is where it is: the action stands where the clip stood.
                let stood = (clip.track.positions[0], clip.track.headings[0]);
                landing = Landing::moved(self.learned.up(), &entry.clip, 0, stood, landing.place);
            }
            let penalty = join.map_or(0.0, |t| t.quality.penalty(graph.norms()));
            anyhow::Ok(((entry, penalty), landing))
        })?;
        let score = aimed.score(aimed.joined.1, graph.rig().metric.metres);
        let examples = self.learned.report().examples.iter();
        Ok(AimTrial {
            score,
            aim: TargetAim {
                site,
                name: name.clone(),
                examples: examples.map(|e| e.name.clone()).collect(),
                is_reachable: aimed.is_reachable,
                effect_frame: aimed.effect_frame,
                target: target.clone(),
            },
            entry: aimed.joined.0,
        })
    }

    /// It keeps the name of the clip that it stands for.
    fn join_clip(&self, reached: Reached, name: &str) -> anyhow::Result<Arc<JoinClip>> {
        let mut clip = reached.clip;
        name.clone_into(&mut clip.info.name);
        let clip = JoinClip::new(self.cast.graph.rig(), &Arc::new(clip));
        Ok(Arc::new(clip.map_err(TransitionError::from)?))
    }
}

/// Plays another clip in an entry of the sequence.
fn put(
    entry: &mut SequenceAction,
    clip: Arc<JoinClip>,
    effect_frame: usize,
    number: usize,
) -> anyhow::Result<()> {
    if let Leave::At(frame) = entry.leave {
        anyhow::ensure!(
            effect_frame <= frame,
            "clip {number} is left after frame {frame}, before it reaches its target at frame {effect_frame}"
        );
    }
    entry.frames = 0..clip.n_frames();
    entry.clip = clip;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_read() {
        let read: Target = "R=Hand_end=1,-2.5, 3@4".parse().unwrap();
        assert_eq!((&*read.joint, read.action), ("R=Hand_end", 4));
        assert_eq!(read.place, Vec3::new(1.0, -2.5, 3.0));
        for wrong in [
            "",
            "Hand=1,2,3",
            "Hand=1,2@3",
            "Hand@3",
            "Hand=1,2,3@",
            "Hand=1,2,nan@0",
        ] {
            wrong.parse::<Target>().unwrap_err();
        }
    }
}
