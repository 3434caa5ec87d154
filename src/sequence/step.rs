//! One play of an action as it is planned and as it was made: the end of the action before, the transition, the action.

use std::ops::Range;
use std::sync::Arc;

use super::reach::{Reach, ReachHit};
use super::{EntryId, JoinChoice, Trim};
use crate::motion::join::{JoinClip, Placement, Rig, Strip};
use crate::transition::{JoinTask, Transition};
use crate::variation::ClipModel;

/// A source may be left this share of its frames before its end, where that joins better.
const LEAVE_SHARE: f64 = 0.1;
/// Frames, at 30 a second, that a transition looks back at before the first frame where the source may be left.
const LOOK_BACK: f64 = 4.0;
/// And some more at any rate, for velocities and accelerations.
const LOOK_BACK_MORE: usize = 6;

/// What an entry plays.
#[derive(Debug, Clone)]
pub enum Source {
    /// A clip, the same each time.
    Clip(Arc<JoinClip>),
    /// A model: each repetition is another variant.
    Model(Arc<ClipModel>),
    /// An action that is made for a point of the world.
    Reach(Reach),
}

/// Entry, repetition, and round.
pub(super) type PlayKey = (EntryId, usize, usize);

/// A play that is wanted.
#[derive(Debug, Clone)]
pub(super) struct Due {
    pub(super) entry: EntryId,
    pub(super) repeat: usize,
    pub(super) clip: DueClip,
    pub(super) trim: Trim,
    pub(super) choice: JoinChoice,
    pub(super) seed: u64,
}

#[derive(Debug, Clone)]
pub(super) enum DueClip {
    Ready(Arc<JoinClip>),
    /// What it plays is known once it is known where it stands.
    Reach(Reach),
}

/// A play that is to be made.
#[derive(Debug, Clone)]
pub(super) struct Planned {
    pub(super) entry: EntryId,
    pub(super) repeat: usize,
    pub(super) clip: Arc<JoinClip>,
    pub(super) frames: Range<usize>,
    pub(super) choice: JoinChoice,
    pub(super) seed: u64,
    pub(super) hit: Option<ReachHit>,
    /// How often the whole sequence was played before it.
    pub(super) round: usize,
}

/// What a step begins with: frames of the action before.
#[derive(Debug, Clone)]
pub(super) struct Input {
    pub(super) source: Arc<JoinClip>,
    /// The frame of the step before that is the first of this one.
    pub(super) from: usize,
    /// Frames of this step after which the source may be left.
    pub(super) leaves: Range<usize>,
    /// Frames of the source clip, where the input is nothing else.
    pub(super) captured: Option<Range<usize>>,
    /// Else what it depends on: the step before, or all steps before.
    depends: Option<u64>,
    /// Whether it is made where it stands.
    pub(super) is_in_world: bool,
}

impl Input {
    fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.source, &other.source)
            && self.leaves == other.leaves
            && self.captured == other.captured
            && self.depends == other.depends
            && self.is_in_world == other.is_in_world
    }
}

/// A play that was made.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) planned: Planned,
    pub(super) input: Option<Input>,
    /// From the first frame of the input to the end of the action.
    pub(super) piece: Strip,
    /// Counted in the piece.
    pub(super) transition: Option<Transition>,
    /// Names the piece as it was made, so that a change of it is noticed.
    pub(super) version: u64,
    /// Names everything up to here, as it stands in the world.
    pub(super) chain: u64,
    /// The frame of the motion that is the first of the piece.
    pub(super) start: usize,
    pub(super) placement: Option<Placement>,
}

impl Step {
    /// The frame of the piece where the action begins, the frame of the clip that is, where blending is over, and from
    /// where on the action is only moved.
    pub(super) fn marks(&self) -> (usize, usize, usize, usize) {
        match &self.transition {
            Some(t) => (t.action.start, t.enter, t.at + t.frames, t.settled),
            None => (0, self.planned.frames.start, 0, 0),
        }
    }

    /// The frame of the clip that a frame of the motion shows, or would show were it not cut or blended.
    pub(super) fn clip_frame(&self, frame: usize) -> usize {
        let (start, enter, ..) = self.marks();
        enter + frame.saturating_sub(self.start + start)
    }

