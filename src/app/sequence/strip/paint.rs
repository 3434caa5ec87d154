//! The strip as a picture: actions with a figure each, transitions by kind and quality, ruler and playhead.

use egui::{Align2, Color32, FontId, Painter, Rect, Stroke, StrokeKind, pos2, vec2};

use crate::app::sequence::figure::paint_figure;
use crate::app::sequence::join::short_name;
use crate::app::sequence::state::SequenceWorkspace;
use crate::app::sequence::strip::layout::{Block, Layout};
use crate::app::sequence::strip::{Evaluated, called};
use crate::app::shell::context::UiContext;
use crate::app::shell::theme::Colours;
use crate::app::timeline::scale::ruler_step;
use crate::document::{ActionSource, Sequence};
use crate::sequence::Play;
use crate::transition::{Transition, TransitionKind};

/// Height of the row of names.
const NAME: f32 = 22.0;
/// A block no narrower has a figure.
const ROOM_FOR_FIGURE: f32 = 64.0;
/// A figure shows this share of its action: beginnings are all alike.
const SHOWN_SHARE: f64 = 0.45;

/// Paints ruler, actions, transitions and playhead.
pub(super) fn paint(
    ui: &egui::Ui,
    cx: &UiContext,
    sequence: &SequenceWorkspace,
    value: &Sequence,
    shown: &Evaluated,
    layout: &Layout,
) {
    let colours = Colours::of(ui);
    let painter = ui.painter_at(layout.rect);
    ruler(&painter, &colours, layout);
    let is_seen = |rect: &Rect| rect.intersects(layout.rect);
    for block in &layout.blocks {
        let (Some(entry), Some(play)) = (
            value.actions.entry(block.entry),
            shown.plays.get(block.play),
        ) else {
            continue;
        };
        if is_seen(&block.action) {
            let mut words = called(cx, &entry.source);
            if block.closes {
                words = format!("{words} again");
            } else if entry.repeats > 1 {
                words = format!("{words}  {}/{}", block.repeat + 1, entry.repeats);
            }
            let is_selected = sequence.strip.selected.contains(&block.entry) && !block.closes;
            let base = match entry.source {
                ActionSource::Clip(_) => colours.given,
                _ => colours.generated,
            };
            action(
                &painter,
                &colours,
                (block, play),
                &words,
                (base, is_selected),
            );
        }
        if let (Some(rect), Some(made)) = (block.join.filter(is_seen), &play.transition) {
            let is_chosen = sequence.join.chosen == Some((block.entry, block.repeat));
            join(&painter, &colours, shown, rect, made, is_chosen);
        }
    }
    let x = layout.scale.x(cx.session.playhead_secs);
    let stroke = Stroke::new(1.5, colours.generated);
    painter.vline(x, layout.rect.y_range(), stroke);
}

fn action(
    painter: &Painter,
    colours: &Colours,
    (block, play): (&Block, &Play),
    words: &str,
    (base, is_selected): (Color32, bool),
) {
    let rect = block.action;
    let strength = if block.closes { 0.2 } else { 0.45 };
    painter.rect_filled(rect, 3.0, base.gamma_multiply(strength));
    let edge = if is_selected {
        Stroke::new(2.0, colours.selected)
    } else {
        Stroke::new(1.0, base)
    };
    painter.rect_stroke(rect, 3.0, edge, StrokeKind::Inside);
    let inside = painter.with_clip_rect(rect.shrink(2.0).intersect(painter.clip_rect()));
    // What is zoomed past the left edge keeps its name in view.
    let left = rect.left().max(painter.clip_rect().left());
    let font = FontId::proportional(13.0);
    let has_figure = rect.width() >= ROOM_FOR_FIGURE && !block.closes;
    let name_at = if has_figure {
        pos2(left + 6.0, rect.top() + 0.5 * NAME)
    } else {
        pos2(left + 6.0, rect.center().y)
    };
    inside.text(name_at, Align2::LEFT_CENTER, words, font, colours.text);
    if has_figure {
        // Below the name, which is cut off by nothing but the next action.
        let below = rect.with_min_x(left).with_min_y(rect.top() + NAME - 4.0);
        let side = below.height().min(90.0);
        let card = Rect::from_center_size(below.center(), vec2(side, side));
        let frame = play.frames.start + (SHOWN_SHARE * play.frames.len() as f64) as usize;
        paint_figure(&inside, card, (&play.clip.clip, frame), colours.text);
    }
}

