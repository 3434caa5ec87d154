//! The curve to follow: arc length, directions, and which action belongs to which part.

use std::ops::Range;

use super::rounding::{Dense, rounded};
use super::{Vec2, direction, heading_of};
use crate::motion::rotation::wrap;

/// No path has more points than this once it is sampled finely enough to be rounded.
const MOST_SAMPLES: usize = 20_000;

/// A point as drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct PathPoint {
    /// On the floor; see [`super::on_floor`].
    pub at: Vec2,
    /// What to do from here on, until a later point says something else.
    pub action: Option<String>,
}

impl PathPoint {
    /// A point without a word about actions.
    pub fn at(x: f64, y: f64) -> Self {
        Self {
            at: Vec2::new(x, y),
            action: None,
        }
    }
}

/// How a drawn line becomes a curve that can be walked.
#[derive(Debug, Clone, PartialEq)]
pub struct PathSettings {
    /// Corners are rounded to at least this radius, in the units of the points; half a metre is what walkers turn with.
    /// Bows that were drawn tighter stay as they are: see [`FloorPath::tightest_radius`].
    pub least_radius: f64,
}

/// Why points are no path.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PathError {
    /// A dot leads nowhere.
    #[error("a path needs two points at least, found {found}")]
    TooFew {
        /// How many there are.
        found: usize,
    },
    /// A coordinate is infinite or not a number, or so large that distances are.
    #[error("point {point} of the path is not finite")]
    NotFinite {
        /// The point of the path, counted from 0.
        point: usize,
    },
    /// There is no way from the first point to the last.
    #[error("all points of the path are at the same place")]
    NoLength,
    /// The radius is no length.
    #[error("the least radius of a path must be a positive number, found {0}")]
    Radius(f64),
    /// The path is thousands of times longer than the radius.
    #[error("a path of length {length} is too long for corners of radius {least_radius}")]
    TooLong {
        /// The length of the path as it was drawn.
        length: f64,
        /// The least radius that was asked for.
        least_radius: f64,
    },
}

/// A place where the drawn line turns back on itself; it is walked as a loop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hairpin {
    /// Where it was drawn.
    pub at: Vec2,
    /// Arc length on the rounded curve.
    pub arc: f64,
}

/// A smooth curve on the floor, known by arc length. It is longer than nothing and has only finite numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct FloorPath {
    /// Evenly spaced but for rounding of the last step.
    places: Vec<Vec2>,
    /// Arc length of each.
    arcs: Vec<f64>,
    /// Direction at each, continuous.
    headings: Vec<f64>,
    sections: Vec<(Range<f64>, Option<String>)>,
    hairpins: Vec<Hairpin>,
    left_drawn_by: f64,
}

impl FloorPath {
    /// Rounds the corners of a drawn line.
    pub fn new(points: &[PathPoint], settings: &PathSettings) -> Result<Self, PathError> {
        let radius = settings.least_radius;
        if !(radius.is_finite() && radius > 0.0) {
            return Err(PathError::Radius(radius));
        }
        let length = check(points)?;
        let step = Dense::step(radius);
        if length / step > MOST_SAMPLES as f64 {
            return Err(PathError::TooLong {
                length,
                least_radius: radius,
            });
        }
        let drawn: Vec<Vec2> = points.iter().map(|p| p.at).collect();
        let smooth = rounded(&drawn, radius);
        let mut path = Self::through(&smooth.curve);
        path.left_drawn_by = smooth.left_by;
        path.hairpins = smooth
            .hairpins
            .iter()
            .map(|&(at, drawn)| Hairpin {
                at,
                arc: path.arc_of(&smooth.curve, drawn),
            })
            .collect();
        path.sections = path.sections_of(points, &smooth.curve);
        Ok(path)
    }

    fn through(curve: &Dense) -> Self {
        let places = curve.places.clone();
        let mut arcs = vec![0.0];
        for pair in places.windows(2) {
            arcs.push(arcs[arcs.len() - 1] + (pair[1] - pair[0]).norm());
        }
        let last = places.len() - 1;
        let mut headings: Vec<f64> = Vec::with_capacity(places.len());
        for at in 0..places.len() {
            let way = places[(at + 1).min(last)] - places[at.saturating_sub(1)];
            let heading = heading_of(&way);
            let before = headings.last().copied().unwrap_or(heading);
            headings.push(before + wrap(heading - before));
        }
        Self {
            places,
            arcs,
            headings,
            sections: Vec::new(),
            hairpins: Vec::new(),
            left_drawn_by: 0.0,
        }
    }

