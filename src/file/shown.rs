//! Pieces of files in sentences.

/// A piece of a file as it can be shown in a sentence: not too long, and nothing that is no text.
pub(super) fn shown(word: &[u8]) -> String {
    const LONGEST: usize = 40;
    // No character is longer than four bytes, so this is enough of a word that goes on for megabytes.
    let head = &word[..word.len().min(4 * LONGEST + 4)];
    let text = String::from_utf8_lossy(head);
    let mut chars = text.chars().map(|c| {
        if c.is_control() {
            char::REPLACEMENT_CHARACTER
        } else {
            c
        }
    });
    let mut short: String = chars.by_ref().take(LONGEST).collect();
    if chars.next().is_some() {
        short.push('\u{2026}');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_and_foreign_words_are_shown_short_and_readable() {
        assert_eq!(shown(&[b'x'; 40]), "x".repeat(40));
        let cut = shown(&vec![b'x'; 1_000_000]);
        assert_eq!(cut.strip_suffix('\u{2026}'), Some(&*"x".repeat(40)));
        assert_eq!(shown(b"\x89PNG\x1a"), "\u{fffd}PNG\u{fffd}");
        let umlauts = "\u{e4}".repeat(1000);
        assert_eq!(shown(umlauts.as_bytes()).chars().count(), 41);
    }
}
