//! How the timeline looks.

use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, pos2, vec2};

use crate::app::shell::context::UiContext;
use crate::app::shell::session::ContactPick;
use crate::app::shell::theme::Colours;
use crate::app::shell::ui::short;
use crate::app::timeline::drag::TimelineDrag;
use crate::app::timeline::layout::{Layout, RULER, Row};
use crate::app::timeline::match_curve::Match;
use crate::app::timeline::scale::ruler_step;
use crate::app::timeline::state::TimelineState;
use crate::motion::cycles::Cycles;

/// Sizes of the names of clips, and of joints in lanes.
pub(in crate::app::timeline) const CLIP_NAME: f32 = 12.5;
pub(in crate::app::timeline) const LANE_NAME: f32 = 10.5;

/// Ruler, curve and rows in their places.
pub(in crate::app) fn all(
    painter: &Painter,
    cx: &UiContext,
    timeline: &TimelineState,
    layout: &Layout,
    colours: Colours,
) {
    let whole = layout.head.union(layout.body);
    let tracks = whole.with_min_x(layout.scale.left - 7.0);
    let over_tracks = painter.with_clip_rect(tracks);
    range(&over_tracks, cx, layout, colours);
    ruler(&over_tracks, cx, layout, colours);
    if layout.has_curve {
        curve(painter, cx, timeline, layout, colours);
    }
    for seen in &layout.rows {
        if seen.top < layout.body.bottom() && seen.top + seen.height() > layout.body.top() {
            names(painter, layout, seen, colours);
            row(painter, cx, timeline, layout, seen, colours);
        }
    }
    let x = layout.scale.x(cx.session.playhead_secs);
    playhead(&over_tracks, x, whole, colours);
}

fn words(painter: &Painter, at: Pos2, align: Align2, text: &str, size: f32, colour: Color32) {
    painter.text(at, align, text, FontId::proportional(size), colour);
}

/// In one line, ending in dots where there is no room for more.
fn elided(painter: &Painter, at: Pos2, text: &str, (size, wide): (f32, f32), colour: Color32) {
    let format = egui::TextFormat::simple(FontId::proportional(size), colour);
    let mut job = egui::text::LayoutJob::single_section(text.to_owned(), format);
    job.wrap = egui::text::TextWrapping::truncate_at_width(wide.max(8.0));
    let galley = painter.layout_job(job);
    let top = at - vec2(0.0, 0.5 * galley.size().y);
    painter.galley(top, galley, colour);
}

fn ruler(painter: &Painter, cx: &UiContext, layout: &Layout, colours: Colours) {
    const ROOM: f64 = 64.0;
    const MOST_TICKS: i64 = 400;
    let scale = &layout.scale;
    let fps = cx.counted_clip().map_or(30.0, |clip| clip.fps());
    let per_unit = if cx.session.shows_seconds {
        1.0
    } else {
        1.0 / fps
    };
    let units_wide = scale.span.wide_secs / per_unit;
    let mut step = ruler_step(units_wide * ROOM / f64::from(scale.width));
    if !cx.session.shows_seconds {
        step = step.max(1.0);
    }
    let tick_at = |secs: f64| secs / per_unit / step;
    let first = tick_at(scale.span.from_secs).floor() as i64;
    let last = tick_at(scale.span.from_secs + scale.span.wide_secs).ceil() as i64;
    let (top, bottom) = (layout.head.top(), layout.body.bottom());
    for tick in first.max(0)..=last.min(first.saturating_add(MOST_TICKS)) {
        let unit = tick as f64 * step;
        let x = scale.x(unit * per_unit);
        let line = [pos2(x, top + 13.0), pos2(x, bottom)];
        painter.line_segment(line, Stroke::new(1.0, colours.line.gamma_multiply(0.6)));
        let at = pos2(x + 3.0, top + 4.0);
        words(
            painter,
            at,
            Align2::LEFT_TOP,
            &short(unit),
            11.0,
            colours.weak,
        );
    }
}

fn range(painter: &Painter, cx: &UiContext, layout: &Layout, colours: Colours) {
    let Some((from, to)) = cx.session.range_secs else {
        return;
    };
    let (from, to) = (layout.scale.x(from), layout.scale.x(to));
    let (top, bottom) = (layout.head.top(), layout.body.bottom());
    let inside = Rect::from_x_y_ranges(from..=to, top..=bottom);
    painter.rect_filled(inside, 0.0, colours.given.gamma_multiply(0.12));
    for x in [from, to] {
        let line = [pos2(x, top), pos2(x, bottom)];
        painter.line_segment(line, Stroke::new(2.0, colours.given));
        let tab = Rect::from_center_size(pos2(x, top + 6.0), vec2(7.0, 12.0));
        painter.rect_filled(tab, 2.0, colours.given);
    }
}

