//! What a BVH file must hold so that nothing of a clip is lost: channels, and decimals.
//!
//! A file keeps the channels of its source where they suffice. A joint that moves in ways for which the source has no
//! channels (a knee with one rotation that was turned sideways, a root that now travels) gets the missing ones.

use super::names::listed;
use crate::file::decimal::Decimal;
use crate::motion::{
    Channel, Channels, Clip, Dim, Note, NoteKind, Quat, RotationOrder, Skeleton, Vec3, rotation,
};

/// How much of a clip a file may lose.
#[derive(Debug, Clone, Copy)]
pub(super) struct WriteTolerance {
    /// Two rotations closer than this (in quaternion coordinates) are one.
    rotation: f64,
    /// Two places closer than this are one.
    place: f64,
    /// Joints may move by this through all roundings of angles together, and again through those of lengths.
    joints: f64,
    /// Whether joints without channels get three rotations, all zero, and a root that stays in its place gets that place
    /// as positions. Some programs refuse `CHANNELS 0`, others a joint without a CHANNELS line, and some take the first
    /// three numbers of a row for the root's place whatever they are; all of them read this.
    is_for_any_program: bool,
}

impl WriteTolerance {
    /// For exchange: as few digits as keep every joint visibly in its place.
    pub(super) const SMALL: Self = Self {
        // Far below what a file spells out, and a tenth of its last digit.
        rotation: 1e-9,
        place: 1e-7,
        joints: 4e-6,
        is_for_any_program: true,
    };
    /// For keeping: little more than the rounding of doubles.
    pub(super) const TINY: Self = Self {
        rotation: 1e-13,
        place: 0.0,
        joints: 0.0,
        is_for_any_program: false,
    };
}

/// How a clip is put into columns.
pub(super) struct WritePlan {
    /// Channels of each joint, in the skeleton's order.
    pub(super) channels: Vec<Channels>,
    /// What the file says instead of the root's offset: where position channels do not replace it, the root's place.
    pub(super) root_offset: Vec3,
    /// For offsets and positions.
    pub(super) length: Decimal,
    /// For angles in degrees; finer for skeletons that are large in their units.
    pub(super) angle: Decimal,
    /// Joints that got more channels than their source had.
    pub(super) note: Option<Note>,
}

impl WritePlan {
    /// The channels of the source, widened where needed, or one order everywhere.
    pub(super) fn of(clip: &Clip, settings: &WriteSettings, loss: WriteTolerance) -> Self {
        let joints = clip.skeleton().joints();
        let order = settings.order;
        let mut channels: Vec<Channels> = match order {
            Some(order) => uniform(clip.skeleton(), order),
            None => (0..joints.len()).map(|j| widened(clip, j, loss)).collect(),
        };
        if channels.iter().all(Channels::is_empty) {
            // Rows without a number are no rows: a reader could not count the frames.
            channels[0] = Channels::position_and_rotation(RotationOrder::ZXY);
        }
        let wider: Vec<String> = joints
            .iter()
            .zip(&channels)
            .filter(|(joint, now)| order.is_none() && joint.channels != **now)
            .map(|(joint, _)| joint.name.clone())
            .collect();
        let note = (!wider.is_empty()).then(|| {
            let text = format!(
                "joints with more channels than in the source, which had none for their motion: {}",
                listed(&wider)
            );
            Note::new(NoteKind::Noticed, text)
        });
        if settings.whole_channels {
            for all in &mut channels {
                if all.has_position() {
                    *all = with_positions(all);
                }
                if all.rotations().count() > 0 {
                    *all = with_rotations(all);
                }
            }
        }
        if loss.is_for_any_program {
            if !channels[0].has_position() {
                channels[0] = with_positions(&channels[0]);
            }
            let turning = channels.iter().find(|c| c.rotations().count() > 0);
            let order = turning.map_or(RotationOrder::ZXY, Channels::rotation_order);
            for still in channels.iter_mut().filter(|c| c.is_empty()) {
                *still = Channels::rotation(order);
            }
        }
        let mut root_offset = clip.frame(0).root();
        for dim in channels[0].positions() {
            root_offset[dim.index()] = 0.0;
        }
        let (length, angle) = decimals(clip, &channels, loss.joints);
        Self {
            channels,
            root_offset,
            length,
            angle,
            note,
        }
    }
}

/// Every joint turns in the same order; the root, and joints that have positions, list the positions first.
fn uniform(skeleton: &Skeleton, order: RotationOrder) -> Vec<Channels> {
    (0..skeleton.n_joints())
        .map(|joint| match skeleton.translation_slot(joint) {
            Some(_) => Channels::position_and_rotation(order),
            None => Channels::rotation(order),
        })
        .collect()
}

