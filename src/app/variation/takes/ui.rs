//! Takes: what a model learns from, and whether they fit together.

use std::sync::Arc;

use egui_material_icons::icons::ICON_WARNING;

use crate::app::shell::clips::similarity::{ClipComparison, ComparedClips};
use crate::app::shell::context::UiContext;
use crate::app::shell::previews::Preview;
use crate::app::shell::retarget::offer_ui::one_skeleton_ui;
use crate::app::shell::session::Framing;
use crate::app::shell::theme::Colours;
use crate::app::shell::ui::choose::{choose_ui, list_ui};
use crate::app::shell::ui::rows::number_row;
use crate::app::shell::ui::running::running_ui;
use crate::app::shell::ui::similarity::{CM, curve, curve_choice_ui, curves_ui, matrix_ui};
use crate::app::shell::words::counted;
use crate::app::variation::models::score_ui::score_ui;
use crate::app::variation::state::VariationWorkspace;
use crate::app::variation::takes::learn::{LEARN, can_learn};
use crate::document::ClipId;
use crate::motion::Clip;
use crate::variation::{LearnSettings, Method, MotionType, StructureKind};

/// Draws the takes to learn from, with settings and progress.
pub(in crate::app) fn takes_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
) {
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| {
            if let Some(chosen) = choose_ui(ui, cx, "takes") {
                variation.takes.chosen = chosen;
                cx.session.framing = Some(Framing::All);
            }
            let takes = variation.takes(cx);
            if takes.is_empty() {
                ui.weak("No takes yet. Under Clips, select about four clips of one motion by one person, such as four walk cycles or four throws, and use them here. A model learns from them how the motion varies.");
            } else {
                if let Some(out) = list_ui(ui, &takes) {
                    variation.takes.chosen.retain(|id| *id != out);
                }
                ui.label(lengths(&takes));
            }
            let is_refused = one_skeleton_ui(ui, cx, &takes);
            let look = (takes.len() > 1 && !is_refused).then(|| variation.look_at_takes(cx, &takes));
            if let Some(look) = &look {
                fit_ui(ui, variation, look.as_deref());
            }
            ui.separator();
            // Above the curves, so that it is seen however many takes there are.
            learn_ui(ui, cx, variation, &takes);
            if let Some(look) = look.flatten()
                && let Ok(found) = &look.found
            {
                ui.separator();
                details_ui(ui, cx, variation, &look, found);
            }
        });
}

/// Whether they fit: how far they are apart, and who is odd.
fn fit_ui(ui: &mut egui::Ui, variation: &mut VariationWorkspace, look: Option<&ClipComparison>) {
    let Some(look) = look else {
        ui.weak("Comparing the takes…");
        return;
    };
    match &look.found {
        Err(why) => {
            let words = format!("These takes cannot be compared: {why}");
            let words = egui::RichText::new(words).color(ui.visuals().warn_fg_color);
            ui.add(egui::Label::new(words).wrap());
        }
        Ok(found) => found_ui(ui, variation, look, found),
    }
}

/// "4 takes of 1.02 to 1.10 s", or "1 take of 1.02 s".
fn lengths(takes: &[(ClipId, Arc<Clip>)]) -> String {
    let secs = takes.iter().map(|take| take.1.seconds());
    let shortest = secs.clone().fold(f64::INFINITY, f64::min);
    let longest = secs.fold(0.0, f64::max);
    let n = counted(takes.len(), "take");
    if takes.len() == 1 {
        return format!("{n} of {longest:.2} s");
    }
    format!("{n} of {shortest:.2} to {longest:.2} s")
}

fn found_ui(
    ui: &mut egui::Ui,
    variation: &mut VariationWorkspace,
    look: &ClipComparison,
    found: &ComparedClips,
) {
    let similarity = &found.similarity;
    let cm = CM * similarity.median_distance();
    if similarity.outliers.is_empty() {
        ui.label(format!("median distance {cm:.1} cm; no outliers"));
    }
    for &odd in &similarity.outliers {
        let (id, clip) = &look.clips[odd];
        let times = similarity.mean_distances[odd] / similarity.median_distance().max(1e-12);
        ui.horizontal_wrapped(|ui| {
            let colour = Colours::of(ui).warning;
            ui.label(ICON_WARNING.rich_text().color(colour));
            let name = &clip.info.name;
            let words = format!("outlier: {name}, {times:.1} x the median distance");
            ui.colored_label(colour, words);
            if ui.small_button("Take it out").clicked() {
                variation.takes.chosen.retain(|other| other != id);
            }
        });
    }
}

/// Curves over a common time, and the distance of every pair.
fn details_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
    look: &ClipComparison,
    found: &ComparedClips,
) {
    let similarity = &found.similarity;
    egui::CollapsingHeader::new("Compare the takes")
        .default_open(true)
        .show(ui, |ui| {
            ui.checkbox(
                &mut variation.takes.shows_in_step,
                "Align phase in the 3D view",
            )
            .on_hover_text("All takes at the same moment of the motion, on one spot");
            if variation.takes.shows_in_step {
                let takes = found.in_step.clone();
                cx.previews.wish(Preview::Instead(takes));
            }
            curve_choice_ui(ui, &mut variation.takes.curve, similarity);
            let curve = curve(variation.takes.curve, similarity);
            curves_ui(ui, look, similarity, curve);
            matrix_ui(ui, cx, look, similarity);
        });
}

