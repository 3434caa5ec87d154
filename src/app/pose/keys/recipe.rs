//! What the motion of a character depends on: its keys, its bones, and the styles of each range.

use std::sync::Arc;

use crate::document::{Document, Keying, Learned, ModelId, Posed, PosedId};
use crate::motion::{Axis, Skeleton};
use crate::style::Style;

/// Everything that the motion of a character depends on. Comparing costs a few pointers.
#[derive(Debug, Clone)]
pub struct Recipe {
    /// Keys, paths of handles and style ranges.
    pub keying: Arc<Keying>,
    /// The skeleton of the character.
    pub skeleton: Arc<Skeleton>,
    /// Which way is up.
    pub up: Axis,
    /// The character's own styles.
    pub own: Vec<(ModelId, f64)>,
    /// All styles that take part and know the bones.
    pub styles: Vec<(ModelId, Arc<Style>)>,
}

impl PartialEq for Recipe {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.keying, &other.keying)
            && Arc::ptr_eq(&self.skeleton, &other.skeleton)
            && self.up == other.up
            && self.own == other.own
            && self.styles.len() == other.styles.len()
            && self
                .styles
                .iter()
                .zip(&other.styles)
                .all(|(a, b)| a.0 == b.0 && Arc::ptr_eq(&a.1, &b.1))
    }
}

impl Recipe {
    /// What a character's motion is made from; none without keys.
    pub(in crate::app::pose) fn of(
        document: &Document,
        id: PosedId,
        posed: &Posed,
    ) -> Option<Self> {
        let keying = Arc::clone(document.keying(id)?);
        keying.keyed_frames()?;
        let ranges = keying.style_ranges.iter().flat_map(|s| &s.styles);
        let mut wanted: Vec<ModelId> = posed.styles.iter().chain(ranges).map(|s| s.0).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let style = |id: ModelId| match &document.model(id)?.learned {
            Learned::Style(style)
                if style.skeleton().same_structure(&posed.skeleton)
                    && style.map().parts().heading.up == posed.up =>
            {
                Some((id, Arc::clone(style)))
            }
            _ => None,
        };
        Some(Self {
            skeleton: Arc::clone(&posed.skeleton),
            up: posed.up,
            own: posed.styles.clone(),
            styles: wanted.into_iter().filter_map(style).collect(),
            keying,
        })
    }

    /// The weights of the styles at a frame, before ranges are faded into one another.
    fn plain_weights(&self, frame: usize) -> Vec<f64> {
        let chosen = self.keying.styles_at(frame).unwrap_or(&self.own);
        let weight = |id: ModelId| {
            let found = chosen.iter().find(|(other, _)| *other == id);
            found.map_or(0.0, |(_, weight)| *weight)
        };
        let weights: Vec<f64> = self.styles.iter().map(|(id, _)| weight(*id)).collect();
        if weights.iter().sum::<f64>() > 0.0 {
            weights
        } else {
            vec![1.0; self.styles.len()]
        }
    }

    /// The weights at a frame: ranges fade into one another over a fifth of a second.
    pub(in crate::app::pose) fn weights(&self, frame: usize) -> Vec<f64> {
        const HALF_FADE_SECS: f64 = 0.1;
        let reach = (HALF_FADE_SECS * self.keying.fps).round() as usize;
        let around = frame.saturating_sub(reach)..=frame + reach;
        let n = around.clone().count() as f64;
        let mut mean = vec![0.0; self.styles.len()];
        for frame in around {
            let weights = self.plain_weights(frame);
            let sum: f64 = weights.iter().sum();
            for (mean, weight) in mean.iter_mut().zip(weights) {
                *mean += weight / (sum * n);
            }
        }
        mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::pose::keys::motion::tests::recipe;

    #[test]
    fn style_ranges_fade_into_one_another() {
        let (mut recipe, _) = recipe(true);
        let style = Arc::clone(&recipe.styles[0].1);
        recipe.styles.push((ModelId(2), style));
        let keying = Arc::make_mut(&mut recipe.keying);
        keying.set_style_range(10, Some(vec![(ModelId(2), 1.0)]));
        let second: Vec<f64> = (0..20).map(|f| recipe.weights(f)[1]).collect();
        let off = second[5].abs().max((second[15] - 1.0).abs());
        assert!(off < 1e-12, "one style before and one after: {second:?}");
        assert!(second.windows(2).all(|two| two[0] <= two[1]), "{second:?}");
        assert!((0.3..0.7).contains(&second[10]), "{second:?}");
    }
}
