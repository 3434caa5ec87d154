//! Keeping the motion up to date with the keys, and the character with the playhead.

use std::sync::Arc;

use super::adopted::{Adopted, PoseSource};
use crate::app::pose::keys::SOLVE;
use crate::app::pose::keys::motion::{KeyError, KeyMotion, solved};
use crate::app::pose::keys::recipe::Recipe;
use crate::app::pose::poses::in_pose;
use crate::app::pose::state::PoseWorkspace;
use crate::app::pose::styles::shared::Fitted;
use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::Unseen;
use crate::app::shell::messages::Severity;
use crate::app::shell::work::Shown;
use crate::document::{Keying, Posed, PosedId};
use crate::motion::Pose;
use crate::style::Style;

impl PoseWorkspace {
    /// The newest motion of the character that is posed, which may still be that of its last keys.
    pub fn key_motion(&self, cx: &UiContext) -> Option<&Arc<KeyMotion>> {
        let (id, posed) = self.active_posed(cx)?;
        let (of, motion) = self.keys.motion.as_ref()?;
        let fits = *of == id && Arc::ptr_eq(&motion.recipe.skeleton, &posed.skeleton);
        fits.then_some(motion)
    }

    /// The character as the playhead has it; none where that is the document's own pose.
    pub(in crate::app) fn adopted(&self, id: PosedId, posed: &Arc<Posed>) -> Option<&Arc<Posed>> {
        let (of, adopted) = self.keys.adopted.as_ref()?;
        (*of == id && Arc::ptr_eq(&adopted.base, posed)).then_some(&adopted.posed)
    }

    /// Frames of the shot at which a pose waits to be keyed.
    pub fn unkeyed_frames(&self, cx: &UiContext) -> Vec<usize> {
        // Without keys there is no motion that a pose could get lost in.
        let Some((id, keying)) = self.active_posed(cx).and_then(|(id, _)| {
            let keying = cx.document().keying(id)?;
            (!keying.keys.is_empty()).then_some((id, keying))
        }) else {
            return Vec::new();
        };
        let unkeyed = self.keys.unkeyed.get(&id);
        unkeyed.map_or_else(Vec::new, |unkeyed| unkeyed.frames(keying).collect())
    }

    /// Once per frame: keeps the motion up to date with the keys, and the character with the playhead.
    pub(in crate::app) fn turn_keys(&mut self, cx: &mut UiContext) {
        if !self.shows_posed(cx) {
            return;
        }
        self.solve_keys(cx);
        let Some((id, posed)) = self.active_posed(cx) else {
            return;
        };
        let posed = Arc::clone(posed);
        self.follow_playhead(cx, id, &posed);
        self.show_keys(cx);
    }

    /// Starts solving if the keys have changed since the last motion; what runs for older ones is stopped.
    fn solve_keys(&mut self, cx: &mut UiContext) {
        let Some((id, posed)) = self.active_posed(cx) else {
            return;
        };
        let Some(recipe) = Recipe::of(cx.document(), id, posed) else {
            self.keys.motion = None;
            self.keys.wanted = None;
            return;
        };
        let is_made =
            |(of, motion): &(PosedId, Arc<KeyMotion>)| *of == id && motion.recipe == recipe;
        if self.keys.motion.as_ref().is_some_and(is_made) {
            return;
        }
        if let Some(running) = cx.work.named(SOLVE) {
            if self.keys.wanted.as_ref() != Some(&recipe) {
                running.cancel();
            }
            return;
        }
        if self.keys.wanted.as_ref() == Some(&recipe) && self.keys.is_refused {
            return;
        }
        self.keys.wanted = Some(recipe.clone());
        self.keys.is_refused = false;
        let styles: Vec<Arc<Style>> = recipe.styles.iter().map(|s| Arc::clone(&s.1)).collect();
        let known = match self.fitted(&styles) {
            Fitted::Together(known) => Some(known),
            Fitted::NotYet | Fitted::Refused => None,
        };
        self.inbox.look(
            cx,
            SOLVE,
            Shown::Quietly,
            move |ticket| match solved(&recipe, known, ticket) {
                Err(KeyError::Cancelled(cancelled)) => Err(cancelled),
                other => Ok(other),
            },
            move |pose, shell, seen| match seen {
                Ok(Ok(motion)) => {
                    if !motion.shared.is_empty() {
                        pose.remember_shared(styles, Some(motion.shared.clone()));
                    }
                    pose.keys.motion = Some((id, Arc::new(motion)));
                }
                Ok(Err(why)) => {
                    pose.keys.is_refused = true;
                    shell.say(Severity::Error, format!("keyframes: {why}"));
                }
                Err(Unseen::Cancelled) => pose.keys.wanted = None,
                Err(Unseen::Crashed) => {
                    pose.keys.is_refused = true;
                    let words =
                        "solving keyframes crashed, nothing was changed; please report this";
                    shell.say(Severity::Error, words);
                }
            },
        );
    }

