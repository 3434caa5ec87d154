//! Feet: whether they slide while they stand, and whether they sink into the floor.

use super::super::{Body, Clip, Vec3, body};
use super::{MetricError, Places, Worst};

/// A foot joint this far above where it stands has left the floor; nearer, it counts the more the lower it is. 2.5 cm
/// of a tall person, as in Zhang et al. 2018 (mode-adaptive networks), whose weight 2 - 2^(h/H) is used as well.
const LIFTED_HEIGHTS: f64 = 0.0143;
/// Feet sink this far into soft floors and by loose markers; it is not visible.
const TOLERANCE_HEIGHTS: f64 = 0.003;
/// Feet that slide more slowly than this, in body heights a second, seem to stand: 3.5 cm a second of a tall person. It
/// is less than those of real walkers do by rolling from heel to toe.
pub const UNSEEN_SLIDE: f64 = 0.02;
/// A joint stands at this share of its heights, sorted; the few lower ones are glitches.
const LOW_SHARE: f64 = 0.02;

/// At which height each foot joint stands.
#[derive(Debug, Clone, PartialEq)]
pub struct FootLevels {
    /// Foot joints (ankles and toes) with their height along up when they stand, in body heights.
    pub levels: Vec<(usize, f64)>,
}

impl FootLevels {
    /// Learns it from clips on one skeleton that stand on the floor for some of their time.
    pub fn learn(clips: &[&Clip]) -> Result<Self, MetricError> {
        let first = clips
            .first()
            .ok_or(MetricError::Nothing { what: "clips" })?;
        let joints: Vec<usize> = Body::of(first.skeleton()).foot_joints().collect();
        if joints.is_empty() {
            return Err(MetricError::NoFeet {
                clip: first.info.name.clone(),
            });
        }
        let mut heights: Vec<Vec<f64>> = vec![Vec::new(); joints.len()];
        for clip in clips {
            let places = Places::of(clip, clip.fps())?;
            for (list, &joint) in heights.iter_mut().zip(&joints) {
                // A skeleton that has fewer joints has no such foot; its clip does not count.
                if joint < places.n_joints {
                    let up = clip.info.up;
                    list.extend((0..places.len()).map(|row| up.along(places.at(row, joint))));
                }
            }
        }
        let levels = joints.into_iter().zip(heights).map(|(joint, mut list)| {
            list.sort_by(f64::total_cmp);
            let at = (LOW_SHARE * list.len() as f64) as usize;
            (joint, list.get(at).copied().unwrap_or(0.0))
        });
        Ok(Self {
            levels: levels.collect(),
        })
    }
}

/// How fast feet move over the floor while they should stand.
#[derive(Debug, Clone, PartialEq)]
pub struct FootSlide {
    /// Median speed over the floor of all foot joints while they are down, body heights per second: half of the time
    /// they move less. A foot that swings past just above the floor does not change it.
    pub speed: f64,
    /// The mean, which it does change: the usual number in the literature.
    pub mean_speed: f64,
    /// The largest, weighted by how far down the foot is.
    pub worst: Worst,
    /// The share of time that foot joints are down, by the same weights.
    pub down_share: f64,
    /// Above its level by more than this, in body heights, a joint is not down.
    pub lifted_heights: f64,
    /// The levels that were used.
    pub ground: FootLevels,
}

/// How far feet sink below the level they stand at.
#[derive(Debug, Clone, PartialEq)]
pub struct Penetration {
    /// Mean over the frames of the deepest foot joint's depth, body heights; zero where none is below.
    pub depth: f64,
    /// The deepest of all foot joints and frames, in body heights.
    pub worst: Worst,
    /// Depths up to this count as none.
    pub tolerance_heights: f64,
}

/// Measures how feet slide.
pub fn foot_slide(clip: &Clip, ground: &FootLevels, fps: f64) -> Result<FootSlide, MetricError> {
    let places = Places::of(clip, fps)?;
    places.need(clip, 2, "sliding feet")?;
    let up = clip.info.up;
    let flat = |v: Vec3| v - up.vector() * up.along(&v);
    let mut worst = Worst::NONE;
    let (mut sum, mut weights, mut n) = (0.0, 0.0, 0.0);
    let mut speeds = Vec::new();
    for &(joint, level) in known(ground, &places) {
        for row in 1..places.len() {
            let (before, now) = (places.at(row - 1, joint), places.at(row, joint));
            let height = 0.5 * (up.along(before) + up.along(now)) - level;
            let weight = (2.0 - (height.max(0.0) / LIFTED_HEIGHTS).exp2()).max(0.0);
            let speed = flat(now - before).norm() * fps;
            sum += weight * speed;
            weights += weight;
            n += 1.0;
            if weight > 0.0 {
                speeds.push((speed, weight));
            }
            worst.keep(weight * speed, places.frame(row), joint);
        }
    }
    if n == 0.0 {
        return Err(MetricError::NoFeet {
            clip: clip.info.name.clone(),
        });
    }
    Ok(FootSlide {
        speed: weighted_median(speeds, weights),
        mean_speed: if weights > 0.0 { sum / weights } else { 0.0 },
        worst,
        down_share: weights / n,
        lifted_heights: LIFTED_HEIGHTS,
        ground: ground.clone(),
    })
}

/// Measures how feet sink in.
pub fn penetration(clip: &Clip, ground: &FootLevels, fps: f64) -> Result<Penetration, MetricError> {
    let places = Places::of(clip, fps)?;
    let up = clip.info.up;
    let mut worst = Worst::NONE;
    let mut sum = 0.0;
    for row in 0..places.len() {
        let mut deepest = 0.0_f64;
        for &(joint, level) in known(ground, &places) {
            let depth = level - up.along(places.at(row, joint));
            if depth > TOLERANCE_HEIGHTS {
                deepest = deepest.max(depth);
                worst.keep(depth, places.frame(row), joint);
            }
        }
        sum += deepest;
    }
    Ok(Penetration {
        depth: sum / places.len() as f64,
        worst,
        tolerance_heights: TOLERANCE_HEIGHTS,
    })
}

fn weighted_median(mut values: Vec<(f64, f64)>, weights: f64) -> f64 {
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut passed = 0.0;
    for (value, weight) in values {
        passed += weight;
        if passed >= 0.5 * weights {
            return value;
        }
    }
    0.0
}

fn known<'a>(ground: &'a FootLevels, places: &Places) -> impl Iterator<Item = &'a (usize, f64)> {
    let n_joints = places.n_joints;
    ground
        .levels
        .iter()
        .filter(move |(joint, _)| *joint < n_joints)
}

/// A speed in body heights per second as one in the units of the clip.
pub(super) fn in_units(clip: &Clip, heights: f64) -> f64 {
    heights * body::height(clip)
}
