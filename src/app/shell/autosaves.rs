//! Unsaved work on disk within seconds, and what comes back after a crash.
//!
//! One rule: the autosave follows the document. Whenever the document is not as the project on disk has it, the
//! autosave shall show it; whenever it is (saved, undone, discarded, another one opened), there shall be nothing to
//! recover. `Shell::follow_with_autosave` looks once per frame whether that holds, and starts the one job that makes
//! it so.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::app::shell::place::{ProjectPlace, lock_folder};
use crate::document::Document;
use crate::file::project::Autosave;

/// Several steps in a row cost one write, and nothing older than this and the write itself is ever lost.
const AFTER_SECS: f64 = 2.0;

/// A disk that is full is not asked again at once.
pub(super) const RETRY_SECS: f64 = 30.0;

/// What the job is called.
pub(super) const AUTOSAVE: &str = "autosave";

/// A state of a document, as far as an autosave of it is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Stamp {
    pub(super) project_number: u64,
    pub(super) revision: u64,
    pub(super) is_unsaved: bool,
}

/// The autosave of this window, which jobs write to.
#[derive(Debug, Default)]
pub(super) struct Slot {
    pub(super) autosave: Option<Autosave>,
    /// The program ends: a job that comes late writes nothing.
    pub(super) is_closed: bool,
}

/// How unsaved work is kept.
#[derive(Debug, Default)]
pub struct Autosaves {
    /// Below which autosaves are; tests without one write none.
    pub(super) data_folder: Option<PathBuf>,
    pub(super) slot: Arc<Mutex<Slot>>,
    /// What the autosave on disk is of.
    pub(super) followed: Stamp,
    /// Since when the document is another.
    pub(super) behind_since_secs: Option<f64>,
    /// Whether there is anything on disk to retire.
    pub(super) has_content: bool,
    pub(super) not_before_secs: f64,
    /// Whether it was said that nothing can be written.
    pub(super) is_failing: bool,
}

impl Autosaves {
    /// Autosaves go below this folder.
    pub(super) fn new(data_folder: Option<PathBuf>) -> Self {
        Self {
            data_folder,
            ..Self::default()
        }
    }

    /// How long until something has to be written; none if everything is.
    pub(super) fn due_in_secs(&self, now_secs: f64) -> Option<f64> {
        let since = self.behind_since_secs?;
        Some((since + AFTER_SECS).max(self.not_before_secs) - now_secs)
    }
}

/// A lock that a panic left behind guards files that are never half written: it can still be used.
pub(super) fn lock(slot: &Mutex<Slot>) -> MutexGuard<'_, Slot> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is done with the autosave.
pub(super) enum AutosaveStep {
    Write(PathBuf, Box<Document>, Option<ProjectPlace>),
    Retire,
}

impl AutosaveStep {
    pub(super) fn run(self, slot: &Mutex<Slot>) -> anyhow::Result<()> {
        let mut slot = lock(slot);
        if slot.is_closed {
            return Ok(());
        }
        match self {
            Self::Write(data, document, place) => {
                if slot.autosave.is_none() {
                    slot.autosave = Some(Autosave::begin(&data)?);
                }
                if let Some(autosave) = &mut slot.autosave {
                    let folder = place.as_ref().map(lock_folder);
                    autosave.write(&document, folder.as_deref())?;
                }
            }
            Self::Retire => {
                if let Some(autosave) = &mut slot.autosave {
                    autosave.retire()?;
                }
            }
        }
        Ok(())
    }
}
