//! How far a job is, in the panel that started it.

use crate::app::shell::work::Running;

/// A bar with the progress of a job, and a button with these words that stops it.
pub(in crate::app) fn running_ui<D: Send + 'static>(
    ui: &mut egui::Ui,
    running: &Running<D>,
    cancel: &str,
) {
    ui.horizontal(|ui| {
        let bar = egui::ProgressBar::new(running.progress() as f32);
        ui.add(bar.desired_width(140.0).show_percentage());
        if ui.button(cancel).clicked() {
            running.cancel();
        }
    });
}
