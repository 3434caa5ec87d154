//! How feet and hands of a variant are held.

use std::sync::Arc;

use crate::app::shell::clips::analysis::CONTACTS_BY_HAND;
use crate::app::variation::holds::standing;
use crate::app::variation::variants::batch::Made;
use crate::motion::Clip;
use crate::variation::HeldSpan;

/// Holds drawn by hand; shared, since the job that makes the variant needs them, too.
pub type ByHand = Arc<[HeldSpan]>;

/// How one foot or hand stays in place.
#[derive(Debug, Clone, PartialEq)]
pub struct LimbLine {
    /// Which joint.
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
    /// By joint.
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

/// Marks that a clip's contacts are meant as they are, also if there are none.
pub(in crate::app::variation) fn say_by_hand(clip: &mut Clip) {
    clip.info.history.push(CONTACTS_BY_HAND.to_owned());
}
