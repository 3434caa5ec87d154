//! The body's path over the floor, placed rather than drawn as speeds.
//!
//! A chart tells speeds and a turn rate, because a take may be shot anywhere. Varied as they are, small errors add up:
//! straight walks veered by 30 degrees in a cycle. So for the network the path is *placed*: where the body is and faces at each
//! moment, as any other degree of freedom.
//!
//! - A one-shot motion is placed relative to its first frame.
//! - A cycle goes on for ever, so its path is split: a steady *drift* (turn, way forward and way aside in a cycle), and where the
//!   body is beside that, which stays bounded.

use super::anatomy::Rate;

/// Heading and place in the plane (forward, left), frame by frame or phase by phase.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::variation) struct Path {
    pub(in crate::variation) headings: Vec<f64>,
    pub(in crate::variation) places: Vec<[f64; 2]>,
}

/// A path as the network sees it: phase by phase forward, left and heading beside the drift; and the drift in a cycle.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::variation) struct PlacedPath {
    pub(in crate::variation) beside: [Vec<f64>; 3],
    /// Forward, left, turn; over all phases. Nothing for one-shot motions.
    pub(in crate::variation) drift: [f64; 3],
}

/// A vector turned to the left.
fn turned([x, y]: [f64; 2], angle_rad: f64) -> [f64; 2] {
    let (sin, cos) = angle_rad.sin_cos();
    [cos * x - sin * y, sin * x + cos * y]
}

/// The three rates of a row in their units.
pub(in crate::variation) fn rates_of(row: &[f64], rates: &[Rate; 3]) -> [f64; 3] {
    rates.map(|rate| rate.mean + rate.scale * rate.dof.map_or(0.0, |dof| row[dof]))
}

/// Adds up the rates of a take.
pub(in crate::variation) fn path_of(
    rows: &[f64],
    n_dofs: usize,
    rates: &[Rate; 3],
    frame_secs: f64,
) -> Path {
    let (mut heading, mut place) = (0.0, [0.0; 2]);
    let mut path = Path {
        headings: Vec::new(),
        places: Vec::new(),
    };
    for (frame, row) in rows.chunks_exact(n_dofs).enumerate() {
        if frame > 0 {
            let [ahead, left, turning] = rates_of(row, rates).map(|rate| rate * frame_secs);
            let step = turned([ahead, left], heading + 0.5 * turning);
            place = [place[0] + step[0], place[1] + step[1]];
            heading += turning;
        }
        path.headings.push(heading);
        path.places.push(place);
    }
    path
}

/// What [`path_of`] would add up to a step from one frame to the next.
fn rates_between([from, to]: [(f64, [f64; 2]); 2], frame_secs: f64) -> [f64; 3] {
    let turning = to.0 - from.0;
    let moved = [to.1[0] - from.1[0], to.1[1] - from.1[1]];
    let [ahead, left] = turned(moved, -(from.0 + 0.5 * turning));
    [ahead, left, turning].map(|x| x / frame_secs)
}

/// The path of a one-shot motion, seen from its first frame.
pub(in crate::variation) fn from_start(path: &Path) -> PlacedPath {
    let (heading, origin) = (path.headings[0], path.places[0]);
    let seen = path
        .places
        .iter()
        .map(|p| turned([p[0] - origin[0], p[1] - origin[1]], -heading));
    let (forward, left) = seen.map(|[x, y]| (x, y)).unzip();
    let headings = path.headings.iter().map(|h| h - heading).collect();
    PlacedPath {
        beside: [forward, left, headings],
        drift: [0.0; 3],
    }
}

/// The path of one cycle beside its drift, which leads from its first frame to its last.
pub(in crate::variation) fn beside_drift(path: &Path) -> PlacedPath {
    let n = path.headings.len();
    let last = (n - 1) as f64;
    let turn = path.headings[n - 1] - path.headings[0];
    let course = |at: usize| path.headings[0] + turn * at as f64 / last;
    // The whole way, seen along the course: the steps that lead from the first place to the last if all are alike.
    let way = {
        let whole = [0, 1].map(|axis| path.places[n - 1][axis] - path.places[0][axis]);
        let unit = (1..n).fold([0.0; 2], |sum, at| {
            let step = turned([1.0 / last, 0.0], 0.5 * (course(at - 1) + course(at)));
            [sum[0] + step[0], sum[1] + step[1]]
        });
        // A unit step forward adds up to `unit`: the way is `whole` divided by that, as complex numbers.
        let norm = unit[0] * unit[0] + unit[1] * unit[1];
        if norm > 1e-9 {
            [
                (whole[0] * unit[0] + whole[1] * unit[1]) / norm,
                (whole[1] * unit[0] - whole[0] * unit[1]) / norm,
            ]
        } else {
            [0.0; 2]
        }
    };
    let mut on_course = path.places[0];
    let mut beside: [Vec<f64>; 3] = std::array::from_fn(|_| Vec::with_capacity(n));
    for at in 0..n {
        if at > 0 {
            let mid = 0.5 * (course(at - 1) + course(at));
            let step = turned([way[0] / last, way[1] / last], mid);
            on_course = [on_course[0] + step[0], on_course[1] + step[1]];
        }
        let off = [0, 1].map(|axis| path.places[at][axis] - on_course[axis]);
        let [forward, left] = turned(off, -course(at));
        beside[0].push(forward);
        beside[1].push(left);
        beside[2].push(path.headings[at] - course(at));
    }
    PlacedPath {
        beside,
        drift: [way[0], way[1], turn],
    }
}

