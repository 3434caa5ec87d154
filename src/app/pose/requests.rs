//! What panels of the pose workspace ask for: everything that changes the document.

use crate::app::pose::handles::targets::HeldHandles;
use crate::app::pose::handles::ui::mouse::Mouse;
use crate::document::{ModelId, PinMode, PoseId, PosedId};
use crate::motion::Site;

/// How a character keeps to a style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StyleChoice {
    /// In place of all others.
    Alone,
    /// In addition to the styles that the character has.
    Beside,
    /// The character leaves this style.
    Not,
}

/// A step of a walk over the map.
#[derive(Debug)]
pub struct MapStep {
    /// Whether this is the first one.
    pub is_begun: bool,
    /// To this latent point.
    pub point: Option<Vec<f64>>,
    /// Whether this is the last one.
    pub is_done: bool,
}

/// What a panel of the workspace wants done that needs the document.
#[derive(Debug)]
pub enum Request {
    /// A character in the pose of the active clip.
    NewCharacter,
    /// Another character is posed.
    Choose(PosedId),
    /// Takes hold of handles; the mouse then moves them.
    Grab {
        /// What is taken hold of; none where single joints turn without the solver.
        held: Option<HeldHandles>,
        /// For the menu of undo.
        what: String,
        /// How it is moved.
        mouse: Mouse,
    },
    /// The next pin mode for the position of the selected handles.
    CyclePins,
    /// Pins handles where they are.
    SetPins {
        /// The handles that are pinned.
        sites: Vec<Site>,
        /// Their rotation instead of their position.
        of_turn: bool,
        /// Free, soft or hard.
        mode: PinMode,
    },
    /// Puts a handle on a joint that has none, or takes away one that was added.
    ToggleHandle(Site),
    /// Gives the character a style, or takes it away.
    ChooseStyle(ModelId, StyleChoice),
    /// Mixes the styles of the character otherwise.
    Blend {
        /// A weight for each style.
        weights: Vec<(ModelId, f64)>,
        /// Whether that is all.
        is_done: bool,
    },
    /// Walks over the map.
    Browse(MapStep),
    /// Gives the character the pose that was copied.
    PastePose,
    /// Puts the pose into the pose library, under this name.
    KeepPose(String),
    /// Gives the character a pose of the library.
    ApplyPose(PoseId),
    /// Puts the motion of the keyframes into the library of clips.
    KeepKeyMotion,
    /// Puts the rebuilt take in the place of the old one, or beside it.
    KeepRebuilt {
        /// Whether it becomes a new clip beside the take, which then stays as it was.
        is_new: bool,
    },
}
