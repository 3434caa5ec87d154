//! The timeline: a ruler to scrub on, and a row for each selected clip with its contacts.
//!
//! Dragging scrubs, the wheel zooms about the pointer (shift: moves), a double-click sets the play range to the contact
//! or the clip under it, and the ends of the range can be dragged.

use std::sync::Arc;

use egui::{Align2, Color32, FontId, Pos2, Rect, Sense, Stroke, pos2, vec2};

use crate::app::session::{Session, Span};
use crate::app::studio::Studio;
use crate::app::theme::Colours;
use crate::document::ClipId;
use crate::motion::{Clip, Contact};

const RULER: f32 = 22.0;
const ROW: f32 = 26.0;
/// How near to the end of the range a drag has to start to take it.
const GRIP: f32 = 6.0;

/// From seconds to pixels and back.
#[derive(Debug, Clone, Copy)]
struct Scale {
    span: Span,
    left: f32,
    width: f32,
}

impl Scale {
    fn x(&self, secs: f64) -> f32 {
        let share = (secs - self.span.from_secs) / self.span.wide_secs;
        self.left + share as f32 * self.width
    }

    fn secs(&self, x: f32) -> f64 {
        let share = f64::from((x - self.left) / self.width.max(1.0));
        self.span.from_secs + share * self.span.wide_secs
    }
}

/// What a drag moves; remembered by egui between frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Grip {
    Playhead,
    Start,
    End,
}

/// Draws ruler and rows.
pub fn timeline_ui(ui: &mut egui::Ui, studio: &mut Studio) {
    let size = ui.available_size();
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Slider, true, "Timeline"));
    let length = studio.length_secs();
    let colours = Colours::of(ui);
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 3.0, colours.sunken);
    if length <= 0.0 {
        painter.text(
            rect.center(),
            Align2::CENTER_CENTER,
            "Select a clip to see it over time",
            FontId::proportional(13.0),
            colours.weak,
        );
        return;
    }
    let names = 120.0_f32.min(0.2 * rect.width());
    let track = Rect::from_min_max(rect.min + vec2(names, 0.0), rect.max - vec2(8.0, 0.0));
    let whole = Span {
        from_secs: 0.0,
        wide_secs: length,
    };
    let scale = Scale {
        span: studio.session.span.unwrap_or(whole),
        left: track.left(),
        width: track.width(),
    };
    let rows = shown_rows(studio, rect.height());
    input(ui, &response, studio, &scale, &rows, length, rect.top());
    let clipped = painter.with_clip_rect(track.expand2(vec2(7.0, 0.0)));
    range_ui(&clipped, &studio.session, &scale, rect, colours);
    ruler_ui(&clipped, studio, &scale, rect, colours);
    for (row, (id, clip)) in rows.iter().enumerate() {
        let top = rect.top() + RULER + row as f32 * ROW;
        let at = Rect::from_min_size(pos2(rect.left(), top), vec2(rect.width(), ROW));
        painter
            .with_clip_rect(at.with_max_x(track.left() - 6.0))
            .text(
                at.left_center() + vec2(8.0, 0.0),
                Align2::LEFT_CENTER,
                &clip.info.name,
                FontId::proportional(12.5),
                colours.text,
            );
        let facts = studio.facts.of(*id, clip);
        let contacts = facts.map_or(clip.contacts(), |facts| &facts.contacts);
        row_ui(&clipped, clip, contacts, &scale, at, colours);
    }
    let hidden = studio.session.selection.len().saturating_sub(rows.len());
    if hidden > 0 {
        let words = format!("and {hidden} more");
        let at = rect.left_bottom() + vec2(8.0, -2.0);
        painter.text(
            at,
            Align2::LEFT_BOTTOM,
            words,
            FontId::proportional(11.0),
            colours.weak,
        );
    }
    playhead_ui(
        &clipped,
        scale.x(studio.session.playhead_secs),
        rect,
        colours,
    );
}

fn shown_rows(studio: &Studio, height: f32) -> Vec<(ClipId, Arc<Clip>)> {
    let n = (((height - RULER) / ROW).floor().max(0.0)) as usize;
    // The active clip comes first, so that it is seen however small the timeline is.
    let active = studio.session.active.into_iter();
    let others = studio.session.selection.iter().copied();
    let others = others.filter(|id| Some(*id) != studio.session.active);
    active
        .chain(others)
        .take(n)
        .filter_map(|id| Some((id, Arc::clone(studio.document().clip(id)?))))
        .collect()
}

