//! Trajectories for keyframing: places of joints at frames, as a table `frame,joint,x,y,z`.
//!
//! The same layout as [`super::csv::positions`] writes, so that a table of positions, thinned out, is a trajectory.

use super::SyntaxError;
use super::table::{Columns, Row, Table};
use crate::motion::Vec3;

/// One row of a trajectory file.
#[derive(Debug, Clone, PartialEq)]
pub struct TrajectoryRow {
    /// Line of the file, from 1.
    pub line: usize,
    /// Counted from 0; may lie between two frames.
    pub frame: f64,
    /// A joint or `NAME_end`.
    pub joint: String,
    /// Position in world space.
    pub place: Vec3,
}

/// Reads a trajectory. Columns may come in any order, and others may stand between them.
pub fn parse(bytes: &[u8]) -> Result<Vec<TrajectoryRow>, SyntaxError> {
    let columns = Columns {
        names: &[&["frame"], &["joint"], &["x"], &["y"], &["z"]],
        n_needed: 5,
        needs_header: true,
    };
    let table = Table::parse(bytes, &columns)?;
    if table.rows.is_empty() {
        return Err(SyntaxError {
            line: 1,
            column: 1,
            expected: "at least one row".to_owned(),
            found: "none".to_owned(),
        });
    }
    table.rows.iter().map(place).collect()
}

fn place(row: &Row) -> Result<TrajectoryRow, SyntaxError> {
    let coordinate = |column| row.number(column, "a number");
    Ok(TrajectoryRow {
        line: row.line,
        frame: row.number(0, "the number of a frame")?,
        joint: row.word(1, "the name of a joint")?.to_owned(),
        place: Vec3::new(coordinate(2)?, coordinate(3)?, coordinate(4)?),
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
        assert_eq!(refused("").expected, "a header with frame, joint, x, y, z");
        assert_eq!(refused("frame,joint,x,y\n").line, 1);
        assert_eq!(refused("frame,joint,x,y,z\n").expected, "at least one row");
        let short = refused("frame,joint,x,y,z\n1,Hips,2,3\n");
        assert_eq!(
            (short.line, short.found.as_str()),
            (2, "the end of the line")
        );
        for bad in ["nan", "1e200", "x", ""] {
            let error = refused(&format!("frame,joint,x,y,z\n1,Hips,2,{bad},3\n"));
            assert_eq!(
                (error.line, error.column, error.expected.as_str()),
                (2, 10, "a number")
            );
        }
    }
}
