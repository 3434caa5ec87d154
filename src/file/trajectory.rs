//! Trajectories for keyframing: places of joints at frames, as a table `frame,joint,x,y,z`.
//!
//! The same layout as [`super::csv::positions`] writes, so that a table of positions, thinned out, is a trajectory.

use super::table::{fields, quoted};
use crate::motion::Vec3;

/// One row.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// Line of the file, from 1.
    pub line: usize,
    /// Counted from 0; may lie between two frames.
    pub frame: f64,
    /// A joint or `NAME_end`.
    pub joint: String,
    /// In the world.
    pub place: Vec3,
}

/// A table that is no trajectory.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: expected {expected}, found {found}")]
pub struct TrajectoryError {
    /// From 1.
    pub line: usize,
    /// From 1, in bytes.
    pub column: usize,
    /// What would be right.
    pub expected: &'static str,
    /// What is there.
    pub found: String,
}

const COLUMNS: [&str; 5] = ["frame", "joint", "x", "y", "z"];

/// Reads a trajectory. Columns may come in any order, and others may stand between them; a byte-order mark, blank lines
/// and carriage returns do no harm.
pub fn parse(bytes: &[u8]) -> Result<Vec<Place>, TrajectoryError> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut lines = text.lines().enumerate().map(|(i, line)| (i + 1, line));
    let header = lines.find(|(_, line)| !line.trim().is_empty());
    let (number, header) = header.unwrap_or((1, ""));
    let names = fields(header);
    let mut order = [0; 5];
    for (at, wanted) in order.iter_mut().zip(COLUMNS) {
        let found = names
            .iter()
            .position(|(_, name)| name.trim().eq_ignore_ascii_case(wanted));
        *at = found.ok_or_else(|| TrajectoryError {
            line: number,
            column: 1,
            expected: "a header with frame, joint, x, y and z",
            found: quoted(header),
        })?;
    }
    let rows = lines.filter(|(_, line)| !line.trim().is_empty());
    let places: Result<Vec<Place>, _> = rows.map(|(line, text)| row(line, text, order)).collect();
    let places = places?;
    if places.is_empty() {
        return Err(TrajectoryError {
            line: number,
            column: 1,
            expected: "at least one row",
            found: "none".to_owned(),
        });
    }
    Ok(places)
}

fn row(line: usize, text: &str, order: [usize; 5]) -> Result<Place, TrajectoryError> {
    let fields = fields(text);
    let field = |column: usize| {
        fields.get(order[column]).ok_or_else(|| TrajectoryError {
            line,
            column: text.len() + 1,
            expected: COLUMNS[column],
            found: "the end of the line".to_owned(),
        })
    };
    let number = |column: usize| {
        let (at, text) = field(column)?;
        let value = text.trim().parse::<f64>().ok();
        // Squares are taken of all of these.
        value
            .filter(|v| (v * v).is_finite())
            .ok_or_else(|| TrajectoryError {
                line,
                column: at + 1,
                expected: "a number",
                found: quoted(text),
            })
    };
    let frame = number(0)?;
    let joint = field(1)?.1.trim().to_owned();
    Ok(Place {
        line,
        frame,
        joint,
        place: Vec3::new(number(2)?, number(3)?, number(4)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_in_any_column_order_with_quoted_names() {
        let text = "\u{feff}joint,frame,x,y,z,note\r\n\"a,\"\"b\"\"\",3,1,2,-3e-1,hello\r\n\r\nHips, 4.5 ,0,0,0,\r\n";
        let places = parse(text.as_bytes()).unwrap();
        assert_eq!(places.len(), 2);
        assert_eq!(places[0].joint, "a,\"b\"");
        assert_eq!(places[0].place, Vec3::new(1.0, 2.0, -0.3));
        assert_eq!((places[1].frame, places[1].line), (4.5, 4));
    }

    #[test]
    fn every_refusal_says_where() {
        let refused = |text: &str| parse(text.as_bytes()).unwrap_err();
        assert_eq!(
            refused("").expected,
            "a header with frame, joint, x, y and z"
        );
        assert_eq!(refused("frame,joint,x,y\n").line, 1);
        assert_eq!(refused("frame,joint,x,y,z\n").expected, "at least one row");
        let short = refused("frame,joint,x,y,z\n1,Hips,2,3\n");
        assert_eq!((short.line, short.expected), (2, "z"));
        for bad in ["nan", "1e200", "x", ""] {
            let error = refused(&format!("frame,joint,x,y,z\n1,Hips,2,{bad},3\n"));
            assert_eq!(
                (error.line, error.column, error.expected),
                (2, 10, "a number")
            );
        }
    }
}
