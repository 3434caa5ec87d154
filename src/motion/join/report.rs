//! How good a join is, against what the clips themselves do.
//!
//! Joint motion is measured on the rotations that the pose metric counts, the pelvis with its heading, as one vector:
//! steps from frame to frame, changes of velocity, jerk. The same in space, for head, hands, feet and pelvis, sees what
//! angles do not: a body that is pulled. Limits are 99th percentiles over all frames of the clips, frames with glitches
//! left out. One join is judged by its worst frame.

use std::ops::Range;

use super::strip::{Joined, Strip};
use super::{JoinClip, Rig};
use crate::motion::metrics::FootLevels;
use crate::motion::pose_metric::BODY_METRES;
use crate::motion::rotation::mean;
use crate::motion::{Clip, PoseRef, Quat, Vec3, WorldPose, edit};

/// The share of frames of the clips that stay below a limit.
const USUAL: f64 = 0.99;
/// A foot point higher than this above where it stands is in the air; metres, as in Zhang et al. 2018.
const LIFTED: f64 = 0.025;
/// Feet are looked at for this time after the blended frames.
const AFTER_SECS: f64 = 0.25;

/// Joints may leave the range that the clips show by this; degrees.
pub const OVERSHOOT_DEG: f64 = 5.0;
/// Feet may slide this many times as fast as in the clips.
pub const SLIDE_TIMES: f64 = 1.5;

/// What the clips themselves do.
#[derive(Debug, Clone, PartialEq)]
pub struct Norms {
    /// 99th percentile of the step from frame to frame, degrees.
    pub step_deg: f64,
    /// Of the change of velocity, degrees a second.
    pub velocity_step_deg: f64,
    /// Of jerk, degrees per second cubed.
    pub jerk_deg: f64,
    /// Of jerk in space, metres per second cubed.
    pub space_jerk: f64,
    /// Mean speed of feet over the floor while they are down, metres a second.
    pub foot_slide: f64,
    /// 99th percentile of the step of the pelvis along the floor, metres.
    pub root_step: f64,
    /// Of the turn of the heading in a frame, degrees.
    pub heading_step_deg: f64,
    /// For each joint the middle of its rotations and how far they go from it, in that middle's axes.
    ranges: Vec<JointRange>,
    /// Foot points with the height at which they stand, metres.
    levels: Vec<(usize, f64)>,
    /// Joints that are looked at in space.
    tips: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq)]
struct JointRange {
    joint: usize,
    middle: Quat,
    least: Vec3,
    most: Vec3,
}

/// The numbers of one join.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JoinReport {
    /// Largest step from frame to frame where the sides meet, degrees.
    pub pose_jump_deg: f64,
    /// Largest change of velocity where the sides meet, degrees a second.
    pub velocity_jump_deg: f64,
    /// Largest jerk in the join against the clips' 99th percentile.
    pub jerk_ratio: f64,
    /// The same in space.
    pub space_jerk_ratio: f64,
    /// How far any joint leaves the range that the clips show, degrees.
    pub overshoot_deg: f64,
    /// Mean speed of feet that are down, metres a second.
    pub foot_slide: f64,
    /// Largest step of the pelvis along the floor, metres.
    pub root_step: f64,
    /// Largest turn of the heading in a frame, degrees.
    pub heading_step_deg: f64,
}

impl JoinReport {
    /// How far limits are broken, in their sizes: the clips' own 99th percentiles, [`OVERSHOOT_DEG`], and
    /// [`SLIDE_TIMES`] as much slide as they have. Zero for a join that is nowhere rougher than the clips.
    pub fn excess(&self, norms: &Norms) -> f64 {
        let over = |value: f64, limit: f64| (value / limit.max(1e-9) - 1.0).max(0.0);
        over(self.jerk_ratio, 1.0)
            + over(self.space_jerk_ratio, 1.0)
            + over(self.pose_jump_deg, norms.step_deg)
            + over(self.velocity_jump_deg, norms.velocity_step_deg)
            + over(self.overshoot_deg, OVERSHOOT_DEG)
            + over(self.foot_slide, SLIDE_TIMES * norms.foot_slide)
    }

