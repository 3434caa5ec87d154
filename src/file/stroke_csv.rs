//! Strokes as tables: `t,x,y`, one row for each point, seconds first.
//!
//! Rows that repeat the time of the row before (a mouse reports in whole milliseconds) are passed over, and a note says
//! so.

use std::fmt::Write as _;
use std::path::Path;

use super::open::bytes_of;
use super::table::{Columns, Row, Table};
use super::{ReadError, SyntaxError};
use crate::motion::stroke::Stroke;
use crate::motion::{Note, NoteKind};

/// Reads a file; the stroke is called like it.
pub fn read_file(path: &Path) -> Result<(Stroke, Vec<Note>), ReadError> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    read(&bytes_of(path)?, &name)
}

/// Whether a file begins with the header `t,x,y`; only its first bytes are read.
pub fn is_stroke_file(path: &Path) -> bool {
    use std::io::Read as _;
    let mut start = Vec::new();
    // Opening a pipe of that name waits for somebody at its other end.
    if !path.is_file() {
        return false;
    }
    let read = std::fs::File::open(path).and_then(|file| file.take(64).read_to_end(&mut start));
    let text = String::from_utf8_lossy(&start);
    let line = text.trim_start_matches('\u{feff}').lines().next();
    let names: String = line
        .unwrap_or_default()
        .chars()
        .filter(|c| !c.is_whitespace() && *c != '"')
        .collect();
    read.is_ok() && ["t,x,y", "t;x;y"].contains(&names.to_lowercase().as_str())
}

/// Reads a stroke, and what should be known about it.
pub fn read(bytes: &[u8], name: &str) -> Result<(Stroke, Vec<Note>), ReadError> {
    let columns = Columns {
        names: &[&["t", "time", "secs", "seconds"], &["x"], &["y"]],
        n_needed: 3,
        needs_header: false,
    };
    let table = Table::parse(bytes, &columns)?;
    let mut points: Vec<[f64; 3]> = Vec::new();
    let (mut n_repeated, mut first_repeated) = (0_usize, None);
    for row in &table.rows {
        let point = point(row)?;
        match points.last() {
            Some(last) if last[0] == point[0] => {
                n_repeated += 1;
                first_repeated.get_or_insert(row.line);
            }
            Some(last) if last[0] > point[0] => {
                let expected = format!("a time after {}", last[0]);
                return Err(row.wrong(0, &expected).into());
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

fn point(row: &Row) -> Result<[f64; 3], SyntaxError> {
    Ok([
        row.number(0, "a finite number for t")?,
        row.number(1, "a finite number for x")?,
        row.number(2, "a finite number for y")?,
    ])
}

/// The table, with as many digits as bring every number back exactly.
pub fn write(stroke: &Stroke) -> Vec<u8> {
    let mut text = "t,x,y\n".to_owned();
    for [t, x, y] in stroke.points() {
        writeln!(text, "{t},{x},{y}").expect("a string takes every character");
    }
    text.into_bytes()
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
                "line 1, column 1: expected a header with t, x, y, or numbers without a header",
            ),
            (
                "t,x,y\n0,0,0\n1,1\n",
                "line 3, column 4: expected a finite number for y, found the end of the line",
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
                "line 3, column 1: expected a time after 2, found \"1\"",
            ),
            ("\u{0}\u{1}", "expected a header"),
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
        let points = vec![[0.1 + 0.2, 1.0 / 3.0, -1e-300], [1.0, 1e150 / 3.0, 5e-324]];
        let stroke = Stroke::new("s", points).unwrap();
        let (back, notes) = read(&write(&stroke), "s").unwrap();
        assert_eq!(back, stroke);
        assert!(notes.is_empty(), "{notes:?}");
    }
}
