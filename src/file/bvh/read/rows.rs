//! The rows of the MOTION part, one per frame.
//!
//! A row that does not fit makes the reader look at the whole part once: if all numbers together are the frames that
//! the file promised, the rows are only wrapped; a short last row was cut off; anything else is an error at that row.

use super::columns::{ColumnPlan, FrameRow};
use super::header::Header;
use super::lines::{is_line_end, line_ends};
use super::notes::{Notes, Quirk};
use super::number;
use super::scan::{Cursor, end_of, fail_at, is_blank, shown};
use crate::file::SyntaxError;
use crate::motion::{LONGEST, Motion, Pose, Quat, Skeleton, Vec3};

/// A file may take this much memory for poses, and [`POSE_BYTES_PER_BYTE`] more for each of its own bytes. The
/// shortest way to write a turn is six bytes, for a rotation of 32; only joints without channels in thousands of frames
/// come to more.
const POSE_BYTES: usize = 16 << 20;
const POSE_BYTES_PER_BYTE: usize = 8;

/// Reads all frames; the rest pose if there are none.
pub(super) fn read(
    cursor: &Cursor<'_>,
    header: &Header,
    skeleton: &Skeleton,
    plan: &ColumnPlan,
    notes: &mut Notes,
) -> Result<Motion, SyntaxError> {
    let rest = &cursor.bytes[cursor.at..];
    // Never what the file claims: lines that are there, and at least a digit and a blank for each value.
    let most_frames = (line_ends(rest) + 1).min(rest.len() / (2 * plan.n_columns()).max(1) + 1);
    let pose_bytes =
        skeleton.n_joints() * size_of::<Quat>() + skeleton.translating().len() * size_of::<Vec3>();
    let room = (POSE_BYTES + POSE_BYTES_PER_BYTE * cursor.bytes.len()) / pose_bytes;
    let mut reader = Reader {
        cursor: cursor.clone(),
        start: cursor.at,
        header,
        skeleton,
        plan,
        row: FrameRow::new(plan),
        motion: Motion::with_capacity(skeleton, header.frame_secs, most_frames.min(room)),
        n_frames: 0,
        room: room.max(1),
        notes,
    };
    reader.all_rows()?;
    let (n_frames, mut motion) = (reader.n_frames, reader.motion);
    if n_frames == 0 {
        motion.push(Pose::rest(skeleton).as_ref());
        notes.see_with(Quirk::NoRows, header.claimed_at, String::new);
    } else if let Some(claimed) = header.claimed_frames
        && claimed != n_frames as u64
    {
        let counts = || format!("the file promises {claimed} frames and holds {n_frames}");
        notes.see_with(Quirk::FrameCount, header.claimed_at, counts);
    }
    motion.translations.shrink_to_fit();
    motion.rotations.shrink_to_fit();
    Ok(motion)
}

struct Reader<'a, 'n> {
    cursor: Cursor<'a>,
    /// The first byte of the first row.
    start: usize,
    header: &'a Header,
    skeleton: &'a Skeleton,
    plan: &'a ColumnPlan,
    row: FrameRow,
    motion: Motion,
    n_frames: usize,
    /// How many frames fit into the memory that a file of this length may take.
    room: usize,
    notes: &'n mut Notes,
}

/// Why a row did not fill all columns, and how many it did fill.
enum Misfit {
    /// The line or the file ended.
    Short(usize),
    /// All columns are full and the line goes on.
    Long,
    /// Something that is no number.
    NotANumber(usize),
}

/// What to do about a misfit.
enum Remedy {
    /// Leave the last row out.
    Stop,
    /// Read again without regard to lines.
    Unwrap,
}

impl Reader<'_, '_> {
    fn all_rows(&mut self) -> Result<(), SyntaxError> {
        loop {
            self.cursor.skip_space(self.notes);
            if self.cursor.peek().is_none() || self.is_trailing_text()? {
                return Ok(());
            }
            let row_at = self.cursor.at;
            match self.fill::<false>() {
                Ok(()) if self.is_cut_off(row_at) => return Ok(()),
                Ok(()) => self.push(row_at)?,
                Err(misfit) => match self.remedy(&misfit)? {
                    Remedy::Stop => return Ok(()),
                    Remedy::Unwrap => return self.all_values(),
                },
            }
        }
    }

    /// The same for rows that are wrapped; the numbers were found to be exactly those of the promised frames.
    fn all_values(&mut self) -> Result<(), SyntaxError> {
        self.cursor.at = self.start;
        self.n_frames = 0;
        // Room was for as many frames as there are lines. That goes first, so that both are never held at once.
        self.motion = Motion::with_capacity(self.skeleton, self.header.frame_secs, 0);
        let n_frames = self.header.claimed_frames.unwrap_or(0);
        let n_frames = (self.room as u64).min(n_frames) as usize;
        self.motion = Motion::with_capacity(self.skeleton, self.header.frame_secs, n_frames);
        loop {
            self.cursor.skip_space(self.notes);
            if self.cursor.peek().is_none() {
                return Ok(());
            }
            let row_at = self.cursor.at;
            if self.fill::<true>().is_err() {
                return Err(self
                    .cursor
                    .fail(number::what_was_expected(self.cursor.word())));
            }
            self.push(row_at)?;
        }
    }

