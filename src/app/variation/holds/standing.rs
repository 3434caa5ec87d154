//! How feet and hands of a variant are held.

use std::sync::Arc;

use crate::app::variation::variants::batch::Made;
use crate::motion::metrics::{FootLevels, foot_slide};
use crate::motion::{Clip, Vec3, WorldPose, body};
use crate::variation::HeldSpan;

/// How one foot or hand stays in place.
#[derive(Debug, Clone, PartialEq)]
pub struct LimbLine {
    /// The ankle or wrist.
    pub joint: usize,
    /// How often it is held.
    pub n_spans: usize,
    /// How many of these have a pin.
    pub n_pins: usize,
    /// Its speed during that time as it was drawn, body heights per second.
    pub before: f64,
    /// The same as it is held.
    pub after: f64,
}

/// What holding does to a variant.
#[derive(Debug)]
pub struct Standing {
    pub(super) of: Arc<Clip>,
    /// The motion as it was drawn, nothing held.
    pub free: Arc<Clip>,
    /// A line for each foot or hand.
    pub lines: Vec<LimbLine>,
    /// Slide of feet by the metric, before and after, body heights per second; none for bodies without feet.
    pub slide: Option<(f64, f64)>,
}

/// What the panel remembers.
#[derive(Debug)]
pub struct HoldingView {
    /// Whether the 3D view shows the variant with its holds, or as it was drawn.
    pub shows_held: bool,
    pub(super) standing: Option<Arc<Standing>>,
    pub(super) is_looking: bool,
}

impl Default for HoldingView {
    fn default() -> Self {
        Self {
            shows_held: true,
            standing: None,
            is_looking: false,
        }
    }
}

impl HoldingView {
    /// What is known of this variant.
    pub fn of(&self, made: &Made) -> Option<&Arc<Standing>> {
        let standing = self.standing.as_ref();
        standing.filter(|standing| Arc::ptr_eq(&standing.of, &made.clip))
    }
}

/// Mean speed of joints while they are held, body heights per second.
pub(super) fn line(joint: usize, spans: &[HeldSpan], free: &Clip, held: &Clip) -> LimbLine {
    let own: Vec<&HeldSpan> = spans.iter().filter(|span| span.joint == joint).collect();
    let speed = |clip: &Clip| {
        let (mut way, mut n_steps) = (0.0, 0_usize);
        let place = |frame: usize| -> Vec3 {
            WorldPose::of(clip.skeleton(), clip.frame(frame)).positions[joint]
        };
        for span in &own {
            let end = span.frames.end.min(clip.n_frames());
            let places: Vec<Vec3> = (span.frames.start..end).map(place).collect();
            way += places.windows(2).map(|w| (w[1] - w[0]).norm()).sum::<f64>();
            n_steps += places.len().saturating_sub(1);
        }
        way / n_steps.max(1) as f64 * clip.fps() / body::height(clip).max(1e-9)
    };
    LimbLine {
        joint,
        n_spans: own.len(),
        n_pins: own.iter().filter(|span| span.pin.is_some()).count(),
        before: speed(free),
        after: speed(held),
    }
}

pub(super) fn standing(
    of: Arc<Clip>,
    free: Clip,
    spans: &[HeldSpan],
    takes: &[Arc<Clip>],
) -> Standing {
    let mut joints: Vec<usize> = spans.iter().map(|span| span.joint).collect();
    joints.sort_unstable();
    joints.dedup();
    let lines = joints
        .into_iter()
        .map(|joint| line(joint, spans, &free, &of));
    let takes: Vec<&Clip> = takes.iter().map(|take| &**take).collect();
    let slide = |clip: &Clip| {
        let ground = FootLevels::learn(&takes).ok()?;
        Some(foot_slide(clip, &ground, clip.fps()).ok()?.speed)
    };
    Standing {
        lines: lines.collect(),
        slide: slide(&free).zip(slide(&of)),
        free: Arc::new(free),
        of,
    }
}
