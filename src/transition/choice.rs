//! Which of several transitions is best: by what is measured of each, against what the clips themselves do.

use super::graph::TransitionGraph;
use crate::motion::join::Strip;
use crate::motion::join::report::{JoinReport, Norms};

/// A radian further from real postures weighs as much as this many limits broken by all of their size.
const PER_RADIAN: f64 = 1.3;
/// So does a second of waiting for the action.
const PER_SECOND: f64 = 0.1;

/// What is measured of a transition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quality {
    /// The worst of its joins.
    pub report: JoinReport,
    /// Mean distance of its postures from the nearest real ones, radians (all counted joints together).
    pub posture: f64,
    /// How long the action has to wait, seconds.
    pub seconds: f64,
}

impl Quality {
    /// The lower the better: how far limits are broken, how far postures are from real ones, how long it takes.
    pub fn penalty(&self, norms: &Norms) -> f64 {
        self.report.excess(norms) + PER_RADIAN * self.posture + PER_SECOND * self.seconds
    }

    /// Whether it is nowhere rougher than the clips.
    pub fn keeps_limits(&self, norms: &Norms) -> bool {
        self.report.excess(norms) == 0.0
    }
}

/// Mean distance of the postures of some frames from the nearest ones of the database.
pub(super) fn posture(
    graph: &TransitionGraph,
    strip: &Strip,
    frames: std::ops::Range<usize>,
) -> f64 {
    /// Every third frame is enough.
    const STRIDE: usize = 3;
    let (mut sum, mut n) = (0.0, 0.0);
    let mut guess = None;
    for frame in frames.step_by(STRIDE) {
        if let Some((near, distance)) = graph.nearest_posture(strip.rows().row(frame), guess) {
            guess = Some(near);
            sum += f64::from(distance);
            n += 1.0;
        }
    }
    if n > 0.0 { sum / n } else { 0.0 }
}
