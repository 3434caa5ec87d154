//! Feet across a join: a foot that stands stays where it stands, and one that has to stand elsewhere takes a step.
//!
//! Each leg gets a plan for the frames of the join:
//! - It stands on both sides, nearly at the same place: it is held where it was until the target lifts it.
//! - It stands on both sides, further apart than a lock may pull: it stands, is lifted, carried over, put down. Feet
//!   step one after the other. A slide would be seen at once.
//! - It stands in the source only: it is held until the target takes it up.
//! - It stands in the target only: it is put down where the target has it, before the blend has quite ended.
//!
//! Contacts come from the clips, not from the blended feet. The limb solver ([`crate::motion::limb`]) does the rest:
//! corrections fade out after the foot is lifted.

use std::ops::Range;
use std::sync::Arc;

use super::report::{JoinReport, Norms};
use super::shape::smootherstep;
use super::strip::{Joined, Strip};
use super::{Planted, Rig, end_of_chain};
use crate::motion::limb::{Hold, HoldPosition, LimbError, LimbProblem, Limits, ReachPolicy};
use crate::motion::{Limb, Motion, Site, Vec3};

/// A lock may pull a standing foot this far from where the target would have it; metres of a body of 1.75 m. Further,
/// the leg is seen to be pulled.
const MOST_PULL: f64 = 0.05;
/// A foot that was put down stays until the target lifts it, if the target itself moves it by less than this; metres.
const MOST_DRIFT: f64 = 0.08;
/// The first and last share of a step, over which the foot goes up and down only.
const STEEP_SHARE: f64 = 0.05;
/// A step of no length takes this time, and each metre takes more.
const STEP_SECS: f64 = 0.22;
const STEP_SECS_PER_METRE: f64 = 0.25;
/// How high a step of no length lifts the foot, and of a metre; metres.
const LIFT: f64 = 0.04;
const LIFT_PER_METRE: f64 = 0.1;
/// A foot that only the source has down leaves the floor after this share of the join at the earliest and after that at
/// the latest; one that only the target has down is put there after the last.
const UP_SHARE: (f64, f64) = (0.1, 0.3);
/// Metres that make the difference.
const FAR: f64 = 0.2;
const DOWN_SHARE: f64 = 0.8;
/// A foot that the target puts down within this share of the join stands on both sides.
const SAME_SHARE: f64 = 0.3;

/// Locks the feet across a join and measures it. The frames before it do not change.
pub fn lock(strip: &mut Strip, joined: &Joined, norms: &Norms) -> Result<JoinReport, LimbError> {
    if joined.frames == 0 || joined.at == 0 || joined.at + joined.frames >= strip.n_frames() {
        return Ok(norms.report(strip, joined));
    }
    let rig = Arc::clone(strip.rig());
    strip.straighten(joined.at..joined.at + joined.frames);
    let mut feet: Vec<Foot> = (0..rig.body.legs.len())
        .map(|leg| Foot::of(strip, joined, leg))
        .collect();
    schedule(&mut feet, joined, &rig);
    let mut holds = Vec::new();
    for foot in &feet {
        foot.add_holds(strip, joined, &mut holds);
    }
    let report = if holds.is_empty() {
        norms.report(strip, joined)
    } else {
        solve(strip, joined, holds, norms)?
    };
    for foot in &feet {
        foot.mark(strip, joined);
    }
    Ok(report)
}

/// One leg around a join.
struct Foot {
    leg: usize,
    /// Bits of the points of this foot that stand at the last frame of the source.
    planted: Planted,
    /// The contact of the target that is on when the blend ends, in frames of the strip.
    lands: Option<Range<usize>>,
    /// When the target lifts the foot, if it begins with the foot down.
    lifts: usize,
    /// How far apart both places are, metres.
    apart: f64,
    plan: FootPlan,
}

