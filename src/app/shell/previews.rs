//! What would be: shown in the 3D view before it is done, and gone when nobody asks for it any more.
//!
//! A panel that wants something previewed says so every frame that it is drawn ([`Previews::wish`]); when it stops, so
//! does the preview. Nothing of it is in the document, and the playhead stays where it is: stretches that are shown in
//! place of the selection run by a clock of their own.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::shell::session::Subject;
use crate::document::ClipId;
use crate::motion::{Clip, Vec3};
use crate::sequence::Carry;
use crate::variation::HeldSpan;

/// Something to look at before it is done.
#[derive(Debug, Clone)]
pub enum Preview {
    /// The active clip alone, whatever else is selected.
    Active,
    /// Selected clips as they would become, at the playhead.
    Changed(BTreeMap<ClipId, Arc<Clip>>),
    /// These in place of the selected clips, again and again from their start. The first one stands out.
    Instead(Vec<Arc<Clip>>),
    /// A family of motions in place of the selected clips, at the playhead.
    Family(Family),
    /// A motion that a workspace plays in place of the selected clips, at the playhead.
    Played(Played),
}

/// A baseline that variants are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ComparedKind {
    /// Smoothed noise on every degree of freedom.
    SmoothedNoise,
    /// Noise of several bands.
    Perlin,
    /// The takes again, in random order.
    CycleAnimation,
}

impl ComparedKind {
    /// All kinds, in the order in which they are offered.
    pub const ALL: [Self; 3] = [Self::SmoothedNoise, Self::Perlin, Self::CycleAnimation];

    /// On buttons and in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SmoothedNoise => "Smoothed noise",
            Self::Perlin => "Perlin noise",
            Self::CycleAnimation => "Cycle animation",
        }
    }
}

/// A motion that a workspace plays, which says how long it is by a [`crate::app::shell::context::Timebase`].
#[derive(Debug, Clone)]
pub struct Played {
    /// The motion, from its first frame on.
    pub clip: Arc<Clip>,
    /// What is seen faintly beside it.
    pub ghosts: Vec<Ghost>,
    /// Where its root goes around the transition that is looked at; drawn as a line.
    pub way: Arc<[Vec3]>,
    /// Where a motion that is played on and on has got to: all of it is turned and moved so.
    pub carried: Option<Carry>,
    /// Whether it is another one in every frame: then no more is found out about it than is needed to draw it.
    pub is_live: bool,
}

/// A motion that is seen faintly beside the one that is played.
#[derive(Debug, Clone)]
pub struct Ghost {
    /// The motion, in the world of the one that is played.
    pub clip: Arc<Clip>,
    /// The side of the transition that it shows.
    pub side: GhostSide,
    /// The moment of the playhead that is its first frame.
    pub start_secs: f64,
    /// Where its root goes.
    pub way: Arc<[Vec3]>,
}

/// A side of a transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GhostSide {
    /// The clip that the transition leaves.
    Source,
    /// The clip that the transition reaches.
    Destination,
}

impl Played {
    pub(super) fn clips(&self) -> impl Iterator<Item = &Arc<Clip>> {
        std::iter::once(&self.clip).chain(self.ghosts.iter().map(|ghost| &ghost.clip))
    }

    fn is_same(&self, other: &Self) -> bool {
        let place = |played: &Self| -> Vec<(GhostSide, f64)> {
            let ghosts = played.ghosts.iter();
            ghosts.map(|ghost| (ghost.side, ghost.start_secs)).collect()
        };
        self.is_live == other.is_live
            && self.carried == other.carried
            && self.way == other.way
            && place(self) == place(other)
            && self
                .clips()
                .zip(other.clips())
                .all(|(a, b)| Arc::ptr_eq(a, b))
    }
}

/// When feet and hands of the motion that is looked at are held.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Holds {
    /// In the order of their frames.
    pub spans: Vec<HeldSpan>,
    /// Whether they can be changed by hand.
    pub can_change: bool,
}

