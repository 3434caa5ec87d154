//! Limbs by the line from hip to ankle, or from shoulder to wrist.
//!
//! Where a limb is straight, nothing tells which way its knee points: captures turn thigh and shin about the line
//! between the ends of the limb by half a radian within a frame or two, and the foot back. In a take that cancels; in
//! a mean of takes, or in what is drawn joint by joint, it does not, and feet and hands shake in space. So with
//! [`super::ChartSettings::limb_lines`] the first joint of a limb tells where the line to its last joint points
//! (*swing*), and how far the limb is turned about that line (*twist*), apart from each other. Where ankle and wrist
//! are then depends on swing and on the knee alone. The way back is exact.
//!
//! Tried and left out: to tell the turn of foot and hand as if the limb were not turned about its line. Wrists of many
//! captures do not turn by themselves at all, and got up to ten times the spread of real ones.

use crate::motion::rotation::{align, twist};
use crate::motion::{Body, Clip, PoseRef, Quat, Skeleton, Vec3};

use super::JointAxes;

/// A limb of three joints, each the child of the one before.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LimbLine {
    pub(super) upper: usize,
    pub(super) middle: usize,
    pub(super) end: usize,
    /// Along its first bone.
    pub(super) bone: Vec3,
}

/// Limbs that can be measured by their line.
pub(super) fn limb_lines(skeleton: &Skeleton) -> Vec<LimbLine> {
    let body = Body::of(skeleton);
    let joints = skeleton.joints();
    let line = |upper: usize, middle: usize, end: usize| {
        let is_chain = joints[middle].parent == Some(upper) && joints[end].parent == Some(middle);
        let bone = joints[middle].offset.try_normalize(1e-9)?;
        is_chain.then_some(LimbLine {
            upper,
            middle,
            end,
            bone,
        })
    };
    let limbs = body.arms.iter().chain(&body.legs);
    limbs
        .filter_map(|limb| line(limb.upper, limb.middle, limb.end))
        .collect()
}

impl LimbLine {
    /// The rotation that takes the first bone to the line, as the first joint sees it.
    fn bent(&self, skeleton: &Skeleton, pose: PoseRef<'_>) -> Quat {
        let local = |joint: usize| match skeleton.translation_slot(joint) {
            Some(slot) => pose.translations[slot],
            None => skeleton.joints()[joint].offset,
        };
        let line = local(self.middle) + pose.rotations[self.middle] * local(self.end);
        line.try_normalize(1e-12)
            .map_or_else(Quat::identity, |line| align(&self.bone, &line))
    }

    /// How the line is turned, as the parent of the limb sees it.
    pub(super) fn line(&self, skeleton: &Skeleton, pose: PoseRef<'_>) -> Quat {
        pose.rotations[self.upper] * self.bent(skeleton, pose)
    }

    /// Swing and twist of every frame, from the mean of the line; twists go on past half a turn, near to the centre.
    pub(super) fn vectors(&self, clip: &Clip, axes: &JointAxes) -> Vec<Vec3> {
        use std::f64::consts::TAU;
        let from_mean = axes.chart.mean.inverse();
        let mut before = axes.centre.dot(&self.bone);
        let mut vectors: Vec<Vec3> = Vec::with_capacity(clip.n_frames());
        for pose in clip.frames() {
            let off = from_mean * self.line(clip.skeleton(), pose);
            let swing = align(&self.bone, &(off * self.bone));
            let about = twist(&(swing.inverse() * off), &self.bone).0;
            before = about + TAU * ((before - about) / TAU).round();
            vectors.push(swing.scaled_axis() + self.bone * before);
        }
        let mean = vectors.iter().map(|v| v.dot(&self.bone)).sum::<f64>() / vectors.len() as f64;
        let turns = ((axes.centre.dot(&self.bone) - mean) / TAU).round();
        for vector in &mut vectors {
            *vector += self.bone * (TAU * turns);
        }
        vectors
    }

    /// Undoes [`Self::vectors`] for one frame: how the line is turned.
    pub(super) fn turned(&self, vector: &Vec3, axes: &JointAxes) -> Quat {
        let about = self.bone * vector.dot(&self.bone);
        axes.chart.mean * Quat::from_scaled_axis(vector - about) * Quat::from_scaled_axis(about)
    }

    /// The first joint of a pose whose middle joint is known.
    pub(super) fn put_back(
        &self,
        skeleton: &Skeleton,
        pose: PoseRef<'_>,
        vector: &Vec3,
        axes: &JointAxes,
    ) -> Quat {
        self.turned(vector, axes) * self.bent(skeleton, pose).inverse()
    }
}
