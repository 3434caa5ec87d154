//! Rating sessions: experiments A and B of Lau 2009, section 8, with the keyboard.
//!
//! A study and all answers to it are in the document, so they are saved, undone and recovered like everything else. A
//! session has no state beside them: whoever rates goes on from the answers that stand under their name
//! ([`Session::resume`]), whether the program was closed in between or an answer was undone.

pub(in crate::app) mod analysis_ui;
mod boxes_ui;
pub mod draft;
pub mod files;
pub(in crate::app) mod keyboard;
pub mod make;
pub(in crate::app) mod session_ui;
pub(in crate::app) mod ui;
mod view;

use std::sync::Arc;

use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::messages::Severity;
use crate::app::study::state::StudyWorkspace;
use crate::document::{Command, RatingStudy, StudyId};
use crate::motion::Clip;
use crate::study::session::{Key, Session, SessionError};

pub use view::{RatingView, Running};

impl StudyWorkspace {
    /// The study that is shown: the chosen one, or else the newest.
    pub fn chosen_study(&self, cx: &UiContext) -> Option<(StudyId, Arc<RatingStudy>)> {
        let document = cx.document();
        let chosen = self.rating.chosen;
        let chosen = chosen.and_then(|id| Some((id, Arc::clone(document.study(id)?))));
        let newest = || document.studies().last().cloned();
        chosen.or_else(newest)
    }

    /// The session that runs, as the document's answers have it.
    pub fn session(&self, cx: &UiContext) -> Option<(StudyId, Session)> {
        let running = self.rating.running.as_ref()?;
        let study = cx.document().study(running.study)?;
        let session = Session::resume(study.plan(), &running.rater, &study.ratings).ok()?;
        Some((running.study, session))
    }

    /// Begins a session, or goes on with one.
    pub fn start_session(&mut self, cx: &mut UiContext) {
        let Some((id, study)) = self.chosen_study(cx) else {
            return;
        };
        let rater = self.rating.rater.trim();
        match Session::resume(study.plan(), rater, &study.ratings) {
            Ok(session) => {
                self.rating.running = Some(Running {
                    study: id,
                    rater: session.rater().to_owned(),
                    asked: None,
                    was_looping: cx.session.is_looping,
                });
                self.show_clips_again();
            }
            Err(error) => cx.say(Severity::Error, error.to_string()),
        }
    }

    /// Ends the session; what was answered stays.
    pub fn pause_session(&mut self, cx: &mut UiContext) {
        if let Some(running) = self.rating.running.take() {
            cx.session.is_looping = running.was_looping;
            cx.session.is_playing = false;
        }
    }

    /// The motion that is asked about.
    pub fn asked_clip(&self, cx: &UiContext) -> Option<Arc<Clip>> {
        let (id, session) = self.session(cx)?;
        let study = cx.document().study(id)?;
        let clips = &study.stimuli.clips;
        clips.get(session.question()?.stimulus).map(Arc::clone)
    }

    /// Plays the motion that is asked about from its start.
    pub(in crate::app) fn replay(cx: &mut UiContext) {
        cx.session.playhead_secs = 0.0;
        cx.session.is_playing = true;
    }

    /// A key of the session: answers, or takes the last answer back. One step of the document.
    pub(in crate::app::study) fn press(&mut self, shell: &mut Shell, key: Key) {
        let Some((id, mut session)) = self.session(shell) else {
            return;
        };
        let Some(study) = shell.document().study(id).map(Arc::clone) else {
            return;
        };
        let running = self.rating.running.as_ref();
        let since = running.and_then(|running| Some(running.asked?.1));
        let secs = since.map_or(0.0, |since| shell.now_secs - since);
        let shown = session.question().map(|question| question.shown.id.clone());
        let what = match (key, shown) {
            (Key::Digit(_), Some(shown)) => format!("rate {shown} in"),
            _ => "take back a rating in".to_owned(),
        };
        match session.press(key, secs) {
            Ok(_) => {
                let study = study.with_ratings_of(session.rater(), session.ratings());
                shell.edit(Command::ChangeStudy {
                    what,
                    id,
                    study: Arc::new(study),
                });
            }
            Err(SessionError::Over | SessionError::NothingToUndo) => {}
            Err(error) => shell.say(Severity::Warning, error.to_string()),
        }
    }

    /// Forgets what one rater answered.
    pub(in crate::app::study) fn forget_rater(shell: &mut Shell, id: StudyId, rater: &str) {
        if let Some(study) = shell.document().study(id) {
            let study = study.with_ratings_of(rater, Vec::new());
            shell.edit(Command::ChangeStudy {
                what: format!("forget the ratings of {rater} in"),
                id,
                study: Arc::new(study),
            });
        }
    }

    /// Once per frame: a new question is played from its start; a session whose study is gone ends.
    pub(in crate::app::study) fn turn_session(&mut self, cx: &mut UiContext) {
        let Some((_, session)) = self.session(cx) else {
            self.pause_session(cx);
            return;
        };
        let number = session.question().map(|question| question.number);
        let Some(running) = &mut self.rating.running else {
            return;
        };
        if running.asked.map(|asked| asked.0) == number {
            return;
        }
        running.asked = number.map(|number| (number, cx.now_secs));
        if number.is_some() {
            // Once, as raters see it on the page; space plays it again.
            cx.session.is_looping = false;
            cx.session.range_secs = None;
            cx.session.span = None;
            cx.session.framing = Some(crate::app::shell::session::Framing::All);
            Self::replay(cx);
        }
    }
}
