//! Minimising a smooth function of many numbers from its gradient: the limited-memory BFGS of `argmin` with the line
//! search of Moré and Thuente.
//!
//! What stands here is what that solver leaves to its caller. Value and gradient are worked out together, so each point
//! is evaluated once. The function is divided by the length of its first gradient: without a past the solver's first
//! step is as long as the gradient, which may be thousands of times too far. Points where the function is not defined
//! get a value above that of the start, which makes the line search turn back.

use std::cell::RefCell;

use argmin::core::{CostFunction, Error, Executor, Gradient, State as _};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;

/// When the minimisation stops.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stop {
    /// At most this many steps.
    pub max_steps: usize,
    /// When a step lowers the value by less than this share of what it was at the start.
    pub least_gain: f64,
}

/// The minimum that was reached, and at what cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Minimum {
    /// The lowest value found; the point is left in the argument.
    pub value: f64,
    /// Steps that were taken.
    pub steps: usize,
    /// How often the function was evaluated.
    pub evaluations: usize,
}

/// Number of past steps from which the curvature is estimated.
const MEMORY: usize = 12;
/// A step must lower the value by this share of what the slope promises, and flatten the slope to the other share.
const SUFFICIENT: f64 = 1e-4;
const CURVATURE: f64 = 0.9;

/// Walks down from `point`, which holds the result.
///
/// `function` writes the gradient and returns the value; it may return infinity or not-a-number where it is not
/// defined. `each` hears of every evaluation, of which a step takes one or a few, and may stop the walk by an error.
pub fn minimise<E>(
    point: &mut [f64],
    stop: Stop,
    mut function: impl FnMut(&[f64], &mut [f64]) -> f64,
    each: impl FnMut(usize) -> Result<(), E>,
) -> Result<Minimum, E> {
    let mut gradient = vec![0.0; point.len()];
    let value = function(point, &mut gradient);
    let mut best = Minimum {
        value,
        steps: 0,
        evaluations: 1,
    };
    let slope = gradient.iter().map(|g| g * g).sum::<f64>().sqrt();
    if !(value.is_finite() && slope.is_finite() && slope > 0.0) {
        return Ok(best);
    }
    let scaled = Scaled(RefCell::new(Memo {
        function,
        each,
        scale: 1.0 / slope.max(1.0),
        start: value,
        at: point.to_vec(),
        value,
        gradient,
        evaluations: 1,
        stopped: None,
    }));
    let reached = run(&scaled, point, stop, value);
    let memo = scaled.0.into_inner();
    best.evaluations = memo.evaluations;
    if let Some(error) = memo.stopped {
        return Err(error);
    }
    // The solver's own complaints (a line along which nothing can be gained) leave the start as the lowest point.
    if let Ok((lowest, value, steps)) = reached {
        point.copy_from_slice(&lowest);
        best.value = value / memo.scale;
        best.steps = steps;
    }
    Ok(best)
}

fn run<F, C, E>(
    scaled: &Scaled<F, C, E>,
    point: &[f64],
    stop: Stop,
    value: f64,
) -> Result<(Vec<f64>, f64, usize), Error>
where
    F: FnMut(&[f64], &mut [f64]) -> f64,
    C: FnMut(usize) -> Result<(), E>,
{
    let scale = scaled.0.borrow().scale;
    let search = MoreThuenteLineSearch::new().with_c(SUFFICIENT, CURVATURE)?;
    let solver = LBFGS::new(search, MEMORY)
        .with_tolerance_cost(stop.least_gain * value.abs() * scale)?
        .with_tolerance_grad(f64::EPSILON)?;
    let start = |state: argmin::core::IterState<_, _, _, _, _, _>| {
        state.param(point.to_vec()).max_iters(stop.max_steps as u64)
    };
    let done = Executor::new(scaled, solver).configure(start).run()?;
    let state = done.state();
    let lowest = state.get_best_param().cloned();
    Ok((
        lowest.unwrap_or_else(|| point.to_vec()),
        state.get_best_cost(),
        state.get_iter() as usize,
    ))
}

/// The function as the solver sees it.
struct Scaled<F, C, E>(RefCell<Memo<F, C, E>>);

/// The last point with what is known of it.
struct Memo<F, C, E> {
    function: F,
    each: C,
    scale: f64,
    /// The value at the start, not scaled.
    start: f64,
    at: Vec<f64>,
    value: f64,
    gradient: Vec<f64>,
    evaluations: usize,
    stopped: Option<E>,
}

/// The caller wants no more.
#[derive(Debug, thiserror::Error)]
#[error("stopped")]
struct Stopped;

impl<F, C, E> Memo<F, C, E>
where
    F: FnMut(&[f64], &mut [f64]) -> f64,
    C: FnMut(usize) -> Result<(), E>,
{
    fn move_to(&mut self, point: &[f64]) -> Result<(), Error> {
        if self.at == point {
            return Ok(());
        }
        if let Err(error) = (self.each)(self.evaluations) {
            self.stopped = Some(error);
        }
        if self.stopped.is_some() {
            return Err(Stopped.into());
        }
        self.evaluations += 1;
        self.at.copy_from_slice(point);
        self.value = (self.function)(point, &mut self.gradient);
        if !(self.value.is_finite() && self.gradient.iter().all(|g| g.is_finite())) {
            self.value = self.start + self.start.abs() + 1.0;
            self.gradient.fill(0.0);
        }
        Ok(())
    }
}

impl<F, C, E> CostFunction for &Scaled<F, C, E>
where
    F: FnMut(&[f64], &mut [f64]) -> f64,
    C: FnMut(usize) -> Result<(), E>,
{
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, point: &Vec<f64>) -> Result<f64, Error> {
        let mut memo = self.0.borrow_mut();
        memo.move_to(point)?;
        Ok(memo.value * memo.scale)
    }
}

impl<F, C, E> Gradient for &Scaled<F, C, E>
where
    F: FnMut(&[f64], &mut [f64]) -> f64,
    C: FnMut(usize) -> Result<(), E>,
{
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, point: &Vec<f64>) -> Result<Vec<f64>, Error> {
        let mut memo = self.0.borrow_mut();
        memo.move_to(point)?;
        Ok(memo.gradient.iter().map(|g| g * memo.scale).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    const LONG: Stop = Stop {
        max_steps: 500,
        least_gain: 0.0,
    };

    #[expect(clippy::unnecessary_wraps, reason = "the walk takes what may fail")]
    fn quiet(_: usize) -> Result<(), Infallible> {
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
        let stopped = minimise(&mut [40.0], LONG, walled, Err);
        assert_eq!(stopped, Err(1));
        let nowhere = minimise(&mut [1.0], LONG, |_, _| f64::NAN, quiet).unwrap();
        assert_eq!(nowhere.steps, 0);
    }
}
