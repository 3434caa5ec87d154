//! Plots as SVG inside a page; colours come from the page's style.

use std::fmt::Write as _;

use crate::motion::{Axis, Clip, Site, WorldPose, body, edit};
use crate::study::anova::Summary;
use crate::study::measures::Range;

use super::{TO_STRING, escape};

/// One line of a strip plot.
pub(super) struct Strip<'a> {
    pub(super) name: &'a str,
    /// The value of each clip, or nothing for measures of whole sets.
    pub(super) values: Vec<f64>,
    pub(super) mean: Option<f64>,
    /// How it is coloured: `given` or `made`.
    pub(super) class: &'static str,
}

const WIDTH: f64 = 720.0;
const LEFT: f64 = 150.0;
const RIGHT: f64 = 20.0;
const LINE: f64 = 24.0;
const TOP: f64 = 8.0;

/// Where values stand between the edges of a plot.
struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    /// Over all values, with some room at both ends.
    fn of(values: impl Iterator<Item = f64> + Clone, from: f64, to: f64) -> Self {
        let low = values.clone().fold(f64::INFINITY, f64::min);
        let high = values.fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        let room = 0.05 * (high - low).max(1e-9 + 0.02 * high.abs());
        Self {
            low: low - room,
            high: high + room,
            from,
            to,
        }
    }

    fn at(&self, value: f64) -> f64 {
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// Round numbers to write beside the axis.
    fn ticks(&self) -> Vec<f64> {
        let rough = (self.high - self.low) / 5.0;
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power);
        let step = step.into_iter().find(|s| *s >= rough).unwrap_or(rough);
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step).floor() as i64;
        (first..=last.min(first + 20))
            .map(|i| i as f64 * step)
            .collect()
    }
}

/// Every set as a line of dots, one for each clip, with its mean; what real clips have is shaded.
pub(super) fn strips(lines: &[Strip<'_>], range: Option<Range>) -> String {
    let height = TOP + LINE * lines.len() as f64 + 22.0;
    let all = lines
        .iter()
        .flat_map(|line| line.values.iter().copied().chain(line.mean));
    let ends = range.into_iter().flat_map(|r| [r.low, r.high]);
    let all: Vec<f64> = all.chain(ends).filter(|v| v.is_finite()).collect();
    let x = Scale::of(all.iter().copied(), LEFT, WIDTH - RIGHT);
    let bottom = TOP + LINE * lines.len() as f64;
    let mut svg = format!("<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\">");
    if let Some(range) = range {
        let (from, to) = (x.at(range.low), x.at(range.high));
        write!(
            svg,
            "<rect class=\"real\" x=\"{:.1}\" y=\"{TOP}\" width=\"{:.1}\" height=\"{:.1}\"/>",
            from - 1.0,
            to - from + 2.0,
            bottom - TOP
        )
        .expect(TO_STRING);
    }
    for tick in x.ticks() {
        let at = x.at(tick);
        write!(
            svg,
            "<path class=\"tick\" d=\"M{at:.1} {TOP}V{bottom}\"/><text class=\"soft\" x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            bottom + 15.0,
            short(tick)
        )
        .expect(TO_STRING);
    }
    for (at, line) in lines.iter().enumerate() {
        strip(&mut svg, &x, TOP + LINE * (at as f64 + 0.5), line);
    }
    svg.push_str("</svg>");
    svg
}

fn strip(svg: &mut String, x: &Scale, y: f64, line: &Strip<'_>) {
    write!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
        LEFT - 10.0,
        y + 4.0,
        escape(line.name)
    )
    .expect(TO_STRING);
    for (at, value) in line.values.iter().enumerate() {
        // Spread a little, always in the same way, so that equal values do not hide each other.
        let shift = ((at * 7 % 5) as f64 - 2.0) * 2.0;
        write!(
            svg,
            "<circle class=\"{}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\"/>",
            line.class,
            x.at(*value),
            y + shift
        )
        .expect(TO_STRING);
    }
    if let Some(mean) = line.mean {
        write!(
            svg,
            "<path class=\"mean {}\" d=\"M{:.1} {:.1}v16\"/>",
            line.class,
            x.at(mean),
            y - 8.0
        )
        .expect(TO_STRING);
    }
}

