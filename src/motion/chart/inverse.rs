//! From rows of coordinates back to poses, one frame at a time or a whole clip.

use super::layout::{ChartLayout, LEAN_AT};
use super::{ChartError, ChartParts, Start};
use crate::motion::heading::{forward, left, turn};
use crate::motion::rotation::wrap;
use crate::motion::{Pose, Quat, Vec3};

/// Where a body is on its way, between one frame and the next. Begin with [`Self::begin`] and hand the same one to
/// [`super::DofChart::pose_at`] for every frame: a stream has no end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RootState {
    /// World position of the body's root; its height counts for nothing.
    pub position: Vec3,
    /// Radians about up, within half a turn.
    pub heading_rad: f64,
    /// Time from one frame to the next.
    pub frame_secs: f64,
    /// Whether the first frame, which is where it starts, has been made.
    pub has_begun: bool,
}

impl RootState {
    /// Before the first frame.
    pub fn begin(start: &Start, frame_secs: f64) -> Self {
        Self {
            position: start.position,
            heading_rad: start.heading_rad,
            frame_secs,
            has_begun: false,
        }
    }

    /// One frame on, by the rates of that frame.
    fn advance(&mut self, up: crate::motion::Axis, rates: [f64; 3]) {
        if self.has_begun {
            let [ahead, across, turning] = rates;
            let turned = turning * self.frame_secs;
            let seen = forward(up) * ahead + left(up) * across;
            let moved = turn(up, 0.5f64.mul_add(turned, self.heading_rad)) * seen;
            self.position += moved * self.frame_secs;
            // Kept small, so that hours of turning lose no digits.
            self.heading_rad = wrap(self.heading_rad + turned);
        }
        self.has_begun = true;
    }
}

/// A row, completed by what is held still.
pub(super) struct Complete<'a> {
    pub(super) row: &'a [f64],
    pub(super) sources: &'a [Option<usize>],
    pub(super) held: &'a [f64],
}

impl Complete<'_> {
    fn get(&self, at: usize) -> f64 {
        match self.sources[at] {
            Some(dof) => self.row[dof],
            None => self.held[at],
        }
    }

    fn triple(&self, at: usize) -> Vec3 {
        Vec3::new(self.get(at), self.get(at + 1), self.get(at + 2))
    }
}

/// Writes one frame's coordinates into a pose and moves the root on.
pub(super) fn decode(
    parts: &ChartParts,
    layout: &ChartLayout,
    values: &Complete<'_>,
    state: &mut RootState,
    pose: &mut Pose,
) {
    let skeleton = &parts.skeleton;
    for (joint, axes) in parts.joints.iter().enumerate() {
        let vector = axes.chart.vector_of(&values.triple(layout.turns_at[joint]));
        pose.rotations[joint] = axes.chart.rotation(vector);
    }
    for (slot, &joint) in skeleton.translating().iter().enumerate() {
        if let Some(at) = layout.shifts_at[joint] {
            pose.translations[slot] = values.triple(at);
        }
    }
    for limb in &layout.limbs {
        let axes = &parts.joints[limb.upper];
        let vector = axes
            .chart
            .vector_of(&values.triple(layout.turns_at[limb.upper]));
        pose.rotations[limb.upper] = limb.put_back(skeleton, pose.as_ref(), &vector, axes);
    }
    let up = parts.heading.up;
    state.advance(up, [values.get(0), values.get(1), values.get(2)]);
    let height = values.get(3);
    state.position += up.vector() * (height - up.along(&state.position));
    let root = &parts.joints[parts.heading.root].chart;
    let lean = root.vector_of(&values.triple(LEAN_AT));
    let world_from_root =
        turn(up, state.heading_rad) * Quat::from_scaled_axis(lean) * parts.heading.upright;
    place_root(parts, &state.position, &world_from_root, pose);
}

/// Puts the body's root where it shall be in the world, whatever stands above it.
fn place_root(parts: &ChartParts, position: &Vec3, world_from_root: &Quat, pose: &mut Pose) {
    let skeleton = &parts.skeleton;
    let root = parts.heading.root;
    let mut above_from_joint = Vec3::zeros();
    let mut rotation_above = Quat::identity();
    // From the joint above the root upwards: the frame there, seen from ever further out.
    for joint in skeleton.ancestors(root).skip(1) {
        let local = match skeleton.translation_slot(joint) {
            Some(slot) => pose.translations[slot],
            None => skeleton.joints()[joint].offset,
        };
        above_from_joint = local + pose.rotations[joint] * above_from_joint;
        rotation_above = pose.rotations[joint] * rotation_above;
    }
    pose.rotations[root] = rotation_above.inverse() * world_from_root;
    if let Some(slot) = skeleton.translation_slot(root) {
        pose.translations[slot] = rotation_above.inverse() * (position - above_from_joint);
    } else {
        // It cannot move by itself: the skeleton's root, which always can, carries it there.
        let is_now = above_from_joint + rotation_above * skeleton.joints()[root].offset;
        pose.translations[0] += position - is_now;
    }
}

/// Numbers that cannot be a pose.
pub(super) fn check_row(parts: &ChartParts, frame: usize, row: &[f64]) -> Result<(), ChartError> {
    if row.len() != parts.dofs.len() {
        return Err(ChartError::Width {
            expected: parts.dofs.len(),
            found: row.len(),
        });
    }
    match row.iter().position(|x| !x.is_finite()) {
        Some(dof) => Err(ChartError::NotFinite {
            frame,
            name: parts.dofs[dof].name.clone(),
        }),
        None => Ok(()),
    }
}
