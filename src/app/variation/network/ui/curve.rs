//! One degree of freedom over time: the takes, the motion that is looked at, and what is expected of it at the
//! playhead.

use std::sync::Arc;

use egui::{Align2, FontId, Pos2, Rect, Sense, Shape, Stroke, pos2, vec2};

use crate::app::shell::theme::Colours;
use crate::app::variation::network::ui::moment::{Moment, Subject};
use crate::app::variation::plots::curves::PlotData;
use crate::variation::ClipModel;

const HEIGHT: f32 = 132.0;

/// Where seconds and values are in the drawing.
struct Axes {
    rect: Rect,
    secs: f64,
    low: f64,
    high: f64,
}

impl Axes {
    fn at(&self, secs: f64, value: f64) -> Pos2 {
        let across = (secs / self.secs.max(1e-9)) as f32;
        let up = ((value - self.low) / (self.high - self.low).max(1e-9)) as f32;
        pos2(
            self.rect.left() + across * self.rect.width(),
            self.rect.bottom() - up * self.rect.height(),
        )
    }
}

/// Draws it; the moment that was clicked, in seconds.
pub(in crate::app::variation) fn curve_ui(
    ui: &mut egui::Ui,
    model: &ClipModel,
    moment: &Moment,
    data: Option<&Arc<PlotData>>,
    now_secs: f64,
) -> Option<f64> {
    let size = vec2(ui.available_width(), HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Node curve"));
    let colours = Colours::of(ui);
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 3.0, colours.sunken);
    let dofs = model.chart().dofs();
    let Some((at, dof)) = moment.curve().map(|at| (at, &dofs[at])) else {
        let words =
            "Where the body is, how it faces and its timing have no curve of their own: see Plots";
        let font = FontId::proportional(11.0);
        painter.text(
            rect.center(),
            Align2::CENTER_CENTER,
            words,
            font,
            colours.weak,
        );
        return None;
    };
    let takes = takes(model, at);
    let frame_secs = model.model().examples().frame_secs();
    let variant = match moment.subject {
        Subject::Variant(variant) => data.and_then(|data| {
            let line = data.lines.iter().find(|l| l.variant == Some(variant))?;
            Some(
                line.curves
                    .column(at)
                    .map(|v| dof.kind.display(v))
                    .collect::<Vec<f64>>(),
            )
        }),
        Subject::Take(_) => None,
    };
    let all = || takes.iter().chain(&variant).flatten().copied();
    let longest = takes
        .iter()
        .chain(&variant)
        .map(Vec::len)
        .max()
        .unwrap_or(2);
    let axes = Axes {
        rect: rect.shrink2(vec2(8.0, 17.0)),
        secs: (longest - 1) as f64 * frame_secs,
        low: all().fold(f64::INFINITY, f64::min),
        high: all().fold(f64::NEG_INFINITY, f64::max),
    };
    let line = |values: &[f64], stroke: Stroke| {
        let points = values.iter().enumerate();
        let points = points.map(|(frame, v)| axes.at(frame as f64 * frame_secs, *v));
        painter.add(Shape::line(points.collect(), stroke));
    };
    for (take, values) in takes.iter().enumerate() {
        let is_subject = moment.subject == Subject::Take(take);
        let (width, colour) = if is_subject {
            (2.0, colours.selected)
        } else {
            (1.0, colours.given.gamma_multiply(0.7))
        };
        line(values, Stroke::new(width, colour));
    }
    if let Some(values) = &variant {
        line(values, Stroke::new(2.0, colours.generated));
    }
    let x = axes.at(now_secs, axes.low).x;
    painter.vline(x, axes.rect.y_range(), Stroke::new(1.0, colours.generated));
    expected(&painter, &axes, moment, frame_secs, &colours);
    let font = FontId::proportional(10.5);
    let text = |at: Pos2, align: Align2, words: String| {
        painter.text(at, align, words, font.clone(), colours.weak);
    };
    let unit = dof.kind.unit();
    text(
        rect.left_top() + vec2(4.0, 2.0),
        Align2::LEFT_TOP,
        format!("{:.1} {unit}", axes.high),
    );
    text(
        rect.left_bottom() + vec2(4.0, -2.0),
        Align2::LEFT_BOTTOM,
        format!("{:.1} {unit}", axes.low),
    );
    text(
        rect.right_bottom() + vec2(-4.0, -2.0),
        Align2::RIGHT_BOTTOM,
        format!("{:.2} s", axes.secs),
    );
    let pointed = response.interact_pointer_pos();
    let response = response.on_hover_text(
        "Takes blue, the motion that is looked at thicker. The bar is what is expected at the playhead, plus and minus its standard deviation. Click: go there",
    );
    let is_held = response.clicked() || response.dragged_by(egui::PointerButton::Primary);
    pointed.filter(|_| is_held).map(|at| {
        let share = (at.x - axes.rect.left()) / axes.rect.width().max(1.0);
        f64::from(share.clamp(0.0, 1.0)) * axes.secs
    })
}

/// Curves of the takes in the unit that is shown.
fn takes(model: &ClipModel, at: usize) -> Vec<Vec<f64>> {
    let examples = model.model().examples();
    let dof = &model.chart().dofs()[at];
    let show = |v: &f64| dof.kind.display(dof.destandardise(*v));
    (0..examples.n_takes())
        .map(|take| {
            let values = examples.take(take).iter().skip(at);
            values.step_by(examples.n_dofs()).map(show).collect()
        })
        .collect()
}

/// What is expected at the playhead.
fn expected(
    painter: &egui::Painter,
    axes: &Axes,
    moment: &Moment,
    frame_secs: f64,
    colours: &Colours,
) {
    let Ok(explained) = &moment.explained else {
        return;
    };
    let expected = moment.shown(explained.mean);
    let sigma = moment.shown_difference(explained.sigma).abs();
    let x = moment.frame as f64 * frame_secs;
    let (low, high) = (axes.at(x, expected - sigma), axes.at(x, expected + sigma));
    let stroke = Stroke::new(1.6, colours.text);
    painter.line_segment([low, high], stroke);
    for end in [low, high] {
        painter.line_segment([end - vec2(3.0, 0.0), end + vec2(3.0, 0.0)], stroke);
    }
}
