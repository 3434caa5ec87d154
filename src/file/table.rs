//! Tables in CSV (RFC 4180) whose columns are known by name.
//!
//! Reading takes what spreadsheets and scripts make of a table: columns in any order and more of them, no header,
//! semicolons, tabs or blanks between fields, decimal commas beside those, quotes, blank lines, comments with `#`,
//! carriage returns, a byte-order mark.

use std::borrow::Cow;

use csv::{ReaderBuilder, StringRecord};

use super::SyntaxError;
use super::shown::shown;

/// The columns that a table is read for.
pub(super) struct Columns<'a> {
    /// The names that each may have in the header; messages use the first one.
    pub(super) names: &'a [&'a [&'a str]],
    /// So many of the first must be there.
    pub(super) n_needed: usize,
    /// Without a header, where that is allowed, columns are in the order of `names`.
    pub(super) needs_header: bool,
}

/// The values of a table in the requested columns.
pub(super) struct Table {
    pub(super) rows: Vec<Row>,
}

/// One line that is not blank.
pub(super) struct Row {
    /// The line of the table, counted from 1.
    pub(super) line: usize,
    has_decimal_commas: bool,
    fields: Vec<Field>,
}

struct Field {
    /// The character at which it begins, counted from 1; quotes of earlier fields are not counted.
    column: usize,
    /// Without blanks around it; none where the line is too short.
    text: Option<String>,
}

impl Table {
    /// Reads a table. Its first line is a header unless a number stands in it.
    pub(super) fn parse(bytes: &[u8], columns: &Columns<'_>) -> Result<Self, SyntaxError> {
        let text = String::from_utf8_lossy(bytes);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let delimiter = delimiter_of(text);
        let mut records = Records::new(text, delimiter).peekable();
        let (line, first) = match records.peek() {
            Some(first) => first.clone(),
            None if columns.needs_header => (1, StringRecord::new()),
            None => return Ok(Self { rows: Vec::new() }),
        };
        let has_number = first
            .iter()
            .any(|f| number_in(f, delimiter != ',').is_some());
        let mut order: Vec<Option<usize>> = (0..columns.names.len()).map(Some).collect();
        if columns.needs_header || !has_number {
            records.next();
            order = columns.order(&first).ok_or_else(|| SyntaxError {
                line,
                column: 1,
                expected: columns.header(),
                found: beginning_of(&first),
            })?;
        }
        let rows = records.map(|(line, record)| Row::of(line, &record, &order, delimiter));
        Ok(Self {
            rows: rows.collect(),
        })
    }
}

impl Columns<'_> {
    /// Where each column is, if all that are needed are named in a header.
    fn order(&self, header: &StringRecord) -> Option<Vec<Option<usize>>> {
        let place = |names: &&[&str]| {
            let is_named = |word: &str| names.iter().any(|n| word.trim().eq_ignore_ascii_case(n));
            header.iter().position(is_named)
        };
        let order: Vec<Option<usize>> = self.names.iter().map(place).collect();
        let is_whole = order[..self.n_needed].iter().all(Option::is_some);
        is_whole.then_some(order)
    }

    fn header(&self) -> String {
        let names: Vec<&str> = self.names[..self.n_needed].iter().map(|n| n[0]).collect();
        let or = if self.needs_header {
            ""
        } else {
            ", or numbers without a header"
        };
        format!("a header with {}{or}", names.join(", "))
    }
}

impl Row {
    fn of(line: usize, record: &StringRecord, order: &[Option<usize>], delimiter: char) -> Self {
        let field = |at: &Option<usize>| {
            let raw = at.and_then(|at| Some((at, record.get(at)?)));
            Field {
                column: column_of(record, raw.map_or(record.len(), |(at, _)| at)),
                text: raw.map(|(_, text)| text.trim().to_owned()),
            }
        };
        Self {
            line,
            has_decimal_commas: delimiter != ',',
            fields: order.iter().map(field).collect(),
        }
    }

    /// The text in a column; empty where the line is too short.
    pub(super) fn text(&self, column: usize) -> &str {
        self.fields[column].text.as_deref().unwrap_or_default()
    }

    /// The text in a column that must not be empty.
    pub(super) fn word(&self, column: usize, expected: &str) -> Result<&str, SyntaxError> {
        match self.text(column) {
            "" => Err(self.wrong(column, expected)),
            word => Ok(word),
        }
    }

