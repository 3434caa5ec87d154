//! Along a curve on the floor, with actions on its parts.

use std::ops::Range;

use super::beam::{Explored, trace};
use super::error::FollowError;
use super::routes::OFF_LABEL;
use super::settings::SAMPLES;
use super::timetable::{FrameCosts, Timetable};
use super::{Found, Goal, Rough, SearchCorpus, SearchSettings, Start, Visit};
use crate::motion::path::FloorPath;
use crate::motion::rotation::wrap;
use crate::texture::{FrameId, Piece};

/// Weight of squared angles beside squared metres.
const ANGLES: f64 = 0.09;

/// Weight of the squared speed of toes that slide, in metres a second: turning clips whose feet stand are preferred.
const SLIDES: f64 = 0.3;

/// The body may face this far away from the curve for nothing: shoulders swing, and sneaking is done sideways.
const FACING_RAD: f64 = 0.5;

/// Slower than this, the body is waiting; metres a second.
const WAITS: f64 = 0.1;

/// What a sample of standing costs; slower than half the usual speed of the action costs a part of it. About as much
/// as the wrong action does: with a twentieth of it, motions stood for 16 s before the border of a section whose
/// action was hard to reach.
const WAIT_COST: f64 = 1.0;

/// Whoever has not come this much further in this time is stalled, and every sample of that costs as much: far from the
/// curve, standing would be cheaper than walking back.
const STALL_METRES: f64 = 0.3;

const STALL_SECS: f64 = 3.0;

const STALL_COST: f64 = 10.0;

/// A metre that another action goes counts like the time it takes at this speed; metres a second.
const OFF_SPEED: f64 = 0.5;

/// How far ahead the next part of the curve is thought of; metres.
const AHEAD: f64 = 4.0;

/// Farther than this from the curve, the warp has to bend what the clips do not do; metres.
const BENT: f64 = 0.25;

/// Frames between two starts that are tried, in seconds.
const START_SECS: f64 = 0.1;

/// Slowest walk that is waited for: longer searches are given up; metres a second.
const SLOWEST: f64 = 0.15;

/// Labels that are wanted on a part of a curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Where it is along the curve, as arc length in metres.
    pub arc: Range<f64>,
    /// Any of these; an empty list allows all.
    pub labels: Vec<usize>,
}

/// A part of the curve that the clips do not follow by themselves.
#[derive(Debug, Clone, PartialEq)]
pub struct Bend {
    /// Where it is along the curve, as arc length in metres.
    pub arc: Range<f64>,
    /// How far the clips are off, at most; metres. What the warp has to make up for.
    pub off: f64,
}

/// A part of the motion that shows another action than the one that is wanted.
#[derive(Debug, Clone, PartialEq)]
pub struct OffLabel {
    /// Where it is along the curve, as arc length in metres.
    pub arc: Range<f64>,
    /// What is shown instead.
    pub label: usize,
    /// For how many seconds it is shown.
    pub secs: f64,
}

/// What to play along a curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Followed {
    /// The pieces of clips to play, in order.
    pub pieces: Vec<Piece>,
    /// Where the first frame goes.
    pub start: Start,
    /// How far along the curve it leads; metres.
    pub reached: f64,
    /// Whether that is all of it.
    pub is_done: bool,
    /// Steps that the search tried.
    pub n_tried: usize,
    /// Parts that are left to the warp.
    pub bends: Vec<Bend>,
    /// Parts with other labels than wanted.
    pub off_label: Vec<OffLabel>,
    /// How long the body stands on its way, which no clip of a moving action should make it.
    pub waited_secs: f64,
    /// The smoothed root as the search sees it, one place for each frame; metres.
    pub root: Vec<crate::motion::path::Vec2>,
}

impl Followed {
    /// How long other actions than wanted are shown.
    pub fn off_label_secs(&self) -> f64 {
        self.off_label.iter().map(|part| part.secs).sum()
    }
}

/// Finds what to play along a curve in metres ([`FloorPath::scaled`]). Sections must be in order; where none is, any
/// label will do.
pub fn follow_path(
    corpus: &SearchCorpus<'_>,
    path: &FloorPath,
    sections: &[Section],
    settings: &SearchSettings,
) -> Result<Followed, FollowError> {
    Following::new(corpus, path, sections, settings).search(&[], 0)
}

