//! Cutting takes into clips: proposals are found in the background, looked at, ticked, and cut in one step.

mod proposals;
pub mod ui;
pub mod view;

use std::ops::Range;
use std::sync::Arc;

use crate::app::library::state::LibraryWorkspace;
use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::DeliveryTo;
use crate::app::shell::messages::Severity;
use crate::app::shell::words::{counted, free_set_name};
use crate::app::shell::work::Shown;
use crate::document::{ClipId, Command, Document, SetId};
use crate::jobs::{Cancelled, Ticket};
use crate::motion::cycles::{CutStart, CycleCut, CycleSettings, find_cycles, make_loop};
use crate::motion::edit::{self, InPlace, Placement};
use crate::motion::repeats::{RepeatQuery, RepeatSettings};
use crate::motion::{Clip, HeadingFrame};

pub use proposals::{Keeping, Proposal, ProposalKind, Proposals, RepeatPattern};

impl LibraryWorkspace {
    /// Looks for cycles in the selected clips.
    pub fn find_cycles(&mut self, cx: &mut UiContext, start: CutStart) {
        let takes = cx.selected_clips();
        let name = format!("find cycles in {}", counted(takes.len(), "take"));
        let settings = CycleSettings {
            start,
            ..CycleSettings::default()
        };
        self.inbox.start(cx, name, Shown::InBar, move |ticket| {
            let each = in_all(&takes, ticket, |take| cycles_of(take, &settings))?;
            let mut proposals = gathered(ProposalKind::Cycles, takes, each);
            let by_value = |p: &Proposal, q: &Proposal| q.value.total_cmp(&p.value);
            proposals.list.sort_by(by_value);
            Ok(proposed(proposals))
        });
    }

    /// Looks for stretches like the pattern in these takes.
    pub fn find_repeats(
        &mut self,
        cx: &mut UiContext,
        pattern: RepeatPattern,
        takes: Vec<(ClipId, Arc<Clip>)>,
    ) {
        let name = format!("find repeats in {}", counted(takes.len(), "take"));
        self.inbox.start(cx, name, Shown::InBar, move |ticket| {
            let settings = RepeatSettings::default();
            let marked = RepeatQuery::new(&pattern.take, pattern.frames.clone(), &settings)?;
            let each = in_all(&takes, ticket, |take| {
                let found = marked.search(take).map_err(|e| e.to_string())?;
                let found = found.into_iter();
                Ok(found.map(|f| (f.frames, f.distance, true)).collect())
            })?;
            let mut proposals = gathered(ProposalKind::Repeats, takes, each);
            let by_value = |p: &Proposal, q: &Proposal| p.value.total_cmp(&q.value);
            proposals.list.sort_by(by_value);
            Ok(proposed(proposals))
        });
    }

    /// Cuts the ticked proposals out of their takes: new clips, and a set of them if wished, in one step.
    pub fn keep_ticked(&mut self, cx: &mut UiContext, keeping: Keeping) {
        let list = self.cut.proposals.iter();
        let list = list.flat_map(|p| p.list.iter());
        let ticked: Vec<Proposal> = list.filter(|p| p.is_ticked).cloned().collect();
        let name = format!("cut {}", counted(ticked.len(), "clip"));
        self.inbox.start(cx, name, Shown::InBar, move |ticket| {
            let clips = cut_all(&ticked, keeping.is_seamless, ticket)?;
            let delivery: DeliveryTo<Self> =
                Box::new(move |library, shell| library.take_cut(shell, clips, keeping.set));
            Ok(delivery)
        });
    }

    fn take_cut(&mut self, shell: &mut Shell, clips: Vec<Clip>, set: Option<String>) {
        let n = clips.len();
        let what = format!("cut {}", counted(n, "clip"));
        let first = shell.document().next_number();
        let mut commands = vec![Command::AddClips(clips.into_iter().map(Arc::new).collect())];
        let set = set.map(|wish| free_set_name(shell.document(), &wish));
        if let Some(name) = set.clone() {
            let clips = (first..first + n as u64).map(ClipId).collect();
            commands.push(Command::AddSet { name, clips });
        }
        let Some(added) = shell.edit(Command::Together { what, commands }) else {
            return;
        };
        shell.session.reveal = added.first().copied();
        shell.session.select(added);
        shell.show_from_start();
        self.cut.proposals = None;
        let clips = counted(n, "clip");
        let words = match &set {
            Some(name) => format!("{clips} cut and put in the set {name}"),
            None => format!("{clips} cut"),
        };
        if set.is_some() {
            self.sets.open = shell.document().sets().last().map(|set| set.id);
        }
        shell.say(Severity::Done, words);
    }

    /// Makes a new clip of the play range of every selected clip; the takes stay.
    pub fn copy_range(&mut self, shell: &mut Shell) {
        let Some(range_secs) = shell.session.range_secs else {
            return;
        };
        let mut made = Vec::new();
        for (_, clip) in shell.selected_clips() {
            let frames = crate::app::shell::clips::operations::frames_in(&clip, range_secs);
            match named_cut(&clip, &frames) {
                Ok(cut) => made.push(cut),
                Err(error) => shell.say(Severity::Error, format!("{}: {error}", clip.info.name)),
            }
        }
        if !made.is_empty() {
            self.take_cut(shell, made, None);
        }
    }

