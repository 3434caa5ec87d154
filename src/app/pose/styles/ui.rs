//! Styles: learned from clips, chosen for the character, blended, compared.

use std::sync::Arc;

use egui_material_icons::icons::{ICON_DELETE, ICON_EDIT};

use crate::app::pose::handles::solver::Aim;
use crate::app::pose::styles::sharing::{Fitted, SHARE};
use crate::app::pose::styles::{LEARN, can_learn, knows, styles_of};
use crate::app::shell::jobs::Running;
use crate::app::shell::studio::{Request, Studio, counted};
use crate::app::shell::ui::name_button;
use crate::app::shell::ui::rename::rename_model_ui;
use crate::app::shell::ui::rows::number_row;
use crate::app::variation::takes::choose_ui::{choose_ui, list_ui};
use crate::document::{ClipId, Command, ModelId, Posed};
use crate::motion::Clip;
use crate::style::{LearnSettings, Style};

/// Draws the panel.
pub(in crate::app) fn styles_ui(ui: &mut egui::Ui, studio: &mut Studio) {
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| {
            let styles: Vec<(ModelId, String, Arc<Style>)> = styles_of(studio.document())
                .map(|(id, name, style)| (id, name.to_owned(), Arc::clone(style)))
                .collect();
            if styles.is_empty() {
                ui.weak("A style learns from clips which poses are natural. Then a hand on one handle moves the whole body.");
            } else {
                list_of_styles_ui(ui, studio, &styles);
                blend_ui(ui, studio, &styles);
                egui::CollapsingHeader::new("Compare").show(ui, |ui| compare_ui(ui, &styles));
            }
            ui.separator();
            learn_ui(ui, studio);
        });
}

fn list_of_styles_ui(
    ui: &mut egui::Ui,
    studio: &mut Studio,
    styles: &[(ModelId, String, Arc<Style>)],
) {
    let posed = studio.posed_now().map(|(_, posed)| posed);
    for (id, name, style) in styles {
        ui.horizontal(|ui| {
            let renames = studio.pose.learn.renames.take_if(|(other, _)| other == id);
            if let Some((_, text)) = renames {
                studio.pose.learn.renames =
                    rename_model_ui(ui, studio, "New style name", (*id, name), text);
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
                let choice = if use_it { Choice::Beside } else { Choice::Not };
                choose(studio, *id, choice);
            }
            let button = ui.add_enabled(is_known, egui::Button::selectable(is_used, name));
            button.widget_info(|| {
                let words = format!("Style {name}");
                egui::WidgetInfo::selected(egui::Role::Button, is_known, is_used, words)
            });
            let button = button.on_hover_text("The character keeps to this style alone");
            let other = "This style was learned on another body than the character's";
            if button.on_disabled_hover_text(other).clicked() {
                choose(studio, *id, Choice::Alone);
            }
            signs_ui(ui, studio, (*id, name));
        });
    }
}

fn signs_ui(ui: &mut egui::Ui, studio: &mut Studio, (id, name): (ModelId, &str)) {
    let rename = ui.small_button(ICON_EDIT);
    name_button(&rename, &format!("Rename style {name}"));
    if rename
        .on_hover_text("Calls the style something else")
        .clicked()
    {
        studio.pose.learn.renames = Some((id, name.to_owned()));
    }
    let delete = ui.small_button(ICON_DELETE);
    name_button(&delete, &format!("Delete style {name}"));
    if delete
        .on_hover_text("Forgets the style; poses stay as they are")
        .clicked()
    {
        studio.ask(Request::Edit(Command::RemoveModel(id)));
    }
}

fn uses(posed: &Posed, id: ModelId) -> bool {
    posed.styles.iter().any(|(style, _)| *style == id)
}

/// How a character keeps to a style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Choice {
    Alone,
    Beside,
    Not,
}

/// Gives the character a style, alone or beside others, or takes it away.
fn choose(studio: &mut Studio, id: ModelId, choice: Choice) {
    studio.change_posed("change styles of", |posed, _| {
        if choice == Choice::Alone {
            posed.styles.clear();
        }
        posed.styles.retain(|(other, _)| *other != id);
        if choice != Choice::Not {
            posed.styles.push((id, 1.0));
        }
        Ok(())
    });
}

/// Sliders between the styles of the character; the body follows while they are dragged.
fn blend_ui(ui: &mut egui::Ui, studio: &mut Studio, styles: &[(ModelId, String, Arc<Style>)]) {
    let Some((_, posed)) = studio.posed_now() else {
        return;
    };
    let name = |id: ModelId| {
        let style = styles.iter().find(|style| style.0 == id);
        style.map_or_else(String::new, |style| style.1.clone())
    };
    if posed.styles.len() > 1 {
        fitting_ui(ui, studio, &posed);
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
                blend(studio, &response, weights);
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
                    blend(studio, &response, weights);
                    ui.end_row();
                }
            });
        }
    }
}

