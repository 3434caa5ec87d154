//! How a chart is learned: about which axes, what counts as still, what counts as noise.

use super::{ChartError, DofKind};

/// Which three axes a joint's turns are measured about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Axes {
    /// The joint's own x, y and z.
    Joint,
    /// The joint's principal axes over the inputs, the widest movement first.
    #[default]
    Principal,
}

/// How a chart is learned.
#[derive(Debug, Clone, PartialEq)]
pub struct ChartSettings {
    /// About which axes joints turn.
    pub axes: Axes,
    /// Measures limbs by the line between their ends, apart from how they are turned about it, so that places of hands
    /// and feet can be averaged. Without it, joint by joint.
    pub limb_lines: bool,
    /// Keeps what does not move, too.
    pub keep_still: bool,
    /// Angles with a smaller standard deviation are still; the heading, if holding its rate would never be this far
    /// off.
    pub still_rad: f64,
    /// The same for lengths, in body heights.
    pub still_heights: f64,
    /// Added to the standard deviation of an angle to give its scale; rates get what a swing of this size once a
    /// second would give, 2 pi times as much.
    pub floor_rad: f64,
    /// The same for lengths, in body heights.
    pub floor_heights: f64,
}

impl Default for ChartSettings {
    /// Angles from trials with walks (0.3 degrees is still, 0.6 is noise). A length counts like the angle that would
    /// move a hand or foot so far, half a body height from its joint.
    fn default() -> Self {
        Self {
            axes: Axes::default(),
            limb_lines: false,
            keep_still: false,
            still_rad: 0.005,
            still_heights: 0.0025,
            floor_rad: 0.01,
            floor_heights: 0.005,
        }
    }
}

impl ChartSettings {
    /// Refuses numbers that mean nothing.
    pub(super) fn check(&self) -> Result<(), ChartError> {
        let numbers = [
            ("still_rad", self.still_rad),
            ("still_heights", self.still_heights),
            ("floor_rad", self.floor_rad),
            ("floor_heights", self.floor_heights),
        ];
        for (name, value) in numbers {
            let is_floor = name.starts_with("floor");
            if !(value.is_finite() && value >= 0.0 && (value > 0.0 || !is_floor)) {
                return Err(ChartError::Setting { name, value });
            }
        }
        Ok(())
    }

    /// In radians or body heights.
    pub(super) fn still_floor(&self, kind: DofKind) -> f64 {
        if kind.is_angular() {
            self.still_rad
        } else {
            self.still_heights
        }
    }

    /// In radians or body heights, or those per second.
    pub(super) fn scale_floor(&self, kind: DofKind) -> f64 {
        let floor = if kind.is_angular() {
            self.floor_rad
        } else {
            self.floor_heights
        };
        if kind.is_rate() {
            floor * std::f64::consts::TAU
        } else {
            floor
        }
    }
}
