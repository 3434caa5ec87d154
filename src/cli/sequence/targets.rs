//! Actions of a sequence that reach for a point.
//!
//! Where an action starts depends on the join before it, and that on the action. So the action is made for the place it
//! comes to stand at, joined, and made again for where it stands then; what the join leaves of the distance, because it
//! is still blending at the moment of effect, is aimed beside.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use anyhow::Context as _;
use serde_json::{Value, json};

use super::{Args, SequenceClips};
use crate::cli::styles::{site, vector};
use crate::cli::usage;
use crate::jobs::Ticket;
use crate::motion::heading::turn;
use crate::motion::join::{JoinClip, Strip};
use crate::motion::{Clip, Site, Vec3, WorldPose};
use crate::transition::parametric::{
    ActionStart, ParametricAction, ParametricError, ParametricSettings, Reached,
};
use crate::transition::{
    Leave, SequenceAction, SequenceSettings, Sequenced, Transition, TransitionError,
    TransitionMethod, TransitionSettings, sequence,
};

/// How often an action is made again for where it stands.
const ROUNDS: usize = 4;
/// The join into an action is over after this share of the time until its moment of effect.
const BLENDED_SHARE: f64 = 0.8;
/// But it is no shorter than this, or it would jerk, and no longer than joins usually are.
const SHORTEST_SECS: f64 = 0.33;
const LONGEST_SECS: f64 = 0.5;
/// A metre beside the target weighs as much as this many limits of a join broken by all of their size: to come nearer
/// by a centimetre is not worth a join that jerks.
const PER_METRE: f64 = 10.0;
/// A distance that counts as none, in body heights: a millimetre of a grown-up.
const MET_HEIGHTS: f64 = 0.001 / 1.75;

/// `JOINT=x,y,z@I`: a position in world space for a joint of clip I.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Target {
    joint: String,
    place: Vec3,
    action: usize,
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "expected a joint, a position and the number of a clip such as RightHand=10,130,40@2, found \"{text}\""
            )
        };
        let (place, action) = text.rsplit_once('@').ok_or_else(wrong)?;
        // Joint names may hold an equals sign; numbers do not.
        let (joint, place) = place.rsplit_once('=').ok_or_else(wrong)?;
        Ok(Self {
            joint: joint.to_owned(),
            place: vector(place).ok_or_else(wrong)?,
            action: action.trim().parse().ok().ok_or_else(wrong)?,
        })
    }
}

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

/// How near it came.
pub(super) struct TargetHit {
    target: Target,
    name: String,
    examples: Vec<String>,
    is_reachable: bool,
    /// Frame of the whole motion at the moment of effect.
    at: usize,
    place: Vec3,
    missed: f64,
}

impl TargetHit {
    pub(super) fn json(&self) -> Value {
        let numbers = |v: &Vec3| [v.x, v.y, v.z];
        json!({
            "joint": self.target.joint,
            "clip": self.target.action,
            "name": self.name,
            "target": numbers(&self.target.place),
            "at": self.at,
            "place": numbers(&self.place),
            "missed": self.missed,
            "is_reachable": self.is_reachable,
            "examples": self.examples,
        })
    }
}

impl fmt::Display for TargetHit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (x, y, z) = (
            self.target.place.x,
            self.target.place.y,
            self.target.place.z,
        );
        let (joint, name) = (&self.target.joint, &self.name);
        let (at, missed) = (self.at, self.missed);
        write!(
            f,
            "{joint} of \"{name}\" reaches for ({x}, {y}, {z}) at frame {at} and misses it by {missed:.3} in units of the clips"
        )?;
        if !self.is_reachable {
            let n = self.examples.len();
            write!(
                f,
                "; out of reach of the {n} examples, this is as near as they come"
            )?;
        }
        Ok(())
    }
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

