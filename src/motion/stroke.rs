//! Strokes drawn by hand: the simplest motion there is, two curves over time.
//!
//! One stroke is one clip with the two degrees of freedom x and y. Timing is kept, because how fast a hand goes round a
//! corner is as much of its habit as the corner. Everything that learns from curves can be tried on strokes, where the
//! eye judges a family at a glance.
//!
//! Resampling is linear: points come at the rate of a mouse or tablet, so a curve through them would only add
//! overshoot between points that lie close together.

/// A line drawn in time. It has at least two points, only finite numbers, and times that increase.
#[derive(Debug, Clone, PartialEq)]
pub struct Stroke {
    name: String,
    /// Seconds, x, y. Lengths are in whatever was drawn in; x goes right, y up.
    points: Vec<[f64; 3]>,
}

/// Why points do not make a stroke.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StrokeError {
    /// A dot has no duration.
    #[error("a stroke needs two points at least, found {found}")]
    TooFew {
        /// The number of points.
        found: usize,
    },
    /// Infinite, not a number, or so far from the first point that the distance is.
    #[error("point {point} of the stroke is not finite")]
    NotFinite {
        /// Index of the point, counted from 0.
        point: usize,
    },
    /// Time stands still or goes back.
    #[error("time does not go on at point {point} of the stroke: {before} s, then {at} s")]
    NotInTime {
        /// Index of the point, counted from 0.
        point: usize,
        /// The time before it.
        before: f64,
        /// Time of this point in seconds.
        at: f64,
    },
    /// More points than are allowed.
    #[error("a stroke of {seconds} s at {fps} points a second has too many points")]
    TooMany {
        /// How long it takes.
        seconds: f64,
        /// The rate that was asked for, in points per second.
        fps: f64,
    },
}

impl Stroke {
    /// No resampling gives more points than this.
    pub const MOST_POINTS: usize = 1_000_000;

    /// A stroke through these points (seconds, x, y), or why they are none.
    pub fn new(name: impl Into<String>, points: Vec<[f64; 3]>) -> Result<Self, StrokeError> {
        let (Some(first), true) = (points.first(), points.len() >= 2) else {
            let found = points.len();
            return Err(StrokeError::TooFew { found });
        };
        let is_finite = |p: &[f64; 3]| p.iter().zip(first).all(|(a, b)| (a - b).is_finite());
        if let Some(point) = points.iter().position(|p| !is_finite(p)) {
            return Err(StrokeError::NotFinite { point });
        }
        let stops = points.windows(2).position(|pair| pair[0][0] >= pair[1][0]);
        if let Some(before) = stops {
            return Err(StrokeError::NotInTime {
                point: before + 1,
                before: points[before][0],
                at: points[before + 1][0],
            });
        }
        Ok(Self {
            name: name.into(),
            points,
        })
    }