    /// Arc length of the sample that stands for a length of the drawn line.
    fn arc_of(&self, curve: &Dense, drawn: f64) -> f64 {
        let at = curve.drawn.partition_point(|d| *d < drawn);
        self.arcs[at.min(self.arcs.len() - 1)]
    }

    fn sections_of(
        &self,
        points: &[PathPoint],
        curve: &Dense,
    ) -> Vec<(Range<f64>, Option<String>)> {
        let mut sections: Vec<(Range<f64>, Option<String>)> = Vec::new();
        let mut drawn = 0.0;
        let end = self.length();
        for (at, point) in points.iter().enumerate() {
            if at > 0 {
                drawn += (point.at - points[at - 1].at).norm();
            }
            let from = if at == 0 {
                0.0
            } else {
                self.arc_of(curve, drawn)
            };
            match sections.last_mut() {
                None => sections.push((0.0..end, point.action.clone())),
                Some((range, action)) if point.action.is_some() && *action != point.action => {
                    range.end = from;
                    sections.push((from..end, point.action.clone()));
                }
                Some(_) => {}
            }
        }
        sections.retain(|(range, _)| range.start < range.end);
        sections
    }

    /// From start to end.
    pub fn length(&self) -> f64 {
        self.arcs[self.arcs.len() - 1]
    }

    /// How far the rounded curve and the drawn line are apart, at most.
    pub fn left_drawn_by(&self) -> f64 {
        self.left_drawn_by
    }

    /// Where the line turned back on itself.
    pub fn hairpins(&self) -> &[Hairpin] {
        &self.hairpins
    }

    /// Arc lengths with the action that belongs to them, in order and without gaps.
    pub fn sections(&self) -> &[(Range<f64>, Option<String>)] {
        &self.sections
    }

    /// The tightest turn of the curve; infinite for a straight line.
    pub fn tightest_radius(&self) -> f64 {
        let turns = self.headings.windows(2).zip(self.arcs.windows(2));
        let most = turns.map(|(h, s)| (h[1] - h[0]).abs() / (s[1] - s[0]).max(f64::MIN_POSITIVE));
        1.0 / most.fold(0.0, f64::max)
    }

    /// The place after some length; beyond the ends the curve goes straight on.
    pub fn place(&self, arc: f64) -> Vec2 {
        let (at, share) = self.find(arc);
        let inside = self.places[at].lerp(&self.places[at + 1], share);
        let beyond = if arc < 0.0 {
            arc
        } else {
            (arc - self.length()).max(0.0)
        };
        inside + direction(self.heading(arc)) * beyond
    }

    /// The direction after some length, continuous along the curve.
    pub fn heading(&self, arc: f64) -> f64 {
        let (at, share) = self.find(arc);
        self.headings[at] + (self.headings[at + 1] - self.headings[at]) * share
    }

    /// The sample before a length, and the share of the way to the next.
    fn find(&self, arc: f64) -> (usize, f64) {
        let at = self.arcs.partition_point(|s| *s <= arc);
        let at = at.clamp(1, self.arcs.len() - 1) - 1;
        let (from, to) = (self.arcs[at], self.arcs[at + 1]);
        let share = (arc - from) / (to - from).max(f64::MIN_POSITIVE);
        (at, share.clamp(0.0, 1.0))
    }

    /// The arc length within a range that is nearest to a place, and how far away it is.
    pub fn nearest(&self, place: &Vec2, within: Range<f64>) -> (f64, f64) {
        let first = self.find(within.start).0;
        let last = self.find(within.end).0;
        let least = within.start.clamp(0.0, self.length());
        let most = within.end.clamp(least, self.length());
        let mut best = (least, f64::INFINITY);
        for at in first..=last {
            let (from, way) = (self.places[at], self.places[at + 1] - self.places[at]);
            let length = (self.arcs[at + 1] - self.arcs[at]).max(f64::MIN_POSITIVE);
            let share = way.dot(&(place - from)) / way.norm_squared().max(f64::MIN_POSITIVE);
            let arc = (self.arcs[at] + share.clamp(0.0, 1.0) * length).clamp(least, most);
            let distance = (from + way * ((arc - self.arcs[at]) / length) - place).norm();
            if distance < best.1 {
                best = (arc, distance);
            }
        }
        best
    }

