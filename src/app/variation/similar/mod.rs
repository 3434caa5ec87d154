//! Which clips go together with clips that are known to (section 9 of the paper), as a job that tells of every round.

pub(in crate::app) mod likelihoods_ui;
pub(in crate::app) mod ui;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use crate::app::shell::Shell;
use crate::app::shell::clips::training::training_motions;
use crate::app::shell::context::UiContext;
use crate::app::shell::docks::Pane;
use crate::app::shell::jobs::{DeliveryTo, Shown};
use crate::app::shell::messages::Severity;
use crate::app::shell::words::counted;
use crate::app::shell::words::free_set_name;
use crate::app::variation::state::VariationWorkspace;
use crate::document::{ClipId, Command};
use crate::motion::Clip;
use crate::variation::LearnSettings;
use crate::variation::similar::{Dropped, Judged, Selection, select_and_tell};

/// The job, as the status bar names it.
pub const SIMILAR: &str = "find similar clips";

/// A step of the wizard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Step {
    /// Clips that are known to go together.
    #[default]
    Known,
    /// Clips to choose from.
    Candidates,
    /// The rounds.
    Run,
    /// Who stays.
    Result,
}

impl Step {
    /// In their order.
    pub const ALL: [Self; 4] = [Self::Known, Self::Candidates, Self::Run, Self::Result];

    /// On its tab.
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
    /// What was found.
    pub findings: Option<Findings>,
    arriving: Option<Receiver<Selection>>,
}

impl VariationWorkspace {
    /// These clips, as far as they are still there.
    pub fn clips_of(cx: &UiContext, ids: &[ClipId]) -> Vec<(ClipId, Arc<Clip>)> {
        let clip = |id: &ClipId| Some((*id, Arc::clone(cx.document().clip(*id)?)));
        ids.iter().filter_map(clip).collect()
    }

    /// Runs the wizard.
    pub fn find_similar(&mut self, cx: &mut UiContext) {
        let known = Self::clips_of(cx, &self.wizard.known);
        let mut candidates = Self::clips_of(cx, &self.wizard.candidates);
        candidates.retain(|(id, _)| known.iter().all(|other| other.0 != *id));
        let (send, receive) = channel();
        self.wizard.arriving = Some(receive);
        self.wizard.step = Step::Run;
        self.wizard.findings = Some(Findings {
            known: known.clone(),
            candidates: candidates.clone(),
            selection: None,
            is_over: false,
            overruled: BTreeMap::new(),
        });
        let wake = cx.wake();
        self.inbox.start(cx, SIMILAR, Shown::InBar, move |ticket| {
            let known = motions_of(&known)?;
            let judged = motions_of(&candidates)?;
            let known: Vec<&Clip> = known.iter().map(|(clip, _)| clip).collect();
            let (judged, leads): (Vec<&Clip>, Vec<usize>) =
                judged.iter().map(|(clip, lead)| (clip, *lead)).unzip();
            let settings = LearnSettings::default();
            let mut hear = |so_far: &Selection| {
                // Nobody may listen any more; the work is stopped by its ticket.
                send.send(in_frames_of_files(so_far.clone(), &leads)).ok();
                wake();
            };
            let found = select_and_tell(&known, &judged, &settings, ticket, &mut hear)?;
            let found = in_frames_of_files(found, &leads);
            let delivery: DeliveryTo<Self> =
                Box::new(move |variation, shell| variation.take_similar(shell, found));
            Ok(delivery)
        });
    }

    /// Rounds that have ended meanwhile.
    pub(in crate::app::variation) fn take_selection(&mut self) {
        let wizard = &mut self.wizard;
        let last = wizard
            .arriving
            .as_ref()
            .and_then(|arriving| arriving.try_iter().last());
        if let (Some(selection), Some(findings)) = (last, wizard.findings.as_mut())
            && !findings.is_over
        {
            findings.selection = Some(Arc::new(selection));
        }
    }

    fn take_similar(&mut self, cx: &mut UiContext, found: Selection) {
        let wizard = &mut self.wizard;
        wizard.arriving = None;
        wizard.step = Step::Result;
        if let Some(findings) = wizard.findings.as_mut() {
            findings.selection = Some(Arc::new(found));
            findings.is_over = true;
            let n_in = findings.n_in();
            let kept = counted(n_in, "candidate");
            let dropped = findings.candidates.len() - n_in;
            cx.say(Severity::Done, format!("{kept} kept, {dropped} dropped"));
        }
    }

    /// Makes a set of the clips that go together: one step.
    pub fn keep_similar(&mut self, shell: &mut Shell) {
        let Some(findings) = &self.wizard.findings else {
            return;
        };
        let clips = findings.alike();
        let n = clips.len();
        let name = free_set_name(shell.document(), "alike");
        let words = format!("{} in the set {name}", counted(n, "clip"));
        if shell.edit(Command::AddSet { name, clips }).is_some() {
            shell.say(Severity::Done, words);
        }
    }

    /// The clips that go together become the takes, and a model is learned from them.
    pub fn learn_from_similar(&mut self, cx: &mut UiContext) {
        if let Some(findings) = &self.wizard.findings {
            self.takes.chosen = findings.alike();
            cx.wanted_pane = Some(Pane::Takes);
            self.learn_variation(cx);
        }
    }
}

/// What is compared: motions as models learn from them, each with the number of frames that were dropped before it.
fn motions_of(clips: &[(ClipId, Arc<Clip>)]) -> anyhow::Result<Vec<(Clip, usize)>> {
    let clips: Vec<Arc<Clip>> = clips.iter().map(|(_, clip)| Arc::clone(clip)).collect();
    let motions = training_motions(&clips)?.into_iter().zip(&clips);
    let motions = motions.map(|(motion, clip)| {
        let lead = clip.n_frames() - motion.n_frames();
        (motion, lead)
    });
    Ok(motions.collect())
}

/// Frames are told as the clips of the library count them.
fn in_frames_of_files(mut selection: Selection, leads: &[usize]) -> Selection {
    let dropped = selection.dropped.iter_mut().map(|out| &mut out.judged);
    let judged = selection.rounds.iter_mut().flatten().chain(dropped);
    for judged in judged {
        let lead = leads.get(judged.candidate).copied().unwrap_or(0);
        for unlikely in &mut judged.unlikely {
            unlikely.worst_frame += lead;
        }
    }
    selection
}
