//! What the crowd preview remembers.

use std::sync::Arc;

use crate::app::study::crowd::walkers::Crowd;

/// What the panel remembers.
#[derive(Debug)]
pub struct CrowdView {
    /// How many characters play at once.
    pub count: usize,
    /// Names the random numbers: who plays what, from where on.
    pub seed: u64,
    /// The name of the set that plays; none is every judged set.
    pub set: Option<String>,
    /// Half of them play the inputs again and again.
    pub has_cycles: bool,
    /// Who plays what another one plays is lit.
    pub lights_repeated: bool,
    /// Whether the 3D view shows it.
    pub is_shown: bool,
    /// The crowd that stands there.
    pub crowd: Option<Arc<Crowd>>,
    /// The motion that was clicked: all who play it are lit.
    pub picked: Option<usize>,
    /// How long the crowd has played.
    pub secs: f64,
    pub(super) playhead_secs: f64,
}

impl Default for CrowdView {
    fn default() -> Self {
        Self {
            count: 100,
            seed: 1,
            set: None,
            has_cycles: true,
            lights_repeated: false,
            is_shown: false,
            crowd: None,
            picked: None,
            secs: 0.0,
            playhead_secs: 0.0,
        }
    }
}
