//! Undo and redo.
//!
//! Every step keeps the document as it was on its other side. Documents share what they have in common, so a hundred
//! steps cost what the steps changed.

use std::collections::VecDeque;

use super::{ClipId, Command, Document, EditError};

/// How many steps can be taken back.
pub const DEPTH: usize = 100;

/// The document, and the way back and forth.
#[derive(Debug, Clone, Default)]
pub struct History {
    now: State,
    /// States before the present one, the oldest first.
    undo: VecDeque<UndoStep>,
    /// The one to be done next comes last.
    redo: Vec<UndoStep>,
    /// The largest revision given so far.
    newest: u64,
    saved: Option<u64>,
}

#[derive(Debug, Clone, Default)]
struct State {
    document: Document,
    revision: u64,
}

#[derive(Debug, Clone)]
struct UndoStep {
    label: String,
    /// The document on the other side of the step.
    other: State,
}

/// What a command did.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Applied {
    /// Whether the document is another one now; if not, there is no step to undo.
    pub changed: bool,
    /// The clips that are new, in the order given.
    pub added: Vec<ClipId>,
}

impl History {
    /// Starts from a document that is on disk as it is.
    pub fn opened(document: Document) -> Self {
        let mut history = Self::unsaved(document);
        history.mark_saved(history.revision());
        history
    }

    /// Starts from a document that is on no disk: a recovered one, a demo.
    pub fn unsaved(document: Document) -> Self {
        let now = State {
            document,
            revision: 0,
        };
        Self {
            now,
            ..Self::default()
        }
    }

    /// The document as it is now.
    pub fn document(&self) -> &Document {
        &self.now.document
    }

    /// Names the state of the document: equal revisions are equal documents.
    ///
    /// Undo brings back the earlier number, a new step one that was never there. A job keeps the number it began from,
    /// and knows that the document has moved on when the number is another.
    pub fn revision(&self) -> u64 {
        self.now.revision
    }

    /// Whether the document is on disk as it is; undoing back to what was saved makes it so again.
    pub fn is_saved(&self) -> bool {
        self.saved == Some(self.now.revision)
    }

    /// Remembers that the document of this revision is on disk; it may be an earlier one than now, since saving takes a
    /// while.
    pub fn mark_saved(&mut self, revision: u64) {
        self.saved = Some(revision);
    }

    /// Remembers that nothing of this is on disk any more.
    pub fn mark_unsaved(&mut self) {
        self.saved = None;
    }

    /// Applies a command as one step, or changes nothing.
    pub fn apply(&mut self, command: Command) -> Result<Applied, EditError> {
        let label = command.label(self.document());
        let document = self.now.document.edited(command)?;
        let numbers = self.now.document.next_number()..document.next_number();
        let added = numbers
            .map(ClipId)
            .filter(|&id| document.clip(id).is_some());
        let added: Vec<ClipId> = added.collect();
        if document == self.now.document {
            return Ok(Applied {
                changed: false,
                added,
            });
        }
        self.newest += 1;
        let next = State {
            document,
            revision: self.newest,
        };
        let other = std::mem::replace(&mut self.now, next);
        self.push(UndoStep { label, other });
        Ok(Applied {
            changed: true,
            added,
        })
    }

    /// The document as it is now, with the project called something else.
    pub fn document_called(&self, name: &str) -> Result<Document, EditError> {
        self.document()
            .edited(Command::RenameProject(name.to_owned()))
    }

    /// Calls the project something else on every step, so that undo does not bring the old name back: saving it in
    /// another folder does that, and is no step of the work.
    pub fn call_project(&mut self, name: &str) -> Result<(), EditError> {
        let steps = self.undo.iter_mut().chain(&mut self.redo);
        let states = steps.map(|step| &mut step.other);
        for state in states.chain([&mut self.now]) {
            let rename = Command::RenameProject(name.to_owned());
            state.document = state.document.edited(rename)?;
        }
        Ok(())
    }

    /// What [`Self::undo`] would take back, for the menu.
    pub fn undo_label(&self) -> Option<&str> {
        self.undo.back().map(|step| step.label.as_str())
    }

    /// What [`Self::redo`] would do again, for the menu.
    pub fn redo_label(&self) -> Option<&str> {
        self.redo.last().map(|step| step.label.as_str())
    }

    /// Takes back the last step and says which it was.
    pub fn undo(&mut self) -> Option<String> {
        let UndoStep { label, other } = self.undo.pop_back()?;
        let other = self.go_to(other);
        self.redo.push(UndoStep {
            label: label.clone(),
            other,
        });
        Some(label)
    }

    /// Does again what was last taken back, and says what it was.
    pub fn redo(&mut self) -> Option<String> {
        let UndoStep { label, other } = self.redo.pop()?;
        let other = self.go_to(other);
        self.undo.push_back(UndoStep {
            label: label.clone(),
            other,
        });
        Some(label)
    }

    /// Makes this the document and gives the one before. Numbers of clips that are gone now are not given to others:
    /// what still names such a clip, a selection or a running job, must not mean another one.
    fn go_to(&mut self, state: State) -> State {
        let used = self.now.document.next_number();
        let before = std::mem::replace(&mut self.now, state);
        self.now.document.keep_numbers_from(used);
        before
    }

    fn push(&mut self, step: UndoStep) {
        self.redo.clear();
        if self.undo.len() == DEPTH {
            self.undo.pop_front();
        }
        self.undo.push_back(step);
    }
}
