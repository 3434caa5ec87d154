//! The graph in words, above the actions: is it connected, which clips are islands, what would help.

use crate::app::sequence::graphs::BUILD_JOB;
use crate::app::sequence::state::{Request, SequenceWorkspace};
use crate::app::shell::context::UiContext;
use crate::app::shell::words::counted;
use crate::document::ClipId;

/// Draws a few lines.
pub fn graph_ui(ui: &mut egui::Ui, cx: &mut UiContext, sequence: &mut SequenceWorkspace) {
    ui.horizontal_wrapped(|ui| {
        let selected: Vec<ClipId> = cx.session.selection.iter().copied().collect();
        let words = format!(
            "Build graph from {}",
            counted(selected.len(), "selected clip")
        );
        let build = ui.add_enabled(!selected.is_empty(), egui::Button::new(words));
        let tip = "Finds the transitions between the selected clips; actions are joined by them";
        if build.on_hover_text(tip).clicked() {
            sequence.ask(Request::BuildGraph(selected));
        }
    });
    if let Some(job) = cx.work.named(BUILD_JOB) {
        ui.add(egui::ProgressBar::new(job.progress() as f32).text("Building the graph"));
    } else if let Some(why) = sequence.graphs.failure() {
        ui.colored_label(ui.visuals().error_fg_color, why);
        if ui.button("Try again").clicked() {
            sequence.retry_graph();
        }
    } else if let Some(summary) = sequence.graph_summary() {
        ui.weak(format!(
            "{}, {}, {}",
            counted(summary.frames, "frame"),
            counted(summary.clusters, "cluster"),
            counted(summary.transitions, "transition"),
        ));
    } else {
        ui.weak("Select clips in the table and build a graph of them.");
    }
}
