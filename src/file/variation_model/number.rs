//! Numbers of a model file within their bounds, so that what is out of them is told with its line and column.

use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize};

/// A number between two bounds, given in thousandths: files hold numbers that nobody wrote.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(transparent)]
struct Bounded<const MILLI_LOW: i64, const MILLI_HIGH: i64>(f64);

impl<'de, const LOW: i64, const HIGH: i64> Deserialize<'de> for Bounded<LOW, HIGH> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(from)?;
        let (low, high) = (LOW as f64 / 1e3, HIGH as f64 / 1e3);
        if (low..=high).contains(&value) {
            Ok(Self(value))
        } else {
            Err(D::Error::custom(format!(
                "expected a number from {low} to {high}, found {value}"
            )))
        }
    }
}

/// A million, in thousandths.
const MILLION: i64 = 1_000_000_000;

/// Standardised values: nobody is ten thousand standard deviations away.
pub(super) fn values<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<f64>, D::Error> {
    const MOST: i64 = MILLION / 100;
    let all = Vec::<Bounded<{ -MOST }, MOST>>::deserialize(from)?;
    Ok(all.into_iter().map(|x| x.0).collect())
}

/// Shares of a motion.
pub(super) fn shares<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<f64>, D::Error> {
    let all = Vec::<Bounded<0, 1_001>>::deserialize(from)?;
    Ok(all.into_iter().map(|x| x.0).collect())
}

/// From one frame to the next: a thousandth of a second to a minute.
pub(super) fn frame_secs<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Bounded::<1, 60_000>::deserialize(from)?.0)
}

/// Of a run: up to a day.
pub(super) fn run_secs<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Bounded::<1, 86_400_000>::deserialize(from)?.0)
}

/// Lengths and angles of a chart.
pub(super) fn size<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Bounded::<{ -1000 * MILLION }, { 1000 * MILLION }>::deserialize(from)?.0)
}

/// The same, many of them.
pub(super) fn sizes<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<f64>, D::Error> {
    let all = Vec::<Bounded<{ -1000 * MILLION }, { 1000 * MILLION }>>::deserialize(from)?;
    Ok(all.into_iter().map(|x| x.0).collect())
}

/// Two numbers in range, where the file has a list.
pub(super) fn pair<'de, D: Deserializer<'de>>(from: D) -> Result<[f64; 2], D::Error> {
    let all = <[Bounded<{ -1000 * MILLION }, { 1000 * MILLION }>; 2]>::deserialize(from)?;
    Ok(all.map(|x| x.0))
}
