//! What a sequence shows: all plays of its actions with the transitions between them, and each side of a transition.

use std::ops::Range;
use std::sync::Arc;

use super::EntryId;
use super::evaluate::Evaluation;
use super::reach::ReachHit;
use super::step::{Step, task};
use crate::motion::join::{JoinClip, Strip};
use crate::transition::{Candidate, Transition, TransitionError};

/// One repetition of an entry, as it came out. Frames of the transition are those of the whole motion.
#[derive(Debug, Clone)]
pub struct Play {
    /// The entry of the list that is repeated.
    pub entry: EntryId,
    /// Which of its repetitions, counted from 0.
    pub repeat: usize,
    /// The clip that this repetition plays.
    pub clip: Arc<JoinClip>,
    /// The frames of it that may be played.
    pub frames: Range<usize>,
    /// The frames of the motion that are its own, its transition included.
    pub shown: Range<usize>,
    /// How it is reached; none for the first.
    pub transition: Option<Transition>,
    /// How near it comes to its target, if it has one.
    pub hit: Option<ReachHit>,
    /// Whether it is the first action again, which closes the round.
    pub closes: bool,
    /// The frame of the clip that its first frame shows, where nothing leads to it.
    first_shown: usize,
}

impl Play {
    /// The frame of the clip that a frame of the motion shows, or would show were it not cut or blended.
    pub fn clip_frame(&self, frame: usize) -> usize {
        let (start, enter) = self.begins();
        (enter + frame.saturating_sub(start)).min(self.clip.n_frames() - 1)
    }

    /// The frame of the motion that shows a frame of the clip.
    pub fn frame_of(&self, clip_frame: usize) -> usize {
        let (start, enter) = self.begins();
        start + clip_frame.saturating_sub(enter)
    }

    /// A frame of the motion, and the frame of the clip that it shows.
    fn begins(&self) -> (usize, usize) {
        match &self.transition {
            Some(made) => (made.action.start, made.enter),
            None => (self.shown.start, self.first_shown),
        }
    }
}

/// One side of a transition, as it would go on without it.
#[derive(Debug, Clone)]
pub struct JoinSide {
    /// The motion of this side, in the world.
    pub strip: Strip,
    /// The frame of the motion that is its first.
    pub start: usize,
}

impl Evaluation {
    /// All repetitions of all entries, in the order of play; in a round the first is there again as the last. Frames are
    /// those of the motion ([`Evaluation::motion`]).
    pub fn plays(&self) -> Vec<Play> {
        let n = self.strip().map_or(0, Strip::n_frames);
        let round = self.round().map_or(0..n, |round| round.frames.clone());
        self.plays_within(&round)
    }

    /// The steps of the round, or all of them.
    fn steps_shown(&self) -> &[Step] {
        &self.steps[self.closed.first.min(self.steps.len())..]
    }

    fn plays_within(&self, shown: &Range<usize>) -> Vec<Play> {
        let begin = |step: &Step| step.start + step.transition.as_ref().map_or(0, |t| t.at);
        let begins = |step: &Step| begin(step).clamp(shown.start, shown.end) - shown.start;
        let steps = self.steps_shown();
        let round = steps.first().map_or(0, |step| step.planned.round);
        let each = steps.iter().enumerate().map(|(at, step)| Play {
            entry: step.planned.entry,
            repeat: step.planned.repeat,
            clip: Arc::clone(&step.planned.clip),
            frames: step.planned.frames.clone(),
            shown: begins(step)..steps.get(at + 1).map_or(shown.len(), begins),
            transition: step
                .transition
                .clone()
                .filter(|_| begin(step) >= shown.start)
                .map(|t| t.recounted(step.start, shown.start)),
            hit: step.planned.hit,
            closes: step.planned.round > round,
            first_shown: step.clip_frame(shown.start),
        });
        each.collect()
    }

    /// Every way of reaching a play that there is, measured; whatever else was chosen about it stays.
    pub fn candidates(&self, play: usize) -> Result<Vec<Candidate>, TransitionError> {
        let steps = self.steps_shown();
        let (Some(graph), Some(step)) = (&self.graph, steps.get(play)) else {
            return Ok(Vec::new());
        };
        let before = play.checked_sub(1).and_then(|before| steps.get(before));
        let (Some(input), Some(before)) = (&step.input, before) else {
            return Ok(Vec::new());
        };
        let strip = self.source_strip(graph.rig(), input, before);
        let task = task(graph.rig(), &step.planned, input);
        graph.candidates(&strip, &task, &step.planned.choice.settings())
    }

    /// Both sides of the transition into a play as they would go on without it, in the world: what is left, and what is
    /// reached.
    pub fn sides(&self, play: usize) -> Option<[JoinSide; 2]> {
        let strip = self.strip()?;
        let plays = self.plays_within(&(0..strip.n_frames()));
        let first = self.round().map_or(0, |round| round.frames.start);
        let (before, play) = (plays.get(play.checked_sub(1)?)?, plays.get(play)?);
        let made = play.transition.as_ref()?;
        let placed = |clip: &JoinClip, frames: Range<usize>, shown: usize, at: usize| {
            let rig = strip.rig();
            let one = Strip::of(rig, clip, shown..shown + 1);
            let mut side = Strip::of(rig, clip, frames);
            let captured = side.clone();
            side.splice_placed(0, &captured, &strip.placement_of(at, &one));
            side
        };
        let left = made.at.checked_sub(1)?;
        let leaves = before.clip_frame(left);
        let source = placed(&before.clip, leaves..before.clip.n_frames(), leaves, left);
        let settled = made
            .settled
            .min(strip.n_frames() - 1)
            .max(made.action.start);
        let shown = play.clip_frame(settled);
        let reached = placed(&play.clip, made.enter..shown + 1, shown, settled);
        Some([
            JoinSide {
                strip: source,
                start: left.saturating_sub(first),
            },
            JoinSide {
                strip: reached,
                start: made.action.start.saturating_sub(first),
            },
        ])
    }
}
