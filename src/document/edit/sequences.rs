//! What commands do to sequences.

use std::sync::Arc;

use crate::document::ids::SequenceId;
use crate::document::sequences::Sequence;
use crate::document::text::line;
use crate::document::{CheckError, Document, EditError};

impl Document {
    /// All sequences in the order in which they were made.
    pub fn sequences(&self) -> &[(SequenceId, Arc<Sequence>)] {
        &self.sequences
    }

    /// One sequence, if it is still there.
    pub fn sequence(&self, id: SequenceId) -> Option<&Arc<Sequence>> {
        let at = self.sequences.binary_search_by_key(&id, |(id, _)| *id);
        at.ok().map(|at| &self.sequences[at].1)
    }

    pub(in crate::document) fn add_sequence(
        &mut self,
        sequence: Arc<Sequence>,
    ) -> Result<(), EditError> {
        let sequence = sound(sequence)?;
        let id = SequenceId(self.new_number()?);
        Arc::make_mut(&mut self.sequences).push((id, sequence));
        Ok(())
    }

    pub(in crate::document) fn change_sequence(
        &mut self,
        id: SequenceId,
        sequence: Arc<Sequence>,
    ) -> Result<(), EditError> {
        let sequence = sound(sequence)?;
        let at = self.place_of_sequence(id)?;
        Arc::make_mut(&mut self.sequences)[at].1 = sequence;
        Ok(())
    }

    pub(in crate::document) fn remove_sequence(&mut self, id: SequenceId) -> Result<(), EditError> {
        let at = self.place_of_sequence(id)?;
        Arc::make_mut(&mut self.sequences).remove(at);
        Ok(())
    }

    fn place_of_sequence(&self, id: SequenceId) -> Result<usize, EditError> {
        let at = self.sequences.binary_search_by_key(&id, |(id, _)| *id);
        at.map_err(|_place| EditError::NoSuchSequence(id))
    }

    pub(in crate::document) fn check_sequences(&self) -> Result<(), CheckError> {
        let mut pairs = self.sequences.windows(2);
        if let Some(pair) = pairs.find(|pair| pair[0].0 >= pair[1].0) {
            return Err(CheckError::SequenceTwice(pair[1].0));
        }
        let flawed = self.sequences.iter().find_map(|(id, sequence)| {
            let why = sequence.flaw()?;
            Some(CheckError::Sequence { id: *id, why })
        });
        flawed.map_or(Ok(()), Err)
    }
}

fn sound(sequence: Arc<Sequence>) -> Result<Arc<Sequence>, EditError> {
    if let Some(why) = sequence.flaw() {
        return Err(EditError::Sequence(why));
    }
    let name = line("the name of a sequence", sequence.name.clone())?;
    Ok(if name == sequence.name {
        sequence
    } else {
        Arc::new(Sequence {
            name,
            ..Sequence::clone(&sequence)
        })
    })
}