    /// Cuts the active clip in two at the playhead; the first part keeps its place and its sets.
    pub fn split_at_playhead(shell: &mut Shell) {
        let (Some(id), Some(clip)) = (shell.session.active, shell.active_clip().map(Arc::clone))
        else {
            return;
        };
        let frame = (shell.session.playhead_secs * clip.fps()).round() as usize;
        let parts = match edit::split(&clip, &[frame]) {
            Ok(parts) => parts,
            Err(error) => {
                shell.say(Severity::Error, error.to_string());
                return;
            }
        };
        let mut parts = parts.into_iter().map(Arc::new);
        let (Some(first), rest) = (parts.next(), parts.collect::<Vec<_>>()) else {
            return;
        };
        let order = shell.document().clip_order();
        let place = order.iter().position(|other| *other == id).unwrap_or(0);
        let number = shell.document().next_number();
        let new: Vec<ClipId> = (number..).map(ClipId).take(rest.len()).collect();
        let what = format!("split {}", clip.info.name);
        let in_sets = sets_with(shell.document(), id);
        let mut commands = vec![
            Command::ReplaceClips {
                what: what.clone(),
                clips: vec![(id, first)],
            },
            Command::AddClips(rest),
            Command::MoveClips {
                clips: new.clone(),
                to: place + 1,
            },
        ];
        commands.extend(in_sets.into_iter().map(|id| Command::AddToSet {
            id,
            clips: new.clone(),
        }));
        let name = clip.info.name.clone();
        if let Some(added) = shell.edit(Command::Together { what, commands }) {
            shell.session.select(std::iter::once(id).chain(added));
            shell.show_from_start();
            shell.say(Severity::Done, format!("{name} split at frame {frame}"));
        }
    }
}

fn sets_with(document: &Document, clip: ClipId) -> Vec<SetId> {
    let sets = document.sets().iter();
    let sets = sets.filter(|set| set.clips.contains(&clip));
    sets.map(|set| set.id).collect()
}

type FoundIn = Result<Vec<(Range<usize>, f64, bool)>, String>;

/// Looks through all takes on all cores.
fn in_all(
    takes: &[(ClipId, Arc<Clip>)],
    ticket: &Ticket,
    look: impl Fn(&Clip) -> FoundIn + Sync,
) -> Result<Vec<FoundIn>, Cancelled> {
    ticket.each(takes, |(_, take)| look(take))
}

/// Cycles of a take; the best ones that share no frame are ticked. A T-pose that a converter put before the motion
/// would be its largest movement, so it is left out.
fn cycles_of(take: &Clip, settings: &CycleSettings) -> FoundIn {
    let lead = edit::leading_tpose_frames(take);
    let motion = edit::trim(take, lead..take.n_frames()).map_err(|e| e.to_string())?;
    let found = find_cycles(&motion, settings).map_err(|e| e.to_string())?;
    let ticks = apart(&found.cuts);
    let cuts = found.cuts.into_iter().zip(ticks);
    let cuts = cuts.map(|(cut, is_ticked)| {
        let frames = cut.frames.start + lead..cut.frames.end + lead;
        (frames, cut.score, is_ticked)
    });
    Ok(cuts.collect())
}

/// For cuts, the best first, whether they share no frame with a better one that was taken.
fn apart(cuts: &[CycleCut]) -> Vec<bool> {
    let mut taken: Vec<Range<usize>> = Vec::new();
    let is_free = |cut: &CycleCut| {
        let (from, to) = (cut.frames.start, cut.frames.end);
        let is_free = taken.iter().all(|t| t.end <= from || to <= t.start);
        if is_free {
            taken.push(from..to);
        }
        is_free
    };
    cuts.iter().map(is_free).collect()
}

fn gathered(kind: ProposalKind, takes: Vec<(ClipId, Arc<Clip>)>, each: Vec<FoundIn>) -> Proposals {
    let mut proposals = Proposals {
        kind,
        ..Proposals::default()
    };
    for ((id, take), found) in takes.into_iter().zip(each) {
        match found {
            Ok(found) => {
                let list = found
                    .into_iter()
                    .map(|(frames, value, is_ticked)| Proposal {
                        take: Arc::clone(&take),
                        id,
                        frames,
                        value,
                        is_ticked,
                    });
                proposals.list.extend(list);
            }
            Err(why) => proposals.skipped.push(format!("{}: {why}", take.info.name)),
        }
    }
    proposals
}

