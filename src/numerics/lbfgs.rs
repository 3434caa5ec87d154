//! Minimising a smooth function of many numbers from its gradient.
//!
//! Limited-memory BFGS (Nocedal and Wright 2006, algorithm 7.5) with a line search by doubling and halving that ends at the weak Wolfe conditions (Lewis and Overton
//! 2013). One memory for all steps, the same result on every machine with the same arithmetic.

use std::collections::VecDeque;

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stop {
    /// At most this many steps.
    pub max_steps: usize,
    /// When a step lowers the value by less than this share of it.
    pub least_gain: f64,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Minimum {
    /// The lowest value found; the point is left in the argument.
    pub value: f64,
    /// Steps taken.
    pub steps: usize,
    /// How often the function was evaluated.
    pub evaluations: usize,
}

/// How many past steps say how the function bends.
const MEMORY: usize = 12;
/// A step must lower the value by this share of what the slope promises, and flatten the slope to the other share.
const SUFFICIENT: f64 = 1e-4;
const CURVATURE: f64 = 0.9;
/// More trials than this along one line mean that there is nothing to gain on it.
const MAX_TRIALS: usize = 30;

/// Walks down from `point`, which holds the result.
///
/// `function` writes the gradient and returns the value; it may return
/// infinity or not-a-number where it is not defined. `each` hears of every step and may stop the walk by an error.
pub fn minimise<E>(
    point: &mut [f64],
    stop: Stop,
    mut function: impl FnMut(&[f64], &mut [f64]) -> f64,
    mut each: impl FnMut(usize, f64) -> Result<(), E>,
) -> Result<Minimum, E> {
    let mut gradient = vec![0.0; point.len()];
    let mut value = function(point, &mut gradient);
    let mut evaluations = 1;
    let mut past = Past::default();
    let mut steps = 0;
    while steps < stop.max_steps && value.is_finite() {
        let direction = past.direction(&gradient);
        let slope = dot(&direction, &gradient);
        if slope.is_nan() || slope >= 0.0 {
            break;
        }
        // Without a past the gradient says where to go, but not how far.
        let first = if past.pairs.is_empty() {
            (1.0 / norm(&gradient)).min(1.0)
        } else {
            1.0
        };
        let line = Line {
            from: point,
            direction: &direction,
            value,
            slope,
        };
        let Some(found) = line.search(first, &mut function, &mut evaluations) else {
            // The memory may be misleading; without it the gradient has one more try.
            if past.pairs.is_empty() {
                break;
            }
            past.pairs.clear();
            continue;
        };
        let step: Vec<f64> = difference(&found.point, point);
        let bend = difference(&found.gradient, &gradient);
        past.remember(step, bend);
        point.copy_from_slice(&found.point);
        gradient.copy_from_slice(&found.gradient);
        let gain = value - found.value;
        value = found.value;
        steps += 1;
        each(steps, value)?;
        if gain <= stop.least_gain * value.abs() {
            break;
        }
    }
    Ok(Minimum {
        value,
        steps,
        evaluations,
    })
}

/// Steps and the changes of the gradient along them, the newest last.
#[derive(Default)]
struct Past {
    pairs: VecDeque<(Vec<f64>, Vec<f64>, f64)>,
}

impl Past {
    fn remember(&mut self, step: Vec<f64>, bend: Vec<f64>) {
        let product = dot(&step, &bend);
        // A step along which the function does not bend upwards says nothing about a minimum.
        if product > 1e-12 * norm(&step) * norm(&bend) {
            if self.pairs.len() == MEMORY {
                self.pairs.pop_front();
            }
            self.pairs.push_back((step, bend, 1.0 / product));
        }
    }

    /// Minus the gradient times the inverse Hessian that the memory implies.
    fn direction(&self, gradient: &[f64]) -> Vec<f64> {
        let mut direction: Vec<f64> = gradient.iter().map(|g| -g).collect();
        let mut shares = Vec::with_capacity(self.pairs.len());
        for (step, bend, scale) in self.pairs.iter().rev() {
            let share = scale * dot(step, &direction);
            add_scaled(&mut direction, -share, bend);
            shares.push(share);
        }
        if let Some((_, bend, scale)) = self.pairs.back() {
            let shrink = 1.0 / (scale * dot(bend, bend));
            for d in &mut direction {
                *d *= shrink;
            }
        }
        for ((step, bend, scale), share) in self.pairs.iter().zip(shares.iter().rev()) {
            let other = scale * dot(bend, &direction);
            add_scaled(&mut direction, share - other, step);
        }
        direction
    }
}

struct Line<'a> {
    from: &'a [f64],
    direction: &'a [f64],
    value: f64,
    slope: f64,
}