    /// Whether nothing jumps or jerks, whatever feet and limits of joints say.
    pub(super) fn is_smooth(&self, norms: &Norms) -> bool {
        self.jerk_ratio <= 1.0
            && self.space_jerk_ratio <= 1.0
            && self.pose_jump_deg <= norms.step_deg
            && self.velocity_jump_deg <= norms.velocity_step_deg
    }
}

impl Norms {
    /// Measures what the clips do by themselves, for joins to be measured against.
    pub fn learn(rig: &Rig, clips: &[&JoinClip]) -> Self {
        let mut steps = [const { Vec::new() }; 6];
        let mut tips: Vec<usize> = vec![rig.metric.heading.root];
        tips.extend(rig.body.head);
        let limbs = rig.body.legs.iter().chain(&rig.body.arms);
        tips.extend(limbs.map(|limb| limb.end));
        let levels = levels(clips);
        let (mut slide, mut weights) = (0.0, 0.0);
        let bad: Vec<Vec<usize>> = clips.iter().map(|clip| glitched(&clip.clip)).collect();
        for (clip, bad) in clips.iter().zip(&bad) {
            let n = clip.n_frames();
            let seen = JoinSteps::of(rig, &tips, &levels, &*clip.clip, 0..n, n);
            let (s, w) = foot_slide(rig, &levels, &seen.feet);
            slide += s;
            weights += w;
            for at in 1..clip.n_frames() {
                if bad.iter().any(|&b| b.abs_diff(at) <= 2) {
                    continue;
                }
                let track = &clip.track;
                let way = track.positions[at] - track.positions[at - 1];
                let turned = (track.headings[at] - track.headings[at - 1]).abs();
                let values = [
                    seen.step(at),
                    seen.velocity_step(at),
                    seen.jerk(at),
                    seen.space_jerk(at),
                    Some(super::planar(&way, rig.metric.heading.up).norm() * rig.metric.metres),
                    Some(turned.to_degrees()),
                ];
                for (list, value) in steps.iter_mut().zip(values) {
                    list.extend(value);
                }
            }
        }
        let [
            step_deg,
            velocity_step_deg,
            jerk_deg,
            space_jerk,
            root_step,
            heading_step_deg,
        ] = steps.map(|mut list: Vec<f64>| percentile(&mut list, USUAL));
        Self {
            step_deg,
            velocity_step_deg,
            jerk_deg,
            space_jerk,
            foot_slide: if weights > 0.0 { slide / weights } else { 0.0 },
            root_step,
            heading_step_deg,
            ranges: ranges(rig, clips, &bad),
            levels,
            tips,
        }
    }

    /// Measures a join against these norms.
    pub fn report(&self, strip: &Strip, joined: &Joined) -> JoinReport {
        let rig = strip.rig();
        let end = (joined.at + joined.frames + 3).min(strip.n_frames());
        let start = joined.at.saturating_sub(4);
        let after = joined.at + joined.frames + (AFTER_SECS * rig.fps) as usize;
        let feet_end = after.min(strip.n_frames()).max(end);
        let seen = JoinSteps::of(rig, &self.tips, &self.levels, strip, start..feet_end, end);
        let window = || joined.at - start..end - start;
        let most =
            |value: &dyn Fn(usize) -> Option<f64>| window().filter_map(value).fold(0.0, f64::max);
        // The sides meet at the cut and where the blend ends.
        let seams = [joined.at, joined.at + joined.frames].map(|f| f.saturating_sub(start));
        let at_seams = |value: &dyn Fn(usize) -> Option<f64>| {
            let around = seams.iter().flat_map(|&s| [s, s + 1]);
            around
                .filter(|&f| f < end - start)
                .filter_map(value)
                .fold(0.0, f64::max)
        };
        let first = joined.at.saturating_sub(1) - start;
        let (sum, weights) = foot_slide(rig, &self.levels, &seen.feet[first..]);
        let up = rig.metric.heading.up;
        let root_steps = (joined.at..end).map(|f| {
            super::planar(&(strip.place(f) - strip.place(f - 1)), up).norm() * rig.metric.metres
        });
        let turns =
            (joined.at..end).map(|f| (strip.heading_rad(f) - strip.heading_rad(f - 1)).abs());
        JoinReport {
            pose_jump_deg: at_seams(&|f| seen.step(f)),
            velocity_jump_deg: at_seams(&|f| seen.velocity_step(f)),
            jerk_ratio: most(&|f| seen.jerk(f)) / self.jerk_deg.max(f64::MIN_POSITIVE),
            space_jerk_ratio: most(&|f| seen.space_jerk(f))
                / self.space_jerk.max(f64::MIN_POSITIVE),
            overshoot_deg: self.overshoot(strip, joined.at..end, |_| true).to_degrees(),
            foot_slide: if weights > 0.0 { sum / weights } else { 0.0 },
            root_step: root_steps.fold(0.0, f64::max),
            heading_step_deg: turns.fold(0.0, f64::max).to_degrees(),
        }
    }

