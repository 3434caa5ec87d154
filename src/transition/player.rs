//! A motion that never ends and takes commands at any frame (Peng 2007, section 6.3: the playback buffer is cut and a
//! new transition starts from its end).
//!
//! The buffer holds what was shown shortly before, because joins look back, and what will be shown: the rest of the
//! running action at most. A command cuts it right after the frame that was shown last, in the middle of an action, of
//! a transition, or of one that interrupted another: every join starts from the displayed pose and velocity.

use std::sync::Arc;

use super::error::TransitionError;
use super::graph::TransitionGraph;
use super::random_play::RandomPlay;
use super::synthesis::{JoinTask, Transition, TransitionSettings};
use crate::motion::PoseRef;
use crate::motion::join::{JoinClip, Strip};
use crate::numerics::random::Stream;

/// Shown frames that are kept, in frames at 30 a second.
const KEPT: f64 = 30.0;
/// With so few frames left (at 30 a second), the next action is joined.
const LOOK_AHEAD: f64 = 10.0;

/// Plays actions in real time.
#[derive(Debug, Clone)]
pub struct Player {
    graph: Arc<TransitionGraph>,
    actions: Vec<Arc<JoinClip>>,
    settings: TransitionSettings,
    /// Chooses the next action when none is queued; `None` repeats the running action.
    pub random: Option<RandomPlay>,
    strip: Strip,
    /// Frames of the buffer that were shown.
    n_shown: usize,
    /// Frames that were shown and dropped.
    n_dropped: usize,
    running: usize,
    queued: Option<usize>,
    seed: u64,
    n_joins: u64,
    last: Option<Transition>,
}

impl Player {
    /// Starts with an action; the others can be commanded.
    ///
    /// # Panics
    /// If there is no such action.
    pub fn new(
        graph: &Arc<TransitionGraph>,
        actions: Vec<Arc<JoinClip>>,
        first: usize,
        settings: &TransitionSettings,
        seed: u64,
    ) -> Self {
        let strip = Strip::of(graph.rig(), &actions[first], 0..actions[first].n_frames());
        Self {
            graph: Arc::clone(graph),
            actions,
            settings: settings.clone(),
            random: None,
            strip,
            n_shown: 0,
            n_dropped: 0,
            running: first,
            queued: None,
            seed,
            n_joins: 0,
            last: None,
        }
    }

    /// The action that runs, or that the running transition leads to.
    pub fn running(&self) -> usize {
        self.running
    }

    /// How many frames have been shown in all.
    pub fn n_shown(&self) -> usize {
        self.n_dropped + self.n_shown
    }

    /// The cluster of the pose that was shown last; one that is near makes a good guess.
    pub fn cluster(&self, guess: Option<u32>) -> Option<u32> {
        let shown = self.n_shown.checked_sub(1)?;
        let row = self.strip.rows().row(shown);
        self.graph.locate(row, guess).map(|(cluster, _)| cluster)
    }

    /// The last transition that was made; its frames count from the start of play.
    pub fn last_transition(&self) -> Option<&Transition> {
        self.last.as_ref()
    }

    /// Leaves whatever is shown for another action, at once.
    pub fn command(&mut self, action: usize) -> Result<(), TransitionError> {
        self.queued = None;
        let shown = self.n_shown.max(1);
        self.go_on(action, shown - 1)
    }

    /// Plays another action after the running one.
    pub fn queue(&mut self, action: usize) {
        self.queued = Some(action);
    }

    /// The next frame; at the end of an action the transition into the next one is made first.
    pub fn next_frame(&mut self) -> Result<PoseRef<'_>, TransitionError> {
        let rig = Arc::clone(self.graph.rig());
        let left = self.strip.n_frames() - self.n_shown;
        if left <= rig.frames_at_30(LOOK_AHEAD).max(1) {
            let mut stream = Stream::named(self.seed, &[1, self.n_joins]);
            let next = match (self.queued.take(), &self.random) {
                (Some(action), _) => action,
                (None, Some(random)) => random.next(self.running, &mut stream),
                (None, None) => self.running,
            };
            self.go_on(next, self.strip.n_frames() - 1)?;
        }
        let kept = rig.frames_at_30(KEPT);
        if self.n_shown > 2 * kept {
            let from = self.n_shown - kept;
            self.strip = self.strip.tail(from);
            self.n_shown -= from;
            self.n_dropped += from;
        }
        self.n_shown += 1;
        Ok(self.strip.pose(self.n_shown - 1))
    }

    fn go_on(&mut self, action: usize, leave: usize) -> Result<(), TransitionError> {
        let clip = self
            .actions
            .get(action)
            .ok_or_else(|| TransitionError::NoSuchClip(format!("number {action}")))?;
        let clip = Arc::clone(clip);
        let task = JoinTask {
            leaves: leave..leave + 1,
            action: &clip,
            frames: 0..clip.n_frames(),
            may_skip: true,
        };
        let mut stream = Stream::named(self.seed, &[0, self.n_joins]);
        self.n_joins += 1;
        let graph = Arc::clone(&self.graph);
        let made = graph.transit(&mut self.strip, &task, &self.settings, &mut stream)?;
        self.running = action;
        self.last = Some(made.moved_on(self.n_dropped));
        Ok(())
    }
}