    /// Where the playhead goes, the character takes the pose that belongs there: its own at the frame at which it was
    /// made, one that was left unkeyed, or else that of the motion.
    fn follow_playhead(&mut self, cx: &mut UiContext, id: PosedId, posed: &Arc<Posed>) {
        let keying = self.keying_now(cx).map(|(_, keying)| keying);
        let Some(keying) = keying else {
            return;
        };
        let frame = Self::key_frame_now(cx, &keying);
        let saved = cx.document().keying(id).map(Arc::clone);
        let unkeyed = self.keys.unkeyed.entry(id).or_default();
        unkeyed.see(posed, (frame, cx.revision()), saved.as_deref());
        let seen = std::mem::replace(&mut self.keys.seen, saved.clone().map(|keys| (id, keys)));
        if let Some((_, before)) = seen.filter(|(of, _)| *of == id) {
            let key = |keying: &Keying| keying.key(frame).map(|key| key.pose.clone());
            if key(&keying).is_some() && key(&keying) != key(&before) {
                unkeyed.yield_to_key(frame);
            }
        }
        if unkeyed.is_own(frame) {
            self.keys.adopted = None;
            return;
        }
        let left = unkeyed.left_at(frame).map(Arc::clone);
        let from = match (left, self.key_motion(cx)) {
            (Some(left), _) => PoseSource::Unkeyed(left),
            (None, Some(motion)) if saved.is_some() => PoseSource::Motion(Arc::clone(motion)),
            _ => {
                self.keys.adopted = None;
                return;
            }
        };
        let is_same = |(of, adopted): &(PosedId, Adopted)| {
            *of == id
                && adopted.frame == frame
                && adopted.from.is_same(&from)
                && Arc::ptr_eq(&adopted.base, posed)
        };
        // While a handle is held, the pose under it stays.
        if self.handles.grab.is_some() || self.keys.adopted.as_ref().is_some_and(is_same) {
            return;
        }
        let pose = match &from {
            PoseSource::Motion(motion) => pose_at(&keying, motion, frame),
            PoseSource::Unkeyed(left) => left.pose.clone(),
        };
        let adopted = Adopted {
            base: Arc::clone(posed),
            frame,
            posed: Arc::new(in_pose(posed, pose)),
            from,
        };
        self.keys.adopted = Some((id, adopted));
    }
}

/// The pose at a frame. At keys, before the first and after the last it is theirs, even while what lies between them is
/// still that of older keys.
fn pose_at(keying: &Keying, motion: &KeyMotion, frame: usize) -> Pose {
    let (first, last) = (keying.keys.first(), keying.keys.last());
    let first = first.filter(|key| frame <= key.frame);
    let last = last.filter(|key| frame >= key.frame);
    let key = keying.key(frame).or(first).or(last);
    key.map_or_else(|| motion.at(frame as f64), |key| key.pose.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::pose::keys::motion::tests::recipe;
    use crate::jobs::Ticket;

    #[test]
    fn new_keys_count_before_their_motion_is_solved() {
        let (recipe, clip) = recipe(false);
        let motion = solved(&recipe, None, &Ticket::default()).unwrap();
        let mut keying = Keying::clone(&recipe.keying);
        keying.set_key(25, clip.frame(12).to_pose());
        let at = |frame| pose_at(&keying, &motion, frame);
        assert_eq!(at(25), clip.frame(12).to_pose(), "at the new key");
        assert_eq!(at(28), clip.frame(12).to_pose(), "and after it");
        assert_eq!(at(0), clip.frame(2).to_pose(), "before the first");
        assert_eq!(at(5), motion.at(5.0), "the old motion between old keys");
    }
}
