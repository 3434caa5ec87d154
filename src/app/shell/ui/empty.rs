//! What is shown where nothing is yet: what it will be, and what to do meanwhile.

use crate::app::shell::actions::Action;
use crate::app::shell::context::UiContext;
use crate::app::shell::preferences::Workspace;
use crate::app::shell::requests::Request;
use crate::app::shell::theme::Colours;
use crate::app::shell::ui::menu::sign;

const fn words(workspace: Workspace) -> &'static str {
    match workspace {
        Workspace::Library | Workspace::Pose | Workspace::Sequence => "",
        Workspace::Variation => {
            "Here a family of motions will be learned from a few clips and as many new ones made as you like: inputs in blue, variants in orange, side by side, with the network that was learned to look into."
        }
        Workspace::Study => {
            "Here sets of clips will be measured and compared, and people asked which motions look natural."
        }
    }
}

/// A workspace that is not built yet.
pub fn workspace_ui(ui: &mut egui::Ui, cx: &mut UiContext, workspace: Workspace) {
    let colours = Colours::of(ui);
    let height = ui.available_height();
    ui.vertical_centered(|ui| {
        ui.add_space(0.28 * height);
        let (icon, _) = sign(workspace);
        ui.label(icon.rich_text().size(44.0).color(colours.weak));
        ui.add_space(6.0);
        ui.heading(workspace.name());
        ui.scope(|ui| {
            ui.set_max_width(460.0);
            ui.add(egui::Label::new(egui::RichText::new(words(workspace)).weak()).wrap());
        });
        ui.add_space(6.0);
        ui.label("This workspace is not built yet.");
        ui.add_space(10.0);
        if ui.button("Back to the library").clicked() {
            cx.ask(Request::Do(Action::Library));
        }
    });
}

/// A library without clips.
pub fn no_clips_ui(ui: &mut egui::Ui, cx: &mut UiContext) {
    ui.vertical_centered(|ui| {
        ui.add_space(0.2 * ui.available_height());
        ui.heading("No clips yet");
        ui.weak("Drop .bvh files or folders on this window, or");
        ui.add_space(8.0);
        for (action, text) in [
            (Action::Import, "Import clips…"),
            (Action::Open, "Open a project…"),
            (Action::Demo, "Try the demo library"),
        ] {
            let button = egui::Button::new(text).min_size(egui::vec2(180.0, 0.0));
            if ui.add(button).clicked() {
                cx.ask(Request::Do(action));
            }
        }
    });
}
