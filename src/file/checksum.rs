//! CRC-32 as zip, PNG and gzip have it: enough to see that a file was cut off or changed on its way.
//!
//! Every language can check it (`python -c "import sys, zlib; ..."`). It says nothing against whoever changes a file on
//! purpose.

use std::fmt;

/// The checksum of bytes that come piece by piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crc32(u32);

/// The polynomial of IEEE 802.3, bits reversed.
const POLYNOMIAL: u32 = 0xEDB8_8320;

/// What each byte does to the sum.
const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut rest = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            rest = (rest >> 1) ^ (POLYNOMIAL * (rest & 1));
            bit += 1;
        }
        table[byte] = rest;
        byte += 1;
    }
    table
};

impl Default for Crc32 {
    fn default() -> Self {
        Self(!0)
    }
}

impl Crc32 {
    /// The checksum of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let mut sum = Self::default();
        sum.add(bytes);
        sum
    }

    /// Of those before and these.
    pub fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            let at = (self.0 ^ u32::from(*byte)) & 0xFF;
            self.0 = TABLE[at as usize] ^ (self.0 >> 8);
        }
    }

    /// As [`fmt::Display`] writes it.
    pub fn parse(text: &str) -> Option<Self> {
        let is_hex = text.len() == 8 && text.bytes().all(|b| b.is_ascii_hexdigit());
        let value = u32::from_str_radix(text, 16).ok()?;
        is_hex.then_some(Self(!value))
    }
}

impl fmt::Display for Crc32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", !self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check value of the standard, and that of Python's `zlib.crc32`.
    #[test]
    fn sums_are_those_of_other_programs() {
        assert_eq!(Crc32::of(b"123456789").to_string(), "cbf43926");
        assert_eq!(Crc32::of(b"").to_string(), "00000000");
        let mut pieces = Crc32::of(b"1234");
        pieces.add(b"56789");
        assert_eq!(pieces, Crc32::of(b"123456789"), "in pieces");
        assert_eq!(Crc32::parse("cbf43926"), Some(pieces));
        for wrong in ["", "cbf4392", "cbf439261", "+bf43926", "cbf4392g"] {
            assert_eq!(Crc32::parse(wrong), None, "{wrong}");
        }
    }
}
