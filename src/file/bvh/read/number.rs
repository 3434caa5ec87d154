//! Decimal numbers, correctly rounded and fast.
//!
//! Nearly all numbers of a BVH file look like `-12.3456`: up to seven digits on either side of the point. Their digits
//! fit a 53-bit mantissa and the power of ten is exact, so one division gives the nearest double (Clinger 1990). The
//! digits are counted and added up eight at a time in one register, without a branch on how many there are. Everything
//! else goes to `fast_float2`, which rounds correctly too.

const POWERS_OF_TEN: [u64; 8] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];

/// The same to divide by, for numbers without and with a minus sign.
const DIVISORS: [[f64; 8]; 2] = [
    [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7],
    [-1.0, -1e1, -1e2, -1e3, -1e4, -1e5, -1e6, -1e7],
];

/// The finite number that begins at `at`, and where it ends; `None` if none begins there. Whether it is followed by a
/// blank is for the caller to judge.
#[expect(clippy::inline_always, reason = "as for its fast half")]
#[inline(always)]
pub(super) fn scan(bytes: &[u8], at: usize) -> Option<(f64, usize)> {
    short(bytes, at).or_else(|| any(bytes, at))
}

/// Up to seven digits before the point and up to seven behind it, not at the end of the file.
#[expect(
    clippy::inline_always,
    reason = "called for every number; results that go through memory took a third of the reading time"
)]
#[inline(always)]
fn short(bytes: &[u8], at: usize) -> Option<(f64, usize)> {
    let window = bytes.get(at..)?.first_chunk::<16>()?;
    let (first, second) = (eight(window, 0)?, eight(window, 8)?);
    let is_negative = window[0] == b'-';
    // Where the next number begins is all that the next number waits for, so it is found first and in few steps.
    let others = not_digits(first) & !(u64::from(is_negative) << 7);
    let point = (others.trailing_zeros() / 8) as usize;
    if point > 7 {
        return None;
    }
    let n_whole = point - usize::from(is_negative);
    let (n_fraction, end) = if window[point] == b'.' {
        let behind = others & (others - 1);
        // Numbers end in either half as often, so a branch would be guessed wrong: the second half counts only if there
        // is nothing in the first.
        let beyond = u32::from(behind == 0).wrapping_neg();
        let end_bit = behind.trailing_zeros() + (not_digits(second).trailing_zeros() & beyond);
        let end = (end_bit / 8) as usize;
        (end - point - 1, end)
    } else {
        (0, point)
    };
    if n_whole + n_fraction == 0 || n_fraction > 7 || end > 15 || window[end] | 0x20 == b'e' {
        return None;
    }
    let whole = first >> (8 * u32::from(is_negative));
    let fraction = eight(window, point + 1)?;
    let mantissa =
        digits(whole, n_whole) * POWERS_OF_TEN[n_fraction] + digits(fraction, n_fraction);
    // Fourteen digits fit a signed integer, which processors convert faster.
    let mantissa = mantissa.cast_signed() as f64;
    let value = mantissa / DIVISORS[usize::from(is_negative)][n_fraction];
    Some((value, at + end))
}

/// Eight bytes in a register, the first one lowest.
#[inline]
fn eight(window: &[u8; 16], from: usize) -> Option<u64> {
    let bytes = window.get(from..)?.first_chunk()?;
    Some(u64::from_le_bytes(*bytes))
}