/// Notched boxes beside each other, as in Fig. 8 of the paper, with means and their confidence intervals.
pub(super) fn boxes(groups: &[Summary], low: f64, high: f64) -> String {
    const HEIGHT: f64 = 300.0;
    const STEP: f64 = 150.0;
    const HALF: f64 = 34.0;
    let width = 60.0 + STEP * groups.len() as f64;
    let y = Scale {
        low: low - 0.4,
        high: high + 0.4,
        from: HEIGHT - 34.0,
        to: 10.0,
    };
    let mut svg = format!(
        "<svg viewBox=\"0 0 {width} {HEIGHT}\" style=\"max-width:{width}px\" role=\"img\">"
    );
    for score in low as i64..=high as i64 {
        let at = y.at(score as f64);
        write!(
            svg,
            "<path class=\"tick\" d=\"M36 {at:.1}H{width}\"/><text class=\"soft\" x=\"28\" y=\"{:.1}\" text-anchor=\"end\">{score}</text>",
            at + 4.0
        )
        .expect(TO_STRING);
    }
    for (at, group) in groups.iter().enumerate() {
        let x = 50.0 + STEP * (at as f64 + 0.5);
        let b = &group.box_plot;
        let [q1, q3, w1, w3, m] = [
            b.quartiles.0,
            b.quartiles.1,
            b.whiskers.0,
            b.whiskers.1,
            b.median,
        ]
        .map(|v| y.at(v));
        // A notch that is wider than the box is cut off at its ends: folded corners read as a mistake.
        let (n1, n3) = (y.at(b.notch.0).min(q1), y.at(b.notch.1).max(q3));
        let (l, r, il, ir) = (x - HALF, x + HALF, x - HALF * 0.5, x + HALF * 0.5);
        write!(
            svg,
            "<path class=\"whisker\" d=\"M{x} {q1:.1}V{w1:.1}M{x} {q3:.1}V{w3:.1}M{il} {w1:.1}H{ir}M{il} {w3:.1}H{ir}\"/>\
             <path class=\"box\" d=\"M{l} {q1:.1}L{l} {n1:.1}L{il} {m:.1}L{l} {n3:.1}L{l} {q3:.1}H{r}L{r} {n3:.1}L{ir} {m:.1}L{r} {n1:.1}L{r} {q1:.1}Z\"/>\
             <path class=\"median\" d=\"M{il} {m:.1}H{ir}\"/>"
        )
        .expect(TO_STRING);
        for outlier in &b.outliers {
            write!(
                svg,
                "<circle class=\"outlier\" cx=\"{x}\" cy=\"{:.1}\" r=\"3\"/>",
                y.at(*outlier)
            )
            .expect(TO_STRING);
        }
        let beside = r + 16.0;
        if let Some((from, to)) = group.interval {
            write!(
                svg,
                "<path class=\"mean given\" d=\"M{beside} {:.1}V{:.1}\"/>",
                y.at(from),
                y.at(to)
            )
            .expect(TO_STRING);
        }
        write!(
            svg,
            "<circle class=\"given\" cx=\"{beside}\" cy=\"{:.1}\" r=\"4\"/><text x=\"{x}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            y.at(group.mean),
            HEIGHT - 10.0,
            escape(&group.name)
        )
        .expect(TO_STRING);
    }
    svg.push_str("</svg>");
    svg
}

/// A character at a frame, from three quarters; a joint may be marked.
pub(super) fn figure(clip: &Clip, frame: usize, joint: Option<usize>) -> Option<String> {
    const SIZE: f64 = 150.0;
    /// For the mark on a joint at the edge.
    const ROOM: f64 = 18.0;
    let clip = edit::set_up(clip, Axis::Y).ok()?;
    let skeleton = clip.skeleton();
    let world = WorldPose::of(skeleton, clip.frame(frame.min(clip.n_frames() - 1)));
    let per_unit = 0.84 * SIZE / body::height(&clip);
    let root = world.positions[0];
    let (sin, cos) = 0.7_f64.sin_cos();
    let seen = |site: Site| {
        let p = world.site(skeleton, site) - root;
        let (x, z) = (cos * p.x + sin * p.z, cos * p.z - sin * p.x);
        (x * per_unit, -(p.y - 0.12 * z) * per_unit)
    };
    let fingers = body::uncaptured_fingers(&clip);
    let is_drawn = |site: &Site| !fingers.contains(&skeleton.carrier(*site));
    // All of it is seen, wherever the hips are: a jump has them higher and a stoop lower than a walk.
    let places: Vec<(f64, f64)> = skeleton.sites().filter(is_drawn).map(seen).collect();
    let ends = |values: &mut dyn Iterator<Item = f64>| {
        let ends = |(low, high): (f64, f64), v: f64| (low.min(v), high.max(v));
        values.fold((f64::INFINITY, f64::NEG_INFINITY), ends)
    };
    let (left, right) = ends(&mut places.iter().map(|p| p.0));
    let (top, bottom) = ends(&mut places.iter().map(|p| p.1));
    let side = SIZE.max(right - left + ROOM).max(bottom - top + ROOM);
    let (x, y) = ((left + right - side) / 2.0, (top + bottom - side) / 2.0);
    let mut svg = format!(
        "<svg class=\"figure\" viewBox=\"{x:.1} {y:.1} {side:.1} {side:.1}\" role=\"img\">\
         <path class=\"bones\" d=\""
    );
    for site in skeleton.sites().filter(is_drawn) {
        let carrier = skeleton.carrier(site);
        let parent = match site {
            Site::Joint(joint) => skeleton.joints()[joint].parent,
            Site::End(_) => Some(carrier),
        };
        let Some(parent) = parent else { continue };
        let (a, b) = (seen(Site::Joint(parent)), seen(site));
        write!(svg, "M{:.1} {:.1}L{:.1} {:.1}", a.0, a.1, b.0, b.1).expect(TO_STRING);
    }
    svg.push_str("\"/>");
    if let Some(joint) = joint.filter(|j| *j < skeleton.n_joints()) {
        let at = seen(Site::Joint(joint));
        write!(
            svg,
            "<circle class=\"mark\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"7\"/>",
            at.0, at.1
        )
        .expect(TO_STRING);
    }
    svg.push_str("</svg>");
    Some(svg)
}

/// A number of a scale: without zeros at its end.
fn short(tick: f64) -> String {
    let text = super::number(tick);
    if text.contains('.') && !text.contains('e') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}
