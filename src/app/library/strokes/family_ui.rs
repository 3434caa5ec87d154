//! Strokes that a model makes from those that were drawn: how many, how different, and what becomes of them.

use crate::app::library::strokes::LEARN_STROKES;
use crate::app::shell::dialogs::Dialog;
use crate::app::shell::dialogs::strokes::StrokesBox;
use crate::app::shell::studio::{Studio, counted};

/// Draws the rows of buttons.
pub(in crate::app::library) fn family_ui(ui: &mut egui::Ui, studio: &mut Studio) {
    ui.horizontal_wrapped(|ui| learn_ui(ui, studio));
    if studio.stroke_model().is_some() {
        // In a row of its own: a slider does not go on in the next one where a narrow panel ends.
        ui.horizontal_wrapped(|ui| recipe_ui(ui, studio));
        ui.horizontal_wrapped(|ui| made_ui(ui, studio));
    }
}

fn learn_ui(ui: &mut egui::Ui, studio: &mut Studio) {
    if let Some(running) = studio.work.named(LEARN_STROKES) {
        let bar = egui::ProgressBar::new(running.progress() as f32);
        ui.add(bar.desired_width(120.0).show_percentage());
        if ui.button("Cancel learning strokes").clicked() {
            running.cancel();
        }
        return;
    }
    let n = studio.strokes_to_learn().len();
    let words = format!("Learn from {}", counted(n, "stroke"));
    let button = ui.add_enabled(n >= 2, egui::Button::new(words));
    let button = button.on_hover_text(
        "Learns how the selected strokes, or all, vary; the model is kept in the project",
    );
    let button = button.on_disabled_hover_text("Draw two strokes or more; four are good");
    if button.clicked() {
        studio.learn_strokes();
    }
}

fn recipe_ui(ui: &mut egui::Ui, studio: &mut Studio) {
    let models = studio.stroke_models();
    let chosen = studio.stroke_model();
    if let Some((id, name, _)) = chosen.filter(|_| models.len() > 1) {
        egui::ComboBox::from_id_salt("stroke model")
            .selected_text(name)
            .show_ui(ui, |ui| {
                for (other, name, _) in &models {
                    if ui.selectable_label(*other == id, name).clicked() {
                        studio.library.strokes.family.chosen = Some(*other);
                    }
                }
            });
    }
    let recipe = &mut studio.library.strokes.family.recipe;
    ui.label("Make");
    let response = ui.add(egui::DragValue::new(&mut recipe.count).range(1..=200));
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::SpinButton, true, "How many strokes")
    });
    ui.label("Seed");
    ui.add(egui::DragValue::new(&mut recipe.seed).speed(0.05))
        .on_hover_text("The same seed makes the same strokes");
    ui.label("Amount");
    ui.spacing_mut().slider_width = 70.0;
    let slider = egui::Slider::new(&mut recipe.amount, 0.0..=2.0).max_decimals(2);
    let response = ui.add(slider);
    response.widget_info(|| egui::WidgetInfo::slider(true, recipe.amount, "Amount of strokes"));
    response.on_hover_text("0 is the mean stroke, 1 varies as much as those that were drawn");
}

fn made_ui(ui: &mut egui::Ui, studio: &mut Studio) {
    ui.checkbox(
        &mut studio.library.strokes.family.is_shown,
        "Show made strokes",
    )
    .on_hover_text("Orange on the pad; those that were drawn are blue");
    let made = studio.made_strokes();
    let strokes = match made.as_ref().map(|made| &made.strokes) {
        Some(Ok(strokes)) => strokes,
        Some(Err(why)) => {
            ui.colored_label(ui.visuals().warn_fg_color, why);
            return;
        }
        None => {
            ui.weak("Making strokes…");
            return;
        }
    };
    let words = format!("Keep {}", counted(strokes.len(), "stroke"));
    let tip = "Makes them strokes of the project: one step to undo";
    if ui.button(words).on_hover_text(tip).clicked() {
        studio.keep_strokes();
    }
    let tip = "Writes the made strokes to files with the columns t, x and y";
    if ui.button("Export made…").on_hover_text(tip).clicked() {
        let dialog = StrokesBox::with(studio, strokes.clone());
        studio.dialog = Some(Dialog::Strokes(dialog));
    }
}