/// Whether names differ in their last number only: `punch_left_13_1` and `punch_left_13_2`.
fn is_same_action(a: &str, b: &str) -> bool {
    fn stem(name: &str) -> &str {
        let without = name.trim_end_matches(|c: char| c.is_ascii_digit());
        without.trim_end_matches(['_', '-', ' ', '.'])
    }
    stem(a) == stem(b)
}

/// The first frame of the strip that an action fills, and which of its own frames that is.
fn entered(transition: Option<&Transition>) -> (usize, usize) {
    transition.map_or((0, 0), |t| (t.action.start, t.enter))
}

fn place_of(strip: &Strip, site: Site, frame: usize) -> Vec3 {
    let skeleton = strip.rig().skeleton();
    WorldPose::of(skeleton, strip.pose(frame)).site(skeleton, site)
}

/// A turn about up and a shift along the floor.
struct RootShift {
    turn_rad: f64,
    shift: Vec3,
}

struct Aimer<'a, 'b> {
    cast: &'a SequenceClips<'b>,
    learned: ParametricAction,
    settings: &'a SequenceSettings,
    ticket: &'a Ticket,
}

/// An action for a target, as it came out.
struct AimTrial {
    missed: f64,
    /// The lower the better.
    score: f64,
    aim: TargetAim,
    entry: SequenceAction,
}