/// A curve that is followed in several tries.
#[derive(Debug)]
pub struct Following<'a> {
    corpus: &'a SearchCorpus<'a>,
    goal: PathGoal<'a>,
    starts: Vec<Start>,
    settings: SearchSettings,
    explored: Explored<OnPath>,
}

impl<'a> Following<'a> {
    /// As [`follow_path`] takes them.
    pub fn new(
        corpus: &'a SearchCorpus<'a>,
        path: &'a FloorPath,
        sections: &[Section],
        settings: &SearchSettings,
    ) -> Self {
        let mut goal = PathGoal::new(corpus, path, sections, settings);
        Self {
            starts: goal.starts(corpus, settings),
            settings: settings.clone(),
            explored: Explored::default(),
            corpus,
            goal,
        }
    }

    /// Finds what to play, without jumps that turned out rough. The motion that was found before stays as it is until
    /// shortly before a frame of it.
    pub fn search(&mut self, avoid: &[Rough], frame: usize) -> Result<Followed, FollowError> {
        self.settings.avoid = avoid.to_vec();
        let (corpus, goal, settings) = (self.corpus, &self.goal, &self.settings);
        let explored = &mut self.explored;
        let found = explored.search(corpus, goal, &self.starts, settings, frame);
        let found = found.ok_or(FollowError::NoStart)?;
        Ok(goal.followed(corpus, found, settings))
    }
}

/// A curve with labels.
#[derive(Debug)]
pub struct PathGoal<'a> {
    path: &'a FloorPath,
    /// In order, without gaps; at least one.
    parts: Vec<Part>,
    timetable: Timetable,
    /// What the whole path costs at least, wherever it begins.
    least: f64,
}

#[derive(Debug)]
struct Part {
    arc: Range<f64>,
    /// In order; an empty list allows all.
    labels: Vec<usize>,
    /// Of the actions that are wanted here, while they move; metres a second.
    usual_speed: f64,
}

impl Part {
    fn new(corpus: &SearchCorpus<'_>, arc: Range<f64>, labels: &[usize]) -> Self {
        let mut labels = labels.to_vec();
        labels.sort_unstable();
        let mut part = Self {
            arc,
            labels,
            usual_speed: 0.0,
        };
        part.usual_speed = usual_speed(corpus, &part);
        part
    }

    /// Whether a label is wanted here.
    fn allows(&self, label: usize) -> bool {
        self.labels.is_empty() || self.labels.binary_search(&label).is_ok()
    }

    /// What a sample costs that goes at this speed, with feet that slide at that one.
    fn sample_cost(&self, speed: f64, slide: f64) -> f64 {
        let lacks = (1.0 - 2.0 * speed / self.usual_speed.max(WAITS)).max(0.0);
        WAIT_COST * lacks * lacks + SLIDES * slide * slide
    }

    /// What it costs to show a label for some time and some way: parts of a path are as long as they are, however
    /// fast one runs past them.
    fn off_cost(&self, label: usize, secs: f64, metres: f64) -> f64 {
        if self.allows(label) {
            0.0
        } else {
            OFF_LABEL * (secs + metres / OFF_SPEED)
        }
    }
}

/// All costs of a path that do not depend on where the body is beside it.
struct Costs<'a> {
    corpus: &'a SearchCorpus<'a>,
    parts: &'a [Part],
    settings: &'a SearchSettings,
}

impl Costs<'_> {
    /// Along one action the shape of the path says what to jump to. A table that does not know the shape would
    /// mislead: jogs round a circle slid twice as fast. So only other actions count then.
    fn is_one_action(&self) -> bool {
        self.parts.len() == 1
    }
}