    /// The name of the stroke.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same stroke under another name.
    pub fn named(&self, name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            points: self.points.clone(),
        }
    }

    /// Seconds, x and y of every point.
    pub fn points(&self) -> &[[f64; 3]] {
        &self.points
    }

    /// The number of points.
    pub fn n_points(&self) -> usize {
        self.points.len()
    }

    /// Time of the first point in seconds.
    pub fn start_secs(&self) -> f64 {
        self.points[0][0]
    }

    /// From the first to the last point.
    pub fn seconds(&self) -> f64 {
        self.points[self.points.len() - 1][0] - self.points[0][0]
    }

    /// How long the line is.
    pub fn length(&self) -> f64 {
        let step = |p: &[[f64; 3]]| (p[1][1] - p[0][1]).hypot(p[1][2] - p[0][2]);
        self.points.windows(2).map(step).sum()
    }

    /// The least and the greatest x and y.
    pub fn bounds(&self) -> ([f64; 2], [f64; 2]) {
        let [_, x, y] = self.points[0];
        let start = ([x, y], [x, y]);
        let grow = |(low, high): ([f64; 2], [f64; 2]), p: &[f64; 3]| {
            (
                [low[0].min(p[1]), low[1].min(p[2])],
                [high[0].max(p[1]), high[1].max(p[2])],
            )
        };
        self.points.iter().fold(start, grow)
    }

    /// Where the pen is at this time; before the start and after the end it rests.
    pub fn at(&self, secs: f64) -> [f64; 2] {
        let after = self.points.partition_point(|p| p[0] <= secs);
        let Some(&[to, x1, y1]) = self.points.get(after) else {
            let [_, x, y] = self.points[self.points.len() - 1];
            return [x, y];
        };
        let Some(&[from, x0, y0]) = after.checked_sub(1).map(|before| &self.points[before]) else {
            return [x1, y1];
        };
        let share = (secs - from) / (to - from);
        // Weights rather than a difference, which could overflow.
        let between = |a: f64, b: f64| a * (1.0 - share) + b * share;
        [between(x0, x1), between(y0, y1)]
    }

    /// Points at a constant rate from time 0 on, as models want them; the last one is the last whole frame.
    pub fn resampled(&self, fps: f64) -> Result<Self, StrokeError> {
        let seconds = self.seconds();
        let last = (seconds * fps + 1e-9).floor();
        let is_fine = fps.is_finite() && fps > 0.0 && last < Self::MOST_POINTS as f64;
        if !is_fine {
            return Err(StrokeError::TooMany { seconds, fps });
        }
        let points = (0..=last as usize).map(|frame| {
            let secs = frame as f64 / fps;
            let [x, y] = self.at(self.start_secs() + secs);
            [secs, x, y]
        });
        Self::new(self.name.clone(), points.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stroke(points: &[[f64; 3]]) -> Result<Stroke, StrokeError> {
        Stroke::new("s", points.to_vec())
    }

    #[test]
    fn points_that_are_no_stroke_are_refused() {
        assert_eq!(stroke(&[]), Err(StrokeError::TooFew { found: 0 }));
        let dot = [[0.0, 1.0, 1.0]];
        assert_eq!(stroke(&dot), Err(StrokeError::TooFew { found: 1 }));
        for bad in [f64::NAN, f64::INFINITY] {
            for at in 0..3 {
                let mut points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
                points[1][at] = bad;
                let refused = Err(StrokeError::NotFinite { point: 1 });
                assert_eq!(stroke(&points), refused);
            }
        }
        let too_far = [[-1e308, 0.0, 0.0], [1e308, 0.0, 0.0]];
        assert_eq!(stroke(&too_far), Err(StrokeError::NotFinite { point: 1 }));
        let stops = [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [1.0, 2.0, 2.0]];
        let (point, before, at) = (2, 1.0, 1.0);
        let refused = StrokeError::NotInTime { point, before, at };
        assert_eq!(stroke(&stops), Err(refused));
    }

    #[test]
    fn the_pen_is_between_its_points() {
        let s = stroke(&[[1.0, 0.0, 0.0], [2.0, 10.0, -2.0], [4.0, 10.0, 0.0]]).unwrap();
        for (secs, place) in [
            (0.0, [0.0, 0.0]),
            (1.0, [0.0, 0.0]),
            (1.25, [2.5, -0.5]),
            (2.0, [10.0, -2.0]),
            (3.0, [10.0, -1.0]),
            (9.0, [10.0, 0.0]),
            (f64::NAN, [10.0, 0.0]),
        ] {
            let found = s.at(secs);
            if secs.is_nan() {
                assert!(found.iter().all(|x| x.is_finite()), "{found:?}");
            } else {
                assert_eq!(found, place, "at {secs}");
            }
        }
        assert_eq!(s.seconds(), 3.0);
        assert_eq!(s.bounds(), ([0.0, -2.0], [10.0, 0.0]));
        assert!((s.length() - (104f64.sqrt() + 2.0)).abs() < 1e-12, "length");
    }

    #[test]
    fn resampling_keeps_the_line_and_starts_at_zero() {
        let s = stroke(&[[5.0, 0.0, 0.0], [5.1, 1.0, 0.0], [6.0, 1.0, 9.0]]).unwrap();
        let even = s.resampled(10.0).unwrap();
        assert_eq!(even.n_points(), 11);
        assert_eq!(even.points()[0], [0.0, 0.0, 0.0]);
        for p in even.points() {
            let there = s.at(5.0 + p[0]);
            assert!((there[0] - p[1]).hypot(there[1] - p[2]) < 1e-12, "{p:?}");
        }
        assert!((even.seconds() - 1.0).abs() < 1e-12, "all of it");
        assert_eq!(even.points()[10][1..], [1.0, 9.0]);
    }

    #[test]
    fn no_rate_asks_for_more_memory_than_there_is() {
        let long = stroke(&[[0.0, 0.0, 0.0], [1e300, 1.0, 1.0]]).unwrap();
        for fps in [1.0, 1e300, f64::INFINITY, f64::NAN, -1.0, 0.0] {
            assert!(long.resampled(fps).is_err(), "{fps}");
        }
        let short = stroke(&[[0.0, 0.0, 0.0], [0.01, 1.0, 1.0]]).unwrap();
        let refused = Err(StrokeError::TooFew { found: 1 });
        assert_eq!(short.resampled(10.0), refused, "one frame is a dot");
    }
}
