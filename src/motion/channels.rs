//! Which numbers a file holds for a joint, and in which order.

use super::Dim;

/// One animated number of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Channel {
    /// A coordinate of the joint in its parent's space.
    Position(Dim),
    /// An angle about an axis of the joint.
    Rotation(Dim),
}

impl Channel {
    /// All six, positions first.
    pub const ALL: [Self; 6] = [
        Self::Position(Dim::X),
        Self::Position(Dim::Y),
        Self::Position(Dim::Z),
        Self::Rotation(Dim::X),
        Self::Rotation(Dim::Y),
        Self::Rotation(Dim::Z),
    ];
}

/// The channels of one joint as its file lists them: none to six, each at most once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Channels {
    list: [Channel; 6],
    len: u8,
}

impl Channels {
    /// A joint that never moves.
    pub const NONE: Self = Self {
        list: Channel::ALL,
        len: 0,
    };

    /// `None` if a channel is listed twice.
    pub fn new(channels: &[Channel]) -> Option<Self> {
        let mut all = Self::NONE;
        for &channel in channels {
            if all.as_slice().contains(&channel) {
                return None;
            }
            all.list[usize::from(all.len)] = channel;
            all.len += 1;
        }
        // Slots past `len` keep a fixed content, so that equality compares only what is listed.
        for (slot, rest) in all.list.iter_mut().zip(Channel::ALL).skip(channels.len()) {
            *slot = rest;
        }
        Some(all)
    }

    /// Three rotations in this order.
    pub fn rotation(order: RotationOrder) -> Self {
        let list = order.0.map(Channel::Rotation);
        Self::new(&list).expect("an order names each axis once")
    }

    /// Three positions, then three rotations in this order.
    pub fn position_and_rotation(order: RotationOrder) -> Self {
        let [x, y, z] = Dim::ALL.map(Channel::Position);
        let [a, b, c] = order.0.map(Channel::Rotation);
        Self::new(&[x, y, z, a, b, c]).expect("an order names each axis once")
    }

    /// In the file's order.
    pub fn as_slice(&self) -> &[Channel] {
        &self.list[..usize::from(self.len)]
    }

    /// The number of channels.
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there is no channel: the joint never moves.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether the joint has a position of its own, instead of its offset.
    pub fn has_position(&self) -> bool {
        self.positions().next().is_some()
    }

    /// The position axes in the file's order.
    pub fn positions(&self) -> impl Iterator<Item = Dim> + '_ {
        self.as_slice().iter().filter_map(|c| match c {
            Channel::Position(dim) => Some(*dim),
            Channel::Rotation(_) => None,
        })
    }

    /// The rotation axes in the file's order.
    pub fn rotations(&self) -> impl Iterator<Item = Dim> + '_ {
        self.as_slice().iter().filter_map(|c| match c {
            Channel::Rotation(dim) => Some(*dim),
            Channel::Position(_) => None,
        })
    }

    /// The order of the rotations; axes that are not listed come last, so that a joint with one or two rotations
    /// (a knee) has an order too. A joint with none gets the usual one.
    pub fn rotation_order(&self) -> RotationOrder {
        let mut dims: Vec<Dim> = self.rotations().collect();
        if dims.is_empty() {
            return RotationOrder::ZXY;
        }
        for dim in Dim::ALL {
            if !dims.contains(&dim) {
                dims.push(dim);
            }
        }
        RotationOrder([dims[0], dims[1], dims[2]])
    }
}

/// The order in which the three angles of a joint are multiplied: `ZXY` means `R = Rz Rx Ry`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RotationOrder([Dim; 3]);

impl RotationOrder {
    /// The order that most exporters write.
    pub const ZXY: Self = Self([Dim::Z, Dim::X, Dim::Y]);
    /// What Maya and `MotionBuilder` show as XYZ: x is applied first, so it stands last in the file.
    pub const ZYX: Self = Self([Dim::Z, Dim::Y, Dim::X]);
    /// The order that Blender writes by default.
    pub const XYZ: Self = Self([Dim::X, Dim::Y, Dim::Z]);

    /// The axes, first factor first.
    pub const fn dims(self) -> [Dim; 3] {
        self.0
    }

    /// All six orders of three distinct axes.
    pub const ALL: [Self; 6] = [
        Self::XYZ,
        Self([Dim::X, Dim::Z, Dim::Y]),
        Self([Dim::Y, Dim::X, Dim::Z]),
        Self([Dim::Y, Dim::Z, Dim::X]),
        Self::ZXY,
        Self::ZYX,
    ];
}

impl std::fmt::Display for RotationOrder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|d| write!(f, "{}", d.letter()))
    }
}

/// The text is not a rotation order.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a rotation order such as zxy, found \"{0}\"")]
pub struct NotARotationOrder(pub String);

impl std::str::FromStr for RotationOrder {
    type Err = NotARotationOrder;

    fn from_str(text: &str) -> Result<Self, NotARotationOrder> {
        Self::ALL
            .into_iter()
            .find(|order| order.to_string().eq_ignore_ascii_case(text))
            .ok_or_else(|| NotARotationOrder(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_channel_may_be_listed_once() {
        let x = Channel::Rotation(Dim::X);
        assert_eq!(Channels::new(&[x, x]), None);
        assert_eq!(Channels::new(&[]), Some(Channels::NONE));
        let knee = Channels::new(&[x]).unwrap();
        assert_eq!(knee.rotation_order(), RotationOrder::XYZ);
        assert!(!knee.has_position(), "a knee only turns");
    }

    #[test]
    fn orders_are_read_as_they_are_shown() {
        for order in RotationOrder::ALL {
            assert_eq!(order.to_string().parse(), Ok(order));
            assert_eq!(Channels::rotation(order).rotation_order(), order);
        }
        "zzx".parse::<RotationOrder>().unwrap_err();
    }
}
