//! Corners of a drawn line, rounded.
//!
//! The line is sampled finely and shortened where it bends too much: a sample whose circle through its neighbours is
//! too small moves towards the middle of them, until none is left. That leaves gentle parts as they were drawn, makes
//! arcs of the least radius out of corners, and does not care how many points there were. Bows and loops that turn by
//! more than a corner does would be shortened away, so they stay as tight as they were drawn; tips at which the line
//! turns back on itself become loops first.

use std::f64::consts::FRAC_PI_2;

use super::{Vec2, direction, heading_of, turned};
use crate::motion::rotation::wrap;

/// Samples in one radius.
const PER_RADIUS: f64 = 12.0;
/// Bends this much tighter than asked for are let through.
const TOLERANCE: f64 = 1.02;
/// Shortening is given up after so many rounds.
const MOST_ROUNDS: usize = 3000;
/// Every so many rounds samples are spaced evenly again.
const SPACE_AGAIN: usize = 40;
/// The line turns back on itself where it turns by more than this within two radii.
const HAIRPIN_RAD: f64 = 2.4;

/// What turns by more than this within half a circle of the least radius is a bow that is meant, not a corner.
const BOW_RAD: f64 = 2.5;
/// Loops are made a little wider than asked for, and this many times as long as their radius.
const LOOP_WIDER: f64 = 1.05;
const LOOP_LENGTH: f64 = 2.9;

/// A line of many samples.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Dense {
    pub(super) places: Vec<Vec2>,
    /// The length of the drawn line that each stands for; does not fall.
    pub(super) drawn: Vec<f64>,
}

/// A line without corners.
#[derive(Debug)]
pub(super) struct Rounded {
    pub(super) curve: Dense,
    /// Tips with the length at which they were drawn.
    pub(super) hairpins: Vec<(Vec2, f64)>,
    /// How far apart both lines are, at most.
    pub(super) left_by: f64,
}

/// Rounds a line of at least two points that differ.
pub(super) fn rounded(points: &[Vec2], radius: f64) -> Rounded {
    let drawn = Dense::of(points, Dense::step(radius));
    let mut curve = drawn.clone();
    let hairpins = looped(&mut curve, radius);
    curve.respace(Dense::step(radius));
    for round in 0..MOST_ROUNDS {
        if !curve.shorten(radius) {
            break;
        }
        if round % SPACE_AGAIN == SPACE_AGAIN - 1 {
            curve.respace(Dense::step(radius));
        }
    }
    curve.respace(Dense::step(radius));
    let left_by = curve.apart(&drawn, radius).max(drawn.apart(&curve, radius));
    Rounded {
        curve,
        hairpins,
        left_by,
    }
}

impl Dense {
    /// How far apart samples are.
    pub(super) fn step(radius: f64) -> f64 {
        radius / PER_RADIUS
    }

    fn of(points: &[Vec2], step: f64) -> Self {
        let mut arc = 0.0;
        let mut drawn = vec![0.0];
        for pair in points.windows(2) {
            arc += (pair[1] - pair[0]).norm();
            drawn.push(arc);
        }
        let mut line = Self {
            places: points.to_vec(),
            drawn,
        };
        line.respace(step);
        line
    }

    /// Even steps, as near to the given one as the length allows; both ends stay.
    fn respace(&mut self, step: f64) {
        let mut arcs = vec![0.0];
        for pair in self.places.windows(2) {
            arcs.push(arcs[arcs.len() - 1] + (pair[1] - pair[0]).norm());
        }
        let last = self.places.len() - 1;
        let length = arcs[last];
        let n = ((length / step).round() as usize).max(2);
        let mut at = 0;
        let (mut places, mut drawn) = (Vec::with_capacity(n + 1), Vec::with_capacity(n + 1));
        for i in 0..=n {
            let arc = length * i as f64 / n as f64;
            while at + 2 <= last && arcs[at + 1] < arc {
                at += 1;
            }
            let span = (arcs[at + 1] - arcs[at]).max(f64::MIN_POSITIVE);
            let share = ((arc - arcs[at]) / span).clamp(0.0, 1.0);
            places.push(self.places[at].lerp(&self.places[at + 1], share));
            drawn.push(self.drawn[at] + (self.drawn[at + 1] - self.drawn[at]) * share);
        }
        *self = Self { places, drawn };
    }

    /// Moves every sample that bends too much; says whether there was one.
    fn shorten(&mut self, radius: f64) -> bool {
        let most = TOLERANCE / radius;
        let n = self.places.len();
        let courses: Vec<f64> = self
            .places
            .windows(2)
            .map(|p| heading_of(&(p[1] - p[0])))
            .collect();
        // Turns up to each sample, so that the turn of any part is one difference.
        let mut turned = vec![0.0; n + 1];
        for at in 1..=n {
            let inner = at < n && at > 1;
            let turn = if inner {
                wrap(courses[at - 1] - courses[at - 2])
            } else {
                0.0
            };
            turned[at] = turned[at - 1] + turn;
        }
        let reach = (PER_RADIUS * FRAC_PI_2).round() as usize;
        let mut any = false;
        // Where a sample was before its turn came, so that both directions are treated alike.
        let mut before = self.places[0];
        for at in 1..n - 1 {
            let (here, after) = (self.places[at], self.places[at + 1]);
            let lengths = (here - before).norm() + (after - here).norm();
            let turn = (turned[at + 1] - turned[at]).abs();
            let (from, to) = (at.saturating_sub(reach), (at + reach + 1).min(n));
            let is_corner = (turned[to] - turned[from]).abs() < BOW_RAD;
            if lengths > 0.0 && turn > 0.5 * most * lengths && is_corner {
                any = true;
                self.places[at] = here * 0.5 + (before + after) * 0.25;
            }
            before = here;
        }
        any
    }

