//! How a motion is brought onto another skeleton.

/// What becomes of feet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Feet {
    /// Brought to their scaled places, and locked while they are in contact.
    #[default]
    Lock,
    /// Wherever the turns of the legs take them.
    Free,
}

/// What becomes of hands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Hands {
    /// Wherever the turns of the arms take them.
    #[default]
    Free,
    /// Brought to their scaled places, for hands that meet each other, the floor or a prop.
    Lock,
}

/// How far the body travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Root {
    /// Scaled like the legs: steps fit, and feet stand.
    #[default]
    Scale,
    /// As far over the floor as the source, whatever the legs can do.
    Keep,
}

/// Which bone carries the travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RootMotion {
    /// The hips, or what carries them in skeletons where only the root may move.
    #[default]
    Hips,
    /// The root bone follows the hips over the floor and turns with the body; the hips move against it.
    RootBone,
    /// None: the body stays in place.
    InPlace,
}

/// How a motion is brought onto another skeleton.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RetargetSettings {
    /// What becomes of feet.
    pub feet: Feet,
    /// What becomes of hands.
    pub hands: Hands,
    /// How far the body travels.
    pub root: Root,
    /// Which bone carries the travel.
    pub root_motion: RootMotion,
}