/// Adds up drift while phases go by, and says where the body is.
#[derive(Debug, Clone, PartialEq, Default)]
struct Course {
    heading: f64,
    place: [f64; 2],
}

impl Course {
    /// On by a share of a cycle, with the drift of now.
    fn advance(&mut self, share: f64, drift: [f64; 3]) {
        let [ahead, left, turn] = drift.map(|x| x * share);
        let step = turned([ahead, left], self.heading + 0.5 * turn);
        self.place = [self.place[0] + step[0], self.place[1] + step[1]];
        self.heading += turn;
    }

    /// Heading and place of a body beside it: forward, left, heading.
    fn placed(&self, beside: [f64; 3]) -> (f64, [f64; 2]) {
        let off = turned([beside[0], beside[1]], self.heading);
        (
            self.heading + beside[2],
            [self.place[0] + off[0], self.place[1] + off[1]],
        )
    }
}

/// Turns where the body is, moment after moment, into speeds and a turn rate again.
#[derive(Debug, Clone, PartialEq, Default)]
pub(in crate::variation) struct Steps {
    course: Course,
    /// Heading and place of the last moment.
    last: Option<(f64, [f64; 2])>,
}

impl Steps {
    /// The three rates from the moment before to this one, a share of a run or round later; nothing before the first. `beside` and
    /// `drift` as in [`PlacedPath`].
    pub(in crate::variation) fn next(
        &mut self,
        share: f64,
        (beside, drift): ([f64; 3], [f64; 3]),
        frame_secs: f64,
    ) -> [f64; 3] {
        if self.last.is_some() {
            self.course.advance(share, drift);
        }
        let now = self.course.placed(beside);
        let before = self.last.replace(now).unwrap_or(now);
        rates_between([before, now], frame_secs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATES: [Rate; 3] = [
        Rate {
            dof: Some(0),
            mean: 1.2,
            scale: 0.5,
        },
        Rate {
            dof: Some(1),
            mean: 0.0,
            scale: 0.3,
        },
        Rate {
            dof: Some(2),
            mean: 0.1,
            scale: 0.4,
        },
    ];

    fn wavy() -> Vec<f64> {
        (0..60)
            .flat_map(|f| {
                let t = f64::from(f) * 0.2;
                [t.sin(), 0.4 * t.cos(), (0.7 * t).sin()]
            })
            .collect()
    }

    #[test]
    fn rates_come_back_from_the_path_they_make() {
        let rows = wavy();
        let path = path_of(&rows, 3, &RATES, 0.02);
        for frame in 1..60 {
            let ends = [frame - 1, frame].map(|f| (path.headings[f], path.places[f]));
            let found = rates_between(ends, 0.02);
            let meant = rates_of(&rows[frame * 3..], &RATES);
            for (a, b) in found.iter().zip(meant) {
                assert!((a - b).abs() < 1e-9, "{a} for {b} at {frame}");
            }
        }
    }

    #[test]
    fn a_cycle_is_put_together_again_from_drift_and_what_is_beside_it() {
        let path = path_of(&wavy(), 3, &RATES, 0.02);
        let split = beside_drift(&path);
        let mut course = Course::default();
        let mut placed = Vec::new();
        for at in 0..60 {
            if at > 0 {
                course.advance(1.0 / 59.0, split.drift);
            }
            placed.push(course.placed(std::array::from_fn(|i| split.beside[i][at])));
        }
        // The same path but for where it begins: all steps as seen by the body are the same.
        for frame in 1..60 {
            let made = rates_between([placed[frame - 1], placed[frame]], 1.0);
            let ends = [frame - 1, frame].map(|f| (path.headings[f], path.places[f]));
            let meant = rates_between(ends, 1.0);
            for (a, b) in made.iter().zip(meant) {
                assert!((a - b).abs() < 1e-9, "{a} for {b} at {frame}");
            }
        }
        let net = split.drift[2];
        assert!(split.beside[2].iter().all(|h| h.abs() < 1.0), "bounded");
        assert!(net.is_finite(), "{net}");
    }

    #[test]
    fn a_one_shot_motion_begins_at_the_origin() {
        let path = path_of(&wavy(), 3, &RATES, 0.02);
        let seen = from_start(&path);
        assert_eq!(seen.beside.each_ref().map(|c| c[0]), [0.0; 3]);
        assert_eq!(seen.drift, [0.0; 3], "no drift");
    }
}