fn curve(
    painter: &Painter,
    cx: &UiContext,
    timeline: &TimelineState,
    layout: &Layout,
    colours: Colours,
) {
    let rect = layout.curve();
    let names = rect.with_max_x(layout.scale.left - 7.0);
    let at = names.left_center() + vec2(8.0, 0.0);
    let clipped = painter.with_clip_rect(names);
    words(
        &clipped,
        at,
        Align2::LEFT_CENTER,
        "Cycle match",
        11.0,
        colours.weak,
    );
    let track = rect.with_min_x(layout.scale.left);
    let painter = painter.with_clip_rect(track.expand2(vec2(7.0, 0.0)));
    let Some(clip) = cx.active_clip() else {
        return;
    };
    match timeline.match_curves.of(clip).map(|curve| &**curve) {
        None => {}
        Some(Match::Ok(cycles)) => {
            scores(&painter, cycles, clip.fps(), layout, track, colours);
        }
        Some(Match::Err(why)) => {
            let at = track.left_center() + vec2(6.0, 0.0);
            let why = format!("no loop: {why}");
            words(&painter, at, Align2::LEFT_CENTER, &why, 11.0, colours.weak);
        }
    }
}

/// A hill where a loop can begin; the best places have a mark. One point for each pixel is enough.
fn scores(
    painter: &Painter,
    cycles: &Cycles,
    fps: f64,
    layout: &Layout,
    track: Rect,
    colours: Colours,
) {
    const MARKS: usize = 6;
    let scale = &layout.scale;
    let floor = track.bottom() - 2.0;
    let tall = track.height() - 5.0;
    let n_pixels = track.width().max(1.0) as usize;
    let mut line = Vec::with_capacity(n_pixels);
    let mut hill = egui::Mesh::default();
    let fill = colours.good.gamma_multiply(0.25);
    for pixel in 0..n_pixels {
        let x = track.left() + pixel as f32;
        let from = (scale.secs(x) * fps) as usize;
        let to = ((scale.secs(x + 1.0) * fps) as usize).max(from + 1);
        let Some(under) = cycles.scores.get(from..to.min(cycles.scores.len())) else {
            break;
        };
        let score = under.iter().copied().fold(0.0, f64::max);
        let y = floor - tall * score.clamp(0.0, 1.0) as f32;
        line.push(pos2(x, y));
        let strip = Rect::from_min_max(pos2(x, y), pos2(x + 1.0, floor));
        hill.add_colored_rect(strip, fill);
    }
    painter.add(Shape::mesh(hill));
    painter.add(Shape::line(line, Stroke::new(1.2, colours.good)));
    for cut in cycles.cuts.iter().take(MARKS) {
        let x = scale.x(cut.frames.start as f64 / fps);
        let top = track.top() + 1.0;
        let mark = vec![pos2(x - 3.5, top), pos2(x + 3.5, top), pos2(x, top + 5.0)];
        painter.add(Shape::convex_polygon(mark, colours.good, Stroke::NONE));
    }
}

/// On the left: the clip's name, and the joints of its lanes.
fn names(painter: &Painter, layout: &Layout, row: &Row, colours: Colours) {
    let body = layout.body;
    let column = body.with_max_x(layout.scale.left - 7.0);
    let painter = painter.with_clip_rect(column);
    let bar = row.bar(&layout.scale);
    let left = body.left() + 8.0;
    let swatch = Rect::from_center_size(pos2(left + 2.0, bar.center().y), vec2(4.0, 13.0));
    painter.rect_filled(swatch, 2.0, row.colour);
    let colour = if row.is_open {
        colours.selected
    } else {
        colours.text
    };
    let at = pos2(left + 10.0, bar.center().y);
    let name = &row.clip.info.name;
    let wide = column.right() - at.x - 4.0;
    elided(&painter, at, name, (CLIP_NAME, wide), colour);
    if row.is_open {
        for (number, joint) in row.lanes.iter().enumerate() {
            let name = row.clip.skeleton().joints().get(*joint);
            let name = name.map_or("", |joint| joint.name.as_str());
            let at = pos2(left + 10.0, row.lane(number).center().y);
            elided(&painter, at, name, (LANE_NAME, wide), colours.weak);
        }
    }
}

