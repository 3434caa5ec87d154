//! The same style for the other hand: what was learned of the left side now goes for the right.
//!
//! A reflection changes no likelihood, only which joint a feature belongs to and which way its axes point. So nothing
//! is learned again: blocks of partners change places, their axes are reflected, and the numbers of the models follow.

use std::sync::Arc;

use nalgebra::{DMatrix, Matrix3};

use super::features::{Block, BlockKind, FeatureMap, FeatureParts};
use super::gplvm::GplvmParts;
use super::{Gaussian, Gplvm, Style, StyleError, StyleParts};
use crate::motion::edit::{mirror, mirror_sources};
use crate::motion::joint_chart::JointChart;
use crate::motion::{Body, Clip, ClipInfo, Dim, HeadingFrame, Motion, Pose, PoseRef, Quat, Vec3};

impl Style {
    /// The style that a mirror shows.
    pub fn mirrored(&self) -> Result<Self, StyleError> {
        let map = self.map();
        let sources = mirror_sources(self.skeleton());
        let lateral = Body::of(self.skeleton()).lateral;
        // The means of all joints go through the mirror as the first frame, the kept poses after it.
        let reflected = self.reflected_frames()?;
        let means = reflected.frame(0).to_pose();
        let parts = map.parts();
        let blocks: Vec<Block> = (0..parts.blocks.len())
            .map(|joint| {
                let source = &parts.blocks[sources[joint].unwrap_or(joint)];
                let flips = sources[joint].is_some();
                reflected_block(source, means.rotations[joint], flips.then_some(lateral))
            })
            .collect();
        let mut features = FeatureParts {
            heading: HeadingFrame {
                upright: map.world_from_root(means.as_ref()),
                ..parts.heading.clone()
            },
            blocks,
            translations: means.translations.clone(),
        };
        let up = parts.heading.up.vector();
        features.translations[0] = up * features.translations[0].dot(&up);
        let skeleton = Arc::clone(reflected.skeleton());
        let new_map = FeatureMap::from_parts(Arc::clone(&skeleton), features.clone())?;
        let from = feature_sources(map, &new_map, &sources);
        let latent = self.latent().map(|latent| permuted_latent(latent, &from));
        Self::from_parts(StyleParts {
            skeleton,
            map: features,
            gaussian: permuted_gaussian(self.gaussian(), &from)?,
            latent: latent.transpose()?,
            active: reflected.frames().skip(1).map(PoseRef::to_pose).collect(),
            origin: self.origin().clone(),
            cross_validation: self.cross_validation().copied(),
        })
    }

    fn reflected_frames(&self) -> Result<Clip, StyleError> {
        let parts = self.map().parts();
        let means = Pose {
            rotations: parts.blocks.iter().map(|block| block.chart.mean).collect(),
            translations: parts.translations.clone(),
        };
        let mut motion = Motion::with_capacity(self.skeleton(), 1.0, self.active().len() + 1);
        for pose in std::iter::once(&means).chain(self.active()) {
            motion.push(pose.as_ref());
        }
        let info = ClipInfo {
            up: parts.heading.up,
            ..ClipInfo::named("style")
        };
        let clip = Clip::new(info, Arc::clone(self.skeleton()), motion)
            .map_err(|error| StyleError::Parts(error.to_string()))?;
        Ok(mirror(&clip)?)
    }
}

/// The same coordinates, measured on the other side.
fn reflected_block(source: &Block, mean: Quat, lateral: Option<Dim>) -> Block {
    let reflection = match (lateral, source.kind) {
        (None, _) => Matrix3::identity(),
        // Up is a direction and loses its sign across; rotation vectors are turns and keep theirs only across.
        (Some(dim), BlockKind::Up) => flip(dim),
        (Some(dim), _) => -flip(dim),
    };
    Block {
        chart: JointChart {
            mean,
            axes: reflection * source.chart.axes,
        },
        centre: reflection * source.centre,
        ..source.clone()
    }
}

fn flip(dim: Dim) -> Matrix3<f64> {
    let mut signs = Vec3::repeat(1.0);
    signs[dim.index()] = -1.0;
    Matrix3::from_diagonal(&signs)
}

/// For each feature of the mirrored style the one of the original that it was.
fn feature_sources(old: &FeatureMap, new: &FeatureMap, sources: &[Option<usize>]) -> Vec<usize> {
    let mut from = vec![0; new.n_features()];
    for (joint, source) in sources.iter().enumerate() {
        let places = new.feature_of(joint).into_iter();
        let before = old.feature_of(source.unwrap_or(joint)).into_iter();
        for (to, was) in places.zip(before) {
            if let (Some(to), Some(was)) = (to, was) {
                from[to] = was;
            }
        }
    }
    from
}

fn permuted(values: &[f64], from: &[usize]) -> Vec<f64> {
    from.iter().map(|&k| values[k]).collect()
}

fn permuted_gaussian(gaussian: &Gaussian, from: &[usize]) -> Result<Gaussian, StyleError> {
    let n = from.len();
    let covariance = gaussian.covariance();
    let covariance = DMatrix::from_fn(n, n, |i, j| covariance[(from[i], from[j])]);
    Gaussian::from_parts(permuted(gaussian.mean(), from), covariance)
}

fn permuted_latent(latent: &Gplvm, from: &[usize]) -> Result<Gplvm, StyleError> {
    let parts = latent.parts();
    let rows = parts.features.chunks_exact(from.len());
    Gplvm::from_parts(GplvmParts {
        features: rows.flat_map(|row| permuted(row, from)).collect(),
        mean: permuted(&parts.mean, from),
        scales: permuted(&parts.scales, from),
        ..parts.clone()
    })
}
