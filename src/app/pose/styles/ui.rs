//! Styles: learned from clips, chosen for the character, blended, compared.

use std::sync::Arc;

use egui_material_icons::icons::{ICON_DELETE, ICON_EDIT};

use crate::app::pose::requests::{Request as PoseRequest, StyleChoice};
use crate::app::pose::state::PoseWorkspace;
use crate::app::pose::styles::shared::Fitted;
use crate::app::pose::styles::sharing::SHARE;
use crate::app::pose::styles::{LEARN, can_learn, knows, styles_of};
use crate::app::shell::context::UiContext;
use crate::app::shell::requests::Request;
use crate::app::shell::retarget::offer_ui::one_skeleton_ui;
use crate::app::shell::ui::choose::{choose_ui, list_ui};
use crate::app::shell::ui::name_button;
use crate::app::shell::ui::rename::rename_model_ui;
use crate::app::shell::ui::rows::number_row;
use crate::app::shell::ui::running::running_ui;
use crate::app::shell::words::counted;
use crate::app::shell::work::Running;
use crate::document::{ClipId, Command, ModelId, Posed};
use crate::motion::Clip;
use crate::style::{LearnSettings, Style};

/// Draws the panel in which styles are learned, weighed and compared.
pub(in crate::app) fn styles_ui(ui: &mut egui::Ui, cx: &mut UiContext, pose: &mut PoseWorkspace) {
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| {
            let styles: Vec<(ModelId, String, Arc<Style>)> = styles_of(cx.document())
                .map(|(id, name, style)| (id, name.to_owned(), Arc::clone(style)))
                .collect();
            if styles.is_empty() {
                ui.weak("A style learns from clips which poses are natural. Then a hand on one handle moves the whole body.");
            } else {
                list_of_styles_ui(ui, cx, pose, &styles);
                blend_ui(ui, cx, pose, &styles);
                egui::CollapsingHeader::new("Compare").show(ui, |ui| compare_ui(ui, &styles));
            }
            ui.separator();
            learn_ui(ui, cx, pose);
        });
}

fn list_of_styles_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    pose: &mut PoseWorkspace,
    styles: &[(ModelId, String, Arc<Style>)],
) {
    let posed = pose.posed_now(cx).map(|(_, posed)| posed);
    for (id, name, style) in styles {
        ui.horizontal(|ui| {
            let renames = pose.learn.renames.take_if(|(other, _)| other == id);
            if let Some((_, text)) = renames {
                pose.learn.renames = rename_model_ui(ui, cx, "New style name", (*id, name), text);
                return;
            }
            let is_used = posed.as_ref().is_some_and(|posed| uses(posed, *id));
            let is_known = posed.as_ref().is_some_and(|posed| knows(style, posed));
            let mut use_it = is_used;
            let tick = ui.add_enabled(is_known, egui::Checkbox::without_text(&mut use_it));
            tick.widget_info(|| {
                let words = format!("Blend in {name}");
                egui::WidgetInfo::selected(egui::Role::CheckBox, is_known, is_used, words)
            });
            let tick = tick.on_hover_text("Blends this style into the character's own");
            if tick.clicked() {
                let choice = if use_it {
                    StyleChoice::Beside
                } else {
                    StyleChoice::Not
                };
                pose.requests.ask(PoseRequest::ChooseStyle(*id, choice));
            }
            let button = ui.add_enabled(is_known, egui::Button::selectable(is_used, name));
            button.widget_info(|| {
                let words = format!("Style {name}");
                egui::WidgetInfo::selected(egui::Role::Button, is_known, is_used, words)
            });
            let button = button.on_hover_text("The character keeps to this style alone");
            let other = "This style was learned on another body than the character's";
            if button.on_disabled_hover_text(other).clicked() {
                pose.requests
                    .ask(PoseRequest::ChooseStyle(*id, StyleChoice::Alone));
            }
            signs_ui(ui, cx, pose, (*id, name));
        });
    }
}

fn signs_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    pose: &mut PoseWorkspace,
    (id, name): (ModelId, &str),
) {
    let rename = ui.small_button(ICON_EDIT);
    name_button(&rename, &format!("Rename style {name}"));
    if rename
        .on_hover_text("Calls the style something else")
        .clicked()
    {
        pose.learn.renames = Some((id, name.to_owned()));
    }
    let delete = ui.small_button(ICON_DELETE);
    name_button(&delete, &format!("Delete style {name}"));
    if delete
        .on_hover_text("Forgets the style; poses stay as they are")
        .clicked()
    {
        cx.ask(Request::Edit(Command::RemoveModel(id)));
    }
}

