//! Above the strip: which sequence, what can be done to the selected actions, and what becomes of it all.

use egui::PopupCloseBehavior;
use egui::containers::menu::{MenuButton, MenuConfig};
use egui_material_icons::icons::ICON_ARROW_DROP_DOWN;

use crate::app::sequence::state::{Request, SequenceWorkspace};
use crate::app::sequence::strip::export_ui::export_menu_ui;
use crate::app::sequence::strip::{Edit, Evaluated};
use crate::app::sequence::targets::ui::target_ui;
use crate::app::shell::context::UiContext;
use crate::app::shell::requests::Request as ShellRequest;
use crate::app::shell::theme::Colours;
use crate::app::shell::words::counted;
use crate::document::{ActionSource, Command, Sequence, SequenceId};
use crate::sequence::ActionList;

/// Draws it, in two lines where there is little room.
pub(super) fn toolbar_ui(ui: &mut egui::Ui, cx: &mut UiContext, sequence: &mut SequenceWorkspace) {
    ui.horizontal_wrapped(|ui| {
        choice_ui(ui, cx, sequence);
        let clips: Vec<ActionSource> = cx
            .selected_clips()
            .iter()
            .map(|(id, _)| ActionSource::Clip(*id))
            .collect();
        let words = format!("Add {}", counted(clips.len(), "selected clip"));
        let add = ui.add_enabled(!clips.is_empty(), egui::Button::new(words));
        let tip = "Puts the clips that are selected in the table at the end of the strip";
        if add.on_hover_text(tip).clicked() {
            let (sources, at) = (clips, usize::MAX);
            sequence.ask(Request::AddActions { sources, at });
        }
        loop_ui(ui, cx, sequence);
        ui.separator();
        entry_ui(ui, cx, sequence);
        target_ui(ui, cx, sequence);
        let Some(shown) = sequence.strip.shown.clone() else {
            return;
        };
        ui.separator();
        if shown.clip.is_some() {
            let export = MenuButton::new("Export").config(stays_open());
            export.ui(ui, |ui| export_menu_ui(ui, cx, sequence, &shown));
            let keep = ui.button("Keep as clip");
            let tip = "Makes a clip of the library of the whole motion";
            if keep.on_hover_text(tip).clicked() {
                sequence.ask(Request::KeepAsClip);
            }
        }
        summary_ui(ui, &shown);
    });
}

/// Which sequence is on the strip; its name, another one, away with it.
fn choice_ui(ui: &mut egui::Ui, cx: &mut UiContext, sequence: &mut SequenceWorkspace) {
    let chosen = sequence
        .chosen_sequence(cx)
        .map(|(id, s)| (id, Sequence::clone(s)));
    let words = chosen
        .as_ref()
        .map_or("No sequence", |(_, own)| own.name.as_str());
    let all: Vec<(SequenceId, String)> = cx
        .document()
        .sequences()
        .iter()
        .map(|(id, other)| (*id, other.name.clone()))
        .collect();
    let button = MenuButton::new((words.to_owned(), ICON_ARROW_DROP_DOWN)).config(stays_open());
    let (button, _) = button.ui(ui, |ui| {
        for (id, name) in &all {
            let is_it = chosen.as_ref().is_some_and(|(chosen, _)| chosen == id);
            if ui.selectable_label(is_it, name).clicked() {
                sequence.show_sequence(cx, *id);
                ui.close();
            }
        }
        ui.separator();
        if ui.button("New sequence").clicked() {
            sequence.ask(Request::NewSequence);
            ui.close();
        }
        let Some((id, own)) = &chosen else {
            return;
        };
        let mut name = sequence
            .strip
            .renaming
            .take()
            .unwrap_or_else(|| own.name.clone());
        let edit = ui.horizontal(|ui| {
            ui.label("Name");
            ui.add(egui::TextEdit::singleline(&mut name).desired_width(120.0))
        });
        let is_ended = edit.inner.lost_focus();
        if is_ended && !name.trim().is_empty() && name != own.name {
            let what = format!("rename {} to {}", own.name, name.trim());
            let renamed = Sequence {
                name: name.trim().to_owned(),
                ..own.clone()
            };
            cx.ask(ShellRequest::Edit(Command::ChangeSequence {
                what,
                id: *id,
                sequence: std::sync::Arc::new(renamed),
            }));
        } else if edit.inner.has_focus() {
            sequence.strip.renaming = Some(name);
        }
        if ui.button("Delete sequence").clicked() {
            cx.ask(ShellRequest::Edit(Command::RemoveSequence(*id)));
            ui.close();
        }
    });
    button.on_hover_text("Which sequence is on the strip");
}

/// For menus with fields: a click into one does not close them.
fn stays_open() -> MenuConfig {
    MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside)
}

/// Whether it is played on and on.
fn loop_ui(ui: &mut egui::Ui, cx: &UiContext, sequence: &mut SequenceWorkspace) {
    let Some((_, value)) = sequence.chosen_sequence(cx) else {
        return;
    };
    let mut loops = value.actions.loops;
    let tip = "The last action goes over into the first, and it is played on and on; the body goes on from where it is";
    if ui
        .checkbox(&mut loops, "Seamless loop")
        .on_hover_text(tip)
        .changed()
    {
        sequence.ask(Request::EditStrip(Edit::Loop(loops)));
    }
}

/// What can be done to the selected actions.
fn entry_ui(ui: &mut egui::Ui, cx: &mut UiContext, sequence: &mut SequenceWorkspace) {
    let selected = sequence.strip.selected.clone();
    let Some(value) = sequence.sequence_on_strip(cx) else {
        return;
    };
    let entry = match selected.as_slice() {
        [only] => value.actions.entry(*only),
        _ => None,
    };
    if let Some(entry) = entry {
        let mut repeats = entry.repeats;
        ui.label("Repeat");
        let most = ActionList::<ActionSource>::MOST_REPEATS;
        let value = egui::DragValue::new(&mut repeats)
            .range(1..=most)
            .speed(0.05)
            .suffix(" x");
        let value = ui.add(value);
        if value.on_hover_text("How often it is played").changed() {
            let id = entry.id;
            sequence.draft(cx, "repeat an action", |s| {
                if let Some(entry) = s.actions.entry_mut(id) {
                    entry.repeats = repeats;
                }
            });
        }
    }
    ui.add_enabled_ui(!selected.is_empty(), |ui| {
        if ui.button("Duplicate").clicked() {
            sequence.ask(Request::EditStrip(Edit::Duplicate(selected.clone())));
        }
        if ui.button("Delete action").clicked() {
            sequence.ask(Request::EditStrip(Edit::Remove(selected)));
        }
    });
}

/// How good the transitions are, and what is left out.
fn summary_ui(ui: &mut egui::Ui, shown: &Evaluated) {
    let colours = Colours::of(ui);
    let norms = shown.graph.norms();
    let joins = shown
        .plays
        .iter()
        .filter_map(|play| play.transition.as_ref());
    let rough = joins
        .clone()
        .filter(|t| !t.quality.keeps_limits(norms))
        .count();
    let n = joins.count();
    if n > 0 && rough == 0 {
        ui.colored_label(
            colours.good,
            format!("{}, all within limits", counted(n, "join")),
        );
    } else if n > 0 {
        let words = format!("{rough} of {} over the limits", counted(n, "join"));
        ui.colored_label(colours.warning, words);
    }
    if let Some((_, why)) = shown.skipped.first() {
        let words = format!(
            "{} not played: {why}",
            counted(shown.skipped.len(), "action")
        );
        ui.colored_label(colours.warning, words);
    }
}
