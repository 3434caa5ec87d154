//! Strokes as tables: `t,x,y`, one row for each point, seconds first.
//!
//! Reading takes what spreadsheets and scripts make of that: no header, columns in another order or more of them,
//! semicolons or tabs, decimal commas beside those, quotes, blank lines, comments with `#`. Rows that repeat the time
//! of the row before (a mouse reports in whole milliseconds) are passed over, and a note says so.

use std::fmt::Write as _;
use std::path::Path;

use super::open::bytes_of;
use super::{ReadError, SyntaxError};
use crate::motion::stroke::Stroke;
use crate::motion::{Note, NoteKind};

/// Reads a file; the stroke is called like it.
pub fn read_file(path: &Path) -> Result<(Stroke, Vec<Note>), ReadError> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    read(&bytes_of(path)?, &name)
}

/// Reads a stroke, and what should be known about it.
pub fn read(bytes: &[u8], name: &str) -> Result<(Stroke, Vec<Note>), ReadError> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let lines = text.lines().enumerate().map(|(idx, line)| Line {
        number: idx + 1,
        text: line,
    });
    let mut rows = lines
        .filter(|line| !matches!(line.text.trim().chars().next(), None | Some('#')))
        .peekable();
    let table = Table::of(rows.peek().map_or("", |line| line.text));
    let columns = match rows.peek() {
        Some(first) => columns(first, table)?,
        None => None,
    };
    if columns.is_some() {
        rows.next();
    }
    let columns = columns.unwrap_or([0, 1, 2]);
    let mut points: Vec<[f64; 3]> = Vec::new();
    let (mut n_repeated, mut first_repeated) = (0_usize, None);
    for line in rows {
        let point = point(&line, table, columns)?;
        match points.last() {
            Some(last) if last[0] == point[0] => {
                n_repeated += 1;
                first_repeated.get_or_insert(line.number);
            }
            Some(last) if last[0] > point[0] => {
                return Err(went_back(&line, last[0], point[0]).into());
            }
            _ => points.push(point),
        }
    }
    let mut notes = Vec::new();
    if n_repeated > 0 {
        notes.push(Note {
            kind: NoteKind::Repaired,
            line: first_repeated,
            text: format!("{n_repeated} points have the time of the point before and are left out"),
        });
    }
    Ok((Stroke::new(name, points)?, notes))
}

/// The table, with as many digits as bring every number back exactly.
pub fn write(stroke: &Stroke) -> Vec<u8> {
    let mut text = "t,x,y\n".to_owned();
    for [t, x, y] in stroke.points() {
        writeln!(text, "{t},{x},{y}").expect("a string takes every character");
    }
    text.into_bytes()
}

struct Line<'a> {
    /// Counted from 1.
    number: usize,
    text: &'a str,
}

/// How the rows are written.
#[derive(Debug, Clone, Copy)]
struct Table {
    between: char,
}

impl Table {
    fn of(row: &str) -> Self {
        let between = [';', '\t', ','].into_iter().find(|&c| row.contains(c));
        Self {
            between: between.unwrap_or(' '),
        }
    }

    /// The fields of a row, each with its column in characters, counted from 1.
    fn fields(self, row: &str) -> Vec<(usize, &str)> {
        let mut at = 1;
        let pieces = row.split(self.between).map(|field| {
            let start = at;
            at += field.chars().count() + 1;
            let blanks = field.chars().take_while(|c| c.is_whitespace()).count();
            (start + blanks, field.trim().trim_matches('"').trim())
        });
        // A row of words apart by blanks may have several of them in one place.
        let is_blank = self.between == ' ';
        pieces.filter(|(_, f)| !is_blank || !f.is_empty()).collect()
    }

    fn number(self, field: &str) -> Option<f64> {
        // With semicolons or tabs between numbers, a comma can only be a decimal one.
        if self.between != ',' && field.contains(',') && !field.contains('.') {
            return field.replace(',', ".").parse().ok();
        }
        field.parse().ok()
    }
}

/// Where t, x and y are, if the row is a header.
fn columns(line: &Line<'_>, table: Table) -> Result<Option<[usize; 3]>, SyntaxError> {
    let fields = table.fields(line.text);
    let is_number = |(_, field): &(usize, &str)| table.number(field).is_some();
    if fields.iter().any(is_number) {
        return Ok(None);
    }
    let mut found = [0; 3];
    for (place, names) in
        found
            .iter_mut()
            .zip([["t", "time", "secs", "seconds"].as_slice(), &["x"], &["y"]])
    {
        let is_named = |(_, field): &(usize, &str)| names.contains(&field.to_lowercase().as_str());
        let at = fields.iter().position(is_named);
        *place = at.ok_or_else(|| SyntaxError {
            line: line.number,
            column: 1,
            expected: format!("numbers, or a header with a column {}", names[0]),
            found: quoted(line.text),
        })?;
    }
    Ok(Some(found))
}

