//! Characters that are posed by hand: their pose, what is pinned where, and which styles they keep to.

use std::sync::Arc;

use super::ModelId;
use super::ids::PosedId;
use crate::motion::{Axis, Pose, Quat, Site, Skeleton, Vec3};

/// How firmly a handle is held where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum PinMode {
    /// Goes wherever the body goes.
    #[default]
    Free,
    /// Stays about there; the style may have its way by a centimetre or two.
    Soft,
    /// Stays exactly there if the body can reach it.
    Hard,
}

impl PinMode {
    /// Free, soft, hard, and free again.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::Free => Self::Soft,
            Self::Soft => Self::Hard,
            Self::Hard => Self::Free,
        }
    }

    /// Its word in files and in the window, such as "soft".
    pub const fn name(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Soft => "soft",
            Self::Hard => "hard",
        }
    }
}

/// A handle on the body, and how it is held.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pin {
    /// Where on the body.
    pub site: Site,
    /// How firmly its place is held.
    pub position: PinMode,
    /// How firmly the joint that carries it keeps its turn.
    pub rotation: PinMode,
    /// Where it should be in the world; counts if the place is held.
    pub place: Vec3,
    /// How its joint should be turned, world from joint; counts if the turn is held.
    pub turn: Quat,
}

/// A character in a pose. Immutable behind an `Arc`: every change makes a new one.
#[derive(Debug, Clone, PartialEq)]
pub struct Posed {
    /// One line of text.
    pub name: String,
    /// The skeleton that it is posed on.
    pub skeleton: Arc<Skeleton>,
    /// Which way is up.
    pub up: Axis,
    /// Height of the floor along up.
    pub floor: f64,
    /// The pose that it stands in.
    pub pose: Pose,
    /// Handles that are held, and free ones that were added by hand; each site once, by site.
    pub pins: Vec<Pin>,
    /// The styles it keeps to, each with a weight from 0; each once. None is no style.
    pub styles: Vec<(ModelId, f64)>,
}

impl Posed {
    /// The pin of a site, if it has one.
    pub fn pin(&self, site: Site) -> Option<&Pin> {
        let at = self.pins.binary_search_by_key(&site, |pin| pin.site);
        at.ok().map(|at| &self.pins[at])
    }

    /// Puts a pin in the place of the one that its site had.
    pub fn set_pin(&mut self, pin: Pin) {
        match self.pins.binary_search_by_key(&pin.site, |pin| pin.site) {
            Ok(at) => self.pins[at] = pin,
            Err(at) => self.pins.insert(at, pin),
        }
    }

    /// Takes the pin of a site away.
    pub fn remove_pin(&mut self, site: Site) {
        self.pins.retain(|pin| pin.site != site);
    }

    /// What is wrong with it by itself, if anything is: only a file or a bug makes such a one.
    pub fn flaw(&self) -> Option<&'static str> {
        let skeleton = &*self.skeleton;
        let is_place = |v: &Vec3| v.iter().all(|x| x.is_finite());
        let is_turn = |q: &Quat| (q.coords.norm() - 1.0).abs() < 1e-6;
        let is_site = |site: Site| match site {
            Site::Joint(joint) => joint < skeleton.n_joints(),
            Site::End(end) => end < skeleton.ends().len(),
        };
        let pose = &self.pose;
        let fits = pose.rotations.len() == skeleton.n_joints()
            && pose.translations.len() == skeleton.translating().len();
        let styles = &self.styles;
        let is_weight = |w: f64| w >= 0.0 && w.is_finite();
        if !fits {
            Some("its pose has other joints than its skeleton")
        } else if !(pose.translations.iter().all(is_place) && pose.rotations.iter().all(is_turn)) {
            Some("its pose is not made of finite places and turns")
        } else if !self.floor.is_finite() {
            Some("its floor is nowhere")
        } else if !self.pins.iter().all(|pin| is_site(pin.site)) {
            Some("a pin is on no joint of it")
        } else if !self.pins.windows(2).all(|two| two[0].site < two[1].site) {
            Some("a joint is pinned twice, or the pins are out of order")
        } else if !self
            .pins
            .iter()
            .all(|p| is_place(&p.place) && is_turn(&p.turn))
        {
            Some("a pin is at no finite place")
        } else if !styles.iter().all(|(_, weight)| is_weight(*weight)) {
            Some("the weight of a style is not a number from 0")
        } else if (1..styles.len()).any(|at| styles[..at].iter().any(|s| s.0 == styles[at].0)) {
            Some("it keeps to one style twice")
        } else {
            None
        }
    }
}

/// All posed characters in the order in which they were made, so also by number.
pub(super) type AllPosed = Arc<Vec<(PosedId, Arc<Posed>)>>;
