//! The score of a model while it is learned: a curve that climbs.

use egui::{Align2, FontId, Sense, Shape, Stroke, pos2, vec2};

use crate::app::shell::theme::Colours;

/// Draws the scores in their order; nothing while there are none.
pub(in crate::app::variation) fn score_ui(ui: &mut egui::Ui, scores: &[f64]) {
    let (Some(first), Some(last)) = (scores.first(), scores.last()) else {
        ui.weak("Looking at the takes…");
        return;
    };
    let size = vec2(ui.available_width(), 84.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Score"));
    let colours = Colours::of(ui);
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 3.0, colours.sunken);
    let inner = rect.shrink2(vec2(6.0, 16.0));
    let (low, high) = scores.iter().fold((*first, *first), |(low, high), s| {
        (low.min(*s), high.max(*s))
    });
    let tall = (high - low).max(1e-9);
    let wide = (scores.len() - 1).max(1) as f32;
    let place = |(step, score): (usize, &f64)| {
        let up = ((score - low) / tall) as f32;
        pos2(
            inner.left() + inner.width() * step as f32 / wide,
            inner.bottom() - inner.height() * up,
        )
    };
    let points: Vec<egui::Pos2> = scores.iter().enumerate().map(place).collect();
    for point in &points {
        painter.circle_filled(*point, 2.0, colours.given);
    }
    painter.add(Shape::line(points, Stroke::new(1.5, colours.given)));
    let steps = scores.len() - 1;
    let words = format!("score {last:.3} after {steps} steps, {first:.3} at first");
    let at = rect.left_top() + vec2(5.0, 1.0);
    painter.text(
        at,
        Align2::LEFT_TOP,
        words,
        FontId::proportional(11.5),
        colours.weak,
    );
    response.on_hover_text("Mean log-likelihood of a value when each take is re-made from the others: higher is better");
}
