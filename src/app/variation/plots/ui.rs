//! Plots of takes (blue) and variants (orange): over time, one against another, and along the directions of most
//! motion.

use std::sync::Arc;

use egui::{Color32, Stroke};
use egui_plot::{
    AxisHints, FilledArea, Line, LineStyle, Plot, PlotPoint, PlotPoints, Points, VLine,
};

use super::view::{Picked, PlotKind, PlotsView};
use crate::app::shell::context::UiContext;
use crate::app::shell::files::contents::Contents;
use crate::app::shell::messages::Severity;
use crate::app::shell::theme::Colours;
use crate::app::shell::ui::name_button;
use crate::app::variation::plots::curves;
use crate::app::variation::plots::curves::PlotData;
use crate::app::variation::state::VariationWorkspace;
use crate::document::ModelId;
use crate::motion::Clip;
use crate::motion::chart::Dof;
use crate::variation::ClipModel;

/// More at once could not be read.
const MOST_PLOTS: usize = 4;

/// Under this number egui remembers what is seen of a plot: of each model and of what is plotted by itself, so that
/// what was zoomed into in one is not a wrong place in another.
pub fn plot_id(model: ModelId, kind: PlotKind, (across, up): (usize, usize)) -> egui::Id {
    egui::Id::unique(("plot of a model", model.0, kind, across, up))
}

/// Draws the plots of takes and variants.
pub(in crate::app) fn plots_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
) {
    let Some((id, model)) = variation.chosen_model(cx) else {
        ui.weak("Plots show the takes and variants of a model. Choose takes and learn from them.");
        return;
    };
    let finding = variation.known_of(cx, &model);
    let Some(Ok(known)) = finding.as_deref() else {
        ui.weak("Looking at the model…");
        return;
    };
    let batch = variation.batches.get(&id);
    let looked_at = batch.and_then(|batch| batch.looked_at);
    let variants: Vec<_> = batch.map_or_else(Vec::new, |batch| {
        batch
            .made
            .iter()
            .map(|made| Arc::clone(&made.clip))
            .collect()
    });
    let Some(data) = variation.plot_data(cx, &model, &known.inputs, &variants) else {
        ui.weak("Working out the curves…");
        return;
    };
    let n_dofs = model.chart().n_dofs();
    variation.plots.dofs.retain(|dof| *dof < n_dofs);
    if variation.plots.dofs.is_empty() {
        variation.plots.dofs.push(busiest(&model).0);
    }
    // One against itself is a line that tells nothing.
    let (across, up) = variation.plots.pair;
    if across == up || across.max(up) >= n_dofs {
        variation.plots.pair = busiest(&model);
    }
    head_ui(ui, cx, variation, &model, &data);
    for why in data.missing.iter().take(3) {
        ui.colored_label(ui.visuals().warn_fg_color, why);
    }
    let drawn = Drawn {
        model: id,
        data: &data,
        dofs: model.chart().dofs(),
        looked_at,
        lit_take: cx.active_clip().map(|clip| clip.info.name.clone()),
        secs: cx.stage_secs(),
        colours: Colours::of(ui),
    };
    let place = ui.available_rect_before_wrap();
    let picked = match variation.plots.kind {
        PlotKind::OverTime => drawn.over_time_ui(ui, &variation.plots.dofs),
        PlotKind::Against => drawn.against_ui(ui, variation.plots.pair),
        PlotKind::Directions => drawn.directions_ui(ui),
    };
    match picked {
        Some(Picked::Variant(variant)) => variation.look_at_variant(cx, variant),
        Some(Picked::Take(name)) => select_take(cx, variation, &name),
        Some(Picked::Moment(secs)) => {
            cx.session.playhead_secs = secs.clamp(0.0, cx.length_secs());
        }
        None => {}
    }
    snapshot_ui(ui, cx, variation, place);
}

/// Selects the clip of the library that a take was learned from.
fn select_take(cx: &mut UiContext, variation: &mut VariationWorkspace, name: &str) {
    let takes = variation.takes(cx);
    let is_it = |clip: &Clip| clip.info.name == name;
    let chosen = takes
        .iter()
        .find(|(_, clip)| is_it(clip))
        .map(|take| take.0);
    let anywhere = || {
        let mut clips = cx.document().clips();
        clips.find(|(_, clip)| is_it(clip)).map(|(id, _)| id)
    };
    match chosen.or_else(anywhere) {
        Some(id) => cx.session.select([id]),
        None => cx.say(
            Severity::Info,
            format!("{name} is not in the library any more; the model still knows it"),
        ),
    }
}