impl Aimer<'_, '_> {
    /// Reaches the action by all means that are allowed, and takes the best by how near it comes and how good its join
    /// is. The means may not be chosen by the join alone: a path of some steps may end out of reach.
    fn aim(
        &self,
        actions: &mut [SequenceAction],
        target: &Target,
        clip: &Arc<JoinClip>,
    ) -> anyhow::Result<TargetAim> {
        let action = target.action;
        let mut best: Option<AimTrial> = None;
        for how in self.means(action) {
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

    /// How the action may be reached. A direct join that goes on over the moment of effect would take the hand
    /// elsewhere, so it ends before, if that leaves it a length that joins may have.
    fn means(&self, action: usize) -> Vec<TransitionSettings> {
        let asked = &self.settings.transition;
        let means = match asked.means {
            // Nothing comes before the first action.
            TransitionMethod::Best if action > 0 => vec![
                TransitionMethod::Direct,
                TransitionMethod::Path,
                TransitionMethod::Bezier,
            ],
            one => vec![one],
        };
        let before_effect = BLENDED_SHARE * self.learned.report().effect_secs;
        let shortened = before_effect.clamp(SHORTEST_SECS, LONGEST_SECS);
        let with = |means| TransitionSettings {
            means,
            secs: match asked.secs {
                None if means == TransitionMethod::Direct => Some(shortened),
                asked => asked,
            },
            ..asked.clone()
        };
        means.into_iter().map(with).collect()
    }

    /// By the means that the entry of the sequence says.
    fn tried(
        &self,
        actions: &mut [SequenceAction],
        target: &Target,
        clip: &Arc<JoinClip>,
    ) -> anyhow::Result<AimTrial> {
        let action = target.action;
        let met = MET_HEIGHTS * self.learned.body_height();
        let name = &clip.clip.info.name;
        // The first one is made at the origin, for a point that is reached surely; what counts is where it comes to
        // stand.
        let examples = &self.learned.report().examples;
        let mean = examples.iter().map(|e| e.point).sum::<Vec3>() / examples.len() as f64;
        let mut start = ActionStart::at_origin();
        let mut reached = self.learned.reach(&mean)?;
        let mut aimed = target.place;
        let mut best: Option<AimTrial> = None;
        for round in 0..=ROUNDS {
            let effect_frame = reached.effect_frame;
            let is_reachable = self.is_reachable(&start, &target.place);
            let made_for = self.join_clip(reached, name)?;
            put(&mut actions[action], made_for, effect_frame, action)?;
            let made = sequence(
                self.cast.graph,
                &actions[..=action],
                self.settings,
                self.ticket,
            )?;
            if round > 0 {
                let aim = TargetAim {
                    site: self.learned.site(),
                    name: name.clone(),
                    examples: examples.iter().map(|e| e.name.clone()).collect(),
                    is_reachable,
                    effect_frame,
                    target: target.clone(),
                };
                let hit = aim.measure(&made);
                if is_reachable {
                    aimed += target.place - hit.place;
                }
                let missed = hit.missed;
                if best.as_ref().is_none_or(|best| missed < best.missed) {
                    let graph = self.cast.graph;
                    let join = made.transitions.last();
                    let penalty = join.map_or(0.0, |t| t.quality.penalty(graph.norms()));
                    best = Some(AimTrial {
                        missed,
                        score: penalty + PER_METRE * missed * graph.rig().metric.metres,
                        aim,
                        entry: actions[action].clone(),
                    });
                }
                if missed < met {
                    break;
                }
            }
            let shift = match action {
                // The first clip is where it is: the action stands where the clip stood.
                0 if round == 0 => self.shift(
                    &actions[0].clip,
                    0,
                    (clip.track.positions[0], clip.track.headings[0]),
                ),
                _ => self.stands(&made, &actions[action], effect_frame),
            };
            let up = self.learned.up();
            start = ActionStart {
                place: turn(up, shift.turn_rad) * start.place + shift.shift,
                heading_rad: start.heading_rad + shift.turn_rad,
            };
            reached = self.learned.reach_world(&start, &aimed)?;
        }
        best.context("an action is made at least once")
    }

    fn is_reachable(&self, start: &ActionStart, target: &Vec3) -> bool {
        let point = start.action_from_world(self.learned.up(), target);
        let (_, off) = self.learned.nearest_reachable(&point);
        // What blending leaves is made up by the limb, as far as it may be moved.
        off <= self.learned.settings().max_hold_heights * self.learned.body_height()
    }

    /// It keeps the name of the clip that it stands for.
    fn join_clip(&self, reached: Reached, name: &str) -> anyhow::Result<Arc<JoinClip>> {
        let mut clip = reached.clip;
        name.clone_into(&mut clip.info.name);
        let clip = JoinClip::new(self.cast.graph.rig(), &Arc::new(clip));
        Ok(Arc::new(clip.map_err(TransitionError::from)?))
    }

    /// How an action was moved to where it stands in the sequence. Read where nothing is blended any more.
    fn stands(&self, made: &Sequenced, action: &SequenceAction, effect_frame: usize) -> RootShift {
        let last = made.transitions.last();
        let (start, enter) = entered(last);
        let blended = last.map_or(0, |t| t.at + t.frames);
        let at = (start + effect_frame.saturating_sub(enter)).max(blended);
        let at = at.min(made.strip.n_frames() - 1);
        let frame = (enter + at.saturating_sub(start)).min(action.clip.n_frames() - 1);
        let strip = &made.strip;
        self.shift(
            &action.clip,
            frame,
            (strip.place(at), strip.heading_rad(at)),
        )
    }

    /// What brings a frame of a clip to a place and heading.
    fn shift(&self, clip: &JoinClip, frame: usize, (place, heading_rad): (Vec3, f64)) -> RootShift {
        let up = self.learned.up();
        let turn_rad = heading_rad - clip.track.headings[frame];
        let way = place - turn(up, turn_rad) * clip.track.positions[frame];
        RootShift {
            turn_rad,
            shift: way - up.vector() * up.along(&way),
        }
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

    #[test]
    fn takes_of_one_action_differ_in_their_last_number() {
        assert!(
            is_same_action("punch_left_144_13_1", "punch_left_144_13_4"),
            "takes"
        );
        assert!(is_same_action("jump", "jump_02"), "with and without");
        assert!(
            !is_same_action("punch_left_144_13_1", "punch_left_144_14_1"),
            "another"
        );
        assert!(!is_same_action("walk_1", "walk_left_1"), "another");
    }
}
