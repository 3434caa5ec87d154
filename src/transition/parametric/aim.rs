//! A target in the world, for an action that comes to stand somewhere only once it is joined.
//!
//! Where an action starts depends on the join before it, and that on the action. So the action is made for the place it
//! comes to stand at, joined, and made again for where it stands then; what the join leaves of the distance, because it
//! is still blending at the moment of effect, is aimed beside.

use super::{ActionStart, ParametricAction, ParametricError, Reached};
use crate::motion::heading::turn;
use crate::motion::join::{JoinClip, Strip};
use crate::motion::{Axis, Site, Vec3, WorldPose};
use crate::transition::{TransitionMethod, TransitionSettings};

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

/// Where an action lies in a strip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActionSpan {
    /// The frame of the strip where it begins, blended frames included.
    pub start: usize,
    /// The frame of the action that is.
    pub enter: usize,
    /// The frame of the strip where blending is over.
    pub blended: usize,
}

impl ActionSpan {
    /// The frame of the strip that shows a frame of the action.
    pub fn strip_frame(&self, frame: usize) -> usize {
        self.start + frame.saturating_sub(self.enter)
    }
}

/// How an action was turned and moved to where it stands, and where it brought its site.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Landing {
    /// By how much it was turned about up, in radians.
    pub turn_rad: f64,
    /// Along the floor, after the turn.
    pub shift: Vec3,
    /// The site at the moment of effect.
    pub place: Vec3,
}

impl Landing {
    /// Reads it off a strip that the action was joined to, where nothing is blended any more.
    pub fn read(
        strip: &Strip,
        clip: &JoinClip,
        span: ActionSpan,
        (site, effect_frame): (Site, usize),
    ) -> Self {
        let up = strip.rig().metric.heading.up;
        let last = strip.n_frames() - 1;
        let effect = span.strip_frame(effect_frame);
        let at = effect.max(span.blended).min(last);
        let frame = (span.enter + at.saturating_sub(span.start)).min(clip.n_frames() - 1);
        let skeleton = strip.rig().skeleton();
        let place = WorldPose::of(skeleton, strip.pose(effect.min(last))).site(skeleton, site);
        let stands = (strip.place(at), strip.heading_rad(at));
        Self::moved(up, clip, frame, stands, place)
    }

    /// What brings a frame of a clip to a place and heading.
    pub fn moved(
        up: Axis,
        clip: &JoinClip,
        frame: usize,
        (stands, heading_rad): (Vec3, f64),
        place: Vec3,
    ) -> Self {
        let turn_rad = heading_rad - clip.track.headings[frame];
        let way = stands - turn(up, turn_rad) * clip.track.positions[frame];
        Self {
            turn_rad,
            shift: way - up.vector() * up.along(&way),
            place,
        }
    }
}

/// An action that was made for a target and joined.
#[derive(Debug, Clone)]
pub struct Aimed<T> {
    /// What joining it gave.
    pub joined: T,
    /// How far from the target the site comes.
    pub missed: f64,
    /// Whether the target can be reached from where the action stands.
    pub is_reachable: bool,
    /// The place and heading in which the action begins.
    pub start: ActionStart,
    /// The frame of the action at the moment of effect.
    pub effect_frame: usize,
}

impl<T> Aimed<T> {
    /// How good it is, the lower the better: how near it comes, and the penalty of its join.
    pub fn score(&self, penalty: f64, metres: f64) -> f64 {
        penalty + PER_METRE * self.missed * metres
    }
}

impl ParametricAction {
    /// Makes the action for a target in the world. `join` is given the action, and the number of the round, and puts it
    /// where it belongs; the first round only tells where that is.
    pub fn aim<T, E: From<ParametricError>>(
        &self,
        target: &Vec3,
        mut join: impl FnMut(Reached, usize) -> Result<(T, Landing), E>,
    ) -> Result<Aimed<T>, E> {
        let met = MET_HEIGHTS * self.body_height();
        // The first one is made at the origin, for a point that is reached surely; what counts is where it comes to
        // stand.
        let examples = &self.report().examples;
        let mean = examples.iter().map(|e| e.point).sum::<Vec3>() / examples.len() as f64;
        let mut start = ActionStart::at_origin();
        let mut reached = self.reach(&mean)?;
        let mut aimed = *target;
        let mut best: Option<Aimed<T>> = None;
        for round in 0..=ROUNDS {
            let effect_frame = reached.effect_frame;
            let is_reachable = self.can_reach(&start, target);
            let (joined, landing) = join(reached, round)?;
            start = start.moved(self.up(), &landing);
            if round > 0 {
                if is_reachable {
                    aimed += target - landing.place;
                }
                let missed = (landing.place - target).norm();
                if best.as_ref().is_none_or(|best| missed < best.missed) {
                    best = Some(Aimed {
                        joined,
                        missed,
                        is_reachable,
                        start,
                        effect_frame,
                    });
                }
                if missed < met {
                    break;
                }
            }
            reached = self.reach_world(&start, &aimed)?;
        }
        Ok(best.expect("there is more than one round"))
    }

    /// How the action may be joined, each way to be tried. They may not be chosen by the join alone: a path of some
    /// steps may end out of reach. A direct join that goes on over the moment of effect would take the hand elsewhere,
    /// so it ends before, if that leaves it a length that joins may have.
    pub fn means(&self, asked: &TransitionSettings, is_first: bool) -> Vec<TransitionSettings> {
        let means = match asked.means {
            // Nothing comes before the first action.
            TransitionMethod::Best if !is_first => vec![
                TransitionMethod::Direct,
                TransitionMethod::Path,
                TransitionMethod::Bezier,
            ],
            one => vec![one],
        };
        let before_effect = BLENDED_SHARE * self.report().effect_secs;
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

    /// Whether a target in the world is reached by an action that starts here.
    pub fn can_reach(&self, start: &ActionStart, target: &Vec3) -> bool {
        let point = start.action_from_world(self.up(), target);
        let (_, off) = self.nearest_reachable(&point);
        // What blending leaves is made up by the limb, as far as it may be moved.
        off <= self.settings().max_hold_heights * self.body_height()
    }
}

impl ActionStart {
    fn moved(&self, up: Axis, by: &Landing) -> Self {
        Self {
            place: turn(up, by.turn_rad) * self.place + by.shift,
            heading_rad: self.heading_rad + by.turn_rad,
        }
    }
}