/// Takes the picture that was asked for, and asks where it goes.
fn snapshot_ui(
    ui: &egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
    place: egui::Rect,
) {
    let snapshot = &mut variation.plots.snapshot;
    if variation.plots.wants_picture {
        variation.plots.wants_picture = false;
        snapshot.wish(ui.ctx(), place);
        return;
    }
    match snapshot.take(ui.ctx()) {
        Some(Ok(picture)) => cx.ask_where_to_write("plots.png", Contents::Picture(picture)),
        Some(Err(why)) => cx.say(Severity::Error, why),
        None => {}
    }
}

/// The degrees of freedom that an animator would look at first: the two joints that bend most.
fn busiest(model: &ClipModel) -> (usize, usize) {
    let dofs = model.chart().dofs();
    let mut bends: Vec<usize> = (0..dofs.len())
        .filter(|dof| dofs[*dof].kind.is_angular() && !dofs[*dof].kind.is_rate())
        .collect();
    bends.sort_by(|a, b| dofs[*b].deviation.total_cmp(&dofs[*a].deviation));
    let first = bends.first().copied().unwrap_or(0);
    let second = bends
        .into_iter()
        .find(|dof| dofs[*dof].joint != dofs[first].joint);
    (first, second.unwrap_or(first))
}

fn head_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
    model: &ClipModel,
    data: &PlotData,
) {
    let dofs = model.chart().dofs();
    let plots = &mut variation.plots;
    let mut table_wanted = None;
    ui.horizontal_wrapped(|ui| {
        for (kind, words, tip) in [
            (
                PlotKind::OverTime,
                "Over time",
                "Degrees of freedom over time, with mean and deviation of the takes",
            ),
            (
                PlotKind::Against,
                "DOF vs DOF",
                "One degree of freedom against another: what goes together",
            ),
            (
                PlotKind::Directions,
                "PCA",
                "All joints at once, along the two directions in which the takes move most",
            ),
        ] {
            ui.selectable_value(&mut plots.kind, kind, words)
                .on_hover_text(tip);
        }
        ui.separator();
        table_wanted = files_ui(ui, plots, dofs.len(), data);
    });
    match plots.kind {
        PlotKind::OverTime => chosen_dofs_ui(ui, &mut plots.dofs, dofs),
        PlotKind::Against => {
            ui.horizontal_wrapped(|ui| {
                dof_ui(ui, "across", &mut plots.pair.0, dofs);
                dof_ui(ui, "up", &mut plots.pair.1, dofs);
            });
        }
        PlotKind::Directions => {}
    }
    if let Some(table) = table_wanted {
        cx.ask_where_to_write("curves.csv", Contents::Text(table));
    }
}

/// Ways out for what is plotted; the table, if it should be written to a file.
fn files_ui(
    ui: &mut egui::Ui,
    plots: &mut PlotsView,
    n_dofs: usize,
    data: &PlotData,
) -> Option<String> {
    let shown = match plots.kind {
        PlotKind::OverTime => plots.dofs.clone(),
        PlotKind::Against => vec![plots.pair.0, plots.pair.1],
        PlotKind::Directions => (0..n_dofs).collect(),
    };
    let mut button = |words: &str, name: &str| {
        let response = ui.button(words);
        name_button(&response, name);
        response
    };
    let copy = button("Copy", "Copy CSV");
    let export = button("CSV…", "Export CSV…");
    let picture = button("PNG…", "Export PNG…");
    if copy.clicked() {
        ui.ctx().copy_text(data.csv(&shown));
    }
    plots.wants_picture = picture.clicked();
    let table = export.clicked().then(|| data.csv(&shown));
    // A tooltip would be in the picture.
    if !plots.snapshot.is_wished() && !plots.wants_picture {
        copy.on_hover_text(
            "Puts the curves on the clipboard as a table: clip, kind, seconds, values",
        );
        export.on_hover_text("Writes the same table to a file");
        picture.on_hover_text("Writes a picture of the plots as they are");
    }
    table
}

/// Several at once, each with its switch.
fn chosen_dofs_ui(ui: &mut egui::Ui, chosen: &mut Vec<usize>, dofs: &[Dof]) {
    let words = match chosen.as_slice() {
        [only] => dofs[*only].name.clone(),
        many => format!("{} curves", many.len()),
    };
    egui::ComboBox::from_id_salt("curves")
        .selected_text(words)
        .width(180.0)
        .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
        .show_ui(ui, |ui| {
            for (dof, known) in dofs.iter().enumerate() {
                let mut is_on = chosen.contains(&dof);
                let can = is_on || chosen.len() < MOST_PLOTS;
                let switch = egui::Checkbox::new(&mut is_on, &known.name);
                if ui.add_enabled(can, switch).changed() {
                    if is_on {
                        chosen.push(dof);
                    } else {
                        chosen.retain(|other| *other != dof);
                    }
                }
            }
        });
}