    /// Reads one number for each column. The place is left behind the last one, or where it failed.
    fn fill<const WRAPPED: bool>(&mut self) -> Result<(), Misfit> {
        let bytes = self.cursor.bytes;
        let mut at = self.cursor.at;
        for (column, &slot) in self.plan.slots.iter().enumerate() {
            let end = at;
            at = if WRAPPED {
                end_of(bytes, at, |b| is_blank(b) || is_line_end(b))
            } else {
                past_blanks(bytes, at)
            };
            let Some((value, next)) = number::scan(bytes, at) else {
                return Err(self.misfit(at, column));
            };
            if at == end && column > 0 {
                // No blank in between: the sign of the second number parts them, or it is no number at all.
                if bytes[at] != b'-' {
                    return Err(self.misfit(at, column));
                }
                self.notes.see(Quirk::Glued, at);
            }
            self.row.values[slot as usize] = value;
            at = next;
        }
        let end = at;
        at = past_blanks(bytes, at);
        self.cursor.at = at;
        match bytes.get(at) {
            None => Ok(()),
            Some(&b) if is_line_end(b) => Ok(()),
            Some(&b) if at > end || b == b'-' => {
                if !WRAPPED {
                    return Err(Misfit::Long);
                }
                if at == end {
                    self.notes.see(Quirk::Glued, at);
                }
                Ok(())
            }
            Some(_) => Err(self.misfit(at, self.plan.n_columns())),
        }
    }

    /// Why no number begins at `at` after so many columns. The place is put at the beginning of the word.
    #[cold]
    fn misfit(&mut self, at: usize, n_values: usize) -> Misfit {
        let bytes = self.cursor.bytes;
        self.cursor.at = at;
        if bytes.get(at).is_none_or(|&b| is_line_end(b)) {
            return Misfit::Short(n_values);
        }
        self.cursor.at = word_start(bytes, at);
        // If the word began earlier, its beginning was taken for a number.
        let n_taken = usize::from(self.cursor.at < at);
        Misfit::NotANumber(n_values.saturating_sub(n_taken))
    }

    fn push(&mut self, row_at: usize) -> Result<(), SyntaxError> {
        if self.row.longest() > LONGEST {
            return Err(self.too_long(row_at));
        }
        if self.n_frames == self.room {
            let expected = "fewer frames, or channels for more of the joints";
            return Err(fail_at(self.cursor.bytes, row_at, expected));
        }
        self.row.push_to(&mut self.motion, self.plan);
        self.n_frames += 1;
        Ok(())
    }

    /// Whether the last number of a row that no line end follows is cut off: exporters that write all numbers with the
    /// same decimals write the last one so, too. Where they do not, a short one is only noted.
    fn is_cut_off(&mut self, row_at: usize) -> bool {
        let bytes = self.cursor.bytes;
        if self.cursor.at < bytes.len() || bytes.last().is_some_and(|&b| is_blank(b)) {
            return false;
        }
        let row = &bytes[row_at..];
        let words = row.split(|&b| is_blank(b)).filter(|word| !word.is_empty());
        let mut decimals: Vec<usize> = words.map(number::n_decimals).collect();
        let Some(last) = decimals.pop() else {
            return false;
        };
        decimals.sort_unstable();
        let usual = decimals.get(decimals.len() / 2).copied().unwrap_or(0);
        if last >= usual {
            return false;
        }
        let at = word_start(bytes, bytes.len());
        let is_fixed = decimals.len() >= 2 && decimals.first() == decimals.last();
        if is_fixed && self.n_frames > 0 {
            let n_columns = self.plan.n_columns();
            let counts = || format!("{} of {n_columns}", n_columns - 1);
            self.notes.see_with(Quirk::CutRow, Some(at), counts);
            return true;
        }
        let word = || shown(&bytes[at..]);
        self.notes.see_with(Quirk::NoLineEnd, Some(at), word);
        false
    }

