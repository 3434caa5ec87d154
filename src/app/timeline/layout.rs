//! Where everything on the timeline is: rows, bars, lanes of contacts, and what is under the pointer.

use std::ops::Range;
use std::sync::Arc;

use egui::{Color32, Pos2, Rect, pos2, vec2};

use crate::app::shell::stage::StageId;
use crate::app::shell::sync::TimeMap;
use crate::app::timeline::scale::Scale;
use crate::motion::{Clip, Contact};

pub(in crate::app) const RULER: f32 = 22.0;

pub(in crate::app) const CURVE: f32 = 22.0;

const BAR: f32 = 22.0;

const LANE: f32 = 14.0;

const GAP: f32 = 4.0;

/// How near to an end the pointer has to be to take it.
const REACH: f32 = 5.0;

/// A selected clip over time.
#[derive(Debug, Clone)]
pub(in crate::app) struct Row {
    pub(in crate::app) id: StageId,
    pub(in crate::app) clip: Arc<Clip>,
    pub(in crate::app) time_map: TimeMap,
    pub(in crate::app) contacts: Arc<[Contact]>,
    /// Joints, in order; each has a lane.
    pub(in crate::app) lanes: Vec<usize>,
    /// Only the active clip has lanes that can be edited; of the others they are drawn small inside the bar.
    pub(in crate::app) is_open: bool,
    /// Only clips of the library can be trimmed.
    pub(in crate::app) can_trim: bool,
    pub(in crate::app) colour: Color32,
    pub(in crate::app) top: f32,
}

impl Row {
    pub(in crate::app) fn height(&self) -> f32 {
        let lanes = if self.is_open {
            LANE * self.lanes.len() as f32
        } else {
            0.0
        };
        BAR + lanes + GAP
    }

    pub(in crate::app) fn secs(&self, frame: usize) -> f64 {
        self.time_map.secs_at(frame as f64)
    }

    /// The moment between two frames that is nearest, within the clip.
    pub(in crate::app) fn border_at(&self, secs: f64) -> usize {
        // A cast of a negative number stops at zero.
        (self.time_map.frame_at(secs).round() as usize).min(self.clip.n_frames())
    }

    pub(in crate::app) fn bar(&self, scale: &Scale) -> Rect {
        self.stretch(scale, &(0..self.clip.n_frames()), self.top, BAR)
            .shrink2(vec2(0.0, 1.5))
    }

    /// Where the lane of this number is, from top to bottom.
    pub(in crate::app) fn lane(&self, number: usize) -> Rect {
        let (top, height) = if self.is_open {
            (self.top + BAR + LANE * number as f32, LANE)
        } else {
            let height = (BAR - 6.0) / self.lanes.len().max(1) as f32;
            (self.top + 3.0 + height * number as f32, height)
        };
        Rect::from_min_size(pos2(0.0, top), vec2(0.0, height))
    }

    pub(in crate::app) fn contact(&self, scale: &Scale, contact: &Contact) -> Option<Rect> {
        let lane = self.lane(self.lanes.binary_search(&contact.joint).ok()?);
        let air = if self.is_open { 1.5 } else { 0.5 };
        let rect = self.stretch(scale, &contact.frames, lane.top(), lane.height());
        Some(rect.shrink2(vec2(0.0, air)))
    }

    fn stretch(&self, scale: &Scale, frames: &Range<usize>, top: f32, height: f32) -> Rect {
        let (from, to) = (self.secs(frames.start), self.secs(frames.end));
        Rect::from_min_max(pos2(scale.x(from), top), pos2(scale.x(to), top + height))
    }

