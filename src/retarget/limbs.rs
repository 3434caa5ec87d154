//! Legs and arms: chains of three joints, judged by names, lengths and heights together.

use super::figure::Figure;
use super::names::Names;
use super::part::Part;
use crate::motion::Side;

/// Hip, knee and ankle, or shoulder, elbow and wrist.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Chain {
    pub upper: usize,
    pub middle: usize,
    pub end: usize,
    pub score: f64,
}

/// What a limb of a person looks like: shares of the height, and how far bodies and poses differ from them.
pub(super) struct Kind {
    pub parts: [Part; 3],
    /// Length of the upper and the lower bone (Drillis and Contini 1966).
    lengths: [f64; 2],
    /// Height of the upper, middle and lower joint.
    levels: [(f64, f64); 3],
    /// Distance of the two upper joints.
    width: f64,
}

pub(super) const LEG: Kind = Kind {
    parts: [Part::Thigh, Part::Calf, Part::Foot],
    lengths: [0.245, 0.246],
    levels: [(0.53, 0.07), (0.28, 0.09), (0.05, 0.06)],
    width: 0.1,
};

/// An arm may hang, so only its shoulder has a level worth the name.
pub(super) const ARM: Kind = Kind {
    parts: [Part::UpperArm, Part::Forearm, Part::Hand],
    lengths: [0.17, 0.15],
    levels: [(0.8, 0.06), (0.7, 0.15), (0.65, 0.25)],
    width: 0.2,
};

/// Bones of real and drawn bodies differ from the table by about this factor.
const LENGTH_SPREAD: f64 = 0.25;
/// Wrists and ankles mostly carry something; what carries nothing may be a finger.
const LEAF: f64 = -0.7;
/// Chains that are looked at as pairs.
const MOST_CHAINS: usize = 60;
/// Joints between the upper and the middle joint of a limb (twist bones), at most.
const MOST_BETWEEN: usize = 6;

fn bell(value: f64, mean: f64, spread: f64) -> f64 {
    let off = (value - mean) / spread;
    // Far off is far off: names may still outweigh it.
    -(0.5 * off * off).min(8.0)
}

fn length(value: f64, mean: f64) -> f64 {
    if value <= 0.0 {
        return -8.0;
    }
    bell((value / mean).ln(), 0.0, LENGTH_SPREAD)
}

/// The likeliest pair of limbs of a kind, left first, apart from joints that are taken.
pub(super) fn find(
    figure: &Figure<'_>,
    names: &Names,
    kind: &Kind,
    taken: &[usize],
) -> Option<[Chain; 2]> {
    let is_free = |joint: usize| {
        !taken
            .iter()
            .any(|&t| figure.carries(t, joint) || figure.carries(joint, t))
    };
    let mut chains: Vec<Chain> = (0..figure.skeleton.n_joints())
        .filter(|&end| is_free(end))
        .flat_map(|end| ending_at(figure, names, kind, end))
        .collect();
    chains.sort_by(|a, b| b.score.total_cmp(&a.score));
    chains.truncate(MOST_CHAINS);
    let mut best: Option<(f64, [Chain; 2])> = None;
    for (nth, a) in chains.iter().enumerate() {
        for b in &chains[nth + 1..] {
            let Some(score) = pair_score(figure, names, kind, a, b) else {
                continue;
            };
            if best.as_ref().is_none_or(|(most, _)| score > *most) {
                best = Some((score, [*a, *b]));
            }
        }
    }
    best.map(|(score, mut pair)| {
        pair[0].score = score;
        pair
    })
}

/// All chains whose wrist or ankle is this joint.
fn ending_at<'a>(
    figure: &'a Figure<'_>,
    names: &'a Names,
    kind: &'a Kind,
    end: usize,
) -> impl Iterator<Item = Chain> + 'a {
    let above = |joint: usize| figure.skeleton.ancestors(joint).skip(1).take(MOST_BETWEEN);
    let [of_upper, of_middle, of_end] = kind.parts;
    let is_leaf = figure.skeleton.children(end).next().is_none();
    let own = names.fit(end, of_end)
        + level(figure, end, kind.levels[2])
        + if is_leaf { LEAF } else { 0.0 };
    above(end).flat_map(move |middle| {
        let lower = names.fit(middle, of_middle)
            + level(figure, middle, kind.levels[1])
            + length(figure.apart(middle, end), kind.lengths[1]);
        above(middle).map(move |upper| Chain {
            upper,
            middle,
            end,
            score: own
                + lower
                + names.fit(upper, of_upper)
                + level(figure, upper, kind.levels[0])
                + length(figure.apart(upper, middle), kind.lengths[0]),
        })
    })
}

fn level(figure: &Figure<'_>, joint: usize, (mean, spread): (f64, f64)) -> f64 {
    bell(figure.level(joint), mean, spread)
}

/// Two chains that can be the limbs of one body, and how well they do.
fn pair_score(
    figure: &Figure<'_>,
    names: &Names,
    kind: &Kind,
    a: &Chain,
    b: &Chain,
) -> Option<f64> {
    let is_apart = !figure.carries(a.upper, b.upper) && !figure.carries(b.upper, a.upper);
    if !is_apart {
        return None;
    }
    let side = |chain: &Chain| names.sides[chain.end];
    if side(a) != side(b).opposite() {
        return None;
    }
    let alike = |x: f64, y: f64| bell((x.max(1e-6) / y.max(1e-6)).ln(), 0.0, 0.15);
    let lengths = alike(
        figure.apart(a.upper, a.middle),
        figure.apart(b.upper, b.middle),
    ) + alike(figure.apart(a.middle, a.end), figure.apart(b.middle, b.end));
    let width = length(figure.apart(a.upper, b.upper), kind.width);
    Some(a.score + b.score + 2.0 * lengths + width)
}

/// Left first: by names, else by which way the body faces.
pub(super) fn left_first(
    names: &Names,
    pair: [Chain; 2],
    is_left: impl Fn(&Chain) -> bool,
) -> [Chain; 2] {
    let [a, b] = pair;
    let a_is_left = match names.sides[a.end] {
        Side::Left => true,
        Side::Right => false,
        Side::Middle => is_left(&a),
    };
    if a_is_left { [a, b] } else { [b, a] }
}
