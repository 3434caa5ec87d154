//! What the search knows of the clips: where the body goes in each, and which frames lead to which.

use crate::motion::path::{
    Vec2, contact_speeds, gait_cycle, heading_of, on_floor, smoothed, turned,
};
use crate::motion::rotation::wrap;
use crate::motion::{Clip, HeadingFrame};
use crate::texture::{Corridor, FrameGraph, FrameId};

/// Slower than this the body has no direction of travel; metres a second.
const STANDS: f64 = 0.15;

/// The way of the body through one clip; one entry for each frame in every list.
#[derive(Debug, Clone, PartialEq)]
pub struct FloorTrack {
    /// The root on the floor, averaged over a gait cycle; metres.
    pub places: Vec<Vec2>,
    /// Which way the body faces.
    pub headings: Vec<f64>,
    /// Which way it goes.
    pub courses: Vec<f64>,
    /// How fast; metres a second.
    pub speeds: Vec<f64>,
    /// How fast toes move that are down, averaged over a step; metres a second. None that is known is none.
    pub slides: Vec<f64>,
    /// Index of the label.
    pub labels: Vec<usize>,
    /// Whether the body goes backwards for most of the clip, so that facing away from the curve is right.
    pub is_backward: bool,
}

impl FloorTrack {
    /// Reads a clip that has one label.
    pub fn of_clip(clip: &Clip, heading: &HeadingFrame, metres: f64, label: usize) -> Self {
        let track = heading.track(clip);
        let root: Vec<Vec2> = track
            .positions
            .iter()
            .map(|p| on_floor(heading.up, p) * metres)
            .collect();
        let widths = gait_cycle(clip, heading).frames(clip.fps());
        let places = smoothed(&root, &widths);
        let labels = vec![label; places.len()];
        Self::new(places, track.headings, labels, clip.fps())
    }

    /// From smoothed places in metres, headings, and the labels of the frames. Lists are cut to the shortest.
    pub fn new(places: Vec<Vec2>, headings: Vec<f64>, labels: Vec<usize>, fps: f64) -> Self {
        let n = places.len().min(headings.len()).min(labels.len());
        let reach = ((0.1 * fps).round() as usize).max(1);
        let mut courses = Vec::with_capacity(n);
        let mut speeds = Vec::with_capacity(n);
        let mut behind = 0;
        for at in 0..n {
            let (from, to) = (at.saturating_sub(reach), (at + reach).min(n - 1));
            let way = places[to] - places[from];
            let speed = way.norm() * fps / (to - from).max(1) as f64;
            let moves = speed > STANDS;
            let course = if moves {
                heading_of(&way)
            } else {
                headings[at]
            };
            behind += usize::from(moves && wrap(headings[at] - course).abs() > 2.0);
            courses.push(course);
            speeds.push(speed);
        }
        Self {
            places: places.into_iter().take(n).collect(),
            headings: headings.into_iter().take(n).collect(),
            labels: labels.into_iter().take(n).collect(),
            slides: vec![0.0; n],
            courses,
            speeds,
            is_backward: 2 * behind > n,
        }
    }

    /// The same, knowing how feet slide over a floor of this height.
    #[must_use]
    pub fn with_slides(mut self, clip: &Clip, floor: f64, metres: f64) -> Self {
        const STEP_SECS: f64 = 0.3;
        let speeds = contact_speeds(clip, floor, metres);
        let reach = (STEP_SECS * clip.fps()).round() as usize;
        for (frame, slide) in self.slides.iter_mut().enumerate() {
            let around = frame.saturating_sub(reach)..(frame + reach).min(speeds.len());
            let own: Vec<f64> = speeds[around].iter().flatten().copied().collect();
            *slide = own.iter().sum::<f64>() / own.len().max(1) as f64;
        }
        self
    }

    /// Frames there are.
    pub fn n_frames(&self) -> usize {
        self.places.len()
    }

