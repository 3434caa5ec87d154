//! How a model is learned, and how variants of it are drawn.

use super::course::Course;
use super::error::LearnError;

/// How a model is learned. Kept with it, so that every model can say how it was made.
#[derive(Debug, Clone, PartialEq)]
pub struct LearnSettings {
    /// How the motion runs; `None` looks whether the takes close.
    pub course: Option<Course>,
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
    /// Variation changes its mind about this often.
    pub mood_secs: f64,
    /// The prior network learns from the frames of this first part of every take (the paper: ten frames of 60).
    pub start_secs: f64,
    /// How many parents may be given to all nodes together.
    pub most_shared: usize,
    /// How many parents a node may get of its own.
    pub most_own: usize,
    /// From how many first guesses the prior network is sought.
    pub restarts: usize,
    /// Names the random numbers of restarts and calibration.
    pub seed: u64,
}

impl Default for LearnSettings {
    /// Found by trial on walks, jumps, golf swings, kicks, throws, strokes and cheers, four takes each: of the values tried
    /// the ones that keep all of them near to real motion. Before calibration, 15 neighbours instead of 30 brought
    /// variants nearer to the takes by up to a third, half the pull let them away by up to a quarter.
    fn default() -> Self {
        Self {
            course: None,
            neighbours: 24,
            width: 0.25,
            speed_weight: 0.3,
            phase_secs: 0.1,
            pull_secs: 0.23,
            mood_secs: 0.3,
            start_secs: 1.0 / 6.0,
            most_shared: 6,
            most_own: 2,
            restarts: 2,
            seed: 1,
        }
    }
}

impl LearnSettings {
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
            ("mood_secs", self.mood_secs, 1e-3, 1e3),
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

/// One degree of freedom that is given.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    /// Which one.
    pub dof: usize,
    /// Its value at every frame, in the units of the model's takes; the last one holds on.
    pub values: Vec<f64>,
}

/// How variants are drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct SampleSettings {
    /// 0 gives the mean motion, 1 varies as much as the takes do.
    pub amount: f64,
    /// Further factors by degree of freedom; empty for 1 everywhere.
    pub part_amounts: Vec<f64>,
    /// What is given and does not vary; the rest goes along with it.
    pub fixed: Vec<Track>,
    /// Names all random numbers.
    pub seed: u64,
}

impl Default for SampleSettings {
    fn default() -> Self {
        Self {
            amount: 1.0,
            part_amounts: Vec::new(),
            fixed: Vec::new(),
            seed: 1,
        }
    }
}

/// More than this and bodies come apart.
const MOST_AMOUNT: f64 = 4.0;

impl SampleSettings {
    /// How much a degree of freedom varies.
    pub(super) fn amount_of(&self, dof: usize) -> f64 {
        self.amount * self.part_amounts.get(dof).copied().unwrap_or(1.0)
    }

    /// Refuses what cannot be meant for a model of so many degrees of freedom.
    pub fn check(&self, n_dofs: usize) -> Result<(), LearnError> {
        let amounts = std::iter::once(&self.amount).chain(&self.part_amounts);
        for &amount in amounts {
            if !(0.0..=MOST_AMOUNT).contains(&amount) {
                return Err(LearnError::Setting {
                    field: "amount",
                    expected: "0 to 4",
                    found: amount,
                });
            }
        }
        if !self.part_amounts.is_empty() && self.part_amounts.len() != n_dofs {
            return Err(LearnError::Setting {
                field: "part_amounts",
                expected: "one for every degree of freedom",
                found: self.part_amounts.len() as f64,
            });
        }
        for track in &self.fixed {
            if track.dof >= n_dofs {
                return Err(LearnError::Setting {
                    field: "fixed",
                    expected: "degrees of freedom of the model",
                    found: track.dof as f64,
                });
            }
            if let Some(value) = track.values.iter().find(|x| !x.is_finite()) {
                return Err(LearnError::Setting {
                    field: "fixed",
                    expected: "finite numbers",
                    found: *value,
                });
            }
        }
        Ok(())
    }
}