    /// Whether all that is wrong with a join is that joints other than those of the legs leave their range: however
    /// feet are held, it stays so.
    pub(super) fn is_past_mending(
        &self,
        report: &JoinReport,
        strip: &Strip,
        joined: &Joined,
    ) -> bool {
        let is_sliding = report.foot_slide > SLIDE_TIMES * self.foot_slide;
        if is_sliding || !report.is_smooth(self) {
            return false;
        }
        let end = (joined.at + joined.frames + 3).min(strip.n_frames());
        let legs = &strip.rig().body.legs;
        let is_fixed = |joint: usize| {
            let solved = legs.iter().flat_map(|leg| [leg.upper, leg.middle, leg.end]);
            solved.into_iter().all(|j| j != joint)
        };
        let fixed = self.overshoot(strip, joined.at..end, is_fixed);
        fixed.to_degrees() >= report.overshoot_deg
    }

    /// How far joints that count leave the range of the clips.
    fn overshoot(
        &self,
        strip: &Strip,
        frames: Range<usize>,
        counts: impl Fn(usize) -> bool,
    ) -> f64 {
        let mut worst: f64 = 0.0;
        for frame in frames {
            let rotations = strip.pose(frame).rotations;
            for range in self.ranges.iter().filter(|range| counts(range.joint)) {
                let turned = range.middle.inverse() * rotations[range.joint];
                if range.at_most_over(&turned) > worst {
                    let at = turned.scaled_axis();
                    let over = (at - range.most).max().max((range.least - at).max());
                    worst = worst.max(over);
                }
            }
        }
        worst
    }
}

impl JointRange {
    /// At least as much as a rotation is out of the range, without an arc tangent: most rotations are far inside.
    ///
    /// The rotation vector is the imaginary part of the quaternion times `2 acos(w) / sqrt(1 - w^2)`, a convex
    /// function that is pi for w = 0 and 2 for w = 1, so never above the line between.
    fn at_most_over(&self, turned: &Quat) -> f64 {
        let sign = if turned.w < 0.0 { -1.0 } else { 1.0 };
        let most = 2.0 + (std::f64::consts::PI - 2.0) * (1.0 - turned.w.abs().min(1.0));
        let imaginary = turned.imag() * sign;
        let (near, far) = (imaginary * 2.0, imaginary * most);
        let above = (near.sup(&far) - self.most).max();
        above.max((self.least - near.inf(&far)).max())
    }
}

/// The heights at which foot points stand, metres; none on a skeleton without feet.
fn levels(clips: &[&JoinClip]) -> Vec<(usize, f64)> {
    let refs: Vec<&Clip> = clips.iter().map(|c| &*c.clip).collect();
    let Ok(ground) = FootLevels::learn(&refs) else {
        return Vec::new();
    };
    let metres = |(joint, heights): (usize, f64)| (joint, heights * BODY_METRES);
    ground.levels.into_iter().map(metres).collect()
}

