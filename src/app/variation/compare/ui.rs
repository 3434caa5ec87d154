//! Variants beside noise and cycle animation: in the same 3D view, and as a table of numbers.

use std::sync::Arc;

use egui_material_icons::icons::ICON_WARNING;

use crate::app::shell::context::UiContext;
use crate::app::shell::files::contents::Contents;
use crate::app::shell::previews::ComparedKind;
use crate::app::shell::theme::Colours;
use crate::app::shell::ui::running::running_ui;
use crate::app::shell::ui::similarity::CM;
use crate::app::shell::ui::tints::tint_of;
use crate::app::shell::words::counted;
use crate::app::variation::compare::{COMPARE, CompareView, Comparison, Line, SetNumbers};
use crate::app::variation::state::VariationWorkspace;
use crate::app::variation::variants::making_ui::view_options_ui;
use crate::motion::Clip;

/// Draws variants beside noise and cycle animation, in numbers.
pub(in crate::app) fn compare_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
) {
    let Some((_, model)) = variation.chosen_model(cx) else {
        ui.weak("Compares variants with noise. Choose takes on the left and learn from them.");
        return;
    };
    let variants = variation.variant_clips(cx);
    variation.compare.is_open = true;
    egui::ScrollArea::both().auto_shrink(false).show(ui, |ui| {
        ui.weak("The same takes with noise on them, or played again in any order: what variants should be better than. Noise changes a take by as much as variants differ from the takes.");
        kinds_ui(ui, &mut variation.compare);
        view_options_ui(ui, cx, variation);
        ui.separator();
        run_ui(ui, cx, variation, &variants);
        let found = variation.compare.found.clone();
        if let Some(found) = found.filter(|found| found.is_of_model(&model)) {
            if !found.is_of(&model, &variants, variation.compare.octaves) {
                ui.colored_label(
                    Colours::of(ui).warning,
                    "Something has changed since; compare again.",
                );
            }
            table_ui(ui, &found);
            export_ui(ui, cx, &found);
        }
    });
}

/// What is in the view, each in its colour, and the bands of Perlin noise.
fn kinds_ui(ui: &mut egui::Ui, view: &mut CompareView) {
    for kind in ComparedKind::ALL {
        ui.horizontal(|ui| {
            let mut is_shown = view.shown.contains(&kind);
            let colour: egui::Color32 = tint_of(kind).into();
            let (swatch, _) = ui.allocate_exact_size(egui::vec2(10.0, 10.0), egui::Sense::hover());
            ui.painter().rect_filled(swatch, 2.0, colour);
            let response = ui.checkbox(&mut is_shown, kind.name());
            response.widget_info(|| {
                let words = format!("Show {}", kind.name());
                egui::WidgetInfo::selected(egui::Role::CheckBox, true, is_shown, words)
            });
            if response.on_hover_text("Shows it in the 3D view").changed() {
                if is_shown {
                    view.shown.insert(kind);
                } else {
                    view.shown.remove(&kind);
                }
            }
        });
        if kind == ComparedKind::Perlin {
            octaves_ui(ui, view);
        }
    }
    ui.horizontal(|ui| {
        ui.label("In the 3D view");
        let most = CompareView::MOST_SHOWN;
        ui.add(egui::DragValue::new(&mut view.n_shown).range(1..=most));
        ui.label("of each");
    });
}

fn octaves_ui(ui: &mut egui::Ui, view: &mut CompareView) {
    ui.horizontal(|ui| {
        ui.add_space(22.0);
        let octaves = &mut view.octaves;
        ui.add(egui::DragValue::new(&mut octaves.count).range(1..=8))
            .on_hover_text("Bands of noise, each of twice the frequency of the one before");
        ui.weak("octaves from");
        ui.add(
            egui::DragValue::new(&mut octaves.first_hz)
                .range(0.1..=10.0)
                .speed(0.02)
                .suffix(" Hz"),
        )
        .on_hover_text("Frequency of the slowest band");
        ui.weak("by");
        ui.add(
            egui::DragValue::new(&mut octaves.persistence)
                .range(0.0..=1.0)
                .speed(0.01),
        )
        .on_hover_text("How strong each band is against the one before");
    });
}

