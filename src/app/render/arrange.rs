//! Where to put several characters so that each can be seen: side by side, or in a grid.

/// Steps to the right and to the front, in multiples of the spacing, about the middle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GridOffset {
    /// To the right of the picture.
    pub right: f64,
    /// To the front of the picture, towards the viewer.
    pub front: f64,
}

/// One row, evenly spaced about the middle.
pub fn side_by_side(n: usize) -> Vec<GridOffset> {
    (0..n)
        .map(|i| GridOffset {
            right: i as f64 - 0.5 * (n as f64 - 1.0),
            front: 0.0,
        })
        .collect()
}

/// Rows behind each other, the first in front, at most this many in each; a last row that is not full stands in the
/// middle.
pub fn rows(n: usize, in_row: usize) -> Vec<GridOffset> {
    let in_row = in_row.max(1);
    let n_rows = n.div_ceil(in_row);
    (0..n)
        .map(|i| {
            let row = i / in_row;
            let here = in_row.min(n - row * in_row);
            GridOffset {
                right: (i % in_row) as f64 - 0.5 * (here as f64 - 1.0),
                front: 0.5 * (n_rows as f64 - 1.0) - row as f64,
            }
        })
        .collect()
}

/// As many in a row as make the whole about twice as wide as deep.
pub fn grid(n: usize) -> Vec<GridOffset> {
    grouped(&[n])
}

/// A grid in which each group begins a row of its own: takes in front, then variants, then what they are compared with.
pub fn grouped(sizes: &[usize]) -> Vec<GridOffset> {
    let n: usize = sizes.iter().sum();
    let in_row = ((2.0 * n as f64).sqrt().ceil() as usize).max(1);
    let n_rows: usize = sizes.iter().map(|size| size.div_ceil(in_row)).sum();
    let mut steps = Vec::with_capacity(n);
    let mut first_row = 0;
    for &size in sizes {
        let own_rows = size.div_ceil(in_row);
        let behind = 0.5 * (n_rows as f64 - own_rows as f64) - first_row as f64;
        steps.extend(rows(size, in_row).into_iter().map(|step| GridOffset {
            front: step.front + behind,
            ..step
        }));
        first_row += own_rows;
    }
    steps
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
    fn every_group_has_rows_of_its_own() {
        let steps = grouped(&[2, 5, 0, 3]);
        let fronts: Vec<f64> = steps.iter().map(|step| step.front).collect();
        assert_eq!(
            fronts,
            [1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0, -1.0, -1.0]
        );
        assert_eq!(grouped(&[7]), grid(7), "one group is a grid");
        let wraps = grouped(&[1, 9]);
        let n_rows = |steps: &[GridOffset]| {
            let mut fronts: Vec<f64> = steps.iter().map(|step| step.front).collect();
            fronts.dedup();
            fronts.len()
        };
        assert_eq!(n_rows(&wraps), 3, "{wraps:?}");
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
