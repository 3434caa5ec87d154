//! Tables that go with motion textures: labels of clips, paths on the floor, steering.

use super::SyntaxError;
use super::table::{Columns, Row, Table};

/// What a table calls one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelRow {
    /// The line of the table, counted from 1.
    pub line: usize,
    /// Relative to the table.
    pub file: String,
    /// The action, such as "walk".
    pub label: String,
}

/// A point of a path.
#[derive(Debug, Clone, PartialEq)]
pub struct PathRow {
    /// The line of the table, counted from 1.
    pub line: usize,
    /// Units of the clips.
    pub x: f64,
    /// Units of the clips.
    pub z: f64,
    /// What to do from here on.
    pub action: Option<String>,
}

/// Where to go from a moment on.
#[derive(Debug, Clone, PartialEq)]
pub struct SteerRow {
    /// The line of the table, counted from 1.
    pub line: usize,
    /// Not before the row before.
    pub secs: f64,
    /// Degrees; 0 is forward.
    pub heading_deg: f64,
    /// Units of the clips a second; none leaves it to the action.
    pub speed: Option<f64>,
    /// None leaves it as it is.
    pub action: Option<String>,
}

/// Reads the columns `file` and `label`; others are passed over. Rows that lack one are told by themselves, so that the
/// rest can be used.
pub fn labels(bytes: &[u8]) -> Result<Vec<Result<LabelRow, SyntaxError>>, SyntaxError> {
    let table = Table::parse(
        bytes,
        &Columns {
            names: &[&["file"], &["label"]],
            n_needed: 2,
            needs_header: true,
        },
    )?;
    let rows = table.rows.iter().map(|row| {
        Ok(LabelRow {
            line: row.line,
            file: row.word(0, "the name of a file")?.to_owned(),
            label: row.word(1, "a label")?.to_owned(),
        })
    });
    Ok(rows.collect())
}

/// Reads `x,z` and an optional column `action`; the header may be left out.
pub fn path(bytes: &[u8]) -> Result<Vec<PathRow>, SyntaxError> {
    let table = Table::parse(
        bytes,
        &Columns {
            names: &[&["x"], &["z"], &["action"]],
            n_needed: 2,
            needs_header: false,
        },
    )?;
    let rows = table.rows.iter().map(|row| {
        Ok(PathRow {
            line: row.line,
            x: row.number(0, "a number for x")?,
            z: row.number(1, "a number for z")?,
            action: action(row, 2),
        })
    });
    rows.collect()
}

/// Reads `time,heading,speed,action`; speed and action may be empty, and the header may be left out.
pub fn steering(bytes: &[u8]) -> Result<Vec<SteerRow>, SyntaxError> {
    let columns = Columns {
        names: &[&["time"], &["heading"], &["speed"], &["action"]],
        n_needed: 2,
        needs_header: false,
    };
    let table = Table::parse(bytes, &columns)?;
    let mut before = 0.0;
    let rows = table.rows.iter().map(|row| {
        let secs = row.number(0, "seconds")?;
        if secs < before {
            let expected = format!("a time of at least {before} s, in order");
            return Err(row.wrong(0, &expected));
        }
        before = secs;
        let speed = match row.text(2) {
            "" => None,
            _ => Some(row.number(2, "a speed or nothing")?),
        };
        if speed.is_some_and(|s| s < 0.0) {
            return Err(row.wrong(2, "a speed of at least 0"));
        }
        Ok(SteerRow {
            line: row.line,
            secs,
            heading_deg: row.number(1, "a heading in degrees")?,
            speed,
            action: action(row, 3),
        })
    });
    let rows: Vec<SteerRow> = rows.collect::<Result<_, _>>()?;
    if rows.is_empty() {
        return Err(SyntaxError {
            line: 1,
            column: 1,
            expected: "at least one row time,heading,speed,action".to_owned(),
            found: "none".to_owned(),
        });
    }
    Ok(rows)
}

fn action(row: &Row, column: usize) -> Option<String> {
    let word = row.text(column);
    (!word.is_empty()).then(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_found_by_their_columns() {
        let text = "\u{feff}label,seconds,File\r\n\"walk, slow\",3,\"a b.bvh\"\r\n\r\nrun,2\r\n,2,c.bvh\r\nrun,1,d.bvh";
        let rows = labels(text.as_bytes()).unwrap();
        let first = rows[0].as_ref().unwrap();
        assert_eq!((&*first.file, &*first.label), ("a b.bvh", "walk, slow"));
        let short = rows[1].as_ref().unwrap_err();
        let words = (short.line, short.column, short.expected.as_str());
        assert_eq!(words, (4, 6, "the name of a file"));
        let unnamed = rows[2].as_ref().unwrap_err();
        assert_eq!((unnamed.line, unnamed.expected.as_str()), (5, "a label"));
        assert_eq!(rows[3].as_ref().unwrap().line, 6, "the rest is there");
        let error = labels(b"walk,a.bvh\n").unwrap_err().to_string();
        assert!(error.contains("a header with file, label"), "{error}");
        assert!(labels(b"").unwrap_err().found == "nothing");
    }

    #[test]
    fn a_path_needs_no_header_and_may_name_actions() {
        let plain = path(b"0,0\n 1.5 ,-2e1,run\n\n3,4,\n").unwrap();
        assert_eq!(plain.len(), 3);
        assert_eq!((plain[1].x, plain[1].z), (1.5, -20.0));
        assert_eq!(plain[1].action.as_deref(), Some("run"));
        assert_eq!((plain[2].line, &plain[2].action), (4, &None));
        let named = path(b"Action,Z,X\nwalk,2,1\n").unwrap();
        assert_eq!((named[0].x, named[0].z), (1.0, 2.0));
        assert_eq!(named[0].action.as_deref(), Some("walk"));
        assert_eq!(path(b"x,z\n").unwrap(), []);
        for (text, line, column) in [
            ("0,0\n1\n", 2, 2),
            ("0,0\n1,z\n", 2, 3),
            ("x,z\nnan,1\n", 2, 1),
            ("0,1e300\n", 1, 3),
            ("a,b\n1,2\n", 1, 1),
        ] {
            let error = path(text.as_bytes()).unwrap_err();
            assert_eq!((error.line, error.column), (line, column), "{text}");
        }
    }

    #[test]
    fn steering_leaves_out_what_does_not_matter() {
        let rows = steering(b"time,heading,speed,action\n0,0,,walk\n2.5,-90,120\n3,180\n").unwrap();
        assert_eq!((rows[0].speed, rows[1].speed), (None, Some(120.0)));
        assert_eq!(rows[0].action.as_deref(), Some("walk"));
        assert_eq!((rows[1].heading_deg, &rows[1].action), (-90.0, &None));
        assert_eq!((rows[2].secs, rows[2].speed), (3.0, None));
        for (text, words) in [
            ("", "at least one row"),
            ("when\n", "a header with time, heading"),
            ("time,heading\n", "at least one row"),
            ("1,0\n0.5,0\n", "at least 1 s"),
            ("-1,0\n", "at least 0 s"),
            ("0,north\n", "a heading in degrees, found \"north\""),
            (
                "0,0,fast\n",
                "line 1, column 5: expected a speed or nothing",
            ),
            ("0,0,-1\n", "a speed of at least 0"),
        ] {
            let error = steering(text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
