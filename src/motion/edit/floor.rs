//! The height of the floor, which motion files do not state.

use std::sync::Arc;

use super::error::{EditError, check_finite};
use super::remade;
use crate::motion::root_mover::{WorldMove, moved, mover_joint};
use crate::motion::{Axis, Body, Clip, Quat, Site, Skeleton, WorldPose, body};

/// A guess at the height of the floor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FloorGuess {
    /// Along the up axis, in the clip's units.
    pub height: f64,
    /// Whether feet are on it often enough to trust it; swimming, hanging and jumping all the time leave doubt.
    pub is_sure: bool,
}

/// How much of the clip may lie below the floor: captured feet sink in a little at each step.
const LOW_SHARE: f64 = 0.05;
/// As near to the floor as this share of the body's height is on it.
const NEAR: f64 = 0.03;
/// Feet that are down in at least this share of the moments make a floor.
const OFTEN: f64 = 0.2;

/// The floor is where the lowest point of the feet is at its lowest.
///
/// Tips of toes count, and the lowest twentieth of the moments does not. A body that reaches well below its feet
/// (lying, on hands and knees) has its floor there.
pub fn find_floor(clip: &Clip) -> FloorGuess {
    let skeleton = clip.skeleton();
    let body = Body::of(skeleton);
    let feet_of = feet(skeleton, &body);
    let up = clip.info.up;
    let mut world = WorldPose::of(skeleton, clip.frame(0));
    let (mut feet, mut all) = (Vec::new(), Vec::new());
    for pose in clip.frames() {
        world.update(skeleton, pose);
        let any = lowest(skeleton, &world, up, skeleton.sites()).unwrap_or(0.0);
        let foot = lowest(skeleton, &world, up, feet_of.iter().copied());
        feet.push(foot.unwrap_or(any));
        all.push(any);
    }
    let near = NEAR * body::height(clip);
    let by_feet = low(&feet);
    let by_all = low(&all);
    let down = feet.iter().filter(|h| (*h - by_feet).abs() <= near).count();
    let is_often_down = down as f64 >= OFTEN * feet.len() as f64;
    if by_all < by_feet - 2.0 * near {
        FloorGuess {
            height: by_all,
            is_sure: false,
        }
    } else {
        FloorGuess {
            height: by_feet,
            is_sure: !feet_of.is_empty() && is_often_down && stands(clip, &body),
        }
    }
}

/// Ankles, toes and the tips of toes.
fn feet(skeleton: &Skeleton, body: &Body) -> Vec<Site> {
    let mut is_foot = vec![false; skeleton.n_joints()];
    for leg in &body.legs {
        is_foot[leg.end] = true;
    }
    for j in 1..is_foot.len() {
        is_foot[j] |= skeleton.joints()[j].parent.is_some_and(|p| is_foot[p]);
    }
    let sites = skeleton.sites();
    sites.filter(|s| is_foot[skeleton.carrier(*s)]).collect()
}

fn lowest(
    skeleton: &Skeleton,
    world: &WorldPose,
    up: Axis,
    sites: impl Iterator<Item = Site>,
) -> Option<f64> {
    let heights = sites.map(|site| up.along(&world.site(skeleton, site)));
    heights.min_by(f64::total_cmp)
}

/// How low the feet reach in one pose; without feet there is no answer.
pub(super) fn lowest_foot(skeleton: &Skeleton, world: &WorldPose, up: Axis) -> Option<f64> {
    let feet = feet(skeleton, &Body::of(skeleton));
    lowest(skeleton, world, up, feet.into_iter())
}

/// The value that only few are below.
fn low(heights: &[f64]) -> f64 {
    let mut sorted = heights.to_vec();
    let at = ((sorted.len() - 1) as f64 * LOW_SHARE) as usize;
    *sorted.select_nth_unstable_by(at, f64::total_cmp).1
}

/// Whether the body mostly stands: a head well above the feet. A swimmer's feet are not on a floor.
fn stands(clip: &Clip, body: &Body) -> bool {
    let Some(head) = body.head else { return false };
    let skeleton = clip.skeleton();
    let tall = 0.4 * body::height(clip);
    let stride = clip.n_frames().div_ceil(64);
    let frames = (0..clip.n_frames()).step_by(stride);
    let (mut standing, mut n) = (0, 0);
    let mut world = WorldPose::of(skeleton, clip.frame(0));
    for frame in frames {
        world.update(skeleton, clip.frame(frame));
        let height = |j| clip.info.up.along(&world.site(skeleton, Site::Joint(j)));
        let above = body.legs.iter().map(|leg| height(head) - height(leg.end));
        standing += usize::from(above.fold(f64::NEG_INFINITY, f64::max) > tall);
        n += 1;
    }
    2 * standing > n
}

/// Moves the body so that what is now at this height becomes height zero.
pub fn set_floor(clip: &Clip, height: f64) -> Result<Clip, EditError> {
    check_finite("the height of the floor", height)?;
    let by = WorldMove {
        turn: Quat::identity(),
        shift: clip.info.up.vector() * -height,
    };
    let motion = moved(clip, mover_joint(clip), |_| by);
    let contacts = clip.contacts().to_vec();
    let done = format!("floor set to height {height:.4}");
    remade(clip, Arc::clone(clip.skeleton()), motion, contacts, done)
}
