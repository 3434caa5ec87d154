//! Finds out, in the background, what is to be known about clips.

use std::sync::Arc;

use rayon::prelude::*;

use crate::app::render::Mannequin;
use crate::app::shell::Shell;
use crate::app::shell::clips::analysis::{AnalysisCache, Body3d, ClipAnalysis, analysed};
use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::Unseen;
use crate::app::shell::messages::Severity;
use crate::app::shell::stage::StageId;
use crate::app::shell::work::Shown;
use crate::jobs::{Cancelled, Ticket};
use crate::motion::Clip;

impl UiContext {
    /// Finds out about the selected clips what is not known yet.
    pub fn analyse_shown(&mut self) {
        if self.analyses.is_looking {
            return;
        }
        let mut wanted = self.on_stage();
        wanted.retain(|(id, clip)| {
            let is_enough = self.is_live(*id) && self.analyses.to_draw(*id, clip).is_some();
            let is_known = is_enough || self.analyses.of(*id, clip).is_some();
            !is_known && !self.analyses.carry_over(*id, clip)
        });
        if wanted.is_empty() {
            return;
        }
        if self.analyses.known.len() + wanted.len() > AnalysisCache::MOST {
            self.analyses = AnalysisCache::default();
        }
        let bodies = self.analyses.bodies.clone();
        let clips: Vec<Arc<Clip>> = wanted.iter().map(|(_, clip)| Arc::clone(clip)).collect();
        self.analyses.is_looking = self.look(
            "look at clips",
            Shown::Quietly,
            move |ticket| look(&wanted, bodies, ticket),
            move |shell, seen| shell.take_analyses(&clips, seen),
        );
    }
}

impl Shell {
    fn take_analyses(
        &mut self,
        clips: &[Arc<Clip>],
        seen: Result<(AnalysedClips, Vec<Body3d>), Unseen>,
    ) {
        self.analyses.is_looking = false;
        match seen {
            Ok((found, bodies)) => {
                self.analyses.known.extend(found);
                self.analyses.bodies = bodies;
            }
            Err(Unseen::Cancelled) => {}
            // Not selected any more, so that they are not looked at again and again.
            Err(Unseen::Crashed) => {
                let names: Vec<&str> = clips.iter().map(|c| c.info.name.as_str()).collect();
                self.session.select(None);
                let words = format!("cannot be shown, please report this: {}", names.join(", "));
                self.say(Severity::Error, words);
            }
        }
    }
}

type AnalysedClips = Vec<(StageId, (Arc<Clip>, Arc<ClipAnalysis>))>;

pub(super) fn look(
    wanted: &[(StageId, Arc<Clip>)],
    mut bodies: Vec<Body3d>,
    ticket: &Ticket,
) -> Result<(AnalysedClips, Vec<Body3d>), Cancelled> {
    let mut with_bodies = Vec::with_capacity(wanted.len());
    for (id, clip) in wanted {
        ticket.check()?;
        let skeleton = clip.skeleton();
        let same = |(known, _): &&Body3d| Arc::ptr_eq(known, skeleton) || known == skeleton;
        let known = bodies.iter().find(same).map(|(_, body)| Arc::clone(body));
        let body = known.unwrap_or_else(|| {
            let mannequin = Arc::new(Mannequin::of(clip));
            bodies.push((Arc::clone(skeleton), Arc::clone(&mannequin)));
            mannequin
        });
        with_bodies.push((*id, clip, body));
    }
    let found = with_bodies
        .into_par_iter()
        .map(|(id, clip, mannequin)| {
            ticket.check()?;
            Ok((id, (Arc::clone(clip), Arc::new(analysed(clip, mannequin)))))
        })
        .collect::<Result<AnalysedClips, Cancelled>>()?;
    Ok((found, bodies))
}
