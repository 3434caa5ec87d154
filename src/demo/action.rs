//! The actions of the library: their names, their spread, and how many takes there are.

use super::recipes::{HOP_CM, JUMP_CM, THROW_CM};
use super::traits::Variation;

/// What is done in a clip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// One cycle of a comfortable walk, from left heel strike to left heel strike.
    Walk,
    /// One cycle of a walk with arms swung high: does not fit the other walks.
    WalkBigArms,
    /// One cycle of a walk in a curve to the left: does not fit.
    WalkLeft,
    /// One cycle of a walk in a curve to the right: does not fit.
    WalkRight,
    /// One cycle of a walk with a hurting right leg: does not fit.
    Limp,
    /// One cycle of an easy run.
    Jog,
    /// One cycle of a crouched walk on the balls of the feet.
    Sneak,
    /// Three hops on the left foot.
    Hop,
    /// Forward, from both feet to both feet.
    Jump,
    /// Both hands up, twice.
    Cheer,
    /// With the right hand.
    Wave,
    /// Overarm with the right hand, stepping forward.
    Throw,
    /// A straight punch with the left.
    Jab,
    /// A straight punch with the right.
    Cross,
    /// A swung punch with the left.
    Hook,
    /// Straight ahead with the right leg.
    FrontKick,
    /// From the side with the right leg.
    RoundKick,
    /// Down into the knees and up again.
    Squat,
    /// Under a punch and up again.
    Dodge,
    /// A half turn on the spot, in small steps.
    TurnInPlace,
    /// Standing with slight sway, nothing is done.
    Idle,
    /// A long raw take: standing, walking with turns, standing.
    WalkTake,
    /// A long raw take of several actions in a row.
    MixedTake,
}

impl Action {
    /// All of them, in the order of the library.
    pub const ALL: [Self; 23] = [
        Self::Walk,
        Self::WalkBigArms,
        Self::WalkLeft,
        Self::WalkRight,
        Self::Limp,
        Self::Jog,
        Self::Sneak,
        Self::Hop,
        Self::Jump,
        Self::Cheer,
        Self::Wave,
        Self::Throw,
        Self::Jab,
        Self::Cross,
        Self::Hook,
        Self::FrontKick,
        Self::RoundKick,
        Self::Squat,
        Self::Dodge,
        Self::TurnInPlace,
        Self::Idle,
        Self::WalkTake,
        Self::MixedTake,
    ];

