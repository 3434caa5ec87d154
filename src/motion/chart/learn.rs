//! Statistics of the coordinates of a set of clips: means, axes, which of them move, and how far.

use std::sync::Arc;

use nalgebra::Matrix3;

use super::branch::are_near;
use super::dof::body_parts;
use super::encode::{CoordinateTable, encode, lean_axes};
use super::error::check_fits;
use super::layout::ChartLayout;
use super::{
    Axes, ChartError, ChartParts, ChartSettings, Dof, DofChart, DofKind, JointAxes, words,
};
use crate::motion::joint_chart::{JointChart, PrincipalAxes, covariance};
use crate::motion::rotation::mean;
use crate::motion::{Clip, HeadingFrame, Quat, Vec3, body};

impl DofChart {
    /// Learns from clips on one skeleton, with the same up.
    pub fn learn(clips: &[&Clip], settings: &ChartSettings) -> Result<Self, ChartError> {
        let first = *clips.first().ok_or(ChartError::NoClips)?;
        settings.check()?;
        for clip in clips {
            check_fits(first.skeleton(), first.info.up, clip)?;
        }
        let body_height = body::height(first);
        if !body_height.is_finite() {
            return Err(ChartError::BodyHeight(body_height));
        }
        let heading = HeadingFrame::learn(clips);
        let layout = ChartLayout::new(first.skeleton(), heading.root, settings.limb_lines);
        let mut joints = mean_rotations(clips, &heading);
        mean_limbs(clips, &layout, &mut joints);
        let mut tables = encode_all(&layout, &heading, &joints, clips)?;
        if share_centres(&tables, &layout, &mut joints) {
            tables = encode_all(&layout, &heading, &joints, clips)?;
        }
        let axis_words = match settings.axes {
            Axes::Joint => vec![["x", "y", "z"]; joints.len()],
            Axes::Principal => {
                let body_axes = words::body_axes(first, &heading, &joints);
                principal_axes(&mut tables, &layout, &heading, &mut joints, &body_axes)
            }
        };
        let (held, dofs) = moving(first, &layout, &tables, &axis_words, settings, body_height)?;
        Self::from_parts(ChartParts {
            skeleton: Arc::clone(first.skeleton()),
            settings: settings.clone(),
            heading,
            body_height,
            joints,
            held,
            dofs,
        })
    }
}

fn mean_rotations(clips: &[&Clip], heading: &HeadingFrame) -> Vec<JointAxes> {
    let n = clips[0].skeleton().n_joints();
    (0..n)
        .map(|joint| {
            let all = clips
                .iter()
                .flat_map(|clip| clip.motion().rotations.iter().skip(joint).step_by(n));
            let chart = if joint == heading.root {
                // Leans are measured from the usual hold, which is such a mean already.
                JointChart {
                    mean: Quat::identity(),
                    axes: lean_axes(heading.up),
                }
            } else {
                JointChart::about_mean(all)
            };
            JointAxes {
                chart,
                centre: Vec3::zeros(),
            }
        })
        .collect()
}

/// Limbs that are measured by their lines have means of those.
fn mean_limbs(clips: &[&Clip], layout: &ChartLayout, joints: &mut [JointAxes]) {
    for limb in &layout.limbs {
        let line = |clip: &&Clip| -> Vec<Quat> {
            let frames = clip.frames();
            frames
                .map(|pose| limb.line(clip.skeleton(), pose))
                .collect()
        };
        let lines: Vec<Quat> = clips.iter().flat_map(line).collect();
        joints[limb.upper].chart.mean = mean(&lines);
    }
}

fn encode_all(
    layout: &ChartLayout,
    heading: &HeadingFrame,
    joints: &[JointAxes],
    clips: &[&Clip],
) -> Result<Vec<CoordinateTable>, ChartError> {
    clips
        .iter()
        .map(|clip| {
            let table = encode(layout, heading, joints, clip);
            super::check_table(&table, layout, clip)?;
            Ok(table)
        })
        .collect()
}

