//! The strip as a timeline: actions above, the transitions into them below, one playhead for both.

use egui::{Align2, FontId, Rect, Sense, vec2};

use crate::app::sequence::state::{Request, SequenceWorkspace};
use crate::app::sequence::strip::Edit;
use crate::app::sequence::strip::layout::Layout;
use crate::app::sequence::strip::paint::paint;
use crate::app::sequence::strip::toolbar_ui::toolbar_ui;
use crate::app::sequence::strip::touch::{take_dropped, tip, touch};
use crate::app::shell::context::UiContext;
use crate::app::shell::theme::Colours;
use crate::app::shell::words::counted;
use crate::document::{ClipId, Sequence};
use crate::sequence::EntryId;

/// So many clips are lined up without having been selected.
const MOST_UNASKED: usize = 12;
/// And so many that were selected.
const MOST_AT_ONCE: usize = 50;

/// The strip with its entries, joins and playhead.
pub fn strip_ui(ui: &mut egui::Ui, cx: &mut UiContext, sequence: &mut SequenceWorkspace) {
    toolbar_ui(ui, cx, sequence);
    keep_what_was_dragged(ui, sequence);
    let Some(value) = sequence.sequence_on_strip(cx) else {
        first_ui(ui, cx, sequence);
        return;
    };
    let shown = sequence.strip.shown.clone();
    let height = ui.available_height().clamp(90.0, 260.0);
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Strip"));
    ui.painter().rect_filled(rect, 2.0, Colours::of(ui).sunken);
    let order: Vec<EntryId> = value.actions.entries.iter().map(|entry| entry.id).collect();
    let Some(shown) = shown.as_deref().filter(|shown| shown.clip.is_some()) else {
        waiting_ui(ui, cx, sequence, rect, &value);
        take_dropped(ui, sequence, &response, None, &order);
        return;
    };
    let layout = Layout::of(shown, rect, cx.session.span, sequence.strip.hold);
    paint(ui, cx, sequence, &value, shown, &layout);
    touch(ui, cx, sequence, &response, &layout, &order);
    menu_ui(&response, sequence, &value);
    take_dropped(ui, sequence, &response, Some(&layout), &order);
    let under = response.hover_pos().and_then(|at| layout.block_at(at));
    if let Some(under) = under.filter(|_| sequence.strip.hold.is_none()) {
        response.on_hover_text_at_pointer(tip(shown, under));
    }
}

/// A value that is dragged or typed, here or in the join editor, is one step when it is let go.
fn keep_what_was_dragged(ui: &egui::Ui, sequence: &mut SequenceWorkspace) {
    let is_held = ui.input(|input| input.pointer.any_down());
    if sequence.strip.draft.is_some() && !is_held && !ui.ctx().egui_wants_keyboard_input() {
        sequence.ask(Request::KeepDraft);
    }
}

/// With nothing set up.
fn first_ui(ui: &mut egui::Ui, cx: &UiContext, sequence: &mut SequenceWorkspace) {
    let selected: Vec<ClipId> = cx.selected_clips().iter().map(|(id, _)| *id).collect();
    let all = cx.document().clip_order();
    let clips = if selected.len() > 1 {
        selected
    } else {
        all.to_vec()
    };
    let most = if clips.len() == all.len() {
        MOST_UNASKED
    } else {
        MOST_AT_ONCE
    };
    ui.vertical_centered(|ui| {
        ui.add_space(6.0);
        ui.heading("Line up actions");
        ui.weak("Drag actions here, or double-click them. Transitions are found in the clips.");
        ui.add_space(4.0);
        if (2..=most).contains(&clips.len()) {
            let words = format!("Line up {}", counted(clips.len(), "clip"));
            let tip = "Finds the transitions between these clips and plays one after the other";
            if ui.button(words).on_hover_text(tip).clicked() {
                sequence.ask(Request::LineUp(clips));
            }
        }
        let has_clips = cx.document().n_clips() > 1;
        let button = ui.add_enabled(has_clips, egui::Button::new("Make an example"));
        let tip =
            "Builds a graph of fight actions, or of the first clips, and lines up six of them";
        if button.on_hover_text(tip).clicked() {
            sequence.ask(Request::MakeExample);
        }
    });
}

/// While there is nothing to draw: why, and what helps.
fn waiting_ui(
    ui: &egui::Ui,
    cx: &UiContext,
    sequence: &SequenceWorkspace,
    rect: Rect,
    value: &Sequence,
) {
    let words = if value.actions.entries.is_empty() {
        "Drag actions here, or double-click them"
    } else if sequence.chosen_graph(cx).is_none() {
        "Select clips in the table and build a graph of them: transitions are found in it"
    } else if sequence.graphs.is_building() {
        "Building the transition graph…"
    } else if sequence.graphs.failure().is_some() {
        "The transition graph could not be built"
    } else {
        "Joining actions…"
    };
    let weak = Colours::of(ui).weak;
    let font = FontId::proportional(14.0);
    ui.painter()
        .text(rect.center(), Align2::CENTER_CENTER, words, font, weak);
}

fn menu_ui(response: &egui::Response, sequence: &mut SequenceWorkspace, value: &Sequence) {
    response.context_menu(|ui| {
        let selected = sequence.strip.selected.clone();
        if selected.is_empty() {
            ui.weak("No action is selected");
            return;
        }
        if let [only] = selected.as_slice()
            && let Some(entry) = value.actions.entry(*only)
        {
            if ui.button("Repeat once more").clicked() {
                let repeats = entry.repeats + 1;
                sequence.ask(Request::EditStrip(Edit::Repeat(*only, repeats)));
            }
            if entry.repeats > 1 && ui.button("Play once").clicked() {
                sequence.ask(Request::EditStrip(Edit::Repeat(*only, 1)));
            }
            if entry.trim != crate::sequence::Trim::default() && ui.button("Untrim").clicked() {
                sequence.ask(Request::EditStrip(Edit::Untrim(*only)));
            }
            ui.separator();
        }
        if ui.button("Duplicate").clicked() {
            sequence.ask(Request::EditStrip(Edit::Duplicate(selected.clone())));
        }
        if ui.button("Move to the start").clicked() {
            sequence.ask(Request::EditStrip(Edit::Move(selected.clone(), 0)));
        }
        if ui.button("Move to the end").clicked() {
            sequence.ask(Request::EditStrip(Edit::Move(selected.clone(), usize::MAX)));
        }
        ui.separator();
        if ui.button("Delete").clicked() {
            sequence.ask(Request::EditStrip(Edit::Remove(selected)));
        }
    });
}
