//! Motion that comes again: found in the background, and played pair by pair, side by side.

pub(in crate::app) mod ui;
mod view;

use std::sync::Arc;

use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::DeliveryTo;
use crate::app::shell::messages::Severity;
use crate::app::shell::words::counted;
use crate::app::shell::work::Shown;
use crate::app::study::measure::refs;
use crate::app::study::sets::Member;
use crate::app::study::state::StudyWorkspace;
use crate::study::clones::{CloneSettings, find};

pub use view::{ClonesView, Found, Played};

/// The job, as the status bar names it.
pub const FIND: &str = "find clones";

impl StudyWorkspace {
    /// The motions that are searched, and what they are called.
    fn searched(&self, cx: &UiContext) -> (String, Vec<Member>) {
        let sets = &self.sets.sets;
        let name = self.clones.set.as_ref();
        let set = name.and_then(|name| sets.iter().find(|set| set.name == *name));
        if let Some(set) = set {
            return (set.name.clone(), set.members(cx.document()));
        }
        let selected = cx.selected_clips().into_iter();
        let members = selected.map(|(id, clip)| Member { id: Some(id), clip });
        ("selected clips".to_owned(), members.collect())
    }

    /// Looks for motion that comes again, in the background.
    pub fn find_clones(&mut self, cx: &mut UiContext) {
        let (name, members) = self.searched(cx);
        let settings = CloneSettings {
            near: self.clones.near,
        };
        self.inbox.start(cx, FIND, Shown::InBar, move |ticket| {
            let report = find(&refs(&members), settings, ticket)?;
            let delivery: DeliveryTo<Self> = Box::new(move |study, shell| {
                let words = counted(report.clones.len(), "repeated stretch");
                let words = words.replace("stretchs", "stretches");
                shell.say(Severity::Done, format!("{words} in {name}"));
                study.clones.played = None;
                study.clones.found = Some(Arc::new(Found {
                    name,
                    members,
                    report,
                }));
            });
            Ok(delivery)
        });
    }

    /// Plays a pair in the 3D view, again and again.
    pub fn play_pair(&mut self, cx: &mut UiContext, pair: usize) {
        let Some(found) = &self.clones.found else {
            return;
        };
        match found.stretches(pair, self.clones.is_overlaid) {
            Ok(clips) => {
                self.show_clips_again();
                self.clones.played = Some(Played { pair, clips });
                cx.session.framing = Some(crate::app::shell::session::Framing::All);
            }
            Err(error) => cx.say(
                Severity::Error,
                format!("the pair cannot be shown: {error}"),
            ),
        }
    }
}