fn ruler(painter: &Painter, colours: &Colours, layout: &Layout) {
    let scale = &layout.scale;
    let per_px = scale.span.wide_secs / f64::from(scale.width);
    let step = ruler_step(60.0 * per_px);
    let first = (scale.span.from_secs / step).floor() as i64;
    let last = ((scale.span.from_secs + scale.span.wide_secs) / step).ceil() as i64;
    let top = layout.rect.top();
    for tick in first.max(0)..=last {
        let secs = tick as f64 * step;
        let x = scale.x(secs);
        painter.vline(x, top..=top + 6.0, Stroke::new(1.0, colours.weak));
        let decimals = usize::from(step < 1.0) + usize::from(step < 0.1);
        let words = format!("{secs:.decimals$} s");
        let font = FontId::proportional(11.0);
        painter.text(
            pos2(x + 3.0, top + 1.0),
            Align2::LEFT_TOP,
            words,
            font,
            colours.weak,
        );
    }
}

/// A transition: its colour is its quality, its sign is its kind, and it says how long it takes and what it costs.
fn join(
    painter: &Painter,
    colours: &Colours,
    shown: &Evaluated,
    rect: Rect,
    made: &Transition,
    is_chosen: bool,
) {
    let norms = shown.graph.norms();
    let is_good = made.quality.keeps_limits(norms);
    let colour = if is_good {
        colours.good
    } else {
        colours.warning
    };
    painter.rect_filled(rect, 3.0, colour.gamma_multiply(0.35));
    let edge = if is_chosen { colours.selected } else { colour };
    let width = if is_chosen { 2.0 } else { 1.0 };
    painter.rect_stroke(rect, 3.0, Stroke::new(width, edge), StrokeKind::Inside);
    let inside = painter.with_clip_rect(rect.intersect(painter.clip_rect()));
    let sign_at = pos2(rect.center().x, rect.top() + 6.0);
    sign(&inside, sign_at, &made.kind, Stroke::new(1.5, colour));
    let mark = if is_good { "" } else { "! " };
    let long = format!("{mark}{}, {} frames", short_name(&made.kind), made.frames);
    let lines = [
        (long, format!("{mark}{} f", made.frames)),
        (
            format!("cost {:.2}", made.quality.penalty(norms)),
            format!("{:.1}", made.quality.penalty(norms)),
        ),
    ];
    for (line, (long, short)) in lines.into_iter().enumerate() {
        let font = FontId::proportional(10.5);
        let at = pos2(rect.center().x, rect.top() + 18.0 + 12.0 * line as f32);
        let mut galley = inside.layout_no_wrap(long, font.clone(), colours.text);
        if galley.size().x > rect.width() - 4.0 {
            galley = inside.layout_no_wrap(short, font, colours.text);
        }
        if galley.size().x <= rect.width() + 2.0 {
            let place = Align2::CENTER_CENTER.anchor_size(at, galley.size());
            inside.galley(place.min, galley, colours.text);
        }
    }
}

/// A straight line is a direct join, a line with corners a path through clusters, a bow a curve.
fn sign(painter: &Painter, at: egui::Pos2, kind: &TransitionKind, stroke: Stroke) {
    let place = |x: f32, y: f32| at + vec2(x, y);
    match kind {
        TransitionKind::Direct(_) | TransitionKind::Linear => {
            painter.line_segment([place(-9.0, 0.0), place(9.0, 0.0)], stroke);
        }
        TransitionKind::Path(_) => {
            let corners = [
                place(-9.0, 2.0),
                place(-3.0, -2.0),
                place(3.0, 2.0),
                place(9.0, -2.0),
            ];
            for corner in corners {
                painter.circle_filled(corner, 1.8, stroke.color);
            }
            painter.add(egui::Shape::line(corners.to_vec(), stroke));
        }
        TransitionKind::Bezier(_) => {
            let bow = (0..=8).map(|i| {
                let x = i as f32 / 4.0 - 1.0;
                place(9.0 * x, 4.0 * x * x - 2.0)
            });
            painter.add(egui::Shape::line(bow.collect(), stroke));
        }
    }
}
