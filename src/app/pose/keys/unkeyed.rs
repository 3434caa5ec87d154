//! Poses that are in no key yet: each belongs to the frame at which it was made, and is there again when the playhead
//! comes back. Moving the playhead loses none, nor does posing at another frame.

use std::sync::Arc;

use crate::document::{Keying, Posed};

/// The poses of one character that are in no key.
#[derive(Debug, Default)]
pub struct Unkeyed {
    /// The document's own pose, when it was last looked at.
    last: Option<Arc<Posed>>,
    /// The frame at which that was made; none if it is a key's.
    at: Option<usize>,
    /// Poses that the document had before, each with its frame.
    left: Vec<(usize, Arc<Posed>)>,
    newest_revision: u64,
}

impl Unkeyed {
    /// Once per frame, with the document's own pose and the frame at the playhead.
    pub(super) fn see(
        &mut self,
        posed: &Arc<Posed>,
        (frame, revision): (usize, u64),
        keying: Option<&Keying>,
    ) {
        let is_key = |frame: usize, posed: &Posed| {
            let key = keying.and_then(|keying| keying.key(frame));
            key.is_some_and(|key| key.pose == posed.pose)
        };
        let before = self.last.as_ref().filter(|last| !Arc::ptr_eq(last, posed));
        if let Some(before) = before {
            let is_new = revision > self.newest_revision;
            let is_left = |at: usize| is_new && at != frame && !is_key(at, before);
            if let Some(at) = self
                .at
                .filter(|at| is_left(*at) && before.pose != posed.pose)
            {
                self.left.push((at, Arc::clone(before)));
            }
            // Undo brings back a pose that was made elsewhere, or a change of pins of one that stays where it was made.
            let known = self.left.iter().find(|(_, left)| left.pose == posed.pose);
            let is_same_pose = before.pose == posed.pose;
            self.at = match known {
                Some((at, _)) => Some(*at),
                None if is_same_pose => self.at,
                None => Some(frame),
            };
        } else if self.last.is_none() {
            // In a project that was just opened the pose is usually that of a key.
            let mut keys = keying.into_iter().flat_map(|keying| &keying.keys);
            let is_any_key = keys.any(|key| key.pose == posed.pose);
            self.at = (!is_any_key).then_some(frame);
        }
        self.last = Some(Arc::clone(posed));
        self.newest_revision = self.newest_revision.max(revision);
        let at = self.at;
        let has_key = |frame: usize| keying.is_some_and(|keying| keying.key(frame).is_some());
        self.left
            .retain(|(frame, _)| Some(*frame) != at && !has_key(*frame));
    }

    /// Whether the document's own pose is what is seen at this frame.
    pub(super) fn is_own(&self, frame: usize) -> bool {
        self.at == Some(frame)
    }

    /// An earlier pose that was left at this frame.
    pub(super) fn left_at(&self, frame: usize) -> Option<&Arc<Posed>> {
        let found = self.left.iter().rev().find(|(at, _)| *at == frame);
        found.map(|(_, posed)| posed)
    }

    /// The key at this frame was changed: it counts.
    pub(super) fn yield_to_key(&mut self, frame: usize) {
        self.at.take_if(|at| *at == frame);
    }

    /// Where poses wait to be keyed.
    pub(in crate::app) fn frames<'a>(
        &'a self,
        keying: &'a Keying,
    ) -> impl Iterator<Item = usize> + 'a {
        let own = self.at.zip(self.last.as_ref()).filter(|(at, posed)| {
            let key = keying.key(*at);
            key.is_none_or(|key| key.pose != posed.pose)
        });
        let left = self.left.iter().map(|(at, _)| *at);
        own.map(|(at, _)| at).into_iter().chain(left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::pose::keys::motion::tests::recipe;

    #[test]
    fn poses_wait_at_their_frames_until_they_are_keyed_or_undone() {
        let (recipe, clip) = recipe(false);
        let mut keying = Keying::clone(&recipe.keying);
        let posed = |frame: usize| {
            Arc::new(Posed {
                name: "x".to_owned(),
                skeleton: Arc::clone(clip.skeleton()),
                up: clip.info.up,
                floor: 0.0,
                pose: clip.frame(frame).to_pose(),
                pins: Vec::new(),
                styles: Vec::new(),
            })
        };
        let frames = |unkeyed: &Unkeyed, keying: &Keying| -> Vec<usize> {
            let mut frames: Vec<usize> = unkeyed.frames(keying).collect();
            frames.sort_unstable();
            frames
        };
        let mut unkeyed = Unkeyed::default();
        unkeyed.see(&posed(9), (0, 1), Some(&keying));
        assert!(!unkeyed.is_own(0), "it is the pose of a key");
        let first = posed(11);
        unkeyed.see(&first, (5, 2), Some(&keying));
        assert!(unkeyed.is_own(5), "posed at frame 5");
        unkeyed.see(&first, (15, 2), Some(&keying));
        assert!(unkeyed.is_own(5) && !unkeyed.is_own(15), "it stays there");
        let second = posed(13);
        unkeyed.see(&second, (15, 3), Some(&keying));
        assert_eq!(frames(&unkeyed, &keying), [5, 15]);
        assert!(unkeyed.left_at(5).is_some(), "the first is not lost");
        unkeyed.see(&first, (15, 2), Some(&keying));
        assert_eq!(frames(&unkeyed, &keying), [5], "undone: only the first");
        unkeyed.see(&second, (15, 4), Some(&keying));
        keying.set_key(5, first.pose.clone());
        unkeyed.see(&second, (15, 5), Some(&keying));
        assert_eq!(frames(&unkeyed, &keying), [15], "keyed");
    }
}
