//! The status bar: what runs, and what was said last.

use egui_material_icons::icons::ICON_CLOSE;

use crate::app::shell::context::UiContext;
use crate::app::shell::messages::message_ui;
use crate::app::shell::words::counted;

/// The status bar: running work, messages, the last step.
pub fn status_ui(ui: &mut egui::Ui, cx: &UiContext) {
    ui.horizontal(|ui| {
        for running in cx.work.shown() {
            let progress = running.progress();
            let left = running.secs_left(cx.now_secs);
            let left = left.map_or_else(String::new, |secs| format!(", {} left", in_words(secs)));
            let state = if running.is_cancelled() {
                "stopping".to_owned()
            } else {
                format!("{:.0} %{left}", 100.0 * progress)
            };
            ui.add(egui::Label::new(&running.name).truncate());
            let bar = egui::ProgressBar::new(progress as f32).desired_width(110.0);
            ui.add(bar.desired_height(10.0));
            ui.weak(state);
            let cancel = ui.small_button(ICON_CLOSE);
            cancel.widget_info(|| {
                let words = format!("Cancel {}", running.name);
                egui::WidgetInfo::labeled(egui::Role::Button, true, words)
            });
            if cancel.on_hover_text("Cancel").clicked() {
                running.cancel();
            }
            ui.separator();
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let n_all = cx.document().n_clips();
            let n_selected = cx.session.selection.len();
            ui.weak(format!(
                "{n_selected} of {} selected",
                counted(n_all, "clip")
            ));
            ui.separator();
            ui.with_layout(
                egui::Layout::left_to_right(egui::Align::Center),
                |ui| match cx.messages.in_status() {
                    Some(message) => message_ui(ui, message, egui::TextWrapMode::Truncate),
                    None => {
                        ui.weak("Ready");
                    }
                },
            );
        });
    });
}

fn in_words(secs: f64) -> String {
    let secs = secs.ceil();
    if secs < 60.0 {
        format!("{secs} s")
    } else {
        format!("{} min", (secs / 60.0).ceil())
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn times_are_short() {
        assert_eq!(super::in_words(0.2), "1 s");
        assert_eq!(super::in_words(61.0), "2 min");
    }
}
