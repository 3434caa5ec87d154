//! Which joint of a skeleton is which part of the body.
//!
//! Names are looked at together with lengths and heights: where a program is recognised by its names, they decide;
//! where names say nothing, the shape of the body does. The rest pose of some files is no body at all (all bones along
//! one axis), so the first frame is tried as well, and the pose in which the body is seen best is kept.

use super::figure::Figure;
use super::fingers::{self, Finger};
use super::limbs::{self, ARM, Chain, LEG};
use super::names::Names;
use super::part::Part;
use super::seen_in::SeenIn;
use super::trunk::{clavicle, hips, is_upright, pelvis, toe, trunk};
use crate::motion::{Axis, Body, Clip, Dim, Limb, Pose, Side, Vec3};

/// Beyond this a skeleton is no body, and pairs of chains take long to look at.
const MOST_JOINTS: usize = 2000;

/// Chains worse than this are no arms.
const NO_ARMS: f64 = -30.0;

/// A rest pose that is a body is drawn as one; a frame may be any moment of a motion.
const REST: f64 = 10.0;

/// The joints of an arm.
#[derive(Debug, Clone, PartialEq)]
pub struct ArmLabels {
    /// Collar bone, if there is one.
    pub clavicle: Option<usize>,
    /// The shoulder, which the upper arm turns about.
    pub upper: usize,
    /// The elbow, which the forearm turns about.
    pub middle: usize,
    /// The wrist, which the hand turns about.
    pub end: usize,
    /// Thumb first; empty where there are none or names do not tell.
    pub fingers: Vec<Finger>,
}

/// The joints of a leg.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegLabels {
    /// The hip, which the thigh turns about.
    pub upper: usize,
    /// The knee, which the shin turns about.
    pub middle: usize,
    /// The ankle, which the foot turns about.
    pub end: usize,
    /// Ball of the foot, if there is one.
    pub toe: Option<usize>,
}

/// The main joints of a skeleton.
#[derive(Debug, Clone, PartialEq)]
pub struct Labels {
    /// The joint that carries legs and spine.
    pub hips: usize,
    /// What carries the legs alone, where the spine hangs beside it.
    pub pelvis: Option<usize>,
    /// From above the hips to the one that carries arms and neck; may be empty.
    pub spine: Vec<usize>,
    /// Between chest and head; may be empty.
    pub neck: Vec<usize>,
    /// The joint that carries the skull.
    pub head: Option<usize>,
    /// The left and the right arm.
    pub arms: Option<[ArmLabels; 2]>,
    /// The left and the right leg.
    pub legs: [LegLabels; 2],
    /// The program whose names these are.
    pub preset: Option<&'static str>,
    /// The pose that showed it.
    pub seen_in: SeenIn,
    /// Which way is up in that pose.
    pub up: Axis,
}

/// No body was found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "no body with two legs and an upright trunk was recognised in this skeleton, by names or by shape"
)]
pub struct NoBody;

impl Labels {
    /// Looks at the rest pose and the first frame of a clip.
    pub fn of(clip: &Clip) -> Result<Self, NoBody> {
        let skeleton = clip.skeleton();
        if skeleton.n_joints() > MOST_JOINTS {
            return Err(NoBody);
        }
        let names = Names::of(skeleton);
        let rest = Pose::rest(skeleton);
        let poses = [
            (SeenIn::Rest, rest.as_ref()),
            (SeenIn::FirstFrame, clip.frame(0)),
        ];
        let mut ups = vec![clip.info.up];
        ups.extend(
            [Axis::Y, Axis::Z]
                .into_iter()
                .filter(|&up| up != clip.info.up),
        );
        let mut best: Option<(f64, Self)> = None;
        for (seen_in, pose) in poses {
            for &up in &ups {
                // The motion itself is where up is known.
                if seen_in == SeenIn::FirstFrame && up != clip.info.up {
                    continue;
                }
                let Some(figure) = Figure::new(skeleton, pose, up) else {
                    continue;
                };
                let Some((score, labels)) = seen(&figure, &names, seen_in) else {
                    continue;
                };
                if best.as_ref().is_none_or(|(most, _)| score > *most) {
                    best = Some((score, labels));
                }
            }
        }
        best.map(|(_, labels)| labels).ok_or(NoBody)
    }

    /// The joint that carries arms and neck, or the hips.
    pub fn chest(&self) -> usize {
        self.spine.last().copied().unwrap_or(self.hips)
    }

    /// Every joint that has a part, with its side.
    pub fn all(&self) -> Vec<(Part, Side, usize)> {
        let mut all = vec![(Part::Hips, Side::Middle, self.hips)];
        all.extend(self.spine.iter().map(|&j| (Part::Spine, Side::Middle, j)));
        all.extend(self.neck.iter().map(|&j| (Part::Neck, Side::Middle, j)));
        all.extend(self.head.map(|j| (Part::Head, Side::Middle, j)));
        let sides = [Side::Left, Side::Right];
        for (arm, side) in self.arms.iter().flatten().zip(sides) {
            all.extend(arm.clavicle.map(|j| (Part::Clavicle, side, j)));
            all.extend([
                (Part::UpperArm, side, arm.upper),
                (Part::Forearm, side, arm.middle),
                (Part::Hand, side, arm.end),
            ]);
        }
        for (leg, side) in self.legs.iter().zip(sides) {
            all.extend([
                (Part::Thigh, side, leg.upper),
                (Part::Calf, side, leg.middle),
                (Part::Foot, side, leg.end),
            ]);
            all.extend(leg.toe.map(|j| (Part::Toe, side, j)));
        }
        all
    }

