//! The tool that brings clips onto another skeleton: what is chosen in it, and what is found out about that.

use std::sync::Arc;

use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::{Shown, Unseen};
use crate::app::shell::messages::Severity;
use crate::app::shell::retarget::bring::{Bringer, Order};
use crate::app::shell::retarget::maps::BoneMaps;
use crate::app::shell::retarget::skeletons::{Difference, Kind, kinds};
use crate::app::shell::retarget::target::{Target, TargetChoice};
use crate::document::ClipId;
use crate::jobs::{Cancelled, Ticket};
use crate::motion::{Clip, Skeleton};
use crate::retarget::{Character, Pairing, RetargetSettings, Slide, Unmapped};

/// The job that looks at pairs and makes previews.
const LOOK: &str = "look at skeletons";
/// More before and after at once would be a crowd.
pub const MOST_PREVIEWED: usize = 6;

/// What the animator chose.
#[derive(Debug)]
pub struct RetargetTool {
    /// Clips of the library.
    pub clips: Vec<ClipId>,
    /// Onto what.
    pub choice: TargetChoice,
    /// How.
    pub settings: RetargetSettings,
    /// New clips beside the old ones, instead of in their place.
    pub keeps_originals: bool,
    /// Whether the 3D view shows before and after.
    pub shows_preview: bool,
    /// What was found out last.
    findings: Option<Arc<Findings>>,
}

/// What was asked for: the findings hold for nothing else.
#[derive(Debug, Clone)]
struct Asked {
    clips: Vec<(ClipId, Arc<Clip>)>,
    bringer: Bringer,
}

impl Asked {
    fn is_same(&self, other: &Self) -> bool {
        let mut pairs = self.clips.iter().zip(&other.clips);
        self.clips.len() == other.clips.len()
            && pairs.all(|(a, b)| a.0 == b.0 && Arc::ptr_eq(&a.1, &b.1))
            && Arc::ptr_eq(&self.bringer.target.clip, &other.bringer.target.clip)
            && self.bringer.settings == other.bringer.settings
            && self.bringer.maps.revision() == other.bringer.maps.revision()
    }
}

/// What became of one skeleton of the clips.
#[derive(Debug, Clone)]
pub struct PairFinding {
    /// Its clips.
    pub kind: Kind,
    /// The program whose names it has.
    pub names: Option<&'static str>,
    /// Which joint moves which, or why it cannot be brought over.
    pub matched: Result<Matched, String>,
}

/// Two skeletons that were matched.
#[derive(Debug, Clone)]
pub struct Matched {
    /// Joint by joint.
    pub pairing: Pairing,
    /// What that leaves out.
    pub unmapped: Unmapped,
    /// Whether it was set by hand.
    pub is_by_hand: bool,
}

/// A clip before and after.
#[derive(Debug, Clone)]
pub struct Shift {
    /// As it is.
    pub before: Arc<Clip>,
    /// As it would become.
    pub after: Arc<Clip>,
    /// How much its feet slide.
    pub slide: Slide,
}

/// What was found out.
#[derive(Debug)]
pub struct Findings {
    asked: Asked,
    /// One for each skeleton that is not the target's.
    pub pairs: Vec<PairFinding>,
    /// How many clips are on the target's skeleton already.
    pub n_there: usize,
    /// Some clips before and after.
    pub shifts: Vec<Shift>,
}

impl Findings {
    /// Onto what.
    pub fn target(&self) -> &Target {
        &self.asked.bringer.target
    }

    /// Its bones.
    pub fn target_skeleton(&self) -> &Skeleton {
        self.target().clip.skeleton()
    }
}

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

impl Shell {
    fn take_pairs(&mut self, found: Result<Findings, Unseen>) {
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

fn find(asked: Asked, ticket: &Ticket) -> Result<Findings, Cancelled> {
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

fn matched(kind: Kind, target: &Clip, maps: &BoneMaps) -> PairFinding {
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
