//! Text as the Acclaim formats see it: lines of words, with places for error messages.

use crate::file::SyntaxError;
use crate::file::shown::shown;
use crate::motion::LONGEST;

/// One line without its comment.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextLine<'a> {
    /// The line of the file, counted from 1.
    pub(super) number: usize,
    text: &'a [u8],
}

/// A word and where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word<'a> {
    /// The bytes of the word, at least one.
    pub(super) text: &'a [u8],
    line: TextLine<'a>,
    start: usize,
}

/// All lines that hold a word, whatever their line ends; a byte-order mark is skipped.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = TextLine<'_>> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    // Of CR LF only LF ends a line; a lone CR does too. Both splits together keep the numbers right.
    let lines = bytes.split(|&b| b == b'\n').flat_map(|line| {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        line.split(|&b| b == b'\r')
    });
    let numbered = lines.enumerate().map(|(idx, text)| TextLine {
        number: idx + 1,
        text: text.split(|&b| b == b'#').next().unwrap_or_default(),
    });
    numbered.filter(|line| line.words().next().is_some())
}

/// An error after the last word of a file.
pub(super) fn breaks_off(bytes: &[u8], expected: &str) -> SyntaxError {
    let last = lines(bytes).last();
    SyntaxError {
        line: last.map_or(1, |line| line.number),
        column: last.map_or(1, |line| column(line.text.trim_ascii_end())),
        expected: expected.to_owned(),
        found: "the end of the file".to_owned(),
    }
}

/// The column behind this text.
fn column(before: &[u8]) -> usize {
    String::from_utf8_lossy(before).chars().count() + 1
}

impl<'a> TextLine<'a> {
    /// The specification counts commas and parentheses as blanks.
    pub(super) fn words(self) -> impl Iterator<Item = Word<'a>> {
        let blank = |b: &u8| b.is_ascii_whitespace() || matches!(b, b',' | b'(' | b')' | 0);
        let mut at = 0;
        std::iter::from_fn(move || {
            let rest = self.text.get(at..)?;
            let start = at + rest.iter().position(|b| !blank(b))?;
            let word = &self.text[start..];
            let len = word.iter().position(blank).unwrap_or(word.len());
            at = start + len;
            Some(Word {
                text: &word[..len],
                line: self,
                start,
            })
        })
    }

    /// Something is missing behind the last word.
    pub(super) fn ends_early(self, expected: &str) -> SyntaxError {
        SyntaxError {
            line: self.number,
            column: column(self.text.trim_ascii_end()),
            expected: expected.to_owned(),
            found: "the end of the line".to_owned(),
        }
    }

    /// The next word, which must be there.
    pub(super) fn next(
        self,
        words: &mut impl Iterator<Item = Word<'a>>,
        expected: &str,
    ) -> Result<Word<'a>, SyntaxError> {
        words.next().ok_or_else(|| self.ends_early(expected))
    }

    /// Three lengths, as they stand after a keyword.
    pub(super) fn lengths(
        self,
        words: &mut impl Iterator<Item = Word<'a>>,
    ) -> Result<[f64; 3], SyntaxError> {
        let mut lengths = [0.0; 3];
        for length in &mut lengths {
            *length = self.next(words, "a length")?.length()?;
        }
        Ok(lengths)
    }

    /// Three finite numbers, as they stand after a keyword.
    pub(super) fn vector(
        self,
        words: &mut impl Iterator<Item = Word<'a>>,
    ) -> Result<[f64; 3], SyntaxError> {
        let mut numbers = [0.0; 3];
        for number in &mut numbers {
            *number = self.next(words, "a number")?.number()?;
        }
        Ok(numbers)
    }
}

impl Word<'_> {
    /// This word should have been something else.
    pub(super) fn instead_of(self, expected: &str) -> SyntaxError {
        SyntaxError {
            line: self.line.number,
            column: column(&self.line.text[..self.start]),
            expected: expected.to_owned(),
            found: format!("\"{}\"", shown(self.text)),
        }
    }

    /// The word as a finite number.
    pub(super) fn number(self) -> Result<f64, SyntaxError> {
        match fast_float2::parse::<f64, _>(self.text) {
            Ok(number) if number.is_finite() => Ok(number),
            _ => Err(self.instead_of("a number")),
        }
    }

    /// The word as a length.
    pub(super) fn length(self) -> Result<f64, SyntaxError> {
        match self.number()? {
            length if length.abs() <= LONGEST => Ok(length),
            _ => Err(self.instead_of(&format!("a length below {LONGEST:e}"))),
        }
    }

    /// Keywords may be written in any case.
    pub(super) fn is(self, keyword: &str) -> bool {
        self.text.eq_ignore_ascii_case(keyword.as_bytes())
    }

    /// The word as text, for names and messages.
    pub(super) fn name(self) -> String {
        String::from_utf8_lossy(self.text).into_owned()
    }

    /// Names that differ only in case are the same.
    pub(super) fn key(self) -> String {
        self.name().to_lowercase()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_in_lines_and_characters() {
        let text = "\u{feff}a b\r\n\r\n# nothing\rä\t(x, 1e3) # rest\n";
        let all: Vec<TextLine<'_>> = lines(text.as_bytes()).collect();
        let numbers: Vec<usize> = all.iter().map(|l| l.number).collect();
        assert_eq!(numbers, [1, 4]);
        let words: Vec<Word<'_>> = all[1].words().collect();
        let names: Vec<String> = words.iter().map(|w| w.name()).collect();
        assert_eq!(names, ["ä", "x", "1e3"]);
        assert_eq!(words[2].number(), Ok(1000.0));
        let error = words[1].number().unwrap_err();
        let shown = "line 4, column 4: expected a number, found \"x\"";
        assert_eq!(error.to_string(), shown);
        assert_eq!(all[0].ends_early("c").column, 4);
        let end = breaks_off(text.as_bytes(), "more");
        assert_eq!((end.line, end.column), (4, 11));
        assert_eq!(breaks_off(b"", "more").line, 1);
    }

    #[test]
    fn numbers_must_be_finite() {
        for text in ["nan", "inf", "1e999", "1.5-2", "--1", "0x10"] {
            let line = lines(text.as_bytes()).next().unwrap();
            line.words().next().unwrap().number().unwrap_err();
        }
    }
}
