//! The models of a project side by side: what each was learned from, and how good it is.

use std::sync::Arc;

use egui_material_icons::icons::{ICON_DELETE, ICON_EDIT};

use crate::app::shell::context::UiContext;
use crate::app::shell::requests::Request;
use crate::app::shell::ui::name_button;
use crate::app::shell::ui::rename::rename_model_ui;
use crate::app::variation::models::known::Known;
use crate::app::variation::models::score_ui::score_ui;
use crate::app::variation::models_of;
use crate::app::variation::state::VariationWorkspace;
use crate::document::{Command, ModelId};
use crate::variation::{ClipModel, Method, MotionType};

/// Draws the list of models, to be chosen, renamed and removed.
pub(in crate::app) fn models_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
) {
    let models: Vec<(ModelId, Arc<ClipModel>)> = models_of(cx.document()).collect();
    if models.is_empty() {
        ui.weak("No models yet. Choose takes on the left and learn from them.");
        return;
    }
    let chosen = variation.chosen_model(cx).map(|model| model.0);
    egui::ScrollArea::both().auto_shrink(false).show(ui, |ui| {
        for (id, _) in &models {
            row_ui(ui, cx, variation, *id, Some(*id) == chosen);
        }
        ui.separator();
        ui.checkbox(&mut variation.shows_family, "Show its takes in the 3D view")
            .on_hover_text("Also before there are variants of it");
        compare_ui(ui, cx, variation, &models);
        let model = models.iter().find(|(id, _)| Some(*id) == chosen);
        if let Some((_, model)) = model {
            detail_ui(ui, cx, variation, model);
        }
    });
}

fn row_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
    id: ModelId,
    is_chosen: bool,
) {
    let Some(name) = cx.document().model(id).map(|model| model.name.clone()) else {
        return;
    };
    ui.horizontal(|ui| {
        let renames = variation.renames.take_if(|(other, _)| *other == id);
        if let Some((_, text)) = renames {
            variation.renames = rename_model_ui(ui, cx, "New model name", (id, &name), text);
            return;
        }
        let response = ui.add(egui::Button::selectable(is_chosen, &name));
        response.widget_info(|| {
            let words = format!("Model {name}");
            egui::WidgetInfo::selected(egui::Role::Button, true, is_chosen, words)
        });
        if response
            .on_hover_text("Makes variants with this model")
            .clicked()
        {
            variation.chosen = Some(id);
            variation.live = None;
        }
        let rename = ui.small_button(ICON_EDIT);
        name_button(&rename, &format!("Rename model {name}"));
        if rename
            .on_hover_text("Calls the model something else")
            .clicked()
        {
            variation.renames = Some((id, name.clone()));
        }
        let delete = ui.small_button(ICON_DELETE);
        name_button(&delete, &format!("Delete model {name}"));
        let tip = "Forgets the model; clips that it made and that were kept stay";
        if delete.on_hover_text(tip).clicked() {
            cx.ask(Request::Edit(Command::RemoveModel(id)));
        }
    });
}

/// Said of models from before there was one network for everything.
const EARLIER: &str = "This model was learned by an earlier version of Kinfolk. It still makes variants, by the paper's regression; learn it again from its takes for better ones.";

/// How a motion runs, in a word.
const fn motion_word(motion: MotionType) -> &'static str {
    match motion {
        MotionType::OneShot => "one-shot",
        MotionType::Cyclic => "cyclic",
        MotionType::Unaligned => "unaligned",
    }
}

/// One row for each model.
fn compare_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
    models: &[(ModelId, Arc<ClipModel>)],
) {
    let table = egui::Grid::new("models").striped(true).num_columns(7);
    table.min_col_width(0.0).spacing([9.0, 4.0]).show(ui, |ui| {
        for (head, tip) in [
            ("Model", "Its name"),
            ("Takes", "What it was learned from"),
            ("Motion", "How the motion runs, and how long it takes"),
            ("DOFs", "Degrees of freedom"),
            ("Parents", "How many nodes a node depends on, on average, its own last two frames with them"),
            ("Score", "Mean log-likelihood of a value of takes left out, each judged by the others: higher is better; compare only models of the same takes"),
            ("Method", "A network, or the paper's own regression"),
        ] {
            ui.strong(head).on_hover_text(tip);
        }
        ui.end_row();
        for (id, model) in models {
            let name = cx.document().model(*id).map(|model| model.name.clone());
            let inner = model.model();
            let examples = inner.examples();
            ui.label(name.unwrap_or_default());
            ui.label(examples.n_takes().to_string());
            let course = motion_word(examples.motion_type());
            let secs = examples.n_frames() as f64 * examples.frame_secs() / examples.n_takes() as f64;
            ui.label(format!("{course}, {secs:.2} s"));
            ui.label(examples.n_dofs().to_string());
            ui.label(format!("{:.1}", inner.mean_parents()));
            let known = variation.known_of(cx, model);
            match known.as_deref() {
                Some(Ok(known)) => {
                    let score = known.score.map_or_else(|| "-".to_owned(), |s| format!("{s:.3}"));
                    ui.label(score)
                }
                Some(Err(why)) => ui.weak("-").on_hover_text(why),
                None => ui.weak("…"),
            };
            let is_old = inner.settings().is_of_earlier_version;
            match inner.method() {
                _ if is_old => ui.label("earlier version").on_hover_text(EARLIER),
                Method::Network => ui.label("network"),
                Method::Paper => ui.label("paper"),
            };
            ui.end_row();
        }
    });
}

/// How the chosen one came about.
fn detail_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
    model: &Arc<ClipModel>,
) {
    if model.model().settings().is_of_earlier_version {
        ui.add_space(6.0);
        ui.colored_label(ui.visuals().warn_fg_color, EARLIER);
    }
    let report = model
        .model()
        .paper()
        .map(crate::variation::PaperModel::report);
    let scores: Vec<f64> = report.map_or_else(Vec::new, |report| {
        report.steps.iter().map(|step| step.1).collect()
    });
    if !scores.is_empty() {
        ui.add_space(6.0);
        ui.strong("How the score rose");
        score_ui(ui, &scores);
    }
    if let Some(finding) = variation.known_of(cx, model)
        && let Ok(known) = &*finding
    {
        ui.add_space(6.0);
        ui.strong("Each take foretold by the others");
        remade_ui(ui, known);
    }
}

fn remade_ui(ui: &mut egui::Ui, known: &Known) {
    egui::Grid::new("remade")
        .striped(true)
        .num_columns(3)
        .show(ui, |ui| {
            ui.weak("Take");
            ui.weak("likelihood");
            ui.weak("error, deviations");
            ui.end_row();
            for take in &known.remade {
                ui.label(&take.take);
                ui.label(format!("{:.2}", take.log_likelihood));
                ui.label(format!("{:.2}", take.error));
                ui.end_row();
            }
        });
}