    /// How the body got to a frame from the one before: the way, as seen from there, and the turn. The first frame
    /// takes those of the second.
    pub(super) fn flow(&self, frame: usize) -> (Vec2, f64) {
        let to = frame.max(1).min(self.n_frames() - 1);
        let from = to.saturating_sub(1);
        let way = turned(&(self.places[to] - self.places[from]), -self.headings[to]);
        (way, self.headings[to] - self.headings[from])
    }
}

/// All clips with their transitions.
#[derive(Debug, Clone, Copy)]
pub struct SearchCorpus<'a> {
    /// One for each clip of the graph, with as many frames.
    pub tracks: &'a [FloorTrack],
    /// Where frames lead.
    pub graph: &'a FrameGraph,
    /// Frames per second.
    pub fps: f64,
    /// The median distance of all transitions, which jumps are counted in.
    usual_distance: f64,
    /// Where transitions may lead; anywhere if there is none.
    corridor: Option<&'a Corridor<'a>>,
}

impl<'a> SearchCorpus<'a> {
    /// Tracks and graph must be of the same clips.
    pub fn new(tracks: &'a [FloorTrack], graph: &'a FrameGraph, fps: f64) -> Self {
        let mut distances: Vec<f64> = graph.transitions().iter().map(|t| t.distance).collect();
        let usual_distance = if distances.is_empty() {
            1.0
        } else {
            let middle = distances.len() / 2;
            *distances.select_nth_unstable_by(middle, f64::total_cmp).1
        };
        Self {
            tracks,
            graph,
            fps,
            usual_distance: usual_distance.max(f64::MIN_POSITIVE),
            corridor: None,
        }
    }

    /// The same with transitions into these systems only.
    #[must_use]
    pub fn within(mut self, corridor: Option<&'a Corridor<'a>>) -> Self {
        self.corridor = corridor;
        self
    }

    /// Whether a transition may lead there.
    pub(in crate::texture) fn allows(&self, at: FrameId) -> bool {
        self.corridor.is_none_or(|c| c.contains(at))
    }

    /// A distance in usual ones.
    pub(super) fn relative(&self, distance: f64) -> f64 {
        distance / self.usual_distance
    }

    /// The label of a frame.
    pub fn label(&self, at: FrameId) -> usize {
        self.tracks[at.clip].labels[at.frame]
    }

    /// The tightest radius that these labels turn with by themselves: of all seconds in which the body moves about as
    /// fast as usual, the one in fifty that turns most for its way, to the side that is turned to less. Metres; none
    /// if nothing of these labels moves for a second.
    pub fn tightest_radius(&self, labels: &[usize]) -> Option<f64> {
        let second = (self.fps.round() as usize).max(1);
        let mut seconds = Vec::new();
        for track in self.tracks {
            for from in (0..track.n_frames().saturating_sub(second)).step_by(second.div_ceil(4)) {
                let to = from + second;
                let way: f64 = track.speeds[from..to].iter().sum::<f64>() / self.fps;
                if !labels.contains(&track.labels[from]) || way < 0.3 {
                    continue;
                }
                let steps = track.courses[from..=to].windows(2);
                let turn: f64 = steps.map(|c| wrap(c[1] - c[0])).sum();
                seconds.push((way, turn / way));
            }
        }
        // Whoever stops to turn does not turn on the way.
        seconds.sort_by(|a, b| a.0.total_cmp(&b.0));
        let usual = seconds.get(seconds.len() / 2)?.0;
        let at_speed = seconds.iter().filter(|(way, _)| *way > 0.7 * usual);
        let mut bends: Vec<f64> = at_speed.map(|(_, bend)| *bend).collect();
        bends.sort_by(f64::total_cmp);
        // Paths turn to both sides: the one that is turned to less says how far.
        let one_in_fifty = bends.len() / 50;
        let (right, left) = (-bends[one_in_fifty], bends[bends.len() - 1 - one_in_fifty]);
        Some(1.0 / right.min(left).max(1e-6))
    }
}
