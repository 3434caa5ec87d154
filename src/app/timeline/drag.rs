//! What is being dragged on the timeline. Nothing is changed but the session until it is let go.

use std::ops::Range;

use super::layout::Grip;
use crate::app::shell::session::Session;
use crate::app::shell::stage::StageId;
use crate::app::timeline::layout::{Layout, Spot};
use crate::motion::Contact;
use crate::motion::contacts::spans;

/// What is being dragged.
#[derive(Debug, Clone, PartialEq)]
pub enum TimelineDrag {
    /// The playhead, by the ruler or its line.
    Playhead,
    /// An end of the play range.
    RangeEnd {
        /// Whether it is the later end.
        is_end: bool,
    },
    /// An end of a clip.
    Trim {
        /// The clip whose row is dragged in.
        clip: StageId,
        /// Whether it is the later end.
        is_end: bool,
        /// What would be kept.
        frames: Range<usize>,
    },
    /// A contact, or one that is being drawn.
    Contact {
        /// The clip, or take, in whose row it is.
        clip: StageId,
        /// The joint that touches.
        joint: usize,
        /// Before the drag; none for a new one.
        was: Option<Range<usize>>,
        /// Whether an end or the whole span moves.
        grip: Grip,
        /// The border of frames where the drag began.
        from: usize,
        /// The span as it is now.
        frames: Range<usize>,
    },
}

impl TimelineDrag {
    /// What a drag that begins here takes.
    pub(in crate::app) fn of(spot: &Spot, layout: &Layout, secs: f64) -> Self {
        match spot {
            Spot::RangeEnd { is_end } => Self::RangeEnd { is_end: *is_end },
            Spot::TrimEnd { clip, is_end } => match layout.row(*clip) {
                Some(row) => Self::Trim {
                    clip: *clip,
                    is_end: *is_end,
                    frames: 0..row.clip.n_frames(),
                },
                None => Self::Playhead,
            },
            Spot::Contact {
                clip,
                joint,
                frames,
                grip,
            } => match layout.row(*clip) {
                Some(row) => Self::Contact {
                    clip: *clip,
                    joint: *joint,
                    was: Some(frames.clone()),
                    grip: *grip,
                    from: row.border_at(secs),
                    frames: frames.clone(),
                },
                None => Self::Playhead,
            },
            Spot::Lane { clip, joint, .. } => match layout.row(*clip) {
                Some(row) => {
                    let from = row.border_at(secs);
                    Self::Contact {
                        clip: *clip,
                        joint: *joint,
                        was: None,
                        grip: Grip::End,
                        from,
                        frames: from..from,
                    }
                }
                None => Self::Playhead,
            },
            Spot::Ruler { .. }
            | Spot::Curve { .. }
            | Spot::Bar { .. }
            | Spot::Name { .. }
            | Spot::Nothing { .. } => Self::Playhead,
        }
    }

    /// The drag has come to this moment.
    pub(in crate::app) fn pull(&mut self, session: &mut Session, layout: &Layout, secs: f64) {
        const SHORTEST_SECS: f64 = 0.01;
        match self {
            Self::Playhead => session.playhead_secs = secs,
            Self::RangeEnd { is_end } => {
                if let Some((from, to)) = &mut session.range_secs {
                    if *is_end {
                        *to = secs.max(*from + SHORTEST_SECS).min(layout.length_secs);
                    } else {
                        *from = secs.min(*to - SHORTEST_SECS).max(0.0);
                    }
                }
            }
            Self::Trim {
                clip,
                is_end,
                frames,
            } => {
                if let Some(row) = layout.row(*clip) {
                    let border = row.border_at(secs);
                    let n_frames = row.clip.n_frames();
                    *frames = if *is_end {
                        0..border.max(1)
                    } else {
                        border.min(n_frames - 1)..n_frames
                    };
                }
            }
            Self::Contact {
                clip,
                was,
                grip,
                from,
                frames,
                ..
            } => {
                if let Some(row) = layout.row(*clip) {
                    let n_frames = row.clip.n_frames();
                    *frames = moved(was.as_ref(), *grip, *from, row.border_at(secs), n_frames);
                }
            }
        }
    }

    /// The contacts of a clip as they would be.
    pub(in crate::app) fn preview(
        &self,
        id: StageId,
        contacts: &[Contact],
    ) -> Option<Vec<Contact>> {
        let Self::Contact {
            clip,
            joint,
            was,
            frames,
            ..
        } = self
        else {
            return None;
        };
        if *clip != id || was.as_ref() == Some(frames) {
            return None;
        }
        let (joint, frames) = (*joint, frames.clone());
        match was {
            Some(was) => Some(spans::moved(contacts, joint, was.start, frames)),
            None if frames.is_empty() => None,
            None => Some(spans::with(contacts, Contact { joint, frames })),
        }
    }
}

/// A contact after one of its parts was dragged from one border of frames to another. It keeps at least one frame and
/// stays in the clip; a new one lies between the two borders.
fn moved(
    was: Option<&Range<usize>>,
    grip: Grip,
    from: usize,
    to: usize,
    n_frames: usize,
) -> Range<usize> {
    let Some(was) = was else {
        return from.min(to)..from.max(to);
    };
    match grip {
        Grip::Start => to.min(was.end - 1)..was.end,
        Grip::End => was.start..to.max(was.start + 1),
        Grip::Whole => {
            let start = (was.start + to).saturating_sub(from);
            let start = start.min(n_frames.saturating_sub(was.len()));
            start..start + was.len()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contacts_keep_a_frame_and_stay_in_the_clip() {
        let was = 10..20;
        let to = |grip, from, to| moved(Some(&was), grip, from, to, 50);
        assert_eq!(to(Grip::Start, 10, 4), 4..20);
        assert_eq!(to(Grip::Start, 10, 40), 19..20);
        assert_eq!(to(Grip::End, 20, 26), 10..26);
        assert_eq!(to(Grip::End, 20, 0), 10..11);
        assert_eq!(to(Grip::Whole, 15, 18), 13..23);
        assert_eq!(to(Grip::Whole, 15, 0), 0..10);
        assert_eq!(to(Grip::Whole, 15, 50), 40..50);
        assert_eq!(moved(None, Grip::End, 12, 5, 50), 5..12, "drawn backwards");
    }

    #[test]
    fn a_preview_shows_what_letting_go_would_do() {
        let contact = |frames| Contact { joint: 3, frames };
        let now = [contact(10..20), contact(30..40)];
        let hold = |was, frames| TimelineDrag::Contact {
            clip: StageId::Preview(1),
            joint: 3,
            was,
            grip: Grip::End,
            from: 20,
            frames,
        };
        let seen = |hold: TimelineDrag| hold.preview(StageId::Preview(1), &now);
        assert_eq!(seen(hold(Some(10..20), 10..20)), None, "nothing changed");
        let joined = seen(hold(Some(10..20), 10..33)).unwrap();
        assert_eq!(joined, [contact(10..40)], "moved onto the next");
        assert_eq!(seen(hold(None, 5..5)), None, "nothing was drawn");
        let drawn = seen(hold(None, 0..5)).unwrap();
        assert_eq!(drawn.len(), 3);
        assert_eq!(hold(None, 0..5).preview(StageId::Preview(2), &now), None);
    }
}