/// How far the styles are on their way to be blended, where there is something to say.
fn fitting_ui(ui: &mut egui::Ui, studio: &mut Studio, posed: &Posed) {
    let chosen = studio.chosen_styles(posed).into_iter();
    let chosen: Vec<Arc<Style>> = chosen.map(|(style, _)| style).collect();
    match studio.fitted(&chosen) {
        Fitted::Together(_) => {}
        Fitted::NotYet => {
            let done = studio.work.named(SHARE).map_or(0.0, Running::progress);
            ui.horizontal(|ui| {
                ui.add(egui::ProgressBar::new(done as f32).desired_width(90.0));
                ui.weak("fitting them together");
            });
        }
        Fitted::Refused => {
            ui.horizontal_wrapped(|ui| {
                ui.weak("Not fitted together: the heavier one counts alone.");
                if ui.small_button("Fit again").clicked() {
                    studio.fit_again();
                }
            });
        }
    }
}

/// One drag of a slider is one step.
fn blend(studio: &mut Studio, response: &egui::Response, weights: Vec<(ModelId, f64)>) {
    if response.changed() {
        if studio.pose.grab.is_none() {
            studio.begin_change("blend styles of");
        }
        if let Some(grab) = &studio.pose.grab {
            let mut draft = Posed::clone(&grab.draft);
            draft.styles = weights;
            studio.change_draft(draft, Some(Aim::Fresh));
        }
        if !response.dragged() {
            studio.end_grab();
        }
    } else if response.drag_stopped() {
        studio.end_grab();
    }
}

/// One row for each style.
fn compare_ui(ui: &mut egui::Ui, styles: &[(ModelId, String, Arc<Style>)]) {
    egui::ScrollArea::horizontal().show(ui, |ui| {
        egui::Grid::new("styles").striped(true).num_columns(6).show(ui, |ui| {
            for (head, tip) in [
                ("Style", "Its name"),
                ("Clips", "What it was learned from"),
                ("Frames", "How many they have together"),
                ("Kept", "Poses that it remembers"),
                ("Map", "Dimensions of its pose map"),
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
                let fit = origin.log_likelihood / origin.n_fitted.max(1) as f64;
                ui.label(format!("{fit:.1}"));
                ui.end_row();
            }
        });
    });
}

fn learn_ui(ui: &mut egui::Ui, studio: &mut Studio) {
    ui.strong("Learn a style");
    if let Some(running) = studio.work.named(LEARN) {
        ui.horizontal(|ui| {
            let bar = egui::ProgressBar::new(running.progress() as f32);
            ui.add(bar.desired_width(140.0).show_percentage());
            if ui.button("Cancel learning").clicked() {
                running.cancel();
            }
        });
        return;
    }
    if let Some(chosen) = choose_ui(ui, studio, "styles") {
        studio.pose.learn.chosen = chosen;
    }
    let clips = studio.style_clips();
    if studio.pose.learn.chosen.is_empty() {
        ui.weak(format!(
            "{} selected in the table",
            counted(clips.len(), "clip")
        ));
    } else {
        chosen_ui(ui, studio, &clips);
    }
    ui.horizontal(|ui| {
        let label = ui.label("Name");
        let hint = clips
            .first()
            .map_or("style", |(_, clip)| clip.info.name.as_str());
        let edit = egui::TextEdit::singleline(&mut studio.pose.learn.name)
            .id(egui::Id::unique("style name"))
            .hint_text(hint)
            .desired_width(140.0);
        let response = ui.add(edit).labelled_by(label.id);
        response.widget_info(|| {
            let mut info = egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Style name");
            info.current_text_value = Some(studio.pose.learn.name.clone());
            info
        });
    });
    settings_ui(ui, &mut studio.pose.learn.settings);
    let refused = can_learn(&clips, &studio.pose.learn.settings).err();
    let words = format!("Learn from {}", counted(clips.len(), "clip"));
    let button = ui.add_enabled(refused.is_none(), egui::Button::new(words));
    let tip = "Learns which poses are natural, in the background; without a character, one is put on stage";
    if button.on_hover_text(tip).clicked() {
        studio.learn_style();
    }
    if let Some(why) = refused {
        ui.weak(why);
    }
}

fn chosen_ui(ui: &mut egui::Ui, studio: &mut Studio, clips: &[(ClipId, Arc<Clip>)]) {
    if let Some(out) = list_ui(ui, clips) {
        studio.pose.learn.chosen.retain(|id| *id != out);
    }
    if ui.small_button("The selected ones instead").clicked() {
        studio.pose.learn.chosen.clear();
    }
}

fn settings_ui(ui: &mut egui::Ui, settings: &mut LearnSettings) {
    egui::CollapsingHeader::new("How to learn").show(ui, |ui| {
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
                    "More know more, and answer more slowly",
                );
                let number = egui::DragValue::new(&mut settings.n_steps).range(10..=1000);
                number_row(ui, "Steps", number, "Of the fit");
            });
        if ui.small_button("Usual settings").clicked() {
            *settings = LearnSettings::default();
        }
    });
}
