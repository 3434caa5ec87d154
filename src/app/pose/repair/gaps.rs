//! Joints of a take that are rebuilt, and how well.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use crate::document::{ClipId, ModelId};
use crate::motion::{Clip, Skeleton};

/// Joints that are not to be trusted for some frames.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    /// At least one frame.
    pub frames: Range<usize>,
    /// At least one joint.
    pub joints: BTreeSet<usize>,
}

/// What a take is rebuilt with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Teacher {
    /// A style that is learned from the take itself, without its gaps.
    #[default]
    Take,
    /// A style of the project.
    Style(ModelId),
}

/// How far a take is from a style where it is broken, before and after.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Numbers {
    /// How many frames were rebuilt.
    pub n_frames: usize,
    /// By how much rebuilt joints moved on average, in body heights.
    pub mean_moved: f64,
    /// By how much at most.
    pub most_moved: f64,
    /// Deviations from the style per coordinate; 1 is as usual in it.
    pub oddness_before: f64,
    /// The same of the rebuilt frames.
    pub oddness_after: f64,
}

/// A rebuilt take that is not kept yet.
#[derive(Debug, Clone)]
pub struct Rebuilt {
    /// The take that was rebuilt.
    pub id: ClipId,
    /// The take as it was before.
    pub before: Arc<Clip>,
    /// As it would become.
    pub after: Arc<Clip>,
    /// The gaps that were filled, by joint and frame.
    pub gaps: Vec<Gap>,
    /// How it came out.
    pub numbers: Numbers,
}

/// Gaps as they are rebuilt: those that overlap or touch become one over all their frames, with the joints of both.
pub fn merged(gaps: &[Gap]) -> Vec<Gap> {
    let mut sorted: Vec<Gap> = gaps.to_vec();
    sorted.sort_by_key(|gap| (gap.frames.start, gap.frames.end));
    let mut all: Vec<Gap> = Vec::with_capacity(sorted.len());
    for gap in sorted {
        match all.last_mut() {
            // One good frame between two gaps has to leave the one and meet the other.
            Some(last) if gap.frames.start <= last.frames.end + 1 => {
                last.frames.end = last.frames.end.max(gap.frames.end);
                last.joints.extend(gap.joints);
            }
            _ => all.push(gap),
        }
    }
    all
}

/// A joint and everything that hangs on it.
pub fn with_all_below(skeleton: &Skeleton, joint: usize) -> BTreeSet<usize> {
    let mut below = BTreeSet::from([joint]);
    for (j, other) in skeleton.joints().iter().enumerate() {
        if other.parent.is_some_and(|parent| below.contains(&parent)) {
            below.insert(j);
        }
    }
    below
}

/// Why these gaps cannot be rebuilt, in words for the animator.
pub fn refusal(gaps: &[Gap], clip: &Clip) -> Option<String> {
    if gaps.is_empty() {
        return Some("mark joints and frames first, or let a style propose them".to_owned());
    }
    let n_joints = clip.skeleton().n_joints();
    if let Some(gap) = gaps.iter().find(|gap| gap.frames.end > clip.n_frames()) {
        let (end, n) = (gap.frames.end, clip.n_frames());
        return Some(format!(
            "a gap ends at frame {end}, the take has {n} frames"
        ));
    }
    let all = merged(gaps)
        .into_iter()
        .find(|g| g.joints.len() == n_joints);
    all.map(|gap| {
        let (from, to) = (gap.frames.start, gap.frames.end);
        format!("in frames {from} to {to} every joint is marked: something has to be seen")
    })
}