#[derive(Debug, Clone, PartialEq)]
enum FootPlan {
    /// As blended, but not dragged along the floor.
    Free,
    /// Held until the target lifts it.
    Hold,
    /// Stands until the swing, and where the target has it after.
    Step(Range<usize>),
    /// Held up to this frame.
    Leave(usize),
    /// In the place of the target from this frame on.
    Land(usize),
}

impl Foot {
    fn of(strip: &Strip, joined: &Joined, leg: usize) -> Self {
        let rig = strip.rig();
        let own = own_points(rig, leg);
        let planted = strip.planted[joined.at - 1] & own;
        let blended = joined.at + joined.frames;
        let down = |f: usize| strip.planted[f] & own != 0;
        let lands = down(blended).then(|| {
            let start = (joined.at..blended).rev().find(|&f| !down(f));
            let end = (blended..strip.n_frames()).find(|&f| !down(f));
            start.map_or(joined.at, |f| f + 1)..end.unwrap_or(strip.n_frames())
        });
        let lifts = (joined.at..blended).find(|&f| !down(f));
        let mut foot = Self {
            leg,
            planted,
            lands,
            lifts: lifts.unwrap_or(blended),
            apart: 0.0,
            plan: FootPlan::Free,
        };
        let joint = foot.point(rig);
        let way = place_of(strip, joint, blended) - place_of(strip, joint, joined.at - 1);
        foot.apart = super::planar(&way, rig.metric.heading.up).norm() * rig.metric.metres;
        foot
    }

    /// Whether it stands before and after.
    fn has_to_step(&self) -> bool {
        self.planted != 0 && self.lands.is_some() && self.apart > MOST_PULL
    }

    /// The point that is carried: one that stands, the toe before the ankle.
    fn point(&self, rig: &Rig) -> usize {
        let points = (0..rig.points.len()).rev();
        let standing = points.clone().find(|p| self.planted & (1 << p) != 0);
        let leg = &rig.body.legs[self.leg];
        standing.map_or(leg.toe.unwrap_or(leg.end), |p| rig.points[p].joint)
    }

    fn add_holds(&self, strip: &Strip, joined: &Joined, holds: &mut Vec<Hold>) {
        let leave = joined.at - 1;
        let blended = joined.at + joined.frames;
        let end = self.lands.as_ref().map_or(blended, |l| l.end);
        match &self.plan {
            FootPlan::Free => {
                holds.push(self.carried(strip, leave..leave, blended, blended, [false, false]));
            }
            FootPlan::Hold => hold_points(strip, self.planted, leave, leave..end, holds),
            FootPlan::Leave(until) => {
                hold_points(strip, self.planted, leave, leave..*until, holds);
                holds.push(self.carried(strip, leave..*until, blended, blended, [true, false]));
            }
            FootPlan::Land(from) => {
                holds.push(self.carried(strip, leave..leave, *from, blended, [false, true]));
                self.stand(strip, *from, blended, holds);
            }
            FootPlan::Step(swing) => {
                hold_points(strip, self.planted, leave, leave..swing.start, holds);
                holds.push(self.carried(
                    strip,
                    leave..swing.start,
                    swing.end,
                    blended,
                    [true, true],
                ));
                self.stand(strip, swing.end, blended, holds);
            }
        }
        holds.retain(|hold| !hold.frames.is_empty());
    }

    /// Stands where the target has it: while the blend still has it elsewhere, and on until the target lifts it. What
    /// the capture slid in between is not shown, unless the foot goes so far that it was no slide.
    fn stand(&self, strip: &Strip, from: usize, blended: usize, holds: &mut Vec<Hold>) {
        let rig = strip.rig();
        let planted = strip.planted[blended] & own_points(rig, self.leg);
        for (point, foot) in rig.points.iter().enumerate() {
            if planted & (1 << point) == 0 {
                continue;
            }
            let lifted =
                (blended..strip.n_frames()).find(|&f| strip.planted[f] & (1 << point) == 0);
            let lifted = lifted.unwrap_or(strip.n_frames());
            let places = places_of(strip, foot.joint, blended..lifted);
            let far = |place: &Vec3| (place - places[0]).norm() * rig.metric.metres > MOST_DRIFT;
            let end = if places.iter().any(far) {
                blended
            } else {
                lifted
            };
            holds.push(Hold {
                site: Site::Joint(foot.joint),
                frames: from..end,
                at: HoldPosition::Point(places[0]),
            });
        }
    }

