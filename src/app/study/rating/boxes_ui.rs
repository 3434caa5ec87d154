//! Notched box plots as in Fig. 8 of Lau 2009: quartiles, median and its notch, whiskers, outliers; beside each box the
//! mean with its confidence interval.

use egui::{Color32, Stroke};
use egui_plot::{AxisHints, Line, MarkerShape, Plot, PlotPoints, PlotUi, Points, Polygon};

use crate::app::shell::theme::Colours;
use crate::study::anova::{BoxPlot, Summary};
use crate::study::session::{HIGHEST, LOWEST};

/// Half of a box's width, and of its waist at the median.
const HALF: f64 = 0.28;
const WAIST: f64 = 0.15;
/// Where the mean stands, to the right of its box.
const ASIDE: f64 = 0.38;

/// Draws a box for each condition.
pub(super) fn boxes_ui(ui: &mut egui::Ui, groups: &[Summary], height: f32) {
    let colours = Colours::of(ui);
    let names: Vec<String> = groups.iter().map(|group| group.name.clone()).collect();
    let n = groups.len() as f64;
    let axis = AxisHints::new_x().formatter(move |mark, _| {
        let at = mark.value.round();
        let is_box = (mark.value - at).abs() < 1e-6 && at >= 0.0;
        let name = is_box.then(|| names.get(at as usize).cloned()).flatten();
        name.unwrap_or_default()
    });
    // Every score has its number, however low the plot is.
    let scores = AxisHints::new_y().label("score");
    let scores = scores.label_spacing(4.0..=8.0);
    Plot::new("boxes")
        .height(height)
        .custom_x_axes(vec![axis])
        .x_grid_spacer(egui_plot::uniform_grid_spacer(|_| [1.0, 1.0, 1.0]))
        .y_grid_spacer(egui_plot::uniform_grid_spacer(|_| [1.0, 1.0, 1.0]))
        .custom_y_axes(vec![scores])
        .include_x(-0.6)
        .include_x(n - 0.4)
        .include_y(f64::from(LOWEST) - 0.4)
        .include_y(f64::from(HIGHEST) + 0.4)
        .allow_drag(false)
        .allow_scroll(false)
        .allow_zoom(false)
        .show_x(false)
        .label_formatter(|_| None)
        .show(ui, |plot| {
            for (at, group) in groups.iter().enumerate() {
                box_ui(plot, at as f64, &group.box_plot, &colours);
                mean_ui(plot, at as f64 + ASIDE, group, &colours);
            }
        });
}

fn box_ui(plot: &mut PlotUi<'_>, x: f64, found: &BoxPlot, colours: &Colours) {
    let (low, high) = found.quartiles;
    let median = found.median;
    // Of few scores a notch reaches beyond its box; there it ends.
    let notch = (found.notch.0.max(low), found.notch.1.min(high));
    let stroke = Stroke::new(1.5, colours.generated);
    let fill: Color32 = colours.generated.gamma_multiply(0.2);
    for (end, waist) in [(low, notch.0), (high, notch.1)] {
        let half = vec![
            [x - HALF, end],
            [x + HALF, end],
            [x + HALF, waist],
            [x + WAIST, median],
            [x - WAIST, median],
            [x - HALF, waist],
        ];
        let half = Polygon::new("box", PlotPoints::from(half));
        plot.polygon(half.fill_color(fill).stroke(stroke));
    }
    let mut line = |points: Vec<[f64; 2]>, stroke: Stroke| {
        plot.line(Line::new("box", PlotPoints::from(points)).stroke(stroke));
    };
    let middle = Stroke::new(2.5, colours.selected);
    line(vec![[x - WAIST, median], [x + WAIST, median]], middle);
    for (from, to) in [(low, found.whiskers.0), (high, found.whiskers.1)] {
        line(vec![[x, from], [x, to]], stroke);
        line(vec![[x - 0.1, to], [x + 0.1, to]], stroke);
    }
    let outliers: Vec<[f64; 2]> = found.outliers.iter().map(|score| [x, *score]).collect();
    let outliers = Points::new("outliers", PlotPoints::from(outliers)).radius(3.0);
    plot.points(outliers.shape(MarkerShape::Plus).color(colours.generated));
}

fn mean_ui(plot: &mut PlotUi<'_>, x: f64, group: &Summary, colours: &Colours) {
    let stroke = Stroke::new(1.5, colours.text);
    if let Some((low, high)) = group.interval {
        let reach = PlotPoints::from(vec![[x, low], [x, high]]);
        plot.line(Line::new("interval", reach).stroke(stroke));
    }
    let mean = Points::new("mean", PlotPoints::from(vec![[x, group.mean]]));
    plot.points(mean.radius(4.0).color(colours.text));
}
