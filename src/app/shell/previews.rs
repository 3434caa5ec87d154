//! What would be: shown in the 3D view before it is done, and gone when nobody asks for it any more.
//!
//! A panel that wants something previewed says so every frame that it is drawn ([`Previews::wish`]); when it stops, so
//! does the preview. Nothing of it is in the document, and the playhead stays where it is: stretches that are shown in
//! place of the selection run by a clock of their own.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::shell::context::UiContext;
use crate::app::shell::session::Subject;
use crate::app::shell::stage::StageId;
use crate::document::ClipId;
use crate::motion::Clip;
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
pub enum Kind {
    /// Smoothed noise on every degree of freedom.
    SmoothedNoise,
    /// Noise of several bands.
    Perlin,
    /// The takes again, in random order.
    CycleAnimation,
}

impl Kind {
    /// In their order.
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
    /// From its start.
    pub clip: Arc<Clip>,
    /// What is seen faintly beside it.
    pub ghosts: Vec<Ghost>,
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
    /// What it is.
    pub side: GhostSide,
    /// The moment of the playhead that is its first frame.
    pub start_secs: f64,
}

/// A side of a transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GhostSide {
    /// What is left.
    Source,
    /// What is reached.
    Destination,
}

impl Played {
    fn clips(&self) -> impl Iterator<Item = &Arc<Clip>> {
        std::iter::once(&self.clip).chain(self.ghosts.iter().map(|ghost| &ghost.clip))
    }

