//! One degree of freedom: what it moves, what it is called, how far it moves.

use crate::motion::{Body, Dim, Side, Skeleton};

/// What a degree of freedom moves. Angles are radians, lengths in the units of the file, rates per second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DofKind {
    /// Speed of the body over the ground, where it faces.
    ForwardSpeed,
    /// Speed of the body over the ground, to its left.
    SidewaysSpeed,
    /// How fast the heading turns to the left.
    TurnRate,
    /// Height of the body's root.
    Height,
    /// Tilt of the body towards where it faces.
    LeanForward,
    /// Tilt of the body to its left.
    LeanLeft,
    /// Turn of the body against its heading; zero unless the heading had to be carried over (upside down).
    LeanTwist,
    /// Turn of a joint away from its mean rotation, about one of its three axes.
    Turn {
        /// 0, 1 or 2: a column of the axes of [`super::JointAxes::chart`].
        axis: usize,
    },
    /// Place of a joint in its parent's space, for joints with a translation of their own.
    Shift(Dim),
}

impl DofKind {
    /// Unit for display; see [`Self::display`].
    pub const fn unit(self) -> &'static str {
        match self {
            Self::ForwardSpeed | Self::SidewaysSpeed => "units/s",
            Self::TurnRate => "deg/s",
            Self::Height | Self::Shift(_) => "units",
            Self::LeanForward | Self::LeanLeft | Self::LeanTwist | Self::Turn { .. } => "deg",
        }
    }

    /// A value in the unit that is shown.
    pub fn display(self, value: f64) -> f64 {
        if self.is_angular() {
            value.to_degrees()
        } else {
            value
        }
    }

    /// Whether it is an angle or a rate of one, not a length or speed.
    pub const fn is_angular(self) -> bool {
        matches!(
            self,
            Self::TurnRate
                | Self::LeanForward
                | Self::LeanLeft
                | Self::LeanTwist
                | Self::Turn { .. }
        )
    }

    /// Whether it is a rate, so that poses depend on its sum over time.
    pub const fn is_rate(self) -> bool {
        matches!(
            self,
            Self::ForwardSpeed | Self::SidewaysSpeed | Self::TurnRate
        )
    }
}

/// A region of the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Region {
    /// What carries the body, and what stands above it.
    Root,
    /// Back and chest, from above the pelvis to below the neck.
    Spine,
    /// Neck, head and what hangs on it.
    Head,
    /// From the collar bone to the fingers.
    Arm,
    /// From the hip to the toes.
    Leg,
    /// Tails, props, and bodies that are not human.
    Other,
}

/// Where on the body a joint is, for grouping curves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyPart {
    /// The region that the joint belongs to.
    pub region: Region,
    /// The side of the body, the middle included.
    pub side: Side,
}

impl std::fmt::Display for BodyPart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self.side {
            Side::Left => "left ",
            Side::Right => "right ",
            Side::Middle => "",
        })?;
        f.write_str(match self.region {
            Region::Root => "root",
            Region::Spine => "spine",
            Region::Head => "head",
            Region::Arm => "arm",
            Region::Leg => "leg",
            Region::Other => "other",
        })
    }
}

/// For each joint the part of the body it belongs to.
pub fn body_parts(skeleton: &Skeleton, body_root: usize) -> Vec<BodyPart> {
    let body = Body::of(skeleton);
    let joints = skeleton.joints();
    let mut regions: Vec<Option<Region>> = vec![None; joints.len()];
    for joint in skeleton.ancestors(body_root) {
        regions[joint] = Some(Region::Root);
    }
    // A limb begins at the first joint that lies on its side (LHipJoint, LeftShoulder), not where it turns.
    let limbs = [(&body.legs, Region::Leg), (&body.arms, Region::Arm)];
    for (limb, region) in limbs
        .into_iter()
        .flat_map(|(l, r)| l.iter().map(move |l| (l, r)))
    {
        let of_this_side = skeleton
            .ancestors(limb.upper)
            .take_while(|&j| body.side[j] == limb.side && regions[j].is_none());
        if let Some(first) = of_this_side.last() {
            regions[first] = Some(region);
        }
    }
    if let Some(head) = body.head {
        let is_neck = |j: usize| joints[j].name.to_lowercase().contains("neck");
        let chain = skeleton.ancestors(head);
        let first = chain.take_while(|&j| j == head || is_neck(j)).last();
        let first = first.unwrap_or(head);
        regions[first].get_or_insert(Region::Head);
        // What lies between the root and the neck is the spine.
        for joint in skeleton.ancestors(first) {
            regions[joint].get_or_insert(Region::Spine);
        }
    }
    for joint in 1..joints.len() {
        let above = joints[joint].parent.and_then(|p| regions[p]);
        let inherited = above.filter(|r| !matches!(r, Region::Root | Region::Spine));
        regions[joint] = regions[joint].or(inherited);
    }
    regions
        .into_iter()
        .zip(body.side)
        .map(|(region, side)| BodyPart {
            region: region.unwrap_or(Region::Other),
            side,
        })
        .collect()
}

/// One coordinate of a motion: a column of [`super::Curves`].
#[derive(Debug, Clone, PartialEq)]
pub struct Dof {
    /// Such as `Hips forward speed` or `LeftLeg bend`.
    pub name: String,
    /// The kind of movement it stands for.
    pub kind: DofKind,
    /// The joint it moves.
    pub joint: usize,
    /// Where that is on the body.
    pub part: BodyPart,
    /// Over all frames of all inputs.
    pub mean: f64,
    /// Standard deviation over all frames of all inputs.
    pub deviation: f64,
    /// What counts as one unit of difference: the deviation and a floor, so that sensor noise is not blown up.
    pub scale: f64,
}

impl Dof {
    /// How many scales above the mean.
    pub fn standardise(&self, value: f64) -> f64 {
        (value - self.mean) / self.scale
    }

    /// The value that is so many scales above the mean.
    pub fn destandardise(&self, standardised: f64) -> f64 {
        standardised.mul_add(self.scale, self.mean)
    }
}
