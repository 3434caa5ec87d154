//! A setting on a line of its own: its name, its number, and in the tooltip what it does.

/// One row of a grid of two columns.
pub(in crate::app) fn number_row(
    ui: &mut egui::Ui,
    name: &str,
    number: egui::DragValue<'_>,
    tip: &str,
) {
    ui.label(name);
    ui.add(number).on_hover_text(tip);
    ui.end_row();
}
