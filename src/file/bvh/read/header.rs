//! The few lines between MOTION and the rows: how many frames, and how fast.

use super::notes::{Notes, Quirk};
use super::number;
use super::scan::{Cursor, shown};
use crate::file::SyntaxError;

/// The frame time that is assumed when a file has none.
const USUAL_FRAME_SECS: f64 = 1.0 / 30.0;

/// Frame times outside of this are mistakes (milliseconds, frame rates, zero), not captures.
const SENSIBLE_FRAME_SECS: std::ops::RangeInclusive<f64> = 1e-5..=10.0;

/// Number of frames and frame time, as the file states them.
#[derive(Debug)]
pub(super) struct Header {
    /// What the file claims; never trusted, only compared.
    pub(super) claimed_frames: Option<u64>,
    /// Where it claims so.
    pub(super) claimed_at: Option<usize>,
    pub(super) frame_secs: f64,
}

/// Reads up to the first number of the first row.
pub(super) fn read(cursor: &mut Cursor<'_>, notes: &mut Notes) -> Result<Header, SyntaxError> {
    let mut header = Header {
        claimed_frames: None,
        claimed_at: None,
        frame_secs: USUAL_FRAME_SECS,
    };
    cursor.skip_space(notes);
    let start = cursor.at;
    if cursor.peek().is_none() {
        notes.see(Quirk::NoMotion, start);
        return Ok(header);
    }
    if !cursor.take("MOTION", notes) {
        return Err(cursor.fail("MOTION or another ROOT"));
    }
    let mut has_frame_time = false;
    loop {
        cursor.skip_space(notes);
        let at = cursor.at;
        match label(cursor) {
            Some(HeaderLabel::Frames) => {
                header.claimed_frames = Some(frames(cursor)?);
                header.claimed_at = Some(at);
            }
            Some(HeaderLabel::FrameTime) => {
                header.frame_secs = frame_secs(cursor, at, notes)?;
                has_frame_time = true;
            }
            None => break,
        }
    }
    if header.claimed_at.is_none() {
        notes.see(Quirk::NoFramesLine, start);
    }
    if !has_frame_time {
        // Without rows there is nothing to play, and no need to know how fast.
        if cursor.peek().is_some() {
            return Err(cursor.fail("Frame Time: and the seconds from one frame to the next"));
        }
        notes.see_with(Quirk::FrameTime, Some(start), || {
            "there is no Frame Time line".to_owned()
        });
    }
    Ok(header)
}

enum HeaderLabel {
    Frames,
    FrameTime,
}

/// Goes past `Frames:` or `Frame Time:`, with or without the colon and with blanks anywhere.
fn label(cursor: &mut Cursor<'_>) -> Option<HeaderLabel> {
    let mut ahead = cursor.clone();
    let first = letters(&mut ahead);
    let label = if first.eq_ignore_ascii_case(b"frames") {
        HeaderLabel::Frames
    } else if first.eq_ignore_ascii_case(b"frametime") {
        HeaderLabel::FrameTime
    } else if first.eq_ignore_ascii_case(b"frame") {
        ahead.skip_blanks();
        if !letters(&mut ahead).eq_ignore_ascii_case(b"time") {
            return None;
        }
        HeaderLabel::FrameTime
    } else {
        return None;
    };
    ahead.skip_blanks();
    if ahead.peek() == Some(b':') {
        ahead.at += 1;
    }
    *cursor = ahead;
    Some(label)
}

fn letters<'a>(cursor: &mut Cursor<'a>) -> &'a [u8] {
    let start = cursor.at;
    cursor.skip_while(|b| b.is_ascii_alphabetic());
    &cursor.bytes[start..cursor.at]
}

/// The whole number behind the label. Fractions of zero and exponents are fine: some exporters print a float.
fn frames(cursor: &mut Cursor<'_>) -> Result<u64, SyntaxError> {
    cursor.skip_blanks();
    let word = cursor.word();
    let claimed = whole_number(word).filter(|n| *n >= 0.0 && n.fract() == 0.0);
    let claimed = claimed.ok_or_else(|| cursor.fail("the number of frames"))?;
    cursor.at += word.len();
    Ok(claimed as u64)
}

/// The number behind the label. Zero, milliseconds and frame rates are what exporters really write, and guessed over.
fn frame_secs(cursor: &mut Cursor<'_>, at: usize, notes: &mut Notes) -> Result<f64, SyntaxError> {
    cursor.skip_blanks();
    let word = cursor.word();
    let secs = whole_number(word).filter(|secs| *secs >= 0.0);
    let secs = secs.ok_or_else(|| cursor.fail("the seconds from one frame to the next"))?;
    cursor.at += word.len();
    if SENSIBLE_FRAME_SECS.contains(&secs) {
        return Ok(secs);
    }
    notes.see_with(Quirk::FrameTime, Some(at), || {
        format!("the frame time cannot be \"{}\"", shown(word))
    });
    Ok(USUAL_FRAME_SECS)
}

/// The number that makes up the whole word.
fn whole_number(word: &[u8]) -> Option<f64> {
    number::scan(word, 0)
        .filter(|&(_, end)| end == word.len())
        .map(|(value, _)| value)
}
