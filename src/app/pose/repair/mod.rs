//! Repair: joints of a take that were lost or went wrong are rebuilt from the ones that were seen, in a style.
//!
//! The animator marks gaps (joints and frames), or lets a style propose them. Gaps that overlap are rebuilt as one, and
//! everything outside them stays exactly as it was. The result is looked at beside the take before it is kept.

mod gaps;
pub mod ui;
pub mod view;

use std::sync::Arc;

use crate::app::pose::state::PoseWorkspace;
use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::DeliveryTo;
use crate::app::shell::messages::Severity;
use crate::app::shell::words::counted;
use crate::app::shell::work::Shown;
use crate::document::{ClipId, Command, Document, Learned, ModelId};
use crate::jobs::{Cancelled, Ticket};
use crate::motion::{Clip, Skeleton, body, edit};
use crate::style::solve::{FillError, MotionSolveError, SolveSettings, Solver, fill};
use crate::style::{LearnSettings, Style, StyleError};

pub use gaps::{Gap, Numbers, Rebuilt, Teacher, merged, refusal, with_all_below};

/// The job, as the status bar names it.
pub const REBUILD: &str = "rebuild joints";

/// Looking for joints that look wrong.
pub const PROPOSE: &str = "look for bad joints";

/// The stretches of a clip that no gap touches, as clips to learn from.
fn good_parts(clip: &Clip, gaps: &[Gap]) -> anyhow::Result<Vec<Clip>> {
    let mut parts = Vec::new();
    let mut from = 0;
    let last = clip.n_frames()..clip.n_frames();
    for frames in merged(gaps).iter().map(|g| &g.frames).chain([&last]) {
        if frames.start > from {
            parts.push(edit::trim(clip, from..frames.start)?);
        }
        from = frames.end;
    }
    anyhow::ensure!(
        !parts.is_empty(),
        "the gaps leave nothing of the take to learn from: choose a style"
    );
    Ok(parts)
}

/// Rebuilds all gaps of a clip. Frames outside them stay as they are.
pub fn rebuild(
    style: &Style,
    clip: &Clip,
    gaps: &[Gap],
    ticket: &Ticket,
) -> anyhow::Result<(Clip, Numbers)> {
    let solver = Solver::new(style, SolveSettings::default())?;
    let gaps = merged(gaps);
    let height = body::height(clip);
    let mut rebuilt = clip.clone();
    let (mut n_frames, mut sum, mut weight, mut most) = (0, 0.0, 0.0, 0.0_f64);
    for gap in &gaps {
        ticket.check()?;
        let is_missing =
            |frame: usize, joint: usize| gap.frames.contains(&frame) && gap.joints.contains(&joint);
        // One good frame on either side, for the motion to leave and to meet.
        let around = gap.frames.start.saturating_sub(1)..(gap.frames.end + 1).min(clip.n_frames());
        let filled = match fill(&solver, &rebuilt, around, &is_missing, ticket) {
            Err(FillError::Take(MotionSolveError::Cancelled(cancelled))) => {
                return Err(cancelled.into());
            }
            filled => filled?,
        };
        let share = (gap.frames.len() * gap.joints.len()) as f64;
        sum += share * filled.mean_error / height;
        weight += share;
        most = most.max(filled.max_error / height);
        n_frames += gap.frames.len();
        rebuilt = filled.clip;
    }
    rebuilt.info.history.clone_from(&clip.info.history);
    rebuilt.info.history.push(sentence(clip.skeleton(), &gaps));
    let oddness = |clip: &Clip| oddness(style, clip, &gaps);
    let numbers = Numbers {
        n_frames,
        mean_moved: if weight > 0.0 { sum / weight } else { 0.0 },
        most_moved: most,
        oddness_before: oddness(clip),
        oddness_after: oddness(&rebuilt),
    };
    Ok((rebuilt, numbers))
}

/// "rebuilt 3 joints in frames 10 to 40 and 2 more gaps".
fn sentence(skeleton: &Skeleton, gaps: &[Gap]) -> String {
    let Some(first) = gaps.first() else {
        return "rebuilt nothing".to_owned();
    };
    let joints = match first.joints.iter().collect::<Vec<_>>().as_slice() {
        [only] => skeleton.joints()[**only].name.clone(),
        many => counted(many.len(), "joint"),
    };
    let (from, to) = (first.frames.start, first.frames.end);
    let more = match gaps.len() - 1 {
        0 => String::new(),
        n => format!(" and {n} more gaps"),
    };
    format!("rebuilt {joints} in frames {from} to {to}{more}")
}

/// The root of the mean squared deviation from a style over the frames of all gaps.
fn oddness(style: &Style, clip: &Clip, gaps: &[Gap]) -> f64 {
    let gaussian = style.gaussian();
    let n = gaussian.n_features();
    let (mut features, mut residuals) = (vec![0.0; n], vec![0.0; n]);
    let (mut sum, mut count) = (0.0, 0.0);
    for frame in gaps.iter().flat_map(|gap| gap.frames.clone()) {
        style.map().encode(clip.frame(frame), &mut features);
        gaussian.residuals(&features, &mut residuals);
        sum += residuals.iter().map(|r| r * r).sum::<f64>();
        count += n as f64;
    }
    if count > 0.0 {
        (sum / count).sqrt()
    } else {
        0.0
    }
}