    /// Carries the foot through the air: from where it was held, if it was, to where it will stand, if it will, else
    /// along its blended way. It is lifted as far as it is dragged along the floor otherwise.
    fn carried(
        &self,
        strip: &Strip,
        held: Range<usize>,
        end: usize,
        settled: usize,
        [from_stand, to_stand]: [bool; 2],
    ) -> Hold {
        let rig = strip.rig();
        let up = rig.metric.heading.up;
        let joint = self.point(rig);
        let swing = held.end..end.max(held.end);
        let stood = place_of(strip, joint, held.start);
        let blended = places_of(strip, joint, swing.clone());
        // While the blend goes on, only its end shows where the target stands.
        let lands = place_of(strip, joint, end.max(settled));
        let way = super::planar(&(lands - stood), up).norm();
        let height = |p: &Vec3| up.along(p);
        let floor = height(&stood).min(height(&lands));
        let far = way * rig.metric.metres;
        let wanted = if far > 0.5 * MOST_PULL {
            (LIFT + LIFT_PER_METRE * far) / rig.metric.metres
        } else {
            0.0
        };
        let n = (swing.len() + 1) as f64;
        // A squared sine: neither speed where it leaves the floor nor where it is put down.
        let arc = |i: usize| (std::f64::consts::PI * (i + 1) as f64 / n).sin().powi(2);
        // What the blended foot lacks of that arc, where it lacks most; near the ends nothing can be said.
        let lacks = blended.iter().enumerate().filter(|&(i, _)| arc(i) > 0.3);
        let lacks = lacks.map(|(i, p)| wanted - (height(p) - floor) / arc(i));
        let lift = if from_stand && to_stand {
            wanted
        } else {
            lacks.fold(0.0, f64::max)
        };
        let first = blended.first().copied().unwrap_or(stood);
        let last = blended.last().copied().unwrap_or(lands);
        let base = blended.iter().enumerate().map(|(i, raw)| {
            let share = (i + 1) as f64 / n;
            let fade = smootherstep((share - STEEP_SHARE) / (1.0 - 2.0 * STEEP_SHARE));
            match (from_stand, to_stand) {
                (true, true) => stood.lerp(&lands, fade),
                (true, false) => raw + (stood - first) * (1.0 - fade),
                (false, true) => raw + (lands - last) * fade,
                (false, false) => *raw,
            }
        });
        let base: Vec<Vec3> = base.collect();
        let lifted = |lift: f64| -> Vec<Vec3> {
            let points = base.iter().enumerate();
            let path = points.map(|(i, p)| p + up.vector() * (lift * arc(i)));
            path.collect()
        };
        // Less lift means feet that pass nearer to the floor; where nothing is known of knees it is not bounded.
        let lift = if rig.knees.is_empty() {
            lift
        } else {
            let bend = Bend::of(strip, &rig.body.legs[self.leg], joint, swing.start, settled);
            bend.most_lift(strip, swing.start, lift, &lifted)
        };
        Hold {
            site: Site::Joint(joint),
            at: HoldPosition::Path(lifted(lift)),
            frames: swing,
        }
    }

    /// Says in the strip when the foot stands now.
    fn mark(&self, strip: &mut Strip, joined: &Joined) {
        let own = own_points(strip.rig(), self.leg);
        let blended = joined.at + joined.frames;
        let (stands_until, stands_from) = match &self.plan {
            FootPlan::Free => (joined.at, blended),
            FootPlan::Hold => (blended, blended),
            FootPlan::Leave(until) => (*until, blended),
            FootPlan::Land(from) => (joined.at, *from),
            FootPlan::Step(swing) => (swing.start, swing.end),
        };
        for f in joined.at..stands_from.max(blended) {
            let down = if f < stands_until {
                self.planted
            } else if f < stands_from {
                0
            } else {
                strip.planted[f] & own
            };
            strip.planted[f] = strip.planted[f] & !own | down;
        }
    }
}

