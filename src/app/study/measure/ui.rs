//! The table of measures: a line for each, a column for each set, and behind every number the frame it is about.

use std::sync::Arc;

use egui::RichText;

use crate::app::shell::context::UiContext;
use crate::app::shell::files::contents::Contents;
use crate::app::shell::theme::Colours;
use crate::app::shell::ui::name_button;
use crate::app::shell::ui::running::running_ui;
use crate::app::study::measure::plot_ui::strips_ui;
use crate::app::study::measure::{MEASURE, Measured};
use crate::app::study::state::StudyWorkspace;
use crate::document::Learned;
use crate::file::study_report::{comparison_csv, comparison_page, number};
use crate::study::baselines::BaselineSet;
use crate::study::measures::{Measure, Role, Scope};

/// Draws the table of measures, by set and by clip.
pub(in crate::app) fn measures_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    study: &mut StudyWorkspace,
) {
    order_ui(ui, cx, study);
    ui.separator();
    let Some(found) = study.measure.found.clone() else {
        ui.weak("Nothing is measured yet. Each measure comes with what real clips have; a click on a number shows the worst frame.");
        return;
    };
    export_ui(ui, cx, &found);
    // No lower than the names of all sets need.
    let least = 36.0 + 14.0 * found.comparison.sets.len() as f32;
    let plot_height = (0.32 * ui.available_height())
        .clamp(110.0, 260.0)
        .max(least);
    let table_height = (ui.available_height() - plot_height - 44.0).max(80.0);
    egui::ScrollArea::both()
        .max_height(table_height)
        .auto_shrink([false, false])
        .show(ui, |ui| table_ui(ui, cx, study, &found));
    ui.separator();
    strips_ui(ui, cx, study, &found, plot_height);
}

/// What is measured, and the button.
fn order_ui(ui: &mut egui::Ui, cx: &mut UiContext, study: &mut StudyWorkspace) {
    if let Some(running) = cx.work.named(MEASURE) {
        running_ui(ui, running, "Cancel measuring");
        return;
    }
    ui.horizontal_wrapped(|ui| {
        let refused = refused(cx, study);
        let button = ui.add_enabled(refused.is_none(), egui::Button::new("Measure the sets"));
        let tip = "Measures all sets against the inputs, in the background";
        if button.on_hover_text(tip).clicked() {
            study.measure_sets(cx);
        }
        if let Some(why) = refused {
            ui.weak(why);
        }
    });
    ui.horizontal_wrapped(|ui| {
        ui.weak("beside");
        for kind in BaselineSet::ALL {
            let mut is_on = study.measure.baselines.contains(&kind);
            let tip = "Made from the inputs and measured, too: as many as there are motions in the first judged set";
            if ui
                .checkbox(&mut is_on, kind.name())
                .on_hover_text(tip)
                .changed()
            {
                if is_on {
                    study.measure.baselines.insert(kind);
                } else {
                    study.measure.baselines.remove(&kind);
                }
            }
        }
    });
    model_ui(ui, cx, study);
}

/// The model of the likelihood, and the seed of what is made.
fn model_ui(ui: &mut egui::Ui, cx: &UiContext, study: &mut StudyWorkspace) {
    let models: Vec<_> = cx
        .document()
        .models()
        .iter()
        .filter_map(|model| {
            let Learned::Variation(learned) = &model.learned else {
                return None;
            };
            Some((&model.name, learned))
        })
        .collect();
    ui.horizontal(|ui| {
        ui.weak("likelihood by");
        let chosen = &mut study.measure.model;
        let is_it = |model: &Arc<_>| chosen.as_ref().is_some_and(|c| Arc::ptr_eq(c, model));
        let now = models.iter().find(|(_, model)| is_it(model));
        let now = now.map_or("no model", |(name, _)| name.as_str());
        egui::ComboBox::from_id_salt("likelihood")
            .selected_text(now)
            .show_ui(ui, |ui| {
                if ui.selectable_label(chosen.is_none(), "no model").clicked() {
                    *chosen = None;
                }
                for (name, model) in models {
                    if ui.selectable_label(false, name).clicked() {
                        *chosen = Some(Arc::clone(model));
                    }
                }
            })
            .response
            .on_hover_text("A model of variation tells how likely each motion is under it");
        let label = ui.weak("seed").id;
        let seed = egui::DragValue::new(&mut study.measure.seed);
        ui.add(seed)
            .labelled_by(label)
            .on_hover_text("Names the random numbers of noise and blends");
    });
}

