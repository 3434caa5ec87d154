//! The study workspace: is it natural, is it repetitive, can anyone tell?
//!
//! Sets of motions are put together ([`sets`]), measured side by side ([`measure`]), searched for motion that comes
//! again ([`clones`]), shown as a crowd ([`crowd`]) and rated by people ([`rating`]). The engine is [`crate::study`].

pub mod clones;
pub mod crowd;
pub mod measure;
pub mod rating;
pub mod sets;
pub mod state;

use std::sync::Arc;

use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::preferences::Workspace;
use crate::app::shell::previews::{Family, Preview};
use crate::app::shell::session::{Framing, JointPick};
use crate::app::study::sets::Member;
use crate::app::study::state::{LookedAt, StudyWorkspace};
use crate::motion::Clip;
use crate::study::measures::Reading;

impl StudyWorkspace {
    /// Shows a motion in the 3D view, at the moment that a reading is about.
    pub(in crate::app::study) fn look_at(
        &mut self,
        cx: &mut UiContext,
        member: &Member,
        reading: Option<Reading>,
    ) {
        let frame = reading.and_then(|reading| reading.frame);
        self.show_clips_again();
        let in_library = member.id.filter(|id| cx.document().clip(*id).is_some());
        if let Some(id) = in_library {
            cx.session.select([id]);
            let joint = reading.and_then(|reading| reading.joint);
            cx.session.joint = joint.map(|joint| JointPick {
                clip: id.into(),
                joint,
            });
        } else {
            self.looked_at = Some(LookedAt {
                clip: Arc::clone(&member.clip),
                selection: cx.session.selection.clone(),
            });
        }
        cx.session.range_secs = None;
        cx.session.span = None;
        cx.session.playhead_secs = frame.map_or(0.0, |frame| frame_secs(&member.clip, frame));
        cx.session.is_playing &= frame.is_none();
        cx.session.framing = Some(if frame.is_some() {
            Framing::Selection
        } else {
            Framing::All
        });
    }

    /// The 3D view shows clips, not what a panel put there in their place.
    fn show_clips_again(&mut self) {
        self.looked_at = None;
        self.clones.played = None;
        self.crowd.is_shown = false;
    }

    /// Once per frame: shows what is looked at.
    pub(in crate::app) fn turn(&mut self, shell: &mut Shell) {
        self.turn_crowd(shell);
        if shell.preferences.workspace != Workspace::Study {
            return;
        }
        if self.rating.running.is_some() {
            self.turn_session(shell);
            if let Some(asked) = self.asked_clip(shell) {
                shell.previews.wish(alone(&asked));
            }
            return;
        }
        self.looked_at
            .take_if(|looked_at| looked_at.selection != shell.session.selection);
        if let Some(looked_at) = &self.looked_at {
            shell.previews.wish(alone(&looked_at.clip));
        }
    }
}

/// One motion that is no clip, at the playhead.
fn alone(clip: &Arc<Clip>) -> Preview {
    Preview::Family(Family {
        variants: vec![Arc::clone(clip)],
        looked_at: Some(0),
        ..Family::default()
    })
}

/// A little into the frame, so that rounding does not show the one before.
fn frame_secs(clip: &Clip, frame: usize) -> f64 {
    (frame as f64 + 1e-3) / clip.fps()
}
