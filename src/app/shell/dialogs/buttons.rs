//! The button of a dialog that most people want.

/// A button in the colour of what is chosen: the one most people want.
pub(in crate::app::shell) fn main_button(ui: &mut egui::Ui, is_enabled: bool, text: &str) -> bool {
    let fill = ui.visuals().selection.bg_fill;
    let button = egui::Button::new(text).fill(fill);
    ui.add_enabled(is_enabled, button).clicked()
}

/// Whether Enter is the answer: it was pressed in a line of text, which lets go of the keyboard then, or where no button
/// has it. Not while it is held: it may have opened the dialog.
pub(in crate::app::shell) fn is_entered(ui: &egui::Ui) -> bool {
    let is_enter = |event: &egui::Event| {
        matches!(
            event,
            egui::Event::Key {
                key: egui::Key::Enter,
                pressed: true,
                repeat: false,
                ..
            }
        )
    };
    let is_pressed = ui.input(|input| input.events.iter().any(is_enter));
    is_pressed && ui.memory(|memory| memory.focused().is_none())
}