/// Weighted sum of the speeds of foot points over the floor, and the weights; `feet` has their places in metres, frame
/// by frame.
fn foot_slide(rig: &Rig, levels: &[(usize, f64)], feet: &[Vec<Vec3>]) -> (f64, f64) {
    let up = rig.metric.heading.up;
    let (mut sum, mut weights) = (0.0, 0.0);
    for pair in feet.windows(2) {
        for ((before, now), (_, level)) in pair[0].iter().zip(&pair[1]).zip(levels) {
            let height = 0.5 * (up.along(before) + up.along(now)) - level;
            let weight = (2.0 - (height.max(0.0) / LIFTED).exp2()).max(0.0);
            sum += weight * super::planar(&(now - before), up).norm() * rig.fps;
            weights += weight;
        }
    }
    (sum, weights)
}

/// Anything that has poses.
trait Frames {
    fn at(&self, frame: usize) -> PoseRef<'_>;
}

impl Frames for Clip {
    fn at(&self, frame: usize) -> PoseRef<'_> {
        self.frame(frame)
    }
}

impl Frames for Strip {
    fn at(&self, frame: usize) -> PoseRef<'_> {
        self.pose(frame)
    }
}

/// Steps from frame to frame of joints and places.
struct JoinSteps {
    fps: f64,
    /// For each frame but the first, the turns of all counted rotations, in radians.
    turns: Vec<Vec<Vec3>>,
    /// The ways of all tips, in metres.
    ways: Vec<Vec<Vec3>>,
    /// For each frame the places of foot points, in metres.
    feet: Vec<Vec<Vec3>>,
}

impl JoinSteps {
    /// Reads the feet of all frames of a range, joints and tips of those before `end`.
    fn of(
        rig: &Rig,
        tips: &[usize],
        levels: &[(usize, f64)],
        frames: &impl Frames,
        range: Range<usize>,
        end: usize,
    ) -> Self {
        let skeleton = rig.skeleton();
        let mut world = WorldPose::of(skeleton, frames.at(range.start));
        let mut seen = Self {
            fps: rig.fps,
            turns: Vec::with_capacity(range.len()),
            ways: Vec::with_capacity(range.len()),
            feet: Vec::with_capacity(range.len()),
        };
        let metres = rig.metric.metres;
        let seen_joints = tips.iter().copied().chain(levels.iter().map(|l| l.0));
        let joints = skeleton.with_ancestors(seen_joints);
        let mut before: Option<(Vec<Quat>, Vec<Vec3>)> = None;
        for frame in range {
            let pose = frames.at(frame);
            world.update_some(skeleton, pose, &joints);
            let feet = levels.iter().map(|l| world.positions[l.0] * metres);
            seen.feet.push(feet.collect());
            if frame >= end {
                continue;
            }
            // Heading 0: the pelvis counts with the way it faces.
            let root = rig.metric.heading.root;
            let place = rig.metric.place_at(
                pose.rotations,
                world.positions[root],
                &world.rotations[root],
                0.0,
            );
            let places = tips.iter().map(|&t| world.positions[t] * metres);
            let places: Vec<Vec3> = places.collect();
            if let Some((rotations, old)) = &before {
                let steps = rotations.iter().zip(&place.rotations);
                seen.turns.push(
                    steps
                        .map(|(a, b)| (a.inverse() * b).scaled_axis())
                        .collect(),
                );
                seen.ways
                    .push(places.iter().zip(old).map(|(a, b)| a - b).collect());
            }
            before = Some((place.rotations, places));
        }
        seen
    }

    /// Into a frame, from the one before.
    fn step(&self, frame: usize) -> Option<f64> {
        Some(norm(&[(1.0, self.turns.get(frame.checked_sub(1)?)?)]).to_degrees())
    }

    fn velocity_step(&self, frame: usize) -> Option<f64> {
        let [b, a] = [1, 2].map(|back| frame.checked_sub(back).and_then(|f| self.turns.get(f)));
        Some(norm(&[(1.0, b?), (-1.0, a?)]).to_degrees() * self.fps)
    }