    /// Whether there is text where a row should begin, and no row after it.
    fn is_trailing_text(&mut self) -> Result<bool, SyntaxError> {
        let at = self.cursor.at;
        let begins = |b: u8| b.is_ascii_digit() || matches!(b, b'-' | b'+' | b'.');
        if begins(self.cursor.bytes[at]) && self.plan.n_columns() > 0 {
            return Ok(false);
        }
        let word = self.cursor.word();
        let expected = number::what_was_expected(word);
        let rest = &self.cursor.bytes[at..];
        let is_row = |line: &[u8]| line.trim_ascii_start().first().is_some_and(|&b| begins(b));
        let mut later_lines = rest.split(|&b| is_line_end(b)).skip(1);
        let is_complete = match self.header.claimed_frames {
            Some(claimed) => self.n_frames as u64 >= claimed,
            None => false,
        };
        let is_trailing = self.plan.n_columns() == 0
            || (expected != number::FINITE
                && self.n_frames > 0
                && (is_complete || !later_lines.any(is_row)));
        if !is_trailing {
            return Err(self.cursor.fail(expected));
        }
        self.notes
            .see_with(Quirk::TrailingText, Some(at), || shown(word));
        Ok(true)
    }

    /// A row does not fit its columns: what now?
    fn remedy(&mut self, misfit: &Misfit) -> Result<Remedy, SyntaxError> {
        let bytes = self.cursor.bytes;
        let n_columns = self.plan.n_columns();
        let is_last = |at: usize| bytes[at..].trim_ascii().is_empty();
        let cut = match *misfit {
            Misfit::NotANumber(n_values) => {
                let word = self.cursor.word();
                if !(number::may_be_cut(word) && self.cursor.at + word.len() == bytes.len()) {
                    return Err(self.cursor.fail(number::what_was_expected(word)));
                }
                Some(n_values)
            }
            Misfit::Short(n_values) => is_last(self.cursor.at).then_some(n_values),
            Misfit::Long => None,
        };
        if let Some(n_lines) = self.lines_if_wrapped() {
            let lines = || format!("{n_lines} lines");
            self.notes.see_with(Quirk::Wrapped, Some(self.start), lines);
            return Ok(Remedy::Unwrap);
        }
        match (misfit, cut) {
            (_, Some(n_values)) if self.n_frames > 0 => {
                let counts = || format!("{n_values} of {n_columns}");
                self.notes
                    .see_with(Quirk::CutRow, Some(self.cursor.at), counts);
                Ok(Remedy::Stop)
            }
            (Misfit::Short(n_values) | Misfit::NotANumber(n_values), _) => {
                let frame = self.n_frames;
                let expected =
                    format!("another value (frame {frame} has {n_values} of {n_columns})");
                Err(self.cursor.fail(expected))
            }
            (Misfit::Long, _) => {
                let expected = format!("the end of the line after {n_columns} values");
                Err(self.cursor.fail(expected))
            }
        }
    }

    /// On how many lines the numbers stand, if there are exactly as many as the promised frames need.
    ///
    /// If rows did fit before this one, every frame must begin a line too. A value that slipped into the next row
    /// leaves their number right, and is no wrapping.
    fn lines_if_wrapped(&self) -> Option<usize> {
        let n_columns = self.plan.n_columns() as u64;
        let promised = self.header.claimed_frames?.checked_mul(n_columns)?;
        let mut cursor = Cursor {
            at: self.start,
            ..self.cursor.clone()
        };
        let mut aside = Notes::default();
        let mut n_values = 0;
        loop {
            cursor.skip_space(&mut aside);
            if cursor.peek().is_none() {
                let lines = line_ends(cursor.bytes[self.start..].trim_ascii_end()) + 1;
                return (n_values == promised).then_some(lines);
            }
            cursor.number(&mut aside).ok()?;
            n_values += 1;
            if self.n_frames > 0 && n_values % n_columns == 0 {
                cursor.skip_blanks();
                let ends_line = cursor.peek().is_none_or(is_line_end);
                ends_line.then_some(())?;
            }
        }
    }

    /// Finds the culprit in a row that holds an absurd length.
    #[cold]
    fn too_long(&self, row_at: usize) -> SyntaxError {
        let mut cursor = Cursor {
            at: row_at,
            ..self.cursor.clone()
        };
        let mut aside = Notes::default();
        for column in 0..self.plan.n_columns() {
            cursor.skip_space(&mut aside);
            let at = cursor.at;
            match cursor.number(&mut aside) {
                Ok(value) if self.plan.is_length(column) && value.abs() > LONGEST => {
                    return fail_at(cursor.bytes, at, format!("a length below {LONGEST:e}"));
                }
                Ok(_) => {}
                Err(error) => return error,
            }
        }
        fail_at(cursor.bytes, row_at, format!("lengths below {LONGEST:e}"))
    }
}

#[inline]
fn past_blanks(bytes: &[u8], at: usize) -> usize {
    // One blank between two numbers is the rule.
    match bytes.get(at) {
        Some(b' ') if bytes.get(at + 1).is_some_and(|&b| !is_blank(b)) => at + 1,
        _ => end_of(bytes, at, is_blank),
    }
}

/// The beginning of the word that goes on at `at`.
fn word_start(bytes: &[u8], at: usize) -> usize {
    let is_part = |b: &u8| !is_blank(*b) && !is_line_end(*b);
    at - bytes[..at].iter().rev().take_while(|b| is_part(b)).count()
}
