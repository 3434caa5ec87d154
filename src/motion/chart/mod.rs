//! The coordinates that all models learn on: a clip as named curves that can be added, averaged and compared.
//!
//! Euler channels wrap, lock and say where on the stage a take was shot. A chart, learned from clips on one skeleton,
//! turns a clip into curves without these faults, and curves back into a clip:
//!
//! - **Joints**: the rotation vector from the joint's mean rotation over all inputs, turned into the joint's principal
//!   axes ([`Axes::Principal`]), so that a knee whose axis lies askew in its file is one curve, "bend", and not three.
//!   Curves go on past half a turn from the mean instead of jumping; `branch.rs` says how takes are kept comparable
//!   there. Their steps are those of the joint, at most stretched by (a/2) / sin(a/2) at an angle a from the mean:
//!   1.1 at a quarter turn, 1.6 at half a turn, and never more than threefold but where a joint leaps or a body
//!   turns all the way over.
//! - **Limbs**, on request ([`ChartSettings::limb_lines`]), by the line between their ends, so that hands and feet
//!   stay where they are in the mean of takes whose knees point elsewhere.
//! - **The body's root** ([`HeadingFrame`](super::HeadingFrame)): speed over the ground as seen by the body, turn
//!   rate, height, and how far it leans. Where a take begins is kept apart ([`Start`]), so that walking the same way
//!   elsewhere gives the same curves.
//! - **Other joints with a translation of their own**: their place, in the parent's space.
//! - **What does not move is left out** and held at its mean: hip joints of a CMU file, the rounding of its fingers.
//!   The way back is exact but for these ([`ChartSettings`] has the bounds), and exact with
//!   [`ChartSettings::keep_still`].
//!
//! Every frame counts the same, so a clip with more frames per second weighs more: resample first if that matters.
//! Left out: limits of joints, feet on the ground, bone lengths (the way back makes clips on the first input's bones).

mod branch;
mod curves;
mod dof;
mod encode;
mod error;
mod inverse;
mod layout;
mod learn;
mod limbs;
mod parts;
mod settings;
mod words;

use std::sync::Arc;

use super::{Clip, ClipInfo, Motion, Pose, Skeleton, body};
use encode::{CoordinateTable, encode};
use error::check_fits;
use layout::ChartLayout;

pub use curves::{Curves, Start};
pub use dof::{BodyPart, Dof, DofKind, Region, body_parts};
pub use error::ChartError;
pub use inverse::RootState;
pub use parts::{ChartParts, JointAxes};
pub use settings::{Axes, ChartSettings};

/// Turns clips into curves and back; see the module's page.
#[derive(Debug, Clone, PartialEq)]
pub struct DofChart {
    parts: ChartParts,
    layout: ChartLayout,
    /// For every coordinate its place among the degrees of freedom, if it moves.
    sources: Vec<Option<usize>>,
}

impl DofChart {
    /// A chart as it was, after checking that its parts fit together.
    pub fn from_parts(parts: ChartParts) -> Result<Self, ChartError> {
        parts.settings.check()?;
        if parts.heading.root >= parts.skeleton.n_joints() {
            return Err(ChartError::Parts("the body's root is not a joint"));
        }
        let layout = ChartLayout::new(
            &parts.skeleton,
            parts.heading.root,
            parts.settings.limb_lines,
        );
        if parts.joints.len() != parts.skeleton.n_joints() {
            return Err(ChartError::Parts("there must be axes for every joint"));
        }
        if parts.held.len() != layout.len() || parts.held.iter().any(|x| !x.is_finite()) {
            return Err(ChartError::Parts(
                "there must be a mean for every coordinate",
            ));
        }
        if !parts.joints.iter().all(|j| j.chart.is_valid()) {
            return Err(ChartError::Parts("axes must stand at right angles"));
        }
        let is_scale = |dof: &Dof| dof.scale > 0.0 && dof.scale.is_finite() && dof.mean.is_finite();
        if !parts.dofs.iter().all(is_scale) {
            return Err(ChartError::Parts("scales must be positive numbers"));
        }
        let mut sources = vec![None; layout.len()];
        let mut at = 0;
        for (dof, wanted) in parts.dofs.iter().enumerate() {
            let place = layout.coordinates[at..]
                .iter()
                .position(|c| *c == (wanted.kind, wanted.joint))
                .ok_or(ChartError::Parts(
                    "degrees of freedom must move what the skeleton has, in its order",
                ))?;
            at += place;
            sources[at] = Some(dof);
            at += 1;
        }
        Ok(Self {
            parts,
            layout,
            sources,
        })
    }

    /// The same degrees of freedom for another body: clips are made on the bones of this clip, what does not move is
    /// held as in this clip, and lengths count in proportion to the body, so that a taller one takes longer steps.
    pub fn on_body_of(&self, clip: &Clip) -> Result<Self, ChartError> {
        let mut parts = self.parts.clone();
        check_fits(&parts.skeleton, parts.heading.up, clip)?;
        let table = encode(&self.layout, &parts.heading, &parts.joints, clip);
        check_table(&table, &self.layout, clip)?;
        let n_frames = table.n_frames as f64;
        for (at, held) in parts.held.iter_mut().enumerate() {
            *held = table.column(at).sum::<f64>() / n_frames;
        }
        let taller = body::height(clip) / parts.body_height;
        for dof in &mut parts.dofs {
            if !dof.kind.is_angular() {
                dof.mean *= taller;
                dof.deviation *= taller;
                dof.scale *= taller;
            }
        }
        parts.body_height *= taller;
        parts.skeleton = Arc::clone(clip.skeleton());
        Self::from_parts(parts)
    }

