//! Where everything of the strip is.

use egui::{Pos2, Rect, pos2};

use crate::app::sequence::strip::Evaluated;
use crate::app::sequence::strip::pieces::blended_end;
use crate::app::shell::session::Span;
use crate::app::timeline::scale::Scale;
use crate::sequence::{EntryId, Trim};

/// What is in the hand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Hold {
    /// A block, to be put elsewhere.
    Block(EntryId),
    /// An edge of a block, with the trim that it began with and where the pointer was, in pixels. What is trimmed
    /// makes the strip shorter: it keeps its scale until it is let go.
    Edge {
        entry: EntryId,
        is_start: bool,
        began: Trim,
        from_x: f32,
        scale: Scale,
    },
    /// The playhead, by the ruler or its line.
    Playhead,
}

/// One repetition on the strip.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Block {
    pub(super) entry: EntryId,
    pub(super) repeat: usize,
    /// Its number among the plays.
    pub(super) play: usize,
    /// The action, without its transition.
    pub(super) action: Rect,
    /// The transition into it.
    pub(super) join: Option<Rect>,
    /// Whether it is the first action again, at the end of a round.
    pub(super) closes: bool,
}

/// The strip in pixels.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    /// The whole strip, in the window.
    pub(super) rect: Rect,
    pub(super) scale: Scale,
    pub(super) length_secs: f64,
    pub(super) fps: f64,
    pub(super) blocks: Vec<Block>,
}

/// Height of the ruler and of the row of transitions.
pub(super) const RULER: f32 = 20.0;
pub(super) const JOINS: f32 = 42.0;
/// A transition is no narrower, or it could not be hit.
const NARROWEST: f32 = 14.0;

impl Layout {
    /// As much of it as was zoomed to, or all.
    pub(super) fn of(
        shown: &Evaluated,
        rect: Rect,
        span: Option<Span>,
        hold: Option<Hold>,
    ) -> Self {
        let n = shown.clip.as_ref().map_or(1, |clip| clip.n_frames());
        let fps = shown.graph.rig().fps;
        let length_secs = n as f64 / fps;
        let everything = Span {
            from_secs: 0.0,
            wide_secs: length_secs,
        };
        let scale = match hold {
            Some(Hold::Edge { scale, .. }) => scale,
            _ => Scale {
                span: span.unwrap_or(everything),
                left: rect.left(),
                width: rect.width().max(1.0),
            },
        };
        let x = |frame: usize| scale.x(frame as f64 / fps);
        let (top, middle) = (rect.top() + RULER, rect.bottom() - JOINS);
        let block = |(play, it): (usize, &crate::sequence::Play)| {
            let blended = blended_end(it);
            let centre = 0.5 * (x(it.shown.start) + x(blended));
            let half = (0.5 * (x(blended) - x(it.shown.start))).max(0.5 * NARROWEST);
            Block {
                entry: it.entry,
                repeat: it.repeat,
                play,
                closes: it.closes,
                action: Rect::from_min_max(
                    pos2(x(blended), top),
                    pos2(x(it.shown.end).max(x(blended) + 2.0), middle - 2.0),
                ),
                join: it.transition.as_ref().map(|_| {
                    Rect::from_min_max(
                        pos2(centre - half, middle + 1.0),
                        pos2(centre + half, rect.bottom() - 2.0),
                    )
                }),
            }
        };
        Self {
            rect,
            scale,
            length_secs,
            fps,
            blocks: shown.plays.iter().enumerate().map(block).collect(),
        }
    }

    /// What is there, and whether it is the transition into it.
    pub(super) fn block_at(&self, at: Pos2) -> Option<(&Block, bool)> {
        let hit = |block: &Block| {
            let on_join = block.join.is_some_and(|rect| rect.contains(at));
            (on_join || block.action.contains(at)).then_some(on_join)
        };
        let mut blocks = self.blocks.iter().rev();
        blocks.find_map(|block| Some((block, hit(block)?)))
    }

    /// Where something is seen to go that is dropped here.
    pub(super) fn x_of_place(&self, place: usize, order: &[EntryId]) -> f32 {
        let own = |id: &EntryId| {
            let mut blocks = self.blocks.iter().filter(|block| !block.closes);
            blocks.find(|block| block.entry == *id)
        };
        let after = order.get(place).and_then(own);
        let last = || self.blocks.iter().rfind(|block| !block.closes);
        let x = after.map(|block| block.action.left());
        let x = x.or_else(|| last().map(|block| block.action.right()));
        let (left, right) = (self.rect.left() + 1.0, self.rect.right() - 1.0);
        x.unwrap_or(left).clamp(left, right)
    }

    /// Before which entry of the list something is put that is dropped here.
    pub(super) fn place_at(&self, x: f32, order: &[EntryId]) -> usize {
        let before = |id: &EntryId| {
            let blocks = self.blocks.iter().filter(|block| !block.closes);
            let mut own = blocks.filter(|block| block.entry == *id);
            let first = own.next();
            let last = own.next_back().or(first);
            match (first, last) {
                (Some(a), Some(b)) => 0.5 * (a.action.left() + b.action.right()) < x,
                _ => false,
            }
        };
        order.iter().filter(|id| before(id)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::vec2;

    #[test]
    fn what_is_dropped_goes_between_the_middles() {
        let block = |entry, left: f32| Block {
            entry: EntryId(entry),
            repeat: 0,
            play: 0,
            action: Rect::from_min_size(pos2(left, 0.0), vec2(100.0, 10.0)),
            join: None,
            closes: false,
        };
        let layout = Layout {
            rect: Rect::from_min_size(pos2(0.0, 0.0), vec2(300.0, 50.0)),
            scale: Scale {
                span: Span {
                    from_secs: 0.0,
                    wide_secs: 10.0,
                },
                left: 0.0,
                width: 300.0,
            },
            length_secs: 10.0,
            fps: 30.0,
            blocks: vec![block(1, 0.0), block(2, 100.0), block(2, 200.0)],
        };
        let order = [EntryId(1), EntryId(2)];
        let places = [10.0, 60.0, 190.0, 210.0].map(|x| layout.place_at(x, &order));
        assert_eq!(places, [0, 1, 1, 2], "repetitions are one entry");
        let marks = [0, 1, 2].map(|place| layout.x_of_place(place, &order));
        assert_eq!(marks, [1.0, 100.0, 299.0], "before it, or behind the last");
    }
}