fn proposed(proposals: Proposals) -> DeliveryTo<LibraryWorkspace> {
    Box::new(move |library, shell| {
        let n = proposals.list.len();
        let words = match proposals.kind {
            ProposalKind::Cycles => format!("{} found", counted(n, "cycle")),
            ProposalKind::Repeats => format!("{} found", counted(n, "repeat")),
        };
        let severity = if n == 0 {
            Severity::Warning
        } else {
            Severity::Done
        };
        shell.say(severity, words);
        library.cut.shown = None;
        library.cut.proposals = Some(proposals);
    })
}

/// The stretch as a clip, called after the take and its first frame.
fn named_cut(take: &Clip, frames: &Range<usize>) -> anyhow::Result<Clip> {
    let mut cut = edit::trim(take, frames.clone())?;
    cut.info.name = format!("{}_{:04}", take.info.name, frames.start);
    Ok(cut)
}

fn cut_all(ticked: &[Proposal], is_seamless: bool, ticket: &Ticket) -> anyhow::Result<Vec<Clip>> {
    let one = |proposal: &Proposal| -> anyhow::Result<Clip> {
        let mut cut = named_cut(&proposal.take, &proposal.frames)?;
        if is_seamless {
            let name = std::mem::take(&mut cut.info.name);
            cut = make_loop(&proposal.take, &proposal.frames)?.clip;
            cut.info.name = name;
        }
        Ok(cut)
    };
    ticket.each(ticked, one)?.into_iter().collect()
}

/// What the 3D view shows of a proposal: a cycle as a loop on the spot, a repeat over the stretch it is like.
pub fn rehearsed(
    kind: ProposalKind,
    proposal: &Proposal,
    pattern: Option<&RepeatPattern>,
) -> anyhow::Result<Vec<Arc<Clip>>> {
    const ROUNDS: usize = 4;
    let Range { start, end } = proposal.frames;
    let name = format!("{} {start}..{end}", proposal.take.info.name);
    let named = |mut clip: Clip, name: String| {
        clip.info.name = name;
        Arc::new(clip)
    };
    if let (ProposalKind::Repeats, Some(pattern)) = (kind, pattern) {
        let model = edit::trim(&pattern.take, pattern.frames.clone())?;
        let found = edit::trim(&proposal.take, proposal.frames.clone())?;
        let found = edit::align(&found, &start_of(&model))?;
        let model_name = format!("the query from {}", pattern.take.info.name);
        return Ok(vec![named(found, name), named(model, model_name)]);
    }
    let rounds = make_loop(&proposal.take, &proposal.frames)?.repeated(ROUNDS)?;
    let (on_the_spot, _) = edit::root_in_place(&rounds, InPlace::TravelAndHeading)?;
    Ok(vec![named(on_the_spot, format!("loop of {name}"))])
}

/// Where a clip starts and which way it faces then.
fn start_of(clip: &Clip) -> Placement {
    let track = HeadingFrame::learn(&[clip]).track(clip);
    Placement {
        frame: 0,
        place: track.positions.first().copied(),
        heading_rad: track.headings.first().copied(),
    }
}

impl LibraryWorkspace {
    /// What the 3D view shows of a proposal, if it is made already; if not, it is being made.
    pub fn rehearsal(
        &mut self,
        cx: &mut UiContext,
        kind: ProposalKind,
        proposal: &Proposal,
    ) -> Option<Vec<Arc<Clip>>> {
        const NAME: &str = "make a preview";
        if let Some((take, frames, of, clips)) = &self.cut.shown
            && Arc::ptr_eq(take, &proposal.take)
            && (frames, *of) == (&proposal.frames, kind)
        {
            return Some(clips.clone());
        }
        if cx.work.is_running(NAME) {
            return None;
        }
        let (proposal, pattern) = (proposal.clone(), self.cut.pattern.clone());
        self.inbox.start(cx, NAME, Shown::Quietly, move |_| {
            // A stretch that cannot be shown, being too short to close, is simply not shown.
            let clips = rehearsed(kind, &proposal, pattern.as_ref()).unwrap_or_default();
            let delivery: DeliveryTo<Self> = Box::new(move |library, _| {
                let Proposal { take, frames, .. } = proposal;
                library.cut.shown = Some((take, frames, kind, clips));
            });
            Ok(delivery)
        });
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_that_share_frames_are_not_both_ticked() {
        let cut = |frames: Range<usize>| CycleCut {
            frames,
            score: 1.0,
            gap: 0.0,
        };
        let cuts = [
            cut(10..20),
            cut(15..25),
            cut(20..30),
            cut(0..10),
            cut(5..35),
        ];
        assert_eq!(apart(&cuts), [true, false, true, true, false]);
    }

    #[test]
    fn set_names_are_free() {
        let document = Document::default();
        assert_eq!(free_set_name(&document, "  "), "set");
        let add = |document: &Document, name: &str| {
            let (name, clips) = (name.to_owned(), vec![]);
            document.edited(Command::AddSet { name, clips }).unwrap()
        };
        let document = add(&document, "walks");
        assert_eq!(free_set_name(&document, " walks "), "walks 2");
        let document = add(&document, "walks 2");
        assert_eq!(free_set_name(&document, "walks"), "walks 3");
    }
}
