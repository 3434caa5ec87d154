//! Live steering: a direction and a speed for the next second instead of a curve.

use super::{Goal, LabelRoutes, Visit};
use crate::motion::rotation::wrap;
use crate::texture::FrameId;

/// Squared radians and squared metres a second weigh alike.
const ANGLES: f64 = 0.3;
const SPEEDS: f64 = 0.3;
/// Within this time the body may still turn and change its speed for nothing but the rest of the way there.
const REACTS_SECS: f64 = 0.4;

/// Where to go now. Search from the frame that is shown, play what comes first, and search again.
#[derive(Debug, Clone, Copy)]
pub struct SteerGoal<'a> {
    /// The wanted heading in the world.
    pub heading_rad: f64,
    /// Metres a second; none leaves it to the action.
    pub speed: Option<f64>,
    /// The actions that are asked for, if any.
    pub labels: Option<&'a LabelRoutes>,
    /// How far to look ahead.
    pub secs: f64,
}

impl Goal for SteerGoal<'_> {
    /// Seconds since the start.
    type Memory = f64;

    fn begin(&self) -> f64 {
        0.0
    }

    fn visit(&self, memory: &mut f64, at: &Visit) -> f64 {
        let secs = at.secs - std::mem::replace(memory, at.secs);
        let off = self
            .labels
            .map_or(0.0, |l| l.off_cost(at.at, at.label, secs));
        let course = wrap(at.course_rad - self.heading_rad);
        let facing = wrap(at.heading_rad - self.heading_rad);
        let speed = self.speed.map_or(0.0, |wanted| at.speed - wanted);
        // A body that stands has only its facing.
        let angle = if at.speed > 0.15 { course } else { facing };
        let weight = (at.secs / REACTS_SECS).min(1.0);
        off + weight * (ANGLES * angle * angle + SPEEDS * speed * speed)
    }

    fn progress(&self, memory: &f64) -> f64 {
        *memory
    }

    fn is_done(&self, memory: &f64) -> bool {
        *memory >= self.secs
    }

    fn is_off(&self, _: &f64, at: &Visit) -> bool {
        self.labels.is_some_and(|l| !l.contains(at.label))
    }

    fn ahead(&self, _: &f64, _: &Visit) -> f64 {
        0.0
    }

    fn lead(&self, _: &f64, at: &Visit, next: FrameId) -> Option<f64> {
        let off = self.labels.filter(|l| !l.contains(at.label));
        off.map(|l| l.secs(next))
    }

    fn most_secs(&self) -> f64 {
        self.secs + 1.0
    }
}
