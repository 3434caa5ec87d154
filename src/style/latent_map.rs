//! The latent space as a picture that can be walked through: every point a pose, bright where poses are likely.
//!
//! After learning, latent points lie in their principal axes, so the first two coordinates show most of them (the
//! paper's Fig. 1); with more than two, the picture is a slice through the others.

use rayon::prelude::*;

use super::gplvm::{Gplvm, LatentProjection, LatentTerms, Sharpness};
use super::{Style, encode};
use crate::jobs::{Cancelled, Ticket};
use crate::motion::{Clip, Pose};

/// Which part of the latent space is looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct MapView {
    /// The middle of the picture; its other coordinates say where the slice is.
    pub centre: Vec<f64>,
    /// The latent coordinates across and up.
    pub axes: [usize; 2],
    /// Half of the picture's width and height, in latent units.
    pub reach: [f64; 2],
}

/// Likelihoods over a view, row by row from the top left.
#[derive(Debug, Clone, PartialEq)]
pub struct LikelihoodImage {
    /// Pixels in a row.
    pub width: usize,
    /// How many rows of pixels it has.
    pub height: usize,
    /// -D/2 ln sigma^2(x) - 1/2 |x|^2, the part of Eq. (3) that says how good a latent point is.
    pub values: Vec<f64>,
}

impl MapView {
    /// Everything that was learned, with a margin of a fifth, in the first two coordinates. With a single coordinate
    /// both axes are the same one.
    pub fn whole(model: &Gplvm) -> Self {
        let q = model.n_latent();
        let axes = [0, 1.min(q - 1)];
        let reach = axes.map(|a| {
            let each = (0..model.n_active()).map(|i| model.latent(i)[a].abs());
            1.2 * each.fold(0.1, f64::max)
        });
        Self {
            centre: vec![0.0; q],
            axes,
            reach,
        }
    }

    /// The latent point under a place of the picture: 0, 0 is the top left and 1, 1 the bottom right.
    pub fn point(&self, across: f64, down: f64) -> Vec<f64> {
        let mut point = self.centre.clone();
        point[self.axes[1]] += self.reach[1] * (1.0 - 2.0 * down);
        point[self.axes[0]] = self.centre[self.axes[0]] + self.reach[0] * (2.0 * across - 1.0);
        point
    }

    /// Where a latent point is seen in the picture.
    pub fn place(&self, point: &[f64]) -> [f64; 2] {
        let [a, b] = self.axes;
        [
            0.5 + 0.5 * (point[a] - self.centre[a]) / self.reach[0],
            0.5 - 0.5 * (point[b] - self.centre[b]) / self.reach[1],
        ]
    }
}

impl Gplvm {
    /// How good latent points are, over a view; on all threads.
    pub fn likelihood_image(
        &self,
        sharpness: Sharpness,
        view: &MapView,
        width: usize,
        height: usize,
    ) -> LikelihoodImage {
        let mut values = vec![0.0; width * height];
        let half_features = 0.5 * self.n_features() as f64;
        values
            .par_chunks_mut(width.max(1))
            .enumerate()
            .for_each(|(row, line)| {
                let down = (row as f64 + 0.5) / height as f64;
                let points: Vec<f64> = (0..width)
                    .flat_map(|column| view.point((column as f64 + 0.5) / width as f64, down))
                    .collect();
                let variances = self.variances(sharpness, &points);
                let each = points.chunks_exact(self.n_latent()).zip(&variances);
                for (value, (x, variance)) in line.iter_mut().zip(each) {
                    let size: f64 = x.iter().map(|x| x * x).sum();
                    *value = -half_features * variance.ln() - 0.5 * size;
                }
            });
        LikelihoodImage {
            width,
            height,
            values,
        }
    }
}

impl Style {
    /// The pose that the model expects at a latent point: over the origin, heading zero. `None` without a latent model.
    pub fn pose_at(&self, x: &[f64]) -> Option<Pose> {
        let model = self.latent().filter(|m| m.n_latent() == x.len())?;
        let mut terms = LatentTerms::default();
        model.predict(Sharpness::Sharp, x, &mut terms);
        Some(self.map().decode(&terms.expected))
    }

    /// The latent point of every frame of a clip. Each frame starts from the one before it and from the nearest kept
    /// poses, and takes the likelier end. Empty without a latent model.
    pub fn path(&self, clip: &Clip, ticket: &Ticket) -> Result<Vec<LatentProjection>, Cancelled> {
        let Some(model) = self.latent() else {
            return Ok(Vec::new());
        };
        let d = self.map().n_features();
        let rows = encode(self.map(), clip);
        // From the nearest kept poses on all threads, then once more in order from the frame before.
        let mut path = rows
            .par_chunks_exact(d)
            .map_init(LatentTerms::default, |terms, y| {
                ticket.check()?;
                Ok(model.project(y, terms))
            })
            .collect::<Result<Vec<LatentProjection>, Cancelled>>()?;
        let mut terms = LatentTerms::default();
        for frame in 1..path.len() {
            ticket.step(frame as f64 / path.len() as f64)?;
            let before = path[frame - 1].x.clone();
            let followed = model.project_from(&rows[frame * d..][..d], &before, &mut terms);
            if followed.cost < path[frame].cost {
                path[frame] = followed;
            }
        }
        Ok(path)
    }
}
