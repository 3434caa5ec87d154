//! Where a clip goes as a whole: by how much it turns, and how fast it moves on.
//!
//! Not in the paper. A walk that veers by thirty degrees turns by half a degree a frame, and one that is too fast takes the same
//! poses: a mean over all frames and degrees of freedom does not see either. But it is the first thing that an animator sees. So
//! ways are compared as a whole, each number with those of the known clips.

use std::fmt;

use crate::motion::{Clip, HeadingFrame, body, heading};
use crate::numerics::prediction_interval::{VariancePrior, prediction_interval};

/// The standard normal deviate beyond which, to either side, one in a hundred lies: so seldom does a clip as good as the known
/// ones go astray.
const ONE_IN_A_HUNDRED: f64 = 2.576;
/// One in a thousand: beyond this it is no near miss.
const ONE_IN_A_THOUSAND: f64 = 3.291;
/// What few known clips lean on: in eleven sets of walks, jumps, gestures, throws and strokes clips turn by 0.6 to 17 degrees more
/// or less than each other (standard deviation), half of the sets by less than 4, and move by 0.003 to 0.09 body heights
/// a second faster or slower.
const USUAL_TURN: f64 = 5.0_f64.to_radians();
const USUAL_SPEED: f64 = 0.05;
const USUAL_COUNT: f64 = 3.0;
/// Speeds are told of a body of this height, in metres.
const USUAL_BODY: f64 = 1.75;

/// What is compared of the root's way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WayPart {
    /// By how much the body turns to the left in all, in radians.
    Turned,
    /// Mean speed to where it faces, in body heights a second.
    Forward,
    /// Mean speed to its left, in body heights a second.
    Sideways,
}

impl WayPart {
    /// In the order of [`Way`].
    pub const ALL: [Self; 3] = [Self::Turned, Self::Forward, Self::Sideways];

    /// For programs: a name that tells the unit of [`Self::number`].
    pub const fn key(self) -> &'static str {
        match self {
            Self::Turned => "turned_left_degrees",
            Self::Forward => "forward_heights_per_second",
            Self::Sideways => "left_heights_per_second",
        }
    }

    /// A value in the unit that its key tells.
    pub fn number(self, value: f64) -> f64 {
        match self {
            Self::Turned => value.to_degrees(),
            Self::Forward | Self::Sideways => value,
        }
    }

    fn usual(self) -> VariancePrior {
        VariancePrior {
            scatter: match self {
                Self::Turned => USUAL_TURN,
                Self::Forward | Self::Sideways => USUAL_SPEED,
            },
            count: USUAL_COUNT,
        }
    }
}

/// The numbers of one clip, in the order of [`WayPart::ALL`].
pub type Way = [f64; 3];

/// The way of a clip.
pub(in crate::variation) fn way(clip: &Clip, frame: &HeadingFrame) -> Way {
    let track = frame.track(clip);
    let last = track.headings.len() - 1;
    let (forward, left) = (heading::forward(frame.up), heading::left(frame.up));
    let steps = track.positions.windows(2).zip(&track.headings);
    let (mut ahead, mut aside) = (0.0, 0.0);
    for (two, &facing) in steps {
        let step = heading::turn(frame.up, -facing) * (two[1] - two[0]);
        ahead += step.dot(&forward);
        aside += step.dot(&left);
    }
    let heights = body::height(clip) * last.max(1) as f64 * clip.frame_secs();
    [
        track.headings[last] - track.headings[0],
        ahead / heights,
        aside / heights,
    ]
}

/// The ways of all clips of a selection.
#[derive(Debug, Clone, PartialEq)]
pub struct Ways {
    /// The ways of the known clips.
    pub known: Vec<Way>,
    /// The ways of the candidates.
    pub candidates: Vec<Way>,
    /// Of every part the least and the most that a clip of the kind would have.
    pub bounds: [(f64, f64); 3],
    /// As far as this a clip that goes astray is a near miss.
    near: [(f64, f64); 3],
}