fn widened(clip: &Clip, joint: usize, loss: WriteTolerance) -> Channels {
    let mut channels = clip.skeleton().joints()[joint].channels;
    if !positions_suffice(clip, joint, loss.place) {
        channels = with_positions(&channels);
    }
    let few = RotationChannels::of(&channels);
    let rotations_suffice = match few {
        RotationChannels::Three(_) => true,
        _ => clip
            .frames()
            .all(|f| few.can_make(&f.rotations[joint], loss.rotation)),
    };
    if rotations_suffice {
        channels
    } else {
        with_rotations(&channels)
    }
}

/// All three positions, the missing ones after those that are there. Never one or two: not all programs read these
/// alike.
fn with_positions(channels: &Channels) -> Channels {
    let mut list = channels.as_slice().to_vec();
    let last = list.iter().rposition(|c| matches!(c, Channel::Position(_)));
    let after = last.map_or(0, |last| last + 1);
    let mut missing = Dim::ALL.map(Channel::Position).to_vec();
    missing.retain(|c| !list.contains(c));
    list.splice(after..after, missing);
    Channels::new(&list).expect("only channels that were missing were added")
}

/// All three rotations. The order of a joint with fewer lists the others last, so they can be added at the end.
fn with_rotations(channels: &Channels) -> Channels {
    let mut list = channels.as_slice().to_vec();
    let mut missing = channels
        .rotation_order()
        .dims()
        .map(Channel::Rotation)
        .to_vec();
    missing.retain(|c| !list.contains(c));
    list.extend(missing);
    Channels::new(&list).expect("only channels that were missing were added")
}

/// Whether a joint leaves its place only along axes for which the source has channels.
fn positions_suffice(clip: &Clip, joint: usize, same_place: f64) -> bool {
    let skeleton = clip.skeleton();
    let Some(slot) = skeleton.translation_slot(joint) else {
        return true;
    };
    let source = &skeleton.joints()[joint];
    // The file's offset of the root is free to hold any fixed place; that of other joints is the rest pose.
    let place = if joint == 0 {
        clip.frame(0).root()
    } else {
        source.offset
    };
    let stays = |dim: Dim| {
        let d = dim.index();
        clip.frames()
            .all(|f| (f.translations[slot][d] - place[d]).abs() <= same_place)
    };
    let has_channel = |dim| source.channels.positions().any(|d| d == dim);
    Dim::ALL
        .into_iter()
        .all(|dim| has_channel(dim) || stays(dim))
}

/// The turns that the rotation channels of a joint can make.
#[derive(Debug, Clone, Copy)]
pub(super) enum RotationChannels {
    None,
    One(Dim),
    Two(Dim, Dim),
    Three(RotationOrder),
}

impl RotationChannels {
    pub(super) fn of(channels: &Channels) -> Self {
        let mut dims = channels.rotations();
        match (dims.next(), dims.next(), dims.next()) {
            (None, ..) => Self::None,
            (Some(only), None, _) => Self::One(only),
            (Some(first), Some(second), None) => Self::Two(first, second),
            _ => Self::Three(channels.rotation_order()),
        }
    }

    /// The angles of the channels in their order, nearest to `near_rad`.
    pub(super) fn angles_rad(self, q: &Quat, near_rad: [f64; 3]) -> [f64; 3] {
        let few = match self {
            Self::Three(order) => return rotation::to_euler(order, q, near_rad),
            Self::None => [0.0; 3],
            Self::One(dim) => [2.0 * q.coords[dim.index()].atan2(q.w), 0.0, 0.0],
            Self::Two(i, j) => two_angles_rad(i, j, q),
        };
        std::array::from_fn(|a| near_rad[a] + rotation::wrap(few[a] - near_rad[a]))
    }

    fn can_make(self, q: &Quat, same_rotation: f64) -> bool {
        let [a, b, c] = self.angles_rad(q, [0.0; 3]);
        let made = match self {
            Self::None => Quat::identity(),
            Self::One(i) => rotation::about(i, a),
            Self::Two(i, j) => rotation::about(i, a) * rotation::about(j, b),
            Self::Three(order) => rotation::from_euler(order, [a, b, c]),
        };
        let apart = (made.coords - q.coords).norm();
        apart.min((made.coords + q.coords).norm()) < same_rotation
    }
}

/// The two angles of `q = about(i, a) about(j, b)`; unlike three angles they have no gimbal lock.
///
/// With s, c the sines and cosines of the half angles, `q` is `ca cb + sa cb i + ca sb j + sa sb ij`, so that `ca : sa`
/// can be read from either pair: from the longer one.
fn two_angles_rad(i: Dim, j: Dim, q: &Quat) -> [f64; 3] {
    let (i, j) = (i.index(), j.index());
    let sign = if (i + 1) % 3 == j { 1.0 } else { -1.0 };
    let (w, x) = (q.w, q.coords[i]);
    let (y, z) = (q.coords[j], sign * q.coords[3 - i - j]);
    let half_a = if w.hypot(x) >= y.hypot(z) {
        x.atan2(w)
    } else {
        z.atan2(y)
    };
    let (sin, cos) = half_a.sin_cos();
    let half_b = (y * cos + z * sin).atan2(w * cos + x * sin);
    [2.0 * half_a, 2.0 * half_b, 0.0]
}

