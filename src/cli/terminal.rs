//! What reaches the terminal: results on standard output, messages on standard error.
//!
//! Names come from files and may hold anything, also bytes that move the cursor, recolour the screen or type commands
//! into it. They are shown, not obeyed.

use std::borrow::Cow;
use std::io::{ErrorKind, IsTerminal as _, Write as _};

/// The text without what a terminal would obey; line ends and tabs stay.
pub(super) fn harmless(text: &str) -> Cow<'_, str> {
    let is_obeyed = |c: char| (c.is_control() && c != '\n' && c != '\t') || is_direction(c);
    if text.contains(is_obeyed) {
        let replaced = |c| match c {
            c if is_obeyed(c) => char::REPLACEMENT_CHARACTER,
            c => c,
        };
        Cow::Owned(text.chars().map(replaced).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// Signs that turn the direction of the text after them, by which a name can pose as another.
fn is_direction(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// One line on standard error.
pub(super) fn tell(line: &str) {
    eprintln!("{}", harmless(line));
}

/// Prints results: harmless on a terminal, to the byte in a pipe. A reader that has seen enough (`kinfolk info ... |
/// head`) is no error.
pub(super) fn print(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout();
    let text = if out.is_terminal() {
        harmless(text)
    } else {
        Cow::Borrowed(text)
    };
    match out.write_all(text.as_bytes()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Prints the one JSON object of `--json`.
pub(super) fn print_json(value: &serde_json::Value) -> std::io::Result<()> {
    print(&format!("{value:#}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_name_is_obeyed() {
        let hostile = "a\x1b[2Jb\u{9b}31mc\u{202e}d\r\x07";
        let shown = harmless(hostile);
        assert_eq!(shown, "a\u{fffd}[2Jb\u{fffd}31mc\u{fffd}d\u{fffd}\u{fffd}");
        let plain = "line 3:\tFüße 歩く\n";
        assert!(matches!(harmless(plain), Cow::Borrowed(text) if text == plain));
    }
}
