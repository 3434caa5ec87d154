//! How well a clip follows a path, and how its feet stand.
//!
//! All in the units of the clip; `metres` is what one unit is in metres of a body of 1.75 m, as
//! [`crate::motion::PoseMetric::metres`] has it, so that thresholds mean the same on any rig.

use super::gait::GaitCycle;
use super::{FloorPath, Vec2, on_floor, smoothed};
use crate::motion::{Axis, Body, Clip, HeadingFrame, Vec3, WorldPose};

/// A path point is hit if the root comes this near; metres.
const HIT_METRES: f64 = 0.1;
/// A toe that is lower than this above the floor is in contact; metres.
const CONTACT_METRES: f64 = 0.05;
/// Toe joints stand this far above the floor: as measured on the corpus whose floor is at zero. Metres. Counted from
/// where toes stand, 5 cm would take in the middle of each swing, when toes pass close to the floor at 4 m/s.
const TOE_METRES: f64 = 0.016;
/// A toe in contact that is faster than this skates; metres a second.
const SKATE_SPEED: f64 = 0.2;
/// Path points are looked at this far apart; metres.
const POINT_METRES: f64 = 0.05;
/// The curve is looked for this far around the last nearest point; metres.
const WINDOW_METRES: f64 = 0.6;
/// Toes stand at this share of their heights, sorted; the few lower ones are glitches.
const LOW_SHARE: f64 = 0.02;

/// How far the smoothed root is from a curve; units of the clip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PathFit {
    /// The mean over all frames.
    pub mean: f64,
    /// The 95th percentile over all frames.
    pub p95: f64,
    /// The distance of the farthest frame.
    pub max: f64,
    /// The share of path points within 10 cm of the root, not smoothed over time but by place: the nearest frame
    /// counts.
    pub hits: f64,
    /// How much of the curve was walked: the largest arc length reached, as a share.
    pub covered: f64,
}

/// Measures a clip against a curve in its units.
pub fn path_fit(
    clip: &Clip,
    heading: &HeadingFrame,
    path: &FloorPath,
    cycle: &GaitCycle,
    metres: f64,
) -> PathFit {
    let track = heading.track(clip);
    let root: Vec<Vec2> = track
        .positions
        .iter()
        .map(|p| on_floor(heading.up, p))
        .collect();
    let mean = smoothed(&root, &cycle.frames(clip.fps()));
    fit(&mean, path, metres)
}

/// The same for a root that is smoothed already.
fn fit(root: &[Vec2], path: &FloorPath, metres: f64) -> PathFit {
    let window = WINDOW_METRES / metres;
    let mut arc = 0.0;
    let mut reached: f64 = 0.0;
    let mut distances: Vec<f64> = Vec::with_capacity(root.len());
    for place in root {
        // Only around the last place: a path that crosses itself is walked in order.
        let within = (arc - window).max(0.0)..(arc + window).min(path.length());
        let (at, distance) = path.nearest(place, within);
        arc = at;
        reached = reached.max(at);
        distances.push(distance);
    }
    let n = distances.len() as f64;
    let mean = distances.iter().sum::<f64>() / n;
    distances.sort_by(f64::total_cmp);
    let n_points = ((path.length() * metres / POINT_METRES).ceil() as usize).clamp(1, 100_000);
    let hit = |i: &usize| {
        let point = path.place(path.length() * *i as f64 / n_points as f64);
        root.iter()
            .any(|p| (p - point).norm() * metres <= HIT_METRES)
    };
    let hits = (0..=n_points).filter(hit).count() as f64 / (n_points + 1) as f64;
    PathFit {
        mean,
        p95: distances[(0.95 * (n - 1.0)).round() as usize],
        max: distances[distances.len() - 1],
        hits,
        covered: reached / path.length(),
    }
}

/// How fast toes move over the floor while they are in contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FootSkate {
    /// Mean speed of toes in contact; metres a second.
    pub mean_metres_per_sec: f64,
    /// The share of contact frames faster than 0.2 m/s.
    pub fast_share: f64,
    /// Toes and frames that were in contact.
    pub n_contact: usize,
}

/// Where toes stand: the height, in units of the clips, that they hardly ever go below. Feet without toes count with
/// their ankles. None on a skeleton without feet.
pub fn toe_floor(clips: &[&Clip]) -> Option<f64> {
    let mut heights = Vec::new();
    for clip in clips {
        let up = clip.info.up;
        for way in toes(clip) {
            heights.extend(way.iter().map(|p| up.along(p)));
        }
    }
    if heights.is_empty() {
        return None;
    }
    let at = (LOW_SHARE * (heights.len() - 1) as f64) as usize;
    Some(*heights.select_nth_unstable_by(at, f64::total_cmp).1)
}

