//! One pose that all bodies can be brought into, so that turns can be carried from one to the other.
//!
//! The T-pose of the body as it is drawn: facing forward, legs straight down, arms straight out; feet as they stand,
//! hands and collar bones as they are held. What a joint is turned from here means the same on every skeleton, whatever
//! its axes and its rest pose are (T, A, arms down, or all bones along one axis).

use std::sync::Arc;

use super::labels::{Labels, LegLabels, NoBody};
use super::seen_in::SeenIn;
use crate::motion::heading::{forward, left};
use crate::motion::mannequin::Mannequin;
use crate::motion::rotation::align;
use crate::motion::{Axis, Clip, Pose, Quat, Site, Vec3, WorldPose};

/// Which pose the reference is made from.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum ReferencePose {
    /// The rest pose if it is a body, else the first frame.
    #[default]
    Found,
    /// The pose in which all rotations are zero.
    Rest,
    /// A frame of the clip in which the body stands and looks ahead.
    Frame(usize),
    /// A pose that was set by hand: the turn of every joint. Lengths are those of the rest pose.
    Turns(Arc<[Quat]>),
}

impl ReferencePose {
    /// The pose of a frame, so that it means the same for other clips of the skeleton.
    pub fn of_frame(clip: &Clip, frame: usize) -> Self {
        let frame = frame.min(clip.n_frames() - 1);
        Self::Turns(clip.frame(frame).rotations.into())
    }
}

/// A body in the reference pose.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reference {
    /// The pose it was made from: places of joints that translate are taken from it.
    pub base: Pose,
    /// World-from-joint rotations of all joints.
    pub rotations: Vec<Quat>,
    /// Of every joint in the world.
    pub places: Vec<Vec3>,
    /// The length of thigh and shin together.
    pub leg_length: f64,
    /// From the sole to the ankle.
    pub ankle_height: f64,
}

/// Where a foot has no tip to tell, its ankle is this share of the leg above the sole (Drillis and Contini 1966).
const ANKLE_SHARE: f64 = 0.08;

impl Reference {
    pub(super) fn of(clip: &Clip, labels: &Labels, choice: &ReferencePose) -> Result<Self, NoBody> {
        let skeleton = clip.skeleton();
        let (seen_in, base) = match choice {
            ReferencePose::Found if labels.seen_in == SeenIn::FirstFrame => {
                (SeenIn::FirstFrame, clip.frame(0).to_pose())
            }
            ReferencePose::Found | ReferencePose::Rest => (SeenIn::Rest, Pose::rest(skeleton)),
            ReferencePose::Frame(frame) => {
                let frame = (*frame).min(clip.n_frames() - 1);
                (SeenIn::FirstFrame, clip.frame(frame).to_pose())
            }
            ReferencePose::Turns(turns) => {
                let mut pose = Pose::rest(skeleton);
                for (own, given) in pose.rotations.iter_mut().zip(turns.iter()) {
                    *own = *given;
                }
                (SeenIn::FirstFrame, pose)
            }
        };
        let up = clip.info.up;
        let mut model = Model(Mannequin::new(skeleton, base.clone()));
        let upright = match seen_in {
            SeenIn::Rest => align(&labels.up.vector(), &up.vector()),
            SeenIn::FirstFrame => align(&model.trunk(labels), &up.vector()),
        };
        model.0.turn(labels.hips, &upright);
        model.face_forward(labels, up);
        for leg in &labels.legs {
            let foot = model.0.world.rotations[leg.end];
            model
                .0
                .straighten(&[leg.upper, leg.middle, leg.end], &-up.vector());
            let back = foot * model.0.world.rotations[leg.end].inverse();
            model.0.turn(leg.end, &back);
            if let Some(toe) = leg.toe {
                model.point_foot(leg.end, toe, up);
                if seen_in == SeenIn::FirstFrame {
                    model.level_foot(leg.end, toe, up, standing_slope(clip, leg.end, toe));
                }
            }
        }
        for (arm, out) in labels.arms.iter().flatten().zip([left(up), -left(up)]) {
            model.0.straighten(&[arm.upper, arm.middle, arm.end], &out);
        }
        let places = model.0.world.positions.clone();
        let leg_length = labels.leg_length(&places);
        if !(leg_length > 0.0 && leg_length.is_finite()) {
            return Err(NoBody);
        }
        Ok(Self {
            ankle_height: model
                .ankle_height(labels, up)
                .unwrap_or(ANKLE_SHARE * leg_length),
            rotations: model.0.world.rotations,
            base,
            places,
            leg_length,
        })
    }
}

