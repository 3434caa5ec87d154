//! Bytes inside a text file: RFC 4648 with padding.

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// No sextet: the letter is not in the alphabet.
const NONE: u8 = 64;

const SEXTETS: [u8; 256] = {
    let mut sextets = [NONE; 256];
    let mut at = 0;
    while at < LETTERS.len() {
        sextets[LETTERS[at] as usize] = at as u8;
        at += 1;
    }
    sextets
};

/// The text is not base64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Base64Error {
    /// Letters come in fours.
    #[error("base64 text comes in groups of four characters, found {0} characters")]
    Length(usize),
    /// A letter is not in the alphabet, padding is not at the end, or bits behind the last byte are set.
    #[error("character {0} is not valid there in base64")]
    Letter(usize),
}

/// Appends the letters of some bytes.
pub(super) fn encode(bytes: &[u8], text: &mut String) {
    text.reserve(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let mut bits = 0_u32;
        for at in 0..3 {
            bits = bits << 8 | u32::from(three.get(at).copied().unwrap_or(0));
        }
        for letter in 0..4 {
            let sextet = bits >> (18 - 6 * letter) & 63;
            let padding = letter > three.len();
            text.push(if padding {
                '='
            } else {
                char::from(LETTERS[sextet as usize])
            });
        }
    }
}

/// The bytes of a text. Strict, so that one value has one text: no blanks, no missing padding.
pub(super) fn decode(text: &str) -> Result<Vec<u8>, Base64Error> {
    let letters = text.as_bytes();
    if !letters.len().is_multiple_of(4) {
        return Err(Base64Error::Length(letters.len()));
    }
    let mut bytes = Vec::with_capacity(letters.len() / 4 * 3);
    for (at, four) in letters.chunks_exact(4).enumerate() {
        let is_last = 4 * (at + 1) == letters.len();
        let padding = match four {
            [_, _, b'=', b'='] if is_last => 2,
            [_, _, _, b'='] if is_last => 1,
            _ => 0,
        };
        let mut bits = 0_u32;
        for (place, letter) in four.iter().enumerate() {
            let sextet = match place {
                _ if place >= 4 - padding => 0,
                _ => SEXTETS[usize::from(*letter)],
            };
            if sextet == NONE {
                return Err(Base64Error::Letter(4 * at + place));
            }
            bits = bits << 6 | u32::from(sextet);
        }
        let [_, three @ ..] = bits.to_be_bytes();
        let (kept, spare) = three.split_at(3 - padding);
        if spare.iter().any(|&byte| byte != 0) {
            return Err(Base64Error::Letter(4 * at + 3 - padding));
        }
        bytes.extend_from_slice(kept);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_standard() {
        for (bytes, expected) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            let mut text = String::new();
            encode(bytes.as_bytes(), &mut text);
            assert_eq!(text, expected);
            assert_eq!(decode(&text).unwrap(), bytes.as_bytes());
        }
    }

    #[test]
    fn all_bytes_come_back() {
        let bytes: Vec<u8> = (0..=255).collect();
        for length in 250..=256 {
            let mut text = String::new();
            encode(&bytes[..length], &mut text);
            assert_eq!(decode(&text).unwrap(), &bytes[..length]);
        }
    }

    #[test]
    fn every_refusal() {
        for (text, error) in [
            ("Zg=", Base64Error::Length(3)),
            ("Zm9v!m9v", Base64Error::Letter(4)),
            ("Zm 9", Base64Error::Letter(2)),
            ("Zg==Zm9v", Base64Error::Letter(2)),
            ("Z===", Base64Error::Letter(1)),
            ("Zm=v", Base64Error::Letter(2)),
            ("Zh==", Base64Error::Letter(1)),
            ("Zm9=", Base64Error::Letter(2)),
            ("Zmé", Base64Error::Letter(2)),
        ] {
            assert_eq!(decode(text), Err(error), "{text}");
        }
    }
}