impl Ways {
    /// Of known clips, two at least, and candidates.
    pub(in crate::variation) fn new(known: Vec<Way>, candidates: Vec<Way>) -> Self {
        let bounds = |deviate: f64| {
            WayPart::ALL.map(|part| {
                let values: Vec<f64> = known.iter().map(|way| way[part as usize]).collect();
                let (mean, reach) = prediction_interval(&values, part.usual(), deviate);
                (mean - reach, mean + reach)
            })
        };
        Self {
            bounds: bounds(ONE_IN_A_HUNDRED),
            near: bounds(ONE_IN_A_THOUSAND),
            known,
            candidates,
        }
    }

    /// Where a candidate goes another way than the known clips, if it does: where it is furthest beyond.
    pub fn astray(&self, candidate: usize) -> Option<Astray> {
        let of_part = |part: WayPart| {
            let at = part as usize;
            let found = self.candidates[candidate][at];
            let (least, most) = self.bounds[at];
            let (lowest, highest) = self.near[at];
            (found < least || found > most).then_some(Astray {
                part,
                found,
                bounds: (least, most),
                is_near: (lowest..=highest).contains(&found),
            })
        };
        let astray = WayPart::ALL.into_iter().filter_map(of_part);
        astray.max_by(|a, b| a.beyond().total_cmp(&b.beyond()))
    }
}

/// A clip that goes another way than the known ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Astray {
    /// What it does otherwise.
    pub part: WayPart,
    /// The number of that part.
    pub found: f64,
    /// The least and the most that a clip of the kind would have.
    pub bounds: (f64, f64),
    /// Whether it is not far beyond.
    pub is_near: bool,
}

impl Astray {
    /// How far from the middle of what is known, 1 at the bounds.
    pub(in crate::variation) fn beyond(&self) -> f64 {
        let (least, most) = self.bounds;
        (self.found - 0.5 * (least + most)).abs() / (0.5 * (most - least))
    }
}

impl fmt::Display for Astray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (least, most) = self.bounds;
        match self.part {
            WayPart::Turned => {
                let [found, least, most] = [self.found, least, most].map(turned);
                write!(f, "turns {found} (clips of the kind: {least} to {most})")
            }
            WayPart::Forward | WayPart::Sideways => {
                let [found, least, most] = [self.found, least, most].map(|x| x * USUAL_BODY);
                let whither = match self.part {
                    WayPart::Sideways => "to its left",
                    _ => "forward",
                };
                write!(
                    f,
                    "moves {whither} at {found:.2} m/s (clips of the kind: {least:.2} to {most:.2}, for a body of {USUAL_BODY} m)"
                )
            }
        }
    }
}

/// A turn in words.
fn turned(radians: f64) -> String {
    let side = if radians < 0.0 { "right" } else { "left" };
    format!("{:.0}° {side}", radians.to_degrees().abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_veers_or_hurries_goes_astray() {
        let straight = |turn: f64, speed: f64| [turn.to_radians(), speed, 0.01];
        let known = vec![
            straight(2.0, 0.64),
            straight(-3.0, 0.66),
            straight(1.0, 0.61),
            straight(-1.0, 0.70),
            straight(4.0, 0.63),
        ];
        let candidates = vec![
            straight(5.0, 0.68),
            straight(-35.0, 0.6),
            straight(0.0, 1.0),
            straight(20.0, 0.65),
        ];
        let ways = Ways::new(known, candidates);
        assert_eq!(ways.astray(0), None, "a little more is nothing");
        let veers = ways.astray(1).unwrap();
        assert_eq!(veers.part, WayPart::Turned);
        assert!(!veers.is_near);
        assert!(veers.to_string().starts_with("turns 35° right"), "{veers}");
        let hurries = ways.astray(2).unwrap();
        assert_eq!(hurries.part, WayPart::Forward);
        assert!(hurries.to_string().contains("1.75 m/s"), "{hurries}");
        assert!(ways.astray(3).unwrap().is_near, "almost");
    }
}