fn input(
    ui: &egui::Ui,
    response: &egui::Response,
    studio: &mut Studio,
    scale: &Scale,
    rows: &[(ClipId, Arc<Clip>)],
    length: f64,
    top: f32,
) {
    let id = response.id.with("grip");
    let pointer = response.interact_pointer_pos();
    if let Some(at) = pointer {
        let secs = scale.secs(at.x).clamp(0.0, length);
        if response.drag_started() || response.clicked() {
            let grip = grip_at(&studio.session, scale, response, at);
            ui.data_mut(|data| data.insert_temp(id, grip as u8));
        }
        if response.double_clicked() {
            studio.session.range_secs = Some(stretch_at(studio, rows, at, top, secs, length));
        } else if response.dragged() || response.clicked() {
            let grip = ui.data(|data| data.get_temp::<u8>(id)).unwrap_or_default();
            drag(&mut studio.session, grip, secs, length);
        }
    }
    if response.hovered() {
        zoom(ui, response, &mut studio.session, scale, length);
    }
}

fn grip_at(session: &Session, scale: &Scale, response: &egui::Response, at: Pos2) -> Grip {
    let from = response.ctx.input(|input| input.pointer.press_origin());
    let x = from.unwrap_or(at).x;
    let near = |secs: f64| (scale.x(secs) - x).abs() < GRIP;
    match session.range_secs {
        Some((_, to)) if near(to) => Grip::End,
        Some((from, _)) if near(from) => Grip::Start,
        _ => Grip::Playhead,
    }
}

fn drag(session: &mut Session, grip: u8, secs: f64, length: f64) {
    const SHORTEST: f64 = 0.01;
    match (grip, &mut session.range_secs) {
        (g, Some((from, to))) if g == Grip::Start as u8 => {
            *from = secs.min(*to - SHORTEST).max(0.0);
        }
        (g, Some((from, to))) if g == Grip::End as u8 => {
            *to = secs.max(*from + SHORTEST).min(length);
        }
        _ => session.playhead_secs = secs,
    }
}

/// The contact under the pointer, or else the clip of the row, or else everything.
fn stretch_at(
    studio: &Studio,
    rows: &[(ClipId, Arc<Clip>)],
    at: Pos2,
    top: f32,
    secs: f64,
    length: f64,
) -> (f64, f64) {
    let row = (at.y - top - RULER) / ROW;
    let Some((id, clip)) = (row >= 0.0).then(|| rows.get(row as usize)).flatten() else {
        return (0.0, length);
    };
    let facts = studio.facts.of(*id, clip);
    let contacts = facts.map_or(clip.contacts(), |facts| &facts.contacts);
    let frame = (secs * clip.fps()) as usize;
    let mut under = contacts.iter().filter(|c| c.frames.contains(&frame));
    match under.next() {
        Some(c) => (
            c.frames.start as f64 / clip.fps(),
            c.frames.end as f64 / clip.fps(),
        ),
        None => (0.0, clip.seconds()),
    }
}

fn zoom(
    ui: &egui::Ui,
    response: &egui::Response,
    session: &mut Session,
    scale: &Scale,
    length: f64,
) {
    let (scroll, is_shift) = ui.input(|i| (i.smooth_scroll_delta(), i.modifiers.shift));
    let Some(at) = response.hover_pos() else {
        return;
    };
    let Span {
        mut from_secs,
        mut wide_secs,
    } = scale.span;
    let sideways = if is_shift && scroll.x == 0.0 {
        scroll.y
    } else {
        scroll.x
    };
    if sideways != 0.0 {
        from_secs -= f64::from(sideways / scale.width.max(1.0)) * wide_secs;
    } else if scroll.y != 0.0 {
        let fixed = scale.secs(at.x);
        let share = (fixed - from_secs) / wide_secs;
        wide_secs = (wide_secs * f64::from(-scroll.y * 0.004).exp()).clamp(0.05, length.max(0.05));
        from_secs = fixed - share * wide_secs;
    } else {
        return;
    }
    from_secs = from_secs.clamp(0.0, (length - wide_secs).max(0.0));
    let is_whole = wide_secs >= length;
    session.span = (!is_whole).then_some(Span {
        from_secs,
        wide_secs,
    });
}

/// A step for the ruler that leaves this much room for its numbers: 1, 2 or 5 times a power of ten.
fn ruler_step(smallest: f64) -> f64 {
    let tens = 10f64.powf(smallest.max(1e-6).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|lead| lead * tens);
    steps
        .into_iter()
        .find(|step| *step >= smallest)
        .unwrap_or(10.0 * tens)
}

