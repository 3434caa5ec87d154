//! Which bytes are the text: byte-order marks and UTF-16.

use std::borrow::Cow;

use super::notes::{Notes, Quirk};

/// The text in an encoding that keeps ASCII as it is; borrowed unless the file is UTF-16.
pub(super) fn decode<'a>(bytes: &'a [u8], notes: &mut Notes) -> Cow<'a, [u8]> {
    type Unit = fn([u8; 2]) -> u16;
    let (rest, unit): (&[u8], Unit) = match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => return Cow::Borrowed(rest),
        [0xff, 0xfe, rest @ ..] => (rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => (rest, u16::from_be_bytes),
        // Without a mark, the first letter of HIERARCHY decides.
        [b'H' | b'h', 0, ..] => (bytes, u16::from_le_bytes),
        [0, b'H' | b'h', ..] => (bytes, u16::from_be_bytes),
        _ => return Cow::Borrowed(bytes),
    };
    notes.see(Quirk::Utf16, 0);
    let (pairs, _half_a_character) = rest.as_chunks::<2>();
    let text: String = char::decode_utf16(pairs.iter().map(|&pair| unit(pair)))
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    Cow::Owned(text.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_taken_off_and_utf_16_is_decoded() {
        let decoded = |bytes: &[u8]| {
            let mut notes = Notes::default();
            let text = decode(bytes, &mut notes).into_owned();
            (String::from_utf8(text).unwrap(), notes.finish(b"").len())
        };
        assert_eq!(decoded(b"\xef\xbb\xbfHI"), ("HI".to_owned(), 0));
        assert_eq!(decoded(b"\xff\xfeH\0\xe4\0"), ("H\u{e4}".to_owned(), 1));
        assert_eq!(decoded(b"\xfe\xff\0H\0\xe4"), ("H\u{e4}".to_owned(), 1));
        assert_eq!(decoded(b"h\0i\0"), ("hi".to_owned(), 1));
        assert_eq!(decoded(b"\0h\0i\0"), ("hi".to_owned(), 1));
        let lone_surrogate = decoded(b"\xff\xfe\0\xd8A\0").0;
        assert_eq!(lone_surrogate, "\u{fffd}A");
        assert_eq!(decoded(b""), (String::new(), 0));
    }
}
