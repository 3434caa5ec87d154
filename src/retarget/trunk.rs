//! What hangs on legs and arms and what they hang on: hips, spine, neck, head, collar bones and toes.

use super::figure::Figure;
use super::limbs::Chain;
use super::names::Names;
use super::part::Part;
use super::seen_in::SeenIn;
use crate::motion::Vec3;

/// The joint that carries both legs, or one above it that is called so.
pub(super) fn pelvis(figure: &Figure<'_>, names: &Names, legs: &[Chain; 2]) -> usize {
    let common = figure.common(legs[0].upper, legs[1].upper);
    let mut above = figure.skeleton.ancestors(common).take(3);
    // What is called a root is the hips of some rigs, and in others a bone on the floor.
    let is_near = |joint: usize| joint == common || figure.apart(joint, common) < NAMED_ROOM;
    let named = above.find(|&j| names.fit(j, Part::Hips) > 0.0 && is_near(j));
    named.unwrap_or_else(|| level_with_legs(figure, legs, common))
}

/// The joint that carries pelvis and trunk. In Daz and Character Creator figures the spine hangs beside the pelvis, on
/// a joint above both.
pub(super) fn hips(figure: &Figure<'_>, pelvis: usize, arms: Option<&[Chain; 2]>) -> usize {
    arms.map_or(pelvis, |[left, right]| {
        figure.common(pelvis, figure.common(left.upper, right.upper))
    })
}

/// Joints that are called hips or root are no farther than this above the one that carries the legs.
const NAMED_ROOM: f64 = 0.2;

/// A pelvis is no farther than this above the joint that carries the legs; a root bone on the floor is.
const PELVIS_ROOM: f64 = 0.08;

/// Where names say nothing: Biped hangs the legs on the first spine joint, above a pelvis that is level with them.
fn level_with_legs(figure: &Figure<'_>, legs: &[Chain; 2], carries_legs: usize) -> usize {
    let thighs = f64::midpoint(figure.level(legs[0].upper), figure.level(legs[1].upper));
    let off = |joint: usize| (figure.level(joint) - thighs).abs();
    let parent = figure.skeleton.joints()[carries_legs].parent;
    let is_pelvis =
        |&p: &usize| off(p) < off(carries_legs) && figure.apart(p, carries_legs) < PELVIS_ROOM;
    parent.filter(is_pelvis).unwrap_or(carries_legs)
}

/// Spine, neck and head.
pub(super) struct Trunk {
    pub spine: Vec<usize>,
    pub neck: Vec<usize>,
    pub head: Option<usize>,
    /// The joint that carries both arms: the chest, or in some rigs the neck.
    pub shoulders_on: usize,
}

/// Shoulders lie this far below the joint that carries them if it is a neck.
const NECK_OVER_SHOULDERS: f64 = -0.015;

pub(super) fn trunk(
    figure: &Figure<'_>,
    names: &Names,
    hips: usize,
    arms: Option<&[Chain; 2]>,
    legs: &[Chain; 2],
) -> Trunk {
    let Some(arms) = arms else {
        return trunk_without_arms(figure, names, hips, legs);
    };
    let shoulders_on = figure.common(arms[0].upper, arms[1].upper);
    let head = head(figure, names, shoulders_on, arms);
    let neck_of = |chest: usize| {
        head.map_or_else(Vec::new, |head| {
            let mut path = figure.path(chest, head);
            path.pop();
            path
        })
    };
    let mut spine = figure.path(hips, shoulders_on);
    let is_neck = match names.fit(shoulders_on, Part::Neck) {
        fit if fit > 0.0 => true,
        fit if fit < 0.0 => false,
        _ => {
            let shoulders = f64::midpoint(figure.level(arms[0].upper), figure.level(arms[1].upper));
            neck_of(shoulders_on).is_empty()
                && spine.len() > 1
                && figure.level(shoulders_on) - shoulders > NECK_OVER_SHOULDERS
        }
    };
    // Biped hangs its collar bones on the neck.
    if is_neck && spine.len() > 1 {
        spine.pop();
    }
    let chest = spine.last().copied().unwrap_or(hips);
    // Some trunks have joints above the collar bones that are called spine; names know.
    let mut neck = neck_of(chest);
    while let Some(&first) = neck.first() {
        if names.fit(first, Part::Spine) <= 0.0 || names.preset.is_none() {
            break;
        }
        spine.push(neck.remove(0));
    }
    Trunk {
        spine,
        neck,
        head,
        shoulders_on,
    }
}

/// A body of legs and trunk: names alone tell the head.
fn trunk_without_arms(figure: &Figure<'_>, names: &Names, hips: usize, legs: &[Chain; 2]) -> Trunk {
    let is_leg = |j: usize| legs.iter().any(|leg| figure.carries(leg.upper, j));
    let joints = 0..figure.skeleton.n_joints();
    let head = joints.filter(|&j| figure.carries(hips, j) && !is_leg(j));
    let head = head.rev().find(|&j| names.fit(j, Part::Head) > 0.0);
    let mut path = head.map_or_else(Vec::new, |head| figure.path(hips, head));
    path.pop();
    let is_neck = |j: &usize| names.fit(*j, Part::Neck) > 0.0;
    let n_spine = path.iter().position(is_neck).unwrap_or(path.len());
    let neck = path.split_off(n_spine);
    Trunk {
        spine: path,
        neck,
        head,
        shoulders_on: hips,
    }
}

