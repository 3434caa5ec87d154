//! Keyframes at work: every edit of the keys is solved anew in the background, always with the newest keys, while the
//! last motion goes on playing.

pub(in crate::app) mod adopted;
pub(in crate::app) mod line_ui;
pub mod motion;
pub(in crate::app) mod path_hold;
pub(in crate::app) mod paths_ui;
pub(in crate::app) mod playhead;
pub(in crate::app) mod recipe;
pub(in crate::app) mod show;
pub(in crate::app) mod ui;
pub mod unkeyed;
pub(in crate::app) mod view;

use std::sync::Arc;

use crate::app::pose::handles::rig::{BodyHandles, HandlePart};
use crate::app::pose::state::PoseWorkspace;
use crate::app::shell::Shell;
use crate::app::shell::context::{Timebase, UiContext};
use crate::app::shell::messages::Severity;
use crate::app::shell::requests::Request;
use crate::app::shell::session::Subject;
use crate::app::shell::words::{counted, free_name};
use crate::document::{Command, Keying, PosedId};
use crate::motion::{Site, Skeleton};

/// The job that solves keys.
pub const SOLVE: &str = "solve keyframes";

/// Handles that follow smooth paths unless the animator says otherwise.
pub fn default_paths(skeleton: &Skeleton) -> Vec<Site> {
    let rig = BodyHandles::of(skeleton);
    let is_usual = |part: HandlePart| {
        matches!(
            part,
            HandlePart::Hips | HandlePart::Head | HandlePart::Hand(_) | HandlePart::Foot(_)
        )
    };
    let handles = rig.handles().iter();
    handles
        .filter(|handle| is_usual(handle.part))
        .map(|handle| handle.site)
        .collect()
}

impl PoseWorkspace {
    /// The keys of the character that is posed; an empty shot of two seconds if it has none yet.
    pub fn keying_now(&self, cx: &UiContext) -> Option<(PosedId, Arc<Keying>)> {
        const USUAL_FPS: f64 = 30.0;
        const USUAL_FRAMES: usize = 60;
        let (id, posed) = self.active_posed(cx)?;
        let keying = cx.document().keying(id).map(Arc::clone);
        let keying = keying.unwrap_or_else(|| {
            let paths = default_paths(&posed.skeleton);
            Arc::new(Keying::new(USUAL_FPS, USUAL_FRAMES, paths))
        });
        Some((id, keying))
    }

    /// What plays in place of clips: the shot; none where no character is shown.
    pub(in crate::app) fn timebase(&self, cx: &UiContext) -> Option<Timebase> {
        let keying = self.shows_posed(cx).then(|| self.keying_now(cx));
        let (id, keying) = keying.flatten()?;
        Some(Timebase {
            subject: Subject::Own("shot", id.0),
            secs: keying.n_frames as f64 / keying.fps,
            fps: keying.fps,
        })
    }

    /// The whole frame at the playhead.
    pub fn key_frame_now(cx: &UiContext, keying: &Keying) -> usize {
        let frame = (cx.session.playhead_secs * keying.fps + 1e-6).floor();
        (frame.max(0.0) as usize).min(keying.n_frames - 1)
    }

    /// Changes the keys of the character that is posed, as one step.
    pub fn edit_keys(
        &mut self,
        cx: &mut UiContext,
        what: impl Into<String>,
        change: impl FnOnce(&mut Keying),
    ) {
        let Some((id, keying)) = self.keying_now(cx) else {
            return;
        };
        let mut changed = Keying::clone(&keying);
        change(&mut changed);
        if changed == *keying && cx.document().keying(id).is_some() {
            return;
        }
        cx.ask(Request::Edit(Command::SetKeys {
            what: what.into(),
            id,
            keying: Some(Arc::new(changed)),
        }));
    }

    /// Keys the character's pose at the playhead.
    pub fn insert_key(&mut self, cx: &mut UiContext) {
        let Some((_, keying)) = self.keying_now(cx) else {
            return;
        };
        let Some((_, posed)) = self.posed_now(cx) else {
            return;
        };
        let frame = Self::key_frame_now(cx, &keying);
        self.edit_keys(cx, format!("key frame {frame} of"), |keying| {
            keying.set_key(frame, posed.pose.clone());
        });
        self.keys.chosen = Some(frame);
    }

    /// Takes the chosen key away, or the one at the playhead.
    pub fn delete_key(&mut self, cx: &mut UiContext) {
        let Some((_, keying)) = self.keying_now(cx) else {
            return;
        };
        let chosen = self.keys.chosen;
        let frame = chosen.unwrap_or_else(|| Self::key_frame_now(cx, &keying));
        if keying.key(frame).is_none() {
            cx.say(Severity::Info, format!("there is no key at frame {frame}"));
            return;
        }
        self.keys.chosen = None;
        self.edit_keys(cx, format!("delete key {frame} of"), |keying| {
            keying.remove_key(frame);
        });
    }

    /// A change of a pose with the key that it makes, where keys are made by themselves.
    pub(in crate::app) fn auto_keyed(&self, cx: &UiContext, command: Command) -> Command {
        let Command::ChangePosed { id, posed, .. } = &command else {
            return command;
        };
        let Some(before) = cx.document().posed_by_id(*id) else {
            return command;
        };
        let is_active = self
            .active_posed(cx)
            .is_some_and(|(active, _)| active == *id);
        let is_keyed = self.keys.is_auto && is_active && posed.pose != before.pose;
        let keying = is_keyed.then(|| self.keying_now(cx)).flatten();
        let Some((_, keying)) = keying else {
            return command;
        };
        let frame = Self::key_frame_now(cx, &keying);
        let mut keyed = Keying::clone(&keying);
        keyed.set_key(frame, posed.pose.clone());
        let what = command.label(cx.document());
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
    pub fn keep_key_motion(&mut self, shell: &mut Shell) {
        let Some((_, posed)) = self.active_posed(shell) else {
            return;
        };
        let name = posed.name.clone();
        let made = self
            .key_motion(shell)
            .map(|motion| motion::clip_of(motion, &name));
        match made {
            Some(Ok(mut clip)) => {
                let document = shell.document();
                clip.info.name = free_name(&clip.info.name, |name| {
                    document.clips().any(|(_, clip)| clip.info.name == name)
                });
                let mut words = format!(
                    "Saved as new clip \"{}\", {} frames",
                    clip.info.name,
                    clip.n_frames()
                );
                let n_unkeyed = self.unkeyed_frames(shell).len();
                if n_unkeyed > 0 {
                    let poses = counted(n_unkeyed, "pose");
                    words = format!("{words}, without {poses} that have no key");
                }
                if self
                    .edit(shell, Command::AddClips(vec![Arc::new(clip)]))
                    .is_some()
                {
                    shell.say(Severity::Done, words);
                }
            }
            Some(Err(why)) => shell.say(Severity::Error, why),
            None => shell.say(Severity::Warning, "key some poses first"),
        }
    }
}