/// Measures the skating of toes over a floor of this height ([`toe_floor`]). Without feet, or without contact, nothing
/// skates.
pub fn foot_skate(clip: &Clip, floor: f64, metres: f64) -> FootSkate {
    let (mut sum, mut fast, mut n) = (0.0, 0, 0);
    for speed in contact_speeds(clip, floor, metres).into_iter().flatten() {
        sum += speed;
        fast += usize::from(speed > SKATE_SPEED);
        n += 1;
    }
    let share = |value: f64| if n > 0 { value / n as f64 } else { 0.0 };
    FootSkate {
        mean_metres_per_sec: share(sum),
        fast_share: share(fast as f64),
        n_contact: n,
    }
}

/// For each frame but the first the speeds of the toes that are in contact; metres a second.
pub fn contact_speeds(clip: &Clip, floor: f64, metres: f64) -> Vec<Vec<f64>> {
    let (up, fps) = (clip.info.up, clip.fps());
    let mut speeds = vec![Vec::new(); clip.n_frames() - 1];
    for way in toes(clip) {
        for (pair, speeds) in way.windows(2).zip(&mut speeds) {
            let above = (up.along(&pair[0]).max(up.along(&pair[1])) - floor) * metres;
            if above + TOE_METRES < CONTACT_METRES {
                speeds.push(along_floor(up, &(pair[1] - pair[0])) * fps * metres);
            }
        }
    }
    speeds
}

fn along_floor(up: Axis, way: &Vec3) -> f64 {
    (way - up.vector() * up.along(way)).norm()
}

/// The ways of all toes.
fn toes(clip: &Clip) -> Vec<Vec<Vec3>> {
    let skeleton = clip.skeleton();
    let body = Body::of(skeleton);
    let joints: Vec<usize> = body.legs.iter().map(|l| l.toe.unwrap_or(l.end)).collect();
    let chains = skeleton.with_ancestors(joints.iter().copied());
    let mut world = WorldPose::of(skeleton, clip.frame(0));
    let mut ways: Vec<Vec<Vec3>> = vec![Vec::with_capacity(clip.n_frames()); joints.len()];
    if joints.is_empty() {
        return ways;
    }
    for pose in clip.frames() {
        world.update_some(skeleton, pose, &chains);
        for (way, &joint) in ways.iter_mut().zip(&joints) {
            way.push(world.positions[joint]);
        }
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::path::tests::{dragged, gliding};
    use crate::motion::path::{PathPoint, PathSettings};

    fn line() -> FloorPath {
        let points = [PathPoint::at(0.0, 0.0), PathPoint::at(0.0, 4.0)];
        FloorPath::new(&points, &PathSettings { least_radius: 0.5 }).unwrap()
    }

    #[test]
    fn a_root_beside_the_line_is_as_far_off_as_it_is() {
        let path = line();
        let beside = |x: f64, far: f64| -> Vec<Vec2> {
            (0..=100)
                .map(|i| Vec2::new(x, far * f64::from(i) / 100.0))
                .collect()
        };
        let near = fit(&beside(0.05, 4.0), &path, 1.0);
        assert!((near.mean - 0.05).abs() < 1e-9 && (near.max - 0.05).abs() < 1e-9);
        assert_eq!((near.hits, near.covered), (1.0, 1.0));
        let half = fit(&beside(0.05, 2.0), &path, 1.0);
        assert!((half.covered - 0.5).abs() < 1e-9 && (half.hits - 0.52).abs() < 0.02);
        assert_eq!(fit(&beside(0.15, 4.0), &path, 1.0).hits, 0.0);
        // In units of half a metre 0.15 is 7.5 cm.
        assert_eq!(fit(&beside(0.15, 4.0), &path, 0.5).hits, 1.0);
    }

    #[test]
    fn a_dragged_toe_skates_at_its_speed() {
        let clip = dragged(0.01);
        let floor = toe_floor(&[&clip]).unwrap();
        let skate = foot_skate(&clip, floor, 1.0);
        assert!((skate.mean_metres_per_sec - 0.3).abs() < 1e-9, "{skate:?}");
        assert_eq!((skate.fast_share, skate.n_contact), (1.0, 78));
        assert_eq!(
            foot_skate(&clip, floor - 0.04, 1.0).n_contact,
            0,
            "in the air"
        );
    }

    #[test]
    fn nothing_skates_without_feet_or_with_one_frame() {
        let clip = gliding(1, |_| (Vec2::zeros(), 0.0));
        assert_eq!(toe_floor(&[&clip]), None);
        let skate = foot_skate(&clip, 0.0, 1.0);
        assert_eq!((skate.mean_metres_per_sec, skate.n_contact), (0.0, 0));
        let heading = HeadingFrame::learn(&[&clip]);
        let fit = path_fit(&clip, &heading, &line(), &GaitCycle::constant(1.0, 1), 1.0);
        assert!(fit.mean == 0.0 && fit.covered == 0.0, "{fit:?}");
    }
}
