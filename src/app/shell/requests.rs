//! What panels and dialogs ask the shell for. The queue is emptied once per frame, before anything is drawn.

use std::ops::Range;
use std::path::PathBuf;

use crate::app::shell::actions::Action;
use crate::app::shell::clips::operations::Operation;
use crate::app::shell::files::order::Export;
use crate::app::shell::retarget::bring::Order;
use crate::document::{ClipId, Command};
use crate::file::atomic::Overwrite;
use crate::file::project::{Access, Recovery};

/// Something that a panel or dialog wants done.
#[derive(Debug)]
pub enum Request {
    /// A change to the document.
    Edit(Command),
    /// An action of the menus.
    Do(Action),
    /// Read these files and folders into the library.
    Import(Vec<PathBuf>),
    /// Write clips as files.
    Export(Export),
    /// Change the selected clips.
    Operate(Operation),
    /// Bring clips onto another skeleton.
    Retarget(Order),
    /// Keep only these frames of a clip.
    Trim(ClipId, Range<usize>),
    /// Something for which the open project has to go; asks first if it is not saved.
    Leave(Then),
    /// The same, although it is not saved.
    LeaveUnsaved(Then),
    /// Save, then go on.
    SaveThen(Then),
    /// Save in this folder.
    SaveAs(PathBuf, Overwrite),
    /// Remove what a crash left.
    Discard(Vec<Recovery>),
}

impl Request {
    /// Whether it has to wait until the project that is being opened is there.
    pub(in crate::app) fn needs_document(&self) -> bool {
        match self {
            Self::Do(action) => action.needs_document(),
            Self::Edit(_)
            | Self::Import(_)
            | Self::Export(_)
            | Self::Operate(_)
            | Self::Retarget(_)
            | Self::Trim(..)
            | Self::SaveThen(_)
            | Self::SaveAs(..) => true,
            // The program can always be ended.
            Self::Leave(then) => *then != Then::Quit,
            Self::LeaveUnsaved(_) | Self::Discard(_) => false,
        }
    }
}

/// What comes when the open project is gone.
#[derive(Debug, Clone, PartialEq)]
pub enum Then {
    /// Goes on with a new, empty project.
    New,
    /// Open the built-in demo.
    Demo,
    /// Open the project in this folder.
    Open(PathBuf, Access),
    /// What a crash left.
    Recover(Recovery),
    /// Nothing: the program ends.
    Quit,
}

/// What panels want done by one part of the window, until that part takes it, before the next frame is drawn.
#[derive(Debug)]
pub struct Requests<R> {
    queue: Vec<R>,
}

impl<R> Default for Requests<R> {
    fn default() -> Self {
        Self { queue: Vec::new() }
    }
}

impl<R> Requests<R> {
    /// Queues a request; it is answered before the next frame.
    pub fn ask(&mut self, request: R) {
        self.queue.push(request);
    }

    /// Whether nothing waits to be done.
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Everything that was asked for, in its order.
    pub(in crate::app) fn take(&mut self) -> Vec<R> {
        std::mem::take(&mut self.queue)
    }
}
