//! A stream that walks on until it is stopped.
//!
//! A stream keeps to the clock. A pose costs well under a millisecond, so the window asks in every frame for all that
//! are due, and shows the last: a machine that draws slowly shows fewer of them, but a second of the stream is a
//! second.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::app::variation::variants::recipe::Recipe;
use crate::document::ModelId;
use crate::motion::{Clip, ClipInfo, Motion, Pose, Skeleton};
use crate::variation::{ClipModel, LearnError, Stream};

/// More than this is not caught up with: the machine was asleep.
const MOST_BEHIND_SECS: f64 = 10.0;

/// Only where even making poses takes so much longer than the clock, the stream falls behind rather than block the
/// window.
const MOST_WORK: Duration = Duration::from_millis(250);

/// Before the clock is looked at again.
const POSES_AT_ONCE: usize = 16;

/// So much is remembered, to be kept when the stream is stopped.
const MOST_SECS: f64 = 60.0;

/// A stream that runs.
#[derive(Debug)]
pub struct Live {
    pub(super) id: ModelId,
    pub(super) model: Arc<ClipModel>,
    pub(super) recipe: Recipe,
    stream: Stream,
    pub(super) skeleton: Arc<Skeleton>,
    pub(super) up: crate::motion::Axis,
    pub(super) fps: f64,
    began_secs: f64,
    n_made: usize,
    /// The poses of the last minute.
    pub(super) poses: std::collections::VecDeque<Pose>,
    now: Arc<Clip>,
}

impl Live {
    pub(super) fn begin(
        (id, model): (ModelId, &Arc<ClipModel>),
        recipe: &Recipe,
        now_secs: f64,
    ) -> Result<Self, LearnError> {
        let mut stream = model.stream(&recipe.settings(model), recipe.seed)?;
        let first = stream.next_pose()?;
        let skeleton = Arc::clone(model.chart().skeleton());
        let mean = model.mean_motion()?;
        let up = mean.info.up;
        let poses = std::collections::VecDeque::from([first]);
        let now = match clip_of(&poses, &skeleton, (model.fps(), up), "stream") {
            Some(clip) => Arc::new(clip),
            None => Arc::new(mean),
        };
        Ok(Self {
            id,
            model: Arc::clone(model),
            recipe: recipe.clone(),
            stream,
            up,
            fps: model.fps(),
            began_secs: now_secs,
            n_made: 1,
            now,
            skeleton,
            poses,
        })
    }

    /// The pose of now, as a clip of one frame.
    pub fn now(&self) -> Arc<Clip> {
        Arc::clone(&self.now)
    }

    /// How long it has gone on.
    pub fn secs(&self) -> f64 {
        self.n_made as f64 / self.fps
    }

    pub(super) fn advance(&mut self, now_secs: f64) -> Result<(), LearnError> {
        let due = ((now_secs - self.began_secs) * self.fps) as usize;
        let wanted = due.saturating_sub(self.n_made);
        let most = (MOST_BEHIND_SECS * self.fps) as usize;
        let n_before = self.n_made;
        let began = Instant::now();
        for made in 1..=wanted.min(most) {
            self.poses.push_back(self.stream.next_pose()?);
            self.n_made += 1;
            if made % POSES_AT_ONCE == 0 && began.elapsed() > MOST_WORK {
                break;
            }
        }
        if self.n_made - n_before < wanted {
            // What was missed is not caught up with.
            self.began_secs = now_secs - self.n_made as f64 / self.fps;
        }
        while self.poses.len() as f64 > MOST_SECS * self.fps {
            self.poses.pop_front();
        }
        let last = self.poses.range(self.poses.len() - 1..).cloned().collect();
        if wanted > 0
            && let Some(clip) = clip_of(&last, &self.skeleton, (self.fps, self.up), "stream")
        {
            self.now = Arc::new(clip);
        }
        Ok(())
    }
}

pub(super) fn clip_of(
    poses: &std::collections::VecDeque<Pose>,
    skeleton: &Arc<Skeleton>,
    (fps, up): (f64, crate::motion::Axis),
    name: &str,
) -> Option<Clip> {
    let mut motion = Motion::with_capacity(skeleton, 1.0 / fps, poses.len());
    for pose in poses {
        motion.push(pose.as_ref());
    }
    let mut info = ClipInfo::named(name);
    info.up = up;
    Clip::new(info, Arc::clone(skeleton), motion).ok()
}
