//! Tests: every derivative of the solver against finite differences, on a small body.

use std::sync::Arc;

use super::constraint::{
    Constraint, ConstraintMode, ConstraintRows, ConstraintSet, Goal, Placing, Tolerances,
};
use super::descent::Energy as _;
use super::energy::PosePull;
use super::linear::Quadratic;
use super::pose_deviation::PoseDeviation;
use super::solver::{SolveSettings, Solver};
use crate::jobs::Ticket;
use crate::motion::{
    Channels, Clip, ClipInfo, EndSite, Joint, Motion, Pose, Quat, RotationOrder, Site, Skeleton,
    Vec3, WorldPose,
};
use crate::style::{FeatureMap, LearnSettings, PriorKind, Style};

/// Hips, two spine joints, an arm of two bones with a tip.
pub(super) fn skeleton() -> Arc<Skeleton> {
    let joint = |name: &str, parent, offset| Joint {
        name: name.to_owned(),
        parent,
        offset,
        channels: Channels::rotation(RotationOrder::ZXY),
    };
    let joints = vec![
        joint("Hips", None, Vec3::zeros()),
        joint("Spine", Some(0), Vec3::new(0.0, 0.3, 0.0)),
        joint("Chest", Some(1), Vec3::new(0.0, 0.3, 0.05)),
        joint("Arm", Some(2), Vec3::new(0.2, 0.1, 0.0)),
        joint("ForeArm", Some(3), Vec3::new(0.3, 0.0, 0.0)),
    ];
    let tip = EndSite {
        joint: 4,
        offset: Vec3::new(0.25, 0.02, 0.0),
    };
    Arc::new(Skeleton::new(joints, vec![tip]).unwrap())
}

/// A body that sways; `pace` makes it another style.
fn swaying(pace: f64) -> Clip {
    let skeleton = skeleton();
    let mut motion = Motion::with_capacity(&skeleton, 1.0 / 30.0, 60);
    for frame in 0..60 {
        let t = f64::from(frame) * 0.11;
        let mut pose = Pose::rest(&skeleton);
        pose.translations[0] = Vec3::new(0.1 * t, 1.0, 0.0);
        for (j, q) in pose.rotations.iter_mut().enumerate() {
            let phase = pace * t + j as f64;
            let turn = Vec3::new(
                0.4 * phase.sin(),
                0.3 * phase.cos(),
                0.2 * (2.0 * phase).sin(),
            );
            *q = Quat::from_scaled_axis(turn * (0.4 + 0.2 * j as f64));
        }
        motion.push(pose.as_ref());
    }
    Clip::new(ClipInfo::named("swaying"), skeleton, motion).unwrap()
}

fn styles() -> [Style; 2] {
    let clips = [swaying(1.0), swaying(1.7)];
    let map = FeatureMap::learn(&[&clips[0], &clips[1]]).unwrap();
    let settings = LearnSettings {
        n_active: 20,
        n_fitted: 30,
        n_steps: 20,
        n_latent: 2,
        ..LearnSettings::default()
    };
    clips.map(|clip| Style::learn_on(&map, &[&clip], &settings, &Ticket::default()).unwrap())
}

fn solver(prior: PriorKind) -> Solver {
    let [a, b] = styles();
    let settings = SolveSettings {
        prior,
        ..SolveSettings::default()
    };
    Solver::blend(&[(&a, 0.3), (&b, 0.7)], settings).unwrap()
}

/// Somewhere off the training poses, beyond a joint limit.
fn some_pose(skeleton: &Skeleton) -> Pose {
    let mut pose = Pose::rest(skeleton);
    pose.translations[0] = Vec3::new(0.3, 0.9, -0.2);
    for (j, q) in pose.rotations.iter_mut().enumerate() {
        *q = Quat::from_scaled_axis(Vec3::new(0.3, -0.2 * j as f64, 0.25 * j as f64));
    }
    pose
}

fn moved(pose: &Pose, column: usize, by: f64) -> Pose {
    let mut pose = pose.clone();
    let mut v = Vec3::zeros();
    v[column % 3] = by;
    match pose.rotations.get_mut(column / 3) {
        Some(q) => *q *= Quat::from_scaled_axis(v),
        None => pose.translations[0] += v,
    }
    pose
}

