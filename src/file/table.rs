//! Lines of a table in CSV (RFC 4180), and columns by their names.

use super::SyntaxError;

/// The fields of a line with the byte at which each begins, quoted ones without their quotes (RFC 4180).
pub(super) fn fields(line: &str) -> Vec<(usize, String)> {
    let mut fields = vec![(0, String::new())];
    let mut is_quoted = false;
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let (_, field) = fields.last_mut().expect("there is always one field");
        match c {
            '"' if is_quoted && chars.peek().is_some_and(|(_, next)| *next == '"') => {
                chars.next();
                field.push('"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push((at + 1, String::new())),
            _ => field.push(c),
        }
    }
    fields
}

/// The beginning of what was found, for messages.
pub(super) fn quoted(text: &str) -> String {
    const MOST: usize = 40;
    let short: String = text.chars().take(MOST).collect();
    format!("\"{short}\"")
}

/// A table whose columns are known by name; they may come in any order, and others may stand between them.
pub(super) struct Table {
    pub(super) rows: Vec<Row>,
}

/// One line that is not blank, with the fields that were asked for.
pub(super) struct Row {
    /// Counted from 1.
    pub(super) line: usize,
    /// For each column the byte at which its field begins, counted from 1, and its text without blanks around it; empty
    /// where the line is too short.
    fields: Vec<(usize, String)>,
}

impl Table {
    /// Reads a table. The first `n_needed` columns must be in its header. Without a header, where that is allowed, the
    /// columns are in the order of their names; a header is a first line that does not begin with a number. A byte-order
    /// mark, blank lines and carriage returns do no harm.
    pub(super) fn parse(
        bytes: &[u8],
        names: &[&str],
        n_needed: usize,
        needs_header: bool,
    ) -> Result<Self, SyntaxError> {
        let text = String::from_utf8_lossy(bytes);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line));
        let mut lines = lines.filter(|(_, line)| !line.trim().is_empty()).peekable();
        let &(line, first) = lines.peek().unwrap_or(&(1, ""));
        let begins = fields(first)[0].1.trim().parse::<f64>();
        let mut order: Vec<Option<usize>> = (0..names.len()).map(Some).collect();
        if needs_header || begins.is_err() {
            lines.next();
            let found = fields(first);
            let place = |name: &&str| {
                let mut found = found.iter();
                found.position(|(_, word)| word.trim().eq_ignore_ascii_case(name))
            };
            order = names.iter().map(place).collect();
            if order[..n_needed].iter().any(Option::is_none) {
                let wanted = names[..n_needed].join(", ");
                let header = if needs_header {
                    ""
                } else {
                    ", or numbers without a header"
                };
                return Err(SyntaxError {
                    line,
                    column: 1,
                    expected: format!("a header with {wanted}{header}"),
                    found: if first.is_empty() {
                        "nothing".to_owned()
                    } else {
                        quoted(first)
                    },
                });
            }
        }
        let rows = lines.map(|(line, text)| Row::of(line, text, &order));
        Ok(Self {
            rows: rows.collect(),
        })
    }
}

impl Row {
    fn of(line: usize, text: &str, order: &[Option<usize>]) -> Self {
        let all = fields(text);
        let field = |at: &Option<usize>| match at.and_then(|at| all.get(at)) {
            Some((byte, word)) => (byte + 1, word.trim().to_owned()),
            None => (text.len() + 1, String::new()),
        };
        Self {
            line,
            fields: order.iter().map(field).collect(),
        }
    }

    /// The text in a column.
    pub(super) fn text(&self, column: usize) -> &str {
        &self.fields[column].1
    }

    /// The text in a column that must not be empty.
    pub(super) fn word(&self, column: usize, expected: &str) -> Result<&str, SyntaxError> {
        match self.text(column) {
            "" => Err(self.wrong(column, expected)),
            word => Ok(word),
        }
    }

    /// The number in a column.
    pub(super) fn number(&self, column: usize, expected: &str) -> Result<f64, SyntaxError> {
        let value = self.text(column).parse::<f64>().ok();
        // Squares are taken of all of these.
        let value = value.filter(|v| (v * v).is_finite());
        value.ok_or_else(|| self.wrong(column, expected))
    }

    /// Says that a field is not what it should be.
    pub(super) fn wrong(&self, column: usize, expected: &str) -> SyntaxError {
        let (at, word) = &self.fields[column];
        SyntaxError {
            line: self.line,
            column: *at,
            expected: expected.to_owned(),
            found: if word.is_empty() {
                "nothing".to_owned()
            } else {
                quoted(word)
            },
        }
    }
}