    /// As clips are named: `walk`, for `walk_01`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Walk => "walk",
            Self::WalkBigArms => "walk_big_arms",
            Self::WalkLeft => "walk_left",
            Self::WalkRight => "walk_right",
            Self::Limp => "walk_limp",
            Self::Jog => "jog",
            Self::Sneak => "sneak",
            Self::Hop => "hop",
            Self::Jump => "jump",
            Self::Cheer => "cheer",
            Self::Wave => "wave",
            Self::Throw => "throw",
            Self::Jab => "jab",
            Self::Cross => "cross",
            Self::Hook => "hook",
            Self::FrontKick => "front_kick",
            Self::RoundKick => "round_kick",
            Self::Squat => "squat",
            Self::Dodge => "dodge",
            Self::TurnInPlace => "turn_in_place",
            Self::Idle => "idle",
            Self::WalkTake => "take_walk",
            Self::MixedTake => "take_mixed",
        }
    }

    /// The tags of its clips.
    pub const fn tags(self) -> &'static [&'static str] {
        match self {
            Self::Walk => &["walk", "locomotion", "cycle"],
            Self::WalkBigArms | Self::WalkLeft | Self::WalkRight | Self::Limp => {
                &["walk", "locomotion", "cycle", "misfit"]
            }
            Self::Jog => &["jog", "locomotion", "cycle"],
            Self::Sneak => &["sneak", "locomotion", "cycle"],
            Self::Hop => &["hop", "locomotion"],
            Self::Jump => &["jump"],
            Self::Cheer => &["cheer", "gesture"],
            Self::Wave => &["wave", "gesture"],
            Self::Throw => &["throw", "sport"],
            Self::Jab | Self::Cross | Self::Hook => &["punch", "fight"],
            Self::FrontKick | Self::RoundKick => &["kick", "fight"],
            Self::Squat => &["squat", "sport"],
            Self::Dodge => &["dodge", "fight"],
            Self::TurnInPlace => &["turn", "locomotion"],
            Self::Idle => &["idle"],
            Self::WalkTake => &["take", "walk"],
            Self::MixedTake => &["take", "mixed"],
        }
    }

    /// How its takes differ.
    pub const fn variation(self) -> Variation {
        match self {
            Self::Walk | Self::WalkTake | Self::MixedTake => Variation::gait(1.12, 66.0, 10.0),
            Self::WalkBigArms => Variation::gait(1.08, 68.0, 10.0),
            Self::WalkLeft | Self::WalkRight => Variation::gait(1.16, 60.0, 10.0),
            Self::Limp => Variation::gait(1.30, 46.0, 12.0),
            Self::Jog => Variation::gait(0.72, 96.0, 7.0),
            Self::Sneak => Variation::gait(1.70, 50.0, 14.0),
            Self::TurnInPlace => Variation::gait(1.05, 0.0, 17.0),
            Self::Hop => Variation::action(2.5, HOP_CM, 19.0),
            Self::Jump => Variation::action(2.5, JUMP_CM, 19.0),
            Self::Throw => Variation::action(2.5, THROW_CM, 19.0),
            Self::Cheer => Variation::action(2.4, 0.0, 19.0),
            Self::Wave => Variation::action(2.8, 0.0, 19.0),
            Self::Jab => Variation::action(1.2, 0.0, 22.0),
            Self::Cross => Variation::action(1.35, 0.0, 22.0),
            Self::Hook => Variation::action(1.4, 0.0, 22.0),
            Self::FrontKick => Variation::action(1.7, 0.0, 22.0),
            Self::RoundKick => Variation::action(1.9, 0.0, 22.0),
            Self::Squat => Variation::action(2.4, 0.0, 26.0),
            Self::Dodge => Variation::action(1.5, 0.0, 22.0),
            Self::Idle => Variation::action(4.0, 0.0, 19.0),
        }
    }

    /// Whether its clips belong to the main group of their kind.
    pub const fn fits(self) -> bool {
        !matches!(
            self,
            Self::WalkBigArms | Self::WalkLeft | Self::WalkRight | Self::Limp
        )
    }

    /// How many takes the library holds.
    pub(super) const fn n_takes(self) -> u64 {
        match self {
            Self::Walk => 18,
            Self::WalkBigArms | Self::WalkLeft | Self::WalkRight | Self::Limp => 3,
            Self::Jog | Self::Sneak => 8,
            Self::WalkTake | Self::MixedTake => 1,
            _ => 6,
        }
    }

    /// The counter of its random streams. Spelled out, so that a new action never changes the takes of others.
    pub(super) const fn stream(self) -> u64 {
        match self {
            Self::Walk => 1,
            Self::WalkBigArms => 2,
            Self::WalkLeft => 3,
            Self::WalkRight => 4,
            Self::Limp => 5,
            Self::Jog => 6,
            Self::Sneak => 7,
            Self::Hop => 8,
            Self::Jump => 9,
            Self::Cheer => 10,
            Self::Wave => 11,
            Self::Throw => 12,
            Self::Jab => 13,
            Self::Cross => 14,
            Self::Hook => 15,
            Self::FrontKick => 16,
            Self::RoundKick => 17,
            Self::Squat => 18,
            Self::Dodge => 19,
            Self::TurnInPlace => 20,
            Self::Idle => 21,
            Self::WalkTake => 22,
            Self::MixedTake => 23,
        }
    }
}