    /// The same curve in other units.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        let mut path = self.clone();
        for (place, arc) in path.places.iter_mut().zip(&mut path.arcs) {
            *place *= factor;
            *arc *= factor;
        }
        for (range, _) in &mut path.sections {
            *range = range.start * factor..range.end * factor;
        }
        for hairpin in &mut path.hairpins {
            hairpin.at *= factor;
            hairpin.arc *= factor;
        }
        path.left_drawn_by *= factor;
        path
    }
}

/// The length of the drawn line.
fn check(points: &[PathPoint]) -> Result<f64, PathError> {
    let (Some(first), true) = (points.first(), points.len() >= 2) else {
        let found = points.len();
        return Err(PathError::TooFew { found });
    };
    let is_finite = |p: &PathPoint| (p.at - first.at).norm_squared().is_finite();
    if let Some(point) = points.iter().position(|p| !is_finite(p)) {
        return Err(PathError::NotFinite { point });
    }
    let length: f64 = points.windows(2).map(|p| (p[1].at - p[0].at).norm()).sum();
    if length > 0.0 {
        Ok(length)
    } else {
        Err(PathError::NoLength)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, TAU};

    const HALF: PathSettings = PathSettings { least_radius: 0.5 };

    fn path(points: &[(f64, f64)]) -> FloorPath {
        let points: Vec<PathPoint> = points.iter().map(|p| PathPoint::at(p.0, p.1)).collect();
        FloorPath::new(&points, &HALF).unwrap()
    }

    #[test]
    fn a_corner_becomes_an_arc_of_the_least_radius() {
        let corner = path(&[(0.0, 0.0), (0.0, 3.0), (3.0, 3.0)]);
        let radius = corner.tightest_radius();
        assert!((0.45..0.56).contains(&radius), "{radius}");
        // An arc of half a metre saves (2 - pi / 2) r of the way and stays (sqrt 2 - 1) r from the corner.
        assert!((corner.length() - (6.0 - 0.5 * (2.0 - FRAC_PI_2))).abs() < 0.02);
        assert!(
            (corner.left_drawn_by() - 0.207).abs() < 0.02,
            "{}",
            corner.left_drawn_by()
        );
        assert!((corner.place(0.0) - Vec2::zeros()).norm() < 1e-9);
        assert!(
            (corner.place(99.0) - Vec2::new(96.2146, 3.0)).norm() < 0.05,
            "goes on"
        );
        assert!((corner.heading(1.0)).abs() < 1e-6);
        assert!((corner.heading(5.0) - FRAC_PI_2).abs() < 1e-6);
        assert!(corner.hairpins().is_empty());
    }

    #[test]
    fn gentle_curves_stay_as_drawn() {
        let circle: Vec<(f64, f64)> = (0..=200)
            .map(|i| {
                let a = TAU * f64::from(i) / 200.0;
                (3.0 * a.cos(), 3.0 * a.sin())
            })
            .collect();
        let circle = path(&circle);
        assert!(circle.left_drawn_by() < 0.002, "{}", circle.left_drawn_by());
        assert!((circle.length() - 3.0 * TAU).abs() < 0.02);
        let whole = circle.heading(circle.length()) - circle.heading(0.0);
        assert!(
            (whole.abs() - TAU).abs() < 0.1,
            "turns by {whole}, without a jump"
        );
    }

    #[test]
    fn a_hairpin_becomes_a_loop_and_is_told() {
        let pin = path(&[(0.0, 0.0), (0.0, 5.0), (0.0, 0.0)]);
        assert_eq!(pin.hairpins().len(), 1);
        assert!((pin.hairpins()[0].at - Vec2::new(0.0, 5.0)).norm() < 0.05);
        assert!(pin.tightest_radius() > 0.35, "{}", pin.tightest_radius());
        assert!(
            (0.2..0.8).contains(&pin.left_drawn_by()),
            "{}",
            pin.left_drawn_by()
        );
        assert!((pin.place(pin.length())).norm() < 1e-6, "and back");
        assert!((pin.place(2.0) - Vec2::new(0.0, 2.0)).norm() < 0.05);
    }

    #[test]
    fn small_circles_and_short_stubs_do_not_vanish() {
        let circle: Vec<(f64, f64)> = (0..=60)
            .map(|i| {
                let a = TAU * f64::from(i) / 60.0;
                (0.3 * a.cos(), 0.3 * a.sin())
            })
            .collect();
        let circle = path(&circle);
        assert!(
            (circle.length() - 0.3 * TAU).abs() < 0.05,
            "{}",
            circle.length()
        );
        let stub = path(&[(0.0, 0.0), (0.0, 5.0), (0.0, 4.95)]);
        assert!(
            stub.length() > 4.9 && stub.hairpins().len() == 1,
            "{stub:?}"
        );
        let short = path(&[(0.0, 0.0), (0.0, 5.0), (0.0, 4.5)]);
        assert!((4.9..8.0).contains(&short.length()), "{}", short.length());
    }

    #[test]
    fn actions_hold_until_the_next_is_named() {
        let point = |y: f64, action: Option<&str>| PathPoint {
            at: Vec2::new(0.0, y),
            action: action.map(str::to_owned),
        };
        let points = [
            point(0.0, Some("sneak")),
            point(1.0, None),
            point(2.0, Some("walk")),
            point(4.0, Some("run")),
            point(6.0, None),
        ];
        let path = FloorPath::new(&points, &HALF).unwrap();
        let sections: Vec<(f64, f64, &str)> = path
            .sections()
            .iter()
            .map(|(r, a)| (r.start, r.end, a.as_deref().unwrap()))
            .collect();
        let wanted = [(0.0, 2.0, "sneak"), (2.0, 4.0, "walk"), (4.0, 6.0, "run")];
        assert_eq!(sections.len(), 3);
        for (found, wanted) in sections.iter().zip(&wanted) {
            assert_eq!(found.2, wanted.2);
            assert!((found.0 - wanted.0).abs() < 0.05 && (found.1 - wanted.1).abs() < 0.05);
        }
        let double = path.scaled(2.0);
        assert!((double.length() - 12.0).abs() < 1e-9);
        assert!((double.sections()[1].0.start - 4.0).abs() < 0.1);
    }

    #[test]
    fn the_nearest_place_is_looked_for_within_a_range() {
        let cross = path(&[(0.0, 0.0), (0.0, 4.0), (2.0, 4.0), (2.0, 2.0), (-2.0, 2.0)]);
        let here = Vec2::new(0.05, 2.0);
        let (early, off) = cross.nearest(&here, 0.0..3.0);
        assert!((early - 2.0).abs() < 0.01 && (off - 0.05).abs() < 1e-6);
        let (late, _) = cross.nearest(&here, 6.0..cross.length());
        assert!(late > 7.0, "{late}: the second time");
    }

    #[test]
    fn every_refusal() {
        let new = |points: &[(f64, f64)], r: f64| {
            let points: Vec<PathPoint> = points.iter().map(|p| PathPoint::at(p.0, p.1)).collect();
            FloorPath::new(&points, &PathSettings { least_radius: r })
        };
        assert_eq!(new(&[], 1.0), Err(PathError::TooFew { found: 0 }));
        assert_eq!(new(&[(1.0, 1.0)], 1.0), Err(PathError::TooFew { found: 1 }));
        let nan = [(0.0, 0.0), (1.0, f64::NAN)];
        assert_eq!(new(&nan, 1.0), Err(PathError::NotFinite { point: 1 }));
        let huge = [(0.0, 0.0), (1e200, 0.0)];
        assert_eq!(new(&huge, 1.0), Err(PathError::NotFinite { point: 1 }));
        assert_eq!(new(&[(1.0, 1.0); 4], 1.0), Err(PathError::NoLength));
        assert_eq!(
            new(&[(0.0, 0.0), (1.0, 0.0)], -1.0),
            Err(PathError::Radius(-1.0))
        );
        let long = new(&[(0.0, 0.0), (1e6, 0.0)], 0.01);
        assert!(matches!(long, Err(PathError::TooLong { .. })));
        assert!(
            new(&[(0.0, 0.0), (0.0, 0.0), (0.001, 0.0)], 1.0).is_ok(),
            "shorter than a radius"
        );
        let scribble: Vec<(f64, f64)> = (0..300)
            .map(|i| {
                (
                    f64::from(i * 7919 % 13) * 0.1,
                    f64::from(i * 104_729 % 17) * 0.1,
                )
            })
            .collect();
        let scribble = new(&scribble, 0.5).unwrap();
        assert!(scribble.length().is_finite() && scribble.place(1.0).x.is_finite());
    }
}
