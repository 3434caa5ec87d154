//! Keys while a path is edited.

use egui::{Key, Modifiers};

use crate::app::sequence::path::PathTool;
use crate::app::sequence::state::SequenceWorkspace;
use crate::app::shell::context::UiContext;

/// Takes its keys before anybody else does.
pub(in crate::app) fn handle(
    ctx: &egui::Context,
    cx: &mut UiContext,
    sequence: &mut SequenceWorkspace,
) {
    if !sequence.shows_path(cx) || ctx.egui_wants_keyboard_input() {
        return;
    }
    let pressed = |key: Key| ctx.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    if sequence.path.selected.is_some() && (pressed(Key::Delete) || pressed(Key::X)) {
        sequence.remove_point(cx);
    }
    if pressed(Key::D) {
        sequence.path.tool = PathTool::Draw;
    }
    if pressed(Key::P) {
        sequence.path.tool = PathTool::Points;
        sequence.path.is_adding = false;
    }
    if sequence.path.tool == PathTool::Points && pressed(Key::Enter) {
        sequence.path.tool = PathTool::Edit;
        sequence.path.stroke.clear();
    }
    let is_busy = !sequence.path.stroke.is_empty()
        || sequence.path.draft.is_some()
        || sequence.path.selected.is_some()
        || sequence.path.tool != PathTool::Edit;
    if is_busy && pressed(Key::Escape) {
        sequence.path.stroke.clear();
        sequence.path.draft = None;
        sequence.path.selected = None;
        sequence.path.tool = PathTool::Edit;
    }
}