    /// The largest distance of a sample from another line, looked for where that stands for about the same drawn
    /// length.
    fn apart(&self, other: &Self, radius: f64) -> f64 {
        let around = 6.0 * radius;
        let mut most: f64 = 0.0;
        for (place, drawn) in self.places.iter().zip(&self.drawn) {
            let from = other.drawn.partition_point(|d| *d < drawn - around);
            let to = other.drawn.partition_point(|d| *d <= drawn + around);
            let near = other.places[from.min(to)..to].windows(2);
            let nearest = near.map(|pair| {
                let way = pair[1] - pair[0];
                let share = way.dot(&(place - pair[0])) / way.norm_squared().max(1e-300);
                (pair[0] + way * share.clamp(0.0, 1.0) - place).norm()
            });
            let nearest = nearest.fold(f64::INFINITY, f64::min);
            if nearest.is_finite() {
                most = most.max(nearest);
            }
        }
        most
    }
}

/// Puts a loop in place of every tip at which the line turns back, as wide as there is room for; stubs without room are
/// cut off.
fn looped(line: &mut Dense, radius: f64) -> Vec<(Vec2, f64)> {
    let reach = PER_RADIUS as usize;
    let (old, last) = (line.clone(), line.places.len() - 1);
    let course = |from: usize, to: usize| heading_of(&(old.places[to] - old.places[from]));
    let mut tips = Vec::new();
    let mut made = Dense {
        places: Vec::new(),
        drawn: Vec::new(),
    };
    let (mut copied, mut at) = (0, 1);
    while at < last {
        let (from, to) = (at.saturating_sub(reach), (at + reach).min(last));
        let turn = wrap(course(at, to) - course(from, at));
        if turn.abs() < HAIRPIN_RAD {
            at += 1;
            continue;
        }
        // The tip itself is the sharpest of the places around.
        let sharp = |i: usize| wrap(course(i, (i + 1).min(last)) - course(i.saturating_sub(1), i));
        let around = at.saturating_sub(2).max(1)..(at + reach).min(last);
        let tip = around
            .max_by(|&a, &b| sharp(a).abs().total_cmp(&sharp(b).abs()))
            .unwrap_or(at);
        tips.push((old.places[tip], old.drawn[tip]));
        let wanted = (LOOP_WIDER * LOOP_LENGTH * PER_RADIUS).ceil() as usize;
        let room = wanted.min(tip.saturating_sub(copied)).min(last - tip);
        if room >= LEAST_ROOM {
            made.add(&old, copied..tip - room + 1);
            let circle = (room as f64 / (LOOP_LENGTH * PER_RADIUS)).min(LOOP_WIDER) * radius;
            let side = if sharp(tip) < 0.0 { -1.0 } else { 1.0 };
            made.add_loop(&old, tip - room..tip + room, tip, side * circle);
            copied = tip + room;
        } else if last - tip < LEAST_ROOM {
            made.add(&old, copied..tip + 1);
            *line = made;
            return tips;
        } else if made.places.is_empty() {
            copied = tip;
        }
        at = (tip + reach).max(copied + 1);
    }
    made.add(&old, copied..last + 1);
    *line = made;
    tips
}

/// Fewer samples than these are no room for a loop.
const LEAST_ROOM: usize = 6;

impl Dense {
    fn add(&mut self, other: &Self, samples: std::ops::Range<usize>) {
        self.places
            .extend_from_slice(&other.places[samples.clone()]);
        self.drawn.extend_from_slice(&other.drawn[samples]);
    }

    /// A loop about a tip: out to one side, round a circle, and back from the other side. A negative radius turns
    /// right.
    fn add_loop(&mut self, old: &Self, span: std::ops::Range<usize>, tip: usize, radius: f64) {
        let (circle, side) = (radius.abs(), radius.signum());
        let ahead = heading_of(&(old.places[tip] - old.places[span.start]));
        let centre = old.places[tip] - direction(ahead) * circle;
        // A line from nearly three radii before the tip touches the circle two thirds of a half-turn before its far
        // end.
        let (first, whole) = (2.1_f64, 4.2_f64);
        let n = (whole * PER_RADIUS).ceil() as usize;
        for i in 0..=n {
            let angle = -first + whole * i as f64 / n as f64;
            let spoke = turned(&direction(ahead), side * angle) * circle;
            self.places.push(centre + spoke);
            let share = (i + 1) as f64 / (n + 2) as f64;
            let drawn =
                old.drawn[span.start] + (old.drawn[span.end] - old.drawn[span.start]) * share;
            self.drawn.push(drawn);
        }
    }
}
