//! Words and places in the text.
//!
//! Lines may end in LF, CRLF or CR, mixed as they come. Places are byte positions; only for a message are
//! lines and columns counted.

use super::lines::{is_line_end, line_ends};
use super::notes::{Notes, Quirk};
use super::number;
use crate::file::SyntaxError;

pub(super) use crate::file::shown::shown;

/// Blank inside a line.
pub(super) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0b | 0x0c)
}

const fn is_space(byte: u8) -> bool {
    is_blank(byte) || is_line_end(byte)
}

/// A place in the text, moving forward.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// The byte here; `None` at the end of the file.
    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(super) fn skip_while(&mut self, wanted: impl Fn(u8) -> bool) {
        self.at = end_of(self.bytes, self.at, wanted);
    }

    /// To the next word on this line, or to its end.
    pub(super) fn skip_blanks(&mut self) {
        self.skip_while(is_blank);
    }

    /// To the next word on any line; comments are no words.
    pub(super) fn skip_space(&mut self, notes: &mut Notes) {
        loop {
            self.skip_while(is_space);
            let rest = &self.bytes[self.at..];
            if !rest.starts_with(b"#") && !rest.starts_with(b"//") {
                return;
            }
            notes.see(Quirk::Comment, self.at);
            self.skip_while(|b| !is_line_end(b));
        }
    }

    /// The word here, empty at the end of a line or of the file. A brace is a word of its own.
    pub(super) fn word(&self) -> &'a [u8] {
        word_at(self.bytes, self.at)
    }

    /// Goes past this word if it is the next one, in capitals or not.
    pub(super) fn take(&mut self, keyword: &str, notes: &mut Notes) -> bool {
        self.skip_space(notes);
        let word = self.word();
        let is_it = word.eq_ignore_ascii_case(keyword.as_bytes());
        if is_it {
            if word != keyword.as_bytes() {
                notes.see(Quirk::KeywordCase, self.at);
            }
            self.at += word.len();
        }
        is_it
    }

    /// A finite number, on this line or a later one.
    pub(super) fn number(&mut self, notes: &mut Notes) -> Result<f64, SyntaxError> {
        let glued = self.at > 0 && self.bytes[self.at - 1].is_ascii_digit();
        if glued && self.peek() == Some(b'-') {
            notes.see(Quirk::Glued, self.at);
        }
        self.skip_space(notes);
        let ended = |end: usize| match self.bytes.get(end) {
            None => true,
            Some(&b) => is_space(b) || matches!(b, b'-' | b'{' | b'}'),
        };
        match number::scan(self.bytes, self.at) {
            Some((value, end)) if ended(end) => {
                self.at = end;
                Ok(value)
            }
            _ => Err(self.fail(number::what_was_expected(self.word()))),
        }
    }

    /// The rest of the line without blanks around it; an opening brace ends it too.
    pub(super) fn rest_of_line(&mut self) -> &'a [u8] {
        self.skip_blanks();
        let start = self.at;
        self.skip_while(|b| !is_line_end(b) && b != b'{');
        self.bytes[start..self.at].trim_ascii_end()
    }

    /// The complaint that something else was expected here.
    pub(super) fn fail(&self, expected: impl Into<String>) -> SyntaxError {
        fail_at(self.bytes, self.at, expected)
    }
}

/// The first position from `at` on whose byte is not `wanted`.
pub(super) fn end_of(bytes: &[u8], at: usize, wanted: impl Fn(u8) -> bool) -> usize {
    let rest = &bytes[at..];
    at + rest.iter().position(|&b| !wanted(b)).unwrap_or(rest.len())
}

fn word_at(bytes: &[u8], at: usize) -> &[u8] {
    let is_brace = |b| matches!(b, b'{' | b'}');
    if bytes.get(at).is_some_and(|&b| is_brace(b)) {
        return &bytes[at..=at];
    }
    &bytes[at..end_of(bytes, at, |b| !is_space(b) && !is_brace(b))]
}

/// The complaint that something else was expected at this place.
#[cold]
pub(super) fn fail_at(bytes: &[u8], at: usize, expected: impl Into<String>) -> SyntaxError {
    let (line, column) = line_and_column(bytes, at);
    let found = match bytes.get(at) {
        None => "the end of the file".to_owned(),
        Some(&b) if is_line_end(b) => "the end of the line".to_owned(),
        Some(_) => format!("\"{}\"", shown(word_at(bytes, at))),
    };
    SyntaxError {
        line,
        column,
        expected: expected.into(),
        found,
    }
}

/// Both counted from 1; columns in characters.
fn line_and_column(bytes: &[u8], at: usize) -> (usize, usize) {
    let before = &bytes[..at];
    let start = before
        .iter()
        .rposition(|&b| is_line_end(b))
        .map_or(0, |p| p + 1);
    let is_first_of_char = |b: &&u8| **b & 0xc0 != 0x80;
    let column = before[start..].iter().filter(is_first_of_char).count() + 1;
    (line_ends(&before[..start]) + 1, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line_end_counts_once() {
        let text = b"a\nb\r\nc\rd\n\r\n\re";
        let place = |byte: u8| {
            let at = text.iter().position(|&b| b == byte).unwrap();
            line_and_column(text, at)
        };
        assert_eq!(place(b'a'), (1, 1));
        assert_eq!(place(b'b'), (2, 1));
        assert_eq!(place(b'c'), (3, 1));
        assert_eq!(place(b'd'), (4, 1));
        assert_eq!(place(b'e'), (7, 1));
    }

    #[test]
    fn columns_are_characters() {
        let text = "a \u{e4}\u{20ac} x".as_bytes();
        let error = fail_at(text, text.len() - 1, "y");
        assert_eq!((error.line, error.column), (1, 6));
        assert_eq!(error.found, "\"x\"");
        assert_eq!(fail_at(text, text.len(), "y").found, "the end of the file");
        assert_eq!(fail_at(b"a\r\n", 1, "y").found, "the end of the line");
    }
}
