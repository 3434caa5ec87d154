//! What of a sequence is written to files.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::app::sequence::strip::Evaluated;
use crate::motion::{Clip, edit};
use crate::sequence::Play;

/// How a sequence is written: as one motion, or action by action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Export {
    /// All actions and transitions in one file.
    Whole,
    /// A file for each, with a list of them.
    Parts,
}

impl Evaluated {
    /// Actions and transitions as motions of their own, in the order of play, at their places in the world.
    pub fn parts(&self) -> Vec<Arc<Clip>> {
        let whole = self.clip.as_ref();
        whole.map_or_else(Vec::new, |clip| self.parts_of(clip))
    }

    /// The same of the motion as it was cleaned.
    pub(super) fn parts_of(&self, clip: &Clip) -> Vec<Arc<Clip>> {
        let mut parts = Vec::new();
        let mut add = |frames: std::ops::Range<usize>, name: String| {
            if !frames.is_empty()
                && let Ok(mut part) = edit::trim(clip, frames)
            {
                part.info.name = name;
                parts.push(Arc::new(part));
            }
        };
        for (at, play) in self.plays.iter().enumerate() {
            let blended = blended_end(play);
            let name = &play.clip.clip.info.name;
            add(play.shown.start..blended, format!("{at:03} to {name}"));
            add(blended..play.shown.end, format!("{at:03} {name}"));
        }
        parts
    }

    /// A row for each join, with everything that was measured.
    pub fn joins_csv(&self) -> String {
        let mut text = String::from(
            "join,from,to,kind,first_frame,frames,source_frame,destination_frame,cost,\
             pose_jump_deg,velocity_jump_deg_per_s,jerk_ratio,space_jerk_ratio,overshoot_deg,foot_slide_m_per_s,\
             within_limits\n",
        );
        for (at, pair) in self.plays.windows(2).enumerate() {
            let Some(made) = &pair[1].transition else {
                continue;
            };
            let report = &made.quality.report;
            let name = |play: &Play| play.clip.clip.info.name.replace('"', "\"\"");
            let written = writeln!(
                text,
                "{},\"{}\",\"{}\",{},{},{},{},{},{:.4},{:.3},{:.3},{:.4},{:.4},{:.3},{:.5},{}",
                at + 1,
                name(&pair[0]),
                name(&pair[1]),
                made.kind.word(),
                made.at,
                made.frames,
                pair[0].clip_frame(made.at.saturating_sub(1)),
                made.enter,
                made.cost,
                report.pose_jump_deg,
                report.velocity_jump_deg,
                report.jerk_ratio,
                report.space_jerk_ratio,
                report.overshoot_deg,
                report.foot_slide,
                made.quality.keeps_limits(self.graph.norms()),
            );
            written.expect("text takes everything");
        }
        text
    }
}

/// Where blending is over and the action is seen alone.
pub(super) fn blended_end(play: &Play) -> usize {
    let made = play.transition.as_ref();
    let end = made.map_or(play.shown.start, |made| made.at + made.frames);
    end.clamp(play.shown.start, play.shown.end)
}