fn run_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
    variants: &[Arc<Clip>],
) {
    if let Some(running) = cx.work.named(COMPARE) {
        running_ui(ui, running, "Cancel comparing");
        return;
    }
    let words = format!("Compare {} with noise", counted(variants.len(), "variant"));
    let button = ui.add_enabled(!variants.is_empty(), egui::Button::new(words));
    let button = button.on_hover_text("Makes as many of each kind and measures all of them");
    let button = button.on_disabled_hover_text("Make variants first");
    if button.clicked() {
        variation.compare_variants(cx);
    }
}

const HEADS: [(&str, &str); 6] = [
    ("Motions", "What is measured"),
    ("Count", "How many"),
    (
        "Nearest",
        "How far poses are from the nearest pose of the takes, against how far the takes' own poses are from the other takes. 1 is as near; much more is another motion, 0 a copy.",
    ),
    (
        "Jerk",
        "How much the acceleration changes, against the takes. 1 is as smooth; more trembles, less is lifeless.",
    ),
    (
        "Diversity",
        "How different two of them are at the same moment, against two takes. 1 varies as people do; 0 is one motion again and again.",
    ),
    (
        "Slide, cm/s",
        "Speed of feet over the floor while they stand, in centimetres a second of a body of 1.75 m.",
    ),
];

fn table_ui(ui: &mut egui::Ui, found: &Comparison) {
    egui::Grid::new("metrics")
        .striped(true)
        .num_columns(HEADS.len())
        .spacing([8.0, 5.0])
        .show(ui, |ui| {
            for (head, tip) in HEADS {
                ui.weak(head).on_hover_text(tip);
            }
            ui.end_row();
            for line in &found.lines {
                line_ui(ui, line);
                ui.end_row();
            }
        });
    let n_odd: usize = found
        .lines
        .iter()
        .filter_map(|line| line.numbers.as_ref().ok())
        .map(|numbers| numbers.oddities().iter().flatten().count())
        .sum();
    if n_odd > 0 {
        ui.horizontal(|ui| {
            ui.label(ICON_WARNING.rich_text().color(Colours::of(ui).warning));
            ui.weak("out of range; point at it to read why");
        });
    }
}

fn line_ui(ui: &mut egui::Ui, line: &Line) {
    ui.strong(line.name);
    ui.label(line.count.to_string());
    match &line.numbers {
        Err(why) => {
            for _ in 0..4 {
                ui.weak("-").on_hover_text(why);
            }
        }
        Ok(numbers) => numbers_ui(ui, line.name, numbers),
    }
}

fn numbers_ui(ui: &mut egui::Ui, name: &str, numbers: &SetNumbers) {
    let cells = [
        numbers.nearest.map(|n| format!("{n:.2}")),
        Some(format!("{:.2}", numbers.jerk)),
        numbers.diversity.map(|n| format!("{n:.2}")),
        numbers.slide.map(|n| format!("{:.1}", CM * n)),
    ];
    for ((cell, odd), (head, tip)) in cells.into_iter().zip(numbers.oddities()).zip(&HEADS[2..]) {
        let Some(words) = cell else {
            ui.weak("-")
                .on_hover_text("Cannot be told for these motions");
            continue;
        };
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 3.0;
            match odd {
                None => {
                    ui.label(words).on_hover_text(*tip);
                }
                Some(why) => {
                    // A sign and a colour, never colour alone.
                    let colour = Colours::of(ui).warning;
                    ui.colored_label(colour, words).on_hover_text(&why);
                    let sign = ui.label(ICON_WARNING.rich_text().color(colour));
                    sign.widget_info(|| {
                        let words = format!("{head} of {name} is out of range");
                        egui::WidgetInfo::labeled(egui::Role::Label, true, words)
                    });
                    sign.on_hover_text(why);
                }
            }
        });
    }
}

fn export_ui(ui: &mut egui::Ui, cx: &mut UiContext, found: &Comparison) {
    ui.horizontal(|ui| {
        let tip = "Puts the table on the clipboard";
        if ui.button("Copy table").on_hover_text(tip).clicked() {
            ui.ctx().copy_text(found.csv());
        }
        let tip = "Writes the table to a CSV file";
        if ui.button("Export table…").on_hover_text(tip).clicked() {
            cx.ask_where_to_write("comparison.csv", Contents::Text(found.csv()));
        }
    });
}
