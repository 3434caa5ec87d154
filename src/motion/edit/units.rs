//! Units of length and the up axis: what files do not state, and how to change it.

use std::sync::Arc;

use super::error::{EditError, check_positive};
use super::remade;
use crate::motion::rotation::align as turn_onto;
use crate::motion::{Axis, Body, Channel, Channels, Clip, Dim, Motion, Quat, Skeleton, Vec3, body};

/// Makes everything larger or smaller: bones and travel.
pub fn scale(clip: &Clip, factor: f64) -> Result<Clip, EditError> {
    check_positive("the scale", factor)?;
    let skeleton = clip.skeleton().with_offsets(|v| v * factor)?;
    let mut motion = clip.motion().clone();
    for t in &mut motion.translations {
        *t *= factor;
    }
    let contacts = clip.contacts().to_vec();
    let done = format!("scaled by {factor}");
    remade(clip, Arc::new(skeleton), motion, contacts, done)
}

/// A unit of length that motion files use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// As glTF and game engines have it.
    Metre,
    /// 10 cm, from some physics exporters.
    Decimetre,
    /// 1 cm, in most BVH files.
    Centimetre,
    /// 1 mm, from optical capture systems.
    Millimetre,
    /// 2.54 cm, in some American studios' files.
    Inch,
    /// 30.48 cm, in some American studios' files.
    Foot,
    /// 1/0.45 inch, in the CMU motion capture database.
    Cmu,
}

impl Unit {
    /// All units that a guess chooses from.
    pub const ALL: [Self; 7] = [
        Self::Metre,
        Self::Decimetre,
        Self::Centimetre,
        Self::Millimetre,
        Self::Inch,
        Self::Foot,
        Self::Cmu,
    ];

    /// How long one is.
    pub const fn metres(self) -> f64 {
        match self {
            Self::Metre => 1.0,
            Self::Decimetre => 0.1,
            Self::Centimetre => 0.01,
            Self::Millimetre => 0.001,
            Self::Inch => 0.0254,
            Self::Foot => 0.3048,
            Self::Cmu => 0.0254 / 0.45,
        }
    }
}

impl std::fmt::Display for Unit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Metre => "metres",
            Self::Decimetre => "decimetres",
            Self::Centimetre => "centimetres",
            Self::Millimetre => "millimetres",
            Self::Inch => "inches",
            Self::Foot => "feet",
            Self::Cmu => "CMU units of 5.64 cm",
        })
    }
}

/// A guess at the unit of length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnitGuess {
    /// The most likely unit.
    pub unit: Unit,
    /// How tall the body is in the clip's own units.
    pub height_units: f64,
    /// From 0 to 1: how much likelier than the others, for a human body.
    pub confidence: f64,
}

impl std::fmt::Display for UnitGuess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (height, unit) = (self.height_units, self.unit);
        let metres = height * unit.metres();
        if self.confidence < 0.5 {
            write!(
                f,
                "{height:.4} units tall: no unit makes that a human body for sure"
            )
        } else {
            write!(
                f,
                "{height:.1} units tall: looks like {unit} (a body of {metres:.2} m)"
            )
        }
    }
}

/// Compares the height of the body with human height.
///
/// Measured along the bones an adult is about 1.65 m tall here, give or take a seventh (children, dwarfs and giants of
/// games included); rarer units need better evidence.
pub fn guess_unit(clip: &Clip) -> UnitGuess {
    const ADULT_METRES: f64 = 1.65;
    const SPREAD: f64 = 0.15;
    // A body that is nothing like a human has some chance under any unit.
    const STRANGE: f64 = 1e-3;
    let height_units = body::height(clip);
    let chance = |unit: Unit| {
        let off = (height_units * unit.metres() / ADULT_METRES).ln() / SPREAD;
        let usual = match unit {
            Unit::Centimetre | Unit::Metre => 1.0,
            Unit::Millimetre | Unit::Cmu => 0.5,
            Unit::Inch => 0.3,
            Unit::Foot | Unit::Decimetre => 0.1,
        };
        usual * (-0.5 * off * off).exp()
    };
    let all: f64 = Unit::ALL.iter().map(|u| chance(*u)).sum();
    let best = Unit::ALL
        .into_iter()
        .max_by(|a, b| chance(*a).total_cmp(&chance(*b)));
    let unit = best.unwrap_or(Unit::Centimetre);
    let body = Body::of(clip.skeleton());
    // The size of a prop or a camera is no evidence.
    let is_human = body.head.is_some() && !body.legs.is_empty();
    let human = if is_human { 1.0 } else { 0.3 };
    UnitGuess {
        unit,
        height_units,
        confidence: human * chance(unit) / (all + STRANGE),
    }
}

