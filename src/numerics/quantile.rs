//! Quantiles of a list of numbers, by nearest rank and without interpolation.

/// The value at this share of the sorted list, from 0 (the smallest) to 1 (the largest); `None` of an empty list. The
/// values are reordered.
pub fn quantile(values: &mut [f64], share: f64) -> Option<f64> {
    let at = (share * values.len().checked_sub(1)? as f64).round() as usize;
    Some(*values.select_nth_unstable_by(at, f64::total_cmp).1)
}

/// The middle of the sorted list, the upper one of two; `None` of an empty list. The values are reordered.
pub fn median(values: &mut [f64]) -> Option<f64> {
    quantile(values, 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_rounded_and_empty_lists_have_none() {
        let sorted: Vec<f64> = (0..=10).map(f64::from).collect();
        for (share, value) in [
            (0.0, 0.0),
            (0.14, 1.0),
            (0.16, 2.0),
            (0.5, 5.0),
            (1.0, 10.0),
        ] {
            let mut values: Vec<f64> = sorted.iter().rev().copied().collect();
            assert_eq!(quantile(&mut values, share), Some(value), "{share}");
        }
        assert_eq!(median(&mut [3.0, 1.0]), Some(3.0), "the upper one of two");
        assert_eq!(median(&mut [4.0, 1.0, 2.0, 3.0]), Some(3.0));
        assert_eq!(median(&mut []), None);
    }
}