    /// The bone that carries the hips and lies on the floor, in rigs that have one apart from the hips.
    pub fn root_bone(&self) -> Option<usize> {
        (self.hips != 0).then_some(0)
    }

    /// The limbs as [`crate::motion::limb`] wants them, for a skeleton of so many joints.
    pub fn body(&self, n_joints: usize) -> Body {
        let sides = [Side::Left, Side::Right];
        let legs = self.legs.iter().zip(sides).map(|(leg, side)| Limb {
            side,
            upper: leg.upper,
            middle: leg.middle,
            end: leg.end,
            toe: leg.toe,
        });
        let arms = self.arms.iter().flatten().zip(sides);
        let arms = arms.map(|(arm, side)| Limb {
            side,
            upper: arm.upper,
            middle: arm.middle,
            end: arm.end,
            toe: None,
        });
        Body {
            mirror: (0..n_joints).collect(),
            side: vec![Side::Middle; n_joints],
            lateral: Dim::X,
            head: self.head,
            legs: legs.collect(),
            arms: arms.collect(),
        }
    }

    /// Length of thigh and shin, the mean of both sides.
    pub fn leg_length(&self, places: &[Vec3]) -> f64 {
        let length = |leg: &LegLabels| {
            (places[leg.upper] - places[leg.middle]).norm()
                + (places[leg.middle] - places[leg.end]).norm()
        };
        self.legs.iter().map(length).sum::<f64>() / 2.0
    }
}

/// The body in one pose, and how surely it is one.
fn seen(figure: &Figure<'_>, names: &Names, seen_in: SeenIn) -> Option<(f64, Labels)> {
    let legs = limbs::find(figure, names, &LEG, &[])?;
    let arms = limbs::find(figure, names, &ARM, &leg_tops(figure, &legs));
    let arms = arms.filter(|arms| arms[0].score > NO_ARMS);
    if !is_upright(figure, &legs, arms.as_ref(), seen_in) {
        return None;
    }
    let mut score = legs[0].score + arms.map_or(NO_ARMS, |arms| arms[0].score);
    if seen_in == SeenIn::Rest {
        score += REST;
    }
    let left = left_of(figure, names, &legs);
    let middle = (figure.at(legs[0].upper) + figure.at(legs[1].upper)) / 2.0;
    let is_left = |chain: &Chain| (figure.at(chain.upper) - middle).dot(&left) > 0.0;
    let legs = limbs::left_first(names, legs, is_left);
    let arms = arms.map(|arms| limbs::left_first(names, arms, is_left));
    let pelvis = pelvis(figure, names, &legs);
    let hips = hips(figure, pelvis, arms.as_ref());
    let trunk = trunk(figure, names, hips, arms.as_ref(), &legs);
    let leg = |chain: &Chain| LegLabels {
        upper: chain.upper,
        middle: chain.middle,
        end: chain.end,
        toe: toe(figure, names, chain),
    };
    let arm = |chain: &Chain| ArmLabels {
        clavicle: clavicle(figure, names, trunk.shoulders_on, chain),
        upper: chain.upper,
        middle: chain.middle,
        end: chain.end,
        fingers: fingers::of_hand(figure.skeleton, names, chain.end),
    };
    Some((
        score,
        Labels {
            hips,
            pelvis: (pelvis != hips).then_some(pelvis),
            spine: trunk.spine,
            neck: trunk.neck,
            head: trunk.head,
            arms: arms.map(|arms| arms.each_ref().map(arm)),
            legs: legs.each_ref().map(leg),
            preset: names.preset.map(|preset| preset.name),
            seen_in,
            up: figure.up,
        },
    ))
}

/// The topmost joints that carry one leg alone.
fn leg_tops(figure: &Figure<'_>, legs: &[Chain; 2]) -> [usize; 2] {
    let common = figure.common(legs[0].upper, legs[1].upper);
    legs.each_ref().map(|leg| {
        figure
            .path(common, leg.upper)
            .first()
            .copied()
            .unwrap_or(leg.upper)
    })
}

/// The direction of the body's left: toes point forward. A body without toes is taken to face as most do.
fn left_of(figure: &Figure<'_>, names: &Names, legs: &[Chain; 2]) -> Vec3 {
    let toes = legs.iter().filter_map(|leg| {
        let toe = toe(figure, names, leg)?;
        Some(figure.at(toe) - figure.at(leg.end))
    });
    let ends = figure.skeleton.ends().iter().enumerate();
    let tips = ends.filter(|(_, end)| legs.iter().any(|leg| figure.carries(leg.end, end.joint)));
    let tips = tips.map(|(nth, end)| {
        let site = crate::motion::Site::End(nth);
        figure.world.site(figure.skeleton, site) - figure.at(end.joint)
    });
    let ahead: Vec3 = toes.chain(tips).sum();
    let up = figure.up.vector();
    let flat = ahead - up * up.dot(&ahead);
    if flat.norm() > 1e-3 * figure.height {
        up.cross(&flat)
    } else {
        crate::motion::heading::left(figure.up)
    }
}
