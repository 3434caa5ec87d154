//! Numbers one after another, as short as they are.

use crate::file::base64;

/// Collects numbers as little-endian bytes, which are then written as base64.
#[derive(Debug, Default)]
pub(super) struct Bytes(Vec<u8>);

impl Bytes {
    /// Seven bits to a byte, the lowest first; the eighth says that more follow.
    pub(super) fn count(&mut self, mut number: usize) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    pub(super) fn small(&mut self, number: i16) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    pub(super) fn single(&mut self, number: f64) {
        self.0.extend_from_slice(&(number as f32).to_le_bytes());
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        base64::encode(&self.0, &mut text);
        text
    }
}

/// Reads numbers back in the order in which [`Bytes`] took them.
#[derive(Debug)]
pub(super) struct Reader {
    bytes: Vec<u8>,
    at: usize,
}

impl Reader {
    pub(super) fn of(text: &str) -> Result<Self, String> {
        let bytes = base64::decode(text).map_err(|e| e.to_string())?;
        Ok(Self { bytes, at: 0 })
    }

    /// Bytes that are left.
    pub(super) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let taken = self.bytes.get(self.at..self.at + N);
        let taken = taken.ok_or_else(|| format!("it ends after {} bytes", self.bytes.len()))?;
        self.at += N;
        Ok(taken.try_into().expect("as many as were taken"))
    }

    pub(super) fn count(&mut self) -> Result<usize, String> {
        let mut number = 0_u64;
        for shift in (0..).step_by(7) {
            let [byte] = self.take()?;
            if shift > 56 {
                return Err(format!("the number at byte {} is too long", self.at));
            }
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                break;
            }
        }
        usize::try_from(number).map_err(|error| error.to_string())
    }

    pub(super) fn small(&mut self) -> Result<i16, String> {
        Ok(i16::from_le_bytes(self.take()?))
    }

    /// A number of single precision that is one.
    pub(super) fn single(&mut self) -> Result<f64, String> {
        let number = f64::from(f32::from_le_bytes(self.take()?));
        if number.is_finite() {
            Ok(number)
        } else {
            Err(format!("{number} before byte {}", self.at))
        }
    }

    /// Nothing may be left over.
    pub(super) fn end(self) -> Result<(), String> {
        match self.left() {
            0 => Ok(()),
            left => Err(format!("{left} bytes are left over")),
        }
    }
}
