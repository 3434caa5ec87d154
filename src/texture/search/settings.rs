//! How hard a search tries, and what jumps cost it.

use super::SearchCorpus;
use crate::texture::FrameId;

/// Samples in a step.
pub(super) const SAMPLES: usize = 3;
/// A frame this near to one that was played is the same place; seconds.
pub(super) const SAME_PLACE_SECS: f64 = 0.5;

/// How hard to search.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchSettings {
    /// Motions that are kept after each step.
    pub width: usize,
    /// Transitions that are tried in each step.
    pub jumps: usize,
    /// How long a step is.
    pub step_secs: f64,
    /// A clip is played for at least this time before the next jump.
    pub least_play_secs: f64,
    /// How long joins are blended; it tells where a jump leads.
    pub blend_secs: f64,
    /// A jump costs this much times (0.3 + its distance over the usual one).
    pub jump_cost: f64,
    /// Going back to a place that was played lately costs this much.
    pub repeat_cost: f64,
    /// What counts as lately.
    pub repeat_secs: f64,
    /// Costs vary by this share at random, so that another seed gives another motion.
    pub jitter: f64,
    /// Names the random numbers.
    pub seed: u64,
    /// Jumps that were tried and turned out rough.
    pub avoid: Vec<Rough>,
}

/// A jump that cost more than its distance said.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rough {
    /// The last frame before it.
    pub from: FrameId,
    /// The first frame after it.
    pub to: FrameId,
    /// What it and those beside it cost more.
    pub cost: f64,
}

impl Default for SearchSettings {
    /// Steps, width and jumps are those of a pilot; clips are played longer than there, and jumps cost twice as much,
    /// which brings knees to what they do in the clips and leaves the path as near.
    fn default() -> Self {
        Self {
            width: 200,
            jumps: 10,
            step_secs: 0.4,
            least_play_secs: 0.7,
            blend_secs: super::routes::BLEND_SECS,
            jump_cost: 0.1,
            repeat_cost: 0.1,
            repeat_secs: 4.0,
            jitter: 0.1,
            seed: 0,
            avoid: Vec::new(),
        }
    }
}

impl SearchSettings {
    /// Frames of a step.
    pub(super) fn step_frames(&self, fps: f64) -> usize {
        frames(self.step_secs, fps).max(SAMPLES)
    }

    /// Frames that are blended after a jump.
    pub(super) fn blend_frames(&self, fps: f64) -> usize {
        frames(self.blend_secs, fps)
    }

    /// What a jump costs beside those that turned out rough.
    pub(in crate::texture) fn rough_cost(&self, from: FrameId, to: FrameId, fps: f64) -> f64 {
        let near = (SAME_PLACE_SECS * fps) as usize;
        let is_near =
            |a: FrameId, b: FrameId| a.clip == b.clip && a.frame.abs_diff(b.frame) <= near;
        let beside = self.avoid.iter();
        let beside = beside.filter(|r| is_near(r.from, from) && is_near(r.to, to));
        beside.map(|r| r.cost).sum()
    }

    /// What a jump costs by its distance.
    pub(super) fn distance_cost(&self, corpus: &SearchCorpus<'_>, distance: f64) -> f64 {
        self.jump_cost * (0.3 + corpus.relative(distance))
    }
}

/// So many seconds as frames, one at least.
pub(super) fn frames(secs: f64, fps: f64) -> usize {
    (secs * fps).round().clamp(1.0, 1e6) as usize
}
