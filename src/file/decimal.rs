//! Numbers as text: as few digits as keep the promised precision, and fast.

use std::io::Write as _;

/// Writes numbers rounded to a number of decimals, without trailing zeros, exponents or a minus before zero.
#[derive(Debug, Clone, Copy)]
pub(super) struct Decimal {
    places: u32,
    /// Ten to the `places`.
    scale: f64,
}

/// Whole numbers below this are exact in a double.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Decimal {
    /// What a value in a file is worth at least: a millionth of a unit or degree.
    pub(super) const FEWEST: u32 = 6;
    /// Angles with more decimals than this would only spell out the rounding of doubles.
    pub(super) const MOST: u32 = 12;

    /// At most this many decimals.
    pub(super) fn new(places: u32) -> Self {
        let places = places.min(Self::MOST);
        Self {
            places,
            scale: 10_u64.pow(places) as f64,
        }
    }

    /// The fewest decimals that make `error_per_step`, the harm done by rounding a last digit that is worth one,
    /// smaller than `allowed`.
    pub(super) fn keeping(error_per_step: f64, allowed: f64) -> Self {
        let enough = (Self::FEWEST..Self::MOST)
            .find(|&places| error_per_step <= allowed * 10_u64.pow(places) as f64);
        Self::new(enough.unwrap_or(Self::MOST))
    }

    /// The value that a reader of the text gets.
    pub(super) fn round(self, value: f64) -> f64 {
        let scaled = (value * self.scale).round();
        if scaled.abs() < EXACT {
            scaled / self.scale
        } else {
            value
        }
    }

    /// Appends the number as decimal text.
    pub(super) fn push(self, out: &mut Vec<u8>, value: f64) {
        let scaled = (value * self.scale).round();
        if scaled.abs() >= EXACT {
            // A double of this size has no digits to lose; `Display` spells it out without an exponent.
            return write!(out, "{value}").expect("a vector takes every byte");
        }
        let whole = scaled as i64;
        if whole < 0 {
            out.push(b'-');
        }
        push_fixed(out, whole.unsigned_abs(), self.places);
    }
}

/// `digits` with a decimal point before its last `places`.
fn push_fixed(out: &mut Vec<u8>, mut digits: u64, mut places: u32) {
    while places > 0 && digits.is_multiple_of(10) {
        digits /= 10;
        places -= 1;
    }
    // Room for 20 digits, the point and a zero before it; filled from the end.
    let mut text = [0_u8; 24];
    let mut start = text.len();
    let mut written = 0;
    while digits > 0 || written <= places {
        if written == places && places > 0 {
            start -= 1;
            text[start] = b'.';
        }
        start -= 1;
        text[start] = b'0' + (digits % 10) as u8;
        digits /= 10;
        written += 1;
    }
    out.extend_from_slice(&text[start..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(places: u32, value: f64) -> String {
        let mut out = Vec::new();
        Decimal::new(places).push(&mut out, value);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn as_few_digits_as_possible() {
        for (value, expected) in [
            (0.0, "0"),
            (-0.0, "0"),
            (-1e-7, "0"),
            (1e-6, "0.000001"),
            (-0.5, "-0.5"),
            (120.0, "120"),
            (100.25, "100.25"),
            (17.8934, "17.8934"),
            (0.1 + 0.2, "0.3"),
            (-179.999_999_9, "-180"),
            (1e9, "1000000000"),
            (1e10 + 0.5, "10000000000.5"),
            (2e18, "2000000000000000000"),
            (-1e22, "-10000000000000000000000"),
        ] {
            assert_eq!(text(6, value), expected);
        }
        assert_eq!(text(0, 10.4), "10");
        assert_eq!(text(12, 0.1), "0.1");
    }

    #[test]
    fn what_is_read_back_is_what_was_rounded() {
        let mut value = 1e-7;
        while value < 1e20 {
            for v in [value, -value * 1.234_567_891_2] {
                for places in [6, 9, 12] {
                    let back: f64 = text(places, v).parse().unwrap();
                    let near = 0.500_001 / 10_f64.powi(places.cast_signed()) + v.abs() * 1e-15;
                    assert!((back - v).abs() <= near, "{v} with {places}: {back}");
                    assert_eq!(Decimal::new(places).round(v) + 0.0, back, "{v}");
                }
            }
            value *= 3.7;
        }
    }

    #[test]
    fn places_follow_from_the_harm() {
        assert_eq!(Decimal::keeping(0.0, 1.0).places, 6);
        assert_eq!(Decimal::keeping(4.0, 4e-6).places, 6);
        assert_eq!(Decimal::keeping(4.1, 4e-6).places, 7);
        assert_eq!(Decimal::keeping(4e3, 4e-6).places, 9);
        assert_eq!(Decimal::keeping(f64::INFINITY, 4e-6).places, 12);
    }
}