impl FrameCosts for Costs<'_> {
    fn n_parts(&self) -> usize {
        self.parts.len()
    }

    fn part_at(&self, arc: f64) -> usize {
        part_at(self.parts, arc)
    }

    fn frame_cost(&self, part: usize, at: FrameId) -> f64 {
        let (part, track) = (&self.parts[part], &self.corpus.tracks[at.clip]);
        let speed = track.speeds[at.frame];
        let secs = 1.0 / self.corpus.fps;
        let off = part.off_cost(track.labels[at.frame], secs, speed * secs);
        if self.is_one_action() {
            return off;
        }
        let samples = SAMPLES as f64 / self.settings.step_frames(self.corpus.fps) as f64;
        off + samples * part.sample_cost(speed, track.slides[at.frame])
    }

    fn jump_cost(&self, distance: f64) -> f64 {
        if self.is_one_action() {
            return 0.0;
        }
        self.settings.distance_cost(self.corpus, distance)
    }
}

fn part_at(parts: &[Part], arc: f64) -> usize {
    let found = parts.iter().position(|part| arc < part.arc.end);
    found.unwrap_or(parts.len() - 1)
}

/// How far along the curve a motion is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnPath {
    arc: f64,
    place: Option<crate::motion::path::Vec2>,
    /// The time since the start.
    secs: f64,
    /// When the motion last came further by a good piece, and how far that was.
    came: (f64, f64),
}

impl<'a> PathGoal<'a> {
    /// A curve in metres.
    pub fn new(
        corpus: &SearchCorpus<'_>,
        path: &'a FloorPath,
        sections: &[Section],
        settings: &SearchSettings,
    ) -> Self {
        let mut parts: Vec<Part> = Vec::new();
        let mut end = 0.0;
        for section in sections {
            if section.arc.start > end {
                parts.push(Part::new(corpus, end..section.arc.start, &[]));
            }
            parts.push(Part::new(corpus, section.arc.clone(), &section.labels));
            end = section.arc.end;
        }
        if end < path.length() {
            parts.push(Part::new(corpus, end..path.length(), &[]));
        }
        let costs = Costs {
            corpus,
            parts: &parts,
            settings,
        };
        let blend = settings.blend_frames(corpus.fps);
        let timetable = Timetable::new(corpus, &costs, path.length(), blend);
        Self {
            path,
            parts,
            timetable,
            least: 0.0,
        }
    }

    fn part(&self, arc: f64) -> &Part {
        &self.parts[part_at(&self.parts, arc)]
    }

    /// Frames that may begin: of the right labels and on the move, placed so that they go along the curve.
    fn starts(&mut self, corpus: &SearchCorpus<'_>, settings: &SearchSettings) -> Vec<Start> {
        let stride = ((START_SECS * corpus.fps) as usize).max(1);
        let step = settings.step_frames(corpus.fps);
        let part = &self.parts[0];
        let (place, heading) = (self.path.place(0.0), self.path.heading(0.0));
        let mut starts = Vec::new();
        for (clip, track) in corpus.tracks.iter().enumerate() {
            for frame in (0..track.n_frames().saturating_sub(step + 1)).step_by(stride) {
                if part.allows(track.labels[frame]) && track.speeds[frame] > WAITS {
                    starts.push(Start {
                        at: FrameId { clip, frame },
                        turn_rad: heading - track.courses[frame],
                        place,
                        cost: 0.0,
                        may_jump: false,
                    });
                }
            }
        }
        let costs = starts.iter().map(|s| self.timetable.to_go(s.at, 0.0));
        self.least = costs.fold(f64::INFINITY, f64::min);
        starts
    }

    /// What became of it.
    fn followed(
        &self,
        corpus: &SearchCorpus<'_>,
        found: Found,
        settings: &SearchSettings,
    ) -> Followed {
        let root = trace(corpus, &found, settings);
        let speed = |at: &FrameId| corpus.tracks[at.clip].speeds[at.frame];
        let waited = root.iter().filter(|(at, _)| speed(at) < WAITS).count();
        let mut memory = self.begin();
        let mut bends: Vec<Bend> = Vec::new();
        let mut off_label: Vec<OffLabel> = Vec::new();
        for (at, place) in &root {
            let before = memory.arc;
            let off = self.advance(&mut memory, place);
            let here = before..memory.arc;
            // What goes on beyond the end is cut off.
            if off > BENT && before < self.path.length() {
                match bends.last_mut() {
                    Some(last) if last.arc.end >= before => {
                        last.arc.end = memory.arc;
                        last.off = last.off.max(off);
                    }
                    _ => bends.push(Bend {
                        arc: here.clone(),
                        off,
                    }),
                }
            }
            let label = corpus.label(*at);
            if !self.part(memory.arc).allows(label) {
                let secs = 1.0 / corpus.fps;
                match off_label.last_mut() {
                    Some(last) if last.label == label && last.arc.end >= before => {
                        last.arc.end = memory.arc;
                        last.secs += secs;
                    }
                    _ => off_label.push(OffLabel {
                        arc: here,
                        label,
                        secs,
                    }),
                }
            }
        }
        Followed {
            pieces: found.pieces,
            start: found.start,
            reached: memory.arc,
            is_done: found.is_done,
            n_tried: found.n_tried,
            bends,
            off_label,
            waited_secs: waited as f64 / corpus.fps,
            root: root.into_iter().map(|(_, place)| place).collect(),
        }
    }