    /// The same coordinates with some joints held at their mean.
    pub fn without_joints(mut self, joints: &[usize]) -> Self {
        if joints.is_empty() {
            return self;
        }
        self.parts.dofs.retain(|dof| !joints.contains(&dof.joint));
        for (source, (kind, joint)) in self.sources.iter_mut().zip(&self.layout.coordinates) {
            let found = self.parts.dofs.iter();
            *source = found
                .clone()
                .position(|dof| dof.kind == *kind && dof.joint == *joint);
        }
        self
    }

    /// All parts of the chart, for saving.
    pub fn parts(&self) -> &ChartParts {
        &self.parts
    }

    /// What moves: the columns of [`Curves`].
    pub fn dofs(&self) -> &[Dof] {
        &self.parts.dofs
    }

    /// The number of DOFs, which are columns of [`Curves`].
    pub fn n_dofs(&self) -> usize {
        self.parts.dofs.len()
    }

    /// The column of one degree of freedom, if it moves.
    pub fn find(&self, kind: DofKind, joint: usize) -> Option<usize> {
        self.dofs()
            .iter()
            .position(|dof| dof.kind == kind && dof.joint == joint)
    }

    /// The bones that [`Self::clip`] makes clips on.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.parts.skeleton
    }

    /// A clip as curves. It need not be one of the inputs; what does not move in those is not seen in this.
    pub fn curves(&self, clip: &Clip) -> Result<Curves, ChartError> {
        let parts = &self.parts;
        check_fits(&parts.skeleton, parts.heading.up, clip)?;
        let table = encode(&self.layout, &parts.heading, &parts.joints, clip);
        check_table(&table, &self.layout, clip)?;
        let moving: Vec<usize> = (0..self.sources.len())
            .filter(|&at| self.sources[at].is_some())
            .collect();
        let mut values = Vec::with_capacity(table.n_frames * moving.len());
        for row in table.values.chunks_exact(table.width) {
            values.extend(moving.iter().map(|&at| row[at]));
        }
        let size = (table.n_frames, moving.len());
        Curves::new(table.start, table.frame_secs, size, values)
    }

    /// Curves as a clip. Up is the chart's, whatever `info` says.
    pub fn clip(&self, curves: &Curves, mut info: ClipInfo) -> Result<Clip, ChartError> {
        info.up = self.parts.heading.up;
        let skeleton = &self.parts.skeleton;
        let mut motion = Motion::with_capacity(skeleton, curves.frame_secs, curves.n_frames());
        let mut state = RootState::begin(&curves.start, curves.frame_secs);
        let mut pose = Pose::rest(skeleton);
        for (frame, row) in curves.rows().enumerate() {
            inverse::check_row(&self.parts, frame, row)?;
            self.decode(row, &mut state, &mut pose);
            motion.push(pose.as_ref());
        }
        Ok(Clip::new(info, Arc::clone(skeleton), motion)?)
    }

    /// The next pose of a stream: one row, and where the body was before, which is moved on.
    pub fn pose_at(&self, row: &[f64], state: &mut RootState) -> Result<Pose, ChartError> {
        let mut pose = Pose::rest(&self.parts.skeleton);
        self.pose_into(row, state, &mut pose)?;
        Ok(pose)
    }

    /// [`Self::pose_at`] into a pose of the same skeleton that is there already: it allocates nothing.
    ///
    /// # Panics
    /// If the pose is of another skeleton.
    pub fn pose_into(
        &self,
        row: &[f64],
        state: &mut RootState,
        pose: &mut Pose,
    ) -> Result<(), ChartError> {
        inverse::check_row(&self.parts, 0, row)?;
        self.decode(row, state, pose);
        Ok(())
    }

    fn decode(&self, row: &[f64], state: &mut RootState, pose: &mut Pose) {
        let values = inverse::Complete {
            row,
            sources: &self.sources,
            held: &self.parts.held,
        };
        inverse::decode(&self.parts, &self.layout, &values, state, pose);
    }

    /// Every value of one or several rows in standard deviations from its mean.
    pub fn standardise(&self, values: &mut [f64]) {
        for row in values.chunks_mut(self.n_dofs().max(1)) {
            for (value, dof) in row.iter_mut().zip(self.dofs()) {
                *value = dof.standardise(*value);
            }
        }
    }

    /// Undoes [`Self::standardise`]: from standard deviations back to values.
    pub fn destandardise(&self, values: &mut [f64]) {
        for row in values.chunks_mut(self.n_dofs().max(1)) {
            for (value, dof) in row.iter_mut().zip(self.dofs()) {
                *value = dof.destandardise(*value);
            }
        }
    }
}

fn check_table(
    table: &CoordinateTable,
    layout: &ChartLayout,
    clip: &Clip,
) -> Result<(), ChartError> {
    let Some(at) = table.values.iter().position(|x| !x.is_finite()) else {
        return Ok(());
    };
    let (kind, joint) = layout.coordinates[at % table.width];
    Err(ChartError::NotFinite {
        frame: at / table.width,
        name: words::name(kind, &clip.skeleton().joints()[joint].name, "turn"),
    })
}
