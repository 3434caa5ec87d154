//! Things that go wrong with a file, the same ones for the same case on every machine.

use std::ops::Range;

/// The same numbers for the same case on every machine (Steele, Lea and Flood 2014).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    pub(crate) fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }
}

/// One to three things that go wrong.
pub(crate) fn mutate(bytes: &mut Vec<u8>, dice: &mut Dice) {
    const WORDS: [&str; 30] = [
        "1e308",
        "-1e308",
        "1e-400",
        "NaN",
        "inf",
        "99999999999999999999",
        "1e999",
        "-",
        "1.5-2.3",
        "0,5",
        "",
        "{",
        "}",
        "}}",
        "ROOT",
        "JOINT",
        "End Site",
        "MOTION",
        "HIERARCHY",
        "Frames:",
        "Frames: 4294967296",
        "Frame Time:",
        "OFFSET",
        "CHANNELS",
        "CHANNELS 18446744073709551615",
        "#",
        "//",
        "\u{fffd}\u{1f480}",
        "\0",
        "Xrotation",
    ];
    for _ in 0..=dice.below(3) {
        let at = dice.below(bytes.len() + 1);
        match dice.below(11) {
            0 if at < bytes.len() => bytes[at] ^= 1 << dice.below(8),
            1 if at < bytes.len() => bytes[at] = dice.next() as u8,
            2 => drop(bytes.drain(at..(at + 1 + dice.below(40)).min(bytes.len()).max(at))),
            3 => {
                let junk: Vec<u8> = (0..dice.below(20)).map(|_| dice.next() as u8).collect();
                bytes.splice(at..at, junk);
            }
            4 => bytes.truncate(at),
            5 | 6 => {
                // A word in place of the one that stands here.
                let is_space = |b: &u8| b.is_ascii_whitespace();
                let start = bytes[..at].iter().rposition(is_space).map_or(0, |p| p + 1);
                let length = bytes[at..]
                    .iter()
                    .position(is_space)
                    .unwrap_or(bytes.len() - at);
                bytes.splice(start..at + length, dice.pick(&WORDS).bytes());
            }
            7 => {
                let word = format!(" {} ", dice.pick(&WORDS));
                bytes.splice(at..at, word.into_bytes());
            }
            8 => swap_lines(bytes, dice),
            9 => {
                // A stretch once more, somewhere else.
                let end = (at + dice.below(300)).min(bytes.len());
                let copy = bytes[at..end].to_vec();
                let to = dice.below(bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
            _ => {
                let byte = dice.pick(&[b"\n", b"\r", b" ", b"\t", b"-"])[0];
                let with = *dice
                    .pick(&[b"\n", b"\r", b" ", b"{", b"-"])
                    .first()
                    .unwrap();
                for b in bytes
                    .iter_mut()
                    .filter(|b| **b == byte)
                    .skip(dice.below(8))
                    .step_by(3)
                {
                    *b = with;
                }
            }
        }
    }
}

fn swap_lines(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let mut lines: Vec<&[u8]> = bytes.split(|&b| b == b'\n').collect();
    let (a, b) = (dice.below(lines.len()), dice.below(lines.len()));
    if dice.below(2) == 0 {
        lines.swap(a, b);
    } else {
        lines.insert(a, lines[b]);
    }
    *bytes = lines.join(&b'\n');
}

/// One to three things that go wrong with a RON file or a table, where a number, word or list stands in the place of
/// another.
pub(crate) fn mutate_values(bytes: &mut Vec<u8>, dice: &mut Dice) {
    const WORDS: [&str; 32] = [
        "0",
        "1",
        "-1",
        "2",
        "3",
        "0.5",
        "-0.0",
        "1e-9",
        "1e-4",
        "1e3",
        "1e6",
        "1e9",
        "1e18",
        "1e30",
        "-1e18",
        "1e300",
        "1e308",
        "1e-320",
        "NaN",
        "inf",
        "-inf",
        "4294967296",
        "18446744073709551615",
        "99999999999999999999",
        "\"\"",
        "None",
        "[]",
        "()",
        "true",
        "AAAAAAAA",
        "\u{1b}[2J",
        "",
    ];
    for _ in 0..=dice.below(3) {
        if bytes.is_empty() {
            return;
        }
        let (mut at, mut value) = value_at(bytes, dice.below(bytes.len()));
        // Most of many files is base64, of which one place is like another: what stands around it is hit as often.
        for _ in 0..dice.below(2) * 8 {
            if value.len() <= LONG {
                break;
            }
            (at, value) = value_at(bytes, dice.below(bytes.len()));
        }
        // Inside base64 only some letters are put in the place of others.
        let (start, end) = if value.len() > LONG {
            (at, (at + 8).min(value.end))
        } else {
            (value.start, value.end)
        };
        match dice.below(16) {
            0 => bytes[at] = dice.next() as u8,
            1 => bytes.truncate(at),
            2 => swap_lines(bytes, dice),
            3 => drop(bytes.drain(at..(at + 1 + dice.below(200)).min(bytes.len()))),
            4 => {
                let copy = bytes[at..(at + dice.below(300)).min(bytes.len())].to_vec();
                bytes.splice(at..at, copy);
            }
            _ => drop(bytes.splice(start..end, dice.pick(&WORDS).bytes())),
        }
    }
}

/// No number is longer than this many bytes, but what is base64 is.
const LONG: usize = 60;

/// A place in the text, and the value that stands there.
fn value_at(bytes: &[u8], at: usize) -> (usize, Range<usize>) {
    let is_end = |b: &u8| {
        matches!(
            b,
            b' ' | b',' | b';' | b'(' | b')' | b'[' | b']' | b'\n' | b'"'
        )
    };
    let start = bytes[..at].iter().rposition(is_end).map_or(0, |p| p + 1);
    let end = bytes[at..].iter().position(is_end);
    let end = end.map_or(bytes.len(), |p| at + p);
    (at, start.min(end)..end)
}

/// The same for files that are no text: bits, bytes and lengths.
pub(crate) fn mutate_bytes(bytes: &mut Vec<u8>, dice: &mut Dice) {
    for _ in 0..=dice.below(4) {
        if bytes.is_empty() {
            return;
        }
        // The beginning says what the rest is: it is hit more often.
        let reach = if dice.below(2) == 0 {
            80.min(bytes.len())
        } else {
            bytes.len()
        };
        let at = dice.below(reach);
        match dice.below(7) {
            0 => bytes[at] ^= 1 << dice.below(8),
            1 => bytes[at] = dice.next() as u8,
            2 => bytes[at] = [0, 0xff, 0x7f, 0x80][dice.below(4)],
            3 => {
                let end = (at + 4).min(bytes.len());
                bytes[at..end].fill(if dice.below(2) == 0 { 0xff } else { 0x7f });
            }
            4 => bytes.truncate(at),
            5 => drop(bytes.drain(at..(at + 1 + dice.below(64)).min(bytes.len()))),
            _ => {
                let copy = bytes[at..(at + dice.below(64)).min(bytes.len())].to_vec();
                bytes.splice(at..at, copy);
            }
        }
    }
}
