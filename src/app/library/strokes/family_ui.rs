//! Strokes that a model makes from those that were drawn: how many, how different, and what becomes of them.

use crate::app::library::state::{LibraryWorkspace, Request};
use crate::app::library::strokes::LEARN_STROKES;
use crate::app::shell::context::UiContext;
use crate::app::shell::dialogs::Dialog;
use crate::app::shell::dialogs::dialog::StrokesBox;
use crate::app::shell::ui::running::running_ui;
use crate::app::shell::words::counted;

/// Draws the rows of buttons.
pub(in crate::app::library) fn family_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    library: &mut LibraryWorkspace,
) {
    ui.horizontal_wrapped(|ui| learn_ui(ui, cx, library));
    if library.stroke_model(cx).is_some() {
        // In a row of its own: a slider does not go on in the next one where a narrow panel ends.
        ui.horizontal_wrapped(|ui| recipe_ui(ui, cx, library));
        ui.horizontal_wrapped(|ui| made_ui(ui, cx, library));
    }
}

fn learn_ui(ui: &mut egui::Ui, cx: &mut UiContext, library: &mut LibraryWorkspace) {
    if let Some(running) = cx.work.named(LEARN_STROKES) {
        running_ui(ui, running, "Cancel learning strokes");
        return;
    }
    let n = library.strokes_to_learn(cx).len();
    let words = format!("Learn from {}", counted(n, "stroke"));
    let button = ui.add_enabled(n >= 2, egui::Button::new(words));
    let button = button.on_hover_text(
        "Learns how the selected strokes, or all, vary; the model is kept in the project",
    );
    let button = button.on_disabled_hover_text("Draw two strokes or more; four are good");
    if button.clicked() {
        library.learn_strokes(cx);
    }
}

fn recipe_ui(ui: &mut egui::Ui, cx: &mut UiContext, library: &mut LibraryWorkspace) {
    let models = LibraryWorkspace::stroke_models(cx);
    let chosen = library.stroke_model(cx);
    if let Some((id, name, _)) = chosen.filter(|_| models.len() > 1) {
        egui::ComboBox::from_id_salt("stroke model")
            .selected_text(name)
            .show_ui(ui, |ui| {
                for (other, name, _) in &models {
                    if ui.selectable_label(*other == id, name).clicked() {
                        library.strokes.family.chosen = Some(*other);
                    }
                }
            });
    }
    let recipe = &mut library.strokes.family.recipe;
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

fn made_ui(ui: &mut egui::Ui, cx: &mut UiContext, library: &mut LibraryWorkspace) {
    ui.checkbox(&mut library.strokes.family.is_shown, "Show made strokes")
        .on_hover_text("Orange on the pad; those that were drawn are blue");
    let made = library.made_strokes(cx);
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
        library.requests.ask(Request::KeepStrokes);
    }
    let tip = "Writes the made strokes to files with the columns t, x and y";
    if ui.button("Export made…").on_hover_text(tip).clicked() {
        let dialog = StrokesBox::with(cx, strokes.clone());
        cx.dialog = Some(Dialog::Strokes(dialog));
    }
}
