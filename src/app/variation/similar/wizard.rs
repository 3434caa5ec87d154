//! What the similarity wizard remembers and has found.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use crate::document::ClipId;
use crate::motion::Clip;
use crate::variation::similar::{Dropped, Judged, Selection};

/// A step of the wizard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Step {
    /// Clips that are known to go together.
    #[default]
    Known,
    /// Clips to choose from.
    Candidates,
    /// Rounds in which clips are left out one by one.
    Run,
    /// Which clips are similar, and what to do with them.
    Result,
}

impl Step {
    /// All steps, in their order.
    pub const ALL: [Self; 4] = [Self::Known, Self::Candidates, Self::Run, Self::Result];

    /// The words on its tab.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Known => "1 Known good",
            Self::Candidates => "2 Candidates",
            Self::Run => "3 Run",
            Self::Result => "4 Result",
        }
    }
}

/// What was asked and how far it is.
#[derive(Debug, Clone)]
pub struct Findings {
    /// Clips that set the measure.
    pub known: Vec<(ClipId, Arc<Clip>)>,
    /// Clips that are judged.
    pub candidates: Vec<(ClipId, Arc<Clip>)>,
    /// Up to the last round that ended; none before the first.
    pub selection: Option<Arc<Selection>>,
    /// Whether that is all.
    pub is_over: bool,
    /// Candidates that the animator took in or left out by hand.
    pub overruled: BTreeMap<usize, bool>,
}

impl Findings {
    /// What became of a candidate: its likelihood in the last round it was in, and what it was dropped for.
    pub fn verdict(&self, candidate: usize) -> Option<(&Judged, Option<&Dropped>)> {
        let selection = self.selection.as_ref()?;
        let mut dropped = selection.dropped.iter();
        if let Some(out) = dropped.find(|out| out.judged.candidate == candidate) {
            return Some((&out.judged, Some(out)));
        }
        let last = selection.rounds.last()?;
        let judged = last.iter().find(|judged| judged.candidate == candidate)?;
        Some((judged, None))
    }

    /// Why a candidate was dropped, in words.
    pub fn reasons(&self, dropped: &Dropped) -> String {
        if let Some(astray) = &dropped.astray {
            return astray.to_string();
        }
        let dofs = self.selection.as_ref().map_or(&[][..], |s| &s.dofs);
        let words = dropped.judged.unlikely.iter().take(3).map(|unlikely| {
            let dof = dofs.get(unlikely.dof).map_or("?", String::as_str);
            format!("{dof} at frame {}", unlikely.worst_frame)
        });
        format!("unlikely: {}", words.collect::<Vec<String>>().join(", "))
    }

    /// Whether a candidate is one of the result: by hand, or else because it fits or misses by little. Near misses
    /// stay, marked as such: whoever knows the takes leaves them out more easily than they would find them again.
    pub fn is_in(&self, candidate: usize) -> bool {
        let fits = || {
            let verdict = self.verdict(candidate);
            verdict.is_some_and(|(_, dropped)| dropped.is_none_or(|dropped| dropped.is_near))
        };
        let by_hand = self.overruled.get(&candidate).copied();
        by_hand.unwrap_or_else(fits)
    }

    /// Takes a candidate in, or leaves it out.
    pub(in crate::app) fn overrule(&mut self, candidate: usize, is_in: bool) {
        self.overruled.remove(&candidate);
        if self.is_in(candidate) != is_in {
            self.overruled.insert(candidate, is_in);
        }
    }

    /// How many candidates are in the result.
    pub fn n_in(&self) -> usize {
        (0..self.candidates.len())
            .filter(|c| self.is_in(*c))
            .count()
    }

    /// The known clips and the candidates of the result.
    pub fn alike(&self) -> Vec<ClipId> {
        let kept = self.candidates.iter().enumerate();
        let kept = kept.filter(|(place, _)| self.is_in(*place));
        let kept = kept.map(|(_, (id, _))| *id);
        let known = self.known.iter().map(|known| known.0);
        known.chain(kept).collect()
    }
}

/// What the wizard remembers.
#[derive(Debug, Default)]
pub struct Wizard {
    /// The step that is shown.
    pub step: Step,
    /// Clips that are known to go together.
    pub known: Vec<ClipId>,
    /// Clips to choose from.
    pub candidates: Vec<ClipId>,
    /// What the last comparison found.
    pub findings: Option<Findings>,
    pub(super) arriving: Option<Receiver<Selection>>,
}
