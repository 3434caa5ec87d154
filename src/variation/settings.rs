//! How a model is learned, and how variants of it are drawn.

use super::error::LearnError;
use super::paper::PaperSettings;
use super::takes::MotionType;

/// Which recipe a model follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// One network that is scored, sampled and shown.
    #[default]
    Network,
    /// The paper's own: kernel regression on changes.
    Paper,
}

/// Where the edges of a network come from. All but the first are for comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StructureKind {
    /// The edges that a search found.
    #[default]
    Learned,
    /// No edges: all nodes are independent.
    None,
    /// As many edges, between random nodes.
    Random,
    /// Every node depends on all before it.
    Full,
}

/// How a model is learned. Kept with it, so that every model can say how it was made.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LearnSettings {
    /// How the motion runs; `None` looks whether the takes close.
    pub motion_type: Option<MotionType>,
    /// By which recipe the model is learned.
    pub method: Method,
    /// Where edges come from.
    pub structure: StructureKind,
    /// Whether it was learned by a version of the program from before there was a network, and should be learned again.
    pub is_of_earlier_version: bool,
    /// Of the paper's recipe.
    pub paper: PaperSettings,
}

impl LearnSettings {
    /// Refuses what cannot be meant.
    pub fn check(&self) -> Result<(), LearnError> {
        self.paper.check()
    }

    /// Names the random numbers of learning.
    pub fn seed(&self) -> u64 {
        self.paper.seed
    }
}

/// One degree of freedom that is given.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    /// The index of the degree of freedom.
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
    /// What is given and does not vary; the rest is drawn given that.
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
