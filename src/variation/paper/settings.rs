//! How the paper's own recipe is learned.

use crate::variation::error::LearnError;

/// Kernel regression on changes, Eqs. (5) and (6).
#[derive(Debug, Clone, PartialEq)]
pub struct PaperSettings {
    /// k of Eq. (5). The paper uses 15 to 60.
    pub neighbours: usize,
    /// `K_W^2` of Eq. (5), in squared distances of the k-th neighbour.
    pub width: f64,
    /// How much the speed of a node counts against its place, once both are standardised.
    pub speed_weight: f64,
    /// A difference in progress of so many seconds counts like one standard deviation of a parent.
    pub phase_secs: f64,
    /// A value is drawn back to its neighbours within about this time. Without it errors add up and leave the data.
    pub pull_secs: f64,
    /// The prior network learns from the frames of this first part of every take (the paper: ten frames of 60).
    pub start_secs: f64,
    /// How many parents may be given to all nodes together.
    pub most_shared: usize,
    /// How many parents a node may get of its own.
    pub most_own: usize,
    /// From how many first guesses the prior network is sought.
    pub restarts: usize,
    /// Names the random numbers of restarts.
    pub seed: u64,
}

impl Default for PaperSettings {
    /// Found by trial on walks, jumps, golf swings, kicks, throws, strokes and cheers, four takes each.
    fn default() -> Self {
        Self {
            neighbours: 24,
            width: 0.25,
            speed_weight: 0.3,
            phase_secs: 0.1,
            pull_secs: 0.23,
            start_secs: 1.0 / 6.0,
            most_shared: 6,
            most_own: 2,
            restarts: 2,
            seed: 1,
        }
    }
}

impl PaperSettings {
    /// Refuses what cannot be meant.
    pub fn check(&self) -> Result<(), LearnError> {
        let wrong = |field, expected, found| {
            Err(LearnError::Setting {
                field,
                expected,
                found,
            })
        };
        if !(2..=1000).contains(&self.neighbours) {
            return wrong("neighbours", "2 to 1000", self.neighbours as f64);
        }
        if self.restarts > 1000 {
            return wrong("restarts", "at most 1000", self.restarts as f64);
        }
        for (field, value, low, high) in [
            ("width", self.width, 1e-3, 1e3),
            ("phase_secs", self.phase_secs, 1e-3, 1e3),
            ("pull_secs", self.pull_secs, 1e-3, 1e6),
            ("start_secs", self.start_secs, 0.0, 1e3),
            ("speed_weight", self.speed_weight, 0.0, 1e3),
        ] {
            if !(low..=high).contains(&value) {
                return wrong(field, "a sensible number (see the guide)", value);
            }
        }
        Ok(())
    }

    /// The share of its distance that a value is drawn back in one frame.
    pub(super) fn pull(&self, frame_secs: f64) -> f64 {
        -f64::exp_m1(-frame_secs / self.pull_secs)
    }
}