/// Decimals for lengths and for angles, so that no joint moves by more than is promised.
fn decimals(clip: &Clip, channels: &[Channels], lost_at_most: f64) -> (Decimal, Decimal) {
    if lost_at_most == 0.0 {
        // Also where no bone is long enough for a rotation to move anything.
        let most = Decimal::new(Decimal::MOST);
        return (most, most);
    }
    let skeleton = clip.skeleton();
    let joints = skeleton.joints();
    let longest_bones = longest_bones(clip);
    // How far the farthest tip below a joint can be from it.
    let mut reach = vec![0.0_f64; joints.len()];
    for end in skeleton.ends() {
        reach[end.joint] = reach[end.joint].max(end.offset.norm());
    }
    for joint in (1..joints.len()).rev() {
        let parent = joints[joint].parent.expect("only the root has no parent");
        reach[parent] = reach[parent].max(longest_bones[joint] + reach[joint]);
    }
    // Added up along each chain: every angle swings all that is below, every length shifts it.
    let mut swings = vec![0.0_f64; joints.len()];
    let mut depths = vec![2_usize; joints.len()];
    for joint in 0..joints.len() {
        let n_angles = channels[joint].rotations().count();
        swings[joint] = n_angles as f64 * reach[joint];
        if let Some(parent) = joints[joint].parent {
            swings[joint] += swings[parent];
            depths[joint] = depths[parent] + 1;
        }
    }
    let swing = swings.into_iter().fold(0.0, f64::max);
    let deepest = depths.into_iter().max().unwrap_or(1) as f64;
    let half_step = 0.5;
    (
        Decimal::keeping(deepest * half_step * 3_f64.sqrt(), lost_at_most),
        Decimal::keeping(swing * half_step.to_radians(), lost_at_most),
    )
}

/// The distance of each joint from its parent, where it is longest.
fn longest_bones(clip: &Clip) -> Vec<f64> {
    let skeleton = clip.skeleton();
    let mut longest: Vec<f64> = skeleton.joints().iter().map(|j| j.offset.norm()).collect();
    for pose in clip.frames() {
        for (&joint, place) in skeleton.translating().iter().zip(pose.translations) {
            longest[joint] = longest[joint].max(place.norm());
        }
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_angles_are_found_again_also_at_a_right_angle() {
        for i in Dim::ALL {
            for j in Dim::ALL.into_iter().filter(|&j| j != i) {
                for a in -12..=12 {
                    for b in -12..=12 {
                        let (a, b) = (f64::from(a).to_radians() * 15.0, f64::from(b) * 0.26);
                        let q = rotation::about(i, a) * rotation::about(j, b);
                        let turns = RotationChannels::Two(i, j);
                        assert!(turns.can_make(&q, 1e-9), "{i:?} {j:?} {a} {b}");
                        let found = turns.angles_rad(&q, [a + 0.1, b - 0.1, 0.0]);
                        let error = (found[0] - a).abs() + (found[1] - b).abs();
                        assert!(error < 1e-12, "{i:?} {j:?} {a} {b}: {found:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_turn_about_a_missing_axis_is_noticed() {
        let q = rotation::about(Dim::X, 1.0) * rotation::about(Dim::Y, 1e-6);
        assert!(
            !RotationChannels::None.can_make(&rotation::about(Dim::X, 1e-6), 1e-9),
            "none"
        );
        assert!(!RotationChannels::One(Dim::X).can_make(&q, 1e-9), "one");
        assert!(
            RotationChannels::Two(Dim::X, Dim::Y).can_make(&q, 1e-9),
            "two"
        );
        assert!(
            !RotationChannels::Two(Dim::X, Dim::Z).can_make(&q, 1e-9),
            "the wrong two"
        );
        assert!(
            RotationChannels::None.can_make(&rotation::about(Dim::X, std::f64::consts::TAU), 1e-9),
            "a whole turn"
        );
    }
}

/// How a BVH file is written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WriteSettings {
    /// `None` keeps the channels of the source, joint by joint. An order gives every joint three rotations in it; the
    /// root and joints with positions of their own get these first.
    pub order: Option<RotationOrder>,
    /// All three rotations or positions for joints that have one or two of them in the source. Blender cannot open a
    /// joint with one or two rotations, and puts one with a single position channel in the wrong place.
    pub whole_channels: bool,
    /// Only ASCII letters, digits and `_` in names, none twice. Otherwise names stay as they are, except for blanks
    /// and braces, which would break most readers.
    pub safe_names: bool,
}
