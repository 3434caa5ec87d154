//! What the search knows of the clips: where the body goes in each, and which frames lead to which.

use super::floor_track::FloorTrack;
use crate::motion::rotation::wrap;
use crate::texture::{Corridor, FrameGraph, FrameId};

/// All clips with their transitions.
#[derive(Debug, Clone, Copy)]
pub struct SearchCorpus<'a> {
    /// One for each clip of the graph, with as many frames.
    pub tracks: &'a [FloorTrack],
    /// The transitions between frames.
    pub graph: &'a FrameGraph,
    /// The frame rate of all clips, in frames per second.
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