fn uses(posed: &Posed, id: ModelId) -> bool {
    posed.styles.iter().any(|(style, _)| *style == id)
}

/// Sliders between the styles of the character; the body follows while they are dragged.
fn blend_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    pose: &mut PoseWorkspace,
    styles: &[(ModelId, String, Arc<Style>)],
) {
    let Some((_, posed)) = pose.posed_now(cx) else {
        return;
    };
    let name = |id: ModelId| {
        let style = styles.iter().find(|style| style.0 == id);
        style.map_or_else(String::new, |style| style.1.clone())
    };
    if posed.styles.len() > 1 {
        fitting_ui(ui, cx, pose, &posed);
    }
    match posed.styles.as_slice() {
        [] | [_] => {}
        [(a, of_a), (b, of_b)] => {
            let sum = of_a + of_b;
            let mut share = if sum > 0.0 { of_b / sum } else { 0.5 };
            ui.horizontal(|ui| {
                ui.label(name(*a));
                let slider = egui::Slider::new(&mut share, 0.0..=1.0).show_value(false);
                let response = ui.add(slider);
                response.widget_info(|| egui::WidgetInfo::slider(true, share, "Blend"));
                ui.label(name(*b));
                let weights = vec![(*a, 1.0 - share), (*b, share)];
                blend(cx, pose, &response, weights);
            });
        }
        many => {
            egui::Grid::new("blend").num_columns(2).show(ui, |ui| {
                for (at, (id, weight)) in many.iter().enumerate() {
                    let mut weight = *weight;
                    ui.label(name(*id));
                    let response =
                        ui.add(egui::Slider::new(&mut weight, 0.0..=1.0).max_decimals(2));
                    let words = format!("Weight of {}", name(*id));
                    response.widget_info(|| egui::WidgetInfo::slider(true, weight, &words));
                    let mut weights = many.to_vec();
                    weights[at].1 = weight;
                    blend(cx, pose, &response, weights);
                    ui.end_row();
                }
            });
        }
    }
}

/// How far the styles are on their way to be blended, where there is something to say.
fn fitting_ui(ui: &mut egui::Ui, cx: &mut UiContext, pose: &mut PoseWorkspace, posed: &Posed) {
    let chosen = PoseWorkspace::chosen_styles(cx, posed).into_iter();
    let chosen: Vec<Arc<Style>> = chosen.map(|(style, _)| style).collect();
    match pose.fitted(&chosen) {
        Fitted::Together(_) => {}
        Fitted::NotYet => {
            let done = cx.work.named(SHARE).map_or(0.0, Running::progress);
            ui.horizontal(|ui| {
                ui.add(egui::ProgressBar::new(done as f32).desired_width(90.0));
                ui.weak("fitting them together");
            });
        }
        Fitted::Refused => {
            ui.horizontal_wrapped(|ui| {
                ui.weak("Not fitted together: the heavier one counts alone.");
                if ui.small_button("Fit again").clicked() {
                    pose.fit_again();
                }
            });
        }
    }
}

/// One drag of a slider is one step.
fn blend(
    cx: &mut UiContext,
    pose: &mut PoseWorkspace,
    response: &egui::Response,
    weights: Vec<(ModelId, f64)>,
) {
    if response.changed() {
        let is_done = !response.dragged();
        pose.requests.ask(PoseRequest::Blend { weights, is_done });
    } else if response.drag_stopped() {
        pose.end_grab(cx);
    }
}

