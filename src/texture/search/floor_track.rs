//! The way of the body over the floor.

use crate::motion::path::{
    Vec2, contact_speeds, gait_cycle, heading_of, on_floor, smoothed, turned,
};
use crate::motion::rotation::wrap;
use crate::motion::{Clip, HeadingFrame};

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

    /// How many frames there are.
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

/// Slower than this the body has no direction of travel; metres a second.
const STANDS: f64 = 0.15;