    fn spot(&self, scale: &Scale, at: Pos2) -> Spot {
        let clip = self.id;
        let near = |x: f32| (x - at.x).abs() <= REACH;
        let secs = scale.secs(at.x);
        if at.y < self.top + BAR || !self.is_open {
            let bar = self.bar(scale);
            return if !self.can_trim {
                Spot::Bar { clip, secs }
            } else if near(bar.right()) {
                Spot::TrimEnd { clip, is_end: true }
            } else if near(bar.left()) {
                Spot::TrimEnd {
                    clip,
                    is_end: false,
                }
            } else {
                Spot::Bar { clip, secs }
            };
        }
        let number = ((at.y - self.top - BAR) / LANE) as usize;
        let Some(&joint) = self.lanes.get(number) else {
            return Spot::Bar { clip, secs };
        };
        let own = self.contacts.iter().filter(|c| c.joint == joint);
        let under = own.filter_map(|contact| {
            let rect = self.contact(scale, contact)?;
            let grip = grip(rect, at.x)?;
            Some((contact, grip))
        });
        // Where two touch, the one that the pointer is in comes first.
        let found = under.min_by_key(|(contact, _)| {
            let frame = self.time_map.frame_at(secs);
            let (from, to) = (contact.frames.start as f64, contact.frames.end as f64);
            !(from..to).contains(&frame)
        });
        match found {
            Some((contact, grip)) => Spot::Contact {
                clip,
                joint,
                frames: contact.frames.clone(),
                grip,
            },
            None => Spot::Lane { clip, joint, secs },
        }
    }
}

/// Which part of a span is under the pointer, if any. Narrow spans can still be moved by their middle.
fn grip(rect: Rect, x: f32) -> Option<Grip> {
    let inside = REACH.min(rect.width() / 3.0);
    if x < rect.left() - REACH || x > rect.right() + REACH {
        None
    } else if x > rect.right() - inside {
        Some(Grip::End)
    } else if x < rect.left() + inside {
        Some(Grip::Start)
    } else {
        Some(Grip::Whole)
    }
}

/// What is at a place of the timeline.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::app) enum Spot {
    /// The ruler above the rows.
    Ruler {
        /// The moment in seconds.
        secs: f64,
    },
    /// The curve of how well loops close.
    Curve {
        /// The moment in seconds.
        secs: f64,
    },
    /// An end of the play range.
    RangeEnd {
        /// Whether it is the later end.
        is_end: bool,
    },
    /// An end of a clip.
    TrimEnd {
        /// The clip of the row.
        clip: StageId,
        /// Whether it is the later end.
        is_end: bool,
    },
    /// A contact in a lane.
    Contact {
        /// The clip, or take, in whose row it is.
        clip: StageId,
        /// The joint that touches.
        joint: usize,
        /// From its first frame up to its end.
        frames: Range<usize>,
        /// Which part of it.
        grip: Grip,
    },
    /// Between contacts of a joint.
    Lane {
        /// The clip, or take, in whose row it is.
        clip: StageId,
        /// The joint whose lane it is.
        joint: usize,
        /// The moment in seconds.
        secs: f64,
    },
    /// A clip, or beside it in its row.
    Bar {
        /// The clip of the row.
        clip: StageId,
        /// The moment in seconds.
        secs: f64,
    },
    /// The name of a clip.
    Name {
        /// The clip of the row.
        clip: StageId,
    },
    /// The empty track below all rows.
    Nothing {
        /// The moment in seconds.
        secs: f64,
    },
}

/// Where ruler, curve, rows and lanes are drawn, and what is at a point.
#[derive(Debug)]
pub(in crate::app) struct Layout {
    pub(in crate::app) scale: Scale,
    pub(in crate::app) length_secs: f64,
    /// The ruler and the curve of loop quality, above the rows.
    pub(in crate::app) head: Rect,
    /// What is seen of the rows.
    pub(in crate::app) body: Rect,
    pub(in crate::app) rows: Vec<Row>,
    pub(in crate::app) has_curve: bool,
}

impl Layout {
    pub(in crate::app) fn row(&self, id: StageId) -> Option<&Row> {
        self.rows.iter().find(|row| row.id == id)
    }

    pub(in crate::app) fn curve(&self) -> Rect {
        self.head.with_min_y(self.head.top() + RULER)
    }

