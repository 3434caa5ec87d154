//! What takes have in common at every moment, and what differs between them.
//!
//! Takes are in step ([`super::course`]), so the same moment of all of them can be laid side by side: their mean, and how far each is
//! from it. Both are smooth curves along the motion; what is quicker than that comes back as detail.

use super::along::{Along, Ends, frame_at, smoothed};
use super::calm::averaged_to_ends;
use super::course::Course;
use super::examples::Examples;

/// Progress is found frame by frame and is a little rough, so takes at equal progress are, too: a bell this wide.
const SMOOTH_SECS: f64 = 0.045;
/// Over this share of a round, to either side of where it closes, the end of a take is led to its beginning.
const CLOSING: f64 = 0.2;

/// A leap is a step by more than this, in standard deviations of the degree of freedom, and so many times the steps before and after.
const LEAP: f64 = 0.7;
const LEAP_AGAINST_STEPS: f64 = 4.0;

/// Two or more takes in step.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Between {
    /// By degree of freedom.
    means: Along,
    /// By take and degree of freedom, how far it is from the mean.
    differences: Along,
    /// Degrees of freedom that leap in some take.
    leaping: Vec<usize>,
}

impl Between {
    /// `None` if there is only one take, or nothing is known of progress.
    pub(super) fn learn(examples: &Examples) -> Option<Self> {
        let (n_takes, n_dofs) = (examples.n_takes(), examples.n_dofs());
        if n_takes < 2 || examples.course() == Course::Free {
            return None;
        }
        let is_round = examples.course() == Course::Around;
        let n = (examples.n_frames() / n_takes).max(1);
        let spread = SMOOTH_SECS / examples.frame_secs;
        let ends = if is_round { Ends::Round } else { Ends::GoOn };
        let mut means = Along::zeros(n, n_dofs, ends);
        let mut differences = Along::zeros(n, n_takes * n_dofs, ends);
        for dof in 0..n_dofs {
            let takes: Vec<Vec<f64>> = (0..n_takes)
                .map(|take| {
                    let curve = at_equal_progress(examples, take, dof, n);
                    if is_round {
                        smoothed(&curve, spread, true)
                    } else {
                        averaged_to_ends(&curve, spread)
                    }
                })
                .collect();
            let mean: Vec<f64> = (0..n)
                .map(|at| takes.iter().map(|take| take[at]).sum::<f64>() / n_takes as f64)
                .collect();
            for (take, curve) in takes.iter().enumerate() {
                let off = curve.iter().zip(&mean).map(|(x, mean)| x - mean);
                differences.set_column(take * n_dofs + dof, off);
            }
            means.set_column(dof, mean.into_iter());
        }
        let leaping = (0..n_dofs).filter(|&dof| leaps(examples, dof)).collect();
        Some(Self {
            means,
            differences,
            leaping,
        })
    }

    /// Degrees of freedom that leap in some take: a joint more than three quarters of a turn from its mean is counted on from the other
    /// side. Their places at equal progress may be a whole turn apart, and must not be mixed.
    pub(super) fn leaping(&self) -> &[usize] {
        &self.leaping
    }

    /// The mean of all takes.
    pub(super) fn means(&self, progress: f64) -> impl Iterator<Item = f64> {
        self.means.row(progress).into_iter().flatten()
    }

    /// How far takes are from their mean, by take and degree of freedom.
    pub(super) fn differences(&self, progress: f64) -> impl Iterator<Item = f64> {
        self.differences.row(progress).into_iter().flatten()
    }
}

/// Whether a degree of freedom once steps far from one frame to the next, out of nothing: what is only quick is quick before and after.
fn leaps(examples: &Examples, dof: usize) -> bool {
    examples.takes.iter().any(|rows| {
        let step = |row: usize| (examples.row(row + 1)[dof] - examples.row(row)[dof]).abs();
        let steps: Vec<f64> = (rows.start..rows.end - 1).map(step).collect();
        steps.windows(3).any(|three| {
            let beside = three[0].max(three[2]);
            three[1] > LEAP && three[1] > LEAP_AGAINST_STEPS * beside
        })
    })
}