fn ruler_ui(painter: &egui::Painter, studio: &Studio, scale: &Scale, rect: Rect, colours: Colours) {
    const ROOM: f64 = 64.0;
    let fps = studio.active_clip().map_or(30.0, |clip| clip.fps());
    let per_unit = if studio.session.shows_seconds {
        1.0
    } else {
        1.0 / fps
    };
    let units_wide = scale.span.wide_secs / per_unit;
    let mut step = ruler_step(units_wide * ROOM / f64::from(scale.width.max(1.0)));
    if !studio.session.shows_seconds {
        step = step.max(1.0);
    }
    let tick_at = |secs: f64| secs / per_unit / step;
    let first = tick_at(scale.span.from_secs).floor() as i64;
    let last = tick_at(scale.span.from_secs + scale.span.wide_secs).ceil() as i64;
    for tick in first..=last.min(first + 400) {
        let unit = tick as f64 * step;
        if unit < 0.0 {
            continue;
        }
        let x = scale.x(unit * per_unit);
        let line = [pos2(x, rect.top() + 13.0), pos2(x, rect.bottom())];
        painter.line_segment(line, Stroke::new(1.0, colours.line.gamma_multiply(0.6)));
        let at = pos2(x + 3.0, rect.top() + 4.0);
        let words = super::library::short(unit);
        painter.text(
            at,
            Align2::LEFT_TOP,
            words,
            FontId::proportional(11.0),
            colours.weak,
        );
    }
}

fn range_ui(
    painter: &egui::Painter,
    session: &Session,
    scale: &Scale,
    rect: Rect,
    colours: Colours,
) {
    let Some((from, to)) = session.range_secs else {
        return;
    };
    let (from, to) = (scale.x(from), scale.x(to));
    let inside = Rect::from_x_y_ranges(from..=to, rect.y_range());
    painter.rect_filled(inside, 0.0, colours.given.gamma_multiply(0.12));
    for x in [from, to] {
        let line = [pos2(x, rect.top()), pos2(x, rect.bottom())];
        painter.line_segment(line, Stroke::new(2.0, colours.given));
    }
}

fn row_ui(
    painter: &egui::Painter,
    clip: &Clip,
    contacts: &[Contact],
    scale: &Scale,
    at: Rect,
    colours: Colours,
) {
    let bar = Rect::from_x_y_ranges(scale.x(0.0)..=scale.x(clip.seconds()), at.y_range());
    let bar = bar.shrink2(vec2(0.0, 3.0));
    painter.rect_filled(bar, 3.0, colours.given.gamma_multiply(0.28));
    // One lane for each joint that touches.
    let mut joints: Vec<usize> = contacts.iter().map(|c| c.joint).collect();
    joints.sort_unstable();
    joints.dedup();
    let lane = bar.height() / joints.len().max(1) as f32;
    for contact in contacts {
        let Ok(place) = joints.binary_search(&contact.joint) else {
            continue;
        };
        let secs = |frame: usize| frame as f64 / clip.fps();
        let top = bar.top() + place as f32 * lane;
        let span = Rect::from_min_max(
            pos2(scale.x(secs(contact.frames.start)), top + 0.5),
            pos2(scale.x(secs(contact.frames.end)), top + lane - 0.5),
        );
        painter.rect_filled(span, 1.5, colours.given);
    }
}

fn playhead_ui(painter: &egui::Painter, x: f32, rect: Rect, colours: Colours) {
    let colour: Color32 = colours.generated;
    let line = [pos2(x, rect.top()), pos2(x, rect.bottom())];
    painter.line_segment(line, Stroke::new(1.5, colour));
    let top = rect.top();
    let head = vec![pos2(x - 5.0, top), pos2(x + 5.0, top), pos2(x, top + 8.0)];
    painter.add(egui::Shape::convex_polygon(head, colour, Stroke::NONE));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ruler_has_round_steps_with_room_for_numbers() {
        for (smallest, step) in [
            (0.9, 1.0),
            (1.1, 2.0),
            (30.0, 50.0),
            (0.03, 0.05),
            (7.0, 10.0),
        ] {
            let found = ruler_step(smallest);
            assert!((found - step).abs() < 1e-9, "{smallest}: {found}");
        }
    }

    #[test]
    fn dragged_ends_never_cross() {
        let mut session = Session::default();
        session.range_secs = Some((1.0, 2.0));
        drag(&mut session, Grip::Start as u8, 9.0, 10.0);
        let (from, to) = session.range_secs.unwrap();
        assert!(from < to && to == 2.0, "{from} {to}");
        drag(&mut session, Grip::End as u8, 0.0, 10.0);
        let (from, to) = session.range_secs.unwrap();
        assert!(from < to, "{from} {to}");
        drag(&mut session, Grip::Playhead as u8, 4.0, 10.0);
        assert_eq!(session.playhead_secs, 4.0);
    }

    #[test]
    fn seconds_and_pixels_agree() {
        let span = Span {
            from_secs: 2.0,
            wide_secs: 4.0,
        };
        let scale = Scale {
            span,
            left: 100.0,
            width: 800.0,
        };
        assert_eq!(scale.x(2.0), 100.0);
        assert!(
            (scale.secs(scale.x(3.7)) - 3.7).abs() < 1e-3,
            "there and back"
        );
    }
}
