//! Conversion between a style and its file, by hand, so that either can change without the other.

use std::sync::Arc;

use nalgebra::{DMatrix, Matrix3, Quaternion};

use super::{StyleFileError, VERSION, v1};
use crate::file::project::{skeleton_from, skeleton_to};
use crate::motion::joint_chart::JointChart;
use crate::motion::{Axis, HeadingFrame, Pose, Quat, Skeleton, Vec3};
use crate::style::features::{Block, BlockKind, FeatureMap, FeatureParts};
use crate::style::gplvm::{GplvmParts, Kernel};
use crate::style::{
    CrossValidation, Gaussian, Gplvm, LearnSettings, Method, Origin, Style, StyleError, StyleParts,
};

pub(super) fn style_to(style: &Style) -> v1::Style {
    v1::Style {
        version: VERSION,
        origin: origin_to(style.origin()),
        skeleton: skeleton_to(style.skeleton()),
        features: features_to(style.map().parts()),
        gaussian: gaussian_to(style.gaussian()),
        latent: style.latent().map(latent_to),
        poses: style.active().iter().map(pose_to).collect(),
        left_out: style.cross_validation().map(|found| v1::LeftOut {
            folds: found.n_folds,
            latent_error: found.latent_error,
            gaussian_error: found.gaussian_error,
        }),
    }
}

pub(super) fn style_from(mirror: &v1::Style) -> Result<Style, StyleFileError> {
    let skeleton = skeleton_from(&mirror.skeleton).map_err(StyleFileError::Skeleton)?;
    let skeleton = Arc::new(skeleton);
    let map = features_from(&mirror.features)?;
    let active: Vec<Pose> = mirror.poses.iter().map(pose_from).collect();
    let latent = match &mirror.latent {
        Some(latent) => Some(latent_from(latent, &skeleton, &map, &active)?),
        None => None,
    };
    Ok(Style::from_parts(StyleParts {
        skeleton,
        map,
        gaussian: gaussian_from(&mirror.gaussian)?,
        latent,
        active,
        origin: origin_from(&mirror.origin),
        cross_validation: mirror.left_out.map(|found| CrossValidation {
            n_folds: found.folds,
            latent_error: found.latent_error,
            gaussian_error: found.gaussian_error,
        }),
    })?)
}

fn origin_to(origin: &Origin) -> v1::Origin {
    let settings = &origin.settings;
    v1::Origin {
        clips: origin.clips.clone(),
        frames: origin.n_frames,
        fitted: origin.n_fitted,
        log_likelihood: origin.log_likelihood,
        method: match settings.method {
            Method::Gaussian => v1::Method::Gaussian,
            Method::Full => v1::Method::Full,
            Method::ActiveSet => v1::Method::ActiveSet,
        },
        active: settings.n_active,
        latent: settings.n_latent,
        most_fitted: settings.n_fitted,
        steps: settings.n_steps,
        seed: settings.seed,
    }
}

fn origin_from(mirror: &v1::Origin) -> Origin {
    Origin {
        clips: mirror.clips.clone(),
        n_frames: mirror.frames,
        n_fitted: mirror.fitted,
        log_likelihood: mirror.log_likelihood,
        settings: LearnSettings {
            method: match mirror.method {
                v1::Method::Gaussian => Method::Gaussian,
                v1::Method::Full => Method::Full,
                v1::Method::ActiveSet => Method::ActiveSet,
            },
            n_active: mirror.active,
            n_latent: mirror.latent,
            n_fitted: mirror.most_fitted,
            n_steps: mirror.steps,
            seed: mirror.seed,
        },
    }
}

fn features_to(parts: &FeatureParts) -> v1::Features {
    let block = |block: &Block| v1::Block {
        kind: match block.kind {
            BlockKind::Turn => v1::Kind::Turn,
            BlockKind::Up => v1::Kind::Up,
            BlockKind::Fixed => v1::Kind::Fixed,
        },
        mean: quat_to(&block.chart.mean),
        centre: block.centre.into(),
        axes: block.chart.axes.into(),
        live: block.is_live,
        low: block.low.into(),
        high: block.high.into(),
    };
    v1::Features {
        up: parts.heading.up.to_string(),
        root: parts.heading.root,
        upright: quat_to(&parts.heading.upright),
        translations: parts.translations.iter().map(|t| (*t).into()).collect(),
        joints: parts.blocks.iter().map(block).collect(),
    }
}