    fn is_same(&self, other: &Self) -> bool {
        let place = |played: &Self| -> Vec<(GhostSide, f64)> {
            let ghosts = played.ghosts.iter();
            ghosts.map(|ghost| (ghost.side, ghost.start_secs)).collect()
        };
        self.is_live == other.is_live
            && self.carried == other.carried
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
    pub compared: Vec<(Kind, Arc<Clip>)>,
}

impl Family {
    fn clips(&self) -> impl Iterator<Item = &Arc<Clip>> {
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
    began_secs: f64,
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

impl UiContext {
    /// The clips that the 3D view shows in library order, each with a number of its own.
    pub fn on_stage(&self) -> Vec<(StageId, Arc<Clip>)> {
        if let Some(Preview::Instead(clips)) = self.previews.shown() {
            let clips = clips.iter().map(Arc::clone);
            return (0..).map(StageId::Preview).zip(clips).collect();
        }
        if let Some(Preview::Family(family)) = self.previews.shown() {
            let numbered = (0..)
                .map(StageId::Preview)
                .zip(family.clips().map(Arc::clone));
            let mut numbered: Vec<(StageId, Arc<Clip>)> = numbered.collect();
            if let Some(lead) = self.stage_lead().filter(|_| family.is_solo) {
                numbered.retain(|(id, _)| *id == lead);
                return numbered;
            }
            // Of a crowd some are left out, but not those that the rest is compared with.
            let n_family = numbered.len() - family.compared.len();
            let most = Self::MOST_SHOWN.saturating_sub(family.compared.len());
            let (family, compared) = numbered.split_at(n_family);
            let shown = family.iter().take(most).chain(compared);
            return shown.take(Self::MOST_SHOWN).cloned().collect();
        }
        if let Some(Preview::Played(played)) = self.previews.shown() {
            let clips = played.clips().map(Arc::clone);
            return (0..).map(StageId::Preview).zip(clips).collect();
        }
        let active = self.session.active;
        if let Some(Preview::Active) = self.previews.shown() {
            let clip =
                active.and_then(|id| Some((id.into(), Arc::clone(self.document().clip(id)?))));
            return clip.into_iter().collect();
        }
        let selected = self.session.selection.iter().copied();
        // The active one is shown in any case.
        let others = selected.clone().filter(|id| Some(*id) != active);
        let last = others.take(Self::MOST_SHOWN - 1).last();
        selected
            .filter(|id| Some(*id) == active || last.is_some_and(|last| *id <= last))
            .filter_map(|id| Some((self.stage_id(id), Arc::clone(self.as_shown(id)?))))
            .collect()
    }

    /// Who stands out on stage.
    pub fn stage_lead(&self) -> Option<StageId> {
        match self.previews.shown() {
            Some(Preview::Family(family)) => {
                let n = family.inputs.len();
                let live = family.live.as_ref().map(|_| n + family.variants.len());
                let looked_at = family.looked_at.map(|at| n + at);
                live.or(looked_at).map(StageId::Preview)
            }
            Some(Preview::Played(_)) => Some(StageId::Preview(0)),
            _ => self.session.active.map(|id| self.stage_id(id)),
        }
    }

    /// The variant that is looked at, if a family is on stage and does not stream.
    pub(in crate::app) fn lead_variant(&self) -> Option<(StageId, Arc<Clip>)> {
        let Some(Preview::Family(family)) = self.previews.shown() else {
            return None;
        };
        let at = family.looked_at.filter(|_| family.live.is_none())?;
        let clip = Arc::clone(family.variants.get(at)?);
        Some((StageId::Preview(family.inputs.len() + at), clip))
    }

    /// What holds the variant that is looked at, if there is one and it does not stream.
    pub(in crate::app) fn looked_at_holds(&self) -> Option<&Holds> {
        match self.previews.shown() {
            Some(Preview::Family(family)) if family.live.is_none() => family.holds.as_ref(),
            _ => None,
        }
    }

    /// The takes of a family on stage.
    pub(in crate::app) fn takes_on_stage(&self) -> Vec<(StageId, Arc<Clip>)> {
        let Some(Preview::Family(family)) = self.previews.shown() else {
            return Vec::new();
        };
        let inputs = family.inputs.iter().map(Arc::clone);
        (0..).map(StageId::Preview).zip(inputs).collect()
    }

    /// The clip whose frames are counted: the variant that is looked at, or else the active clip.
    pub fn counted_clip(&self) -> Option<Arc<Clip>> {
        if let Some(Preview::Played(played)) = self.previews.shown() {
            return Some(Arc::clone(&played.clip));
        }
        let variant = self.lead_variant().map(|(_, clip)| clip);
        variant.or_else(|| self.active_clip().map(Arc::clone))
    }

    /// Which variant of a family this one on stage is.
    pub fn variant_on_stage(&self, id: StageId) -> Option<usize> {
        let (Some(Preview::Family(family)), StageId::Preview(place)) = (self.previews.shown(), id)
        else {
            return None;
        };
        let place = place.checked_sub(family.inputs.len())?;
        (place < family.variants.len() + usize::from(family.live.is_some())).then_some(place)
    }

    /// What kind of motion this one on stage is that variants are compared with.
    pub fn compared_on_stage(&self, id: StageId) -> Option<Kind> {
        let (Some(Preview::Family(family)), StageId::Preview(place)) = (self.previews.shown(), id)
        else {
            return None;
        };
        let before =
            family.inputs.len() + family.variants.len() + usize::from(family.live.is_some());
        Some(family.compared.get(place.checked_sub(before)?)?.0)
    }

    /// What the playhead of the family on stage is of; none if there is none.
    pub(in crate::app::shell) fn family_subject(&self) -> Option<Subject> {
        match self.previews.shown() {
            Some(Preview::Family(family)) => Some(family.subject),
            _ => None,
        }
    }

    /// How long the family on stage takes; none if there is none.
    pub(in crate::app) fn family_secs(&self) -> Option<f64> {
        let Some(Preview::Family(family)) = self.previews.shown() else {
            return None;
        };
        let compared = family.compared.iter().map(|(_, clip)| clip);
        let lengths = family.inputs.iter().chain(&family.variants).chain(compared);
        Some(lengths.map(|clip| clip.seconds()).fold(0.0, f64::max))
    }

    /// Whether this one on stage is as it is now only: there is no need to find out more about it than is known.
    pub(in crate::app) fn is_live(&self, id: StageId) -> bool {
        let is_live = match self.previews.shown() {
            Some(Preview::Family(family)) => family.live.is_some(),
            Some(Preview::Played(played)) => played.is_live,
            _ => false,
        };
        is_live && self.stage_lead() == Some(id)
    }

    /// The motion that a workspace plays, if this one on stage is it.
    pub(in crate::app) fn played_on_stage(&self, id: StageId) -> Option<&Played> {
        match self.previews.shown() {
            Some(Preview::Played(played)) if id == StageId::Preview(0) => Some(played),
            _ => None,
        }
    }

    /// The ghost beside it, if this one on stage is one.
    pub(in crate::app) fn ghost_on_stage(&self, id: StageId) -> Option<&Ghost> {
        let (Some(Preview::Played(played)), StageId::Preview(place)) = (self.previews.shown(), id)
        else {
            return None;
        };
        played.ghosts.get(place.checked_sub(1)?)
    }

    /// A clip on stage: as it is, or as what it would become.
    pub fn stage_id(&self, id: ClipId) -> StageId {
        match self.changed(id) {
            Some(_) => StageId::Changed(id),
            None => StageId::Clip(id),
        }
    }

    /// A clip of the document, or what it would become.
    pub fn as_shown(&self, id: ClipId) -> Option<&Arc<Clip>> {
        self.changed(id).or_else(|| self.document().clip(id))
    }

    fn changed(&self, id: ClipId) -> Option<&Arc<Clip>> {
        match self.previews.shown() {
            Some(Preview::Changed(changed)) => changed.get(&id),
            _ => None,
        }
    }

    /// The moment that the 3D view shows.
    pub fn stage_secs(&self) -> f64 {
        let Some(Preview::Instead(clips)) = self.previews.shown() else {
            return self.session.playhead_secs;
        };
        let length = clips.iter().map(|clip| clip.seconds()).fold(0.0, f64::max);
        let since = self.now_secs - self.previews.began_secs;
        if length > 0.0 {
            since.max(0.0).rem_euclid(length)
        } else {
            0.0
        }
    }

    /// Shows what was wished for while the last frame was drawn; whether the view moves by itself because of it.
    pub(in crate::app) fn turn_previews(&mut self) -> bool {
        let is_new = self.previews.turn(self.now_secs);
        is_new || matches!(self.previews.shown(), Some(Preview::Instead(_)))
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