/// Why nothing can be measured.
fn refused(cx: &UiContext, study: &StudyWorkspace) -> Option<&'static str> {
    let of = |role| study.sets.members_of(cx.document(), role).len();
    let sets = &study.sets.sets;
    let mut asked = sets.iter().filter(|set| set.role == Role::Asked);
    if of(Role::Inputs) == 0 {
        Some("add the inputs under Compared sets first")
    } else if asked.any(|set| set.members(cx.document()).is_empty()) {
        Some("a judged set is empty")
    } else if of(Role::Asked) == 0 && of(Role::Real) == 0 {
        Some("add a set to be judged under Compared sets")
    } else {
        None
    }
}

fn export_ui(ui: &mut egui::Ui, cx: &mut UiContext, found: &Measured) {
    ui.horizontal_wrapped(|ui| {
        let csv = ui.button("CSV…");
        name_button(&csv, "Export measures as CSV");
        if csv.on_hover_text("Writes every reading to a table").clicked() {
            let table = comparison_csv(&found.comparison);
            cx.ask_where_to_write("measures.csv", Contents::Text(table));
        }
        let page = ui.button("Report…");
        name_button(&page, "Export measures as a report");
        let tip = "Writes a page with the table, a plot for each measure and pictures of the worst moments";
        if page.on_hover_text(tip).clicked() {
            let title = format!("{}: sets compared", cx.document().name());
            let page = comparison_page(&title, &found.comparison, &found.clip_sets());
            cx.ask_where_to_write("measures.html", Contents::Page(page));
        }
        ui.weak("* outside of the range of real clips; click a number to see its worst frame");
    });
}

fn table_ui(ui: &mut egui::Ui, cx: &mut UiContext, study: &mut StudyWorkspace, found: &Measured) {
    let comparison = &found.comparison;
    egui::Grid::new("measures")
        .striped(true)
        .num_columns(2 + comparison.sets.len())
        .spacing([10.0, 3.0])
        .show(ui, |ui| {
            ui.weak("Measure");
            ui.weak("Real clips")
                .on_hover_text("The least and the most of inputs and of real clips held back");
            for set in &comparison.sets {
                let colours = Colours::of(ui);
                let colour = if set.role == Role::Asked {
                    colours.generated
                } else {
                    colours.given
                };
                let n_odd = comparison
                    .measures()
                    .filter(|m| comparison.is_usual(set, *m) == Some(false))
                    .count();
                let n = set.clips.len();
                ui.label(RichText::new(&set.name).color(colour))
                    .on_hover_text(format!(
                        "{n} motions; outside of what real clips have in {n_odd} measures"
                    ));
            }
            ui.end_row();
            for measure in comparison.measures() {
                row_ui(ui, cx, study, found, measure);
                ui.end_row();
            }
        });
}

fn row_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    study: &mut StudyWorkspace,
    found: &Measured,
    measure: Measure,
) {
    let is_plotted = study.measure.plotted == measure;
    let name = ui.selectable_label(is_plotted, measure.name());
    let unit = match measure.unit() {
        "" => String::new(),
        unit => format!(" ({unit})"),
    };
    let tip = format!("{}{unit}", measure.sentence());
    if name.on_hover_text(tip).clicked() {
        study.measure.plotted = measure;
    }
    let range = found.comparison.range(measure);
    match range {
        Some(range) => {
            let words = format!("{} – {}", number(range.low), number(range.high));
            ui.weak(words)
                .on_hover_text(format!("from {} values", range.n));
        }
        None => {
            ui.weak("–").on_hover_text("Too few real clips to tell");
        }
    }
    for set in 0..found.sets.len() {
        cell_ui(ui, cx, study, found, (set, measure));
    }
}

/// One number; a click goes to the worst frame.
fn cell_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    study: &mut StudyWorkspace,
    found: &Measured,
    (set, measure): (usize, Measure),
) {
    let readings = &found.comparison.sets[set];
    let Some(value) = readings.get(measure) else {
        ui.weak("–").on_hover_text("Cannot be told for this set");
        return;
    };
    let is_odd = found.comparison.is_usual(readings, measure) == Some(false);
    let words = if is_odd {
        RichText::new(format!("{} *", number(value))).color(Colours::of(ui).warning)
    } else {
        RichText::new(number(value))
    };
    let worst = found.worst(set, measure);
    let Some((member, reading)) = worst.filter(|_| measure.scope() == Scope::Clip) else {
        ui.label(words).on_hover_text("About the set as a whole");
        return;
    };
    let button = ui.add(egui::Button::new(words).frame(false));
    name_button(&button, &format!("{} of {}", measure.name(), readings.name));
    let place = reading
        .frame
        .map_or_else(String::new, |frame| format!(", frame {frame}"));
    let tip = format!(
        "Furthest from real clips: {} with {}{place}. Click to see it.",
        member.clip.info.name,
        number(reading.value)
    );
    if button.on_hover_text(tip).clicked() {
        study.measure.plotted = measure;
        let (member, reading) = (member.clone(), reading);
        study.look_at(cx, &member, Some(reading));
    }
}