#[test]
fn the_style_s_gradient_is_its_derivative() {
    let both = PriorKind::Both {
        gaussian_weight: 0.4,
    };
    for prior in [PriorKind::Gaussian, PriorKind::Latent, both] {
        let mut solver = solver(prior);
        let pose = some_pose(&skeleton());
        let mut target = pose.clone();
        target.rotations[2] *= Quat::from_scaled_axis(Vec3::new(0.4, 0.1, -0.3));
        target.translations[0] += Vec3::new(0.1, 0.2, 0.3);
        solver.energy.pulls = vec![PosePull {
            pose: target,
            turns: vec![0.0, 3.0, 7.0, 1.0, 0.0],
            place: 11.0,
        }];
        let mut latent = solver.energy.latent_of(pose.as_ref());
        for (i, x) in latent.iter_mut().enumerate() {
            *x += 0.1 + 0.05 * i as f64;
        }
        let mut model = Quadratic::default();
        let mut cost = |pose: &Pose, latent: &[f64]| {
            solver.energy.evaluate(pose.as_ref(), latent, &mut model);
            model.clone()
        };
        let here = cost(&pose, &latent);
        let h = 1e-5;
        for column in 0..18 {
            let up = cost(&moved(&pose, column, h), &latent).cost;
            let down = cost(&moved(&pose, column, -h), &latent).cost;
            let truth = (up - down) / (2.0 * h);
            let found = here.grad[column / 3][column % 3];
            let error = (found - truth).abs() / (1.0 + truth.abs());
            assert!(error < 1e-6, "{prior:?} move {column}: {found} {truth}");
        }
        for i in 0..latent.len() {
            let at = |by: f64| {
                let mut latent = latent.clone();
                latent[i] += by;
                latent
            };
            // The variance is a small difference of sums with an ill-conditioned kernel, so costs carry noise of about
            // 1e-8: a wide step of fourth order keeps most of it out of the derivative.
            let h = 2e-4;
            let mut slope =
                |h: f64| (cost(&pose, &at(h)).cost - cost(&pose, &at(-h)).cost) / (2.0 * h);
            let truth = (4.0 * slope(h) - slope(2.0 * h)) / 3.0;
            let found = here.grad_latent[i];
            let error = (found - truth).abs() / (1.0 + truth.abs());
            assert!(error < 1e-5, "{prior:?} latent {i}: {found} {truth}");
        }
    }
}

#[test]
fn a_bent_pose_s_gradient_is_its_derivative() {
    let mut solver = solver(PriorKind::Latent);
    let pose = some_pose(&skeleton());
    let state = solver.state_of(pose.clone());
    let mut around = PoseDeviation::of(&mut solver.energy, &state);
    let mut cost = |pose: &Pose| {
        let mut model = Quadratic::default();
        around.evaluate(pose.as_ref(), &[], &mut model);
        model
    };
    let at_home = cost(&pose).cost;
    assert!(at_home < 1e-20, "the pose itself costs {at_home}");
    let there = (0..15).fold(pose, |pose, column| moved(&pose, column, 0.1));
    let here = cost(&there);
    let h = 1e-5;
    for column in 0..18 {
        let up = cost(&moved(&there, column, h)).cost;
        let down = cost(&moved(&there, column, -h)).cost;
        let truth = (up - down) / (2.0 * h);
        let found = here.grad[column / 3][column % 3];
        let error = (found - truth).abs() / (1.0 + truth.abs());
        assert!(error < 1e-6, "move {column}: {found} {truth}");
    }
}

#[test]
fn rows_of_every_goal_are_its_derivatives() {
    let skeleton = skeleton();
    let pose = some_pose(&skeleton);
    let goals = [
        Goal::Position(Vec3::new(0.4, 1.2, 0.3)),
        Goal::Orientation(Quat::from_scaled_axis(Vec3::new(1.0, -0.7, 0.4))),
        Goal::LookAt {
            axis: Vec3::new(0.2, 2.0, 0.1),
            target: Vec3::new(1.0, 1.0, 2.0),
        },
        Goal::Ray {
            origin: Vec3::new(3.0, 1.0, 2.0),
            direction: Vec3::new(-1.0, 0.1, -0.8),
        },
        Goal::Plane {
            point: Vec3::new(0.0, 0.2, 0.0),
            normal: Vec3::new(0.1, 3.0, 0.2),
        },
    ];
    let modes = [ConstraintMode::Hard, ConstraintMode::Soft(2.0)];
    let sites = [Site::End(0), Site::Joint(2), Site::Joint(4)];
    let placing = Placing::new(&skeleton, 0);
    for (i, goal) in goals.into_iter().enumerate() {
        let mode = modes[i % 2];
        for site in sites {
            let list = [Constraint { site, goal, mode }];
            let tolerances = Tolerances::of_height(1.7);
            let set = ConstraintSet::new(&skeleton, &placing, &list, tolerances).unwrap();
            let rows = |pose: &Pose| {
                let mut rows = ConstraintRows::default();
                set.fill(&WorldPose::of(&skeleton, pose.as_ref()), false, &mut rows);
                rows
            };
            let here = rows(&pose);
            let h = 1e-6;
            for column in 0..18 {
                let (up, down) = (
                    rows(&moved(&pose, column, h)),
                    rows(&moved(&pose, column, -h)),
                );
                for r in 0..here.residuals.len() {
                    let truth = (up.residuals[r] - down.residuals[r]) / (2.0 * h);
                    let found = here.matrix[r * here.n_cols + column];
                    let error = (found - truth).abs() / (1.0 + truth.abs());
                    assert!(error < 1e-6, "{goal:?} {site:?} row {r} move {column}");
                }
            }
        }
    }
}

#[test]
fn the_linear_form_of_a_gaussian_is_the_gaussian() {
    let [style, _] = styles();
    let settings = SolveSettings {
        prior: PriorKind::Gaussian,
        has_limits: false,
        ..SolveSettings::default()
    };
    let mut solver = Solver::new(&style, settings).unwrap();
    let pose = some_pose(&skeleton());
    let latent = solver.energy.latent_of(pose.as_ref());
    let found = solver.energy.style_cost(pose.as_ref(), &latent);
    let mut features = vec![0.0; style.map().n_features()];
    style.map().encode(pose.as_ref(), &mut features);
    let gaussian = style.gaussian();
    let truth = gaussian.log_likelihood(gaussian.mean()) - gaussian.log_likelihood(&features);
    assert!((found - truth).abs() < 1e-6 * truth, "{found} {truth}");
}