/// How near a foot comes to its hip on both sides of a join: nearer, the knee would be bent as it is on neither.
struct Bend {
    hip: usize,
    nearest: f64,
}

impl Bend {
    /// Looks at the second before the foot is carried, and at the one after the blend.
    fn of(strip: &Strip, leg: &Limb, joint: usize, from: usize, settled: usize) -> Self {
        let second = strip.rig().fps.round() as usize;
        let before = from.saturating_sub(second)..from;
        let after = settled..(settled + second).min(strip.n_frames());
        let sides = [before, after].into_iter().flat_map(|frames| {
            let hips = places_of(strip, leg.upper, frames.clone());
            let feet = places_of(strip, joint, frames);
            hips.into_iter()
                .zip(feet)
                .map(|(hip, foot)| (foot - hip).norm())
                .collect::<Vec<_>>()
        });
        Self {
            hip: leg.upper,
            nearest: sides.fold(f64::INFINITY, f64::min),
        }
    }

    /// How much of a lift can be done without coming nearer, or nearer than without it.
    fn most_lift(
        &self,
        strip: &Strip,
        from: usize,
        wanted: f64,
        path: &dyn Fn(f64) -> Vec<Vec3>,
    ) -> f64 {
        const TRIES: usize = 5;
        let flat = path(0.0);
        let hips = places_of(strip, self.hip, from..from + flat.len());
        let near = |points: &[Vec3]| {
            let each = points.iter().zip(&hips).map(|(p, hip)| (p - hip).norm());
            each.fold(f64::INFINITY, f64::min)
        };
        let least = self.nearest.min(near(&flat));
        let shares = (0..TRIES).map(|t| wanted * (TRIES - t) as f64 / TRIES as f64);
        let mut shares = shares.filter(|lift| near(&path(*lift)) >= least);
        shares.next().unwrap_or(0.0)
    }
}

/// Decides for each foot what it does, and when it steps.
fn schedule(feet: &mut [Foot], joined: &Joined, rig: &Rig) {
    let n = joined.frames as f64;
    let share = |s: f64| joined.at + (s * n).round() as usize;
    let mut order: Vec<usize> = (0..feet.len()).collect();
    // The longer step first: the other foot carries the body meanwhile.
    order.sort_by(|&a, &b| feet[b].apart.total_cmp(&feet[a].apart).then(a.cmp(&b)));
    let n_steps = feet.iter().filter(|f| f.has_to_step()).count();
    let mut free = joined.at;
    for i in order {
        let foot = &mut feet[i];
        // The further it has to go, the sooner it leaves, or the leg is left behind.
        let latest = if foot.apart > FAR {
            UP_SHARE.0
        } else {
            UP_SHARE.1
        };
        let lifted = foot.lifts.clamp(share(UP_SHARE.0), share(latest));
        foot.plan = match &foot.lands {
            Some(_) if foot.planted != 0 && foot.apart <= MOST_PULL => FootPlan::Hold,
            Some(lands) if foot.planted != 0 => {
                let secs = STEP_SECS + STEP_SECS_PER_METRE * foot.apart;
                // Longer than the contact is never put down; a hostile file may ask for any length.
                let frames = ((secs * rig.fps).round() as usize).clamp(2, lands.end.max(2));
                let swing = if lands.start > share(SAME_SHARE) {
                    // The target itself takes a step here.
                    lifted..lands.start.max(lifted + frames)
                } else {
                    let room = (n / n_steps.max(1) as f64).round() as usize;
                    let swing = free..free + frames.max(room);
                    free = swing.end;
                    swing
                };
                // What the target lifts before the step would be over is not put down.
                if swing.end < lands.end {
                    FootPlan::Step(swing)
                } else {
                    FootPlan::Leave(swing.start.clamp(share(UP_SHARE.0), share(latest)))
                }
            }
            Some(lands) => FootPlan::Land(lands.start.max(share(DOWN_SHARE))),
            None if foot.planted != 0 => FootPlan::Leave(lifted),
            None => FootPlan::Free,
        };
    }
}

