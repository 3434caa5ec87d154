//! Numbers along a motion: what takes have at equal progress.

/// Some numbers for each of many equal stretches of a motion.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Along {
    pub(super) values: Vec<f64>,
    /// How many numbers.
    pub(super) width: usize,
    pub(super) ends: Ends,
}

/// What is before the first stretch and after the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    /// The last, and the first.
    Round,
    /// The same as there.
    Same,
    /// It goes on as it did.
    GoOn,
}

impl Along {
    pub(super) fn zeros(n_stretches: usize, width: usize, ends: Ends) -> Self {
        Self {
            values: vec![0.0; n_stretches * width],
            width,
            ends,
        }
    }

    /// One of the numbers for all stretches.
    pub(super) fn set_column(&mut self, column: usize, values: impl Iterator<Item = f64>) {
        let cells = self.values.iter_mut().skip(column).step_by(self.width);
        for (cell, value) in cells.zip(values) {
            *cell = value;
        }
    }

    /// The numbers at any progress, along a curve without kinks (a quadratic B-spline: what is drawn from it is multiplied with
    /// speeds, where a kink is a jolt); `None` without any.
    pub(super) fn row(&self, progress: f64) -> Option<impl Iterator<Item = f64>> {
        let n = self.values.len() / self.width;
        if n == 0 {
            return None;
        }
        let along = progress * n as f64;
        let is_round = self.ends == Ends::Round;
        let along = match self.ends {
            Ends::Round => along.rem_euclid(n as f64),
            Ends::Same => along.clamp(0.0, n as f64),
            // Frames fall a little before the first and after the last.
            Ends::GoOn => along.clamp(-1.0, n as f64 + 1.0),
        };
        let here = (along as usize).min(n - 1);
        let (before, after) = if is_round {
            ((here + n - 1) % n, (here + 1) % n)
        } else {
            (here.saturating_sub(1), (here + 1).min(n - 1))
        };
        // From the middle of the stretch, -0.5 to 0.5.
        let off = along - here as f64 - 0.5;
        let mut weights = [
            0.5 * (0.5 - off).powi(2),
            0.75 - off * off,
            0.5 * (0.5 + off).powi(2),
        ];
        if self.ends == Ends::GoOn && n > 1 {
            // Beyond an end is what the last two lead to.
            let [b, h, a] = weights;
            if here == 0 {
                weights = [0.0, h + 2.0 * b, a - b];
            } else if here == n - 1 {
                weights = [b - a, h + 2.0 * a, 0.0];
            }
        }
        let of = |stretch: usize| &self.values[stretch * self.width..][..self.width];
        let three = of(before).iter().zip(of(here)).zip(of(after));
        Some(three.map(move |((b, h), a)| b * weights[0] + h * weights[1] + a * weights[2]))
    }
}

/// At which frame a take is so far along, between frames as well. `along` is its progress by frame.
pub(super) fn frame_at(along: &[f64], progress: f64) -> f64 {
    let last = along.len() - 1;
    let after = along.partition_point(|&p| p < progress).clamp(1, last);
    let (low, high) = (along[after - 1], along[after]);
    (after - 1) as f64 + (progress - low) / (high - low)
}

/// Numbers spread out over those around them by a bell of this deviation; all together they stay the same. Without a round
/// what would fall off the ends stays inside.
pub(super) fn smoothed(numbers: &[f64], spread: f64, is_round: bool) -> Vec<f64> {
    let n = numbers.len();
    let reach = ((3.0 * spread).ceil() as usize).min(n);
    let bell = |away: usize| (-0.5 * (away as f64 / spread.max(1e-9)).powi(2)).exp();
    let all = 1.0 + 2.0 * (1..=reach).map(bell).sum::<f64>();
    // Places are counted from one whole length before the first.
    let inside = |place: usize| match place {
        _ if is_round => place % n,
        _ if place < n => n - 1 - place,
        _ if place < 2 * n => place - n,
        _ => 3 * n - 1 - place,
    };
    let mut smooth = vec![0.0; n];
    for (at, &number) in numbers.iter().enumerate() {
        smooth[at] += number / all;
        for away in 1..=reach {
            let part = number * bell(away) / all;
            smooth[inside(n + at - away)] += part;
            smooth[inside(n + at + away)] += part;
        }
    }
    smooth
}