/// What a style finds odd in a clip, as gaps: where a joint is turned wrongly, what hangs on it is in a wrong place.
/// Each joint is a gap of its own, so that the animator can say no to it.
pub fn proposals(style: &Style, clip: &Clip, ticket: &Ticket) -> Result<Vec<Gap>, StyleError> {
    let skeleton = clip.skeleton();
    let suspects = style.outliers(clip, ticket)?;
    let gaps: Vec<Gap> = suspects
        .into_iter()
        .map(|suspect| {
            let mut joints = with_all_below(skeleton, suspect.joint);
            if joints.len() > 1 {
                joints.remove(&suspect.joint);
            }
            let frames = suspect.frames;
            Gap { frames, joints }
        })
        .collect();
    let is_within = |a: &Gap, b: &Gap| {
        a.frames.start >= b.frames.start
            && a.frames.end <= b.frames.end
            && a.joints.is_subset(&b.joints)
    };
    let mut kept: Vec<Gap> = Vec::with_capacity(gaps.len());
    for gap in gaps {
        if !kept.iter().any(|other| is_within(&gap, other)) {
            kept.retain(|other| !is_within(other, &gap));
            kept.push(gap);
        }
    }
    Ok(kept)
}

fn knows(style: &Style, clip: &Clip) -> bool {
    style.skeleton().same_structure(clip.skeleton())
        && style.map().parts().heading.up == clip.info.up
}

/// All styles of the project that know such a body.
pub fn styles_for(document: &Document, clip: &Clip) -> Vec<(ModelId, String, Arc<Style>)> {
    let models = document.models().iter();
    models
        .filter_map(|model| match &model.learned {
            Learned::Style(style) if knows(style, clip) => {
                Some((model.id, model.name.clone(), Arc::clone(style)))
            }
            _ => None,
        })
        .collect()
}

impl PoseWorkspace {
    /// The style that repairs this clip; none if it is to be learned from the clip itself.
    fn repair_style(&self, cx: &UiContext, clip: &Clip) -> Option<Arc<Style>> {
        let Teacher::Style(chosen) = self.repair.teacher else {
            return None;
        };
        let mut styles = styles_for(cx.document(), clip).into_iter();
        styles.find(|(id, ..)| *id == chosen).map(|found| found.2)
    }

    /// Lets the style say which joints look wrong; the answer becomes marks.
    pub fn propose_gaps(&mut self, cx: &mut UiContext) {
        let Some((id, clip)) = Self::repaired_take(cx) else {
            return;
        };
        let style = self.repair_style(cx, &clip);
        self.inbox.start(cx, PROPOSE, Shown::InBar, move |ticket| {
            let style = match style {
                Some(style) => style,
                None => Arc::new(gaussian_of(&[&clip], ticket)?),
            };
            let gaps = cancellable(proposals(&style, &clip, ticket))?;
            let delivery: DeliveryTo<Self> =
                Box::new(move |pose, shell| pose.take_proposals(shell, id, &clip, gaps));
            Ok(delivery)
        });
    }

    fn take_proposals(&mut self, cx: &mut UiContext, id: ClipId, clip: &Arc<Clip>, gaps: Vec<Gap>) {
        let is_same = |now: &Arc<Clip>| Arc::ptr_eq(now, clip);
        if !cx.document().clip(id).is_some_and(is_same) {
            cx.say(Severity::Warning, "the take has changed: look again");
            return;
        }
        let together = merged(&gaps);
        let n_frames: usize = together.iter().map(|gap| gap.frames.len()).sum();
        let name = &clip.info.name;
        if gaps.is_empty() {
            let words = match self.repair.teacher {
                Teacher::Take => format!(
                    "no joint of {name} looks wrong beside the rest of it; a style of other takes may see more"
                ),
                Teacher::Style(_) => format!("no joint of {name} looks wrong"),
            };
            cx.say(Severity::Done, words);
        } else if 2 * n_frames > clip.n_frames() {
            let words = format!(
                "most of {name} looks wrong to this style: it may not know such motions; nothing was marked"
            );
            cx.say(Severity::Warning, words);
        } else {
            let found = counted(gaps.len(), "gap");
            let words = format!("{found} found in {name}, {}", counted(n_frames, "frame"));
            cx.say(Severity::Done, words);
            self.repair.gaps.insert(id, gaps);
        }
    }

