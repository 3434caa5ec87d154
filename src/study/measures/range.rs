//! What real clips have.

/// The least and the most that real clips have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// The least value of the range.
    pub low: f64,
    /// The greatest value of the range.
    pub high: f64,
    /// How many values it is from.
    pub n: usize,
}

/// From this many values on, the outermost are left out:
const MANY: usize = 20;
/// this share at both ends.
const TAIL: f64 = 0.05;

impl Range {
    /// Of real clips' values; none if there are none.
    pub(super) fn of(values: impl Iterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = values.filter(|v| v.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let n = sorted.len();
        let tail = if n >= MANY {
            (TAIL * n as f64) as usize
        } else {
            0
        };
        Some(Self {
            low: *sorted.get(tail)?,
            high: *sorted.get(n - 1 - tail)?,
            n,
        })
    }

    /// Whether a value is among them; what rounding adds does not count.
    pub fn contains(&self, value: f64) -> bool {
        let room = 1e-9 * (self.high.abs() + self.low.abs());
        (self.low - room..=self.high + room).contains(&value)
    }
}
