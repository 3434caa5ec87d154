//! Which clips go together with clips that are known to (section 9 of the paper), as a job that tells of every round.

pub(in crate::app) mod likelihoods_ui;
pub(in crate::app) mod ui;
mod wizard;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::channel;

use crate::app::shell::Shell;
use crate::app::shell::clips::training::training_motions;
use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::DeliveryTo;
use crate::app::shell::messages::Severity;
use crate::app::shell::pane::Pane;
use crate::app::shell::words::{counted, free_set_name};
use crate::app::shell::work::Shown;
use crate::app::variation::state::VariationWorkspace;
use crate::document::{ClipId, Command};
use crate::motion::Clip;
use crate::variation::LearnSettings;
use crate::variation::similar::{Selection, select_and_tell};

pub use wizard::{Findings, Step, Wizard};

/// The job, as the status bar names it.
pub const SIMILAR: &str = "find similar clips";

impl VariationWorkspace {
    /// These clips, as far as they are still there.
    pub fn clips_of(cx: &UiContext, ids: &[ClipId]) -> Vec<(ClipId, Arc<Clip>)> {
        let clip = |id: &ClipId| Some((*id, Arc::clone(cx.document().clip(*id)?)));
        ids.iter().filter_map(clip).collect()
    }

    /// Compares the candidates of the wizard with the known clips.
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
