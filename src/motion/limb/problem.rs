//! What is held where, how feet and hands are brought there, and what comes of it.

use std::ops::Range;

use crate::motion::setting::BadSetting;
use crate::motion::{Body, Clip, ClipError, Limb, Site, Skeleton, Vec3};

/// Where a place on a limb has to be for some time.
#[derive(Debug, Clone, PartialEq)]
pub struct Hold {
    /// Ankle, wrist, or a joint or end site that hangs on one.
    pub site: Site,
    /// Frames of the clip, the end not included.
    pub frames: Range<usize>,
    /// Where, in the world.
    pub at: HoldPosition,
}

/// One place, or one for each frame.
#[derive(Debug, Clone, PartialEq)]
pub enum HoldPosition {
    /// The same position in every frame.
    Point(Vec3),
    /// Moves: one entry for each frame of the hold.
    Path(Vec<Vec3>),
}

impl Hold {
    /// Where the site has to be at a frame, if it is held then.
    pub fn at_frame(&self, frame: usize) -> Option<Vec3> {
        if !self.frames.contains(&frame) {
            return None;
        }
        match &self.at {
            HoldPosition::Point(point) => Some(*point),
            HoldPosition::Path(path) => path.get(frame - self.frames.start).copied(),
        }
    }
}

/// What happens when a limb is too short for its hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReachPolicy {
    /// The whole body follows smoothly by what is missing; legs that are not held keep the ways of their feet.
    RootFollows,
    /// The body stays; the limb stretches out towards it and [`Constrained::misses`] says by how much it fails.
    Report,
}

/// How the poses are found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LimbMethod {
    /// The correction of each limb as one smooth curve over the clip.
    WholeCurve,
    /// The paper's Eq. 7, one frame after the other.
    FrameByFrame {
        /// w1: nearness to the given pose.
        nearness: f64,
        /// w2: smoothness after the two frames before.
        smoothness: f64,
    },
}

impl LimbMethod {
    /// Eq. 7 with the paper's weights.
    pub const PAPER: Self = Self::FrameByFrame {
        nearness: 1.0,
        smoothness: 5.0,
    };
}

/// How holds are met.
#[derive(Debug, Clone, PartialEq)]
pub struct LimbSettings {
    /// How long a correction takes to come before a hold, and to go after it.
    pub ease_secs: f64,
    /// What happens when a limb is too short.
    pub reach: ReachPolicy,
    /// How the poses are found.
    pub method: LimbMethod,
    /// Axes of knees and elbows that are known, by the end joint of the limb ([`leg_hinges`](super::leg_hinges)).
    /// Others are read off the clip, which says little if it is short and the limb straight.
    pub hinges: Vec<(usize, Vec3)>,
}

impl Default for LimbSettings {
    fn default() -> Self {
        Self {
            // About half a swing of the leg in a walk.
            ease_secs: 0.25,
            reach: ReachPolicy::RootFollows,
            method: LimbMethod::WholeCurve,
            hinges: Vec::new(),
        }
    }
}

/// Why holds cannot be met at all.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LimbError {
    /// No leg or arm was recognised.
    #[error("no legs or arms were found by the names of the joints")]
    NoLimbs,
    /// The site is not on the end of a leg or arm.
    #[error(
        "\"{site}\" is no ankle or wrist and hangs on none; only the ends of legs and arms can be held"
    )]
    NotOnALimb {
        /// Name of the joint or end site.
        site: String,
    },
    /// There is no such joint or end site.
    #[error("the skeleton has no {0:?}")]
    NoSuchSite(Site),
    /// The frames are empty or outside the clip.
    #[error("the hold of \"{site}\" covers frames {from}..{to}; the clip has frames 0..{n_frames}")]
    Frames {
        /// Name of the joint or end site.
        site: String,
        /// First frame of the hold.
        from: usize,
        /// One past the last.
        to: usize,
        /// Frames of the clip.
        n_frames: usize,
    },
    /// The path has not one place for each frame.
    #[error("the hold of \"{site}\" lasts {frames} frames but its path has {places} positions")]
    PathLength {
        /// Name of the joint or end site.
        site: String,
        /// Frames of the hold.
        frames: usize,
        /// Places of the path.
        places: usize,
    },
    /// A place is infinite or not a number.
    #[error("the hold of \"{site}\" has a position that is not a finite number")]
    NotFinite {
        /// Name of the joint or end site.
        site: String,
    },
    /// Two holds want one site at the same time.
    #[error("\"{site}\" is held twice at frame {frame}")]
    Twice {
        /// Name of the joint or end site.
        site: String,
        /// The first such frame.
        frame: usize,
    },
    /// A setting cannot be meant.
    #[error(transparent)]
    Setting(#[from] BadSetting),
    /// No contacts could be looked for.
    #[error(transparent)]
    Contacts(#[from] crate::motion::contacts::ContactError),
    /// The solved poses are no clip: numbers of the given one are so large that they overflow.
    #[error(transparent)]
    Clip(#[from] ClipError),
}

/// A frame at which a hold is not met.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Miss {
    /// Index into the holds.
    pub hold: usize,
    /// The frame, counted from 0.
    pub frame: usize,
    /// How far off the site is.
    pub distance: f64,
}

/// A clip with its holds met.
#[derive(Debug, Clone, PartialEq)]
pub struct Constrained {
    /// The clip in which the holds are met.
    pub clip: Clip,
    /// Frames at which a site is further off than a millimetre of a grown-up, by hold and frame.
    pub misses: Vec<Miss>,
    /// How far the whole body was moved, at most.
    pub root_moved: f64,
}

/// 1 mm of 1.75 m.
pub(super) const TOLERANCE_BODY_HEIGHTS: f64 = 0.001 / 1.75;

/// A hold, or a part of it, that is not met exactly, so that the rest of the body stays smooth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelaxedHold {
    /// Index into the holds.
    pub hold: usize,
    /// Frames of the clip, the end not included.
    pub frames: Range<usize>,
    /// The limit that an exact hold would exceed.
    pub why: RelaxReason,
}

/// What a hold that gives way prevents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RelaxReason {
    /// A knee would have popped.
    KneeStep,
    /// The body would have jerked.
    Jerk,
}

/// The leg or arm whose end carries a site.
pub fn limb_of<'a>(skeleton: &Skeleton, body: &'a Body, site: Site) -> Option<&'a Limb> {
    let carrier = skeleton.carrier(site);
    let mut limbs = body.legs.iter().chain(&body.arms);
    limbs.find(|limb| skeleton.ancestors(carrier).any(|a| a == limb.end))
}