    fn jerk(&self, frame: usize) -> Option<f64> {
        third(&self.turns, frame).map(|j| j.to_degrees() * self.fps.powi(3))
    }

    fn space_jerk(&self, frame: usize) -> Option<f64> {
        third(&self.ways, frame).map(|j| j * self.fps.powi(3))
    }
}

/// The second difference of steps, which is the third of places.
fn third(steps: &[Vec<Vec3>], frame: usize) -> Option<f64> {
    let [c, b, a] = [1, 2, 3].map(|back| frame.checked_sub(back).and_then(|f| steps.get(f)));
    Some(norm(&[(1.0, c?), (-2.0, b?), (1.0, a?)]))
}

/// Length of a weighted sum of vectors of vectors.
fn norm(terms: &[(f64, &Vec<Vec3>)]) -> f64 {
    let n = terms.first().map_or(0, |t| t.1.len());
    let part = |i: usize| terms.iter().map(|(w, v)| v[i] * *w).sum::<Vec3>();
    (0..n).map(|i| part(i).norm_squared()).sum::<f64>().sqrt()
}

/// Frames in which some joint jumps.
pub fn glitched(clip: &Clip) -> Vec<usize> {
    let mut frames: Vec<usize> = edit::find_glitches(clip).iter().map(|g| g.frame).collect();
    frames.sort_unstable();
    frames.dedup();
    frames
}

fn ranges(rig: &Rig, clips: &[&JoinClip], bad: &[Vec<usize>]) -> Vec<JointRange> {
    /// More frames than these say little new about a middle.
    const ENOUGH: usize = 2000;
    let total: usize = clips.iter().map(|c| c.n_frames()).sum();
    let stride = total.div_ceil(ENOUGH).max(1);
    let root = rig.metric.heading.root;
    let joints = (0..rig.skeleton().n_joints()).filter(|&j| j != root && j != rig.carrier.joint);
    let mut ranges = Vec::new();
    for joint in joints {
        let some = clips
            .iter()
            .flat_map(|c| (0..c.n_frames()).step_by(stride).map(move |f| (c, f)));
        let some: Vec<Quat> = some
            .map(|(c, f)| c.clip.frame(f).rotations[joint])
            .collect();
        let middle = mean(&some);
        let (mut least, mut most) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
        for (clip, bad) in clips.iter().zip(bad) {
            for frame in (0..clip.n_frames()).filter(|f| bad.binary_search(f).is_err()) {
                let at = (middle.inverse() * clip.clip.frame(frame).rotations[joint]).scaled_axis();
                least = least.inf(&at);
                most = most.sup(&at);
            }
        }
        if least.iter().chain(&most).all(|x| x.is_finite()) {
            ranges.push(JointRange {
                joint,
                middle,
                least,
                most,
            });
        }
    }
    ranges
}

fn percentile(values: &mut [f64], share: f64) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let at = (((values.len() - 1) as f64) * share).round() as usize;
    *values.select_nth_unstable_by(at, f64::total_cmp).1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::random::Stream;

    #[test]
    fn what_is_out_of_range_is_never_taken_to_be_inside() {
        let mut stream = Stream::named(4, &[]);
        for _ in 0..2000 {
            let mut vector = |size: f64| {
                let mut number = || size * stream.normal();
                Vec3::new(number(), number(), number())
            };
            let (a, b) = (vector(1.0), vector(1.0));
            let range = JointRange {
                joint: 0,
                middle: Quat::identity(),
                least: a.inf(&b),
                most: a.sup(&b),
            };
            let mut turned = Quat::from_scaled_axis(vector(1.5));
            if a.x > 0.0 {
                turned = Quat::new_unchecked(-turned.into_inner());
            }
            let at = turned.scaled_axis();
            let over = (at - range.most).max().max((range.least - at).max());
            let bound = range.at_most_over(&turned);
            assert!(bound >= over - 1e-9, "{bound} of {over}");
            assert!(bound - over < 3.6, "it tells something: {bound} of {over}");
        }
    }
}