fn dof_ui(ui: &mut egui::Ui, salt: &str, chosen: &mut usize, dofs: &[Dof]) {
    egui::ComboBox::from_id_salt(salt)
        .selected_text(format!("{salt}: {}", dofs[*chosen].name))
        .show_ui(ui, |ui| {
            for (dof, known) in dofs.iter().enumerate() {
                ui.selectable_value(chosen, dof, &known.name);
            }
        });
}

/// What is drawn, and how.
struct Drawn<'a> {
    model: ModelId,
    data: &'a PlotData,
    dofs: &'a [Dof],
    looked_at: Option<usize>,
    lit_take: Option<String>,
    secs: f64,
    colours: Colours,
}

impl Drawn<'_> {
    /// Whether it is the one that was clicked: it comes on top.
    fn is_lit(&self, line: &curves::Line) -> bool {
        match line.variant {
            Some(_) => line.variant == self.looked_at,
            None => self.lit_take.as_ref() == Some(&line.clip.info.name),
        }
    }

    fn stroke(&self, line: &curves::Line) -> Stroke {
        match line.variant {
            Some(_) if self.is_lit(line) => Stroke::new(2.2, self.colours.selected),
            None if self.is_lit(line) => Stroke::new(2.8, self.colours.given),
            Some(_) => Stroke::new(1.1, self.colours.generated.gamma_multiply(0.75)),
            None => Stroke::new(1.5, self.colours.given),
        }
    }

    /// One plot for each, with a common cursor.
    fn over_time_ui(&self, ui: &mut egui::Ui, chosen: &[usize]) -> Option<Picked> {
        let n = chosen.len().max(1) as f32;
        let height = (ui.available_height() / n - 6.0).max(70.0);
        let mut picked = None;
        for &dof in chosen {
            let known = &self.dofs[dof];
            let values = |line: &curves::Line| -> Vec<[f64; 2]> {
                let secs = line.curves.frame_secs;
                let column = line.curves.column(dof).enumerate();
                column
                    .map(|(at, v)| [at as f64 * secs, known.kind.display(v)])
                    .collect()
            };
            let label = format!("{}, {}", known.name, known.kind.unit());
            let group = ui.scope_id().with("over time");
            let plot = Plot::new(("over time", dof))
                .id(plot_id(self.model, PlotKind::OverTime, (dof, dof)))
                .height(height)
                .y_axis_label(label)
                .custom_x_axes(numbered("seconds"))
                .link_axis(group, [true, false])
                .link_cursor(group, [true, false]);
            let band = self.data.band(dof);
            let found = self.lines_ui(ui, plot, &values, Some(&band));
            picked = picked.or(found);
        }
        picked
    }

    fn against_ui(&self, ui: &mut egui::Ui, (across, up): (usize, usize)) -> Option<Picked> {
        let words = |is_of_variants| {
            let found = self.data.correlation((across, up), is_of_variants);
            found.map_or("-".to_owned(), |r| format!("{r:.2}"))
        };
        ui.label(format!(
            "correlation: takes {}, variants {}",
            words(false),
            words(true)
        ));
        let (x, y) = (&self.dofs[across], &self.dofs[up]);
        let values = |line: &curves::Line| -> Vec<[f64; 2]> {
            let pairs = line.curves.column(across).zip(line.curves.column(up));
            pairs
                .map(|(a, b)| [x.kind.display(a), y.kind.display(b)])
                .collect()
        };
        let plot = Plot::new("against")
            .id(plot_id(self.model, PlotKind::Against, (across, up)))
            .custom_x_axes(numbered(&format!("{}, {}", x.name, x.kind.unit())))
            .y_axis_label(format!("{}, {}", y.name, y.kind.unit()));
        self.lines_ui(ui, plot, &values, None)
    }

    fn directions_ui(&self, ui: &mut egui::Ui) -> Option<Picked> {
        let shares = self.data.directions.shares.iter().take(6);
        let words: Vec<String> = shares
            .map(|share| format!("{:.0} %", 100.0 * share))
            .collect();
        ui.label(format!("explained variance: {}", words.join(", ")))
            .on_hover_text("Of the turning of all joints in the takes; travel is left out");
        let values = |line: &curves::Line| line.path.to_vec();
        let plot = Plot::new("directions")
            .id(plot_id(self.model, PlotKind::Directions, (0, 1)))
            .custom_x_axes(numbered("first direction, deg"))
            .y_axis_label("second direction, deg");
        self.lines_ui(ui, plot, &values, None)
    }

    /// All lines of one plot, the looked-at one last; with a band over time, else with a dot where each is now.
    fn lines_ui(
        &self,
        ui: &mut egui::Ui,
        plot: Plot<'_>,
        values: &dyn Fn(&curves::Line) -> Vec<[f64; 2]>,
        band: Option<&[[f64; 3]]>,
    ) -> Option<Picked> {
        let mut lines: Vec<(&curves::Line, Vec<[f64; 2]>)> = self
            .data
            .lines
            .iter()
            .map(|line| (line, values(line)))
            .collect();
        lines.sort_by_key(|(line, _)| self.is_lit(line));
        let shown = plot.show(ui, |plot| {
            if let Some(band) = band {
                plot.add(self.band(band));
                plot.line(self.mean(band));
                plot.vline(VLine::new("playhead", self.secs).color(self.colours.generated));
            }
            for (line, points) in &lines {
                let stroke = self.stroke(line);
                let name = &line.clip.info.name;
                let curve = Line::new(name, PlotPoints::from(points.clone()));
                plot.line(curve.stroke(stroke).allow_hover(true));
                let now = (self.secs / line.curves.frame_secs) as usize;
                if let Some(point) = points.get(now.min(points.len().saturating_sub(1)))
                    && band.is_none()
                {
                    let dot = Points::new("now", PlotPoints::from(vec![*point]));
                    plot.points(dot.radius(3.5).color(stroke.color));
                }
            }
            let at = plot.response().clicked().then(|| plot.pointer_coordinate());
            let at = at.flatten()?;
            let near = nearest(&lines, plot.transform(), at);
            near.or_else(|| band.map(|_| Picked::Moment(at.x)))
        });
        shown.inner
    }

    fn band(&self, band: &[[f64; 3]]) -> FilledArea {
        let column = |of: &dyn Fn(&[f64; 3]) -> f64| -> Vec<f64> { band.iter().map(of).collect() };
        let (secs, low, high) = (
            column(&|p| p[0]),
            column(&|p| p[1] - p[2]),
            column(&|p| p[1] + p[2]),
        );
        let colour: Color32 = self.colours.given.gamma_multiply(0.18);
        FilledArea::new("one deviation of the takes", &secs, &low, &high).fill_color(colour)
    }

    fn mean(&self, band: &[[f64; 3]]) -> Line<'static> {
        let points: Vec<[f64; 2]> = band.iter().map(|p| [p[0], p[1]]).collect();
        let line = Line::new("mean of the takes", PlotPoints::from(points));
        let stroke = Stroke::new(1.2, self.colours.given);
        line.stroke(stroke).style(LineStyle::dashed_dense())
    }
}

