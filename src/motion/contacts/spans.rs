//! Contacts corrected by hand: every function takes a list and gives a new one, sorted, without overlaps in one joint.

use std::ops::Range;

use crate::motion::Contact;

/// One span more. Where it overlaps or touches spans of the same joint, they become one.
#[must_use]
pub fn with(contacts: &[Contact], contact: Contact) -> Vec<Contact> {
    let mut all = contacts.to_vec();
    all.push(contact);
    joined(&all, 0)
}

/// These frames of a joint are no contact: spans are cut short, split or dropped.
#[must_use]
pub fn without(contacts: &[Contact], joint: usize, frames: &Range<usize>) -> Vec<Contact> {
    let mut kept = Vec::with_capacity(contacts.len() + 1);
    for c in contacts {
        if c.joint != joint {
            kept.push(c.clone());
            continue;
        }
        let before = c.frames.start..c.frames.end.min(frames.start);
        let after = c.frames.start.max(frames.end)..c.frames.end;
        let is_apart = frames.is_empty() || before == c.frames || after == c.frames;
        let pieces = if is_apart {
            [c.frames.clone(), 0..0]
        } else {
            [before, after]
        };
        kept.extend(
            pieces
                .into_iter()
                .filter(|p| !p.is_empty())
                .map(|frames| Contact { joint, frames }),
        );
    }
    joined(&kept, 0)
}

/// The span of this joint that covers `frame` gets other ends; nothing changes if there is none. Moved onto another
/// span of the joint, the two become one; moved to no frames at all, it is gone.
#[must_use]
pub fn moved(
    contacts: &[Contact],
    joint: usize,
    frame: usize,
    frames: Range<usize>,
) -> Vec<Contact> {
    let mut all = contacts.to_vec();
    if let Some(c) = all
        .iter_mut()
        .find(|c| c.joint == joint && c.frames.contains(&frame))
    {
        c.frames = frames;
    }
    joined(&all, 0)
}

/// Spans of a joint become one if fewer than `gap_frames` lie between them, and in any case where they touch.
#[must_use]
pub fn joined(contacts: &[Contact], gap_frames: usize) -> Vec<Contact> {
    let mut sorted: Vec<Contact> = contacts
        .iter()
        .filter(|c| !c.frames.is_empty())
        .cloned()
        .collect();
    sorted.sort_by_key(|c| (c.joint, c.frames.start));
    let mut all: Vec<Contact> = Vec::with_capacity(sorted.len());
    for c in sorted {
        match all.last_mut() {
            Some(last)
                if last.joint == c.joint
                    && c.frames.start < last.frames.end.saturating_add(gap_frames.max(1)) =>
            {
                last.frames.end = last.frames.end.max(c.frames.end);
            }
            _ => all.push(c),
        }
    }
    all
}

/// Only spans of at least this many frames.
#[must_use]
pub fn without_short(contacts: &[Contact], min_frames: usize) -> Vec<Contact> {
    let long = |c: &&Contact| c.frames.len() >= min_frames;
    contacts.iter().filter(long).cloned().collect()
}

/// The part of each span that lies within `frames`, counted from their start: what is left when a clip is cut.
#[must_use]
pub fn cut(contacts: &[Contact], frames: &Range<usize>) -> Vec<Contact> {
    let pieces = contacts.iter().map(|c| Contact {
        joint: c.joint,
        frames: c.frames.start.clamp(frames.start, frames.end) - frames.start
            ..c.frames.end.clamp(frames.start, frames.end) - frames.start,
    });
    pieces.filter(|c| !c.frames.is_empty()).collect()
}

/// Whether a joint is down at a frame.
pub fn is_down(contacts: &[Contact], joint: usize, frame: usize) -> bool {
    contacts
        .iter()
        .any(|c| c.joint == joint && c.frames.contains(&frame))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(spans: &[(usize, Range<usize>)]) -> Vec<Contact> {
        let contact = |(joint, frames): &(usize, Range<usize>)| Contact {
            joint: *joint,
            frames: frames.clone(),
        };
        spans.iter().map(contact).collect()
    }

    #[test]
    fn adding_joins_what_touches() {
        let before = list(&[(1, 0..5), (1, 10..20), (2, 3..8)]);
        let new = Contact {
            joint: 1,
            frames: 5..11,
        };
        assert_eq!(with(&before, new), list(&[(1, 0..20), (2, 3..8)]));
        let apart = Contact {
            joint: 1,
            frames: 6..9,
        };
        let four = list(&[(1, 0..5), (1, 6..9), (1, 10..20), (2, 3..8)]);
        assert_eq!(with(&before, apart), four);
        let nothing = Contact {
            joint: 1,
            frames: 7..7,
        };
        assert_eq!(with(&before, nothing), before);
    }

    #[test]
    fn removing_cuts_splits_and_drops() {
        let before = list(&[(1, 0..10), (1, 20..30), (2, 0..40)]);
        assert_eq!(
            without(&before, 1, &(4..6)),
            list(&[(1, 0..4), (1, 6..10), (1, 20..30), (2, 0..40)])
        );
        assert_eq!(
            without(&before, 1, &(5..25)),
            list(&[(1, 0..5), (1, 25..30), (2, 0..40)])
        );
        assert_eq!(without(&before, 1, &(0..99)), list(&[(2, 0..40)]));
        assert_eq!(without(&before, 1, &(5..5)), before);
        assert_eq!(without(&before, 3, &(0..99)), before);
    }

    #[test]
    fn moving_changes_one_span() {
        let before = list(&[(1, 0..10), (1, 20..30)]);
        assert_eq!(
            moved(&before, 1, 25, 22..35),
            list(&[(1, 0..10), (1, 22..35)])
        );
        assert_eq!(moved(&before, 1, 25, 8..30), list(&[(1, 0..30)]));
        assert_eq!(moved(&before, 1, 15, 8..30), before);
        assert_eq!(moved(&before, 1, 5, 3..3), list(&[(1, 20..30)]));
    }

    #[test]
    fn joining_and_dropping_by_length() {
        let before = list(&[(1, 0..10), (1, 13..14), (1, 30..31)]);
        assert_eq!(
            joined(&before, 3),
            before,
            "three frames between are not fewer than three"
        );
        assert_eq!(joined(&before, 4), list(&[(1, 0..14), (1, 30..31)]));
        assert_eq!(without_short(&before, 2), list(&[(1, 0..10)]));
        let huge = list(&[(1, 0..usize::MAX), (1, 5..6)]);
        assert_eq!(joined(&huge, usize::MAX), list(&[(1, 0..usize::MAX)]));
    }

    #[test]
    fn a_cut_counts_from_its_own_start() {
        let before = list(&[(1, 0..10), (1, 20..30)]);
        assert_eq!(cut(&before, &(5..25)), list(&[(1, 0..5), (1, 15..20)]));
        assert_eq!(cut(&before, &(12..15)), []);
        assert!(
            is_down(&before, 1, 9) && !is_down(&before, 1, 10),
            "ends are not included"
        );
    }
}
