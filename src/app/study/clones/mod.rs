//! Motion that comes again: found in the background, and played pair by pair, side by side.

pub(in crate::app) mod ui;

use std::sync::Arc;

use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::{DeliveryTo, Shown};
use crate::app::shell::messages::Severity;
use crate::app::shell::words::counted;
use crate::app::study::measure::refs;
use crate::app::study::sets::Member;
use crate::app::study::state::StudyWorkspace;
use crate::motion::edit::{self, EditError, Placement};
use crate::motion::heading::left;
use crate::motion::{Clip, Vec3, body};
use crate::study::clones::{CloneReport, CloneSettings, NEAR, Span, find};

/// The job, as the status bar names it.
pub const FIND: &str = "find clones";

/// What the panel remembers.
#[derive(Debug)]
pub struct ClonesView {
    /// The name of the set that is searched; none is the selected clips.
    pub set: Option<String>,
    /// What is nearer than this, in body heights, is a clone.
    pub near: f64,
    /// Whether steps of one clip that are like each other are listed, too.
    pub shows_within: bool,
    /// Whether a pair is shown on one spot instead of side by side.
    pub is_overlaid: bool,
    /// The last result.
    pub found: Option<Arc<Found>>,
    /// The pair that is played.
    pub played: Option<Played>,
}

impl Default for ClonesView {
    fn default() -> Self {
        Self {
            set: None,
            near: NEAR,
            shows_within: true,
            is_overlaid: false,
            found: None,
            played: None,
        }
    }
}

/// What was found, with the motions it is about.
#[derive(Debug)]
pub struct Found {
    /// What was searched.
    pub name: String,
    /// All motions, by the numbers of the report.
    pub members: Vec<Member>,
    /// What comes again.
    pub report: CloneReport,
}

/// A pair in the 3D view.
#[derive(Debug)]
pub struct Played {
    /// Which of the report.
    pub pair: usize,
    /// Both stretches.
    pub clips: Vec<Arc<Clip>>,
}

impl Found {
    /// "walk 12 … 40".
    pub fn words(&self, span: &Span) -> String {
        let name = &self.members[span.clip].clip.info.name;
        format!("{name} {} … {}", span.frames.start, span.frames.end)
    }

    /// Both stretches of a pair, starting on one spot or side by side and facing one way.
    fn stretches(&self, pair: usize, is_overlaid: bool) -> Result<Vec<Arc<Clip>>, EditError> {
        const APART: f64 = 0.55;
        let pair = &self.report.clones[pair];
        let both = [(&pair.first, -0.5), (&pair.second, 0.5)];
        let stretch = |(span, side): (&Span, f64)| {
            let clip = &self.members[span.clip].clip;
            let cut = edit::trim(clip, span.frames.clone())?;
            let aside = if is_overlaid {
                Vec3::zeros()
            } else {
                left(cut.info.up) * (side * APART * body::height(clip))
            };
            let place = Placement {
                place: Some(aside),
                ..Placement::at_origin(0)
            };
            let mut placed = edit::align(&cut, &place)?;
            placed.info.name = self.words(span);
            Ok(Arc::new(placed))
        };
        both.into_iter().map(stretch).collect()
    }
}

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
