//! Choosing a texture, learning one, and what there is to say about it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::sequence::state::{Request, SequenceWorkspace};
use crate::app::sequence::textures::{LEARN_JOB, LabelSource};
use crate::app::shell::context::UiContext;
use crate::app::shell::retarget::offer_ui::one_skeleton_ui;
use crate::app::shell::words::counted;
use crate::app::shell::work::Running;
use crate::document::{ClipId, Learned, ModelId};
use crate::motion::Clip;

/// Draws the list of textures and, folded away, how one is learned.
pub fn texture_ui(ui: &mut egui::Ui, cx: &mut UiContext, sequence: &mut SequenceWorkspace) {
    let textures: Vec<(ModelId, String)> = cx
        .document()
        .models()
        .iter()
        .filter(|model| matches!(model.learned, Learned::Texture(_)))
        .map(|model| (model.id, model.name.clone()))
        .collect();
    let chosen = sequence.chosen_texture(cx);
    if let Some((id, texture)) = &chosen {
        let name = textures.iter().find(|(other, _)| other == id);
        ui.horizontal(|ui| {
            ui.label("Texture");
            egui::ComboBox::from_id_salt("texture")
                .selected_text(name.map_or("", |(_, name)| name))
                .show_ui(ui, |ui| {
                    for (other, name) in &textures {
                        let chosen = &mut sequence.textures.chosen;
                        ui.selectable_value(chosen, Some(*other), name);
                    }
                });
        });
        sequence.look_at_texture(cx, texture);
        let told = sequence.told(texture).cloned();
        ui.collapsing("What it knows", |ui| match told {
            Some(told) => {
                for sentence in told.sentences() {
                    ui.label(sentence);
                }
                let actions = told.actions.iter();
                let actions = actions.map(|(name, secs)| format!("{name} {secs:.0} s"));
                ui.weak(actions.collect::<Vec<_>>().join(", "));
            }
            None => {
                ui.spinner();
            }
        });
    }
    let is_learning = cx.work.named(LEARN_JOB).map(Running::progress);
    if let Some(done) = is_learning {
        ui.add(egui::ProgressBar::new(done as f32).text("Learning"));
        if ui.button("Cancel").clicked()
            && let Some(job) = cx.work.named(LEARN_JOB)
        {
            job.cancel();
        }
        return;
    }
    egui::CollapsingHeader::new("Learn a texture")
        // Folded away as soon as there is one.
        .id_salt(("learn a texture", chosen.is_none()))
        .default_open(chosen.is_none())
        .show(ui, |ui| learn_ui(ui, cx, sequence));
    if chosen.is_some() {
        ui.collapsing("Name a range of frames", |ui| annotate_ui(ui, sequence));
    }
}

/// From which clips, called what.
fn learn_ui(ui: &mut egui::Ui, cx: &mut UiContext, sequence: &mut SequenceWorkspace) {
    let clips = sequence.labelled_clips(cx);
    let mut labels: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, clip) in &clips {
        *labels.entry(clip.label.as_str()).or_default() += 1;
    }
    if cx.session.selection.is_empty() {
        ui.weak(
            "Select takes of several actions in the list of clips: two or more of each are best.",
        );
    } else {
        let words: Vec<String> = labels.iter().map(|(l, n)| format!("{l} {n}")).collect();
        ui.weak(format!(
            "{} of {}: {}",
            counted(clips.len(), "clip"),
            counted(labels.len(), "action"),
            words.join(", ")
        ));
    }
    let learned_from: Vec<(ClipId, Arc<Clip>)> = clips
        .iter()
        .map(|(id, labelled)| (*id, Arc::clone(&labelled.clip)))
        .collect();
    let is_refused = one_skeleton_ui(ui, cx, &learned_from);
    ui.horizontal(|ui| {
        ui.label("Labels from");
        let chosen = &mut sequence.textures.labels;
        let now = chosen.map_or("what fits", LabelSource::name);
        egui::ComboBox::from_id_salt("labels")
            .selected_text(now)
            .show_ui(ui, |ui| {
                ui.selectable_value(chosen, None, "what fits");
                for source in LabelSource::ALL {
                    ui.selectable_value(chosen, Some(source), source.name());
                }
            });
    });
    ui.horizontal(|ui| {
        ui.label("Most error");
        let error = &mut sequence.textures.settings.most_error_deg;
        let drag = egui::DragValue::new(error)
            .range(1.0..=30.0)
            .speed(0.1)
            .suffix("°");
        ui.add(drag).on_hover_text(
            "A section is learned as a system if that predicts other takes this well; less gives shorter sections",
        );
    });
    ui.horizontal(|ui| {
        let name = egui::TextEdit::singleline(&mut sequence.textures.name)
            .hint_text("name of the texture")
            .desired_width(120.0);
        ui.add(name);
        let button = ui.add_enabled(
            !clips.is_empty() && !is_refused,
            egui::Button::new("Learn texture"),
        );
        let tip =
            "Finds systems and transitions between all takes; some seconds for a minute of motion";
        if button.on_hover_text(tip).clicked() {
            sequence.learn_texture(cx);
        }
    });
}

/// A name by hand for the play range.
fn annotate_ui(ui: &mut egui::Ui, sequence: &mut SequenceWorkspace) {
    ui.weak("Mark frames of a take with a play range in the library (I and shift+I), select the take, and say what they show.");
    ui.horizontal(|ui| {
        let name = egui::TextEdit::singleline(&mut sequence.textures.annotation)
            .hint_text("walk, then turn")
            .desired_width(120.0);
        ui.add(name);
        if ui.button("Name it").clicked() {
            sequence.ask(Request::Annotate);
        }
    });
}
