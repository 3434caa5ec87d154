//! The clips of a project and their order.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::ids::ClipId;
use super::{CheckError, EditError};
use crate::motion::Clip;

type Entry = (ClipId, Arc<Clip>);

/// Copied in no time; a change copies one list of pointers.
///
/// Clips and order are apart, so that the many steps that change clips leave the order shared, and the other way round.
#[derive(Debug, Clone, Default)]
pub(super) struct Library {
    /// By number, so that a clip is found by halving. New clips have the largest number, so they go to the end.
    clips: Arc<Vec<Entry>>,
    /// As the animator sees them; each clip once.
    order: Arc<Vec<ClipId>>,
}

impl Library {
    /// In library order. The numbers may come in any order, but each once.
    pub(super) fn new(mut clips: Vec<(ClipId, Arc<Clip>)>) -> Result<Self, CheckError> {
        let order = clips.iter().map(|(id, _)| *id).collect();
        clips.sort_by_key(|(id, _)| *id);
        match clips.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => Err(CheckError::ClipTwice(pair[0].0)),
            None => Ok(Self {
                clips: Arc::new(clips),
                order: Arc::new(order),
            }),
        }
    }

    pub(super) fn order(&self) -> &[ClipId] {
        &self.order
    }

    pub(super) fn get(&self, id: ClipId) -> Option<&Arc<Clip>> {
        self.place(id).ok().map(|at| &self.clips[at].1)
    }

    /// The clips with their numbers, in the order of the library.
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = (ClipId, &Arc<Clip>)> + Clone {
        self.order.iter().map(|&id| {
            let at = self.place(id).expect("the order names clips that exist");
            (id, &self.clips[at].1)
        })
    }

    pub(super) fn largest(&self) -> Option<ClipId> {
        self.clips.last().map(|(id, _)| *id)
    }

    fn place(&self, id: ClipId) -> Result<usize, EditError> {
        self.clips
            .binary_search_by_key(&id, |(id, _)| *id)
            .map_err(|_place| EditError::NoSuchClip(id))
    }

    /// At the end of the list; the number must be larger than all before.
    pub(super) fn push(&mut self, id: ClipId, clip: Arc<Clip>) {
        debug_assert!(self.largest() < Some(id), "numbers only grow");
        Arc::make_mut(&mut self.clips).push((id, clip));
        Arc::make_mut(&mut self.order).push(id);
    }

    /// Puts each clip in the place of the one with its number.
    pub(super) fn change(
        &mut self,
        changed: impl IntoIterator<Item = (ClipId, Arc<Clip>)>,
    ) -> Result<(), EditError> {
        for (id, clip) in changed {
            let at = self.place(id)?;
            Arc::make_mut(&mut self.clips)[at].1 = clip;
        }
        Ok(())
    }

    pub(super) fn remove(&mut self, gone: &BTreeSet<ClipId>) {
        Arc::make_mut(&mut self.clips).retain(|(id, _)| !gone.contains(id));
        Arc::make_mut(&mut self.order).retain(|id| !gone.contains(id));
    }

    /// Takes the clips out of the order and puts them, as listed, before the clip that is then at `to`.
    pub(super) fn reorder(
        &mut self,
        moved: &[ClipId],
        moved_set: &BTreeSet<ClipId>,
        to: usize,
    ) -> Result<(), EditError> {
        let order = Arc::make_mut(&mut self.order);
        order.retain(|id| !moved_set.contains(id));
        if to > order.len() {
            let n_others = order.len();
            return Err(EditError::NoSuchPlace { to, n_others });
        }
        order.splice(to..to, moved.iter().copied());
        Ok(())
    }

    pub(super) fn check(&self) -> Result<(), CheckError> {
        if let Some(pair) = self.clips.windows(2).find(|pair| pair[0].0 >= pair[1].0) {
            return Err(CheckError::ClipTwice(pair[1].0));
        }
        let mut order: Vec<ClipId> = self.order.to_vec();
        order.sort_unstable();
        let ids = self.clips.iter().map(|(id, _)| *id);
        let odd = order.iter().copied().zip(ids.clone()).find(|(a, b)| a != b);
        if let Some((a, b)) = odd {
            return Err(CheckError::Order(a.min(b)));
        }
        let n = order.len();
        match order.get(self.clips.len()).copied().or(ids.clone().nth(n)) {
            Some(left_over) => Err(CheckError::Order(left_over)),
            None => Ok(()),
        }
    }
}

/// Equal pointers are equal clips, because clips hold only finite numbers. So comparing two states of one project costs
/// little more than what differs between them.
impl PartialEq for Library {
    fn eq(&self, other: &Self) -> bool {
        let same_order = Arc::ptr_eq(&self.order, &other.order) || self.order == other.order;
        let same_clip =
            |(a, b): (&Entry, &Entry)| a.0 == b.0 && (Arc::ptr_eq(&a.1, &b.1) || a.1 == b.1);
        same_order
            && (Arc::ptr_eq(&self.clips, &other.clips)
                || (self.clips.len() == other.clips.len()
                    && self.clips.iter().zip(other.clips.iter()).all(same_clip)))
    }
}