    /// Goes along the curve to where it is nearest to a place, but never back and not much further than the body
    /// went. Gives the distance.
    fn advance(&self, memory: &mut OnPath, place: &crate::motion::path::Vec2) -> f64 {
        let way = memory.place.map_or(0.0, |before| (place - before).norm());
        memory.place = Some(*place);
        let within = memory.arc..memory.arc + 1.5 * way + 1e-6;
        let (arc, distance) = self.path.nearest(place, within);
        memory.arc = arc;
        distance
    }
}

impl Goal for PathGoal<'_> {
    type Memory = OnPath;

    fn begin(&self) -> OnPath {
        OnPath {
            arc: 0.0,
            place: Some(self.path.place(0.0)),
            secs: 0.0,
            came: (0.0, 0.0),
        }
    }

    fn visit(&self, memory: &mut OnPath, at: &Visit) -> f64 {
        let (arc, secs) = (memory.arc, memory.secs);
        let distance = self.advance(memory, &at.place);
        memory.secs = at.secs;
        let along = self.path.heading(memory.arc);
        let course = wrap(at.course_rad - along);
        let facing = (wrap(at.heading_rad - along).abs() - FACING_RAD).max(0.0);
        if memory.arc >= memory.came.1 + STALL_METRES {
            memory.came = (at.secs, memory.arc);
        }
        let is_stalled = at.secs - memory.came.0 > STALL_SECS;
        let stalled = if is_stalled { STALL_COST } else { 0.0 };
        let angles = ANGLES * (course * course + facing * facing);
        let part = self.part(memory.arc);
        let shown = part.sample_cost(at.speed, at.slide)
            + part.off_cost(at.label, at.secs - secs, memory.arc - arc);
        distance * distance + angles + shown + stalled
    }

    fn progress(&self, memory: &OnPath) -> f64 {
        memory.arc
    }

    fn is_done(&self, memory: &OnPath) -> bool {
        memory.arc >= self.path.length() - 1e-3
    }

    fn is_off(&self, memory: &OnPath, at: &Visit) -> bool {
        !self.part(memory.arc).allows(at.label)
    }

    fn ahead(&self, memory: &OnPath, at: &Visit) -> f64 {
        self.timetable.to_go(at.at, memory.arc) - self.least
    }

    fn lead(&self, memory: &OnPath, at: &Visit, next: FrameId) -> Option<f64> {
        let part = part_at(&self.parts, memory.arc);
        let is_near = part + 1 < self.parts.len() && self.parts[part].arc.end - memory.arc < AHEAD;
        let is_wanted = is_near || !self.parts[part].allows(at.label);
        is_wanted.then(|| self.timetable.to_go(next, memory.arc))
    }

    fn most_secs(&self) -> f64 {
        self.path.length() / SLOWEST + 5.0
    }
}

/// The median speed of all frames of some labels that move.
fn usual_speed(corpus: &SearchCorpus<'_>, part: &Part) -> f64 {
    let mut speeds: Vec<f64> = Vec::new();
    for track in corpus.tracks {
        let own = track.speeds.iter().zip(&track.labels);
        let moving = own.filter(|(speed, label)| **speed > WAITS && part.allows(**label));
        speeds.extend(moving.map(|(speed, _)| *speed));
    }
    let middle = speeds.len() / 2;
    match speeds.get_mut(middle) {
        Some(_) => *speeds.select_nth_unstable_by(middle, f64::total_cmp).1,
        None => 0.0,
    }
}