fn features_from(mirror: &v1::Features) -> Result<FeatureParts, StyleError> {
    let up = mirror.up.parse::<Axis>();
    let up = up.map_err(|error| StyleError::Parts(error.to_string()))?;
    let block = |block: &v1::Block| Block {
        kind: match block.kind {
            v1::Kind::Turn => BlockKind::Turn,
            v1::Kind::Up => BlockKind::Up,
            v1::Kind::Fixed => BlockKind::Fixed,
        },
        chart: JointChart {
            mean: quat_from(&block.mean),
            axes: Matrix3::from(block.axes),
        },
        centre: Vec3::from(block.centre),
        is_live: block.live,
        low: Vec3::from(block.low),
        high: Vec3::from(block.high),
    };
    Ok(FeatureParts {
        heading: HeadingFrame {
            root: mirror.root,
            up,
            upright: quat_from(&mirror.upright),
        },
        blocks: mirror.joints.iter().map(block).collect(),
        translations: mirror.translations.iter().map(|t| Vec3::from(*t)).collect(),
    })
}

fn gaussian_to(gaussian: &Gaussian) -> v1::Gaussian {
    let covariance = gaussian.covariance();
    let n = covariance.nrows();
    let lower = (0..n).flat_map(|i| (0..=i).map(move |j| covariance[(i, j)]));
    v1::Gaussian {
        mean: gaussian.mean().to_vec(),
        covariance: lower.collect(),
    }
}

fn gaussian_from(mirror: &v1::Gaussian) -> Result<Gaussian, StyleError> {
    let n = mirror.mean.len();
    // Checked before anything as large as n squared is made: the numbers must be there.
    if mirror.covariance.len() != n * (n + 1) / 2 {
        return Err(StyleError::Parts(format!(
            "a covariance of {n} features has {} numbers, found {}",
            n * (n + 1) / 2,
            mirror.covariance.len()
        )));
    }
    let covariance = DMatrix::from_fn(n, n, |i, j| {
        let (i, j) = (i.max(j), i.min(j));
        mirror.covariance[i * (i + 1) / 2 + j]
    });
    Gaussian::from_parts(mirror.mean.clone(), covariance)
}

fn latent_to(latent: &Gplvm) -> v1::Latent {
    let parts = latent.parts();
    let kernel = |k: &Kernel| [k.alpha, k.beta, k.gamma];
    v1::Latent {
        points: (0..latent.n_active())
            .map(|i| latent.latent(i).to_vec())
            .collect(),
        mean: parts.mean.clone(),
        scales: parts.scales.clone(),
        sharp: kernel(&parts.sharp),
        smooth: kernel(&parts.smooth),
    }
}

/// The features of the active poses follow from the poses themselves.
fn latent_from(
    mirror: &v1::Latent,
    skeleton: &Arc<Skeleton>,
    map: &FeatureParts,
    active: &[Pose],
) -> Result<Gplvm, StyleError> {
    let map = FeatureMap::from_parts(Arc::clone(skeleton), map.clone())?;
    let d = map.n_features();
    let mut features = vec![0.0; active.len() * d];
    let rows = features.chunks_exact_mut(d.max(1));
    for (pose, row) in active.iter().zip(rows) {
        if pose.rotations.len() != skeleton.n_joints() {
            return Err(StyleError::Parts(
                "a kept pose is not one of the skeleton".to_owned(),
            ));
        }
        map.encode(pose.as_ref(), row);
    }
    let n_latent = mirror.points.first().map_or(0, Vec::len);
    if mirror.points.iter().any(|p| p.len() != n_latent) {
        return Err(StyleError::Parts(
            "latent points differ in length".to_owned(),
        ));
    }
    let kernel = |[alpha, beta, gamma]: [f64; 3]| Kernel { alpha, beta, gamma };
    Gplvm::from_parts(GplvmParts {
        n_latent,
        latent: mirror.points.concat(),
        features,
        mean: mirror.mean.clone(),
        scales: mirror.scales.clone(),
        sharp: kernel(mirror.sharp),
        smooth: kernel(mirror.smooth),
    })
}

fn pose_to(pose: &Pose) -> v1::Pose {
    v1::Pose {
        translations: pose.translations.iter().map(|t| (*t).into()).collect(),
        rotations: pose.rotations.iter().map(quat_to).collect(),
    }
}

fn pose_from(mirror: &v1::Pose) -> Pose {
    Pose {
        translations: mirror.translations.iter().map(|t| Vec3::from(*t)).collect(),
        rotations: mirror.rotations.iter().map(quat_from).collect(),
    }
}

fn quat_to(q: &Quat) -> [f64; 4] {
    q.coords.into()
}

/// As written; whoever takes it checks that it is a rotation.
fn quat_from(coords: &[f64; 4]) -> Quat {
    Quat::new_unchecked(Quaternion::from(nalgebra::Vector4::from(*coords)))
}