/// Holds points where they are at one frame.
fn hold_points(
    strip: &Strip,
    planted: Planted,
    at: usize,
    frames: Range<usize>,
    holds: &mut Vec<Hold>,
) {
    for (point, foot) in strip.rig().points.iter().enumerate() {
        if planted & (1 << point) != 0 {
            holds.push(Hold {
                site: Site::Joint(foot.joint),
                frames: frames.clone(),
                at: HoldPosition::Point(place_of(strip, foot.joint, at)),
            });
        }
    }
}

fn own_points(rig: &Rig, leg: usize) -> Planted {
    let of_leg = rig.points.iter().enumerate().filter(|(_, p)| p.leg == leg);
    of_leg.map(|(point, _)| 1 << point).sum()
}

fn place_of(strip: &Strip, joint: usize, frame: usize) -> Vec3 {
    places_of(strip, joint, frame..frame + 1)[0]
}

/// Where a joint is in some frames.
fn places_of(strip: &Strip, joint: usize, frames: Range<usize>) -> Vec<Vec3> {
    let skeleton = strip.rig().skeleton();
    let chain = skeleton.with_ancestors([joint]);
    let place = |frame| end_of_chain(skeleton, &chain, strip.pose(frame)).0;
    frames.map(place).collect()
}

/// Solves the legs, puts them into the strip, and measures the join.
///
/// A leg that is nearly straight turns a small correction into a jerk of the knee. Where the join is then rougher than
/// the clips are, holds give way for some frames, which mends nothing else; where that is not enough, the body follows
/// the feet. That comes last: a body that follows jerks more than a foot that is out of reach for some frames slides.
fn solve(
    strip: &mut Strip,
    joined: &Joined,
    mut holds: Vec<Hold>,
    norms: &Norms,
) -> Result<JoinReport, LimbError> {
    let [stays, follows] = [ReachPolicy::Report, ReachPolicy::RootFollows]
        .map(|reach| strip.rig().limb_settings(reach));
    let from = joined.at - 1;
    let reach = (stays.ease_secs * strip.rig().fps).ceil() as usize + 2;
    let last = holds.iter().map(|h| h.frames.end).max().unwrap_or(from);
    let frames = from..(last + reach).min(strip.n_frames());
    for hold in &mut holds {
        hold.frames = hold.frames.start - frames.start..hold.frames.end - frames.start;
    }
    let rig = Arc::clone(strip.rig());
    let clip = strip.clip_of(frames)?;
    let work = LimbProblem::new(&clip, &rig.body, &holds, &stays)?;
    let attempts: [&dyn Fn() -> Motion; 3] = [
        &|| work.firm(),
        &|| work.gentle(&Limits::default()),
        &|| work.with(&follows).firm(),
    ];
    let mut best: Option<(f64, JoinReport, Motion)> = None;
    for (nth, attempt) in attempts.iter().enumerate() {
        let is_gentle = nth == 1;
        if is_gentle && best.as_ref().is_some_and(|b| b.1.is_smooth(norms)) {
            continue;
        }
        let motion = attempt();
        strip.set_poses(from, &motion);
        let report = norms.report(strip, joined);
        let excess = report.excess(norms);
        if excess == 0.0 || norms.is_past_mending(&report, strip, joined) {
            return Ok(report);
        }
        if best.as_ref().is_none_or(|b| excess < b.0) {
            best = Some((excess, report, motion));
        }
    }
    let (_, report, motion) = best.expect("there are three attempts");
    strip.set_poses(from, &motion);
    Ok(report)
}