/// Says which way is up and changes nothing else: for files whose up axis was guessed wrongly.
pub fn declare_up(clip: &Clip, up: Axis) -> Clip {
    let mut said = clip.clone();
    if said.info.up != up {
        said.info.up = up;
        said.info.history.push(format!("up declared to be {up}"));
    }
    said
}

/// Turns the whole motion and the skeleton at rest so that another axis is up. Every place in the world is turned, and
/// nothing else changes.
///
/// The turn is the one of [`crate::motion::heading::forward`], so a body that faced forward still does.
pub fn set_up(clip: &Clip, to: Axis) -> Result<Clip, EditError> {
    let from = clip.info.up;
    if from == to {
        return Ok(clip.clone());
    }
    let turn = QuarterTurn::between(from, to);
    let skeleton = turned_skeleton(clip.skeleton(), &turn)?;
    let motion = Motion {
        frame_secs: clip.frame_secs(),
        translations: clip
            .motion()
            .translations
            .iter()
            .map(|t| turn.vector(t))
            .collect(),
        rotations: clip
            .motion()
            .rotations
            .iter()
            .map(|q| turn.rotation(q))
            .collect(),
    };
    let contacts = clip.contacts().to_vec();
    let done = format!("turned from {from} up to {to} up");
    let mut turned = remade(clip, Arc::new(skeleton), motion, contacts, done)?;
    turned.info.up = to;
    Ok(turned)
}

/// A turn that maps axes to axes: carried out by swapping coordinates, it loses no digit.
struct QuarterTurn {
    /// Where each coordinate comes from, and with which sign.
    from: [(usize, f64); 3],
}

impl QuarterTurn {
    fn between(from: Axis, to: Axis) -> Self {
        let exact =
            turn_onto(&Vec3::y(), &to.vector()) * turn_onto(&Vec3::y(), &from.vector()).inverse();
        let matrix = exact.to_rotation_matrix();
        let row = |r: usize| {
            let row = matrix.matrix().row(r);
            let column = (0..3)
                .max_by(|a, b| row[*a].abs().total_cmp(&row[*b].abs()))
                .unwrap_or(r);
            (column, row[column].signum())
        };
        Self {
            from: [row(0), row(1), row(2)],
        }
    }

    fn vector(&self, v: &Vec3) -> Vec3 {
        let [x, y, z] = self.from.map(|(column, sign)| sign * v[column]);
        Vec3::new(x, y, z)
    }

    /// The same turn seen in the turned world: its axis is turned.
    fn rotation(&self, q: &Quat) -> Quat {
        let axis = self.vector(&q.imag());
        Quat::new_unchecked(nalgebra::Quaternion::from_parts(q.w, axis))
    }

    fn dim(&self, dim: Dim) -> Dim {
        let to = self.from.iter().position(|(c, _)| *c == dim.index());
        Dim::ALL[to.unwrap_or(dim.index())]
    }

    /// A knee that turns about one axis turns about another now. Full sets of channels can express any rotation and
    /// stay.
    fn channels(&self, channels: &Channels) -> Channels {
        let is_full = |n: usize| n == 0 || n == 3;
        if is_full(channels.positions().count()) && is_full(channels.rotations().count()) {
            return *channels;
        }
        let turned: Vec<Channel> = channels
            .as_slice()
            .iter()
            .map(|c| match c {
                Channel::Position(d) => Channel::Position(self.dim(*d)),
                Channel::Rotation(d) => Channel::Rotation(self.dim(*d)),
            })
            .collect();
        Channels::new(&turned).unwrap_or(*channels)
    }
}

fn turned_skeleton(skeleton: &Skeleton, turn: &QuarterTurn) -> Result<Skeleton, EditError> {
    let mut joints = skeleton.joints().to_vec();
    let mut ends = skeleton.ends().to_vec();
    for joint in &mut joints {
        joint.offset = turn.vector(&joint.offset);
        joint.channels = turn.channels(&joint.channels);
    }
    for end in &mut ends {
        end.offset = turn.vector(&end.offset);
    }
    Ok(Skeleton::new(joints, ends)?)
}
