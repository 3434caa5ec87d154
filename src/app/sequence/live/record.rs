//! What was played, as a sequence that can be edited, as a clip, or as a path with actions.

use std::sync::Arc;

use crate::app::sequence::live::Actions;
use crate::app::sequence::live::thread::Frame;
use crate::document::{ActionSource, DrawnPath, ModelId};
use crate::motion::path::{PathPoint, Vec2, on_floor, smoothed};
use crate::motion::{Axis, Clip, ClipInfo, Motion, Pose, Skeleton};
use crate::sequence::ActionList;
use crate::texture::Texture;
use crate::transition::{Transition, TransitionKind};

/// No recording is longer; seconds. Memory follows its length.
const MOST_SECS: f64 = 600.0;

/// An action that was on for less than this is no action; seconds.
const LEAST_SECS: f64 = 0.1;

/// Points of a recorded path are this far apart; metres of a body of 1.75 m.
const POINT_METRES: f64 = 0.8;

/// One action as it was played.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Play {
    action: usize,
    /// The first frame of play that belongs to it, the transition included.
    from: usize,
    /// The frame of play where the action itself begins, and which of its frames that is.
    starts: usize,
    enter: usize,
    /// Clusters that the transition goes through.
    pub(super) way: Vec<u32>,
}

impl Play {
    pub(super) fn of(action: usize, transition: &Transition) -> Self {
        Self {
            action,
            from: transition.at,
            starts: transition.action.start,
            enter: transition.enter,
            way: match &transition.kind {
                TransitionKind::Path(way) | TransitionKind::Bezier(way) => way.clone(),
                TransitionKind::Direct(_) | TransitionKind::Linear => Vec::new(),
            },
        }
    }

    /// The frame of the action that is shown at a frame of play.
    fn frame_at(&self, at: usize) -> usize {
        self.enter + at.saturating_sub(self.starts)
    }
}

/// One more action. What it interrupted before the first frame of it was shown was never played.
pub(super) fn enter(plays: &mut Vec<Play>, play: Play) {
    while plays.last().is_some_and(|last| last.from >= play.from) {
        plays.pop();
    }
    plays.push(play);
}

/// A graph begins with its first action.
pub(super) fn first(actions: &Actions) -> Vec<Play> {
    match actions {
        Actions::Graph(..) => vec![Play {
            action: 0,
            from: 0,
            starts: 0,
            enter: 0,
            way: Vec::new(),
        }],
        Actions::Texture(..) => Vec::new(),
    }
}

/// What was recorded of a live play, to become a sequence or a path.
#[derive(Debug, Clone)]
pub struct Recording {
    pub(super) actions: Actions,
    pub(super) skeleton: Arc<Skeleton>,
    pub(super) up: Axis,
    pub(super) fps: f64,
    /// The first frame of play that is recorded.
    pub(super) from: usize,
    pub(super) poses: Vec<Pose>,
    /// Marks of the frames, for a texture.
    pub(super) marks: Vec<usize>,
    pub(super) plays: Vec<Play>,
}

impl Recording {
    /// Frames that were recorded.
    pub fn n_frames(&self) -> usize {
        self.poses.len()
    }

    /// How long it is.
    pub fn secs(&self) -> f64 {
        self.poses.len() as f64 / self.fps
    }

    pub(super) fn push(&mut self, frames: &[Frame]) {
        let most = (MOST_SECS * self.fps) as usize;
        let room = most.saturating_sub(self.poses.len());
        for frame in frames.iter().take(room) {
            self.poses.push(frame.pose.clone());
            self.marks.push(frame.doing);
        }
    }

    /// Exactly what was seen.
    pub fn clip(&self, name: &str) -> Option<Clip> {
        let n = self.poses.len();
        let mut motion = Motion::with_capacity(&self.skeleton, 1.0 / self.fps, n);
        for pose in &self.poses {
            motion.push(pose.as_ref());
        }
        let mut info = ClipInfo::named(name);
        info.up = self.up;
        info.tags.insert("live".to_owned());
        info.history.push("recorded from live play".to_owned());
        Clip::new(info, Arc::clone(&self.skeleton), motion).ok()
    }

    /// The actions that were played, each left where it was left. None for a texture.
    pub fn actions(&self) -> Option<ActionList<ActionSource>> {
        let Actions::Graph(_, clips) = &self.actions else {
            return None;
        };
        let to = self.from + self.poses.len();
        let ends = self.plays.iter().skip(1).map(|p| p.from);
        let spans = self.plays.iter().zip(ends.chain([usize::MAX]));
        let within = spans.filter(|(play, end)| *end > self.from && play.from < to);
        let mut list = ActionList::default();
        let mut left_secs = None;
        for (play, end) in within {
            let left = play.frame_at(end.min(to));
            let n_shown = end.min(to).saturating_sub(play.from.max(self.from));
            if (n_shown as f64) < LEAST_SECS * self.fps && !list.entries.is_empty() {
                continue;
            }
            let Some(clip) = clips.get(play.action) else {
                continue;
            };
            let id = list.insert(usize::MAX, ActionSource::Clip(*clip));
            let Some(entry) = list.entry_mut(id) else {
                continue;
            };
            if left_secs.is_none() {
                let skipped = play.frame_at(self.from) as f64 / self.fps;
                entry.trim.start_secs = skipped;
            } else {
                entry.reached.leave_secs = left_secs;
                entry.reached.enter_secs = Some(play.enter as f64 / self.fps);
            }
            left_secs = Some(left as f64 / self.fps);
        }
        Some(list)
    }

    /// The way over the floor with the actions along it, for a texture to go again.
    pub fn path(&self, texture: &Texture, id: ModelId, name: &str) -> Option<DrawnPath> {
        let metres = texture.corpus().rig.metric.metres;
        let root = texture.corpus().rig.carrier();
        let places: Vec<Vec2> = self
            .poses
            .iter()
            .map(|pose| {
                let world = crate::motion::WorldPose::of(&self.skeleton, pose.as_ref());
                on_floor(self.up, &world.positions[root])
            })
            .collect();
        // A second is about a gait cycle: steps are no bends.
        let smooth = smoothed(&places, &vec![self.fps; places.len()]);
        let mut points: Vec<PathPoint> = Vec::new();
        let mut doing: Option<&str> = None;
        for (place, mark) in smooth.iter().zip(&self.marks) {
            let action = texture.name_of_mark(*mark);
            let last = points.last().map(|p| (p.at - place).norm() * metres);
            let is_other = doing != Some(action);
            let is_far = last.is_none_or(|far| far >= POINT_METRES);
            if is_far || (is_other && last.is_some_and(|far| far > 0.25 * POINT_METRES)) {
                points.push(PathPoint {
                    at: *place,
                    action: is_other.then(|| action.to_owned()),
                });
                doing = Some(action);
            }
        }
        (points.len() >= 2).then(|| DrawnPath::new(name, id, points))
    }
}
