//! How a parametric action is learned and carried out.

use super::ParametricError;

/// How a parametric action is learned and carried out.
#[derive(Debug, Clone, PartialEq)]
pub struct ParametricSettings {
    /// The moment of effect as a share of the common phase, 0 to 1; by default it is found from the examples.
    pub effect_phase: Option<f64>,
    /// Whether examples that do not go with the others are left out, not only reported.
    pub leaves_out_outliers: bool,
    /// How far below 0 weights may go in sum, and above 1, from 0 to 1. Kovar and Gleicher 2004 bound each weight so.
    pub extrapolation: f64,
    /// Edge of a voxel of the target space, in body heights; grows if there would be more than `max_voxels`.
    pub voxel_heights: f64,
    /// The most voxels that the target space is divided into.
    pub max_voxels: usize,
    /// Random blends that seed the voxels, beside the examples themselves.
    pub n_samples: usize,
    /// Names the random blends.
    pub seed: u64,
    /// The most steps that refine the weights for one target.
    pub refinements: usize,
    /// What blending leaves is made up by moving the limb, by up to this many body heights; 0 switches that off.
    pub max_hold_heights: f64,
    /// How long the limb takes to come to the target and to leave it.
    pub hold_ease_secs: f64,
    /// Whether feet that stand in the examples are locked to the floor. With `max_hold_heights` 0 this may take the
    /// site from its target by some centimetres, as the body follows its feet.
    pub locks_feet: bool,
    /// Frames per second of the actions that are made; by default those of the first example.
    pub fps: Option<f64>,
}

impl Default for ParametricSettings {
    fn default() -> Self {
        Self {
            effect_phase: None,
            leaves_out_outliers: true,
            extrapolation: 0.2,
            // 3.5 cm of a grown-up.
            voxel_heights: 0.02,
            max_voxels: 50_000,
            n_samples: 2000,
            seed: 1,
            refinements: 12,
            max_hold_heights: 0.05,
            hold_ease_secs: 0.25,
            locks_feet: true,
            fps: None,
        }
    }
}

impl ParametricSettings {
    /// Refuses values outside their ranges.
    pub(super) fn check(&self) -> Result<(), ParametricError> {
        let within = |field, found: f64, low: f64, high: f64, expected| {
            if found >= low && found <= high {
                Ok(())
            } else {
                Err(ParametricError::Setting {
                    field,
                    expected,
                    found,
                })
            }
        };
        let share = "between 0 and 1";
        within(
            "effect_phase",
            self.effect_phase.unwrap_or(0.0),
            0.0,
            1.0,
            share,
        )?;
        within("extrapolation", self.extrapolation, 0.0, 1.0, share)?;
        let size = "between 0.001 and 1 body heights";
        within("voxel_heights", self.voxel_heights, 1e-3, 1.0, size)?;
        let most = self.max_voxels as f64;
        within("max_voxels", most, 8.0, 1e7, "between 8 and 10 million")?;
        let hold = "between 0 and 0.5 body heights";
        within("max_hold_heights", self.max_hold_heights, 0.0, 0.5, hold)?;
        let ease = "between 0 and 10 seconds";
        within("hold_ease_secs", self.hold_ease_secs, 0.0, 10.0, ease)?;
        let rate = "between 1 and 1000 frames a second";
        within("fps", self.fps.unwrap_or(1.0), 1.0, 1000.0, rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_refusal() {
        let usual = ParametricSettings::default();
        assert_eq!(usual.check(), Ok(()));
        let wrong = [
            ParametricSettings {
                effect_phase: Some(1.5),
                ..usual.clone()
            },
            ParametricSettings {
                effect_phase: Some(f64::NAN),
                ..usual.clone()
            },
            ParametricSettings {
                extrapolation: -0.1,
                ..usual.clone()
            },
            ParametricSettings {
                voxel_heights: 0.0,
                ..usual.clone()
            },
            ParametricSettings {
                max_voxels: 1,
                ..usual.clone()
            },
            ParametricSettings {
                max_hold_heights: f64::INFINITY,
                ..usual.clone()
            },
            ParametricSettings {
                hold_ease_secs: -1.0,
                ..usual.clone()
            },
            ParametricSettings {
                fps: Some(0.0),
                ..usual
            },
        ];
        for settings in wrong {
            let refused = settings.check();
            assert!(
                matches!(refused, Err(ParametricError::Setting { .. })),
                "{settings:?}"
            );
        }
    }
}