fn learn_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
    takes: &[(ClipId, Arc<Clip>)],
) {
    settings_ui(ui, &mut variation.takes.settings);
    if let Some(running) = cx.work.named(LEARN) {
        running_ui(ui, running, "Cancel learning");
        score_ui(ui, &running.told());
        return;
    }
    ui.horizontal(|ui| {
        let label = ui.label("Name");
        // What is above comes and goes while the takes are compared; the keyboard has to stay here.
        let edit = egui::TextEdit::singleline(&mut variation.takes.name)
            .id(egui::Id::unique("model name"))
            .hint_text("variation")
            .desired_width(140.0);
        let response = ui.add(edit).labelled_by(label.id);
        response.widget_info(|| {
            let mut info = egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Model name");
            info.current_text_value = Some(variation.takes.name.clone());
            info
        });
    });
    let refused = can_learn(takes, &variation.takes.settings).err();
    let words = format!("Learn from {}", counted(takes.len(), "take"));
    let button = ui.add_enabled(refused.is_none(), egui::Button::new(words));
    let tip = "Learns how the motion varies, in the background; the model is kept in the project";
    if button.on_hover_text(tip).clicked() {
        variation.learn_variation(cx);
    }
    if let Some(why) = refused.filter(|_| !takes.is_empty()) {
        ui.weak(why);
    }
    if variation.takes.concerns.is_empty() {
        return;
    }
    for words in &variation.takes.concerns {
        let words = egui::RichText::new(words).color(Colours::of(ui).warning);
        ui.add(egui::Label::new(words).wrap());
    }
    let tip = "Learns from these takes whatever speaks against it";
    if ui.button("Learn all the same").on_hover_text(tip).clicked() {
        variation.learn_all_the_same(cx);
    }
}

const MOTION_TYPES: [(Option<MotionType>, &str, &str); 4] = [
    (None, "auto", "Looks whether the takes close"),
    (Some(MotionType::OneShot), "one-shot", "A jump, a throw"),
    (
        Some(MotionType::Cyclic),
        "cyclic",
        "Each take is one cycle, such as two steps",
    ),
    (
        Some(MotionType::Unaligned),
        "unaligned",
        "Takes begin and end anywhere, or have several cycles; learned by the paper's regression",
    ),
];

const STRUCTURES: [(StructureKind, &str, &str); 4] = [
    (StructureKind::Learned, "learned", "Found by search"),
    (StructureKind::None, "none", "No edges, to compare with"),
    (
        StructureKind::Random,
        "random",
        "As many edges between random nodes, to compare with",
    ),
    (
        StructureKind::Full,
        "full",
        "Every node depends on all before it, to compare with",
    ),
];

const METHODS: [(Method, &str, &str); 2] = [
    (
        Method::Network,
        "network",
        "One network that is scored, sampled and shown",
    ),
    (
        Method::Paper,
        "paper",
        "The paper's own recipe: kernel regression on changes",
    ),
];

fn settings_ui(ui: &mut egui::Ui, settings: &mut LearnSettings) {
    egui::CollapsingHeader::new("Training settings").show(ui, |ui| {
        egui::Grid::new("training settings")
            .num_columns(2)
            .show(ui, |ui| {
                choice_row(ui, "Motion type", &mut settings.motion_type, &MOTION_TYPES);
                choice_row(ui, "Method", &mut settings.method, &METHODS);
                choice_row(ui, "Structure", &mut settings.structure, &STRUCTURES);
                if settings.method == Method::Paper {
                    let number =
                        egui::DragValue::new(&mut settings.paper.neighbours).range(2..=1000);
                    number_row(
                        ui,
                        "Neighbours",
                        number,
                        "How many moments of the takes a degree of freedom goes by",
                    );
                    let number =
                        egui::DragValue::new(&mut settings.paper.most_shared).range(0..=20);
                    number_row(
                        ui,
                        "Max shared parents",
                        number,
                        "At most so many degrees of freedom that all others depend on",
                    );
                    let number = egui::DragValue::new(&mut settings.paper.most_own).range(0..=20);
                    number_row(
                        ui,
                        "Max own parents",
                        number,
                        "At most so many more for each; more take longer",
                    );
                }
                let number = egui::DragValue::new(&mut settings.paper.seed);
                number_row(ui, "Seed", number, "The same seed learns the same model");
            });
        if ui.small_button("Reset to defaults").clicked() {
            *settings = LearnSettings::default();
        }
    });
}

/// One of some choices, each with a word about itself.
fn choice_row<T: Copy + PartialEq>(
    ui: &mut egui::Ui,
    label: &str,
    value: &mut T,
    choices: &[(T, &str, &str)],
) {
    ui.label(label);
    let now = choices.iter().find(|choice| choice.0 == *value);
    egui::ComboBox::from_id_salt(label)
        .selected_text(now.map_or("", |choice| choice.1))
        .show_ui(ui, |ui| {
            for (choice, name, tip) in choices {
                let response = ui.selectable_value(value, *choice, *name);
                response.on_hover_text(*tip);
            }
        });
    ui.end_row();
}
