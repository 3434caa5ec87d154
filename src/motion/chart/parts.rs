//! What a chart is put together from.

use std::sync::Arc;

use crate::motion::chart::dof::Dof;
use crate::motion::chart::settings::ChartSettings;
use crate::motion::joint_chart::JointChart;
use crate::motion::{HeadingFrame, Skeleton, Vec3};

/// How the rotations of one joint are measured.
#[derive(Debug, Clone, PartialEq)]
pub struct JointAxes {
    /// Mean rotation and axes. For the body's root no rotation, and axes in the world at heading zero: leans are
    /// measured from its usual hold.
    pub chart: JointChart,
    /// The rotation vector that takes past half a turn keep near to; zero for joints that stay nearer.
    pub centre: Vec3,
}

/// All that a chart knows, for saving and opening.
#[derive(Debug, Clone, PartialEq)]
pub struct ChartParts {
    /// The skeleton of the first clip.
    pub skeleton: Arc<Skeleton>,
    /// How it was learned.
    pub settings: ChartSettings,
    /// How position and heading are read.
    pub heading: HeadingFrame,
    /// Of the first input, in units of the file.
    pub body_height: f64,
    /// Mean rotation and principal axes of each joint.
    pub joints: Vec<JointAxes>,
    /// The mean of every coordinate, moving or not: four for the way, three for the lean, then for every joint but
    /// the body's root three turns and, if it translates, three shifts.
    pub held: Vec<f64>,
    /// Those that move, in the same order.
    pub dofs: Vec<Dof>,
}
