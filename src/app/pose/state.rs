//! The pose workspace: a character with handles, in the style of clips.

use crate::app::pose::handles::HandlesState;
use crate::app::pose::keys::view::KeysView;
use crate::app::pose::map::MapState;
use crate::app::pose::picture::view::PictureView;
use crate::app::pose::poses::view::LibraryOfPoses;
use crate::app::pose::repair::view::RepairView;
use crate::app::pose::requests::Request;
use crate::app::pose::styles::StandIn;
use crate::app::pose::styles::shared::Shared;
use crate::app::render::{Colour, Trail};
use crate::app::shell::jobs::Inbox;
use crate::app::shell::requests::Requests;
use crate::document::{ClipId, ModelId, PosedId};
use crate::motion::Pose;
use crate::style::LearnSettings;

/// What the workspace remembers; gone when another project is opened.
#[derive(Debug, Default)]
pub struct PoseWorkspace {
    /// The character that is posed; none is the first there is.
    pub active: Option<PosedId>,
    /// Whether the 3D view shows the selected clips instead of the characters.
    pub shows_clips: bool,
    /// The character that the camera was last brought to.
    pub framed: Option<PosedId>,
    /// The character in the 3D view: handles, what is in hand, the solver.
    pub handles: HandlesState,
    /// What styles are learned from.
    pub learn: LearnView,
    /// Styles made fit to be blended.
    pub shared: Vec<Shared>,
    /// Plain styles for characters that have none.
    pub stand_ins: Vec<StandIn>,
    /// The latent map of the chosen style.
    pub map: MapState,
    /// What else is to be seen beside the character.
    pub extras: Extras,
    /// The panel of the pose library.
    pub library: LibraryOfPoses,
    /// Keyframes, and the motion between them.
    pub keys: KeysView,
    /// A picture to pose over.
    pub picture: PictureView,
    /// Takes that are rebuilt.
    pub repair: RepairView,
    pub(in crate::app::pose) inbox: Inbox<Self>,
    /// What panels want done.
    pub requests: Requests<Request>,
}

/// What a style is learned from.
#[derive(Debug, Default)]
pub struct LearnView {
    /// None are the selected clips.
    pub chosen: Vec<ClipId>,
    /// How it is learned.
    pub settings: LearnSettings,
    /// What it will be called; empty for a name of the program's choice.
    pub name: String,
    pub(in crate::app) renames: Option<(ModelId, String)>,
}

/// A pose beside the character's own: an onion skin, a pose of the library under the pointer.
#[derive(Debug, Clone, PartialEq)]
pub struct OnionSkin {
    /// On the active character's skeleton.
    pub pose: Pose,
    /// The colour of its skin.
    pub colour: Colour,
    /// From 0, which cannot be seen, to 1, which is solid.
    pub opacity: f32,
}

/// What a panel wants to be seen in the 3D view, for as long as it says so in every frame.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Extra {
    /// Shown in place of the active character's pose and without handles, as in playback.
    pub instead: Option<Pose>,
    /// Poses shown beside it.
    pub ghosts: Vec<OnionSkin>,
    /// Motion paths of points.
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
