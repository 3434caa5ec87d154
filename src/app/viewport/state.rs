//! What the 3D view remembers, and what it asks for that belongs to a workspace.

use crate::app::shell::Shell;
use crate::app::shell::jobs::Inbox;
use crate::app::shell::requests::Requests;
use crate::app::viewport::path_cache::PathCache;
use crate::app::viewport::pin::Pin;
use crate::motion::Vec3;

/// What the 3D view wants done to what a workspace shows in it.
#[derive(Debug)]
pub enum Request {
    /// The variant of this number is looked at from now on.
    LookAtVariant(usize),
    /// A held foot or hand of the motion that is looked at is held here.
    Pin {
        /// The joint that is held.
        joint: usize,
        /// A frame of its span.
        frame: usize,
        /// In the world of the motion.
        place: Vec3,
    },
}

/// What the 3D view remembers.
#[derive(Debug, Default)]
pub struct ViewportState {
    /// The held foot or hand that is being dragged.
    pub(in crate::app::viewport) pin: Option<Pin>,
    /// Motion paths of joints.
    pub paths: PathCache,
    pub(in crate::app::viewport) inbox: Inbox<Self>,
    /// What panels want done.
    pub requests: Requests<Request>,
}

impl ViewportState {
    /// Takes what jobs have brought.
    pub(in crate::app) fn take_deliveries(&mut self, shell: &mut Shell) {
        while let Some(delivery) = self.inbox.next(shell) {
            delivery(self, shell);
        }
    }
}