impl Reference {
    /// Thigh and shin of one leg.
    pub(super) fn length_of(&self, leg: &LegLabels) -> f64 {
        let length = |a: usize, b: usize| (self.places[a] - self.places[b]).norm();
        length(leg.upper, leg.middle) + length(leg.middle, leg.end)
    }
}

/// How steeply a foot points down while it stands: the median over the quarter of the frames in which the ankle is
/// lowest. Radians; a few hundred frames tell as much as all.
fn standing_slope(clip: &Clip, ankle: usize, toe: usize) -> f64 {
    let (skeleton, up) = (clip.skeleton(), clip.info.up);
    let chain = skeleton.with_ancestors([toe]);
    let mut world = WorldPose::of(skeleton, clip.frame(0));
    let stride = clip.n_frames().div_ceil(300);
    let mut seen: Vec<(f64, f64)> = (0..clip.n_frames())
        .step_by(stride)
        .map(|frame| {
            world.update_some(skeleton, clip.frame(frame), &chain);
            let foot = world.positions[toe] - world.positions[ankle];
            let slope = (up.along(&foot) / foot.norm().max(f64::MIN_POSITIVE)).clamp(-1.0, 1.0);
            (up.along(&world.positions[ankle]), slope.asin())
        })
        .collect();
    seen.sort_by(|a, b| a.0.total_cmp(&b.0));
    seen.truncate(seen.len().div_ceil(4));
    let middle = seen.len() / 2;
    seen.select_nth_unstable_by(middle, |a, b| a.1.total_cmp(&b.1))
        .1
        .1
}

/// A body that is being bent into the reference pose.
struct Model<'a>(Mannequin<'a>);

impl Model<'_> {
    /// From the hips to the head, or up the first leg.
    fn trunk(&self, labels: &Labels) -> Vec3 {
        let at = |joint: usize| self.0.world.positions[joint];
        let [a, b] = &labels.legs;
        let hips = (at(a.upper) + at(b.upper)) / 2.0;
        match labels.head {
            Some(head) => at(head) - hips,
            None => hips - (at(a.end) + at(b.end)) / 2.0,
        }
    }

    /// Turns the body about up until its left is on the left.
    fn face_forward(&mut self, labels: &Labels, up: Axis) {
        let at = |joint: usize| self.0.world.positions[joint];
        let [a, b] = &labels.legs;
        let mut across = at(a.upper) - at(b.upper);
        if let Some([left_arm, right_arm]) = &labels.arms {
            across += at(left_arm.upper) - at(right_arm.upper);
        }
        let flat = across - up.vector() * up.along(&across);
        if flat.norm() > 0.0 {
            let (ahead, aside) = (flat.dot(&forward(up)), flat.dot(&left(up)));
            let back = Quat::from_scaled_axis(up.vector() * ahead.atan2(aside));
            self.0.turn(labels.hips, &back);
        }
    }

    /// Turns a foot about up until it points ahead.
    fn point_foot(&mut self, ankle: usize, toe: usize, up: Axis) {
        let foot = self.0.world.positions[toe] - self.0.world.positions[ankle];
        let flat = foot - up.vector() * up.along(&foot);
        // A foot that points straight down (a doll's, or a bone that is none) has no direction to turn.
        if flat.norm() > 0.3 * foot.norm() {
            let (ahead, aside) = (flat.dot(&forward(up)), flat.dot(&left(up)));
            self.0.turn(
                ankle,
                &Quat::from_scaled_axis(up.vector() * -aside.atan2(ahead)),
            );
        }
    }

    /// Turns a foot until it slopes as it does when it stands.
    fn level_foot(&mut self, ankle: usize, toe: usize, up: Axis, slope_rad: f64) {
        let foot = self.0.world.positions[toe] - self.0.world.positions[ankle];
        let wanted = forward(up) * slope_rad.cos() + up.vector() * slope_rad.sin();
        if foot.norm() > 0.0 {
            self.0.turn(ankle, &align(&foot, &wanted));
        }
    }

    /// From the lowest place of each foot to its ankle, the mean of both; `None` for feet without toes or tips.
    fn ankle_height(&self, labels: &Labels, up: Axis) -> Option<f64> {
        let mut sum = 0.0;
        for leg in &labels.legs {
            let ankle = up.along(&self.0.world.positions[leg.end]);
            let is_below = |site: &Site| {
                *site != Site::Joint(leg.end)
                    && self
                        .0
                        .skeleton
                        .ancestors(self.0.skeleton.carrier(*site))
                        .any(|a| a == leg.end)
            };
            let sites = self.0.skeleton.sites().filter(is_below);
            let levels = sites.map(|site| up.along(&self.0.world.site(self.0.skeleton, site)));
            let lowest = levels.reduce(f64::min)?;
            sum += (ankle - lowest).max(0.0);
        }
        Some(sum / 2.0)
    }
}