fn point(line: &Line<'_>, table: Table, columns: [usize; 3]) -> Result<[f64; 3], SyntaxError> {
    let fields = table.fields(line.text);
    let mut point = [0.0; 3];
    for ((value, column), what) in point.iter_mut().zip(columns).zip(["t", "x", "y"]) {
        let Some(&(at, field)) = fields.get(column) else {
            return Err(SyntaxError {
                line: line.number,
                column: line.text.chars().count() + 1,
                expected: format!("three numbers t, x and y; {what} is missing"),
                found: "the end of the line".to_owned(),
            });
        };
        let number = table.number(field).filter(|n| n.is_finite());
        *value = number.ok_or_else(|| SyntaxError {
            line: line.number,
            column: at,
            expected: format!("a finite number for {what}"),
            found: quoted(field),
        })?;
    }
    Ok(point)
}

fn went_back(line: &Line<'_>, before: f64, at: f64) -> SyntaxError {
    SyntaxError {
        line: line.number,
        column: 1,
        expected: format!("a time after {before}"),
        found: at.to_string(),
    }
}

/// Never longer than a line of a message: a hostile word may be megabytes.
fn quoted(text: &str) -> String {
    let short: String = text.chars().take(40).collect();
    format!("\"{}\"", short.escape_debug())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(text: &str) -> Vec<[f64; 3]> {
        read(text.as_bytes(), "s").unwrap().0.points().to_vec()
    }

    #[test]
    fn spellings_that_spreadsheets_and_scripts_use() {
        let wanted = [[0.0, 1.5, -2.0], [0.25, 2.5, 1e-3]];
        for text in [
            "t,x,y\n0,1.5,-2\n0.25,2.5,0.001\n",
            "0,1.5,-2\n0.25,2.5,1e-3",
            "\u{feff}t, x, y\r\n0, 1.5, -2\r\n\r\n0.25, 2.5, 0.001\r\n",
            "# by hand\nTime;X;Y\n0;1,5;-2\n0,25;2,5;0,001\n",
            "y\tpressure\tx\tt\n-2\t1\t1.5\t0\n0.001\t0.5\t2.5\t0.25\n",
            "\"t\",\"x\",\"y\"\n\"0\",\"1.5\",\"-2\"\n0.25,2.5,0.001\n",
            "0 1.5   -2\n0.25 2.5 0.001\n",
        ] {
            assert_eq!(points(text), wanted, "{text:?}");
        }
    }

    #[test]
    fn what_cannot_be_meant_is_refused_with_its_place() {
        for (text, words) in [
            ("", "needs two points at least, found 0"),
            ("t,x,y\n", "found 0"),
            ("t,x,y\n0,0,0\n", "found 1"),
            (
                "t,x\n0,0\n",
                "line 1, column 1: expected numbers, or a header with a column y",
            ),
            (
                "t,x,y\n0,0,0\n1,1\n",
                "line 3, column 4: expected three numbers t, x and y; y is missing",
            ),
            (
                "t,x,y\n0,0,0\n1,nan,1\n",
                "line 3, column 3: expected a finite number for x, found \"nan\"",
            ),
            (
                "0,0,0\n1, 1e999,1\n",
                "line 2, column 4: expected a finite number for x",
            ),
            (
                "0,0,0\n2,1,1\n1,1,1\n",
                "line 3, column 1: expected a time after 2, found 1",
            ),
            ("\u{0}\u{1}", "expected numbers"),
        ] {
            let error = read(text.as_bytes(), "s").unwrap_err().to_string();
            assert!(error.contains(words), "{text:?}: {error}");
        }
    }

    #[test]
    fn repeated_times_are_passed_over_and_told() {
        let (stroke, notes) = read(b"t,x,y\n0,0,0\n0,9,9\n0,8,8\n1,1,1\n", "s").unwrap();
        assert_eq!(stroke.n_points(), 2);
        let words: Vec<String> = notes.iter().map(ToString::to_string).collect();
        assert_eq!(
            words,
            ["line 3: 2 points have the time of the point before and are left out"]
        );
    }

    #[test]
    fn every_number_comes_back_exactly() {
        let points = vec![
            [0.1 + 0.2, 1.0 / 3.0, -1e-300],
            [1.0, f64::MAX / 4.0, 5e-324],
        ];
        let stroke = Stroke::new("s", points).unwrap();
        let (back, notes) = read(&write(&stroke), "s").unwrap();
        assert_eq!(back, stroke);
        assert!(notes.is_empty(), "{notes:?}");
    }
}
