//! A family of strokes: how it is made, and what was made.

use std::sync::Arc;

use crate::document::ModelId;
use crate::motion::Stroke;
use crate::variation::{Length, SampleSettings, StrokeModel};

/// How strokes are made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StrokeRecipe {
    /// How many strokes are made at once.
    pub count: usize,
    /// Names all random numbers.
    pub seed: u64,
    /// 0 gives the mean stroke, 1 varies as much as those that were drawn.
    pub amount: f64,
}

impl Default for StrokeRecipe {
    fn default() -> Self {
        Self {
            count: 15,
            seed: 1,
            amount: 1.0,
        }
    }
}

/// Strokes that were made, or why there are none.
#[derive(Debug)]
pub struct MadeStrokes {
    pub(super) model: Arc<StrokeModel>,
    pub(super) recipe: StrokeRecipe,
    /// In order of their numbers.
    pub strokes: Result<Vec<Arc<Stroke>>, String>,
}

impl MadeStrokes {
    pub(super) fn make(model: Arc<StrokeModel>, recipe: StrokeRecipe, name: &str) -> Self {
        let settings = SampleSettings {
            amount: recipe.amount,
            seed: recipe.seed,
            ..SampleSettings::default()
        };
        let one = |number: usize| {
            let made = model.vary(&settings, number as u64, Length::Once)?;
            let points = made.points().to_vec();
            Ok(Arc::new(Stroke::new(
                format!("{name} {number:03}"),
                points,
            )?))
        };
        let strokes: Result<Vec<_>, crate::variation::LearnError> =
            (0..recipe.count).map(one).collect();
        Self {
            strokes: strokes.map_err(|error| error.to_string()),
            model,
            recipe,
        }
    }
}

/// What the panel remembers.
#[derive(Debug)]
pub struct StrokeFamily {
    /// The model that makes strokes; none is the last that was learned.
    pub chosen: Option<ModelId>,
    /// How they are made.
    pub recipe: StrokeRecipe,
    /// Whether they are on the pad.
    pub is_shown: bool,
    pub(super) made: Option<Arc<MadeStrokes>>,
    pub(super) is_making: bool,
}

impl Default for StrokeFamily {
    fn default() -> Self {
        Self {
            chosen: None,
            recipe: StrokeRecipe::default(),
            is_shown: true,
            made: None,
            is_making: false,
        }
    }
}
