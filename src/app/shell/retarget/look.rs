//! Looks, in the background, what the tool would do.

use std::sync::Arc;

use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::Unseen;
use crate::app::shell::messages::Severity;
use crate::app::shell::retarget::choice::{Target, TargetChoice};
use crate::app::shell::retarget::findings::{
    Asked, Findings, MOST_PREVIEWED, Matched, PairFinding, RetargetTool, Shift,
};
use crate::app::shell::retarget::maps::BoneMaps;
use crate::app::shell::retarget::skeletons::{Difference, Kind, kinds};
use crate::document::ClipId;
use crate::jobs::{Cancelled, Ticket};
use crate::motion::{Clip, Skeleton};
use crate::retarget::{Character, Pairing};

impl Shell {
    pub(super) fn take_pairs(&mut self, found: Result<Findings, Unseen>) {
        match found {
            Ok(findings) => {
                if let Some(tool) = &mut self.retarget_tool {
                    tool.findings = Some(Arc::new(findings));
                }
            }
            Err(Unseen::Cancelled) => {}
            Err(Unseen::Crashed) => {
                self.retarget_tool = None;
                let words = "these skeletons cannot be looked at; please report this";
                self.say(Severity::Error, words);
            }
        }
    }
}

impl UiContext {
    /// Opens the tool for clips that have to share a skeleton: the one that most of them have is proposed, and they
    /// are changed in place, so that whoever chose them goes on with the same clips.
    pub fn bring_onto_one_skeleton(&mut self, clips: Vec<ClipId>) {
        let of = |id: &ClipId| Some((*id, self.document().clip(*id)?));
        let kinds = kinds(clips.iter().filter_map(of), Difference::Lengths);
        // Of equals the first.
        let most = kinds.iter().rev().max_by_key(|kind| kind.clips.len());
        let Some(target) = most.map(|kind| Target::of(&kind.first)) else {
            return;
        };
        let choice = TargetChoice::of(target);
        self.retarget_tool = Some(RetargetTool::new(clips, choice, false));
    }

    /// Opens the tool for the selected clips, with the target still to be chosen.
    pub(in crate::app::shell) fn retarget_selected(&mut self) {
        let clips: Vec<ClipId> = self.selected_clips().into_iter().map(|c| c.0).collect();
        let choice = TargetChoice::default();
        self.retarget_tool = Some(RetargetTool::new(clips, choice, true));
    }
}

pub(super) fn find(asked: Asked, ticket: &Ticket) -> Result<Findings, Cancelled> {
    let Asked { clips, bringer } = &asked;
    let target = &bringer.target.clip;
    let is_there =
        |clip: &Clip| **clip.skeleton() == **target.skeleton() && clip.info.up == target.info.up;
    let others = clips.iter().filter(|(_, clip)| !is_there(clip));
    let kinds = kinds(others.map(|(id, clip)| (*id, clip)), Difference::Joints);
    let n_there = clips.len() - kinds.iter().map(|kind| kind.clips.len()).sum::<usize>();
    let mut pairs = Vec::with_capacity(kinds.len());
    for kind in kinds {
        ticket.check()?;
        pairs.push(matched(kind, target, &bringer.maps));
    }
    let mut shifts = Vec::new();
    for (_, clip) in clips.iter().take(MOST_PREVIEWED) {
        ticket.check()?;
        // Why a clip cannot be brought is said for its skeleton.
        if let Ok(made) = bringer.bring(clip) {
            shifts.push(Shift {
                before: Arc::clone(clip),
                after: Arc::new(made.clip),
                slide: made.slide,
            });
        }
    }
    Ok(Findings {
        asked,
        pairs,
        n_there,
        shifts,
    })
}

pub(super) fn matched(kind: Kind, target: &Clip, maps: &BoneMaps) -> PairFinding {
    let source = &kind.first;
    let skeletons: (&Skeleton, &Skeleton) = (source.skeleton(), target.skeleton());
    let by_hand = maps.by_hand(skeletons.0, skeletons.1);
    let is_by_hand = by_hand.is_some();
    let pairing = match by_hand {
        Some(pairing) => Ok(pairing),
        None => Pairing::found(source, target),
    };
    let labels = Character::of(source, crate::retarget::ReferencePose::Found);
    PairFinding {
        names: labels.ok().and_then(|found| found.labels().preset),
        matched: pairing
            .map(|pairing| Matched {
                unmapped: pairing.map.unmapped(skeletons.0, skeletons.1),
                pairing,
                is_by_hand,
            })
            .map_err(|error| error.to_string()),
        kind,
    }
}
