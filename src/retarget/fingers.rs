//! Fingers, which only names tell apart.

use super::names::Names;
use crate::motion::Skeleton;

/// One finger: its joints from the knuckle outwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finger {
    /// 0 is the thumb, 4 the little finger.
    pub nth: usize,
    /// Its joints, from the knuckle to the tip.
    pub joints: Vec<usize>,
}

/// Words for each finger, thumb first. Biped counts them.
const WORDS: [&[&str]; 5] = [
    &["thumb", "finger0"],
    &["index", "finger1", "fore"],
    &["middle", "mid", "finger2"],
    &["ring", "finger3"],
    &["pinky", "little", "finger4"],
];
/// Bones inside the palm, which most rigs do not have.
const IN_PALM: [&str; 4] = ["metacarpal", "inhand", "palm", "carpal"];

/// The fingers of the hand at this joint, thumb first.
pub(super) fn of_hand(skeleton: &Skeleton, names: &Names, hand: usize) -> Vec<Finger> {
    let below: Vec<usize> = (0..skeleton.n_joints())
        .filter(|&j| j != hand && skeleton.ancestors(j).any(|a| a == hand))
        .collect();
    let is_of = |j: usize, words: &[&str]| {
        let core = names.core(j).trim_start_matches("hand");
        words.iter().any(|word| core.contains(word))
            && !core.contains("end")
            && !core.contains("nub")
    };
    let in_palm = |j: usize| IN_PALM.iter().any(|word| names.core(j).contains(word));
    let fingers = WORDS.iter().enumerate().map(|(nth, words)| {
        let own = below.iter().copied();
        Finger {
            nth,
            joints: own
                .filter(|&j| is_of(j, words) && !in_palm(j))
                .take(3)
                .collect(),
        }
    });
    fingers.filter(|finger| !finger.joints.is_empty()).collect()
}