/// The high bit of every byte that is no digit. Behind a byte that is not ASCII it may be set too often.
#[inline]
fn not_digits(text: u64) -> u64 {
    let values = text ^ 0x3030_3030_3030_3030;
    (values.wrapping_add(0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080
}

/// The number that the first `n` digits make, `n` at most 7; the first one is in the lowest byte.
#[inline]
fn digits(text: u64, n: usize) -> u64 {
    let values = text ^ 0x3030_3030_3030_3030;
    // Digits move to the end, leading zeros come in. In two halves, because a shift by 64 is none.
    let half = 32 - 4 * n as u32;
    let single = (values << half) << half;
    let pairs = (single.wrapping_mul(10 * 256 + 1) >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs.wrapping_mul(100 * 65_536 + 1) >> 16) & 0x0000_ffff_0000_ffff;
    fours.wrapping_mul(10_000 * 4_294_967_296 + 1) >> 32
}

/// Any decimal number: exponents, many digits, the last ones of a file.
#[cold]
fn any(bytes: &[u8], at: usize) -> Option<(f64, usize)> {
    let rest = &bytes[at..];
    let unsigned = &rest[usize::from(matches!(rest, [b'+' | b'-', ..]))..];
    // Words such as inf and nan are numbers to the library.
    let begins = matches!(unsigned, [b'0'..=b'9', ..] | [b'.', b'0'..=b'9', ..]);
    if !begins {
        return None;
    }
    let (value, length): (f64, usize) = fast_float2::parse_partial(rest).ok()?;
    value.is_finite().then_some((value, at + length))
}

/// What is said in place of a number that is infinite, too large or none at all.
pub(super) const FINITE: &str = "a finite number";

/// The message when this word stands in the place of a number.
#[cold]
pub(super) fn what_was_expected(word: &[u8]) -> &'static str {
    let letters = word.iter().filter(|b| b.is_ascii_alphabetic());
    let name: Vec<u8> = letters.take(3).map(u8::to_ascii_lowercase).collect();
    let digits = word.iter().filter(|b| b.is_ascii_digit()).count();
    // Windows writes -1.#IND and 1.#QNAN.
    if name == b"nan" || name == b"inf" || (word.contains(&b'#') && digits > 0) {
        return FINITE;
    }
    if digits > 0 && word.contains(&b',') {
        return "a number with a decimal point, and no commas";
    }
    let is_too_large =
        fast_float2::parse::<f64, _>(word).is_ok_and(|value| digits > 0 && value.is_infinite());
    if is_too_large { FINITE } else { "a number" }
}

/// How many digits follow the point. An exponent counts as many: such a number is long enough to be whole.
pub(super) fn n_decimals(word: &[u8]) -> usize {
    if word.iter().any(|b| matches!(b, b'e' | b'E')) {
        return usize::MAX;
    }
    let point = word.iter().position(|&b| b == b'.');
    point.map_or(0, |point| word.len() - point - 1)
}

/// Whether the word could be the beginning of a number that was cut off: `-`, `1e`, `2.5e-`.
pub(super) fn may_be_cut(word: &[u8]) -> bool {
    matches!(word.last(), Some(b'+' | b'-' | b'.' | b'e' | b'E'))
        && word.len() < 32
        && word
            .iter()
            .all(|b| matches!(b, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// In the middle of a file, so that the fast way can be taken.
    fn scanned(text: &str) -> Option<(f64, usize)> {
        let padded = format!("{text} 0 0 0 0 0 0 0 0 0 0");
        let inside = scan(padded.as_bytes(), 0);
        assert_eq!(scan(text.as_bytes(), 0), inside, "the same at the end");
        inside
    }

    fn agrees(text: &str) {
        let expected: f64 = text.parse().unwrap();
        let (value, end) = scanned(text).unwrap();
        assert_eq!(value.to_bits(), expected.to_bits(), "{text}");
        assert_eq!(end, text.len(), "{text}");
    }

    #[test]
    fn spellings_that_exporters_use() {
        for text in [
            "0",
            "-0",
            "0.0",
            "-0.0",
            ".0083333",
            "-.5",
            "5.",
            "-5.",
            "+5.5",
            "1e-007",
            "-9.23872e-007",
            "1E-6",
            "1.5e+3",
            "0001.5",
            "1234567.1234567",
            "12345678.12345678",
            "9007199254740993",
            "0.1",
            "123456789012345678901234567890",
            "4.9e-324",
            "1e-400",
            "1.7976931348623157e308",
            "0.016666666666666666",
            "99999999999999999999",
            "1e22",
            "1e23",
        ] {
            agrees(text);
        }
    }

    #[test]
    fn what_is_no_number() {
        for text in [
            "", "-", "+", ".", "-.", "nan", "NaN", "inf", "-inf", "infinity", "e5", "x", "--1",
            "1e999", "-1e999", "\u{e4}",
        ] {
            assert_eq!(scan(text.as_bytes(), 0), None, "{text}");
            let padded = format!("{text} 1 1 1 1 1 1 1 1 1 1");
            assert_eq!(scan(padded.as_bytes(), 0), None, "{text}");
        }
        assert_eq!(scan(b"1", 1), None, "nothing behind the end");
    }

    #[test]
    fn numbers_end_where_they_end() {
        assert_eq!(scanned("1.5-2.3"), Some((1.5, 3)));
        assert_eq!(scanned("1,5"), Some((1.0, 1)));
        assert_eq!(scanned("1.5.3"), Some((1.5, 3)));
        assert_eq!(scanned("12x"), Some((12.0, 2)));
        assert_eq!(scanned("1e"), Some((1.0, 1)));
    }

    #[test]
    fn complaints_say_what_is_wrong_with_the_word() {
        let said = |word: &str| what_was_expected(word.as_bytes());
        for word in ["NaN", "-nan(ind)", "inf", "-1.#IND00", "1e999", "-Infinity"] {
            assert_eq!(said(word), "a finite number", "{word}");
        }
        assert_eq!(said("0,5"), "a number with a decimal point, and no commas");
        for word in ["abc", "", "1.5.3", "0x10", "-"] {
            assert_eq!(said(word), "a number", "{word}");
        }
    }

    proptest! {
        #[test]
        fn always_the_nearest_double(whole in 0u64..100_000_000, fraction in "[0-9]{0,9}", negative: bool) {
            let sign = if negative { "-" } else { "" };
            agrees(&format!("{sign}{whole}.{fraction}"));
        }

        #[test]
        fn any_double_comes_back(value: f64) {
            prop_assume!(value.is_finite());
            agrees(&format!("{value}"));
            agrees(&format!("{value:e}"));
        }
    }
}
