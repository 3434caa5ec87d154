//! One measure as a plot: a line for each set, a dot for each motion, the range of real clips shaded.

use egui::FontId;
use egui_plot::{AxisHints, Plot, PlotPoint, PlotPoints, Points, Span, VLine};

use crate::app::shell::context::UiContext;
use crate::app::shell::theme::Colours;
use crate::app::study::measure::Measured;
use crate::app::study::state::StudyWorkspace;
use crate::file::study_report::number;
use crate::study::measures::{Reading, Role};

/// A dot: where it is, and what it stands for.
struct Dot {
    at: [f64; 2],
    set: usize,
    clip: usize,
    reading: Reading,
}

/// Draws the plot; a click on a dot shows its motion.
pub(super) fn strips_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    study: &mut StudyWorkspace,
    found: &Measured,
    height: f32,
) {
    let measure = study.measure.plotted;
    let comparison = &found.comparison;
    let unit = match measure.unit() {
        "" => String::new(),
        unit => format!(", {unit}"),
    };
    let words = format!("{}{unit}: {}", measure.name(), measure.sentence());
    ui.add(egui::Label::new(egui::RichText::new(words).weak()).truncate())
        .on_hover_text(measure.sentence());
    let colours = Colours::of(ui);
    let n = comparison.sets.len();
    // The first set on top.
    let line = |set: usize| (n - 1 - set) as f64;
    let mut dots = Vec::new();
    for (set, readings) in comparison.sets.iter().enumerate() {
        for (clip, reading) in readings.clips.iter().enumerate() {
            if let Some(reading) = reading.get(measure) {
                let at = [reading.value, line(set)];
                dots.push(Dot {
                    at,
                    set,
                    clip,
                    reading,
                });
            }
        }
    }
    let names: Vec<String> = comparison.sets.iter().map(|set| set.name.clone()).collect();
    let font = names_font(ui, height, n);
    let width = names_width(ui, &names, &font);
    let axis = AxisHints::new_y().formatter(move |mark, _| {
        let at = mark.value.round();
        let is_line = (mark.value - at).abs() < 1e-6 && at >= 0.0 && (at as usize) < names.len();
        let name = is_line.then(|| names[names.len() - 1 - at as usize].clone());
        name.unwrap_or_default()
    });
    // Every set has its name, however low the plot is.
    let axis = axis.label_spacing(4.0..=8.0).min_thickness(width);
    let axis = axis.tick_label_font(font);
    let values = AxisHints::new_x().label_spacing(24.0..=48.0);
    let plot = Plot::new(("strips", measure.id()))
        .height(height)
        .custom_x_axes(vec![values])
        .custom_y_axes(vec![axis])
        .y_grid_spacer(egui_plot::uniform_grid_spacer(|_| [1.0, 1.0, 1.0]))
        .include_y(-0.6)
        .include_y(n as f64 - 0.4)
        .allow_scroll(false)
        .allow_drag(false)
        .show_y(false)
        .label_formatter(|_| None);
    let clicked = plot.show(ui, |plot| {
        if let Some(range) = comparison.range(measure) {
            let span = Span::new("", range.low..=range.high)
                .axis(egui_plot::Axis::X)
                .fill(colours.given.gamma_multiply(0.15))
                .border_color(colours.given.gamma_multiply(0.4));
            plot.span(span);
        }
        for (set, readings) in comparison.sets.iter().enumerate() {
            let colour = if readings.role == Role::Asked {
                colours.generated
            } else {
                colours.given
            };
            let own = dots.iter().filter(|dot| dot.set == set).map(|dot| dot.at);
            let points = PlotPoints::from(own.collect::<Vec<[f64; 2]>>());
            let dots = Points::new(&readings.name, points).radius(3.0);
            plot.points(dots.color(colour.gamma_multiply(0.8)));
            if let Some(value) = readings.get(measure) {
                let mean = PlotPoints::from(vec![[value, line(set)]]);
                let mark = Points::new("value of the set", mean).radius(6.0);
                plot.points(
                    mark.shape(egui_plot::MarkerShape::Diamond)
                        .filled(false)
                        .color(colours.text),
                );
            }
        }
        let hovered = plot
            .pointer_coordinate()
            .and_then(|at| nearest(&dots, plot.transform(), at));
        if let Some(dot) = hovered {
            let here = VLine::new("value", dot.at[0]).color(colours.weak);
            plot.vline(here.width(1.0));
        }
        let is_clicked = plot.response().clicked();
        hovered.map(|dot| (dot, is_clicked))
    });
    let Some((dot, is_clicked)) = clicked.inner else {
        return;
    };
    let Some(member) = found.sets[dot.set].members.get(dot.clip) else {
        return;
    };
    let tip = format!("{}: {}", member.clip.info.name, number(dot.reading.value));
    clicked.response.on_hover_text_at_pointer(tip);
    if is_clicked {
        study.look_at(cx, &member.clone(), Some(dot.reading));
    }
}

/// As large as lines allow: a name that is higher than its line is not drawn at all.
fn names_font(ui: &egui::Ui, height: f32, n_sets: usize) -> FontId {
    /// Below the plot stand values.
    const VALUES: f32 = 22.0;
    let body = egui::TextStyle::Body.resolve(ui.style());
    let line = (height - VALUES) / (n_sets as f32 + 0.2);
    FontId::new((line / 1.3).clamp(7.0, body.size.max(7.0)), body.family)
}

/// Room for the names beside the plot. Left to itself, it is what the last frame needed, and that may never be drawn
/// again.
fn names_width(ui: &egui::Ui, names: &[String], font: &FontId) -> f32 {
    let colour = ui.visuals().text_color();
    let painter = ui.painter();
    let widths = names.iter().map(|name| {
        let laid_out = painter.layout_no_wrap(name.clone(), font.clone(), colour);
        laid_out.size().x
    });
    widths.fold(0.0, f32::max) + 8.0
}

/// The dot within reach of the pointer.
fn nearest<'a>(
    dots: &'a [Dot],
    transform: &egui_plot::PlotTransform,
    at: PlotPoint,
) -> Option<&'a Dot> {
    const REACH: f32 = 9.0;
    let pointer = transform.position_from_point(&at);
    let away = |dot: &Dot| {
        let place = PlotPoint::new(dot.at[0], dot.at[1]);
        transform.position_from_point(&place).distance(pointer)
    };
    let near = dots.iter().min_by(|a, b| away(a).total_cmp(&away(b)))?;
    (away(near) < REACH).then_some(near)
}