/// Joints that go further from their mean than their shortest vectors can tell get the mean of their curves as the
/// centre that all clips keep near to. Says whether there is such a joint.
fn share_centres(
    tables: &[CoordinateTable],
    layout: &ChartLayout,
    joints: &mut [JointAxes],
) -> bool {
    let mut any = false;
    for (joint, &at) in joints.iter_mut().zip(&layout.turns_at) {
        let vectors: Vec<Vec3> = tables.iter().flat_map(|t| t.triples(at)).collect();
        if !are_near(&vectors) {
            let mean = vectors.iter().sum::<Vec3>() / vectors.len() as f64;
            joint.centre = joint.chart.vector_of(&mean);
            any = true;
        }
    }
    any
}

/// Turns each joint's coordinates into its principal axes, the widest first, and finds words for them.
fn principal_axes(
    tables: &mut [CoordinateTable],
    layout: &ChartLayout,
    heading: &HeadingFrame,
    joints: &mut [JointAxes],
    body_axes: &[Matrix3<f64>],
) -> Vec<[&'static str; 3]> {
    let mut all_words = vec![["", "", ""]; joints.len()];
    for (joint, axes) in joints.iter_mut().enumerate() {
        if joint == heading.root {
            continue;
        }
        let at = layout.turns_at[joint];
        let (_, mut scatter) = covariance(tables.iter().flat_map(|t| t.triples(at)));
        if let Some(limb) = layout.limbs.iter().find(|limb| limb.upper == joint) {
            // Swing and twist are kept apart.
            let along = limb.bone * limb.bone.transpose();
            let across = Matrix3::identity() - along;
            scatter = along * scatter * along + across * scatter * across;
        }
        let mut widest_first = PrincipalAxes::of(&scatter).axes;
        all_words[joint] = words::fit(&mut widest_first, &body_axes[joint]);
        let to_axes = widest_first.transpose();
        for table in tables.iter_mut() {
            table.map_triples(at, |v| to_axes * v);
        }
        axes.chart.axes = widest_first;
    }
    all_words
}

/// The mean of every coordinate, and those that move.
fn moving(
    first: &Clip,
    layout: &ChartLayout,
    tables: &[CoordinateTable],
    axis_words: &[[&'static str; 3]],
    settings: &ChartSettings,
    body_height: f64,
) -> Result<(Vec<f64>, Vec<Dof>), ChartError> {
    let joints = first.skeleton().joints();
    let parts = body_parts(first.skeleton(), layout.coordinates[0].1);
    let mut held = Vec::with_capacity(layout.len());
    let mut dofs = Vec::new();
    for (at, &(kind, joint)) in layout.coordinates.iter().enumerate() {
        let spread = ColumnMoments::of(tables, at);
        held.push(spread.mean);
        let word = match kind {
            DofKind::Turn { axis } => axis_words[joint][axis],
            _ => "",
        };
        let name = words::name(kind, &joints[joint].name, word);
        if !(spread.deviation.is_finite() && spread.mean.is_finite()) {
            return Err(ChartError::TooLarge { name });
        }
        let unit = if kind.is_angular() { 1.0 } else { body_height };
        let moves = if kind.is_rate() {
            spread.wander(tables, at)
        } else {
            spread.deviation
        };
        if settings.keep_still || moves > settings.still_floor(kind) * unit {
            dofs.push(Dof {
                name,
                kind,
                joint,
                part: parts[joint],
                mean: spread.mean,
                deviation: spread.deviation,
                scale: settings.scale_floor(kind).mul_add(unit, spread.deviation),
            });
        }
    }
    Ok((held, dofs))
}

struct ColumnMoments {
    mean: f64,
    deviation: f64,
}

impl ColumnMoments {
    fn of(tables: &[CoordinateTable], at: usize) -> Self {
        let n = tables.iter().map(|t| t.n_frames).sum::<usize>() as f64;
        let all = || tables.iter().flat_map(|t| t.column(at));
        let mean = all().map(|x| x / n).sum::<f64>();
        let variance = all().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
        Self {
            mean,
            deviation: variance.sqrt(),
        }
    }

    /// The largest drift if a rate is held at its mean: small errors of a speed add up to long distances.
    fn wander(&self, tables: &[CoordinateTable], at: usize) -> f64 {
        let mut furthest: f64 = 0.0;
        for table in tables {
            let mut off = 0.0;
            for rate in table.column(at).skip(1) {
                off += (rate - self.mean) * table.frame_secs;
                furthest = furthest.max(f64::abs(off));
            }
        }
        furthest
    }
}
