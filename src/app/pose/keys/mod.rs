//! Keyframes at work: every edit of the keys is solved anew in the background, always with the newest keys, while the last
//! motion goes on playing.

pub(in crate::app) mod line_ui;
pub mod motion;
pub(in crate::app) mod paths_ui;
pub(in crate::app) mod playhead;
pub(in crate::app) mod recipe;
pub(in crate::app) mod show;
pub(in crate::app) mod ui;

use std::sync::Arc;

use crate::app::pose::handles::rig::{Part, Rig};
use crate::app::shell::messages::Severity;
use crate::app::shell::studio::Studio;
use crate::document::{Command, Keying, PosedId};
use crate::motion::{Site, Skeleton};

/// The job that solves keys.
pub const SOLVE: &str = "solve keyframes";

/// Handles that follow smooth ways unless the animator says otherwise.
pub fn usual_ways(skeleton: &Skeleton) -> Vec<Site> {
    let rig = Rig::of(skeleton);
    let is_usual = |part: Part| {
        matches!(
            part,
            Part::Hips | Part::Head | Part::Hand(_) | Part::Foot(_)
        )
    };
    let handles = rig.handles().iter();
    handles
        .filter(|handle| is_usual(handle.part))
        .map(|handle| handle.site)
        .collect()
}

impl Studio {
    /// The keys of the character that is posed; an empty shot of two seconds if it has none yet.
    pub fn keying_now(&self) -> Option<(PosedId, Arc<Keying>)> {
        const USUAL_FPS: f64 = 30.0;
        const USUAL_FRAMES: usize = 60;
        let (id, posed) = self.active_posed()?;
        let keying = self.document().keying(id).map(Arc::clone);
        let keying = keying.unwrap_or_else(|| {
            let ways = usual_ways(&posed.skeleton);
            Arc::new(Keying::new(USUAL_FPS, USUAL_FRAMES, ways))
        });
        Some((id, keying))
    }

    /// How long the shot takes; none where no character is posed.
    pub(in crate::app) fn keyed_secs(&self) -> Option<f64> {
        let (_, keying) = self.shows_posed().then(|| self.keying_now()).flatten()?;
        Some(keying.n_frames as f64 / keying.fps)
    }

    /// The whole frame at the playhead.
    pub fn key_frame_now(&self, keying: &Keying) -> usize {
        let frame = (self.session.playhead_secs * keying.fps + 1e-6).floor();
        (frame.max(0.0) as usize).min(keying.n_frames - 1)
    }

    /// Changes the keys of the character that is posed, as one step.
    pub fn edit_keys(&mut self, what: impl Into<String>, change: impl FnOnce(&mut Keying)) {
        let Some((id, keying)) = self.keying_now() else {
            return;
        };
        let mut changed = Keying::clone(&keying);
        change(&mut changed);
        if changed == *keying && self.document().keying(id).is_some() {
            return;
        }
        self.edit(Command::SetKeys {
            what: what.into(),
            id,
            keying: Some(Arc::new(changed)),
        });
    }

    /// Keys the character's pose at the playhead.
    pub fn insert_key(&mut self) {
        let Some((_, keying)) = self.keying_now() else {
            return;
        };
        let Some((_, posed)) = self.posed_now() else {
            return;
        };
        let frame = self.key_frame_now(&keying);
        self.edit_keys(format!("key frame {frame} of"), |keying| {
            keying.set_key(frame, posed.pose.clone());
        });
        self.pose.keys.chosen = Some(frame);
    }

    /// Takes the chosen key away, or the one at the playhead.
    pub fn delete_key(&mut self) {
        let Some((_, keying)) = self.keying_now() else {
            return;
        };
        let chosen = self.pose.keys.chosen;
        let frame = chosen.unwrap_or_else(|| self.key_frame_now(&keying));
        if keying.key(frame).is_none() {
            self.say(Severity::Info, format!("there is no key at frame {frame}"));
            return;
        }
        self.pose.keys.chosen = None;
        self.edit_keys(format!("delete key {frame} of"), |keying| {
            keying.remove_key(frame);
        });
    }

    /// A change of a pose with the key that it makes, where keys are made by themselves.
    pub(in crate::app) fn auto_keyed(&self, command: Command) -> Command {
        let Command::ChangePosed { id, posed, .. } = &command else {
            return command;
        };
        let Some(before) = self.document().posed_by_id(*id) else {
            return command;
        };
        let is_active = self.active_posed().is_some_and(|(active, _)| active == *id);
        let is_keyed = self.pose.keys.is_auto && is_active && posed.pose != before.pose;
        let keying = is_keyed.then(|| self.keying_now()).flatten();
        let Some((_, keying)) = keying else {
            return command;
        };
        let frame = self.key_frame_now(&keying);
        let mut keyed = Keying::clone(&keying);
        keyed.set_key(frame, posed.pose.clone());
        let what = command.label(self.document());
        let keys = Command::SetKeys {
            what: String::new(),
            id: *id,
            keying: Some(Arc::new(keyed)),
        };
        Command::Together {
            what,
            commands: vec![command, keys],
        }
    }

    /// Puts the motion into the library as a clip.
    pub fn keep_key_motion(&mut self) {
        let Some((_, posed)) = self.active_posed() else {
            return;
        };
        let name = posed.name.clone();
        let made = self
            .key_motion()
            .map(|motion| motion::clip_of(motion, &name));
        match made {
            Some(Ok(clip)) => {
                let words = format!("{name} is a clip of {} frames now", clip.n_frames());
                if self.edit(Command::AddClips(vec![Arc::new(clip)])).is_some() {
                    self.say(Severity::Done, words);
                }
            }
            Some(Err(why)) => self.say(Severity::Error, why),
            None => self.say(Severity::Warning, "key some poses first"),
        }
    }
}