    /// The frame of the motion that shows a frame of the clip.
    pub(super) fn frame_of(&self, frame: usize) -> usize {
        let (start, enter, ..) = self.marks();
        self.start + start + frame - enter
    }

    /// Whether it was made where it stands.
    pub(super) fn is_in_world(&self) -> bool {
        self.input.as_ref().is_some_and(|input| input.is_in_world)
    }

    pub(super) fn is_of(&self, planned: &Planned, input: Option<&Input>) -> bool {
        let is_same_input = match (&self.input, input) {
            (Some(a), Some(b)) => a.is_same(b),
            (None, None) => true,
            _ => false,
        };
        let own = &self.planned;
        is_same_input
            && Arc::ptr_eq(&own.clip, &planned.clip)
            && own.frames == planned.frames
            && own.seed == planned.seed
            // Nothing leads to the first action.
            && (input.is_none() || own.choice == planned.choice)
    }
}

impl Due {
    /// With the clip that it plays.
    pub(super) fn planned(&self, rig: &Rig, clip: Arc<JoinClip>) -> Planned {
        Planned {
            entry: self.entry,
            repeat: self.repeat,
            frames: trimmed(rig, &clip, &self.trim),
            clip,
            choice: self.choice,
            seed: self.seed,
            hit: None,
            round: 0,
        }
    }
}

impl Planned {
    pub(super) fn key(&self) -> PlayKey {
        (self.entry, self.repeat, self.round)
    }
}

/// The frames of a step in the motion, to its end.
pub(super) fn place(strip: &mut Strip, step: &Step) {
    match &step.placement {
        Some(placement) => strip.splice_placed(step.start, &step.piece, placement),
        None => strip.splice(step.start, &step.piece),
    }
}

/// What is left of a clip; never less than two frames.
fn trimmed(rig: &Rig, clip: &JoinClip, trim: &Trim) -> Range<usize> {
    let frames = |secs: f64| (secs * rig.fps).round() as usize;
    let n = clip.n_frames();
    let start = frames(trim.start_secs).min(n - 2);
    let end = n.saturating_sub(frames(trim.end_secs)).max(start + 2);
    start..end
}

/// Where a play begins: in the clip before, if that is only moved there, else in the step before.
pub(super) fn input(rig: &Rig, before: &Step, planned: &Planned) -> Input {
    let (start, enter, blended, settled) = before.marks();
    let n = before.piece.n_frames();
    let leaves = if let Some(secs) = planned.choice.leave_secs {
        let frame = (secs * rig.fps).round() as usize;
        let leave = (start + frame.saturating_sub(enter)).clamp(start.min(n - 1), n - 1);
        leave..leave + 1
    } else {
        let early = (before.planned.frames.len() as f64 * LEAVE_SHARE) as usize;
        n.saturating_sub(1 + early).max(blended.min(n - 1))..n
    };
    let look_back = rig.frames_at_30(LOOK_BACK) + LOOK_BACK_MORE;
    let from = leaves.start.saturating_sub(look_back);
    let is_in_world = planned.choice.shape.depends_on_world() || before.piece.lift() != 0.0;
    let is_settled = from >= settled && from >= start && !is_in_world;
    Input {
        source: Arc::clone(&before.planned.clip),
        leaves: leaves.start - from..leaves.end - from,
        captured: is_settled.then(|| enter + from - start..enter + n - start),
        depends: match (is_settled, is_in_world) {
            (true, _) => None,
            (false, true) => Some(before.chain),
            (false, false) => Some(before.version),
        },
        is_in_world,
        from,
    }
}

/// The transition into a play, from the strip that its input makes.
pub(super) fn task<'a>(rig: &Rig, planned: &'a Planned, input: &Input) -> JoinTask<'a> {
    let frames = planned.frames.clone();
    let enter = planned.choice.enter_secs.map(|secs| {
        let enter = (secs * rig.fps).round() as usize;
        enter.clamp(frames.start, frames.end - 2)
    });
    JoinTask {
        leaves: input.leaves.clone(),
        action: &planned.clip,
        frames: enter.unwrap_or(frames.start)..frames.end,
        may_skip: enter.is_none(),
    }
}
