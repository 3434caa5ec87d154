//! Things of the moment: what is selected, where the playhead is, what is half typed. Never saved, never undone.

use std::collections::{BTreeMap, BTreeSet};

use crate::app::render::{Camera, View};
use crate::app::shell::stage::StageId;
use crate::app::shell::sync::SyncMode;
use crate::app::shell::view_options::Arrangement;
use crate::document::{ClipId, Document};

/// What should be brought into view at the next chance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Framing {
    /// The selected clips as they are now.
    Selection,
    /// The selected clips with all that they pass through.
    All,
    /// From a named side, at the same distance.
    From(View),
    /// The camera turns about the picked joint or the active character from now on.
    Pivot,
}

/// A name being typed in the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rename {
    /// The clip that gets it.
    pub clip: ClipId,
    /// What is typed so far.
    pub text: String,
    /// Whether the box still has to take the keyboard.
    pub is_new: bool,
}

/// The stretch of time that the timeline shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// At the left edge.
    pub from_secs: f64,
    /// From edge to edge; over zero.
    pub wide_secs: f64,
}

/// A contact on the timeline that was clicked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContactPick {
    /// The clip, or take, whose contact it is.
    pub clip: StageId,
    /// The joint that touches.
    pub joint: usize,
    /// A frame of the contact.
    pub frame: usize,
}

/// A joint that was clicked in the 3D view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JointPick {
    /// The clip, or take, whose joint it is.
    pub clip: StageId,
    /// The number of the joint in its skeleton.
    pub joint: usize,
}

/// What the playhead counts the seconds of. Each has a time range of its own, so each has its own playhead, range and
/// zoom of the timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Subject {
    /// The clips that are selected in the library.
    #[default]
    Clips,
    /// A family of takes and variants.
    Family,
    /// Something that a workspace plays: what kind of thing, and its number.
    Own(&'static str, u64),
}

/// How something is looked at: where its playhead is, what of it plays, and from where it is seen.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct SubjectView {
    playhead_secs: f64,
    range_secs: Option<(f64, f64)>,
    span: Option<Span>,
    camera: Option<Camera>,
    is_following: bool,
    arrangement: Arrangement,
}

/// Things of the moment.
#[derive(Debug, Clone)]
pub struct Session {
    /// The clips that are selected, in view and on the timeline.
    pub selection: BTreeSet<ClipId>,
    /// The one that was clicked last; its frames are counted.
    pub active: Option<ClipId>,
    /// Where a selection with shift starts.
    anchor: Option<ClipId>,
    /// What the playhead is of.
    subject: Subject,
    /// How other things were looked at last.
    elsewhere: BTreeMap<Subject, SubjectView>,
    /// From the start of the subject.
    pub playhead_secs: f64,
    /// Whether time goes by.
    pub is_playing: bool,
    /// Whether the end is followed by the start.
    pub is_looping: bool,
    /// How often the end was followed by the start while it played.
    pub n_rounds: u64,
    /// 1 is the speed at which it was recorded.
    pub speed: f64,
    /// Only this stretch plays; start and end in seconds.
    pub range_secs: Option<(f64, f64)>,
    /// None until something is there to look at.
    pub camera: Option<Camera>,
    /// Whether the camera goes along with the character.
    pub is_following: bool,
    /// A wish for the viewport.
    pub framing: Option<Framing>,
    /// How several clips go by together.
    pub sync: SyncMode,
    /// The joint that is lit up.
    pub joint: Option<JointPick>,
    /// Joints whose way is drawn, by name, beside those of the preferences.
    pub trails: BTreeSet<String>,
    /// The contact that was clicked.
    pub contact: Option<ContactPick>,
    /// What the library is searched for.
    pub search: String,
    /// A clip whose row should come into view, whatever the search hides.
    pub reveal: Option<ClipId>,
    /// Where clips of this project were exported to last.
    pub export_folder: Option<String>,
    /// A name being typed.
    pub rename: Option<Rename>,
    /// A tag being typed.
    pub tag: String,
    /// What the timeline shows; none shows all.
    pub span: Option<Span>,
    /// Whether the ruler counts seconds instead of frames.
    pub shows_seconds: bool,
}

impl Default for Session {
    fn default() -> Self {
        Self {
            selection: BTreeSet::new(),
            active: None,
            anchor: None,
            subject: Subject::default(),
            elsewhere: BTreeMap::new(),
            playhead_secs: 0.0,
            is_playing: false,
            is_looping: true,
            n_rounds: 0,
            speed: 1.0,
            range_secs: None,
            camera: None,
            is_following: false,
            framing: Some(Framing::All),
            sync: SyncMode::default(),
            joint: None,
            trails: BTreeSet::new(),
            contact: None,
            search: String::new(),
            reveal: None,
            export_folder: None,
            rename: None,
            tag: String::new(),
            span: None,
            shows_seconds: false,
        }
    }
}

