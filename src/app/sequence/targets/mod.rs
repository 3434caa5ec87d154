//! Actions on the strip that reach for a point: from which takes, with what of the body, and where to.

pub(in crate::app) mod over_ui;
pub(in crate::app::sequence) mod ui;
mod view;

use std::sync::Arc;

use crate::app::sequence::state::SequenceWorkspace;
use crate::app::shell::context::UiContext;
use crate::app::shell::session::Framing;
use crate::document::{ActionSource, ClipId, TargetAction};
use crate::motion::{Body, Clip, Site, Skeleton, Vec3, WorldPose};
use crate::sequence::{EntryId, Play};
use crate::transition::parametric::is_same_action;

pub(in crate::app::sequence) use view::Selected;
pub use view::TargetView;

impl SequenceWorkspace {
    /// The selected action, if it is one alone and reaches for a point.
    pub(in crate::app::sequence) fn selected_target(&self, cx: &UiContext) -> Option<Selected> {
        let [entry] = *self.strip.selected else {
            return None;
        };
        let sequence = self.sequence_on_strip(cx)?;
        let ActionSource::Target(action) = &sequence.actions.entry(entry)?.source else {
            return None;
        };
        let shown = self.strip.shown();
        let play = shown.and_then(|shown| shown.plays.iter().find(|play| play.entry == entry));
        Some(Selected {
            entry,
            action: action.clone(),
            hit: play.and_then(|play| play.hit),
        })
    }

    /// The selected action, if the playhead stands where it meets its target.
    pub(in crate::app::sequence) fn target_at_playhead(&self, cx: &UiContext) -> Option<EntryId> {
        let [entry] = *self.strip.selected else {
            return None;
        };
        let fps = self.strip.shown()?.graph.rig().fps;
        let off = cx.session.playhead_secs - self.effect_secs(entry)?;
        (!cx.session.is_playing && off.abs() * fps < 0.5).then_some(entry)
    }

    /// Shows a target that is new at the moment at which it is met, and goes on showing it: with the target, that moment
    /// moves, too.
    pub(in crate::app::sequence) fn see_target(
        &mut self,
        cx: &mut UiContext,
        at_playhead: Option<EntryId>,
    ) {
        let new = self.targets.to_see;
        let seen = new.or(at_playhead);
        let Some(secs) = seen.and_then(|entry| self.effect_secs(entry)) else {
            return;
        };
        cx.session.playhead_secs = secs;
        if new.is_some() {
            cx.session.is_playing = false;
            cx.session.framing = Some(Framing::Selection);
            self.targets.to_see = None;
        }
    }

    /// When an action meets its target.
    fn effect_secs(&self, entry: EntryId) -> Option<f64> {
        let shown = self.strip.shown()?;
        let play = shown.plays.iter().find(|play| play.entry == entry)?;
        let frame = play.frame_of(play.hit?.effect_frame);
        // A little into the frame, so that rounding does not show the one before.
        Some((frame as f64 + 1e-3) / shown.graph.rig().fps)
    }

    /// The action of a clip on the strip as one that reaches: made from all takes of it that the library has, with the
    /// hand or foot that goes farthest, to where that is now.
    pub(in crate::app::sequence) fn reaching(
        &self,
        cx: &UiContext,
        entry: EntryId,
    ) -> Result<TargetAction, String> {
        let gone = || "the action is not on the strip any more".to_owned();
        let sequence = self.sequence_on_strip(cx).ok_or_else(gone)?;
        let source = sequence.actions.entry(entry).map(|entry| &entry.source);
        let Some(ActionSource::Clip(id)) = source else {
            return Err(gone());
        };
        let clip = cx.document().clip(*id).ok_or_else(gone)?;
        let examples = takes(cx, *id, clip);
        if examples.len() < 2 {
            return Err(format!(
                "{} has no other takes to be blended with: takes of one action differ in the number at the end of their \
                 names",
                clip.info.name
            ));
        }
        let not_yet = || "the motion is still being joined: try again in a moment".to_owned();
        let shown = self.strip.shown().ok_or_else(not_yet)?;
        let play = shown.plays.iter().find(|play| play.entry == entry);
        let (play, motion) = (play.ok_or_else(not_yet)?, shown.clip.as_ref());
        farthest(motion.ok_or_else(not_yet)?, play)
            .map(|(site, target)| TargetAction {
                examples,
                site,
                target,
            })
            .ok_or_else(|| "this skeleton has no arms or legs to reach with".to_owned())
    }
}

/// Takes of the same action by their names, this one first.
fn takes(cx: &UiContext, id: ClipId, clip: &Arc<Clip>) -> Vec<ClipId> {
    let is_take = |(other_id, other): &(ClipId, &Arc<Clip>)| {
        *other_id != id
            && is_same_action(&clip.info.name, &other.info.name)
            && other.skeleton().same_structure(clip.skeleton())
    };
    let others = cx.document().clips().filter(is_take);
    std::iter::once(id)
        .chain(others.map(|(id, _)| id))
        .take(1000)
        .collect()
}

/// What can reach: hands and feet.
pub(in crate::app::sequence) fn sites(skeleton: &Skeleton) -> Vec<Site> {
    let body = Body::of(skeleton);
    let limbs = body.arms.iter().chain(&body.legs);
    limbs.map(|limb| Site::Joint(limb.end)).collect()
}

/// The hand or foot that goes farthest from where it begins, seen from the body, and where it is then.
fn farthest(motion: &Clip, play: &Play) -> Option<(Site, Vec3)> {
    let skeleton = motion.skeleton();
    let sites = sites(skeleton);
    let last = motion.n_frames() - 1;
    let frames = play.shown.start.min(last)..play.shown.end.min(motion.n_frames());
    let blended = play.transition.as_ref().map_or(0, |t| t.at + t.frames);
    let from = blended.max(frames.start).min(frames.end.saturating_sub(1));
    let body = |world: &WorldPose| world.positions.first().copied().unwrap_or_default();
    let begin = WorldPose::of(skeleton, motion.frame(from));
    let mut best: Option<(f64, Site, Vec3)> = None;
    for frame in from..frames.end {
        let world = WorldPose::of(skeleton, motion.frame(frame));
        for site in &sites {
            let place = world.site(skeleton, *site);
            let began = begin.site(skeleton, *site) - body(&begin);
            let far = (place - body(&world) - began).norm();
            if best.as_ref().is_none_or(|(most, ..)| far > *most) {
                best = Some((far, *site, place));
            }
        }
    }
    best.map(|(_, site, place)| (site, place))
}
