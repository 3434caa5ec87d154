//! Where everything of the strip is.

use egui::{Rect, pos2};

use crate::app::sequence::strip::Evaluated;
use crate::app::sequence::strip::pieces::blended_end;
use crate::sequence::{EntryId, Trim};

/// What is in the hand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Hold {
    /// A block, to be put elsewhere.
    Block(EntryId),
    /// An edge of a block, with the trim that it began with and where the pointer was, in pixels.
    Edge {
        entry: EntryId,
        is_start: bool,
        began: Trim,
        from_x: f32,
    },
    /// The playhead.
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
}

/// The strip in pixels.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    /// All of it.
    pub(super) rect: Rect,
    /// Pixels of a frame.
    pub(super) per_frame: f32,
    pub(super) blocks: Vec<Block>,
}

/// Height of the ruler and of the row of transitions.
pub(super) const RULER: f32 = 20.0;
pub(super) const JOINS: f32 = 34.0;
/// A transition is no narrower, or it could not be hit.
const NARROWEST: f32 = 14.0;

impl Layout {
    pub(super) fn of(shown: &Evaluated, rect: Rect) -> Self {
        let n = shown.clip.as_ref().map_or(1, |clip| clip.n_frames());
        let per_frame = rect.width() / n as f32;
        let x = |frame: usize| rect.left() + frame as f32 * per_frame;
        let (top, middle) = (rect.top() + RULER, rect.bottom() - JOINS);
        let block = |(play, it): (usize, &crate::sequence::Play)| {
            let blended = blended_end(it);
            let centre = 0.5 * (x(it.shown.start) + x(blended));
            let half = (0.5 * (x(blended) - x(it.shown.start))).max(0.5 * NARROWEST);
            Block {
                entry: it.entry,
                repeat: it.repeat,
                play,
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
            per_frame,
            blocks: shown.plays.iter().enumerate().map(block).collect(),
        }
    }

    /// Before which entry of the list something is put that is dropped here.
    pub(super) fn place_at(&self, x: f32, order: &[EntryId]) -> usize {
        let before = |id: &EntryId| {
            let mut own = self.blocks.iter().filter(|block| block.entry == *id);
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
        };
        let layout = Layout {
            rect: Rect::from_min_size(pos2(0.0, 0.0), vec2(300.0, 50.0)),
            per_frame: 1.0,
            blocks: vec![block(1, 0.0), block(2, 100.0), block(2, 200.0)],
        };
        let order = [EntryId(1), EntryId(2)];
        let places = [10.0, 60.0, 190.0, 210.0].map(|x| layout.place_at(x, &order));
        assert_eq!(places, [0, 1, 1, 2], "repetitions are one entry");
    }
}
