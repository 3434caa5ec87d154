//! How similar clips are: curves over a common phase, and a matrix of distances.

use egui::{Align2, Color32, FontId, Pos2, Rect, Sense, Shape, Stroke, pos2, vec2};

use crate::app::shell::clips::similarity::ClipComparison;
use crate::app::shell::context::UiContext;
use crate::app::shell::theme::Colours;
use crate::document::ClipId;
use crate::motion::similarity::SetSimilarity;

/// What an animator pictures: body heights as centimetres of a body of 1.75 m.
pub(in crate::app) const CM: f64 = 175.0;

/// The curve that is drawn: the height of a foot unless another was chosen.
pub(in crate::app) fn curve(chosen: Option<usize>, similarity: &SetSimilarity) -> usize {
    let n = 3 * similarity.parts.len();
    let chosen = chosen.filter(|curve| *curve < n);
    chosen.unwrap_or_else(|| {
        let is_foot = |label: &str| label.contains("foot") || label.contains("ankle");
        let foot = similarity.parts.iter().position(|p| is_foot(&p.label));
        3 * foot.unwrap_or(0) + 1
    })
}

const WAYS: [&str; 3] = ["left", "up", "forward"];

pub(in crate::app) fn curve_choice_ui(
    ui: &mut egui::Ui,
    chosen: &mut Option<usize>,
    similarity: &SetSimilarity,
) {
    let now = curve(*chosen, similarity);
    let (mut part, mut way) = (now / 3, now % 3);
    ui.horizontal(|ui| {
        let shown = similarity.parts.get(part).map_or("", |p| p.label.as_str());
        egui::ComboBox::from_id_salt("part")
            .selected_text(shown)
            .show_ui(ui, |ui| {
                for (idx, known) in similarity.parts.iter().enumerate() {
                    ui.selectable_value(&mut part, idx, &known.label);
                }
            });
        for (idx, name) in WAYS.iter().enumerate() {
            ui.selectable_value(&mut way, idx, *name);
        }
        ui.weak("over the phase");
    });
    if 3 * part + way != now {
        *chosen = Some(3 * part + way);
    }
}

/// One line for each clip over the common phase.
pub(in crate::app) fn curves_ui(
    ui: &mut egui::Ui,
    look: &ClipComparison,
    similarity: &SetSimilarity,
    curve: usize,
) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 96.0), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Aligned curves"));
    let colours = Colours::of(ui);
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 3.0, colours.sunken);
    let inner = rect.shrink2(vec2(4.0, 8.0));
    let values = |clip: usize| similarity.rows[clip].iter().map(move |row| row[curve]);
    let all = (0..look.clips.len()).flat_map(values);
    let (low, high) = all.fold((f32::MAX, f32::MIN), |(l, h), v| (l.min(v), h.max(v)));
    let tall = (high - low).max(1e-6);
    let line = |clip: usize| -> Vec<Pos2> {
        let last = similarity.rows[clip].len().saturating_sub(1).max(1) as f32;
        let place = |(phase, value): (usize, f32)| {
            pos2(
                inner.left() + inner.width() * phase as f32 / last,
                inner.bottom() - inner.height() * (value - low) / tall,
            )
        };
        values(clip).enumerate().map(place).collect()
    };
    // The odd ones are drawn last, over the others, thicker and in another colour.
    let usual = (0..look.clips.len()).filter(|clip| !similarity.outliers.contains(clip));
    for clip in usual {
        let stroke = Stroke::new(1.0, colours.given.gamma_multiply(0.7));
        painter.add(Shape::line(line(clip), stroke));
    }
    for &clip in &similarity.outliers {
        let stroke = Stroke::new(2.0, colours.generated);
        painter.extend(Shape::dashed_line(&line(clip), stroke, 6.0, 3.0));
    }
    let words = format!("{:.0} cm", CM * f64::from(tall));
    let font = FontId::proportional(11.0);
    painter.text(
        rect.left_top() + vec2(4.0, 1.0),
        Align2::LEFT_TOP,
        words,
        font,
        colours.weak,
    );
}

/// Near is dark, far is bright; odd clips have a mark beside their row.
pub(in crate::app) fn matrix_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    look: &ClipComparison,
    similarity: &SetSimilarity,
) {
    const MARGIN: f32 = 12.0;
    let n = look.clips.len();
    let side = (ui.available_width() - 24.0 - MARGIN)
        .min(26.0 * n as f32)
        .min(300.0);
    ui.weak("Distance matrix");
    let size = vec2(side + MARGIN, side);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Distances"));
    let colours = Colours::of(ui);
    let painter = ui.painter_at(rect);
    let cell = side / n.max(1) as f32;
    // From the nearest pair to the farthest: between clips of one set all is near, and the differences are what counts.
    let pairs = (0..n).flat_map(|a| (0..a).map(move |b| similarity.distance(a, b)));
    let nearest = pairs.fold(f64::INFINITY, f64::min);
    let wide = (similarity.max_distance() - nearest).max(1e-12);
    for row in 0..n {
        let top = rect.top() + row as f32 * cell;
        if similarity.outliers.contains(&row) {
            let (left, middle) = (rect.left() + 1.0, top + 0.5 * cell);
            let mark = vec![
                pos2(left, middle - 4.0),
                pos2(left + 8.0, middle),
                pos2(left, middle + 4.0),
            ];
            painter.add(Shape::convex_polygon(mark, colours.generated, Stroke::NONE));
        }
        for column in 0..n {
            let left = rect.left() + MARGIN + column as f32 * cell;
            let share =
                ((similarity.distance(row, column) - nearest) / wide).clamp(0.0, 1.0) as f32;
            let place = Rect::from_min_size(pos2(left, top), vec2(cell, cell));
            let gap = if cell > 6.0 { 0.5 } else { 0.0 };
            let colour = if row == column {
                colours.sunken
            } else {
                shade(&colours, share)
            };
            painter.rect_filled(place.shrink(gap), 0.0, colour);
        }
    }
    let at = response.hover_pos().and_then(|pos| {
        let column = ((pos.x - rect.left() - MARGIN) / cell).floor();
        let row = ((pos.y - rect.top()) / cell).floor();
        let fits = |x: f32| x >= 0.0 && x < n as f32;
        (fits(row) && fits(column)).then_some((row as usize, column as usize))
    });
    if let Some((row, column)) = at {
        let pair: Vec<ClipId> = vec![look.clips[row].0, look.clips[column].0];
        if response.clicked() {
            cx.session.select(pair);
            cx.show_from_start();
        }
        let (a, b) = (
            &look.clips[row].1.info.name,
            &look.clips[column].1.info.name,
        );
        let cm = CM * similarity.distance(row, column);
        response.on_hover_text(format!("{a} and {b}: {cm:.1} cm apart; click to see both"));
    }
}

fn shade(colours: &Colours, share: f32) -> Color32 {
    let mix = |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * share) as u8;
    let (near, far) = (colours.selected_ground, colours.generated);
    Color32::from_rgb(
        mix(near.r(), far.r()),
        mix(near.g(), far.g()),
        mix(near.b(), far.b()),
    )
}
