//! How variants are made: how many, how different, how long, and what stays where it stands.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::app::shell::context::UiContext;
use crate::app::shell::view_options::Arrangement;
use crate::app::shell::words::counted;
use crate::app::variation::state::VariationWorkspace;
use crate::app::variation::variants::live::Live;
use crate::app::variation::variants::make::MAKE;
use crate::app::variation::variants::recipe::{Recipe, can_go_on};
use crate::motion::chart::BodyPart;
use crate::variation::ClipModel;

/// Draws the settings and the buttons.
pub(in crate::app::variation) fn making_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
    model: &Arc<ClipModel>,
) {
    let mut recipe = variation.recipe.clone();
    egui::Grid::new("recipe").num_columns(2).show(ui, |ui| {
        ui.label("How many");
        let count = egui::DragValue::new(&mut variation.count).range(1..=1000);
        let response = ui.add(count);
        response.widget_info(|| {
            egui::WidgetInfo::labeled(egui::Role::SpinButton, true, "How many")
        });
        ui.end_row();
        ui.label("Seed");
        ui.add(egui::DragValue::new(&mut recipe.seed).speed(0.05))
            .on_hover_text("The same seed makes the same variants, on any machine");
        ui.end_row();
        ui.label("Amount");
        let slider = egui::Slider::new(&mut recipe.amount, 0.0..=2.0).max_decimals(2);
        let response = ui.add(slider);
        response.widget_info(|| egui::WidgetInfo::slider(true, recipe.amount, "Amount"));
        response.on_hover_text("0 is the mean motion, 1 varies as much as the takes do; the variant you look at follows at once");
        ui.end_row();
        ui.label("Length");
        length_ui(ui, &mut recipe, model);
        ui.end_row();
        ui.label("Lock");
        ui.horizontal(|ui| {
            ui.checkbox(&mut recipe.holds_feet, "feet")
                .on_hover_text("Feet stay where they stand");
            ui.checkbox(&mut recipe.holds_hands, "hands")
                .on_hover_text("Hands stay where they are held");
        });
        ui.end_row();
    });
    parts_ui(ui, &mut recipe, model);
    variation.recipe = recipe;
    buttons_ui(ui, cx, variation, model);
    view_options_ui(ui, cx, variation);
}

fn length_ui(ui: &mut egui::Ui, recipe: &mut Recipe, model: &ClipModel) {
    if !can_go_on(model) {
        recipe.secs = None;
        ui.label("one-shot")
            .on_hover_text("This motion has an end. Learned as a cycle, it could go on.");
        return;
    }
    ui.horizontal(|ui| {
        let mut is_long = recipe.secs.is_some();
        let words = "several cycles";
        if ui.checkbox(&mut is_long, words).changed() {
            recipe.secs = is_long.then_some(5.0);
        }
        if let Some(secs) = recipe.secs.as_mut() {
            let range = 0.5..=Recipe::LONGEST_SECS;
            ui.add(
                egui::DragValue::new(secs)
                    .range(range)
                    .speed(0.1)
                    .suffix(" s"),
            );
        }
    });
}

/// An amount for each part of the body.
fn parts_ui(ui: &mut egui::Ui, recipe: &mut Recipe, model: &ClipModel) {
    let dofs = model.chart().dofs().iter();
    let parts: BTreeSet<BodyPart> = dofs.map(|dof| dof.part).collect();
    recipe.parts.retain(|part, _| parts.contains(part));
    egui::CollapsingHeader::new("Parts of the body").show(ui, |ui| {
        ui.weak("A factor for each: 0 keeps a part at the mean motion. A pinned part goes as in a take, and the rest follows as the model says");
        recipe.pinned.retain(|part, _| parts.contains(part));
        egui::Grid::new("parts").num_columns(3).show(ui, |ui| {
            for part in parts {
                ui.label(part.to_string());
                let mut factor = recipe.parts.get(&part).copied().unwrap_or(1.0);
                let slider = egui::Slider::new(&mut factor, 0.0..=2.0).max_decimals(2);
                let response = ui.add(slider);
                response.widget_info(|| {
                    egui::WidgetInfo::slider(true, factor, format!("Amount of {part}"))
                });
                if response.changed() {
                    recipe.parts.insert(part, factor);
                }
                pin_ui(ui, recipe, model, part);
                ui.end_row();
            }
        });
        if ui.small_button("All alike").clicked() {
            recipe.parts.clear();
            recipe.pinned.clear();
        }
    });
}

/// Pins a part to a take.
fn pin_ui(ui: &mut egui::Ui, recipe: &mut Recipe, model: &ClipModel, part: BodyPart) {
    let examples = model.model().examples();
    let now = recipe.pinned.get(&part).copied();
    let name = now.map_or("free", |take| {
        examples.name(take.min(examples.n_takes() - 1))
    });
    egui::ComboBox::from_id_salt(("pin", part))
        .selected_text(name)
        .width(90.0)
        .show_ui(ui, |ui| {
            if ui.selectable_label(now.is_none(), "free").clicked() {
                recipe.pinned.remove(&part);
            }
            for take in 0..examples.n_takes() {
                let words = examples.name(take);
                if ui.selectable_label(now == Some(take), words).clicked() {
                    recipe.pinned.insert(part, take);
                }
            }
        })
        .response
        .on_hover_text(format!(
            "Pins the {part} to a take: exact inference for the rest"
        ));
}

fn buttons_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
    model: &ClipModel,
) {
    ui.horizontal_wrapped(|ui| {
        if let Some(running) = cx.work.named(MAKE) {
            let bar = egui::ProgressBar::new(running.progress() as f32);
            ui.add(bar.desired_width(120.0).show_percentage());
            if ui.button("Cancel making").clicked() {
                running.cancel();
            }
        } else {
            let words = format!("Make {}", counted(variation.count, "variant"));
            let tip = "Those of before that were not kept go";
            if ui.button(words).on_hover_text(tip).clicked() {
                variation.make_variants(cx);
            }
        }
        let seconds = variation.live.as_ref().map(Live::secs);
        if let Some(secs) = seconds {
            if ui.button("Stop the stream").clicked() {
                variation.stop_live(cx);
            }
            ui.label(format!("{secs:.1} s"));
        } else {
            let button = ui.add_enabled(can_go_on(model), egui::Button::new("Stream"));
            let button = button.on_hover_text(
                "Goes on and on in the 3D view until you stop it; the last minute can be kept",
            );
            let button = button.on_disabled_hover_text(
                "This motion has an end. Learned as a cycle, it could go on.",
            );
            if button.clicked() {
                variation.start_live(cx);
            }
        }
    });
}

/// How the 3D view shows the family.
pub(in crate::app::variation) fn view_options_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
) {
    ui.horizontal_wrapped(|ui| {
        let arrangement = &mut cx.preferences.view.arrangement;
        let before = *arrangement;
        for (value, words) in [
            (Arrangement::Overlaid, "Overlaid"),
            (Arrangement::SideBySide, "Side by side"),
            (Arrangement::Grid, "Grid"),
        ] {
            ui.selectable_value(arrangement, value, words);
        }
        if *arrangement != before {
            cx.session.framing = Some(crate::app::shell::session::Framing::All);
        }
        let solo = ui.checkbox(&mut variation.is_solo, "Solo");
        let solo = solo.on_hover_text("Shows only the variant that is looked at");
        if solo.changed() {
            cx.session.framing = Some(crate::app::shell::session::Framing::All);
        }
        ui.checkbox(&mut variation.shows_inputs, "with takes")
            .on_hover_text("Shows the takes in blue beside the variants in orange");
    });
}