/// How a click adds to the selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Click {
    /// Only the clip that was clicked is selected from then on.
    Only,
    /// This one changes sides (ctrl).
    Toggle,
    /// Everything from the last click to here (shift).
    Through,
}

impl Session {
    /// The speeds that the transport offers.
    pub const SPEEDS: [f64; 7] = [0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 4.0];

    /// A click on a clip in a list that shows `shown` in this order.
    pub fn click(&mut self, id: ClipId, click: Click, shown: &[ClipId]) {
        // What was clicked last is what Delete means.
        self.contact = None;
        match click {
            Click::Only => {
                self.selection = BTreeSet::from([id]);
                self.anchor = Some(id);
            }
            Click::Toggle => {
                if !self.selection.remove(&id) {
                    self.selection.insert(id);
                }
                self.anchor = Some(id);
            }
            Click::Through => {
                let place = |id| shown.iter().position(|other| *other == id);
                let from = self.anchor.and_then(place);
                match (from, place(id)) {
                    (Some(a), Some(b)) => {
                        self.selection = shown[a.min(b)..=a.max(b)].iter().copied().collect();
                    }
                    _ => self.selection = BTreeSet::from([id]),
                }
            }
        }
        self.active = if self.selection.contains(&id) {
            Some(id)
        } else {
            self.selection.last().copied()
        };
    }

    /// Selects exactly these; the first becomes the active one.
    pub fn select(&mut self, ids: impl IntoIterator<Item = ClipId>) {
        self.contact = None;
        let mut ids = ids.into_iter().peekable();
        self.active = ids.peek().copied();
        self.anchor = self.active;
        self.selection = ids.collect();
    }

    /// Forgets clips that are not there any more.
    pub fn forget_lost(&mut self, document: &Document) {
        self.selection.retain(|id| document.clip(*id).is_some());
        if self.active.is_none_or(|id| !self.selection.contains(&id)) {
            self.active = self.selection.first().copied();
        }
        self.contact.take_if(|pick| {
            pick.clip
                .clip()
                .is_some_and(|id| document.clip(id).is_none())
        });
        self.joint.take_if(|pick| {
            let clip = pick.clip.clip().and_then(|id| document.clip(id));
            clip.is_none_or(|clip| pick.joint >= clip.skeleton().n_joints())
        });
        if let Some(rename) = &self.rename
            && document.clip(rename.clip).is_none()
        {
            self.rename = None;
        }
    }

    /// What the playhead is of.
    pub fn subject(&self) -> Subject {
        self.subject
    }

    /// From now on something else is looked at, as it was left; what was never looked at comes into view as a whole.
    pub(in crate::app) fn turn_to(&mut self, subject: Subject, arrangement: &mut Arrangement) {
        if self.subject == subject {
            return;
        }
        let left = SubjectView {
            playhead_secs: self.playhead_secs,
            range_secs: self.range_secs,
            span: self.span,
            camera: self.camera,
            is_following: self.is_following,
            arrangement: *arrangement,
        };
        self.elsewhere.insert(self.subject, left);
        let found = self.elsewhere.remove(&subject).unwrap_or_default();
        self.subject = subject;
        self.playhead_secs = found.playhead_secs;
        self.range_secs = found.range_secs;
        self.span = found.span;
        self.is_following = found.is_following;
        *arrangement = found.arrangement;
        if found.camera.is_none() {
            self.framing = Some(Framing::All);
        }
        // Until it is framed, from where one looked before.
        self.camera = found.camera.or(self.camera);
    }

    /// How something stands when it is looked at for the first time.
    pub(in crate::app) fn stands_first(&mut self, subject: Subject, arrangement: Arrangement) {
        self.elsewhere.entry(subject).or_default().arrangement = arrangement;
    }

    /// What lasts this long is not left by the playhead, nor by the range.
    pub(in crate::app) fn keep_within(&mut self, length_secs: f64) {
        if length_secs > 0.0 {
            self.playhead_secs = self.playhead_secs.clamp(0.0, length_secs);
            self.range_secs.take_if(|(from, _)| *from >= length_secs);
            self.span.take_if(|span| span.from_secs >= length_secs);
        }
    }

    /// With another project nothing of the old one is searched for, marked or followed; how things are played stays.
    pub(in crate::app) fn begin_anew(&mut self) {
        *self = Self {
            is_looping: self.is_looping,
            speed: self.speed,
            sync: self.sync,
            shows_seconds: self.shows_seconds,
            ..Self::default()
        };
    }

    /// The stretch that plays, of clips that last this long.
    pub fn playing_stretch(&self, length_secs: f64) -> (f64, f64) {
        let (from, to) = self.range_secs.unwrap_or((0.0, length_secs));
        let from = from.clamp(0.0, length_secs);
        (from, to.clamp(from, length_secs))
    }

