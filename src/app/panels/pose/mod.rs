//! The pose workspace: a character with handles, in the style of clips.

mod body;
mod invitation;
mod key_line;
mod keys;
mod library;
mod map;
mod picture;
mod repair;
mod stage;
mod styles;
mod view;
mod ways;

pub use body::body_ui;
pub(super) use invitation::invitation_ui;
pub(in crate::app) use key_line::key_line_ui;
pub(in crate::app) use keys::handle_keys;
pub use keys::{KeysView, keys_ui};
pub use library::{LibraryOfPoses, poses_ui};
pub use map::map_ui;
pub use picture::{PictureView, picture_ui};
pub use repair::{Compare, RepairView, repair_ui};
pub use styles::styles_ui;
pub(super) use view::view_ui;

use crate::app::viewport::{Colour, Trail};
use crate::app::work::pose::Figure;
use crate::document::PosedId;
use crate::motion::Pose;

/// What the workspace remembers; gone when another project is opened.
#[derive(Debug, Default)]
pub struct PoseView {
    /// The character that is posed; none is the first there is.
    pub active: Option<PosedId>,
    /// Whether the 3D view shows the selected clips instead of the characters.
    pub shows_clips: bool,
    /// The character that the camera was last brought to.
    pub framed: Option<PosedId>,
    /// Skins and handles of skeletons.
    pub figures: Vec<Figure>,
    /// What else is to be seen beside the character.
    pub extras: Extras,
    /// The pose library.
    pub library: LibraryOfPoses,
    /// Keyframes.
    pub keys: KeysView,
    /// A picture to pose over.
    pub picture: PictureView,
    /// Takes that are rebuilt.
    pub repair: RepairView,
}

/// A pose beside the character's own: an onion skin, a pose of the library under the pointer.
#[derive(Debug, Clone, PartialEq)]
pub struct Ghost {
    /// On the active character's skeleton.
    pub pose: Pose,
    /// Of its skin.
    pub colour: Colour,
    /// 1 is solid.
    pub opacity: f32,
}

/// What a panel wants to be seen in the 3D view, for as long as it says so in every frame.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Extra {
    /// Shown in place of the active character's pose and without handles, as in playback.
    pub instead: Option<Pose>,
    /// Beside it.
    pub ghosts: Vec<Ghost>,
    /// Ways of points.
    pub trails: Vec<Trail>,
}

/// Wishes of all panels together; they last for one frame.
#[derive(Debug, Default)]
pub struct Extras {
    shown: Extra,
    wished: Extra,
}

impl Extras {
    /// Asks for something to be seen until the next frame.
    pub fn wish(&mut self, extra: Extra) {
        self.wished.instead = extra.instead.or(self.wished.instead.take());
        self.wished.ghosts.extend(extra.ghosts);
        self.wished.trails.extend(extra.trails);
    }

    /// What is to be seen now.
    pub fn shown(&self) -> &Extra {
        &self.shown
    }

    /// Once per frame: what was wished for is shown.
    pub(in crate::app) fn turn(&mut self) {
        self.shown = std::mem::take(&mut self.wished);
    }
}