/// A degree of freedom of a take in the middle of each of so many equal stretches; round a cycle it closes.
fn at_equal_progress(examples: &Examples, take: usize, dof: usize, n: usize) -> Vec<f64> {
    let rows = &examples.takes[take];
    let is_round = examples.course() == Course::Around;
    let along = examples.progress.along(rows);
    let last = rows.len() - 1;
    // After the last frame of a round comes the first.
    let value = |frame: usize| {
        let inside = match frame {
            usize::MAX => {
                if is_round {
                    last
                } else {
                    0
                }
            }
            _ if frame <= last => frame,
            _ => {
                if is_round {
                    frame - last - 1
                } else {
                    last
                }
            }
        };
        examples.row(rows.start + inside)[dof]
    };
    let mut curve: Vec<f64> = (0..n)
        .map(|stretch| {
            let at = frame_at(&along, (stretch as f64 + 0.5) / n as f64).max(0.0);
            let (frame, u) = (at as usize, at.fract());
            // A cubic through the frames around (Catmull and Rom): straight lines have corners, which smooth takes do not.
            let [a, b, c, d] = [frame.wrapping_sub(1), frame, frame + 1, frame + 2].map(value);
            let (slope, bend) = (0.5 * (c - a), 0.5 * (d - b));
            let rest = c - b;
            b + u
                * (slope + u * (3.0 * rest - 2.0 * slope - bend + u * (slope + bend - 2.0 * rest)))
        })
        .collect();
    if is_round {
        close(&mut curve);
    }
    curve
}

/// Leads both ends of a curve to the middle between them.
fn close(curve: &mut [f64]) {
    let n = curve.len();
    let half_gap = 0.5 * (curve[0] - curve[n - 1]);
    let reach = (CLOSING * n as f64).max(1.0);
    for at in 0..n / 2 {
        let u = (at as f64 / reach).min(1.0);
        let share = (1.0 - u) * (1.0 - u) * (1.0 + 2.0 * u);
        curve[at] -= share * half_gap;
        curve[n - 1 - at] += share * half_gap;
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::Take;
    use super::*;

    /// Two takes of a bump, one twice as high as the other and 20 % slower.
    fn bumps(course: Course) -> Examples {
        let bump = |height: f64, n: usize| Take {
            name: "bump".to_owned(),
            values: (0..n)
                .flat_map(|frame| {
                    let u = frame as f64 / n as f64;
                    let (sin, cos) = (u * std::f64::consts::TAU).sin_cos();
                    [height * (1.0 - cos), height * sin]
                })
                .collect(),
        };
        let takes = [bump(1.0, 50), bump(2.0, 60)];
        Examples::new(2, 1.0 / 60.0, &takes, Some(course)).unwrap()
    }

    #[test]
    fn means_and_differences_add_up_to_the_takes() {
        let between = Between::learn(&bumps(Course::Around)).unwrap();
        let mean: Vec<f64> = between.means(0.5).collect();
        assert!((mean[0] - 3.0).abs() < 0.1, "between 2 and 4: {mean:?}");
        let off: Vec<f64> = between.differences(0.5).collect();
        assert!(
            (off[0] + 1.0).abs() < 0.1 && (off[2] - 1.0).abs() < 0.1,
            "{off:?}"
        );
    }

    #[test]
    fn rounds_close_without_a_jump() {
        let between = Between::learn(&bumps(Course::Around)).unwrap();
        let [end, start] =
            [1.0 - 1e-6, 1.0 + 1e-6].map(|at| between.differences(at).collect::<Vec<_>>());
        for (end, start) in end.iter().zip(&start) {
            assert!((end - start).abs() < 1e-4, "{end} then {start}");
        }
    }

    #[test]
    fn what_is_counted_on_from_the_other_side_leaps() {
        let mut examples = bumps(Course::Through);
        assert!(Between::learn(&examples).unwrap().leaping().is_empty());
        for row in 20..30 {
            examples.values[2 * row + 1] -= 6.0;
        }
        assert_eq!(Between::learn(&examples).unwrap().leaping(), [1]);
    }

    #[test]
    fn one_take_or_none_in_step_has_nothing_between() {
        assert_eq!(Between::learn(&bumps(Course::Free)), None);
        assert_eq!(Between::learn(&bumps(Course::Through).only(&[1])), None);
    }
}