/// The axis below a plot, with more numbers than usual: a narrow panel would have but one, and no scale.
fn numbered(label: &str) -> Vec<AxisHints<'static>> {
    let axis = AxisHints::new_x().label(label.to_owned());
    vec![axis.label_spacing(26.0..=40.0)]
}

/// The take or variant whose line is within reach of the pointer.
fn nearest(
    lines: &[(&curves::Line, Vec<[f64; 2]>)],
    transform: &egui_plot::PlotTransform,
    at: PlotPoint,
) -> Option<Picked> {
    const REACH: f32 = 10.0;
    let pointer = transform.position_from_point(&at);
    let place = |p: &[f64; 2]| transform.position_from_point(&PlotPoint::new(p[0], p[1]));
    let distance = |points: &[[f64; 2]]| {
        // Between two frames as well: zoomed in, they are far apart.
        let pieces = points.windows(2).map(|ends| {
            let (from, to) = (place(&ends[0]), place(&ends[1]));
            let along = to - from;
            let share = (pointer - from).dot(along) / along.length_sq().max(1e-6);
            (from + share.clamp(0.0, 1.0) * along).distance(pointer)
        });
        pieces.fold(f32::INFINITY, f32::min)
    };
    let all = lines.iter().map(|(line, points)| (line, distance(points)));
    let near = all.min_by(|a, b| a.1.total_cmp(&b.1));
    let (line, _) = near.filter(|(_, distance)| *distance < REACH)?;
    Some(match line.variant {
        Some(variant) => Picked::Variant(variant),
        None => Picked::Take(line.clip.info.name.clone()),
    })
}
