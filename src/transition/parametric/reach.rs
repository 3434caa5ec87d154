//! An action for one target.

use super::synth::{ActionStart, make};
use super::weights::Refiner;
use super::{ParametricAction, ParametricError};
use crate::motion::limb::{
    Hold, HoldPosition, LimbMethod, LimbSettings, ReachPolicy, constrain, limb_of,
};
use crate::motion::{Body, Clip, ClipInfo, Contact, Site, Vec3, WorldPose, foot_slide};

/// A rest smaller than this is none: a millimetre of a grown-up, as for holds.
const MET_HEIGHTS: f64 = 0.001 / 1.75;

/// An action made for a target, with what each step left of the distance. Distances are in file units, at the moment
/// of effect, from the target that was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Reached {
    /// The action, with the contacts of its feet.
    pub clip: Clip,
    /// Its frame at the moment of effect.
    pub effect_frame: usize,
    /// One for each example of the report; the sum is 1.
    pub weights: Vec<f64>,
    /// Whether the target lies in the reachable region. If not, the action goes for the nearest point of it.
    pub is_inside: bool,
    /// Where blending was to bring the site: the target, or the nearest reachable point. In the action's frame.
    pub aim: Vec3,
    /// With the weights that the voxel keeps.
    pub error_of_voxel: f64,
    /// With refined weights, before the limb was moved.
    pub error_before_hold: f64,
    /// Distance of the finished clip from the target.
    pub error: f64,
    /// How far the limb solver moved the whole body, because the limb alone was too short.
    pub root_moved: f64,
}

impl ParametricAction {
    /// The action that brings the site to a target in the action's frame: left, up and forward about the spot below the
    /// body at the first frame, in file units. The clip starts over the origin, facing forward.
    pub fn reach(&self, target: &Vec3) -> Result<Reached, ParametricError> {
        self.reach_from(&ActionStart::at_origin(), target)
    }

    /// The same with a target in the world, for an action that starts at this place with this heading.
    pub fn reach_world(
        &self,
        start: &ActionStart,
        target_world: &Vec3,
    ) -> Result<Reached, ParametricError> {
        self.reach_from(start, &start.action_from_world(self.up(), target_world))
    }

    fn reach_from(&self, start: &ActionStart, target: &Vec3) -> Result<Reached, ParametricError> {
        let is_finite = |v: &Vec3| v.iter().all(|x| x.is_finite());
        if !(is_finite(&start.place) && start.heading_rad.is_finite()) {
            let what = "the place or heading at the start";
            return Err(ParametricError::NotFinite { what });
        }
        if !is_finite(target) {
            return Err(ParametricError::NotFinite { what: "the target" });
        }
        let settings = &self.settings;
        let (aim, kept) = self.voxels.nearest(target);
        let mut refiner = Refiner::new(
            &self.effect,
            self.body_height,
            settings.extrapolation,
            settings.refinements,
        );
        let refined = refiner.refine(&aim, kept);
        let mut info = ClipInfo::named(format!(
            "{} reach",
            self.space.skeleton.site_name(self.site)
        ));
        info.up = self.up;
        info.history.push(self.sentence(&refined.weights));
        let made = make(
            &self.space,
            &refined.weights,
            self.effect_phase,
            self.fps,
            start,
            info,
        )?;
        let mut reached = Reached {
            effect_frame: made.effect_frame,
            is_inside: self.is_reachable(target),
            aim,
            error_of_voxel: (self.effect.point(kept) - target).norm(),
            error_before_hold: (refined.point - target).norm(),
            error: (refined.point - target).norm(),
            root_moved: 0.0,
            weights: refined.weights,
            clip: made.clip,
        };
        self.hold(&mut reached, start, target, &refined.point)?;
        Ok(reached)
    }

    /// Moves the limb by what is left, as far as it may be moved, and holds feet where they stand. Targets further off
    /// are gone for as far as allowed, so that targets near each other give actions near each other everywhere.
    fn hold(
        &self,
        reached: &mut Reached,
        start: &ActionStart,
        target: &Vec3,
        point: &Vec3,
    ) -> Result<(), ParametricError> {
        let most = self.settings.max_hold_heights * self.body_height;
        let rest = target - point;
        let skeleton = &self.space.skeleton;
        let body = Body::of(skeleton);
        let limb = limb_of(skeleton, &body, self.site);
        let mut holds = Vec::new();
        if self.settings.locks_feet {
            // A foot that reaches stands nowhere near its target.
            let is_free = |c: &&Contact| {
                let of = limb_of(skeleton, &body, Site::Joint(c.joint));
                of.is_some() && (of != limb || !c.frames.contains(&reached.effect_frame))
            };
            let contacts: Vec<Contact> = reached
                .clip
                .contacts()
                .iter()
                .filter(is_free)
                .cloned()
                .collect();
            holds = foot_slide::holds(&reached.clip, &contacts);
        }
        // Held feet may move the body, which must not take the site along; so it is held even if it was met.
        let is_met = rest.norm() < MET_HEIGHTS * self.body_height && holds.is_empty();
        if most > 0.0 && limb.is_some() && !is_met {
            let held = if rest.norm() > most {
                point + rest * (most / rest.norm())
            } else {
                *target
            };
            holds.push(Hold {
                site: self.site,
                frames: reached.effect_frame..reached.effect_frame + 1,
                at: HoldPosition::Point(start.world_from_action(self.up(), &held)),
            });
        }
        if holds.is_empty() {
            return Ok(());
        }
        let limbs = LimbSettings {
            ease_secs: self.settings.hold_ease_secs,
            reach: ReachPolicy::RootFollows,
            method: LimbMethod::WholeCurve,
            ..LimbSettings::default()
        };
        let held = constrain(&reached.clip, &holds, &limbs)?;
        let world = WorldPose::of(skeleton, held.clip.frame(reached.effect_frame));
        let site = world.site(skeleton, self.site);
        reached.error = (start.action_from_world(self.up(), &site) - target).norm();
        reached.root_moved = held.root_moved;
        reached.clip = held.clip;
        Ok(())
    }

    /// For the clip's history: the examples that count most.
    fn sentence(&self, weights: &[f64]) -> String {
        /// More names would be a list, not a sentence.
        const NAMED: usize = 3;
        let mut order: Vec<usize> = (0..weights.len()).collect();
        order.sort_by(|&a, &b| weights[b].abs().total_cmp(&weights[a].abs()));
        let parts: Vec<String> = order
            .iter()
            .take(NAMED)
            .map(|&k| {
                let percent = 100.0 * weights[k];
                format!("{percent:.0} % {}", self.report.examples[k].name)
            })
            .collect();
        let more = if order.len() > NAMED {
            " and others"
        } else {
            ""
        };
        format!("blended from {}{more}", parts.join(", "))
    }
}
