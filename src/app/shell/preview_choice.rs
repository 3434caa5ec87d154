//! Which preview is shown, and what of it.

use std::sync::Arc;

use crate::app::shell::context::UiContext;
use crate::app::shell::previews::{ComparedKind, Ghost, Holds, Played, Preview};
use crate::app::shell::session::Subject;
use crate::app::shell::stage::StageId;
use crate::document::ClipId;
use crate::motion::Clip;

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
    pub fn compared_on_stage(&self, id: StageId) -> Option<ComparedKind> {
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