struct Found {
    point: Vec<f64>,
    gradient: Vec<f64>,
    value: f64,
}

impl Line<'_> {
    fn search(
        &self,
        first: f64,
        function: &mut impl FnMut(&[f64], &mut [f64]) -> f64,
        evaluations: &mut usize,
    ) -> Option<Found> {
        let n = self.from.len();
        let mut best: Option<Found> = None;
        let (mut low, mut high) = (0.0, f64::INFINITY);
        let mut length = first;
        for _ in 0..MAX_TRIALS {
            let point: Vec<f64> = (0..n)
                .map(|i| length.mul_add(self.direction[i], self.from[i]))
                .collect();
            let mut gradient = vec![0.0; n];
            let value = function(&point, &mut gradient);
            *evaluations += 1;
            let is_lower = value <= self.value + SUFFICIENT * length * self.slope
                && gradient.iter().all(|g| g.is_finite());
            if is_lower {
                let slope = dot(&gradient, self.direction);
                best = Some(Found {
                    point,
                    gradient,
                    value,
                });
                if slope >= CURVATURE * self.slope {
                    return best;
                }
                low = length;
            } else {
                high = length;
            }
            length = if high.is_finite() {
                0.5 * (low + high)
            } else {
                2.0 * low
            };
        }
        best
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

fn add_scaled(to: &mut [f64], scale: f64, from: &[f64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += scale * from;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    const LONG: Stop = Stop {
        max_steps: 500,
        least_gain: 0.0,
    };

    #[expect(clippy::unnecessary_wraps, reason = "the walk takes what may fail")]
    fn quiet(_: usize, _: f64) -> Result<(), Infallible> {
        Ok(())
    }

    #[test]
    fn the_bottom_of_a_curved_valley_is_found() {
        // Rosenbrock's function in ten dimensions: its only minimum near this start is at all ones.
        let rosenbrock = |x: &[f64], g: &mut [f64]| {
            g.fill(0.0);
            let mut value = 0.0;
            for i in 0..x.len() - 1 {
                let (a, b) = (1.0 - x[i], x[i + 1] - x[i] * x[i]);
                value += a * a + 100.0 * b * b;
                g[i] -= 2.0 * a + 400.0 * b * x[i];
                g[i + 1] += 200.0 * b;
            }
            value
        };
        let mut x = vec![0.5; 10];
        let end = minimise(&mut x, LONG, rosenbrock, quiet).unwrap();
        assert!(x.iter().all(|x| (x - 1.0).abs() < 1e-6), "{x:?} {end:?}");
        assert!(end.evaluations < 200, "{end:?}");
    }

    #[test]
    fn a_cliff_is_walked_around_and_an_error_stops_the_walk() {
        // x - ln x has its minimum at 1 and is not defined below zero.
        let walled = |x: &[f64], g: &mut [f64]| {
            g[0] = 1.0 - 1.0 / x[0];
            x[0] - x[0].ln()
        };
        let mut x = [40.0];
        minimise(&mut x, LONG, walled, quiet).unwrap();
        assert!((x[0] - 1.0).abs() < 1e-6, "{x:?}");
        let stopped = minimise(&mut [40.0], LONG, walled, |step, _| Err(step));
        assert_eq!(stopped, Err(1));
        let nowhere = minimise(&mut [1.0], LONG, |_, _| f64::NAN, quiet).unwrap();
        assert_eq!(nowhere.steps, 0);
    }
}
