//! Where lines end: at LF, at CR, or at both together.

/// How many lines end in this text; a CR and the LF behind it are one end.
pub(super) fn line_ends(text: &[u8]) -> usize {
    let Some((&last, before)) = text.split_last() else {
        return 0;
    };
    // Without branches, and in sums that fit a byte, the compiler looks at many bytes at once.
    let chunks = before.chunks(128).zip(text[1..].chunks(128));
    let inside = chunks.map(|(bytes, nexts)| {
        let is_end = |(&byte, &next): (&u8, &u8)| {
            let is_lone_return = u8::from(byte == b'\r') & u8::from(next != b'\n');
            u8::from(byte == b'\n') | is_lone_return
        };
        usize::from(bytes.iter().zip(nexts).map(is_end).sum::<u8>())
    });
    inside.sum::<usize>() + usize::from(is_line_end(last))
}

/// The end of a line, or half of it.
pub(super) const fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}