    /// Lets time go by, if it is playing.
    pub fn advance(&mut self, secs: f64, length_secs: f64) {
        if !self.is_playing || !secs.is_finite() || secs <= 0.0 {
            return;
        }
        let (from, to) = self.playing_stretch(length_secs);
        let wide = to - from;
        if wide <= 0.0 {
            self.playhead_secs = from;
            return;
        }
        let next = self.playhead_secs.max(from) + secs * self.speed;
        if next < to {
            self.playhead_secs = next;
        } else if self.is_looping {
            self.playhead_secs = from + (next - from).rem_euclid(wide);
            self.n_rounds += 1;
        } else {
            self.playhead_secs = to;
            self.is_playing = false;
        }
    }

    /// One speed up or down.
    pub fn change_speed(&mut self, is_faster: bool) {
        let next = if is_faster {
            Self::SPEEDS.into_iter().find(|s| *s > self.speed)
        } else {
            Self::SPEEDS.into_iter().rev().find(|s| *s < self.speed)
        };
        self.speed = next.unwrap_or(self.speed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHOWN: [ClipId; 5] = [ClipId(9), ClipId(2), ClipId(5), ClipId(1), ClipId(7)];

    #[test]
    fn clicks_select_as_in_any_list() {
        let mut session = Session::default();
        session.click(ClipId(2), Click::Only, &SHOWN);
        session.click(ClipId(1), Click::Through, &SHOWN);
        let ids: Vec<u64> = session.selection.iter().map(|id| id.0).collect();
        assert_eq!(ids, [1, 2, 5], "a stretch of the list, not of the numbers");
        session.click(ClipId(9), Click::Through, &SHOWN);
        let ids: Vec<u64> = session.selection.iter().map(|id| id.0).collect();
        assert_eq!(ids, [2, 9], "the other way, from the same start");
        session.click(ClipId(9), Click::Toggle, &SHOWN);
        assert_eq!(session.active, Some(ClipId(2)));
        session.click(ClipId(2), Click::Toggle, &SHOWN);
        assert_eq!(session.active, None, "nothing is left");
    }

    #[test]
    fn time_loops_within_the_range_and_stops_at_its_end() {
        let mut session = Session {
            is_playing: true,
            range_secs: Some((1.0, 3.0)),
            ..Session::default()
        };
        session.advance(0.5, 10.0);
        assert_eq!(session.playhead_secs, 1.5);
        session.advance(2.0, 10.0);
        assert_eq!(session.playhead_secs, 1.5, "once around");
        session.is_looping = false;
        session.speed = 4.0;
        session.advance(1.0, 10.0);
        assert_eq!(session.playhead_secs, 3.0);
        assert!(!session.is_playing, "it stops at the end");
    }

    #[test]
    fn odd_lengths_do_no_harm() {
        for length in [0.0, 1e-12] {
            let mut session = Session {
                is_playing: true,
                range_secs: Some((5.0, 4.0)),
                ..Session::default()
            };
            session.advance(1.0, length);
            assert!(session.playhead_secs.is_finite(), "length {length}");
            session.advance(f64::NAN, length);
            assert!(session.playhead_secs.is_finite(), "length {length}");
        }
    }

    #[test]
    fn each_thing_has_a_playhead_of_its_own() {
        let mut session = Session {
            playhead_secs: 2.5,
            range_secs: Some((1.0, 2.0)),
            ..Session::default()
        };
        let mut arrangement = Arrangement::Grid;
        let mut turn = |session: &mut Session, subject| session.turn_to(subject, &mut arrangement);
        turn(&mut session, Subject::Own("shot", 1));
        assert_eq!((session.playhead_secs, session.range_secs), (0.0, None));
        session.playhead_secs = 0.5;
        turn(&mut session, Subject::Own("shot", 2));
        turn(&mut session, Subject::Clips);
        assert_eq!(session.playhead_secs, 2.5);
        assert_eq!(session.range_secs, Some((1.0, 2.0)));
        turn(&mut session, Subject::Own("shot", 1));
        assert_eq!(session.playhead_secs, 0.5);
        turn(&mut session, Subject::Clips);
        session.keep_within(0.9);
        assert_eq!((session.playhead_secs, session.range_secs), (0.9, None));
        session.keep_within(0.0);
        assert_eq!(session.playhead_secs, 0.9, "nothing is there: it stays");
        assert_eq!(arrangement, Arrangement::Grid, "only clips stood in a grid");
    }

    #[test]
    fn speeds_go_up_and_down_and_end() {
        let mut session = Session::default();
        for _ in 0..9 {
            session.change_speed(true);
        }
        assert_eq!(session.speed, 4.0);
        session.change_speed(false);
        assert_eq!(session.speed, 2.0);
    }
}