    /// Rebuilds the marked joints in the background; the result is shown, not kept.
    pub fn rebuild_gaps(&mut self, cx: &mut UiContext) {
        let Some((id, before)) = Self::repaired_take(cx) else {
            return;
        };
        let gaps = self.repair.gaps_of(id).to_vec();
        let style = self.repair_style(cx, &before);
        let settings = self.repair.settings.clone();
        self.inbox.start(cx, REBUILD, Shown::InBar, move |ticket| {
            let style = match style {
                Some(style) => style,
                None => Arc::new(learned_from_rest(&before, &gaps, &settings, ticket)?),
            };
            let (after, numbers) = rebuild(&style, &before, &gaps, ticket)?;
            let rebuilt = Rebuilt {
                id,
                before,
                after: Arc::new(after),
                gaps,
                numbers,
            };
            let delivery: DeliveryTo<Self> =
                Box::new(move |pose, _| pose.repair.rebuilt = Some(rebuilt));
            Ok(delivery)
        });
    }

    /// The take that is repaired: the active clip.
    pub fn repaired_take(cx: &UiContext) -> Option<(ClipId, Arc<Clip>)> {
        let id = cx.session.active?;
        Some((id, Arc::clone(cx.document().clip(id)?)))
    }

    /// Keeps what was rebuilt, as one step: in the place of the take, or as a clip beside it.
    pub fn keep_rebuilt(&mut self, shell: &mut Shell, is_beside: bool) {
        let Some(rebuilt) = self.repair.rebuilt.take() else {
            return;
        };
        let now = shell.document().clip(rebuilt.id);
        if !is_beside && !now.is_some_and(|now| Arc::ptr_eq(now, &rebuilt.before)) {
            shell.say(
                Severity::Warning,
                "the take has changed since it was rebuilt: keep it beside the take, or rebuild again",
            );
            self.repair.rebuilt = Some(rebuilt);
            return;
        }
        let command = if is_beside {
            let mut clip = Clip::clone(&rebuilt.after);
            clip.info.name = format!("{} repaired", clip.info.name);
            Command::AddClips(vec![Arc::new(clip)])
        } else {
            Command::ReplaceClips {
                what: "repair".to_owned(),
                clips: vec![(rebuilt.id, Arc::clone(&rebuilt.after))],
            }
        };
        let name = rebuilt.before.info.name.clone();
        if let Some(added) = self.edit(shell, command) {
            self.repair.gaps.remove(&rebuilt.id);
            if !added.is_empty() {
                shell.session.select(added);
            }
            shell.say(Severity::Done, format!("{name} repaired"));
        }
    }
}

/// Quick, and enough to find what does not fit together.
fn gaussian_of(clips: &[&Clip], ticket: &Ticket) -> anyhow::Result<Style> {
    let settings = LearnSettings {
        method: crate::style::Method::Gaussian,
        ..LearnSettings::default()
    };
    cancellable(Style::learn(clips, &settings, ticket))
}

fn learned_from_rest(
    clip: &Clip,
    gaps: &[Gap],
    settings: &LearnSettings,
    ticket: &Ticket,
) -> anyhow::Result<Style> {
    let parts = good_parts(clip, gaps)?;
    let parts: Vec<&Clip> = parts.iter().collect();
    cancellable(Style::learn(&parts, settings, ticket))
}

/// Being cancelled is not a failure, however deep in an error it is.
fn cancellable<T>(result: Result<T, StyleError>) -> anyhow::Result<T> {
    match result {
        Err(StyleError::Cancelled(cancelled)) => Err(Cancelled::into(cancelled)),
        result => Ok(result?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::Range;

    fn gap(frames: Range<usize>, joints: &[usize]) -> Gap {
        let joints = joints.iter().copied().collect();
        Gap { frames, joints }
    }

    #[test]
    fn gaps_that_overlap_or_touch_are_one() {
        let gaps = [
            gap(30..40, &[7]),
            gap(0..10, &[1]),
            gap(5..12, &[2, 3]),
            gap(13..20, &[4]),
        ];
        let merged = merged(&gaps);
        assert_eq!(merged, [gap(0..20, &[1, 2, 3, 4]), gap(30..40, &[7])]);
    }

    #[test]
    fn what_cannot_be_rebuilt_is_refused_in_words() {
        let clip = crate::demo::make(crate::demo::Action::Walk, 1, 0).clip;
        let n = clip.skeleton().n_joints();
        let everything: Vec<usize> = (0..n).collect();
        for (gaps, word) in [
            (vec![], "mark joints"),
            (vec![gap(0..9999, &[1])], "ends at frame"),
            (vec![gap(0..3, &everything)], "every joint"),
        ] {
            let words = refusal(&gaps, &clip).unwrap();
            assert!(words.contains(word), "{words}");
        }
        assert_eq!(refusal(&[gap(0..3, &[1])], &clip), None);
        let whole = good_parts(&clip, &[gap(0..clip.n_frames(), &[1])]);
        whole.unwrap_err();
        let parts = good_parts(&clip, &[gap(3..5, &[1]), gap(8..9, &[2])]).unwrap();
        let lengths: Vec<usize> = parts.iter().map(Clip::n_frames).collect();
        assert_eq!(lengths, [3, 3, clip.n_frames() - 9]);
    }
}