/// Takes and what was made from them, side by side in the 3D view.
#[derive(Debug, Clone, Default)]
pub struct Family {
    /// What its playhead is of: that of clips where they are only seen otherwise.
    pub subject: Subject,
    /// What was given: blue.
    pub inputs: Vec<Arc<Clip>>,
    /// What was made: orange.
    pub variants: Vec<Arc<Clip>>,
    /// The variant that is looked at stands out.
    pub looked_at: Option<usize>,
    /// Whether only what stands out is seen.
    pub is_solo: bool,
    /// One more, as it is now: a stream that goes on and on.
    pub live: Option<Arc<Clip>>,
    /// What holds the variant that is looked at.
    pub holds: Option<Holds>,
    /// What variants are compared with.
    pub compared: Vec<(ComparedKind, Arc<Clip>)>,
}

impl Family {
    pub(super) fn clips(&self) -> impl Iterator<Item = &Arc<Clip>> {
        let made = self.variants.iter().chain(&self.live);
        let compared = self.compared.iter().map(|(_, clip)| clip);
        self.inputs.iter().chain(made).chain(compared)
    }

    fn is_same(&self, other: &Self) -> bool {
        self.looked_at == other.looked_at
            && self.is_solo == other.is_solo
            && self.holds == other.holds
            && self.inputs.len() == other.inputs.len()
            && self.live.is_some() == other.live.is_some()
            && self.variants.len() == other.variants.len()
            && self.compared.len() == other.compared.len()
            && self
                .clips()
                .zip(other.clips())
                .all(|(a, b)| Arc::ptr_eq(a, b))
    }
}

impl Preview {
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Changed(a), Self::Changed(b)) => {
                a.len() == b.len()
                    && a.iter()
                        .zip(b)
                        .all(|(a, b)| a.0 == b.0 && Arc::ptr_eq(a.1, b.1))
            }
            (Self::Instead(a), Self::Instead(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| Arc::ptr_eq(a, b))
            }
            (Self::Family(a), Self::Family(b)) => a.is_same(b),
            (Self::Played(a), Self::Played(b)) => a.is_same(b),
            (Self::Active, Self::Active) => true,
            _ => false,
        }
    }
}

/// The preview that is shown, and the one that is wished for.
#[derive(Debug, Default)]
pub struct Previews {
    shown: Option<Preview>,
    wished: Option<Preview>,
    pub(super) began_secs: f64,
}

impl Previews {
    /// Asks for a preview until the next frame.
    pub fn wish(&mut self, preview: Preview) {
        self.wished = Some(preview);
    }

    /// What is shown now.
    pub fn shown(&self) -> Option<&Preview> {
        self.shown.as_ref()
    }

    /// Once per frame: what was wished for is shown. Whether that is a change.
    pub(in crate::app) fn turn(&mut self, now_secs: f64) -> bool {
        let wished = self.wished.take();
        let is_same = match (&self.shown, &wished) {
            (None, None) => true,
            (Some(a), Some(b)) => a.is_same(b),
            _ => false,
        };
        if !is_same {
            self.began_secs = now_secs;
            self.shown = wished;
        }
        !is_same
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preview_lasts_as_long_as_it_is_wished_for() {
        let clip = Arc::new(crate::demo::make(crate::demo::Action::ALL[0], 1, 0).clip);
        let mut previews = Previews::default();
        assert!(!previews.turn(0.0), "nothing to nothing");
        for secs in [1.0, 2.0] {
            previews.wish(Preview::Instead(vec![Arc::clone(&clip)]));
            assert_eq!(previews.turn(secs), secs == 1.0, "new only once");
        }
        assert_eq!(previews.began_secs, 1.0, "its clock goes on");
        assert!(previews.turn(3.0), "gone is a change");
        assert!(previews.shown().is_none(), "gone");
    }
}