/// The head is a tenth of the height above the shoulders, in the middle.
fn head(figure: &Figure<'_>, names: &Names, above: usize, arms: &[Chain; 2]) -> Option<usize> {
    let shoulders = f64::midpoint(figure.level(arms[0].upper), figure.level(arms[1].upper));
    let is_arm = |j: usize| {
        arms.iter().any(|arm| {
            let top = figure.path(above, arm.upper).first().copied();
            figure.carries(top.unwrap_or(arm.upper), j)
        })
    };
    let middle = (figure.at(arms[0].upper) + figure.at(arms[1].upper)) / 2.0;
    let across = (figure.at(arms[0].upper) - figure.at(arms[1].upper)).try_normalize(0.0);
    let score = |j: usize| {
        let rise = figure.level(j) - shoulders;
        let side = across.map_or(0.0, |a| {
            (figure.at(j) - middle).dot(&a).abs() / figure.height
        });
        let shape = -((rise - 0.09) / 0.035).powi(2) / 2.0 - (side / 0.03).powi(2) / 2.0;
        names.fit(j, Part::Head) + shape.max(-8.0)
    };
    let joints = 0..figure.skeleton.n_joints();
    let candidates = joints.filter(|&j| j != above && figure.carries(above, j) && !is_arm(j));
    let best = candidates.max_by(|&a, &b| score(a).total_cmp(&score(b)).then(b.cmp(&a)))?;
    (score(best) > -6.0).then_some(best)
}

/// The collar bone: what carries one arm alone. Of several the one that is called so, else the first with a length.
pub(super) fn clavicle(
    figure: &Figure<'_>,
    names: &Names,
    on: usize,
    arm: &Chain,
) -> Option<usize> {
    let mut between = figure.path(on, arm.upper);
    between.pop();
    let named = between
        .iter()
        .copied()
        .find(|&j| names.fit(j, Part::Clavicle) > 0.0);
    named.or_else(|| between.first().copied())
}

/// The ball of the foot: called so, or the first joint ahead of the ankle and below it.
pub(super) fn toe(figure: &Figure<'_>, names: &Names, leg: &Chain) -> Option<usize> {
    let below =
        (0..figure.skeleton.n_joints()).filter(|&j| j != leg.end && figure.carries(leg.end, j));
    let score = |j: usize| {
        let ahead = figure.apart(leg.end, j);
        let shape = -((ahead.max(1e-3) / 0.085).ln() / 0.35).powi(2) / 2.0;
        let drop = figure.level(leg.end) - figure.level(j);
        names.fit(j, Part::Toe) + shape.max(-5.0) - if drop < -0.01 { 2.0 } else { 0.0 }
    };
    let best = below.max_by(|&a, &b| score(a).total_cmp(&score(b)).then(b.cmp(&a)))?;
    (score(best) > -4.0).then_some(best)
}

/// Whether legs point down, the trunk up, and hands are off the floor, as in a person's rest pose. In a frame people bend
/// and lie as they like, so there only what stands on four steep legs is no person.
pub(super) fn is_upright(
    figure: &Figure<'_>,
    legs: &[Chain; 2],
    arms: Option<&[Chain; 2]>,
    seen_in: SeenIn,
) -> bool {
    let middle = |pair: &[Chain; 2], of: fn(&Chain) -> usize| {
        (figure.at(of(&pair[0])) + figure.at(of(&pair[1]))) / 2.0
    };
    let rise = |from: Vec3, to: Vec3| {
        let way = to - from;
        figure.up.along(&way) / way.norm().max(f64::MIN_POSITIVE)
    };
    let hips = middle(legs, |leg| leg.upper);
    let legs_rise = rise(hips, middle(legs, |leg| leg.end));
    let Some(arms) = arms else {
        return seen_in == SeenIn::FirstFrame || legs_rise < -LYING;
    };
    let shoulders = middle(arms, |arm| arm.upper);
    let trunk_rise = rise(hips, shoulders);
    let arms_rise = rise(shoulders, middle(arms, |arm| arm.end));
    let hands = f64::midpoint(figure.level(arms[0].end), figure.level(arms[1].end));
    let reaches_floor = hands < HANDS_LOW;
    match seen_in {
        SeenIn::Rest => legs_rise < -LYING && trunk_rise > LYING && !reaches_floor,
        SeenIn::FirstFrame => {
            let is_on_fours = trunk_rise < STEEP && legs_rise < -STEEP && arms_rise < -STEEP;
            !(is_on_fours && reaches_floor)
        }
    }
}

/// The sine of 30 degrees: lower is nearer to lying than to standing.
const LYING: f64 = 0.5;
/// Legs of animals that stand are steeper than those of a person who crawls.
const STEEP: f64 = 0.85;
/// Wrists of a person whose arms hang are at almost half of the height; those of an animal are near the floor.
const HANDS_LOW: f64 = 0.3;
