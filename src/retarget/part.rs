//! The parts of a body that skeletons of all programs share.

/// A main joint, whatever it is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Carries legs and spine.
    Hips,
    /// From above the hips to the joint that carries arms and neck.
    Spine,
    /// From above the chest to below the head.
    Neck,
    /// The head, whose joint carries the skull.
    Head,
    /// The collar bone, between chest and upper arm.
    Clavicle,
    /// Turns at the shoulder.
    UpperArm,
    /// Turns at the elbow.
    Forearm,
    /// Turns at the wrist.
    Hand,
    /// Turns at the hip.
    Thigh,
    /// Turns at the knee.
    Calf,
    /// Turns at the ankle.
    Foot,
    /// Turns at the ball of the foot.
    Toe,
}

impl Part {
    /// Whether a rig without it is not the one that a preset describes.
    pub(super) const fn is_required(self) -> bool {
        !matches!(self, Self::Neck | Self::Toe | Self::Clavicle)
    }
}
