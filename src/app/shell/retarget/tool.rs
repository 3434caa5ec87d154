//! The tool that brings clips onto another skeleton: what is chosen in it, and what is found out about that.

use std::sync::Arc;

use super::findings::{Asked, Findings, RetargetTool, Shift};
use super::look::find;
use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::retarget::bring::{Bringer, Order};
use crate::app::shell::retarget::choice::TargetChoice;
use crate::app::shell::work::Shown;
use crate::document::ClipId;
use crate::retarget::RetargetSettings;

/// The job that looks at pairs and makes previews.
const LOOK: &str = "look at skeletons";

impl RetargetTool {
    /// For these clips, onto this.
    pub fn new(clips: Vec<ClipId>, choice: TargetChoice, keeps_originals: bool) -> Self {
        Self {
            clips,
            choice,
            settings: RetargetSettings::default(),
            keeps_originals,
            shows_preview: true,
            findings: None,
        }
    }

    fn asked(&self, cx: &UiContext) -> Option<Asked> {
        let of = |id: &ClipId| Some((*id, Arc::clone(cx.document().clip(*id)?)));
        Some(Asked {
            clips: self.clips.iter().filter_map(of).collect(),
            bringer: Bringer {
                target: self.choice.target.clone()?,
                settings: self.settings.clone(),
                maps: cx.bone_maps.clone(),
            },
        })
    }

    /// What is known about what is chosen now; looked at in the background if it is not.
    pub(in crate::app::shell::retarget) fn findings(
        &self,
        cx: &mut UiContext,
    ) -> Option<Arc<Findings>> {
        let asked = self.asked(cx)?;
        let known = self.findings.as_ref();
        if let Some(known) = known.filter(|known| known.asked.is_same(&asked)) {
            return Some(Arc::clone(known));
        }
        match cx.work.named(LOOK) {
            // What is looked at now is not wanted any more, or is just this: either way it ends soon.
            Some(_) => {}
            None => {
                cx.look(
                    LOOK,
                    Shown::Quietly,
                    move |ticket| find(asked, ticket),
                    Shell::take_pairs,
                );
            }
        }
        None
    }

    /// What was found out last, even if something else is chosen by now: so that the view does not blink.
    pub(in crate::app::shell::retarget) fn last_shifts(&self) -> &[Shift] {
        self.findings.as_ref().map_or(&[], |known| &known.shifts)
    }

    /// What the main button asks for.
    pub(in crate::app::shell::retarget) fn order(&self, cx: &UiContext) -> Option<Order> {
        let asked = self.asked(cx)?;
        Some(Order {
            clips: asked.clips.iter().map(|(id, _)| *id).collect(),
            bringer: asked.bringer,
            keeps_originals: self.keeps_originals,
        })
    }
}
