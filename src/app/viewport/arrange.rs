//! Where to put several characters so that each can be seen: side by side, or in a grid.

/// Steps to the right and to the front, in multiples of the spacing, about the middle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// To the right of the picture.
    pub right: f64,
    /// Towards the viewer.
    pub front: f64,
}

/// One row, evenly spaced about the middle.
pub fn side_by_side(n: usize) -> Vec<Step> {
    (0..n)
        .map(|i| Step {
            right: i as f64 - 0.5 * (n as f64 - 1.0),
            front: 0.0,
        })
        .collect()
}

/// Rows behind each other, the first in front, at most this many in each; a last row that is not full stands in the
/// middle.
pub fn rows(n: usize, in_row: usize) -> Vec<Step> {
    let in_row = in_row.max(1);
    let n_rows = n.div_ceil(in_row);
    (0..n)
        .map(|i| {
            let row = i / in_row;
            let here = in_row.min(n - row * in_row);
            Step {
                right: (i % in_row) as f64 - 0.5 * (here as f64 - 1.0),
                front: 0.5 * (n_rows as f64 - 1.0) - row as f64,
            }
        })
        .collect()
}

/// As many in a row as make the whole about twice as wide as deep.
pub fn grid(n: usize) -> Vec<Step> {
    rows(n, (2.0 * n as f64).sqrt().ceil() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_places_differ_and_balance_about_the_middle() {
        for n in 0..40 {
            for steps in [side_by_side(n), grid(n), rows(n, 3), rows(n, 0)] {
                assert_eq!(steps.len(), n);
                let mean: f64 = steps.iter().map(|s| s.right).sum();
                assert!(mean.abs() < 1e-9, "{n} stand {mean} to the right");
                for (i, a) in steps.iter().enumerate() {
                    let crowd = steps[..i]
                        .iter()
                        .filter(|b| (a.right - b.right).hypot(a.front - b.front) < 0.5);
                    assert_eq!(crowd.count(), 0, "{n}: two at {a:?}");
                }
            }
        }
    }

    #[test]
    fn rows_fill_from_the_front() {
        let steps = rows(5, 3);
        let at = |i: usize| (steps[i].right, steps[i].front);
        assert_eq!(at(0), (-1.0, 0.5));
        assert_eq!(at(2), (1.0, 0.5));
        assert_eq!(at(3), (-0.5, -0.5));
        assert_eq!(at(4), (0.5, -0.5));
    }
}
