//! Long sequences for experiment B: clips one after the other, joined as smoothly as any.
//!
//! Lau 2009 shows sequences of at least 15 clips: all different for "our variants", and each drawn from the inputs again for "cycle
//! animation". Joins are made alike for both ([`crate::motion::join`]), or raters would rate joins.

use std::sync::Arc;

use crate::jobs::{Cancelled, Ticket};
use crate::motion::join::report::Norms;
use crate::motion::join::{
    JoinClip, JoinError, JoinKind, JoinSettings, JoinShape, Match, Rig, Strip, feet,
};
use crate::motion::limb::LimbError;
use crate::motion::{Clip, ClipError, PoseMetricSettings};
use crate::numerics::random::Stream;

/// As many clips as the paper's sequences have at the least.
pub const FEWEST_CLIPS: usize = 15;
/// A clip may be left this share of its frames before its end, and entered as much after its beginning.
const EDGE_SHARE: f64 = 0.12;
/// Frames of a join at 30 a second.
const JOIN_FRAMES: f64 = 6.0;

/// A sequence cannot be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SequenceError {
    /// There is nothing to play.
    #[error("there are no clips to make sequences from")]
    NoClips,
    /// Clips that cannot be joined.
    #[error(transparent)]
    Join(#[from] JoinError),
    /// Feet that cannot be held.
    #[error(transparent)]
    Feet(#[from] LimbError),
    /// What came out is no clip.
    #[error(transparent)]
    Clip(#[from] ClipError),
    /// The work was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Clips on one skeleton, ready to be played one after the other.
pub struct Sequencer {
    rig: Arc<Rig>,
    clips: Vec<JoinClip>,
    norms: Norms,
}

impl Sequencer {
    /// Looks at clips; the first gives the frame rate.
    pub fn new(clips: &[&Clip]) -> Result<Self, SequenceError> {
        if clips.is_empty() {
            return Err(SequenceError::NoClips);
        }
        let rig = Arc::new(Rig::learn(clips, &PoseMetricSettings::default())?);
        let clips = clips
            .iter()
            .map(|clip| JoinClip::new(&rig, &Arc::new(Clip::clone(clip))))
            .collect::<Result<Vec<JoinClip>, JoinError>>()?;
        let norms = Norms::learn(&rig, &clips.iter().collect::<Vec<_>>());
        Ok(Self { rig, clips, norms })
    }

    /// Plays clips, given by their places in the list; at least one.
    pub fn play(
        &self,
        order: &[usize],
        name: &str,
        ticket: &Ticket,
    ) -> Result<Clip, SequenceError> {
        let (&first, others) = order.split_first().ok_or(SequenceError::NoClips)?;
        let first = &self.clips[first];
        let mut strip = Strip::of(&self.rig, first, 0..first.n_frames());
        let mut entered = 0;
        for &next in others {
            ticket.check()?;
            let next = &self.clips[next];
            let (leave, enter) = best_cut(&strip, entered, next);
            entered = leave + 1;
            let settings = JoinSettings {
                kind: JoinKind::Dead,
                frames: self.rig.frames_at_30(JOIN_FRAMES),
                matching: Match::Auto,
                shape: JoinShape::default(),
            };
            let joined = strip.join(leave, next, enter..next.n_frames(), &settings);
            feet::lock(&mut strip, &joined, &self.norms)?;
        }
        let mut clip = strip.to_clip(name)?;
        clip.info.up = self.clips[0].clip.info.up;
        Ok(clip)
    }
}

/// Where the end of the strip is most like the beginning of a clip: a frame of the strip, and the frame of the clip after it.
fn best_cut(strip: &Strip, entered: usize, next: &JoinClip) -> (usize, usize) {
    let n = strip.n_frames();
    let edge = |n: usize| (EDGE_SHARE * n as f64) as usize;
    let own = edge(n - entered);
    let mut best = (f32::INFINITY, (n - 1, 0));
    for leave in n - 1 - own..n {
        for enter in 0..=edge(next.n_frames()).min(next.n_frames() - 2) {
            let apart = strip.rows();
            let apart = apart.distance_of(apart.row(leave), next.rows.row(enter));
            if apart < best.0 {
                best = (apart, (leave, enter + 1));
            }
        }
    }
    best.1
}

/// Orders for sequences in which no clip comes twice, as long as there are enough; then all come again, shuffled anew.
pub fn varied_orders(n_clips: usize, length: usize, count: usize, seed: u64) -> Vec<Vec<usize>> {
    let mut waiting: Vec<usize> = Vec::new();
    let mut stream = Stream::named(seed, &[0x5E9]);
    let mut draw = || {
        if waiting.is_empty() {
            waiting.extend(0..n_clips);
            for last in (1..n_clips).rev() {
                waiting.swap(last, stream.below(last + 1));
            }
        }
        waiting.pop().unwrap_or(0)
    };
    (0..count)
        .map(|_| (0..length).map(|_| draw()).collect())
        .collect()
}

/// Orders of cycle animation: every clip drawn from all, whatever came before.
pub fn cycle_orders(n_clips: usize, length: usize, count: usize, seed: u64) -> Vec<Vec<usize>> {
    let mut stream = Stream::named(seed, &[0xC1C]);
    let mut draw = || stream.below(n_clips);
    (0..count)
        .map(|_| (0..length).map(|_| draw()).collect())
        .collect()
}