    /// The number in a column; its square is finite.
    pub(super) fn number(&self, column: usize, expected: &str) -> Result<f64, SyntaxError> {
        let value = number_in(self.text(column), self.has_decimal_commas);
        let value = value.filter(|v| (v * v).is_finite());
        value.ok_or_else(|| self.wrong(column, expected))
    }

    /// Says that a field is not what it should be.
    pub(super) fn wrong(&self, column: usize, expected: &str) -> SyntaxError {
        let field = &self.fields[column];
        SyntaxError {
            line: self.line,
            column: field.column,
            expected: expected.to_owned(),
            found: match field.text.as_deref() {
                None => "the end of the line".to_owned(),
                Some("") => "nothing".to_owned(),
                Some(text) => quoted(text),
            },
        }
    }
}

/// The records of a text, each with the line it begins in, counted from 1.
struct Records<'a> {
    text: &'a str,
    reader: csv::Reader<&'a [u8]>,
    /// Bytes whose line ends are counted, and how many there are.
    counted: (usize, usize),
    is_blank_delimited: bool,
}

impl<'a> Records<'a> {
    fn new(text: &'a str, delimiter: char) -> Self {
        let reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .comment(Some(b'#'))
            .delimiter(delimiter as u8)
            .from_reader(text.as_bytes());
        Self {
            text,
            reader,
            counted: (0, 0),
            is_blank_delimited: delimiter == ' ',
        }
    }

    /// The line in which the record that was just read begins. The reader itself counts blank lines and comments
    /// before a record to it.
    fn line_of(&mut self, record: &StringRecord) -> usize {
        let end = self.reader.position().byte() as usize;
        let end = self.text[..end].trim_end_matches(['\r', '\n']).len();
        let line_ends = |text: &str| text.bytes().filter(|b| *b == b'\n').count();
        let (from, n) = self.counted;
        self.counted = (end, n + line_ends(&self.text[from..end]));
        // A quote without an end takes the line ends at the end of the file with it.
        let inside = record.iter().map(line_ends).sum::<usize>();
        self.counted.1.saturating_sub(inside) + 1
    }
}

impl Iterator for Records<'_> {
    type Item = (usize, StringRecord);

    fn next(&mut self) -> Option<Self::Item> {
        let mut record = StringRecord::new();
        // The text is valid and rows may have any length: nothing can fail but the end.
        while self.reader.read_record(&mut record).is_ok_and(|more| more) {
            let line = self.line_of(&record);
            if self.is_blank_delimited {
                record = record.iter().filter(|f| !f.is_empty()).collect();
            }
            if record.iter().any(|f| !f.trim().is_empty()) {
                return Some((line, record));
            }
        }
        None
    }
}

/// What stands between the fields, by the first line that says something.
fn delimiter_of(text: &str) -> char {
    let mut lines = text.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
    let first = first.unwrap_or_default();
    let found = [';', '\t', ','].into_iter().find(|&c| first.contains(c));
    found.unwrap_or(' ')
}

/// With semicolons, tabs or blanks between numbers, a comma can only be a decimal one.
fn number_in(field: &str, has_decimal_commas: bool) -> Option<f64> {
    let field = field.trim();
    let field = if has_decimal_commas && !field.contains('.') {
        Cow::Owned(field.replace(',', "."))
    } else {
        Cow::Borrowed(field)
    };
    field.parse().ok()
}

/// The character at which a field begins, or the one after the last.
fn column_of(record: &StringRecord, field: usize) -> usize {
    let before: usize = record
        .iter()
        .take(field)
        .map(|f| f.chars().count() + 1)
        .sum();
    match record.get(field) {
        Some(text) => before + text.chars().take_while(|c| c.is_whitespace()).count() + 1,
        None => before.max(1),
    }
}

fn beginning_of(record: &StringRecord) -> String {
    if record.is_empty() {
        return "nothing".to_owned();
    }
    quoted(&record.iter().collect::<Vec<_>>().join(","))
}

/// The beginning of what was found, for messages: a hostile word may be megabytes.
fn quoted(text: &str) -> String {
    format!("\"{}\"", shown(text.as_bytes()))
}
