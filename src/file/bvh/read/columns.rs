//! From the numbers of a row to a pose.
//!
//! The layout of the channels is settled once. While a row is read, each number goes to its slot: three angles for each
//! joint in the order of multiplication, then three coordinates for each joint that translates. Slots without a channel
//! keep their zero angle or their offset, so that one straight loop serves joints with any number of channels.

use nalgebra::Quaternion;

use super::hierarchy::ChannelColumn;
use crate::motion::{Channel, Dim, Motion, Quat, Skeleton, Vec3};
use crate::numerics::trig;

/// Where the numbers of a row go.
#[derive(Debug)]
pub(super) struct ColumnPlan {
    /// For each column its slot in a row.
    pub(super) slots: Vec<u32>,
    turns: Vec<AngleProduct>,
    /// Slots at rest: zero angles, then offsets, then one slot for columns that are skipped.
    rest: Vec<f64>,
}

/// How the three angles of a joint are multiplied.
#[derive(Debug, Clone, Copy)]
struct AngleProduct {
    /// Which factor turns about x, y and z.
    factors: [u8; 3],
    /// 1 if the axes follow each other as x, y, z, x do; -1 if backwards.
    handed: f64,
}

impl ColumnPlan {
    pub(super) fn new(skeleton: &Skeleton, columns: &[ChannelColumn]) -> Self {
        let joints = skeleton.joints();
        let orders: Vec<_> = joints
            .iter()
            .map(|joint| joint.channels.rotation_order().dims())
            .collect();
        let n_angles = 3 * joints.len();
        let mut rest = vec![0.0; n_angles];
        for &joint in skeleton.translating() {
            rest.extend_from_slice(joints[joint].offset.as_slice());
        }
        let skipped = rest.len();
        rest.push(0.0);
        let slot = |column: &ChannelColumn| match *column {
            ChannelColumn::Skipped => skipped,
            ChannelColumn::Of { joint, channel } => match channel {
                Channel::Rotation(dim) => {
                    let nth = orders[joint].iter().position(|&d| d == dim);
                    3 * joint + nth.expect("an order names each axis")
                }
                Channel::Position(dim) => {
                    let nth = skeleton.translation_slot(joint);
                    n_angles + 3 * nth.expect("it has a position channel") + dim.index()
                }
            },
        };
        Self {
            slots: columns.iter().map(|c| slot(c) as u32).collect(),
            turns: orders.iter().copied().map(AngleProduct::new).collect(),
            rest,
        }
    }

    pub(super) fn n_columns(&self) -> usize {
        self.slots.len()
    }

    /// Whether this column is a coordinate, not an angle.
    pub(super) fn is_length(&self, column: usize) -> bool {
        let slot = self.slots[column] as usize;
        (3 * self.turns.len()..self.rest.len() - 1).contains(&slot)
    }
}

/// The numbers of one frame on their way from text to pose; kept from frame to frame.
#[derive(Debug)]
pub(super) struct FrameRow {
    /// The values in the order of [`ColumnPlan::slots`].
    pub(super) values: Vec<f64>,
    sin: Vec<f64>,
    cos: Vec<f64>,
}

impl FrameRow {
    pub(super) fn new(plan: &ColumnPlan) -> Self {
        let n_angles = 3 * plan.turns.len();
        Self {
            values: plan.rest.clone(),
            sin: vec![0.0; n_angles],
            cos: vec![0.0; n_angles],
        }
    }

    /// The largest coordinate, whichever way it points.
    pub(super) fn longest(&self) -> f64 {
        let lengths = &self.values[self.sin.len()..self.values.len() - 1];
        lengths.iter().fold(0.0, |longest, x| x.abs().max(longest))
    }

    /// One more frame of the motion.
    pub(super) fn push_to(&mut self, motion: &mut Motion, plan: &ColumnPlan) {
        let n_angles = self.sin.len();
        let (angles_deg, lengths) = self.values.split_at(n_angles);
        trig::half_angle_sin_cos_deg(angles_deg, &mut self.sin, &mut self.cos);
        let (sins, _) = self.sin.as_chunks::<3>();
        let (coss, _) = self.cos.as_chunks::<3>();
        let turns = plan.turns.iter().zip(sins).zip(coss);
        let rotations = turns.map(|((turn, &sin), &cos)| turn.rotation(sin, cos));
        motion.rotations.extend(rotations);
        let (places, _skipped) = lengths.as_chunks::<3>();
        let places = places.iter().map(|&xyz| Vec3::from(xyz));
        motion.translations.extend(places);
    }
}

impl AngleProduct {
    fn new(order: [Dim; 3]) -> Self {
        let mut factors = [0; 3];
        for (factor, dim) in order.iter().enumerate() {
            factors[dim.index()] = factor as u8;
        }
        let is_forward = (order[0].index() + 1) % 3 == order[1].index();
        Self {
            factors,
            handed: if is_forward { 1.0 } else { -1.0 },
        }
    }

    /// The product of three turns about axes, multiplied out: with `i j = k` or `-k`, sixteen products fall together
    /// into eight.
    #[inline]
    fn rotation(&self, [sa, sb, sc]: [f64; 3], [ca, cb, cc]: [f64; 3]) -> Quat {
        let e = self.handed;
        let w = ca * cb * cc - e * (sa * sb * sc);
        let about = [
            sa * cb * cc + e * (ca * sb * sc),
            ca * sb * cc - e * (sa * cb * sc),
            ca * cb * sc + e * (sa * sb * cc),
        ];
        let [x, y, z] = self.factors.map(|factor| about[usize::from(factor)]);
        Quat::new_unchecked(Quaternion::new(w, x, y, z))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::{RotationOrder, rotation};

    #[test]
    fn the_product_is_multiplied_out_right_in_every_order() {
        for order in RotationOrder::ALL {
            let turn = AngleProduct::new(order.dims());
            let angles = [0.7, -1.9, 2.4];
            let sin = angles.map(|a: f64| (0.5 * a).sin());
            let cos = angles.map(|a: f64| (0.5 * a).cos());
            let error = turn.rotation(sin, cos).coords - rotation::from_euler(order, angles).coords;
            assert!(error.norm() < 1e-15, "{order}: {error:?}");
        }
    }
}