/// One row for each style.
fn compare_ui(ui: &mut egui::Ui, styles: &[(ModelId, String, Arc<Style>)]) {
    egui::ScrollArea::horizontal().show(ui, |ui| {
        egui::Grid::new("styles").striped(true).num_columns(7).show(ui, |ui| {
            for (head, tip) in [
                ("Style", "Its name"),
                ("Clips", "What it was learned from"),
                ("Frames", "How many they have together"),
                ("Kept", "Poses that it remembers"),
                ("Map", "Dimensions of its pose map"),
                ("Trusted", "What did better on clips that were left out when it was learned, and judges poses"),
                ("Fit", "Log-likelihood for each fitted pose: higher is better; compare only styles of one body"),
            ] {
                ui.strong(head).on_hover_text(tip);
            }
            ui.end_row();
            for (_, name, style) in styles {
                let origin = style.origin();
                ui.label(name);
                ui.label(origin.clips.len().to_string()).on_hover_text(origin.clips.join(", "));
                ui.label(origin.n_frames.to_string());
                ui.label(style.active().len().to_string());
                let map = style.latent().map(crate::style::Gplvm::n_latent);
                ui.label(map.map_or_else(|| "none".to_owned(), |n| n.to_string()));
                let trusted = ui.label(match (style.latent(), style.trusted_latent()) {
                    (None, _) | (_, None) => "Gaussian",
                    (_, Some(_)) => "style",
                });
                if let Some(found) = style.cross_validation() {
                    trusted.on_hover_text(found.sentence());
                }
                let fit = origin.log_likelihood / origin.n_fitted.max(1) as f64;
                ui.label(format!("{fit:.1}"));
                ui.end_row();
            }
        });
    });
}

fn learn_ui(ui: &mut egui::Ui, cx: &mut UiContext, pose: &mut PoseWorkspace) {
    ui.strong("Learn a style");
    if let Some(running) = cx.work.named(LEARN) {
        running_ui(ui, running, "Cancel learning");
        return;
    }
    if let Some(chosen) = choose_ui(ui, cx, "styles") {
        pose.learn.chosen = chosen;
    }
    let clips = pose.style_clips(cx);
    if pose.learn.chosen.is_empty() {
        ui.weak(format!(
            "{} selected in the table",
            counted(clips.len(), "clip")
        ));
    } else {
        chosen_ui(ui, pose, &clips);
    }
    ui.horizontal(|ui| {
        let label = ui.label("Name");
        let hint = clips
            .first()
            .map_or("style", |(_, clip)| clip.info.name.as_str());
        let edit = egui::TextEdit::singleline(&mut pose.learn.name)
            .id(egui::Id::unique("style name"))
            .hint_text(hint)
            .desired_width(140.0);
        let response = ui.add(edit).labelled_by(label.id);
        response.widget_info(|| {
            let mut info = egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Style name");
            info.current_text_value = Some(pose.learn.name.clone());
            info
        });
    });
    settings_ui(ui, &mut pose.learn.settings);
    one_skeleton_ui(ui, cx, &clips);
    let refused = can_learn(&clips, &pose.learn.settings).err();
    let words = format!("Learn from {}", counted(clips.len(), "clip"));
    let button = ui.add_enabled(refused.is_none(), egui::Button::new(words));
    let tip = "Learns which poses are natural, in the background; without a character, one is put on stage";
    if button.on_hover_text(tip).clicked() {
        pose.learn_style(cx);
    }
    if let Some(why) = refused {
        ui.weak(why);
    }
}

fn chosen_ui(ui: &mut egui::Ui, pose: &mut PoseWorkspace, clips: &[(ClipId, Arc<Clip>)]) {
    if let Some(out) = list_ui(ui, clips) {
        pose.learn.chosen.retain(|id| *id != out);
    }
    if ui.small_button("Use current selection").clicked() {
        pose.learn.chosen.clear();
    }
}

fn settings_ui(ui: &mut egui::Ui, settings: &mut LearnSettings) {
    egui::CollapsingHeader::new("Training settings").show(ui, |ui| {
        egui::Grid::new("how to learn a style")
            .num_columns(2)
            .show(ui, |ui| {
                let number = egui::DragValue::new(&mut settings.n_latent).range(1..=6);
                number_row(
                    ui,
                    "Dimensions of the map",
                    number,
                    "Two make one picture of all poses; with three the picture is a slice",
                );
                let number = egui::DragValue::new(&mut settings.n_fitted).range(20..=1000);
                number_row(
                    ui,
                    "Poses to fit",
                    number,
                    "Spread over all frames; twice as many take about eight times as long",
                );
                let number = egui::DragValue::new(&mut settings.n_active).range(10..=400);
                number_row(
                    ui,
                    "Poses to keep",
                    number,
                    "More cover more of the clips, and make solving slower",
                );
                let number = egui::DragValue::new(&mut settings.n_steps).range(10..=1000);
                number_row(ui, "Steps", number, "Of the fit");
            });
        if ui.small_button("Reset to defaults").clicked() {
            *settings = LearnSettings::default();
        }
    });
}