    /// What is under a place, with the ends of the play range at these seconds.
    pub(in crate::app) fn spot(&self, at: Pos2, range_secs: Option<(f64, f64)>) -> Spot {
        let secs = self.scale.secs(at.x).clamp(0.0, self.length_secs);
        let near = |secs: f64| (self.scale.x(secs) - at.x).abs() <= REACH;
        let range_end = range_secs.and_then(|(from, to)| {
            let is_end = near(to);
            (is_end || near(from)).then_some(Spot::RangeEnd { is_end })
        });
        if self.head.contains(at) {
            return match range_end {
                Some(end) => end,
                None if self.has_curve && self.curve().contains(at) => Spot::Curve { secs },
                None => Spot::Ruler { secs },
            };
        }
        let holds = |row: &&Row| (row.top..row.top + row.height()).contains(&at.y);
        match self.rows.iter().find(holds) {
            Some(row) if at.x < self.scale.left - REACH => Spot::Name { clip: row.id },
            Some(row) => match row.spot(&self.scale, at) {
                Spot::Bar { clip, .. } => range_end.unwrap_or(Spot::Bar { clip, secs }),
                Spot::Lane { clip, joint, .. } => Spot::Lane { clip, joint, secs },
                found => found,
            },
            None => range_end.unwrap_or(Spot::Nothing { secs }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::shell::session::Span;
    use crate::demo::{Action, make};

    /// A walk of one second per 100 pixels, from 100 on; the active row begins at 50.
    fn layout() -> Layout {
        let clip = Arc::new(make(Action::Walk, 1, 0).clip);
        let fps = clip.fps();
        let contact = |joint, frames| Contact { joint, frames };
        let row = Row {
            id: StageId::Preview(1),
            time_map: TimeMap::Even { fps },
            contacts: [contact(3, 0..30), contact(3, 30..42), contact(7, 10..12)].into(),
            lanes: vec![3, 7],
            is_open: true,
            can_trim: true,
            colour: Color32::WHITE,
            top: 50.0,
            clip,
        };
        let whole = Span {
            from_secs: 0.0,
            wide_secs: 10.0,
        };
        Layout {
            scale: Scale {
                span: whole,
                left: 100.0,
                width: 1000.0,
            },
            length_secs: 10.0,
            head: Rect::from_min_max(pos2(0.0, 0.0), pos2(1100.0, 44.0)),
            body: Rect::from_min_max(pos2(0.0, 44.0), pos2(1100.0, 200.0)),
            rows: vec![row],
            has_curve: true,
        }
    }

    #[test]
    fn every_place_is_what_it_looks_like() {
        let layout = layout();
        let end = layout.scale.x(layout.rows[0].clip.seconds());
        let at = |x: f32, y: f32| layout.spot(pos2(x, y), Some((4.0, 5.0)));
        let is_one = |secs: f64| (secs - 1.0).abs() < 1e-6;
        assert!(
            matches!(at(200.0, 5.0), Spot::Ruler { secs } if is_one(secs)),
            "the ruler"
        );
        assert!(
            matches!(at(200.0, 30.0), Spot::Curve { secs } if is_one(secs)),
            "the curve"
        );
        assert_eq!(at(502.0, 5.0), Spot::RangeEnd { is_end: false });
        assert_eq!(at(602.0, 150.0), Spot::RangeEnd { is_end: true });
        let clip = StageId::Preview(1);
        assert_eq!(at(20.0, 60.0), Spot::Name { clip });
        assert_eq!(
            at(98.0, 60.0),
            Spot::TrimEnd {
                clip,
                is_end: false
            }
        );
        assert_eq!(at(end + 3.0, 60.0), Spot::TrimEnd { clip, is_end: true });
        assert!(matches!(at(150.0, 60.0), Spot::Bar { .. }), "inside");
        assert!(matches!(at(300.0, 190.0), Spot::Nothing { .. }), "below");
    }

    #[test]
    fn contacts_are_taken_by_their_ends_or_their_middle() {
        let layout = layout();
        let fps = layout.rows[0].clip.fps();
        let x = |frame: f64| layout.scale.x(frame / fps);
        let found = |x: f32, lane: f32| match layout.spot(pos2(x, 79.0 + 14.0 * lane), None) {
            Spot::Contact { frames, grip, .. } => Some((frames, grip)),
            _ => None,
        };
        assert_eq!(found(x(15.0), 0.0), Some((0..30, Grip::Whole)));
        assert_eq!(found(x(1.0), 0.0), Some((0..30, Grip::Start)));
        assert_eq!(found(x(29.0), 0.0), Some((0..30, Grip::End)));
        assert_eq!(found(x(31.0), 0.0), Some((30..42, Grip::Start)));
        assert_eq!(found(x(11.0), 1.0), Some((10..12, Grip::Whole)), "narrow");
        assert_eq!(found(x(40.0), 1.0), None, "an empty place of the lane");
    }
}

/// The part of a contact that a drag moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grip {
    /// The first frame of the contact.
    Start,
    /// The end of a span.
    End,
    /// The whole contact, with its length.
    Whole,
}
