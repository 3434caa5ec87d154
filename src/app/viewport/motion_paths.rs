//! The ways of joints through the world, for trails; found out in the background.
//!
//! A cache: keyed by the clip and the joints, and it may be dropped at any time.

use std::sync::Arc;

use rayon::prelude::*;

use super::path_cache::JointPaths;
use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::Unseen;
use crate::app::shell::messages::Severity;
use crate::app::shell::view_options::TrailPart;
use crate::app::shell::work::Shown;
use crate::app::viewport::state::ViewportState;
use crate::document::ClipId;
use crate::motion::{Clip, Vec3, WorldPose};

type MissingPaths = Vec<(ClipId, Arc<Clip>, Vec<usize>)>;

impl ViewportState {
    /// The joints whose trails are wanted on this clip, in order.
    pub fn path_joints(cx: &UiContext, id: ClipId, clip: &Clip) -> Vec<usize> {
        if !cx.preferences.view.shows_trails {
            return Vec::new();
        }
        let named = cx.session.trails.iter();
        let mut joints: Vec<usize> = named
            .filter_map(|name| clip.skeleton().find(name))
            .collect();
        if let Some(analysis) = cx.analyses.to_draw(id, clip) {
            for part in &cx.preferences.view.trail_parts {
                match part {
                    TrailPart::Hips => joints.push(analysis.root),
                    TrailPart::Head => joints.extend(analysis.head),
                    TrailPart::Hands => joints.extend_from_slice(&analysis.hands),
                    TrailPart::Feet => {
                        // Of heel and toe one is enough to see the step.
                        let feet = analysis.feet.iter().copied();
                        let is_heel = |joint: &usize| {
                            let mut above = clip.skeleton().ancestors(*joint).skip(1);
                            !above.any(|parent| analysis.feet.contains(&parent))
                        };
                        joints.extend(feet.filter(is_heel));
                    }
                }
            }
        }
        joints.sort_unstable();
        joints.dedup();
        joints
    }

    /// Finds the ways of the selected clips that are wanted and not known yet.
    pub fn find_motion_paths(&mut self, cx: &mut UiContext) {
        if !cx.preferences.view.shows_trails || self.paths.is_looking {
            return;
        }
        let selected = cx.session.selection.iter().take(UiContext::MOST_SHOWN);
        let wanted: MissingPaths = selected
            .filter_map(|&id| {
                let clip = cx.document().clip(id)?;
                // Which joints are meant is known only then.
                cx.analyses.of(id, clip)?;
                let joints = Self::path_joints(cx, id, clip);
                let known = self.paths.of(id, clip);
                let is_known =
                    known.is_some_and(|ways| ways.iter().map(|w| w.0).eq(joints.iter().copied()));
                (!is_known).then(|| (id, Arc::clone(clip), joints))
            })
            .collect();
        if wanted.is_empty() {
            return;
        }
        // Only what is selected is kept: ways of long takes are large.
        let selection = &cx.session.selection;
        self.paths.known.retain(|id, _| selection.contains(id));
        self.paths.is_looking = self.inbox.look(
            cx,
            "find motion paths",
            Shown::Quietly,
            move |ticket| {
                let found = wanted.into_par_iter().map(|(id, clip, joints)| {
                    ticket.check()?;
                    let ways = Arc::new(ways(&clip, &joints));
                    Ok((id, (clip, ways)))
                });
                found.collect::<Result<Vec<_>, _>>()
            },
            |viewport, shell, seen| {
                viewport.paths.is_looking = false;
                match seen {
                    Ok(found) => viewport.paths.known.extend(found),
                    Err(Unseen::Cancelled) => {}
                    Err(Unseen::Crashed) => {
                        shell.preferences.view.shows_trails = false;
                        let words =
                            "motion paths of these clips cannot be drawn, please report this";
                        shell.say(Severity::Error, words);
                    }
                }
            },
        );
    }
}

fn ways(clip: &Clip, joints: &[usize]) -> JointPaths {
    let skeleton = clip.skeleton();
    let mut world = WorldPose::of(skeleton, clip.frame(0));
    let mut ways: Vec<Vec<Vec3>> = vec![Vec::with_capacity(clip.n_frames()); joints.len()];
    for pose in clip.frames() {
        world.update(skeleton, pose);
        for (way, joint) in ways.iter_mut().zip(joints) {
            way.push(world.positions[*joint]);
        }
    }
    let ways = ways.into_iter().map(Into::into);
    joints.iter().copied().zip(ways).collect()
}