fn row(
    painter: &Painter,
    cx: &UiContext,
    timeline: &TimelineState,
    layout: &Layout,
    row: &Row,
    colours: Colours,
) {
    let scale = &layout.scale;
    let tracks = layout.body.with_min_x(scale.left - 7.0);
    let painter = painter.with_clip_rect(tracks);
    let bar = row.bar(scale);
    painter.rect_filled(bar, 3.0, row.colour.gamma_multiply(0.28));
    if row.is_open {
        for number in 0..row.lanes.len() {
            let lane = row.lane(number);
            let lane = Rect::from_x_y_ranges(bar.x_range(), lane.y_range());
            let ground = colours.raised.gamma_multiply(0.6);
            painter.rect_filled(lane.shrink2(vec2(0.0, 1.0)), 1.0, ground);
        }
    }
    tags(&painter, layout, row, bar, colours);
    let hold = timeline.drag.as_ref();
    let preview = hold.and_then(|hold| hold.preview(row.id, &row.contacts));
    let contacts = preview.as_deref().unwrap_or(&row.contacts);
    for contact in contacts {
        let Some(span) = row.contact(scale, contact) else {
            continue;
        };
        if span.right() < tracks.left() || span.left() > tracks.right() {
            continue;
        }
        painter.rect_filled(span, 2.0, row.colour);
        let is_it = |pick: &ContactPick| {
            pick.clip == row.id
                && pick.joint == contact.joint
                && contact.frames.contains(&pick.frame)
        };
        if row.is_open && cx.session.contact.as_ref().is_some_and(is_it) {
            let edge = Stroke::new(1.5, colours.selected);
            painter.rect_stroke(span, 2.0, edge, egui::StrokeKind::Outside);
        }
    }
    ends(&painter, bar, row.colour);
    if let Some(TimelineDrag::Trim { clip, frames, .. }) = hold
        && *clip == row.id
    {
        cut_off(&painter, layout, row, frames, colours);
    }
}

/// Small handles where the clip can be trimmed.
fn ends(painter: &Painter, bar: Rect, colour: Color32) {
    for x in [bar.left(), bar.right()] {
        let handle = Rect::from_center_size(pos2(x, bar.center().y), vec2(4.0, bar.height()));
        painter.rect_filled(handle, 2.0, colour.gamma_multiply(0.8));
    }
}

fn tags(painter: &Painter, layout: &Layout, row: &Row, bar: Rect, colours: Colours) {
    let seen = bar.intersect(layout.body.with_min_x(layout.scale.left));
    if !row.is_open || row.clip.info.tags.is_empty() || seen.width() < 40.0 {
        return;
    }
    let tags: Vec<&str> = row.clip.info.tags.iter().map(String::as_str).collect();
    let painter = painter.with_clip_rect(seen);
    let at = seen.left_center() + vec2(8.0, 0.0);
    let tags = tags.join(", ");
    words(&painter, at, Align2::LEFT_CENTER, &tags, 11.0, colours.text);
}

/// What a trim would take away is dark, and what it would keep is said.
fn cut_off(
    painter: &Painter,
    layout: &Layout,
    row: &Row,
    frames: &std::ops::Range<usize>,
    colours: Colours,
) {
    let bar = row.bar(&layout.scale);
    let bottom = row.top + row.height() - 4.0;
    let (from, to) = (
        layout.scale.x(row.secs(frames.start)),
        layout.scale.x(row.secs(frames.end)),
    );
    for (left, right) in [(bar.left(), from), (to, bar.right())] {
        if right > left {
            let gone = Rect::from_min_max(pos2(left, bar.top()), pos2(right, bottom));
            painter.rect_filled(gone, 2.0, colours.sunken.gamma_multiply(0.85));
        }
    }
    let n = frames.len();
    let kept = format!("{n} frames, {} to {}", frames.start, frames.end - 1);
    let at = pos2(0.5 * (from + to), bar.center().y);
    words(
        painter,
        at,
        Align2::CENTER_CENTER,
        &kept,
        11.5,
        colours.selected,
    );
}

fn playhead(painter: &Painter, x: f32, rect: Rect, colours: Colours) {
    let colour = colours.generated;
    let top = rect.top();
    let line = [pos2(x, top), pos2(x, rect.bottom())];
    painter.line_segment(line, Stroke::new(1.5, colour));
    let low = top + 0.4 * RULER;
    let head = vec![pos2(x - 5.0, top), pos2(x + 5.0, top), pos2(x, low)];
    painter.add(Shape::convex_polygon(head, colour, Stroke::NONE));
}
