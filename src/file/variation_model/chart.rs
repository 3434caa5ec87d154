//! The coordinates of a model, to and from their mirror.

use std::sync::Arc;

use nalgebra::{Matrix3, Quaternion};

use super::{ModelFileError, v1};
use crate::file::project::{skeleton_from, skeleton_to};
use crate::motion::chart::{Axes, ChartParts, DofKind, JointAxes, body_parts};
use crate::motion::joint_chart::JointChart;
use crate::motion::{Axis, ChartSettings, Dim, Dof, DofChart, HeadingFrame, Quat, Vec3};

/// Rotations are unit quaternions up to rounding.
const UNIT: f64 = 1e-9;

pub(super) fn to(chart: &DofChart) -> v1::Chart {
    let parts = chart.parts();
    let settings = &parts.settings;
    v1::Chart {
        skeleton: skeleton_to(&parts.skeleton),
        principal_axes: settings.axes == Axes::Principal,
        limb_lines: settings.limb_lines,
        keep_still: settings.keep_still,
        still_rad: settings.still_rad,
        still_heights: settings.still_heights,
        floor_rad: settings.floor_rad,
        floor_heights: settings.floor_heights,
        root: parts.heading.root,
        up: parts.heading.up.to_string(),
        upright: quat_to(&parts.heading.upright),
        body_height: parts.body_height,
        joints: parts
            .joints
            .iter()
            .map(|joint| v1::JointAxes {
                mean: quat_to(&joint.chart.mean),
                centre: joint.centre.into(),
                axes: std::array::from_fn(|i| joint.chart.axes[(i % 3, i / 3)]),
            })
            .collect(),
        held: parts.held.clone(),
        moving: parts
            .dofs
            .iter()
            .map(|dof| v1::Dof {
                name: dof.name.clone(),
                kind: kind_to(dof.kind),
                joint: dof.joint,
                mean: dof.mean,
                deviation: dof.deviation,
                scale: dof.scale,
            })
            .collect(),
    }
}

pub(super) fn from(mirror: &v1::Chart) -> Result<DofChart, ModelFileError> {
    let skeleton = skeleton_from(&mirror.skeleton).map_err(ModelFileError::Word)?;
    let up: Axis = mirror
        .up
        .parse()
        .map_err(|error| ModelFileError::Word(format!("{error}")))?;
    if mirror.root >= skeleton.n_joints() {
        return Err(ModelFileError::Word(
            "the body's root is not a joint".to_owned(),
        ));
    }
    let parts = body_parts(&skeleton, mirror.root);
    let joints = mirror
        .joints
        .iter()
        .map(|joint| {
            Ok(JointAxes {
                chart: JointChart {
                    mean: quat_from(joint.mean)?,
                    axes: Matrix3::from_column_slice(&joint.axes),
                },
                centre: vector(joint.centre)?,
            })
        })
        .collect::<Result<Vec<JointAxes>, ModelFileError>>()?;
    let dofs = mirror
        .moving
        .iter()
        .map(|dof| {
            let part = parts.get(dof.joint).copied();
            let part = part
                .ok_or_else(|| ModelFileError::Word(format!("\"{}\" moves no joint", dof.name)))?;
            Ok(Dof {
                name: dof.name.clone(),
                kind: kind_from(dof.kind),
                joint: dof.joint,
                part,
                mean: dof.mean,
                deviation: dof.deviation,
                scale: dof.scale,
            })
        })
        .collect::<Result<Vec<Dof>, ModelFileError>>()?;
    Ok(DofChart::from_parts(ChartParts {
        skeleton: Arc::new(skeleton),
        settings: ChartSettings {
            axes: if mirror.principal_axes {
                Axes::Principal
            } else {
                Axes::Joint
            },
            limb_lines: mirror.limb_lines,
            keep_still: mirror.keep_still,
            still_rad: mirror.still_rad,
            still_heights: mirror.still_heights,
            floor_rad: mirror.floor_rad,
            floor_heights: mirror.floor_heights,
        },
        heading: HeadingFrame {
            root: mirror.root,
            up,
            upright: quat_from(mirror.upright)?,
        },
        body_height: finite(mirror.body_height)?,
        joints,
        held: mirror.held.clone(),
        dofs,
    })?)
}

fn finite(value: f64) -> Result<f64, ModelFileError> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(ModelFileError::Word(format!(
            "{value} is not a finite number"
        )))
    }
}

fn vector(values: [f64; 3]) -> Result<Vec3, ModelFileError> {
    for value in values {
        finite(value)?;
    }
    Ok(Vec3::from(values))
}

fn quat_to(quat: &Quat) -> [f64; 4] {
    [quat.w, quat.i, quat.j, quat.k]
}

/// Bit for bit what was written, if that was a rotation.
fn quat_from([w, x, y, z]: [f64; 4]) -> Result<Quat, ModelFileError> {
    let quat = Quaternion::new(w, x, y, z);
    if (quat.norm() - 1.0).abs() < UNIT {
        Ok(Quat::new_unchecked(quat))
    } else {
        Err(ModelFileError::Word(format!(
            "({w}, {x}, {y}, {z}) is not a rotation"
        )))
    }
}

fn kind_to(kind: DofKind) -> v1::Kind {
    match kind {
        DofKind::ForwardSpeed => v1::Kind::ForwardSpeed,
        DofKind::SidewaysSpeed => v1::Kind::SidewaysSpeed,
        DofKind::TurnRate => v1::Kind::TurnRate,
        DofKind::Height => v1::Kind::Height,
        DofKind::LeanForward => v1::Kind::LeanForward,
        DofKind::LeanLeft => v1::Kind::LeanLeft,
        DofKind::LeanTwist => v1::Kind::LeanTwist,
        DofKind::Turn { axis } => v1::Kind::Turn(axis),
        DofKind::Shift(Dim::X) => v1::Kind::ShiftX,
        DofKind::Shift(Dim::Y) => v1::Kind::ShiftY,
        DofKind::Shift(Dim::Z) => v1::Kind::ShiftZ,
    }
}

fn kind_from(kind: v1::Kind) -> DofKind {
    match kind {
        v1::Kind::ForwardSpeed => DofKind::ForwardSpeed,
        v1::Kind::SidewaysSpeed => DofKind::SidewaysSpeed,
        v1::Kind::TurnRate => DofKind::TurnRate,
        v1::Kind::Height => DofKind::Height,
        v1::Kind::LeanForward => DofKind::LeanForward,
        v1::Kind::LeanLeft => DofKind::LeanLeft,
        v1::Kind::LeanTwist => DofKind::LeanTwist,
        v1::Kind::Turn(axis) => DofKind::Turn { axis },
        v1::Kind::ShiftX => DofKind::Shift(Dim::X),
        v1::Kind::ShiftY => DofKind::Shift(Dim::Y),
        v1::Kind::ShiftZ => DofKind::Shift(Dim::Z),
    }
}
